"""Paper that is not thermally upgraded, by IEC 60076-7."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.transformer.ageing.law import NORMAL_LIFE, AbstractAgeingLaw, Parameters
from agewise.transformer.prognostics.unknowns import SMALLEST_SHARE, Unknown

DOUBLING = "doubling_k"
"""Name of the unknown that says how steep a law is."""
DOUBLING_K = 6.0
"""Kelvin that double the ageing rate of normal paper (IEC 60076-7:2018, 6.3)."""
DOUBLING_STD_K = 0.3
"""Standard deviation of those 6 K [K], a choice of ours."""


@dataclass(frozen=True)
class NormalPaper(AbstractAgeingLaw):
    r"""Montsinger's rule, $V = 2^{(\Theta_h - 98)/6}$."""

    name: str = "normal"
    source: str = "IEC 60076-7:2018, 6.3"
    reference_hot_spot: float = 98.0
    normal_life: float = NORMAL_LIFE

    def unknowns(self) -> tuple[Unknown, ...]:
        """The kelvin that double the rate."""
        return (doubling(),)

    def _rate(
        self, hot_spot: Float[np.ndarray, "..."], parameters: Parameters
    ) -> Float[np.ndarray, "..."]:
        return np.exp2((hot_spot - self.reference_hot_spot) / parameters[DOUBLING])


def doubling() -> Unknown:
    """The kelvin that double the ageing rate, as it is drawn."""
    least = SMALLEST_SHARE * DOUBLING_K
    return Unknown(DOUBLING, "ageing law", DOUBLING_K, DOUBLING_STD_K, least)
