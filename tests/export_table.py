"""What becomes of every export: read, asked about, or refused.

The zone and the rating of the unit are known to the reader, as one option and a nameplate give
them; whatever else it needs to know, it has to ask for.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import dialects
import exports
from dialects import MADRID, RATED
from exports import AMPERE, KVA

from agewise.plant.measures import Rated
from agewise.reading.options import Reading

KNOWN = Rated.of_unit(1100.0, voltage_v=400.0)
"""The unit's rating by its power and voltage: 1587.7 A."""


@dataclass(frozen=True)
class Export:
    """One export, and what becomes of it."""

    text: str
    """What it is, for the table on the page."""
    write: Callable[[Path], Path | list[Path]]
    """Writes it into a folder; gives what the user would name."""
    asks: str = ""
    """What is asked for, where the file alone does not tell; empty where it is read at once."""
    refused: str = ""
    """Why it is refused; empty where it is read, at once or with the answer."""
    sentence: str = ""
    """Pattern of the sentence that asks or refuses."""
    hint: str = ""
    """Pattern of its hint."""
    answer: Reading = MADRID
    """What the user says: the answer, where something is asked."""
    first: Reading = MADRID
    """What the user says before anything is asked."""
    step: int = 1
    """Minutes between the readings of the coarsest column."""
    earlier: int = 0
    """Days by which its dates are before those of `dialects.clean`."""
    note: str = ""
    """Pattern of a finding that must be there."""
    rated: Rated = field(default=KNOWN)
    """What the nameplate says of the rating."""


def said(**more) -> Reading:
    """The zone, and what else is said."""
    return replace(MADRID, **more)


CURRENT = replace(RATED, current_a=None)
"""A nameplate without a voltage or a current."""

EXPORTS = {
    "german": Export("German SCADA: semicolons, decimal commas, Latin-1, percent", dialects.german),
    "american": Export(
        "American: byte-order mark, 12-hour clock, A, °F", dialects.american, rated=RATED
    ),
    "titles": Export("Excel: title rows above the header, MVA", dialects.excel),
    "parquet": Export("Parquet: milliseconds since 1970, kelvin without a unit", dialects.parquet),
    "preamble": Export(
        "Logger: remarks, a row of units, tabs, two empty lines at the end", dialects.preamble
    ),
    "spanish": Export(
        "Spanish, gzipped: date and time of day in two columns, MVA", dialects.spanish
    ),
    "bars": Export(
        "French: UTF-16, cells between bars, kA, names of months", dialects.bars, rated=RATED
    ),
    "serial days": Export("Italian: days of Excel as numbers, kVA", dialects.serial_days),
    "digits": Export(
        "UTF-16 without a mark, `20250619083000`, a comma at each end", dialects.digits
    ),
    "24:00": Export(
        "German logger: 24:00, kA and °C in a row of units, Windows' Latin", exports.german_minutes
    ),
    "thousands": Export(
        "`1.044,123` kVA, a sign between thousands and a decimal comma", exports.thousands
    ),
    "quoted": Export("Every cell in quotes, decimal commas between commas", exports.quoted),
    "clock change": Export(
        "Local times of the night in which the clock is set back",
        exports.clock_change,
        earlier=-129,
    ),
    "newest first": Export("Newest row first", exports.newest_first),
    "totals": Export(
        "Rows `Total` and `Average` at the end", exports.totals, note="2 times cannot be read"
    ),
    "utc": Export("`Time (UTC)`, `Amps`, K in brackets, tabs", exports.utc_header),
    "pi": Export(
        "PI: byte-order mark, `Bad`, `No Data`, `[-11059] No Good Data`",
        exports.pi_words,
        note="1 cell",
    ),
    "phases": Export(
        "Three phase currents and voltages, A", exports.phase_currents, note="highest of 'IL1 .A.'"
    ),
    "powers": Export("MW and Mvar", exports.powers, note="apparent power of 'P .MW.' and"),
    "long": Export("Long table: tag, time, value, unit; plain names", exports.long_plain),
    "folder": Export(
        "Folder of exports that overlap, in no order, and a PDF",
        exports.overlapping,
        note="3 files|are joined",
    ),
    "contradicting": Export(
        "Two files that contradict each other in three cells",
        exports.contradicting,
        note="3 cells that contradict",
    ),
    "side by side": Export(
        "Load every 5 minutes, temperatures every minute in another file",
        exports.side_by_side,
        step=5,
    ),
    "coarse": Export(
        "Load every minute, temperatures every 5 in another file",
        exports.coarse_temperatures,
        step=5,
    ),
    "merged": Export("Excel: merged header in two rows, °F in the upper one", exports.two_rows),
    "three rows": Export("Excel: names, `avg` and units in three rows", exports.three_rows),
    "status twice": Export("Two columns `Status` that nobody needs", exports.idle_repeats),
    "no zone": Export(
        "Local times without a zone",
        exports.no_zone,
        "the zone",
        sentence="has no time zone",
        hint="timezone=",
        first=Reading(),
    ),
    "IST": Export(
        "Times that end in `IST`",
        exports.named_zone,
        "the zone",
        sentence="ends in IST",
        hint="Asia/Kolkata.*timezone=",
        first=Reading(),
    ),
    "day or month": Export(
        "`06/05/2025`, which may be June or May",
        exports.small_numbers,
        "the format",
        sentence="two ways",
        hint="time_format=",
        answer=said(time_format="%m/%d/%Y %H:%M"),
        earlier=14,
    ),
    "percent": Export(
        "`Load` without a unit, about 50",
        exports.percent_or_ampere,
        "the unit",
        sentence="percent or ampere",
        hint='"load": "%"',
        answer=said(units={"load": "%"}),
    ),
    "bare phases": Export(
        "`I_R`, `I_S`, `I_T` without a unit",
        exports.bare_phases,
        "the unit",
        sentence="looks like ampere",
        hint='"load": "A"',
        answer=said(units={"load": "A"}),
    ),
    "no rating": Export(
        "Amperes, and a nameplate without current and voltage",
        exports.phase_currents,
        "the voltage or current",
        sentence="rated load in A is not known",
        hint="rated_voltage_v",
        answer=said(rated_load=AMPERE),
        rated=CURRENT,
    ),
    "power": Export(
        "`Power` without a unit",
        exports.bare_power,
        "the unit",
        sentence="looks like a power",
        hint='"load": "MVA"',
        answer=said(units={"load": "kVA"}),
    ),
    "bare powers": Export(
        "`Active Power` and `Reactive Power` without a unit",
        exports.bare_powers,
        "the unit",
        sentence="unit of power",
        hint='"load": "MW"',
        answer=said(units={"load": "kW"}),
    ),
    "megawatts": Export(
        "MW alone",
        exports.megawatts,
        "Mvar, or the MW of full load",
        sentence="in MW, which does not give the current",
        hint="rated_load",
        answer=said(rated_load=KVA / 1000 * 0.95),
        note="power factor",
    ),
    "windings": Export(
        "Currents of three windings",
        exports.windings,
        "names and ratings",
        sentence="currents of 3 windings",
        hint="I_HV.I_MV.I_LV",
        answer=said(
            columns={"load": "I_HV+I_MV+I_LV"}, units={"load": "A"}, rated_load=(28.9, 251.0, 900.0)
        ),
    ),
    "tags": Export(
        "Long table of a historian: tags that say nothing",
        exports.long_tags,
        "the tags",
        sentence="lacks the columns 'load' and 'ambient'",
        hint="SS1.TR2.TT01",
        answer=said(
            columns={"load": "SS1.TR2.I_LV", "ambient": "SS1.TR2.TT01", "top_oil": "SS1.TR2.TT07"},
            units={"load": "A"},
        ),
    ),
    "repeated": Export(
        "Two columns `Temp`",
        exports.repeated,
        "which is which",
        sentence="lacks the column 'ambient'",
        hint="Temp, Temp #2",
        answer=said(columns={"ambient": "Temp", "top_oil": "Temp #2"}),
    ),
    "two units": Export(
        "Two units in one file, `T1 load`, `T2 load`",
        exports.two_units,
        "which columns",
        sentence="lacks the columns 'load' and 'ambient'",
        hint="T1 load.*top_oil, where it is measured",
        answer=said(columns={"load": "T1 load [A]", "ambient": "Weather", "top_oil": "T1 oil"}),
    ),
    "cyrillic": Export(
        "Cyrillic names, Windows' encoding",
        exports.cyrillic,
        "the names",
        sentence="lacks the columns 'time', 'load' and 'ambient'",
        hint="Нагрузка",
        answer=said(
            columns={"time": "Время", "load": "Нагрузка", "ambient": "Воздух", "top_oil": "Масло"}
        ),
    ),
    "no common time": Export(
        "Load of June, temperatures of July",
        exports.no_common_time,
        refused="no time in common",
        sentence="no time in common",
        hint="one zone",
    ),
    "web page": Export(
        "A log-in page that was saved as .csv",
        exports.web_page,
        refused="a web page",
        sentence="is a web page",
        hint="login",
    ),
    "old excel": Export(
        "Excel of before 2007",
        exports.old_excel,
        refused="save it as .xlsx",
        sentence="Excel file of before 2007",
        hint="xlsx",
    ),
    "cut": Export(
        "A gzip file that was cut",
        exports.cut,
        refused="cut or damaged",
        sentence="cannot be unpacked",
        hint="copy it again",
    ),
}
"""Every export by a short name, in the order of the page: read, asked, refused."""


def outcome(export: Export) -> str:
    """What becomes of an export, in the words of the page."""
    if export.refused:
        return f"refused: {export.refused}"
    return f"asked for {export.asks}" if export.asks else "read"


def page() -> str:
    """The rows of the table in `docs/exports.md`."""
    rows = [f"| {each.text} | {outcome(each)} |" for each in EXPORTS.values()]
    return "\n".join(["| export | becomes |", "|---|---|", *rows])
