"""Lives of the insulation in draws."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.assessment.life.conditioning import Believed
from agewise.assessment.life.doubts import BIAS, LIFE
from agewise.assessment.life.exposure import Batches, Exposure
from agewise.assessment.life.hours_above import counted
from agewise.transformer.prognostics.life import Days
from agewise.transformer.prognostics.unknowns import Draws
from agewise.transformer.prognostics.whole_days import whole_days


@dataclass(frozen=True)
class Lives:
    """Lives of the insulation, one for each draw."""

    hot_spot: Float[np.ndarray, " draw"]
    """Highest hot-spot temperature of the window [°C]."""
    loss: Float[np.ndarray, " draw"]
    """Life used in the window [h]."""
    used_before: Float[np.ndarray, " draw"]
    """Life used before the window [h]."""
    left: Float[np.ndarray, " draw"]
    """Life left at the end of the window [h]; negative where more was used than there is."""
    days: Days
    """Days that stand for those to come, with the life that each uses."""
    yearly_past: Float[np.ndarray, " draw"]
    """Life that a year like those of the record uses [h], whatever a scenario says of others."""

    @property
    def share_used(self) -> Float[np.ndarray, " draw"]:
        """Share of the life that is used at the end of the window."""
        used = self.used_before + self.loss
        # What is used and what is left make up the life.
        return used / (used + self.left)

    def believed(self, after: Believed) -> "Lives":
        """The same lives, of those draws that are believed."""
        before, loss = after.used_before, after.of(self.loss)
        left = after.draws[LIFE] - before - loss
        days = self.days.taken(after.rows)
        yearly = after.of(self.yearly_past)
        return Lives(after.of(self.hot_spot), loss, before, left, days, yearly)


@dataclass(frozen=True, eq=False)
class Stretch:
    """A stretch of time in every draw."""

    hottest: Float[np.ndarray, " draw"]
    """Highest hot-spot temperature [°C]."""
    loss: Float[np.ndarray, " draw"]
    """Life used in all of it [h]."""
    daily: Float[np.ndarray, "draw day"]
    """Life used in each of its whole days [h]."""
    hours_above: Float[np.ndarray, "limit draw"]
    """Time with the hot spot above each limit that was asked for [h]."""


def stretch_of(
    exposure: Exposure, hot_spots: Batches, draws: Draws, limits: Sequence[float] = ()
) -> Stretch:
    """What the paper passes through; the life used is kept at the ends of days alone.

    Args:
        exposure: Winding and oil of the stretch.
        hot_spots: Its hot spots [°C], batch by batch.
        draws: Draws of all unknowns, by name.
        limits: Temperatures [°C] above which time is counted.
    """
    hours = np.empty((len(limits), len(draws[BIAS])))
    days = whole_days(exposure.seconds)
    # The last sample too, for the loss of the whole stretch.
    samples = np.append(days.samples.ravel(), exposure.seconds.size - 1)
    # In the same pass: a scenario of a year in every draw takes a second to work out again.
    counting = counted(exposure.seconds, hot_spots, limits, hours)
    passed = exposure.passed(counting, draws, samples)
    # Day by day in memory, as `daily_loss` has them: sums over days then agree to the last digit.
    before, after = np.split(np.asfortranarray(passed.used[:, :-1]), 2, axis=1)
    return Stretch(passed.hottest, passed.used[:, -1], days.loss(before, after), hours)
