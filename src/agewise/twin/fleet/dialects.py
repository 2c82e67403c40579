"""How loggers write what their sensors show: tables in many tongues."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from agewise.plant.nameplate import Nameplate
from agewise.plant.tables import iso_text

Column = Callable[[pd.DataFrame, Nameplate], pd.Series]
"""The cells of one column of a file, from the readings and the nameplate."""


def _stamps(form: str) -> Column:
    """Times in UTC, which the header says, as a logger writes them that knows no zones."""

    def stamps(frame: pd.DataFrame, unit: Nameplate) -> pd.Series:
        return pd.DatetimeIndex(frame["time"]).tz_convert("UTC").strftime(form).to_series()

    return stamps


def _zoned(frame: pd.DataFrame, unit: Nameplate) -> pd.Series:
    return iso_text(pd.DatetimeIndex(frame["time"]))


def _cells(name: str, decimals: int = 2, factor: float = 1.0) -> Column:
    """Readings of a column times a factor; an empty cell where there is none."""

    def cells(frame: pd.DataFrame, unit: Nameplate) -> pd.Series:
        shown = (frame[name] * factor).map(f"{{:.{decimals}f}}".format)
        return shown.where(frame[name].notna(), "")

    return cells


def _power(frame: pd.DataFrame, unit: Nameplate) -> pd.Series:
    return _cells("load", 2, unit.rated_power_kva.mean)(frame, unit)


def _current(frame: pd.DataFrame, unit: Nameplate) -> pd.Series:
    voltage = unit.rated_voltage_v
    assert voltage is not None  # every unit of the fleet has one
    # Current of a line of three phases.
    amperes = 1000 * unit.rated_power_kva.mean / (3**0.5 * voltage.mean)
    return _cells("load", 2, amperes)(frame, unit)


@dataclass(frozen=True)
class Dialect:
    """A way to write a table."""

    columns: dict[str, Column]
    """Cells by the header of their column."""
    delimiter: str = ","
    """What stands between two cells."""
    decimal: str = "."
    """What stands before the decimals."""
    encoding: str = "utf-8"
    """Encoding of the file, by its name in Python."""

    def text(self, frame: pd.DataFrame, unit: Nameplate) -> bytes:
        """The file that shows these readings."""
        columns = [
            cells(frame, unit).astype(str).str.replace(".", self.decimal, regex=False).tolist()
            if number
            else cells(frame, unit).astype(str).tolist()  # times keep their points
            for number, cells in enumerate(self.columns.values())
        ]
        lines = [list(self.columns), *zip(*columns, strict=True)]
        text = "".join(self.delimiter.join(line) + "\n" for line in lines)
        return text.encode(self.encoding)


PLAIN = Dialect(
    {
        "time": _zoned,
        "load": _cells("load", 4),
        "ambient": _cells("ambient"),
        "top_oil": _cells("top_oil"),
    }
)
"""Our own format."""
DIALECTS: dict[str, Dialect] = {
    "plain": PLAIN,
    "german": Dialect(
        {
            "Zeitstempel (UTC)": _stamps("%d.%m.%Y %H:%M"),
            "Scheinleistung [kVA]": _power,
            "Umgebungstemperatur [°C]": _cells("ambient"),
            "Öltemperatur oben [°C]": _cells("top_oil"),
        },
        ";",
        ",",
        "cp1252",
    ),
    "spanish": Dialect(
        {
            "Fecha hora (UTC)": _stamps("%d/%m/%Y %H:%M:%S"),
            "Corriente (A)": _current,
            "Ambiente (°C)": _cells("ambient", 1),
            "Aceite superior (°C)": _cells("top_oil", 1),
        },
        ";",
        ",",
        "utf-8-sig",
    ),
    "percent": Dialect(
        {
            "Timestamp (UTC)": _stamps("%Y-%m-%d %H:%M:%S"),
            "Load (%)": _cells("load", 1, 100.0),
            "Ambient (°C)": _cells("ambient", 1),
            "Top oil (°C)": _cells("top_oil", 1),
        },
        "\t",
        encoding="utf-16",
    ),
    "coarse": Dialect(
        {
            "time": _zoned,
            "load": _cells("load", 2),
            "ambient": _cells("ambient", 0),
            "top_oil": _cells("top_oil", 0),
        }
    ),
}
"""Ways to write a file, by name."""
