"""Numbers in words: enough digits to decide by, no more, and always a unit."""

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from agewise.plant.profile import Profile
from agewise.units import DAYS_PER_YEAR

MISSING = "–"
"""Stands where there is no number."""
FEW_HOURS = 2.0
"""Amount of life below which minutes are easier to read than hours [h]."""
FEW_YEARS = 0.2
"""Remaining life below which days are easier to read than years [years]."""


def number(value: float, digits: int = 3) -> str:
    """A number to so many significant digits, thousands apart, never in powers of ten."""
    # Neither has a logarithm to count digits from.
    if value == 0 or not np.isfinite(value):
        return f"{value:g}"
    places = digits - 1 - int(np.floor(np.log10(abs(value))))
    return _fixed(value, places)


def integer(count: int) -> str:
    """A count of things, thousands apart."""
    return _fixed(count, 0)


def temperature(mean: float, std: float | None = None) -> str:
    """A temperature in °C, with its standard deviation."""
    if std is None:
        return f"{mean:.1f} °C"
    return f"{mean:.1f} ± {number(std, 2)} °C"


def life_scale(hours: float) -> tuple[float, str]:
    """The factor from hours, and the unit, in which an amount of life is easy to read."""
    return (60.0, "min") if 0 < abs(hours) < FEW_HOURS else (1.0, "h")


def life(hours: float | None, std: float | None = None, *, beside: float | None = None) -> str:
    """An amount of life, with its standard deviation: its last digit is where that begins.

    Args:
        hours: The amount [h].
        std: Its standard deviation [h].
        beside: The largest amount of the same row [h], whose unit it has.
    """
    if hours is None:
        return MISSING
    scale, unit = life_scale(hours if beside is None else beside)
    if not std:
        return f"{number(scale * hours)} {unit}"
    # Two digits of the standard deviation, and the mean to the same decimal place.
    places = 1 - int(np.floor(np.log10(scale * std)))
    return f"{_fixed(scale * hours, places)} ± {_fixed(scale * std, places)} {unit}"


def life_nearly(hours: float, std: float, *, beside: float) -> str:
    """An amount of life whose standard deviation is far smaller than what else is not known.

    Three digits, as other amounts have them: more would pass for knowledge.
    """
    if std == 0:
        return life(hours, beside=beside)
    scale, unit = life_scale(beside)
    return f"{number(scale * hours)} ± {number(scale * std, 1)} {unit}"


def life_interval(hours: Sequence[float]) -> str:
    """An interval of amounts of life."""
    low, high = hours
    # One unit for both ends, by the larger.
    scale, unit = life_scale(high)
    return f"{number(scale * low)} to {number(scale * high)} {unit}"


def years(value: float | None, horizon: float) -> str:
    """A remaining life; None and what lies beyond the horizon read "more than ..."."""
    if is_beyond(value, horizon):
        return f"more than {horizon:g} years"
    assert value is not None  # or it would lie beyond: for the type checker
    if value < FEW_YEARS:
        return f"{value * DAYS_PER_YEAR:.0f} days"
    return f"{value:.1f} years"


def years_interval(values: Sequence[float | None], horizon: float) -> str:
    """An interval of remaining lives."""
    low, high = values
    if is_beyond(low, horizon):
        return years(low, horizon)
    start = years(low, horizon)
    # "3.1 to 8.2 years", but "50 days to 8.2 years": a unit is named once where both share it.
    if start.endswith("years") and not is_beyond(high, horizon):
        start = start.removesuffix(" years")
    return f"{start} to {years(high, horizon)}"


def is_beyond(value: float | None, horizon: float) -> bool:
    """Whether a remaining life is not reached within the horizon."""
    return value is None or not np.isfinite(value) or value > horizon


def percent(share: float, count: int = 1000) -> str:
    """A probability that `count` trials estimate: they cannot tell it from 0 or 1 any closer."""
    # One trial more or less is the finest step that so many trials resolve [%].
    closest, digits = 100 / count, 2 if share >= 0.01 else 1
    if 100 * share < closest:
        return f"below {number(closest, 1)} %"
    if 100 * (1 - share) < closest:
        return f"above {100 - closest:.6g} %"
    # From 9.95 % on, two digits leave no decimal.
    return f"{100 * share:.0f} %" if share >= 0.0995 else f"{number(100 * share, digits)} %"


def moment(time: str | float) -> str:
    """An instant: a local date and time of day, or minutes from the start."""
    # A profile that counts minutes has its times as numbers; a summary may hold them as text.
    # Minutes before the start of something have a sign.
    if not isinstance(time, str) or re.fullmatch(r"[+-]?\d+(\.\d*)?(e[+-]?\d+)?", time):
        return f"minute {float(time):g}"
    instant = pd.Timestamp(time)
    return f"{instant.day} {instant:%B %Y, %H:%M}"


def label(text: str) -> str:
    """A time as a file writes it; ISO 8601 without its `T`, its zone and empty seconds."""
    iso = re.match(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?", text)
    if iso is None:
        return text
    seconds = iso[3] if iso[3] not in (None, ":00") else ""
    return f"{iso[1]} {iso[2]}{seconds}"


def date(text: str) -> str:
    """A date, spelt out."""
    day = pd.Timestamp(text)
    return f"{day.day} {day:%B %Y}"


def _fixed(value: float, places: int) -> str:
    # `round` takes negative places too (1234 to two digits is 1200), the format does not.
    text = f"{round(value, places):,.{max(places, 0)}f}"
    return text.replace(",", "\N{NO-BREAK SPACE}").replace("-", "\N{MINUS SIGN}")


def air_name(profile: Profile) -> str:
    """What the air is called in a figure: measured at the unit, or taken from elsewhere."""
    return "ambient, measured" if profile.ambient_std is None else "ambient, from elsewhere"
