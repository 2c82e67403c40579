"""A twin's profile in the dialects of other people's files."""

import gzip
from functools import cache
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd

from agewise.plant.measures import Rated
from agewise.reading.options import Reading
from agewise.twin.twin import Twin, TwinSettings, make_twin

RATED = Rated(power_kva=1100.0, current_a=1587.7)
MADRID = Reading(timezone="Europe/Madrid")
SECONDS_1970 = pd.Timestamp(0, tz="UTC")


@cache
def twin() -> Twin:
    """Half a day, on a date that no month has as its number."""
    return make_twin(TwinSettings(seed=3, days=0.5, start="2025-06-19", interior=True))


def clean() -> pd.DataFrame:
    """Its profile."""
    return twin().frame


def local() -> pd.Series:
    return clean()["time"].dt.tz_localize(None)


def fahrenheit(celsius: pd.Series) -> pd.Series:
    return celsius * 1.8 + 32


def lines(columns: dict[str, pd.Series], delimiter: str, decimal: str = ".") -> str:
    table = pd.DataFrame(columns)
    return table.to_csv(
        sep=delimiter, decimal=decimal, index=False, float_format="%.15g", lineterminator="\r\n"
    )


def german(folder: Path) -> Path:
    columns = {
        "Zeitstempel": local().dt.strftime("%d.%m.%Y %H:%M"),
        "Auslastung (%)": clean()["load"] * 100,
        "Außentemperatur [°C]": clean()["ambient"],
        "Öltemperatur oben [°C]": clean()["top_oil"],
        "Bemerkung": "",
    }
    path = folder / "export.csv"
    path.write_bytes(lines(columns, ";", ",").encode("latin-1"))
    return path


def american(folder: Path) -> Path:
    columns = {
        "Timestamp": local().dt.strftime("%m/%d/%Y %I:%M:%S %p"),
        "Load Current (A)": clean()["load"] * 1587.7,
        "Air Temp (°F)": fahrenheit(clean()["ambient"]),
        "Top Oil Temp (°F)": fahrenheit(clean()["top_oil"]),
    }
    path = folder / "export.csv"
    path.write_text(lines(columns, ","), encoding="utf-8-sig")
    return path


def excel(folder: Path) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Substation", "North", None, None])
    sheet.append([])
    sheet.append(["Date time", "S [MVA]", "Ambient", "Top oil"])
    for row in clean().assign(time=local()).itertuples(index=False):
        load, ambient, top = (float(value) for value in row[1:4])
        sheet.append([row[0].to_pydatetime(), load * 1.1, ambient, top])
    path = folder / "export.xlsx"
    book.save(path)
    return path


def parquet(folder: Path) -> Path:
    epoch = (clean()["time"] - SECONDS_1970) // pd.Timedelta("1ms")
    columns = {"timestamp": epoch, "load": clean()["load"], "status": "ok"}
    kelvin = {name: clean()[name] + 273.15 for name in ("ambient", "top_oil")}
    path = folder / "export.parquet"
    pd.DataFrame(columns | kelvin).to_parquet(path)
    return path


def preamble(folder: Path) -> Path:
    columns = {
        "Time": local().dt.strftime("%Y/%m/%d %H:%M:%S"),
        "Load": clean()["load"] * 100,
        "T_amb": clean()["ambient"],
        "TOT": clean()["top_oil"],
    }
    header, *rows = lines(columns, "\t").splitlines()
    above = ["# Logger 7, firmware 1.2", "# interval\t60 s", "Station\tNorth", ""]
    units = "yyyy/mm/dd hh:mm:ss\t%\t°C\tdegC"
    path = folder / "export.txt"
    path.write_text("\n".join([*above, header, units, *rows, "", ""]), encoding="utf-8")
    return path


def spanish(folder: Path) -> Path:
    columns = {
        "Fecha": local().dt.strftime("%d/%m/%Y"),
        "Hora": local().dt.strftime("%H:%M:%S"),
        "Potencia aparente [MVA]": clean()["load"] * 1.1,
        "Temperatura ambiente (ºC)": clean()["ambient"],
        "Temp. aceite superior (ºC)": clean()["top_oil"],
    }
    path = folder / "datos.csv.gz"
    path.write_bytes(gzip.compress(lines(columns, ";", ",").encode("utf-8")))
    return path


def bars(folder: Path) -> Path:
    columns = {
        "horodatage": local().dt.strftime("%d-%b-%Y %H:%M"),
        "Courant (kA)": clean()["load"] * 1.5877,
        "Température de l'air": clean()["ambient"],
        "Huile supérieure": clean()["top_oil"],
    }
    path = folder / "export.csv"
    path.write_text("sep=|\r\n" + lines(columns, "|", ","), encoding="utf-16")
    return path


def serial_days(folder: Path) -> Path:
    since = (local() - pd.Timestamp("1899-12-30")) / pd.Timedelta("1D")
    columns = {
        "Data": np.floor(since).astype(int),
        "Ora": since - np.floor(since),
        "Carico [kVA]": clean()["load"] * 1100,
        "Temperatura ambiente": clean()["ambient"],
        "Olio superiore": clean()["top_oil"],
    }
    path = folder / "export.csv"
    path.write_text(lines(columns, ";"), encoding="utf-8")
    return path


def digits(folder: Path) -> Path:
    columns = {
        "time": local().dt.strftime("%Y%m%d%H%M%S"),
        "load": clean()["load"],
        "ambient": clean()["ambient"],
        "top_oil": clean()["top_oil"],
    }
    path = folder / "export.csv"
    path.write_text(lines(columns, ",").replace("\r\n", ",\r\n"), encoding="utf-16-le")
    return path


WRITERS = [
    german, american, excel, parquet, preamble, spanish, bars, serial_days, digits,
]  # fmt: skip
