"""An assessment: the posterior of a profile's oil, in the units of the plant."""

from dataclasses import dataclass, field

import jax
import numpy as np
from jaxtyping import Float, Int

from agewise.assessment.oil.settings import Settings
from agewise.assessment.oil.spans import Span
from agewise.engine.posterior import AbstractFields, AbstractPosterior
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.transformer.oil.heat import TransformerHeat
from agewise.types import Key

Series = Float[np.ndarray, " point"]
"""A number for each of several points."""
KEPT_WINDOWS = 5
"""Windows whose drawn functions stay in memory: two meet at a joint, and a month, which a fleet has
of each unit, has four. A hundred functions of one take 40 MB."""


@dataclass(frozen=True, eq=False)
class Window:
    """A span of the profile with the posterior of its oil."""

    span: Span
    """Rows of the profile, and the instants between which their answer counts."""
    origin: float
    """Instant of its first row, from the first row of the profile [s]."""
    problem: TransformerHeat
    """Heat problem of these rows."""
    posterior: AbstractPosterior
    """Posterior of the oil, in the scaled units of the problem."""

    def points(self, heights: Series, seconds: Series) -> Float[np.ndarray, "point 2"]:
        """Points of its unit square, from fractions of the height and the profile's seconds."""
        scaled = (seconds - self.origin) / self.problem.units.window
        return np.stack([heights, scaled], axis=1)

    def predict(self, heights: Series, seconds: Series) -> Prediction:
        """Oil at points [°C, K², K²]."""
        scaled, units = self.posterior.predict(self.points(heights, seconds)), self.problem.units
        variances = (units.spread**2 * part for part in (scaled.epistemic, scaled.aleatoric))
        return Prediction(units.celsius(scaled.mean), *variances)

    def means(
        self, fields: AbstractFields, heights: Series, seconds: Series
    ) -> Float[np.ndarray, "draw point"]:
        """Drawn functions at points [°C]."""
        return self.problem.units.celsius(fields.means(self.points(heights, seconds)))


@dataclass(frozen=True, eq=False)
class Assessment:
    """A fitted profile: the posterior of its oil over height and time.

    `assess` makes it. A long record is fitted in several windows that pass into each other. Heights
    are fractions of the tank's, from 0 at the bottom to 1 at the top; times are seconds from the
    first row of the profile.

    Examples:
        >>> import agewise, jax, numpy
        >>> fitted = agewise.assess("demo/profile.csv", "demo/nameplate.toml", method="solver")
        >>> heights, seconds = numpy.array([0.0, 0.5, 1.0]), numpy.array([3600.0, 7200.0])
        >>> oil = fitted.predict(heights, seconds)  # mean [°C], variances [K²]
        >>> bool((oil.total == oil.epistemic + oil.aleatoric).all())
        True
        >>> fitted.draw(10, key=jax.random.key(0)).oil(heights, seconds).shape  # draw, time, height
        (10, 2, 3)
    """

    profile: Profile
    """What the plant measured."""
    nameplate: Nameplate
    """The unit that it was measured at."""
    settings: Settings
    """How the oil was inferred."""
    windows: tuple[Window, ...]
    """Spans of the profile in order, each with the posterior of its oil."""

    def predict(
        self, heights: Float[np.ndarray, " height"], seconds: Float[np.ndarray, " time"]
    ) -> Prediction:
        """Oil over (time, height) [°C, K², K²]; heights are fractions, seconds from the start."""
        points, shape = self.predict_at(*_grid(heights, seconds)), (seconds.size, heights.size)
        parts = (points.mean, points.epistemic, points.aleatoric)
        return Prediction(*(part.reshape(shape) for part in parts))

    def predict_at(self, heights: Series, seconds: Series) -> Prediction:
        """Oil at points [°C, K², K²]; where windows meet, their disagreement is epistemic."""
        mean, epistemic, aleatoric = np.zeros((3, seconds.size))
        parts = [
            (rows, weight, window.predict(heights[rows], seconds[rows]))
            for window, rows, weight in self.shares(seconds)
        ]
        for rows, weight, prediction in parts:
            mean[rows] += weight * prediction.mean
            aleatoric[rows] += weight * prediction.aleatoric
        # In a second pass, since the disagreement is with the mean of all windows.
        for rows, weight, prediction in parts:
            # Law of total variance: within the windows, and between their means.
            epistemic[rows] += weight * (prediction.epistemic + (prediction.mean - mean[rows]) ** 2)
        return Prediction(mean, epistemic, aleatoric)

    def draw(self, count: int, *, key: Key) -> "OilDraws":
        """Functions of the oil, independent of each other."""
        return OilDraws(self, count, key)

    def shares(self, seconds: Series) -> list[tuple[Window, Int[np.ndarray, " row"], np.ndarray]]:
        """Windows that count at any of these instants [s], the rows at which they do, and their
        weights there."""
        # Sorted once, so that each window of a year finds its rows without looking at all of them.
        order = np.argsort(seconds, kind="stable")
        in_order, parts = seconds[order], []
        for window in self.windows:
            begin, end = np.searchsorted(in_order, window.span.reach)
            rows = order[begin:end]
            weight = window.span.weight(seconds[rows])
            if (weight > 0).any():
                parts.append((window, rows[weight > 0], weight[weight > 0]))
        return parts

    @property
    def key(self) -> Key:
        """Key of the random numbers, from the seed of the settings."""
        return jax.random.key(self.settings.seed)


@dataclass(frozen=True, eq=False)
class OilDraws:
    """Drawn functions of the oil: smooth in both coordinates, over every joint too."""

    assessment: Assessment
    """The fitted profile that they are drawn from."""
    count: int
    """Number of drawn functions."""
    key: Key
    """Key of the random numbers; the same key gives the same functions."""
    _last: dict[int, AbstractFields] = field(default_factory=dict)
    """Functions of the windows that were used last, by number, since two may begin with the record:
    all of a year would not fit in memory."""

    def oil(
        self, heights: Float[np.ndarray, " height"], seconds: Float[np.ndarray, " time"]
    ) -> Float[np.ndarray, "draw time height"]:
        """Oil [°C] at fractions of the height and instants from the start [s]."""
        x, t = _grid(heights, seconds)
        total = np.zeros((self.count, t.size))
        # At joints: the blended mean, the variance that is stated, and that of independent windows.
        mean, stated, apart = np.zeros((3, t.size))
        blended = np.zeros(t.size, dtype=bool)
        for window, rows, weight in self.assessment.shares(t):
            drawn = window.means(self._fields(window), x[rows], t[rows])
            total[:, rows] += weight * drawn
            if (weight < 1).any():
                own = window.predict(x[rows], t[rows]).mean
                variance = np.mean((drawn - own) ** 2, axis=0)
                mean[rows] += weight * own
                stated[rows] += weight * variance
                apart[rows] += weight**2 * variance
                blended[rows] |= weight < 1
        at = np.flatnonzero(blended)
        off = total[:, at] - mean[at]
        total[:, at] = mean[at] + off * _widening(off, stated[at], apart[at])
        return total.reshape(self.count, seconds.size, heights.size)

    def _fields(self, window: Window) -> AbstractFields:
        number = self.assessment.windows.index(window)
        if number not in self._last:
            # The first of several windows draws as a record of one window does.
            key = jax.random.fold_in(self.key, number) if number else self.key
            if len(self._last) >= KEPT_WINDOWS:
                # The oldest goes, since windows are asked for in the order of time.
                self._last.pop(next(iter(self._last)))
            self._last[number] = window.posterior.draw(self.count, key=key)
        return self._last[number]


def _widening(
    off: Float[np.ndarray, "draw point"], stated: Series, apart: Series
) -> Float[np.ndarray, " point"]:
    """Factor that gives blended deviations the variance that is stated of them.

    Windows share some of their errors, as the constants of their unit, and not others, as the noise
    of their readings. A blend keeps what is shared and averages out what is not, down to the
    variance of windows that share nothing; how much, the draws themselves tell.
    """
    left = np.clip(np.mean(off**2, axis=0), apart, stated)
    # Where nothing is in doubt nothing is widened.
    return np.sqrt(np.divide(stated, left, out=np.ones_like(left), where=left > 0))


def _grid(heights: np.ndarray, seconds: np.ndarray) -> tuple[Series, Series]:
    # Heights run fastest, so that a reshape gives (time, height).
    x, t = np.meshgrid(heights, seconds)
    return x.ravel(), t.ravel()
