"""What every registered method owes to those who ask it."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import jax
import numpy as np
import pytest
from contributing import example

from agewise.assessment.oil.methods import METHODS, NETWORKS, YARDSTICKS
from agewise.assessment.oil.methods import method as inference_method
from agewise.engine import posterior as base
from agewise.engine.objective.settings import Training
from agewise.engine.posterior import AbstractInference, AbstractPosterior
from agewise.engine.presets import default
from agewise.engine.training import Stage
from agewise.transformer.oil.heat import TransformerHeat
from agewise.twin.twin import TwinSettings, make_twin

KEY = jax.random.key(3)
CERTAIN = ("map",)
"""Methods that give one function, and doubt nothing."""


def methods(names: Iterable[str]) -> pytest.MarkDecorator:
    """Tests of one method share a process, and so its fit; networks do, and so what they begin
    with."""
    groups = {name: "networks" if name in NETWORKS else name for name in names}
    grouped = [pytest.param(name, marks=pytest.mark.xdist_group(groups[name])) for name in names]
    return pytest.mark.parametrize("name", grouped)


EXAMPLES = {"example": example("Add a method for the oil", "Level")}
"""What the guide for contributors shows."""
WITHOUT_NETWORK = YARDSTICKS | EXAMPLES
NAMES = (*METHODS, *EXAMPLES)
every_method = methods(NAMES)
every_doubting_method = methods(name for name in NAMES if name not in CERTAIN)
FIELDS = ("mean", "epistemic", "aleatoric")

Fit = Callable[[str], AbstractPosterior]


@pytest.fixture(scope="module")
def problem(problem_of: Callable[..., TransformerHeat]) -> TransformerHeat:
    return problem_of(make_twin(TwinSettings(seed=100, days=1.0)))


@pytest.fixture(scope="module")
def fit(problem: TransformerHeat) -> Fit:
    """The posterior of a method, made once."""
    fits: dict[str, AbstractPosterior] = {}

    def of(name: str) -> AbstractPosterior:
        if name not in fits:
            fits[name] = made(name).fit(problem, key=KEY)
        return fits[name]

    return of


def made(name: str) -> AbstractInference:
    """A method that is soon done: a contract holds for rough answers too."""
    if name in EXAMPLES:
        return EXAMPLES[name]()
    if name in YARDSTICKS:
        return inference_method(name)
    whole = default(name, "heteroscedastic")
    own = whole.training.own
    training = Training(
        start=Stage("gauss-newton", 8, 1e-3, look=1, renew=(5,)),
        # Whole looks: a last one of fewer steps would be another program to compile.
        own=own and replace(own, steps=50),
        rows=150,
    )
    small = replace(whole.network, hidden=(12, 12), harmonics=4)
    # Of so few units more are struck, or two draws would often be the same.
    return NETWORKS[name](replace(whole, network=small, training=training, dropout=0.3))


def some_points(count: int = 40) -> np.ndarray:
    """Anywhere, and on the four corners."""
    points = np.random.default_rng(0).uniform(size=(count, 2))
    points[:4] = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    return points


def fine(axis: int, steps: int) -> np.ndarray:
    """Along one axis at a few places of the other."""
    points = np.empty((3, steps + 1, 2))
    points[:, :, axis] = np.linspace(0.0, 1.0, steps + 1)
    points[:, :, 1 - axis] = np.array([0.0, 0.31, 1.0])[:, None]
    return points.reshape(-1, 2)


def predicted(posterior: AbstractPosterior) -> list[np.ndarray]:
    prediction = posterior.predict(some_points())
    return [getattr(prediction, field) for field in FIELDS]


def drawn(posterior: AbstractPosterior, seed: int = 5, count: int = 3) -> list[np.ndarray]:
    fields = posterior.draw(count, key=jax.random.key(seed))
    return [fields.means(some_points()), fields.variances(some_points())]


def assert_same(one: list[np.ndarray], other: list[np.ndarray]) -> None:
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


@every_method
def test_one_number_a_point_and_one_row_a_draw(name: str, fit: Fit):
    points, posterior = some_points(), fit(name)
    prediction, fields = posterior.predict(points), posterior.draw(7, key=KEY)
    for field in FIELDS:
        values = getattr(prediction, field)
        assert values.shape == (len(points),)
        assert np.isfinite(values).all()
    for values in (fields.means(points), fields.variances(points)):
        assert values.shape == (7, len(points))
        assert np.isfinite(values).all()
    assert prediction.epistemic.min() >= 0
    assert (prediction.epistemic.max() == 0) == (name in CERTAIN)
    assert prediction.aleatoric.min() > 0
    assert fields.variances(points).min() > 0
    single = posterior.draw(1, key=KEY)
    assert single.means(points[:1]).shape == single.variances(points[:1]).shape == (1, 1)


@every_method
def test_a_key_decides_the_posterior_and_its_draws(name: str, fit: Fit, problem: TransformerHeat):
    posterior, again = fit(name), made(name).fit(problem, key=KEY)
    assert_same(predicted(posterior), predicted(again))
    assert_same(drawn(posterior), drawn(again))
    assert_same(drawn(posterior), drawn(posterior))
    (means, _), (others, _) = drawn(posterior), drawn(posterior, seed=6)
    assert np.isin(means, others).all() == (name in CERTAIN)


@every_doubting_method
def test_draws_of_one_key_differ_from_each_other_everywhere(name: str, fit: Fit):
    means, _ = drawn(fit(name), count=20)
    # The same units may be struck twice by chance.
    least = 15 if name == "dropout" else 20
    assert all(len(set(values)) >= least for values in means.T.tolist())


@every_method
def test_the_two_variances_add_up(name: str, fit: Fit):
    prediction = fit(name).predict(some_points())
    np.testing.assert_array_equal(prediction.total, prediction.epistemic + prediction.aleatoric)


@every_doubting_method
def test_prediction_is_the_mean_and_variance_of_the_draws(name: str, fit: Fit):
    points, count = some_points(), 2000
    fields = fit(name).draw(count, key=jax.random.key(11))
    prediction, means = fit(name).predict(points), fields.means(points)
    # Networks predict by functions of their own drawing, and so do the errors of both add up.
    own = np.inf if name in WITHOUT_NETWORK else 200
    error = np.sqrt(prediction.epistemic * (1 / count + 1 / own))
    assert np.abs((means.mean(axis=0) - prediction.mean) / error).max() < 5
    ratio = means.var(axis=0) / prediction.epistemic
    # 2000 draws tell a variance to 3 %; the 400 behind the solver's own, to 7 %; 200, to 10 %.
    assert np.median(ratio) == pytest.approx(1.0, abs=0.1 if name in WITHOUT_NETWORK else 0.2)
    assert 0.7 < ratio.min() < ratio.max() < 1.5
    noise = fields.variances(points).mean(axis=0) / prediction.aleatoric
    np.testing.assert_allclose(noise, 1.0, atol=0.02)


@every_method
@pytest.mark.parametrize("axis", [0, 1])
def test_draws_have_no_jumps(name: str, axis: int, fit: Fit):
    """Half the step, half the largest difference: a jump would stay as it is."""
    fields = fit(name).draw(5, key=KEY)

    def largest(steps: int) -> float:
        values = fields.means(fine(axis, steps)).reshape(5, 3, -1)
        return float(np.abs(np.diff(values, axis=-1)).max())

    # Finer than the minutes of the load, whose own part of the solution bends at each of them.
    assert largest(11_520) < 0.55 * largest(5_760)


@every_doubting_method
def test_what_is_unknown_is_smooth_from_minute_to_minute(name: str, fit: Fit):
    """Draws differ by smooth functions, never by noise: their second differences are small."""
    means = fit(name).draw(5, key=KEY).means(fine(1, 1440)).reshape(5, 3, -1)
    departures = (means - means.mean(axis=0))[:, :, 1:-1]
    bends = np.diff(departures, 2, axis=-1)
    # Independent noise would bend by the root of six times its own size.
    assert np.sqrt(np.mean(bends**2)) < 0.05 * np.sqrt(np.mean(departures**2))


@every_method
def test_batches_change_nothing(name: str, fit: Fit, monkeypatch: pytest.MonkeyPatch):
    at_once = predicted(fit(name))
    monkeypatch.setattr(base, "BATCH", 7)
    for one, other in zip(at_once, predicted(fit(name)), strict=True):
        # Networks are evaluated in single precision.
        np.testing.assert_allclose(one, other, rtol=1e-6 if name in WITHOUT_NETWORK else 1e-4)


@every_method
def test_arrays_bring_the_posterior_back_to_the_bit(name: str, fit: Fit, problem: TransformerHeat):
    posterior, method = fit(name), made(name)
    arrays = posterior.arrays()
    assert arrays
    for array in arrays.values():
        assert type(array) is np.ndarray
        assert array.dtype != object
        assert np.isfinite(array).all()
    back = method.restored(problem, {key: array.copy() for key, array in arrays.items()})
    assert type(back) is type(posterior)
    assert_same(predicted(posterior), predicted(back))
    assert_same(drawn(posterior), drawn(back))
    assert set(back.arrays()) == set(arrays)


@every_method
def test_settings_are_frozen_and_the_registry_makes_methods(name: str):
    method = made(name)
    assert isinstance(method, AbstractInference)
    assert method == made(name)
    with pytest.raises(AttributeError):
        method.another = 1  # pyright: ignore[reportAttributeAccessIssue]
