"""Thermally upgraded paper, by IEC 60076-7; IEEE C57.91 has the same law (`ieee`)."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.transformer.ageing.law import NORMAL_LIFE, AbstractAgeingLaw, Parameters
from agewise.transformer.ageing.normal import DOUBLING, DOUBLING_K, doubling
from agewise.transformer.prognostics.unknowns import Unknown

KELVIN = 273.0
"""What the guide adds to °C for an absolute temperature [K], rounded as it is printed there."""
ACTIVATION_K = 15_000.0
"""Activation energy of upgraded paper over the gas constant [K] (IEC 60076-7:2018, 6.3)."""


@dataclass(frozen=True)
class UpgradedPaper(AbstractAgeingLaw):
    r"""Arrhenius's law, $V = \exp(15000/383 - 15000/(\Theta_h + 273))$ about 110 °C.

    How steep it is, is not known better than for normal paper. The same unknown says so for both:
    with a `doubling_k` of 5 instead of 6 K, the activation energy is 6/5 of the printed one.
    """

    name: str = "upgraded"
    source: str = "IEC 60076-7:2018, 6.3"
    reference_hot_spot: float = 110.0
    normal_life: float = NORMAL_LIFE

    def unknowns(self) -> tuple[Unknown, ...]:
        """The kelvin that double the rate of normal paper, as a measure of steepness."""
        return (doubling(),)

    def _rate(
        self, hot_spot: Float[np.ndarray, "..."], parameters: Parameters
    ) -> Float[np.ndarray, "..."]:
        # The printed energy holds at 6 K; a steeper law of either paper has a larger one.
        activation = ACTIVATION_K * DOUBLING_K / parameters[DOUBLING]
        reference, kelvin = self.reference_hot_spot + KELVIN, np.asarray(hot_spot) + KELVIN
        return np.exp(activation / reference - activation / kelvin)
