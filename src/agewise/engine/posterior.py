"""What every method offers: `fit` makes a posterior, `draw` makes functions."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jaxtyping import Bool, Float

from agewise.engine.problems.base import AbstractProblem, Observations
from agewise.engine.training import QUIET, Monitor
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.errors import InputError
from agewise.types import Key

Points = Float[np.ndarray, "point 2"]
"""Points (x, t) of the unit square."""

BATCH = 20_000
"""Points at a time, so that memory does not grow with a grid."""


class AbstractFields(ABC):
    """Drawn functions, each with the noise that a sensor would show."""

    @abstractmethod
    def means(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The drawn functions at points: smooth in both coordinates."""

    @abstractmethod
    def variances(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The variance of a reading there."""


class AbstractPosterior(ABC):
    """Something that functions are drawn from. Values include the problem's lift."""

    @property
    def certain(self) -> bool:
        """Whether it is a single function, which then has no epistemic variance."""
        return False

    @property
    def as_made(self) -> "AbstractPosterior":
        """The posterior as its method made it, without what was put around it since."""
        return self

    @abstractmethod
    def draw(self, count: int, *, key: Key) -> AbstractFields:
        """So many functions, independent of each other; one key gives the same ones."""

    @abstractmethod
    def moments(self, points: Points) -> Prediction:
        """Mean and variances at a batch of points."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """All that is needed to make this posterior again, beside its problem."""

    def predict(self, points: Points) -> Prediction:
        """Mean, epistemic and aleatoric variance at any number of points."""
        # Without any point there is still one batch, an empty one, and arrays to join.
        starts = range(0, max(len(points), 1), BATCH)
        parts = [self.moments(points[start : start + BATCH]) for start in starts]
        return Prediction(
            *(
                np.concatenate([getattr(part, name) for part in parts])
                for name in ("mean", "epistemic", "aleatoric")
            )
        )


@dataclass(frozen=True, eq=False)
class AbstractAround(AbstractPosterior):
    """A posterior around another one, which it corrects or widens; the other alone is stored."""

    within: AbstractPosterior
    """The posterior that is corrected or widened."""

    @property
    def as_made(self) -> AbstractPosterior:
        """The innermost posterior, however many are around it."""
        return self.within.as_made

    def arrays(self) -> dict[str, np.ndarray]:
        """Those of the posterior within: the rest follows from the problem and the nameplate."""
        return self.within.arrays()


class AbstractInference(ABC):
    """A method with its settings: what makes a posterior of a problem."""

    @property
    def lifted(self) -> bool:
        """Whether the problem should take its known part, the lift, out of the unknown function."""
        return True

    @property
    def slow(self) -> bool:
        """Whether the method's functions cannot follow fast changes, so that the problem should
        take those out too."""
        return False

    @abstractmethod
    def fit(
        self, problem: AbstractProblem, *, key: Key, monitor: Monitor = QUIET
    ) -> AbstractPosterior:
        """The posterior of a problem; whoever waits for a long fit gives a monitor."""

    @abstractmethod
    def restored(
        self, problem: AbstractProblem, arrays: Mapping[str, np.ndarray]
    ) -> AbstractPosterior:
        """The posterior whose `arrays` these are."""


@dataclass(frozen=True)
class Measured:
    """All observations of a problem, pooled, in double precision."""

    points: Points
    """Where each reading was taken, (x, t) in the unit square."""
    values: Float[np.ndarray, " row"]
    """Readings less the lift, scaled to order one."""
    known: Float[np.ndarray, " row"]
    """Variance of the noise where it is known beforehand, scaled; NaN where it is to be learned."""

    @property
    def learned(self) -> Bool[np.ndarray, " row"]:
        """Whether the noise of each row is to be learned."""
        # NaN marks what nobody stated; a number that is stated is used as it is.
        return np.isnan(self.known)

    def noise_errors(
        self, value: Float[np.ndarray, " row"], squares: Float[np.ndarray, " row"]
    ) -> tuple[Points, Float[np.ndarray, " point"], Float[np.ndarray, " point"]]:
        """Points, values and expected squared errors that a law of the noise is fitted to.

        Args:
            value: The function at every row, lift included.
            squares: Expected squared errors of the rows, in scaled units squared.
        """
        # Where all noise is known, the law is fitted to that, for points at which nothing was read.
        rows = self.learned if self.learned.any() else ~self.learned
        return self.points[rows], value[rows], np.where(self.learned, squares, self.known)[rows]

    def variance(self, learned: Float[np.ndarray, " row"]) -> Float[np.ndarray, " row"]:
        """The variance of every row: as it is known, else as it was learned."""
        return np.where(self.learned, learned, self.known)

    def rows(self, which: Any) -> "Measured":
        """The rows that an index picks."""
        return Measured(self.points[which], self.values[which], self.known[which])

    @property
    def has_inside(self) -> bool:
        """Whether any sensor lies between the ends."""
        # Exact comparison: 0 and 1 are the same in every precision.
        return not bool(np.isin(self.points[:, 0], (0.0, 1.0)).all())

    @classmethod
    def of(cls, problem: AbstractProblem) -> "Measured":
        """The sensors of a problem in their order."""
        sensors = list(problem.observations().values())
        if not sensors:
            raise InputError(
                f"{type(problem).__name__} has no observations, and this method learns from them.",
                hint="give it measurements, or choose a method that needs the equation alone.",
            )
        return cls(
            np.concatenate([np.asarray(sensor.points, dtype=float) for sensor in sensors]),
            np.concatenate([np.asarray(sensor.values, dtype=float) for sensor in sensors]),
            np.concatenate([_known(sensor) for sensor in sensors]),
        )


def _known(sensor: Observations) -> Float[np.ndarray, " row"]:
    if sensor.std is None:
        return np.full(len(sensor.values), np.nan)
    return np.asarray(sensor.std, dtype=float) ** 2


def generator(key: Key) -> np.random.Generator:
    """NumPy's random numbers from a JAX key."""
    # All words of the key seed the generator, so that keys split from one another differ here too.
    return np.random.default_rng(np.asarray(jax.random.key_data(key)))
