"""What a fit of any equation gives back: functions and constants with both uncertainties."""

import json
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import jax
import numpy as np
from numpy.typing import ArrayLike

from agewise.arrays import write_arrays
from agewise.engine.equations.functions.unknown import Unknown, gradients_at, values_at
from agewise.engine.equations.objective.noise import Noise
from agewise.engine.equations.posterior.check import Check
from agewise.engine.equations.posterior.drawn_functions import DrawnFunctions
from agewise.engine.equations.posterior.points import Points, lift_at, points_inside
from agewise.engine.equations.posterior.weights import AbstractWeights, stored_kind
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BATCH = 2000
"""Points at a time, so that memory does not grow with a grid."""
PREDICTION_SEED = 0
"""Seed of the functions behind a prediction, which is thus the same whenever it is asked for."""
MANY = 1000
"""Draws of constants behind their summary."""


@dataclass(frozen=True, eq=False)
class EquationPosterior:
    """A distribution over the functions and constants of a problem, as `agewise.fit` gives it.

    Examples:
        >>> import agewise
        >>> rising = agewise.Problem(
        ...     equations={
        ...         "slope": lambda u, t: agewise.partial(u, 0)(t) - 1.0,
        ...         "start": lambda u, t: u(t),
        ...     },
        ...     coordinates={"t": (0.0, 2.0)},
        ...     places={"start": [{"t": 0.0}]},
        ... )
        >>> posterior = agewise.fit(rising, method="exact")
        >>> mean, draws = posterior.predict([2.0]).mean, posterior.draw(5).values([2.0])
        >>> print(f"{mean[0]:.2f}, {draws.shape}")
        2.00, (5, 1)
    """

    problem: AbstractProblem
    """Problem that was fitted."""
    method: str
    """Name of the method that fitted it."""
    settings: EquationSettings
    """How the functions are represented."""
    unknown: Unknown
    """Functions and constants for every vector of numbers."""
    weights: AbstractWeights
    """Distribution over the numbers of functions and constants."""
    noises: dict[str, Noise]
    """Law of the noise of every sensor."""
    readers: dict[str, str]
    """Name of the sensor that reads each function directly, where there is one."""
    check: Check
    """Whether the fit can be trusted, and what it leaves unexplained."""
    record: dict[str, np.ndarray]
    """How the fit was trained: losses by stage, and what chains tell of themselves."""

    def draw(self, count: int, *, seed: int = PREDICTION_SEED) -> DrawnFunctions:
        """So many functions with their constants; one seed gives the same ones."""
        rng = np.random.default_rng(seed)
        numbers = self.weights.draw(count, rng=rng)
        return DrawnFunctions(self.problem, self.unknown, self.weights, numbers)

    def __repr__(self) -> str:
        """What was fitted by which method, its constants, and whether to trust it."""
        functions = (f"{n}({', '.join(c)})" for n, c in self.problem.functions().items())
        certain = self.weights.certain  # says nothing of how sure it is
        constants = (
            f"{n} = {m:.4g}" + ("" if certain else f" ± {std:.2g}")
            for n, (m, std) in self.constants.items()
        )
        verdict = "sound" if self.check.sound else "not sound"
        first = f"{', '.join(functions)} by {self.method}, {verdict}"
        return "\n".join((first, *constants, *self.check.findings, *self.check.remarks))

    @property
    def constants(self) -> dict[str, tuple[float, float]]:
        """Mean and standard deviation of every unknown constant, in its unit; the latter zero for
        `map`, which says nothing of it."""
        drawn = self._many.constants
        # Drawn, since a constant is no linear function of its normal number.
        # Equal draws differ by nothing, of which rounding would make a tiny doubt.
        return {
            n: (float(v.mean()), float(v.std()) if np.ptp(v) else 0.0) for n, v in drawn.items()
        }

    @cached_property
    def _many(self) -> DrawnFunctions:
        return self.draw(self._enough(MANY))

    def available(self, wanted: int) -> int:
        """So many draws, or as many as there are."""
        return self.weights.available(wanted)

    def predict(self, points: ArrayLike, of: str | None = None) -> Prediction:
        """Mean, epistemic and aleatoric variance of a function at points.

        Args:
            points: Points in the problem's coordinates, one row each.
            of: Name of the function; the first of the problem unless given.

        Returns:
            The mean in the function's unit and two variances in its square: what the fit does not
            know, and the noise that a sensor there would have. Without a sensor that reads the
            function itself the second is zero.
        """
        points = points_inside(self.problem, points)
        name = self._function(of)
        # One batch at the least: without points the arrays are empty, not missing.
        starts = range(0, max(len(points), 1), BATCH)
        parts = [self._moments(points[start : start + BATCH], name) for start in starts]
        mean, epistemic = (np.concatenate(part) for part in zip(*parts, strict=True))
        sensor = self.readers.get(name)
        noise = np.zeros(len(points))
        if sensor is not None:
            # The law was learned of readings, which are less the lift.
            noise = self.noises[sensor].variance(points, mean - lift_at(self.problem, name, points))
        return Prediction(mean, epistemic, noise)

    def _moments(self, points: Points, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Mean and epistemic variance at a batch of points."""
        weights, unknown = self.weights, self.unknown
        lift = lift_at(self.problem, name, points)
        with jax.enable_x64(True):
            # In closed form where there is one: no noise of drawing in bands.
            if weights.certain or weights.linear:
                mean = np.asarray(values_at(unknown, weights.centre, name, points)) + lift
                if weights.certain:
                    return mean, np.zeros(len(points))
                gradients = np.asarray(gradients_at(unknown, weights.centre, name, points))
                return mean, weights.variance(gradients)  # type: ignore[attr-defined]
        # The same draws for all batches and calls, so that predictions fit together.
        values = self._predictive.values(points, name)
        # The draws stand for the whole posterior, so the variance divides by their number.
        return values.mean(axis=0), values.var(axis=0)

    @cached_property
    def _predictive(self) -> DrawnFunctions:
        return self.draw(self._enough(self.settings.draws))

    def _enough(self, wanted: int) -> int:
        """All the draws that there are, where they are counted; else so many."""
        return self.weights.counted or wanted

    def _function(self, of: str | None) -> str:
        name = self.unknown.named(of)
        if name not in self.unknown.functions:
            choices = ", ".join(self.unknown.functions)
            raise InputError(f"There is no function {name!r}.", hint=f"choose from {choices}.")
        return name

    def plot(self, of: str | None = None) -> "Figure":
        """A picture: mean, both bands and readings of one coordinate, or maps of two."""
        # Imported here, since not everybody draws.
        from agewise.engine.equations.posterior.picture import picture

        return picture(self, of)

    def save(self, path: str | Path) -> None:
        """Write all of it but the problem into one file, whole or not at all."""
        content = {
            "method": self.method,
            "settings": asdict(self.settings),
            "sizes": {
                n: (float(f.centre), float(f.size)) for n, f in self.unknown.functions.items()
            },
            "unknowns": problem_names(self.problem),
            "kind": stored_kind(self.weights),
            "readers": self.readers,
            "check": self.check.as_json(),
        }
        # As bytes: a file of plain arrays needs no pickle for its words.
        text = np.frombuffer(json.dumps(content).encode(), dtype=np.uint8)
        arrays = {"content": text}
        arrays |= {f"weights_{name}": array for name, array in self.weights.arrays().items()}
        for sensor, noise in self.noises.items():
            arrays |= {f"noise_{n}_{sensor}": array for n, array in noise.arrays().items()}
        arrays |= {f"gains_{name}": gains for name, gains in self.unknown.gains().items()}
        arrays |= {f"record_{name}": array for name, array in self.record.items()}
        write_arrays(Path(path), arrays)


def problem_names(problem: AbstractProblem) -> dict[str, list[str]]:
    """The names in a problem by which a stored posterior knows its own."""
    return {
        "coordinates": list(problem.coordinates()),
        "functions": list(problem.functions()),
        "constants": list(problem.constants()),
        "sensors": list(problem.observations()),
    }
