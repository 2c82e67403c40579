"""The air of a profile whose file has none: a constant, a weather file, or nothing at all."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from agewise.errors import InputError
from agewise.plant.notes import note
from agewise.plant.profile import Profile
from agewise.reading.options import Reading
from agewise.reading.weather_file import AIR_RANGE, read_weather

CONSTANT = re.compile(
    r"(?P<mean>[+-]?\d+(?:\.\d+)?)(?:\s*(?:±|\+-|\+/-)\s*(?P<std>\d+(?:\.\d+)?))?\s*(?:°?C)?"
)
"""A temperature, perhaps with its standard deviation: `20`, `20±3`, `20 +- 3`."""
CONSTANT_K = 5.0
"""Standard deviation of a constant air where none is given [K]: what a substation's room goes
through in a year; outdoors it is more (assumed)."""
NO_AIR_C, NO_AIR_K = 20.0, 10.0
"""What stands in where nothing is known of the air [°C], and its standard deviation [K]: the yearly
mean that IEC 60076-2 rates for, and the seasons and climates about it."""
NONE = "none"
"""What a user says who has no air at all."""


@dataclass(frozen=True)
class GivenAir:
    """What a user says of the air."""

    mean: float = NO_AIR_C
    """Constant temperature [°C]."""
    std: float = NO_AIR_K
    """Standard deviation of the constant temperature [K]."""
    file: Path | None = None
    """A weather file instead; None for a constant."""
    known: bool = True
    """Whether anybody says what the air was."""


def given_air(ambient: str | float) -> GivenAir:
    """What `ambient` says: a number, `none`, or else the path of a weather file."""
    text = str(ambient).strip()
    if text.lower() == NONE:
        return GivenAir(known=False)
    constant = CONSTANT.fullmatch(text)
    if constant is None:
        return GivenAir(file=Path(text))
    mean = float(constant["mean"])
    if not AIR_RANGE[0] <= mean <= AIR_RANGE[1]:
        raise InputError(
            f"An ambient of {mean:g} °C is outside {AIR_RANGE[0]:g} to {AIR_RANGE[1]:g} °C.",
            hint="give it in °C, as `ambient='20'`, or with its uncertainty, as `ambient='20±3'`.",
        )
    return GivenAir(mean, float(constant["std"] or CONSTANT_K))


def weather_path(reading: Reading) -> Path | None:
    """The weather file that a reading names; None where it names none."""
    return None if reading.ambient is None else given_air(reading.ambient).file


def with_air(profile: Profile, reading: Reading) -> Profile:
    """A profile whose air was not read, with the one that the user names in `reading.ambient`."""
    given = given_air(NONE if reading.ambient is None else reading.ambient)
    if not given.known and profile.top_oil is None:
        raise InputError(
            "Without air and without top_oil the oil temperature cannot be known.",
            hint="give the top oil, or the air: `ambient='20'`, or a weather file.",
        )
    if given.file is not None:
        return _from_file(profile, given.file, reading)
    text = (
        f"The air is not known: {given.mean:g} ± {given.std:g} °C is assumed"
        if not given.known
        else f"The air is taken to be {given.mean:g} ± {given.std:g} °C throughout"
    )
    return _joined(profile, np.full(profile.load.size, given.mean), given.std, text)


def _from_file(profile: Profile, path: Path, reading: Reading) -> Profile:
    start = profile.timeline.start
    if start is None:
        raise InputError(
            f"The profile counts minutes and has no dates, so the weather in {path} cannot be "
            f"joined to it.",
            hint="give times with dates, or a constant `ambient`.",
        )
    weather = read_weather(path, reading)
    times = pd.DatetimeIndex(start + pd.to_timedelta(profile.seconds, unit="s"))
    air, std = weather.at(times), weather.std(times)
    year = "" if weather.covers(times) else ", by the days of the year, since it has other dates"
    text = f"The air is that of {path}{year}, not the unit's own: ± {std:.1f} °C"
    return _joined(profile, air, std, text)


def _joined(profile: Profile, air: np.ndarray, std: float, text: str) -> Profile:
    labels = profile.timeline.labels
    finding = note("air", "ambient", labels, done="assumed", text=f"{text}.")
    doubt = np.full(air.size, std)
    return replace(profile, ambient=air, ambient_std=doubt, findings=(*profile.findings, finding))
