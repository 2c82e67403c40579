"""What an ageing law is: a rate over temperature, what is not known of it, and where it stands."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.transformer.prognostics.unknowns import Unknown

NORMAL_LIFE = 262_980.0
"""Hours that paper is taken to last at its reference temperature: 30 years of 8766 h.

A choice of ours: for dry upgraded paper the guide names 65 000 h (half of the tensile strength is
left) to 180 000 h (functional life of distribution transformers), and leaves it to the owner."""

Parameters = Mapping[str, float | Float[np.ndarray, "..."]]
"""Values of a law's unknowns by name, as numbers or as arrays that broadcast with a temperature."""


@dataclass(frozen=True)
class AbstractAgeingLaw(ABC):
    """How fast insulation paper ages at a temperature.

    A new law is one file with a frozen dataclass of this kind and one line in `registry`. It says
    its facts as fields, its formula as `_rate`, and what is not known for sure as `unknowns`.
    Everything else (nameplate, life, field, report) asks the law.
    """

    name: str
    """Name by which a nameplate asks for it, `insulation.paper`."""
    source: str
    """Standard and clause, or publication, from which the formula is taken."""
    reference_hot_spot: float
    """Temperature of the hot spot at which an hour uses an hour of life [°C]."""
    normal_life: float
    """Life at that temperature where a nameplate does not give `insulation.life_hours` [h]."""

    @abstractmethod
    def unknowns(self) -> tuple[Unknown, ...]:
        """Numbers of the formula that are drawn for a life, with their default spreads."""

    @abstractmethod
    def _rate(
        self, hot_spot: Float[np.ndarray, "..."], parameters: Parameters
    ) -> Float[np.ndarray, "..."]:
        """The formula itself, with a value of every unknown."""

    def rate(
        self, hot_spot: Float[np.ndarray, "..."], parameters: Parameters | None = None
    ) -> Float[np.ndarray, "..."]:
        """Relative ageing rate V: hours of life that one hour uses.

        Args:
            hot_spot: Temperature of the paper [°C], of any shape.
            parameters: Values of the law's unknowns by name, which broadcast with `hot_spot`; an
                unknown that is left out is at its mean.

        Returns:
            The rate at every temperature, 1 at `reference_hot_spot`.
        """
        means: dict[str, float | Float[np.ndarray, ...]]
        means = {unknown.name: unknown.mean for unknown in self.unknowns()}
        given = parameters or {}
        # A misspelt name would silently leave the unknown at its mean.
        if strange := set(given) - set(means):
            raise ValueError(f"{self.name} paper has no {sorted(strange)}, only {list(means)}.")
        return self._rate(hot_spot, means | dict(given))
