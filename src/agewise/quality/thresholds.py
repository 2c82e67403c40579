"""Where each rule about the quality of data draws its line."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

from agewise.errors import InputError


@dataclass(frozen=True)
class Thresholds:
    """One number or two a rule, with the unit in the name; all are above zero but where said."""

    gap_steps: float = 1.5
    """Typical steps between two rows beyond which rows are missing."""
    bridged_min: float = 15.0
    """Longest hole that is filled by a straight line."""
    clock_odds: float = 20.0
    """How much better `no time passed` must explain a gap than `time passed` to be a jump."""
    irregular_step_share: float = 0.02
    """of the typical step by which a step may differ and still be regular."""
    irregular_share: float = 0.05
    """of the steps that may be irregular before it is told."""
    temperature_low_c: float = -60.0
    """Coldest that a sensor on a transformer can show; may be below zero."""
    temperature_high_c: float = 250.0
    ambient_high_c: float = 60.0
    """Hottest air."""
    load_high_pu: float = 5.0
    load_negative_pu: float = 0.02
    """Negative loads down to this are an offset of the meter, and set to 0."""
    sentinel_k: float = 5.0
    """How far 0.0 and 85.0 must lie from their neighbours to be a code."""
    sentinel_pu: float = 0.05
    """The same for a load of 0.0."""
    spike_k: float = 4.0
    """Smallest distance of a spike from the samples about it."""
    spike_k_per_hour: float = 10.0
    """How much farther, for spikes and codes, an hour of sampling step: oil may do that itself."""
    spike_sigmas: float = 6.0
    """The same in standard deviations of the noise."""
    load_spike_factor: float = 1.3
    """How far above the highest load that lasts for three samples others must be to be told."""
    load_spike_pu: float = 0.2
    """The same as a difference."""
    stuck_min: float = 45.0
    """Shortest stretch of one value."""
    stuck_factor: float = 3.0
    """How much longer than the column's other such stretches."""
    interpolated_min: float = 45.0
    """Shortest straight stretch."""
    interpolated_factor: float = 3.0
    """How much straighter for longer than the column's other such stretches."""
    swapped_k: float = 3.0
    """Smallest jump of both thermometers at an edge."""
    bias_k: float = 0.7
    """Smallest estimated step of a thermometer: one of 1 K is estimated with an error."""
    bias_sigmas: float = 5.0
    """The same in standard deviations of the column's other steps."""
    bias_hours: float = 3.0
    """Hours over which a thermometer runs smoothly; half and twice as many are tried too."""
    heatless_k: float = 3.5
    """Smallest mean of the heat that does not come."""
    heatless_sigmas: float = 4.5
    """The same in standard deviations of the model's other errors."""
    heatless_hours: float = 4.0
    """Hours over which that mean is taken."""
    physics_days: float = 2.0
    """Least days with a top oil from which a model of it is fitted."""
    nearby_days: float = 21.0
    """Days before and after a hole whose load makes its typical day."""
    weekend_days: float = 21.0
    """Least days of record for weekends to be told from working days."""

    def __post_init__(self):
        for name in self.names():
            value = getattr(self, name)
            if not math.isfinite(value) or (name != "temperature_low_c" and value <= 0):
                raise _refusal(f"The threshold {name} cannot be {value:g}.")
        if not self.temperature_low_c < self.temperature_high_c:
            raise _refusal("The threshold temperature_low_c is not below temperature_high_c.")

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """All thresholds."""
        return tuple(field.name for field in fields(cls))

    @classmethod
    def of(cls, given: Mapping[str, float]) -> "Thresholds":
        """The defaults with some of them changed by name."""
        for name in given:
            if name not in cls.names():
                raise _refusal(f"There is no threshold {name!r}.")
        return cls(**{name: float(value) for name, value in given.items()})


def _refusal(sentence: str) -> InputError:
    return InputError(
        sentence, hint=f"numbers above 0; thresholds: {', '.join(Thresholds.names())}."
    )


DEFAULT_THRESHOLDS = Thresholds()
