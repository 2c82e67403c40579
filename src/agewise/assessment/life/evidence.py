"""What samples of paper and oil say of every draw: how likely it makes what was measured."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.plant.nameplate import Nameplate
from agewise.plant.sections import Sample
from agewise.plant.timeline import Timeline
from agewise.transformer.ageing.kinetics import MOISTURE, OXYGEN
from agewise.transformer.prognostics.paper_samples import (
    degree_log_likelihood,
    furan_log_likelihood,
    moisture_log_likelihood,
    oxygen_log_likelihood,
)
from agewise.transformer.prognostics.survival import Pairs
from agewise.transformer.prognostics.unknowns import Draws
from agewise.units import DAYS_PER_YEAR

SAMPLE_SHARES = {
    "degree_of_polymerisation": 0.10,
    "furans_mg_per_kg": 0.20,
    "moisture_percent": 0.20,
    "oxygen_ppm": 0.20,
}
"""Standard deviation of a sample without one, as a share of it; choices of ours."""
UPGRADED = ("upgraded", "ieee-65")
"""Ageing laws of thermally upgraded paper, which sheds fewer furans."""


@dataclass(frozen=True, eq=False)
class Samples:
    """The samples of a unit, beside draws of what they tell of."""

    nameplate: Nameplate
    """The unit with its samples."""
    timeline: Timeline
    """Instants of the profile, against whose end the dates of samples are counted."""
    draws: Draws
    """Draws of all unknowns before the samples are considered."""
    loss: Float[np.ndarray, " draw"]
    """Life used in the window [h]."""
    yearly: Float[np.ndarray, " draw"]
    """Life that a year uses [h], for samples of another date."""

    def log_likelihood(self, pairs: Pairs) -> Float[np.ndarray, "draw each"]:
        """Logarithm of the likelihood of all samples, for every life and past of every draw."""
        total = np.zeros(pairs.life.shape)
        for name, sample in self.nameplate.evidence.samples().items():
            total += self._by_name()[name](sample, pairs, std_of(name, sample))
        return total

    def _by_name(self) -> dict[str, Callable[[Sample, Pairs, float], np.ndarray]]:
        upgraded = self.nameplate.insulation.paper in UPGRADED
        return {
            "degree_of_polymerisation": lambda sample, pairs, std: degree_log_likelihood(
                self._share(pairs, sample.date), sample.mean, std
            ),
            "furans_mg_per_kg": lambda sample, pairs, std: furan_log_likelihood(
                self._share(pairs, sample.date), sample.mean, std, upgraded=upgraded
            ),
            # Water and oxygen are numbers of the law: the same for all pairs of a draw.
            "moisture_percent": lambda sample, pairs, std: moisture_log_likelihood(
                self.draws[MOISTURE][:, None], sample.mean, std
            ),
            "oxygen_ppm": lambda sample, pairs, std: oxygen_log_likelihood(
                self.draws[OXYGEN][:, None], sample.mean, std
            ),
        }

    def _share(self, pairs: Pairs, date: datetime.date | None) -> Float[np.ndarray, "draw each"]:
        """Share of the life that was used on the day of a sample, never less than none."""
        # Less than today for a sample of before the window's end, more for one of after it.
        used = pairs.used + (self.loss + self._since_end(date) * self.yearly)[:, None]
        return np.maximum(used / pairs.life, 0.0)

    def _since_end(self, date: datetime.date | None) -> float:
        """Years from the end of the window to a day, mostly negative; 0 where a date is missing."""
        start = self.timeline.start
        if date is None or start is None:
            return 0.0
        end = start + pd.Timedelta(seconds=float(self.timeline.seconds[-1]))
        return (date - end.date()).days / DAYS_PER_YEAR


def std_of(name: str, sample: Sample) -> float:
    """Standard deviation of a sample, in its own unit."""
    return SAMPLE_SHARES[name] * sample.mean if sample.std is None else sample.std
