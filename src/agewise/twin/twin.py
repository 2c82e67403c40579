"""The twin: measurements of a bundled case with a known truth, for any method to be scored on."""

import datetime
import json
from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import xarray as xr
from jaxtyping import Float

from agewise.errors import InputError
from agewise.plant.field import field_dataset, with_units
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile, profile_from
from agewise.plant.sensors import sensor_column
from agewise.plant.timeline import timeline
from agewise.twin.cases import bundled_case
from agewise.twin.faults import Fault, Injected, inject
from agewise.twin.noise import noise_law
from agewise.twin.truth import HEIGHTS, true_oil, true_top_oil
from agewise.twin.weather import ambient

MINUTES_PER_DAY = 1440
WARM_UP = MINUTES_PER_DAY
"""Number of minutes before the window, so that the top oil remembers a day when it begins."""
INTERIOR = (0.2, 0.4, 0.6, 0.8)
"""Heights of the sensors inside the oil, as fractions of the tank's."""
NOISE_FLOOR = 1e-3
"""Smallest noise of a sensor [K]: no sensor is perfect, and a likelihood needs a scale."""
TEMPERATURE_DECIMALS, LOAD_DECIMALS = 4, 5
"""Decimals of temperatures [°C] and loads [p.u.] in the profile: far finer than the noise."""

RANGES = {
    "days": (0.1, 366.0),
    "noise": (0.0, 100.0),
    "load_noise": (0.0, 1.0),
    "mismatch": (0.0, 2.0),
    "cooling_loss": (0.0, 0.9),
    "seed": (0, 2**31),
}
"""Lowest and highest value of each setting that is a number."""
YEARS = (1700, 2200)
"""Years in which a twin can begin: pandas counts from 1677 to 2262, and a scenario of a year
follows."""


@dataclass(frozen=True)
class TwinSettings:
    """What plant to make; the defaults are the case that methods are compared on.

    Examples:
        >>> import agewise
        >>> agewise.TwinSettings(seed=1, case="aged-substation", days=7.0).noise
        1.0
    """

    seed: int
    """Seed of the random numbers: another seed has other weather and noise."""
    case: str = "floating-pv"
    """The bundled case: `floating-pv` or `aged-substation`."""
    days: float = 4.0
    """Length of the window [days], 0.1 to 366."""
    start: str | None = None
    """Local date on which the window begins, as `2025-06-12`; the case's own unless given."""
    noise: float = 1.0
    """Factor on the standard deviation of the noise of every thermometer."""
    load_noise: float = 0.0
    """Standard deviation of the noise of the load [p.u.]."""
    noise_law: str = "temperature"
    """How the noise varies: `temperature`, `daily` or `share`."""
    mismatch: float = 0.0
    """Size of the departure from the heat equation; 1 moves the interior by 2 K rms."""
    interior: bool = False
    """Whether the profile has the four sensors inside the oil."""
    rough_ambient: bool = False
    """Whether the air also varies within minutes."""
    faults: tuple[Fault, ...] = ()
    """Faults of sensors and loggers to put into the profile."""
    cooling_loss: float = 0.0
    """Share of the cooling that is lost from the middle of the window on."""

    def __post_init__(self):
        bundled_case(self.case)
        noise_law(self.noise_law)
        for name, (low, high) in RANGES.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise InputError(
                    f"{value:g} is out of range for the twin's {name}.",
                    hint=f"choose `{name}` from {low:g} to {high:g}.",
                )
        if self.start is not None:
            _refuse_other_dates(self.start)


@dataclass(frozen=True)
class Twin:
    """Measurements of a made plant, the nameplate they belong to, and the truth behind them.

    Examples:
        >>> import agewise
        >>> twin = agewise.make_twin(agewise.TwinSettings(seed=0, days=0.5))
        >>> twin.truth["oil_true"].dims
        ('time', 'height')
    """

    settings: TwinSettings
    """What was asked for."""
    frame: pd.DataFrame
    """The table of the profile file, faults included: load [p.u.], temperatures [°C]."""
    nameplate: Nameplate
    """The nameplate of the case."""
    truth: xr.Dataset
    """Oil temperature without noise [°C] and noise [K] over time and height, and the readings of
    the sensors inside."""
    injected: tuple[Injected, ...]
    """The faults in `frame`, and where they lie."""

    @cached_property
    def profile(self) -> Profile:
        """The measurements as a profile; refused when faults make them unreadable."""
        return profile_from(self.frame, where="the twin's profile")


def _refuse_other_dates(start: str) -> None:
    try:
        year = datetime.date.fromisoformat(start).year
    except (TypeError, ValueError):
        raise InputError(
            f"The twin's start {start!r} is not a date.", hint="write it as 2025-06-12."
        ) from None
    first, last = YEARS
    if not first <= year <= last:
        raise InputError(
            f"The twin's start {start!r} is too far away to be counted in nanoseconds.",
            hint=f"choose a year from {first} to {last}.",
        )


def make_twin(settings: TwinSettings) -> Twin:
    """A twin: measurements with a known truth, the same for the same settings.

    Options leave the weather of a seed as it is, but for its case, start and length.

    Args:
        settings: The case, its length, its noise and what is wrong with it.

    Returns:
        The measurements as a table and a profile, the nameplate, and the true oil temperature [°C]
        with the standard deviation of the noise [K] over time and height.

    Examples:
        >>> import agewise
        >>> twin = agewise.make_twin(agewise.TwinSettings(seed=0, days=0.5))
        >>> len(twin.frame)
        720
    """
    case = bundled_case(settings.case)
    nameplate = case.nameplate()
    times = minutes_of(settings)
    load = case.load(case.site, times, _stream(settings, "load"))
    air = ambient(case.site, times, rng=_stream(settings, "air"), rough=settings.rough_ambient)
    # Negative during the warm-up: the window begins at 0.
    seconds = (times - times[WARM_UP]).total_seconds().to_numpy()
    top = true_top_oil(
        nameplate.thermal_constants(),
        seconds,
        load,
        air,
        cooling_loss=settings.cooling_loss,
        rng=_stream(settings, "top oil"),
    )
    seconds, load, air, top = (series[WARM_UP:] for series in (seconds, load, air, top))
    oil = true_oil(
        nameplate.oil_tank(),
        seconds,
        load,
        air,
        top,
        mismatch=settings.mismatch,
        cooling_loss=settings.cooling_loss,
    )
    std = _noise_std(settings, oil, seconds)
    readings = {
        share: oil[:, row] + std[:, row] * _stream(settings, f"noise {share}").normal(size=len(oil))
        for share, row in _sensor_rows().items()
    }
    frame = _frame(settings, times[WARM_UP:], load, readings)
    # The truth is taken from the clean frame: faults move times and drop rows.
    spoiled = inject(frame, settings.faults, rng=_stream(settings, "faults"))
    truth = _truth(settings, nameplate, frame, load, oil, std, readings)
    return Twin(settings, spoiled.frame, nameplate, truth, spoiled.injected)


def minutes_of(settings: TwinSettings) -> pd.DatetimeIndex:
    """Every minute of a twin in its local time, the day of warm-up before its window included."""
    case = bundled_case(settings.case)
    first = pd.Timestamp(settings.start or case.start, tz=case.site.timezone)
    rows = WARM_UP + round(settings.days * MINUTES_PER_DAY)
    return pd.date_range(first - pd.Timedelta(minutes=WARM_UP), periods=rows, freq="min")


def _stream(settings: TwinSettings, name: str) -> np.random.Generator:
    """Random numbers of their own for each use, so that no option shifts another's."""
    # The name is part of the seed, so a new use needs no place in an order.
    return np.random.default_rng([settings.seed, *name.encode()])


def _sensor_rows() -> dict[float, int]:
    """The height of each sensor as a fraction, and its place among the heights of the truth."""
    return {share: round(share * (HEIGHTS - 1)) for share in (0.0, *INTERIOR, 1.0)}


def _noise_std(
    settings: TwinSettings, oil: Float[np.ndarray, "time height"], seconds: np.ndarray
) -> Float[np.ndarray, "time height"]:
    law = noise_law(settings.noise_law)
    shares = np.linspace(0.0, 1.0, HEIGHTS)
    return np.maximum(settings.noise * law(oil, seconds, shares), NOISE_FLOOR)


def _frame(
    settings: TwinSettings,
    times: pd.DatetimeIndex,
    load: np.ndarray,
    readings: dict[float, np.ndarray],
) -> pd.DataFrame:
    """The profile's table: what the plant would have written."""
    # Loads are magnitudes, so noise cannot make them negative.
    error = settings.load_noise * _stream(settings, "load noise").normal(size=load.size)
    columns = {
        "time": times,
        "load": np.maximum(load + error, 0.0).round(LOAD_DECIMALS),
        "ambient": readings[0.0].round(TEMPERATURE_DECIMALS),
        "top_oil": readings[1.0].round(TEMPERATURE_DECIMALS),
    }
    if settings.interior:
        for share in INTERIOR:
            columns[sensor_column(share)] = readings[share].round(TEMPERATURE_DECIMALS)
    return pd.DataFrame(columns)


def _truth(
    settings: TwinSettings,
    nameplate: Nameplate,
    frame: pd.DataFrame,
    load: np.ndarray,
    oil: np.ndarray,
    std: np.ndarray,
    readings: dict[float, np.ndarray],
) -> xr.Dataset:
    """The truth on every minute and 51 heights, and the readings that methods may not see."""
    # The settings go along, so that a truth says how it was made.
    instants = timeline(frame["time"], where="the twin")
    height = nameplate.oil_tank().height
    grid = np.linspace(0.0, height, HEIGHTS)
    fields = field_dataset(instants, instants.seconds, grid, {"oil_true": oil, "noise_std": std})
    inside = np.stack([readings[share] for share in INTERIOR], axis=1)
    sensors = xr.Dataset(
        {"sensor": (("time", "sensor_height"), inside), "load_true": ("time", load)},
        coords={"sensor_height": ("sensor_height", height * np.array(INTERIOR), {"units": "m"})},
    )
    return fields.merge(with_units(sensors)).assign_attrs(
        fields.attrs | {"settings": json.dumps(asdict(settings))}
    )
