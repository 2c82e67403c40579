"""What a problem of the library offers beyond its equation: its truth, and what others got."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from agewise.engine.problems import AbstractProblem, Observations, Unknowns
from agewise.types import ScalarField


class About(NamedTuple):
    """A problem in words, for whoever looks for one."""

    summary: str
    """One sentence: what is solved, and from what."""
    equation: str
    """The equation in plain letters, with its constants."""
    unknown: str
    """All that is sought: functions with their coordinates, then constants, as `u(x, t), k`."""
    noisy: str
    """What is read with noise; `nothing` where the equation alone must tell."""
    source: str
    """Where the problem and its constants come from."""


class Published(NamedTuple):
    """One figure that others reported for a problem."""

    quantity: str
    """What was reported, such as `relative L2 of u`, with the noise where that matters."""
    method: str
    """Method by which the figure was found."""
    value: float
    """The figure, in the unit of the quantity."""
    std: float | None
    """Standard deviation that was stated with it, in the same unit; None where none was."""
    source: str
    """Who reported the figure, and when."""


class AbstractKnownProblem(AbstractProblem):
    """A problem whose solution is known, in closed form or from a solver.

    `made` gives one with its readings: noise hangs on the seed, and on nothing else.
    """

    ABOUT: ClassVar[About]
    PUBLISHED: ClassVar[tuple[Published, ...]] = ()

    @classmethod
    def made(cls, seed: int = 0):
        """The problem with its readings; one without noise is the same for every seed."""
        return cls()

    def reference(
        self, points: Float[np.ndarray, "point dim"]
    ) -> dict[str, Float[np.ndarray, " point"]]:
        """The true value of every unknown function at points, by its name."""
        exact = self.solution()
        if exact is None:
            raise NotImplementedError(f"{type(self).__name__} must give its own reference.")
        # One closed form alone is that of the one function; several come as `Unknowns`.
        return {name: values_at(_function(exact, name), points) for name in self.functions()}

    def true_constants(self) -> dict[str, float]:
        """The true value of every unknown constant, by its name."""
        exact = self.solution()
        return {name: float(getattr(exact, name)) for name in self.constants()}

    def true_noise(
        self, sensor: str, points: Float[np.ndarray, "point dim"]
    ) -> Float[np.ndarray, " point"] | None:
        """The standard deviation of a sensor's noise at points; None where there is no noise."""
        return None

    def solutions(self) -> Mapping[str, ScalarField]:
        """All solutions of one statement by their names, where several are known; empty else."""
        return {}


class AbstractMeasuredProblem(AbstractKnownProblem):
    """A known problem with readings, whose noise is the same everywhere."""

    sensors: Mapping[str, Observations]
    """Readings by the name of their sensor."""
    noise: float
    """Standard deviation of the noise, in the unit of the readings."""

    @classmethod
    @abstractmethod
    def made(cls, seed: int = 0, noise: float = 0.01) -> "AbstractMeasuredProblem":
        """The problem with readings of this noise."""

    def observations(self):
        """The readings."""
        return self.sensors

    def true_noise(self, sensor, points):
        """The same everywhere."""
        return np.full(len(points), float(self.noise))


def values_at(
    function: ScalarField, points: Float[np.ndarray, "point dim"]
) -> Float[np.ndarray, " point"]:
    """A function at every point, in double precision."""
    with jax.enable_x64(True):
        # Not compiled as a whole: what is new for every seed would be compiled for every seed.
        return np.asarray(jax.vmap(function)(jnp.asarray(points, dtype=float)))


def _function(exact: ScalarField | Unknowns, name: str) -> ScalarField:
    return getattr(exact, name) if isinstance(exact, Unknowns) else exact
