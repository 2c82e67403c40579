"""Bands that hold what is read as often as they say, whatever fitted the function: split conformal.

Readings that the fit has not seen tell how far a fit is off in units of its own doubt; a quantile
of that widens or narrows the bands. They are bands of readings and hold no functions: what needs
whole functions, such as a loss of life, needs draws of the posterior itself.
"""

from dataclasses import dataclass
from math import ceil
from typing import Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike
from scipy.spatial import cKDTree

from agewise.engine.equations.objective.outright import function_read
from agewise.engine.equations.posterior.points import around
from agewise.engine.equations.statement import refuse_wrong_readings
from agewise.engine.problems.base import AbstractProblem, Observations
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.errors import InputError

NEIGHBOURS = 19
"""Unseen readings nearest to a point by which a local band is scaled, unless its level needs more:
as few as one of 95 % can do with, since fewer follow the noise closer."""
DIGITS = 9
"""Decimal digits [1] to which a rank is taken: 100 times a level of 0.55 is 55.00000000000001."""


@runtime_checkable
class Predictor(Protocol):
    """Whatever predicts a mean and two variances at points."""

    @property
    def problem(self) -> AbstractProblem:
        """Problem that was fitted."""
        ...

    def predict(self, points: ArrayLike, of: str | None = None) -> Prediction:
        """Mean and both variances at points."""
        ...


@dataclass(frozen=True, eq=False)
class Conformal:
    """A fitted posterior, and how far unseen readings were from it."""

    posterior: Predictor
    """The fit whose bands are scaled."""
    of: str | None
    """Name of the function that was read; None for the first."""
    shares: Float[np.ndarray, "reading axis"]
    """Where the unseen readings were taken, as shares of the box [1]."""
    scores: Float[np.ndarray, " reading"]
    """Distance of each from the mean, in standard deviations of a reading there [1]."""
    local: bool
    """Whether a band goes by the readings nearest to it, and not by all alike."""

    def interval(
        self, points: ArrayLike, level: float
    ) -> tuple[Float[np.ndarray, " point"], Float[np.ndarray, " point"]]:
        """Lower and upper end of the band that holds a reading with a chance of `level`.

        Args:
            points: Points in the problem's coordinates.
            level: Chance that a reading lies inside [1], such as 0.95.
        """
        prediction = self.posterior.predict(points, self.of)
        reach = self._quantiles(points, level) * np.sqrt(prediction.total)
        return prediction.mean - reach, prediction.mean + reach

    def _quantiles(self, points: ArrayLike, level: float) -> Float[np.ndarray, " point"]:
        problem = self.posterior.problem
        rows = _shares(problem, points)
        if not self.local:
            return np.full(len(rows), conformal_quantile(self.scores, level))
        # Of fewer unseen readings the nearest are all of them.
        count = min(max(NEIGHBOURS, fewest_scores(level)), len(self.scores))
        # A ring is one share around; zero says that a coordinate has ends.
        tree = cKDTree(self.shares, boxsize=around(problem).astype(float))
        _, nearest = tree.query(rows, k=count)
        # With k = 1 SciPy leaves the axis out.
        near = self.scores[np.asarray(nearest).reshape(len(rows), count)]
        return np.array([conformal_quantile(scores, level) for scores in near])


def conformal(
    posterior: Predictor, unseen: Observations, *, of: str | None = None, local: bool = False
) -> Conformal:
    """Bands by readings that the fit has not seen.

    Args:
        posterior: What was fitted, by any method.
        unseen: Readings of the function that were kept from the fit.
        of: Name of the function; unless given, the one that is read, else the first.
        local: Whether bands go by the nearest readings, for noise that differs from place to place.

    Returns:
        Bands for any level and points, as `interval(points, level)`.

    Examples:
        A straight line that was read 40 times with an unknown noise; 20 readings are kept back.

        >>> import numpy as np
        >>> import agewise
        >>> times = np.linspace(0.0, 1.0, 40)[:, None]
        >>> values = times[:, 0] + np.random.default_rng(0).normal(0, 0.1, 40)
        >>> line = agewise.Problem(
        ...     equations={"straight": lambda u, t: agewise.second_partial(u, 0)(t)},
        ...     coordinates={"t": (0.0, 1.0)},
        ...     readings={"gauge": agewise.Observations(times[::2], values[::2])},
        ... )
        >>> posterior = agewise.fit(line, method="exact")
        >>> bands = agewise.conformal(posterior, agewise.Observations(times[1::2], values[1::2]))
        >>> low, high = bands.interval([[0.5]], level=0.9)
        >>> bool(low[0] < 0.5 < high[0])
        True
    """
    problem = posterior.problem
    refuse_wrong_readings(problem, "unseen", unseen)
    of = _function_read(problem, unseen, of)
    points, values = np.asarray(unseen.points, float), np.asarray(unseen.values, float)
    prediction = posterior.predict(points, of)
    if not np.all(prediction.total > 0):
        raise InputError(
            "The posterior states no doubt at all, so nothing can be scaled.",
            hint="fit with a method that has bands, or let the noise of the sensor be learned.",
        )
    # In units of the stated doubt, so that bands stay wider where the fit is unsure.
    scores = np.abs(values - prediction.mean) / np.sqrt(prediction.total)
    return Conformal(posterior, of, _shares(problem, points), scores, local)


def conformal_quantile(scores: Float[np.ndarray, " reading"], level: float) -> float:
    """The score that a new reading stays below with a chance of `level`, at least.

    It is the $\\lceil (n + 1) p \\rceil$-th smallest of $n$; infinite where there is none.
    """
    _refuse_no_level(level)
    # n + 1, since the new reading is one more of the same kind.
    rank = ceil(round((len(scores) + 1) * level, DIGITS))
    return float(np.sort(scores)[rank - 1]) if rank <= len(scores) else np.inf


def fewest_scores(level: float) -> int:
    """How many scores it takes for one that a new reading stays below with a chance of `level`."""
    _refuse_no_level(level)
    # The least n with (n + 1) p ≤ n.
    return ceil(round(level / (1 - level), DIGITS))


def _refuse_no_level(level: float) -> None:
    if not 0 < level < 1:
        raise InputError(
            f"The level of a band is {level:g}.", hint="give a share between 0 and 1, such as 0.95."
        )


def _function_read(problem: AbstractProblem, unseen: Observations, of: str | None) -> str | None:
    """Name of the function that unseen readings are of; None for the first."""
    if unseen.quantity is None:
        return of
    read = function_read(unseen.quantity, problem)
    if read is None or of not in (None, read):
        raise InputError(
            f"The unseen readings are not of {of or 'a function'!r} itself, and bands are.",
            hint="give readings of the function, and its name as `of`.",
        )
    return read


def _shares(problem: AbstractProblem, points: ArrayLike) -> Float[np.ndarray, "point axis"]:
    low, high = np.array(list(problem.coordinates().values()), dtype=float).T
    rows = np.asarray(points, dtype=float).reshape(-1, len(low))
    # As shares of the box, or distances would depend on the units of the coordinates.
    shares = (rows - low) / (high - low)
    # The end of a ring is its beginning.
    return np.where(around(problem), shares % 1.0, shares)
