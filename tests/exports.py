"""Exports as engineers bring them: each file holds the half day of `dialects.clean`.

Each writer gives what the user would name: a file, several, or a folder.
"""

import gzip
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
from dialects import clean, fahrenheit, lines, local

KVA, AMPERE = 1100.0, 1100e3 / (3**0.5 * 400)
"""Rated power [kVA] and current [A] of the unit."""


def stamps(form: str = "%Y-%m-%d %H:%M:%S") -> pd.Series:
    return local().dt.strftime(form)


def temperatures() -> dict[str, pd.Series]:
    return {"Ambient": clean()["ambient"], "Top oil": clean()["top_oil"]}


def written(path: Path, columns: dict, delimiter: str = ",", decimal: str = ".") -> Path:
    path.write_text(lines(columns, delimiter, decimal), encoding="utf-8", newline="")
    return path


def phases(unbalance: float = 0.9) -> list[pd.Series]:
    """Three currents [A], of which the highest is in turn that of each phase."""
    load, third = clean()["load"] * AMPERE, np.arange(len(clean())) % 3
    return [load.where(third == n, load * unbalance) for n in range(3)]


def pi_words(folder: Path) -> Path:
    cells = (clean()["load"] * 100).map("{:.15g}".format)
    words = ["Bad", "No Data", "I/O Timeout", "Comm Fail", "[-11059] No Good Data For Calculation"]
    cells.iloc[5:10] = words
    columns = {"Timestamp": stamps("%d-%b-%y %H:%M:%S"), "Load (%)": cells} | temperatures()
    path = folder / "pi.csv"
    path.write_text(lines(columns, ","), encoding="utf-8-sig", newline="")
    return path


def thousands(folder: Path) -> Path:
    power = (clean()["load"] * KVA).map("{:,.12f}".format)
    power = power.str.replace(",", " ").str.replace(".", ",").str.replace(" ", ".")
    columns = {
        "Datum": stamps("%d.%m.%Y"),
        "Uhrzeit": stamps("%H:%M"),
        "Scheinleistung [kVA]": power,
    }
    columns |= {"Umgebung": clean()["ambient"], "Öltemperatur": clean()["top_oil"]}
    return written(folder / "tausend.csv", columns, ";", ",")


def quoted(folder: Path) -> Path:
    columns = {"Time": stamps("%d/%m/%Y %H:%M"), "Load [%]": clean()["load"] * 100} | temperatures()
    text = {
        name: '"'
        + each.map(lambda v: f"{v:.15g}" if isinstance(v, float) else v).str.replace(".", ",")
        + '"'
        for name, each in columns.items()
    }
    rows = [",".join(cells) for cells in zip(*text.values(), strict=True)]
    path = folder / "quoted.csv"
    path.write_text("\n".join([",".join(f'"{name}"' for name in columns), *rows]))
    return path


def newest_first(folder: Path) -> Path:
    frame = pd.DataFrame({"Time": stamps(), "Load": clean()["load"]} | temperatures())
    frame.iloc[::-1].to_csv(folder / "latest.csv", index=False, float_format="%.15g")
    return folder / "latest.csv"


def totals(folder: Path) -> Path:
    columns = {"Time": stamps(), "Load [kVA]": clean()["load"] * KVA} | temperatures()
    path = written(folder / "totals.csv", columns)
    with path.open("a") as file:
        file.write("Total,412345.6,,\r\nAverage,572.7,21.3,44.0\r\n")
    return path


def german_minutes(folder: Path) -> Path:
    """`24:00`, a decimal comma, and a row of units."""
    text = lines(
        {
            "Zeit": stamps("%d.%m.%Y %H:%M"),
            "Strom": clean()["load"] * AMPERE / 1000,
            "Lufttemp.": clean()["ambient"],
            "Öltemp. oben": clean()["top_oil"],
        },
        ";",
        ",",
    )
    header, *rows = text.splitlines()
    rows[0] = rows[0].replace("19.06.2025 00:00", "18.06.2025 24:00")
    path = folder / "werte.csv"
    path.write_text("\n".join([header, "TT.MM.JJJJ hh:mm;kA;°C;°C", *rows]), encoding="cp1252")
    return path


def utc_header(folder: Path) -> Path:
    times = clean()["time"].dt.tz_convert("UTC").dt.strftime("%Y-%m-%d %H:%M")
    columns = {"Time (UTC)": times, "Amps": clean()["load"] * AMPERE}
    kelvin = {f"{name} [K]": each + 273.15 for name, each in temperatures().items()}
    return written(folder / "utc.csv", columns | kelvin, "\t")


def phase_currents(folder: Path) -> Path:
    columns = {"DeviceTimeStamp": stamps("%Y-%m-%dT%H:%M"), "VL1": 230.0, "VL2": 231.0}
    columns |= {f"IL{n + 1} [A]": each for n, each in enumerate(phases())}
    return written(
        folder / "phases.csv", columns | {"ATI": clean()["ambient"], "OTI": clean()["top_oil"]}
    )


def bare_phases(folder: Path) -> Path:
    columns = {"Time": stamps()} | {
        f"I_{name}": each for name, each in zip("RST", phases(), strict=True)
    }
    return written(folder / "rst.csv", columns | temperatures())


def power_factor() -> tuple[pd.Series, pd.Series]:
    """Active [MW] and reactive power [Mvar] of the load, their ratio changing."""
    power, angle = clean()["load"] * KVA / 1000, np.linspace(0.1, 0.5, len(clean()))
    return power * np.cos(angle), power * np.sin(angle)


def powers(folder: Path) -> Path:
    active, reactive = power_factor()
    columns = {"Time": stamps(), "P [MW]": active, "Q [MVAr]": reactive}
    return written(folder / "pq.csv", columns | temperatures())


def bare_powers(folder: Path) -> Path:
    active, reactive = power_factor()
    columns = {"Time": stamps(), "Active Power": active * 1000, "Reactive Power": reactive * 1000}
    return written(folder / "active.csv", columns | temperatures())


def megawatts(folder: Path) -> Path:
    columns = {"Time": stamps(), "MW": clean()["load"] * KVA / 1000 * 0.95}
    return written(folder / "mw.csv", columns | temperatures())


def bare_power(folder: Path) -> Path:
    columns = {"Time": stamps(), "Power": clean()["load"] * KVA}
    return written(folder / "power.csv", columns | temperatures())


def windings(folder: Path) -> Path:
    """A unit of three windings, the second of which is the most loaded one."""
    load = clean()["load"]
    columns = {
        "Time": stamps(),
        "I_HV": load * 0.8 * 28.9,
        "I_MV": load * 251,
        "I_LV": load * 0.3 * 900,
    }
    return written(folder / "windings.csv", columns | temperatures())


def long_rows(names: dict[str, pd.Series], **more: str) -> pd.DataFrame:
    parts = [
        pd.DataFrame({"Tag": tag, "Time": stamps(), "Value": values, "Quality": "Good"})
        for tag, values in names.items()
    ]
    return pd.concat(parts).sort_values(["Time", "Tag"], kind="stable")


def long_tags(folder: Path) -> Path:
    tags = {
        "SS1.TR2.I_LV": clean()["load"] * AMPERE,
        "SS1.TR2.TT01": clean()["ambient"],
        "SS1.TR2.TT07": clean()["top_oil"],
        "SS1.TR2.TAP": clean()["load"] * 0 + 7,
    }
    long_rows(tags).to_csv(folder / "tags.csv", index=False, float_format="%.15g")
    return folder / "tags.csv"


def long_plain(folder: Path) -> Path:
    tags = {
        "Load": clean()["load"] * KVA,
        "Ambient": fahrenheit(clean()["ambient"]),
        "Top oil": fahrenheit(clean()["top_oil"]),
    }
    frame = long_rows(tags)
    frame["Unit"] = frame["Tag"].map({"Load": "kVA"}).fillna("degF")
    frame.to_csv(folder / "long.csv", index=False, float_format="%.15g", sep=";", decimal=",")
    return folder / "long.csv"


def overlapping(folder: Path) -> Path:
    """Parts of a day, each with an hour of the next, in files whose names are in no order."""
    frame = pd.DataFrame({"Time": stamps(), "Load [%]": clean()["load"] * 100} | temperatures())
    inside = folder / "exports"
    inside.mkdir(exist_ok=True)
    for name, first in (("c", 0), ("a", 240), ("b", 480)):
        part = frame.iloc[first : first + 300]
        part.to_csv(inside / f"{name}.csv", index=False, float_format="%.15g")
    (inside / "notes.pdf").write_bytes(b"%PDF-1.7")
    return inside


def contradicting(folder: Path) -> list[Path]:
    frame = pd.DataFrame({"Time": stamps(), "Load": clean()["load"]} | temperatures())
    first, second = frame.iloc[:400], frame.iloc[360:].copy()
    second.loc[370:372, "Load"] += 0.1
    for name, part in (("one", first), ("two", second)):
        part.to_csv(folder / f"{name}.csv", index=False, float_format="%.15g")
    return [folder / "two.csv", folder / "one.csv"]


def side_by_side(folder: Path) -> list[Path]:
    """The load every 5 minutes, temperatures every minute."""
    load = pd.DataFrame({"Time": stamps(), "I [kA]": clean()["load"] * AMPERE / 1000})
    load.iloc[::5].to_csv(folder / "load.csv", index=False, float_format="%.15g")
    return [folder / "load.csv", written(folder / "temps.csv", {"Time": stamps()} | temperatures())]


def coarse_temperatures(folder: Path) -> list[Path]:
    """The load every minute, temperatures every 5 minutes."""
    temps = pd.DataFrame({"Time": stamps()} | temperatures())
    temps.iloc[::5].to_csv(folder / "temps.csv", index=False, float_format="%.15g")
    return [
        written(folder / "load.csv", {"Time": stamps(), "Load": clean()["load"]}),
        folder / "temps.csv",
    ]


def book(path: Path, head: list[list], *, merged: tuple[str, ...] = (), scale: float = 1.0) -> Path:
    made = openpyxl.Workbook()
    sheet = made.active
    assert sheet is not None
    for row in head:
        sheet.append(row)
    for cells in merged:
        sheet.merge_cells(cells)
    for row in clean().assign(time=local()).itertuples(index=False):
        air, oil = (float(value) * 1.8 + 32 for value in row[2:4])
        sheet.append([row[0].to_pydatetime(), float(row[1]) * scale, air, oil])
    made.save(path)
    return path


def two_rows(folder: Path) -> Path:
    head = [
        ["Unit T1"],
        [],
        ["Time", "Load [%]", "Temperatures [°F]", None],
        [None, "Mean", "Ambient", "Top oil"],
    ]
    return book(folder / "merged.xlsx", head, merged=("C3:D3", "A3:A4"), scale=100)


def three_rows(folder: Path) -> Path:
    head = [
        ["Timestamp", "Loading", "Ambient", "Oil"],
        [None, "avg", "avg", "avg"],
        [None, "A", "°F", "°F"],
    ]
    return book(folder / "units.xlsx", head, merged=("A1:A3",), scale=AMPERE)


def repeated(folder: Path) -> Path:
    text = lines(
        {
            "Time": stamps(),
            "Load": clean()["load"],
            "T": clean()["ambient"],
            "T2": clean()["top_oil"],
        },
        ",",
    )
    path = folder / "repeated.csv"
    path.write_text(text.replace("Time,Load,T,T2", "Time,Load,Temp,Temp"), newline="")
    return path


def idle_repeats(folder: Path) -> Path:
    columns = (
        {"Time": stamps(), "Load": clean()["load"]} | temperatures() | {"S1": "OK", "S2": "OK"}
    )
    path = written(folder / "status.csv", columns)
    path.write_text(path.read_text().replace("S1,S2", "Status,Status"), newline="")
    return path


def no_zone(folder: Path) -> Path:
    return written(
        folder / "local.csv", {"Time": stamps(), "Load": clean()["load"]} | temperatures()
    )


def named_zone(folder: Path) -> Path:
    columns = {"Time": stamps() + " IST", "Load": clean()["load"]} | temperatures()
    return written(folder / "ist.csv", columns)


def small_numbers(folder: Path) -> Path:
    """Twelve hours of 5 June, which may be 6 May."""
    times = (local() - pd.Timedelta(days=14)).dt.strftime("%m/%d/%Y %H:%M")
    return written(folder / "us.csv", {"Time": times, "Load": clean()["load"]} | temperatures())


def clock_change(folder: Path) -> Path:
    """The night of 26 October, when the hour from 2 to 3 is written twice."""
    later = clean()["time"] + pd.Timedelta(days=129)
    times = later.dt.tz_convert("Europe/Madrid").dt.strftime("%d/%m/%Y %H:%M")
    return written(
        folder / "october.csv", {"Time": times, "Load": clean()["load"]} | temperatures()
    )


def percent_or_ampere(folder: Path) -> Path:
    columns = {"Time": stamps(), "Load": clean()["load"] * 100} | temperatures()
    return written(folder / "load.csv", columns)


def two_units(folder: Path) -> Path:
    columns = {
        "Time": stamps(),
        "T1 load [A]": clean()["load"] * AMPERE,
        "T2 load [A]": 0.5,
        "T1 oil": clean()["top_oil"],
        "T2 oil": 40.0,
        "Weather": clean()["ambient"],
    }
    return written(folder / "station.csv", columns)


def cyrillic(folder: Path) -> Path:
    columns = {
        "Время": stamps("%d.%m.%Y %H:%M"),
        "Нагрузка": clean()["load"],
        "Воздух": clean()["ambient"],
        "Масло": clean()["top_oil"],
    }
    path = folder / "ru.csv"
    path.write_bytes(lines(columns, ";", ",").encode("cp1251"))
    return path


def web_page(folder: Path) -> Path:
    (folder / "export.csv").write_text("<!DOCTYPE html><html><body>Session expired</body></html>")
    return folder / "export.csv"


def old_excel(folder: Path) -> Path:
    (folder / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600)
    return folder / "old.xls"


def cut(folder: Path) -> Path:
    columns = {"Time": stamps(), "Load": clean()["load"]} | temperatures()
    (folder / "cut.csv.gz").write_bytes(gzip.compress(lines(columns, ",").encode())[:-2000])
    return folder / "cut.csv.gz"


def no_common_time(folder: Path) -> list[Path]:
    later = (local() + pd.Timedelta(days=30)).dt.strftime("%Y-%m-%d %H:%M")
    load = written(folder / "june.csv", {"Time": stamps(), "Load": clean()["load"]})
    return [load, written(folder / "july.csv", {"Time": later} | temperatures())]
