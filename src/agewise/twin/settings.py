"""Settings of a twin: which plant, how long, how noisy, and what is wrong with it."""

import datetime
from dataclasses import dataclass

import numpy as np
import pandas as pd

from agewise.errors import InputError
from agewise.twin.cases import bundled_case
from agewise.twin.faults import Fault
from agewise.twin.noise import noise_law
from agewise.twin.true_plant.nameplates import printed_nameplate

MINUTES_PER_DAY = 1440
WARM_UP = MINUTES_PER_DAY
"""Number of minutes before the window, so that the top oil remembers a day when it begins."""

RANGES = {
    "days": (0.1, 366.0),
    "noise": (0.0, 100.0),
    "load_noise": (0.0, 1.0),
    "mismatch": (0.0, 2.0),
    "cooling_loss": (0.0, 0.9),
    "nameplate_error": (0.0, 2.0),
    "bottom_offset": (0.0, 0.9),
    "conductivity_factor": (0.01, 100.0),
    "stratification": (0.0, 1.0),
    "air_bias": (0.0, 20.0),
    "sunlit_air": (0.0, 30.0),
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
    """Local date on which the window begins, as `2025-06-12`; unless given the case's own, or the
    day after the first midnight of `air_file`."""
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
    nameplate_error: float = 0.0
    """Size of the drawn errors of the printed nameplate; 1 is a rated rise of the oil that is up to
    25 % off, a time constant up to 30 %, an exponent up to 0.15 and a gradient of 5 % std."""
    leave_out: tuple[str, ...] = ()
    """Fields that the written nameplate does not have, as `oil.top_oil_rise_k`."""
    bottom_offset: float = 0.0
    """Rise of the bottom oil over the air, as a share of the top oil's; 0 is the paper's choice, a
    bottom that has the temperature of the air."""
    bottom_oil: bool = False
    """Whether the profile has the temperature of the bottom oil."""
    conductivity_factor: float = 1.0
    """Factor on the true conductivity of the oil along its height; the nameplate does not know."""
    stratification: float = 0.0
    """Share of oil in layers in the true profile over the height; 1 leaves nothing of the heat
    equation."""
    air_bias: float = 0.0
    """Standard deviation of a constant error of the air's thermometer, drawn by the seed [K]."""
    sunlit_air: float = 0.0
    """What the air's thermometer shows too much in full sun [K]."""
    air_file: str | None = None
    """File with a time and an air temperature [°C], and perhaps an irradiance [W/m2], which a solar
    load follows; made weather unless given."""
    winding: bool = False
    """Whether the profile has the reading of a winding temperature indicator."""

    def __post_init__(self):
        # Both for their refusals of unknown names.
        bundled_case(self.case)
        noise_law(self.noise_law)
        for name, (low, high) in RANGES.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise InputError(
                    f"{value:g} is out of range for the twin's {name}.",
                    hint=f"choose `{name}` from {low:g} to {high:g}.",
                )
        if self.air_file is not None and self.rough_ambient:
            raise InputError(
                "The air of a file is as rough as it is.",
                hint="leave out `rough_ambient`, or `air_file`.",
            )
        if self.leave_out:  # for its refusal of fields that are none
            printed_nameplate(bundled_case(self.case).nameplate(), leave_out=self.leave_out)
        if self.start is not None:
            _refuse_other_dates(self.start)

    def stream(self, name: str) -> np.random.Generator:
        """Random numbers of their own for each use, so that no option shifts another's."""
        # The name is part of the seed, so a new use needs no place in an order.
        return np.random.default_rng([self.seed, *name.encode()])

    def minutes_from(self, start: str) -> pd.DatetimeIndex:
        """Every minute of a twin whose window begins on a local date, the warm-up included."""
        first = pd.Timestamp(start, tz=bundled_case(self.case).site.timezone)
        rows = WARM_UP + round(self.days * MINUTES_PER_DAY)
        return pd.date_range(first - pd.Timedelta(minutes=WARM_UP), periods=rows, freq="min")


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
