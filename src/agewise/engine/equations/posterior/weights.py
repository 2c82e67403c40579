"""Distributions over the numbers of a fit: what methods leave and functions are drawn from."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.linalg import solve_triangular

from agewise.errors import InputError

Drawn = Float[np.ndarray, "draw number"]
"""One row of numbers for each drawn function."""


class AbstractWeights(ABC):
    """A distribution over the numbers that stand for functions and constants."""

    centre: Float[np.ndarray, " number"]
    """The expected numbers."""

    @property
    def linear(self) -> bool:
        """Whether functions are taken as linear in the numbers, about those of the centre."""
        return False

    @property
    def certain(self) -> bool:
        """Whether it is one vector of numbers, so that nothing is epistemic."""
        return False

    @property
    def counted(self) -> int | None:
        """How many draws there are; None where there are as many as one likes."""
        return None

    def available(self, wanted: int) -> int:
        """So many draws, or as many as there are."""
        return wanted if self.counted is None else min(wanted, self.counted)

    @abstractmethod
    def draw(self, count: int, *, rng: np.random.Generator) -> Drawn:
        """So many vectors of numbers."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """All that is needed to make it again."""


@dataclass(frozen=True, eq=False)
class CertainWeights(AbstractWeights):
    """One vector of numbers."""

    centre: Float[np.ndarray, " number"]
    """The one vector of numbers."""

    @property
    def certain(self) -> bool:
        """There is no other function that it could be."""
        return True

    def draw(self, count: int, *, rng: np.random.Generator) -> Drawn:
        """The same numbers every time."""
        return np.repeat(self.centre[None], count, axis=0)

    def arrays(self) -> dict[str, np.ndarray]:
        """The numbers."""
        return {"centre": self.centre}


@dataclass(frozen=True, eq=False)
class GaussianWeights(AbstractWeights):
    """A Gaussian with all dependencies, about functions that are linear in the numbers."""

    centre: Float[np.ndarray, " number"]
    """The most probable numbers."""
    factor: Float[np.ndarray, "number number"]
    """Lower Cholesky factor of their precision."""

    @property
    def linear(self) -> bool:
        """Functions are linear about the most probable ones."""
        return True

    def draw(self, count: int, *, rng: np.random.Generator) -> Drawn:
        """Departures that the precision allows, added to the centre."""
        white = rng.standard_normal((len(self.centre), count))
        # L⁻ᵀ z has the covariance (L Lᵀ)⁻¹.
        return self.centre + solve_triangular(self.factor, white, lower=True, trans="T").T

    def variance(self, gradients: Float[np.ndarray, "point number"]) -> np.ndarray:
        """The variance of what depends on the numbers with these gradients."""
        # A sum of squares, which rounding cannot make negative.
        return np.sum(self.halves(gradients) ** 2, axis=0)

    @property
    def variances(self) -> Float[np.ndarray, " number"]:
        """The variance of every number; beforehand it is 1."""
        inverse = solve_triangular(self.factor, np.eye(len(self.centre)), lower=True)
        # Column i of L⁻¹ squared: entry i of the diagonal of L⁻ᵀ L⁻¹.
        return np.sum(inverse**2, axis=0)

    def covariance(self, gradients: Float[np.ndarray, "point number"]) -> np.ndarray:
        """The covariance of what depends on the numbers with these gradients."""
        half = self.halves(gradients)
        return half.T @ half

    def halves(
        self, gradients: Float[np.ndarray, "point number"]
    ) -> Float[np.ndarray, "number point"]:
        """Columns whose products are the covariance of what has these gradients."""
        # gᵀ (L Lᵀ)⁻¹ g = |L⁻¹ g|².
        return solve_triangular(self.factor, gradients.T, lower=True)

    def arrays(self) -> dict[str, np.ndarray]:
        """Numbers and factor."""
        return {"centre": self.centre, "factor": self.factor}


@dataclass(frozen=True, eq=False)
class IndependentWeights(AbstractWeights):
    """Every number of a function independent of the others; constants keep their dependencies."""

    centre: Float[np.ndarray, " number"]
    """Means of the numbers."""
    std: Float[np.ndarray, " number"]
    """Standard deviation of every number of a function; zeros in the places of constants."""
    constants: Float[np.ndarray, "constant constant"]
    """Lower Cholesky factor of the covariance of the constants' numbers, which stand last."""

    @property
    def linear(self) -> bool:
        """Functions are linear about the means."""
        return True

    def draw(self, count: int, *, rng: np.random.Generator) -> Drawn:
        """Independent departures, and joint ones of the constants."""
        departures = self.std * rng.standard_normal((count, len(self.centre)))
        places = len(self.constants)
        if places:
            joint = rng.standard_normal((count, places)) @ self.constants.T
            # Constants are few, and often depend on each other strongly: these are drawn jointly.
            departures[:, -places:] = joint
        return self.centre + departures

    def variance(self, gradients: Float[np.ndarray, "point number"]) -> np.ndarray:
        """The variance of what depends on the numbers with these gradients."""
        return gradients**2 @ self.std**2

    def arrays(self) -> dict[str, np.ndarray]:
        """Means, standard deviations and the constants' factor."""
        return {"centre": self.centre, "std": self.std, "constants": self.constants}


@dataclass(frozen=True, eq=False)
class DrawnWeights(AbstractWeights):
    """Vectors of numbers that somebody drew: members of an ensemble, states of chains."""

    centre: Float[np.ndarray, " number"]
    """Vector of numbers that a warm start begins with."""
    members: Drawn
    """All vectors that were drawn, one a row."""

    @property
    def counted(self) -> int:
        """Members, each of which is a draw."""
        return len(self.members)

    def draw(self, count: int, *, rng: np.random.Generator) -> Drawn:
        """Different members in random order; never one of them twice."""
        if count > len(self.members):
            raise InputError(
                f"{count} functions were asked for and there are {len(self.members)}.",
                hint="ask for fewer, or fit again with more members or longer chains.",
            )
        # Without replacement: one member twice would seem to be two that agree.
        return self.members[rng.permutation(len(self.members))[:count]]

    def arrays(self) -> dict[str, np.ndarray]:
        """All members."""
        return {"centre": self.centre, "members": self.members}


@dataclass(frozen=True, eq=False)
class IndexedWeights(AbstractWeights):
    """Numbers that follow a few standard normal ones, the index: one index is one function."""

    centre: Float[np.ndarray, " number"]
    """Numbers where the index is zero."""
    mixing: Float[np.ndarray, "number index"]
    """How every number follows the index; nothing in the rows of those that stay."""

    def draw(self, count: int, *, rng: np.random.Generator) -> Drawn:
        """Indices from the standard normal distribution, and the numbers that follow them."""
        return self.centre + rng.standard_normal((count, self.mixing.shape[1])) @ self.mixing.T

    def arrays(self) -> dict[str, np.ndarray]:
        """Centre and mixing."""
        return {"centre": self.centre, "mixing": self.mixing}


KINDS: dict[str, type] = {
    "certain": CertainWeights,
    "gaussian": GaussianWeights,
    "independent": IndependentWeights,
    "drawn": DrawnWeights,
    "indexed": IndexedWeights,
}
"""Every distribution by the name under which it is stored."""


def stored_kind(weights: AbstractWeights) -> str:
    """The name under which a distribution is stored."""
    return next(name for name, kind in KINDS.items() if isinstance(weights, kind))


def restored_weights(kind: str, arrays: Mapping[str, np.ndarray]) -> AbstractWeights:
    """The distribution whose `arrays` these are."""
    return KINDS[kind](**arrays)
