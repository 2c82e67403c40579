"""A network where an end was silent: as sure as a smooth series may be, and no surer."""

from dataclasses import dataclass, replace
from functools import lru_cache

import jax
import numpy as np
from jaxtyping import Float

from agewise.assessment.oil.problem import heat_problem
from agewise.assessment.oil.settings import Settings
from agewise.engine.posterior import AbstractFields, AbstractPosterior, Points
from agewise.engine.splines.ends import smooth_ends
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.transformer.oil.heat import TransformerHeat
from agewise.transformer.oil.holes import WidenedPosterior, widened
from agewise.twin.twin import TwinSettings, make_twin
from agewise.types import Key

SURE = 1e-6
"""Variance of a network that believes in itself."""
HOLE = (0.4, 0.6)
"""of the unit time, at the top"""


@dataclass(frozen=True)
class SureFields(AbstractFields):
    count: int

    def means(self, points: Points) -> Float[np.ndarray, "draw point"]:
        return np.zeros((self.count, len(points)))

    def variances(self, points: Points) -> Float[np.ndarray, "draw point"]:
        return np.ones((self.count, len(points)))


class Sure(AbstractPosterior):
    """A network that says zero everywhere."""

    def draw(self, count: int, *, key: Key) -> SureFields:
        return SureFields(count)

    def moments(self, points: Points) -> Prediction:
        zero = np.zeros(len(points))
        return Prediction(zero, zero + SURE, zero + 1.0)

    def arrays(self) -> dict[str, np.ndarray]:
        return {"weights": np.zeros(3)}


@lru_cache
def problem(*, holed: bool = True) -> TransformerHeat:
    twin = make_twin(TwinSettings(seed=102, days=2.0))
    profile = twin.profile
    assert profile.top_oil is not None
    share = profile.seconds / profile.seconds[-1]
    silent = (share > HOLE[0]) & (share < HOLE[1]) & holed
    holed_profile = replace(profile, top_oil=np.where(silent, np.nan, profile.top_oil))
    return heat_problem(holed_profile, twin.nameplate, Settings(method="vi"))


def along(height: float, times: np.ndarray) -> Points:
    return np.stack([np.full_like(times, height), times], axis=1)


def test_a_network_that_saw_everything_is_left_alone():
    sure = Sure()
    assert widened(sure, problem(holed=False)) is sure


def test_in_a_hole_the_series_speaks_and_elsewhere_the_network():
    wide, ends = widened(Sure(), problem()), smooth_ends(problem())
    assert isinstance(wide, WidenedPosterior)
    silent, heard = np.linspace(0.45, 0.55, 9), np.array([0.1, 0.2, 0.3, 0.8, 0.9])
    points = along(1.0, silent)
    told = wide.predict(points)
    # Zero is said of the whole, the lift included; the series knows the rest alone.
    wanted = ends.top.values(silent) + problem().lift(points)
    np.testing.assert_allclose(told.mean, wanted, atol=0.02)
    np.testing.assert_allclose(told.epistemic, ends.top.variance(silent) + SURE, rtol=0.35)
    apart = wide.predict(along(1.0, heard))
    np.testing.assert_allclose(apart.mean, 0.0, atol=1e-9)
    np.testing.assert_allclose(apart.epistemic, SURE, rtol=1e-6)
    # Heat carries the doubt inside, and less of it the farther from the silent end.
    inside = [wide.predict(along(height, silent)).epistemic.mean() for height in (0.9, 0.6, 0.2)]
    assert inside[0] > inside[1] > inside[2] > SURE


def test_drawn_functions_have_the_moments():
    wide = widened(Sure(), problem())
    points = along(0.9, np.linspace(0.42, 0.58, 7))
    drawn = wide.draw(600, key=jax.random.key(0))
    told = wide.predict(points)
    np.testing.assert_allclose(drawn.means(points).std(axis=0), np.sqrt(told.epistemic), rtol=0.25)
    np.testing.assert_allclose(drawn.means(points).mean(axis=0), told.mean, atol=0.05)
    np.testing.assert_array_equal(drawn.variances(points), 1.0)
    assert list(wide.arrays()) == ["weights"]
