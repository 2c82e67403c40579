"""What people write of a nameplate: amounts with units, voltages of two sides, years, latitudes."""

import re
from collections.abc import Callable, Mapping
from typing import Any

NUMBER = r"\d+(?:[.,]\d+)?(?:e\d+)?"
"""A positive number, with a decimal point or comma."""
AMOUNT = re.compile(rf"(?P<number>{NUMBER})\s*(?P<unit>[a-z°]*)", re.IGNORECASE)
"""A number, perhaps with its unit."""
VOLTAGE = re.compile(
    rf"(?P<one>{NUMBER})\s*(?:k?V)?(?:\s*/\s*(?P<other>{NUMBER}))?\s*(?P<unit>k?V)", re.IGNORECASE
)
"""A voltage with its unit, or those of two sides, as `20/0.4 kV`."""
LATITUDE = re.compile(
    r"(?P<sign>[+-]?)(?P<number>\d+(?:[.,]\d+)?)\s*°?\s*(?P<side>[NS]?)", re.IGNORECASE
)
"""Degrees, with a sign or the hemisphere: `39.2`, `39.2 N`, `33,9° S`."""
YEAR = re.compile(r"(?:year\s*:?\s*)?(?P<year>\d{4})", re.IGNORECASE)
"""A year alone, perhaps with the word before it, as plates have it."""
POWER = {"kVA": 1.0, "MVA": 1000.0, "VA": 0.001}
LOSSES = {"W": 1.0, "kW": 1000.0}
CURRENT = {"A": 1.0, "kA": 1000.0}
KELVIN = {"K": 1.0, "°C": 1.0}
"""Units that an answer may have, as factors on the field's own; no unit is the field's."""


class Voltages(tuple[float, ...]):
    """Voltages [V] that were given in place of a current: of one side, or of two."""


def amount(units: Mapping[str, float]) -> Callable[[str], float]:
    """A reader of positive numbers with one of these units."""
    factors = {unit.lower(): factor for unit, factor in units.items()} | {"": 1.0}

    def read(text: str) -> float:
        match = AMOUNT.fullmatch(text.strip())
        if match is None or match["unit"].lower() not in factors:
            raise ValueError(
                f"a number is needed, as 12.5, perhaps with a unit ({', '.join(units)})"
            )
        return _number(match["number"]) * factors[match["unit"].lower()]

    return read


def current(text: str) -> float | Voltages:
    """A current [A], or the voltages that stand on the plate in its place."""
    match = VOLTAGE.fullmatch(text.strip())
    if match is None:
        try:
            return amount(CURRENT)(text)
        except ValueError as error:
            raise ValueError(f"{error}, or a voltage, as 20 kV or 20/0.4 kV") from None
    factor = 1000.0 if match["unit"].lower() == "kv" else 1.0
    return Voltages(_number(each) * factor for each in (match["one"], match["other"]) if each)


def latitude(text: str) -> float:
    """Degrees north; south is negative."""
    match = LATITUDE.fullmatch(text.strip())
    if match is None or (match["sign"] and match["side"]):
        raise ValueError("a number is needed, as 40.4 or 33.9 S, negative in the south")
    south = match["sign"] == "-" or match["side"].upper() == "S"
    return -_number(match["number"]) if south else _number(match["number"])


def date(text: str) -> Any:
    """A day; a year alone is its first of July."""
    import datetime

    year = YEAR.fullmatch(text.strip())
    try:
        return datetime.date.fromisoformat(f"{year['year']}-07-01" if year else text.strip())
    except ValueError:
        raise ValueError("a date is needed, as 1998-05-01, or a year") from None


def volts_text(volts: float) -> str:
    """A voltage as plates have it: `20 kV`, `400 V`."""
    return f"{volts / 1000:g} kV" if volts >= 1000 else f"{volts:g} V"


def _number(text: str) -> float:
    return float(text.replace(",", "."))
