"""Thresholds: the number from which each rule about the quality of data speaks."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

from agewise.errors import InputError


@dataclass(frozen=True)
class Thresholds:
    """The numbers behind the rules, with their units in the names; all finite, most positive."""

    gap_steps: float = 1.5
    """Typical steps between two rows beyond which rows are missing."""
    bridged_min: float = 15.0
    """Longest hole that is filled by a straight line [min]."""
    clock_odds: float = 20.0
    """Odds of `no time passed` against `time passed` from which a gap is a jump of the clock."""
    irregular_step_share: float = 0.02
    """Share of the typical step by which a step may differ and still be regular."""
    irregular_share: float = 0.05
    """Share of the steps that may be irregular without a finding."""
    temperature_low_c: float = -60.0
    """Lowest temperature that a sensor on a transformer can show [°C]; may be negative."""
    temperature_high_c: float = 250.0
    """Highest temperature that any sensor on a transformer can show [°C]."""
    oil_high_c: float = 120.0
    """Highest temperature of oil in service [°C]: 5 K above the guide's limit of a short emergency.
    """
    winding_high_c: float = 180.0
    """Highest temperature of a winding in service [°C]: 20 K above the guide's limit of a short
    emergency."""
    ambient_high_c: float = 60.0
    """Highest temperature of the air [°C]."""
    load_high_pu: float = 5.0
    """Highest load that can be true [p.u.]."""
    load_negative_pu: float = 0.02
    """Size of negative loads [p.u.] that are an offset of the meter, and are set to 0; beyond it
    power flows back, and heats as much."""
    sentinel_k: float = 5.0
    """Distance of 0.0 and 85.0 from their neighbours [K] from which they are codes for no value."""
    sentinel_pu: float = 0.05
    """Distance of a load of 0.0 from its neighbours [p.u.] from which it is a code for no value."""
    spike_k: float = 4.0
    """Smallest distance of a spike from the samples about it [K]."""
    spike_k_per_hour: float = 10.0
    """Distance that an hour of sampling step adds, for spikes and codes [K/h]: oil moves too."""
    spike_sigmas: float = 6.0
    """Smallest distance of a spike in standard deviations of the noise."""
    load_spike_factor: float = 1.3
    """Factor above the highest load that lasts for three samples from which loads are spikes."""
    load_spike_pu: float = 0.2
    """Smallest difference of such a spike from the highest load that lasts [p.u.]."""
    leap_k: float = 12.0
    """Smallest step of oil or air that neither can make from one reading to the next [K]."""
    leap_k_per_hour: float = 40.0
    """What an hour between two readings adds to that step [K/h]: twice what oil does at a step of
    the load from nothing to the rated one."""
    ragged_k: float = 2.5
    """Median distance of the oil's readings from the mean of their two neighbours [K] from which on
    they are not of one oil."""
    frozen_hours: float = 12.0
    """Shortest time for which a thermometer of oil holds one value while load or air move, that is
    taken out whatever its share [h]."""
    stuck_min: float = 45.0
    """Shortest stretch of one value that counts as stuck [min]."""
    stuck_factor: float = 3.0
    """Factor by which a stretch of one value must exceed the column's other such stretches."""
    interpolated_min: float = 45.0
    """Shortest straight stretch that counts as interpolated [min]."""
    interpolated_factor: float = 3.0
    """Factor by which a straight stretch must exceed the column's other such stretches."""
    swapped_k: float = 3.0
    """Smallest jump of both thermometers where exchanged columns begin or end [K]."""
    bias_k: float = 0.7
    """Smallest estimated step of a thermometer [K]: a step of 1 K is estimated with an error."""
    bias_sigmas: float = 5.0
    """Smallest step in standard deviations of the column's other steps."""
    bias_hours: float = 3.0
    """Time over which a thermometer runs smoothly [h]; half and twice as long are tried too."""
    heatless_k: float = 3.5
    """Smallest mean by which the oil is cooler than its load would make it [K]."""
    heatless_sigmas: float = 4.5
    """Smallest such mean in standard deviations of the model's other errors."""
    heatless_hours: float = 4.0
    """Time over which the mean of missing heat is taken [h]."""
    physics_days: float = 2.0
    """Fewest days with a top oil from which a model of it is fitted."""
    nearby_days: float = 21.0
    """Days before and after a hole whose load makes its typical day."""
    weekend_days: float = 21.0
    """Fewest days of record for which weekends are distinguished from working days."""

    def __post_init__(self):
        # Only a lowest temperature can sensibly be zero or less.
        for name in self.names():
            value = getattr(self, name)
            if not math.isfinite(value) or (name != "temperature_low_c" and value <= 0):
                raise _refusal(f"The threshold {name} cannot be {value:g}.")
        if not self.temperature_low_c < self.temperature_high_c:
            raise _refusal("The threshold temperature_low_c is not below temperature_high_c.")

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Names of all thresholds."""
        return tuple(field.name for field in fields(cls))

    @classmethod
    def of(cls, given: Mapping[str, float]) -> "Thresholds":
        """The defaults with those of `given` in their place; unknown names are refused."""
        for name in given:
            if name not in cls.names():
                raise _refusal(f"There is no threshold {name!r}.")
        return cls(**{name: float(value) for name, value in given.items()})


def _refusal(sentence: str) -> InputError:
    return InputError(
        sentence, hint=f"numbers above 0; thresholds: {', '.join(Thresholds.names())}."
    )


DEFAULT_THRESHOLDS = Thresholds()
