"""Optimisers on least squares, of which numpy knows the answer, and in a bent valley."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agewise.engine.training import AbstractObjective, Rows, Stage, train
from agewise.engine.training.damped_step import MANY, SINGLE, Start, lowered
from agewise.engine.training.gauss_newton import linearised

KEY = jax.random.key(0)
RNG = np.random.default_rng(0)
DESIGN = RNG.normal(size=(30, 3))
TRUTH = np.array([1.0, -2.0, 0.5])
NOISE = RNG.normal(scale=0.3, size=30)
START = np.zeros(3)
STAGES = {
    "adam": Stage("adam", 400, 0.1, look=100),
    "constant-adam": Stage("constant-adam", 800, 0.03, look=100),
    "gauss-newton": Stage("gauss-newton", 20, 1.0, look=20),
    "accelerated-gauss-newton": Stage("accelerated-gauss-newton", 20, 1.0, look=20),
}


class LeastSquares(AbstractObjective):
    """Errors of a straight line, each over its noise, and a ridge; a mini-batch for the first."""

    design: np.ndarray
    target: np.ndarray
    strength: float = 0.0

    @property
    def ridge(self):
        return self.strength

    def terms(self, params, aux, *, key):
        picked = jax.random.randint(key, (20,), 0, len(self.target))
        errors = jnp.asarray(self.design)[picked] @ params - jnp.asarray(self.target)[picked]
        scale = 30 / 20 / jnp.asarray(aux["variance"])[picked]
        return {
            "fit": 0.5 * jnp.sum(scale * errors**2),
            "prior": 0.5 * self.strength * jnp.sum(params**2),
        }

    def rows(self, aux, *, key):
        def row(params, item):
            inputs, target, variance = item
            return (inputs @ params - target) / jnp.sqrt(variance)

        return {"fit": Rows(row, (self.design, self.target, aux["variance"]))}


EXACT = LeastSquares(DESIGN, DESIGN @ TRUTH)
"""Every mini-batch has the same minimum."""
NOISY = LeastSquares(DESIGN, DESIGN @ TRUTH + NOISE, 0.7)
AUX = {"variance": np.linspace(0.5, 2.0, 30)}


def ridge_solution(objective: LeastSquares, variance: np.ndarray, strength: float) -> np.ndarray:
    """By the normal equations, written as a longer least-squares problem."""
    scale = 1 / np.sqrt(variance)[:, None]
    design = np.concatenate([scale * objective.design, np.sqrt(strength) * np.eye(3)])
    target = np.concatenate([scale[:, 0] * objective.target, np.zeros(3)])
    return np.linalg.lstsq(design, target, rcond=None)[0]


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES)
def test_the_minimum_is_found(stage: Stage):
    end = train(EXACT, START, AUX, stage, name="line", key=KEY)
    first_order = stage.optimiser.endswith("adam")
    np.testing.assert_allclose(end.params, TRUTH, atol=1e-5 if first_order else 1e-8)
    assert end.params.dtype == (np.float32 if first_order else np.float64)
    assert not end.interrupted


def test_gauss_newton_gives_what_numpy_gives():
    end = train(NOISY, START, AUX, STAGES["gauss-newton"], name="line", key=KEY)
    expected = ridge_solution(NOISY, AUX["variance"], 0.7)
    np.testing.assert_allclose(end.params, expected, rtol=1e-10)


def test_gauss_newton_takes_one_step_where_damping_is_nothing():
    stage = Stage("gauss-newton", 1, 1e12, look=1)
    end = train(NOISY, START, AUX, stage, name="line", key=KEY)
    expected = ridge_solution(NOISY, AUX["variance"], 0.7)
    np.testing.assert_allclose(end.params, expected, rtol=1e-9)


def test_gauss_newton_damps_as_it_says():
    """The first step is that of a ridge of one over the rate about where it stands."""
    stage, start = Stage("gauss-newton", 1, 0.2, look=1), np.array([0.3, 0.1, -0.2])
    end = train(EXACT, start, AUX, stage, name="line", key=KEY)
    moved = replace_target(EXACT, EXACT.target - DESIGN @ start)
    step = ridge_solution(moved, AUX["variance"], 1 / 0.2)
    np.testing.assert_allclose(end.params, start + step, rtol=1e-10)


def replace_target(objective: LeastSquares, target: np.ndarray) -> LeastSquares:
    return LeastSquares(objective.design, target, objective.strength)


def test_gauss_newton_never_climbs_and_tells_what_it_leaves():
    stage = replace(STAGES["gauss-newton"], look=1, rate=1e-2, snapshots=1)
    end = train(NOISY, START, AUX, stage, name="line", key=KEY)
    assert (np.diff(end.history["total"]) <= 0).all()
    for params, fit, prior in zip(
        end.snapshots, end.history["fit"], end.history["prior"], strict=True
    ):
        errors = (DESIGN @ params - NOISY.target) / np.sqrt(AUX["variance"])
        assert fit == pytest.approx(0.5 * errors @ errors, rel=1e-12)
        assert prior == pytest.approx(0.5 * 0.7 * params @ params, rel=1e-12)


def test_gauss_newton_rests_at_the_minimum():
    stage = replace(STAGES["gauss-newton"], steps=100)
    end = train(NOISY, START, AUX, stage, name="line", key=KEY)
    np.testing.assert_allclose(end.params, ridge_solution(NOISY, AUX["variance"], 0.7), rtol=1e-10)


class Valley(AbstractObjective):
    """Rosenbrock's, whose floor is bent."""

    steepness: float = 10.0

    def terms(self, params, aux, *, key):
        raise NotImplementedError

    def rows(self, aux, *, key):
        def row(params, slope):
            return self.steepness * slope * (params[1] - params[0] ** 2) + (1 - slope) * (
                1 - params[0]
            )

        return {"valley": Rows(row, np.array([1.0, 0.0]))}


def test_gauss_newton_follows_a_bent_valley_to_its_end():
    stage = Stage("gauss-newton", 60, 1.0, look=1)
    end = train(Valley(), np.array([-1.2, 1.0]), {}, stage, name="valley", key=KEY)
    np.testing.assert_allclose(end.params, 1.0, atol=1e-6)
    assert (np.diff(end.history["total"]) <= 0).all()


def test_accelerated_steps_bend_along_with_a_narrow_valley():
    """Straight ones must be short there."""
    valley, start, ends = Valley(1000.0), np.array([-1.2, 1.0]), {}
    for optimiser in ("gauss-newton", "accelerated-gauss-newton"):
        stage = Stage(optimiser, 40, 1.0, look=1)
        ends[optimiser] = train(valley, start, {}, stage, name="valley", key=KEY)
    straight, bent = ends.values()
    np.testing.assert_allclose(bent.params, 1.0, atol=1e-6)
    assert (np.diff(bent.history["total"]) <= 0).all()
    assert straight.history["total"][-1] > 0.1


def test_rows_come_with_their_slopes():
    with jax.enable_x64(True):
        rows, jacobian = linearised(NOISY, TRUTH, AUX, KEY)
    scale = 1 / np.sqrt(AUX["variance"])
    np.testing.assert_allclose(rows, -scale * NOISE, rtol=1e-9)
    np.testing.assert_allclose(jacobian, scale[:, None] * DESIGN, rtol=1e-12)


def test_adam_may_take_a_single_step():
    end = train(EXACT, START, AUX, Stage("adam", 1, 0.1), name="line", key=KEY)
    assert np.abs(end.params).max() > 0


def test_what_is_no_sum_of_squares_is_refused_by_gauss_newton():
    class Plain(AbstractObjective):
        def terms(self, params, aux, *, key):
            return {"value": jnp.sum(params**4)}

    with pytest.raises(NotImplementedError, match="Plain is no sum of squares"):
        train(Plain(), START, {}, STAGES["gauss-newton"], name="plain", key=KEY)


@pytest.mark.parametrize(("over", "tolerance"), [(100.0, 0.01), (1.0, 0.2), (0.9, 1e-8)])
def test_products_of_many_weights_are_as_exact_as_the_damping_asks(over: float, tolerance: float):
    jacobian, rows = np.random.default_rng(1).normal(size=(250, 4001)), np.ones(250)
    assert jacobian.size > MANY
    damping = over * SINGLE * float(np.max(np.sum(jacobian**2, axis=1)))

    def after(params: np.ndarray) -> dict[str, float]:
        return {"fit": 0.5 * float(np.sum((rows + jacobian @ params) ** 2))}

    start = Start(np.zeros(4001), rows, jacobian, 0.0, after(np.zeros(4001)))
    taken, _, _ = lowered(start, damping, after)
    exact = -jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + damping * np.eye(250), rows)
    assert np.linalg.norm(taken - exact) < tolerance * np.linalg.norm(exact)


def test_a_step_along_which_rows_explode_is_given_up():
    """Rows of an exponential that are finite, and whose products with the Jacobian are not."""
    jacobian = 1e120 * np.eye(2)
    start = Start(np.zeros(2), np.ones(2), jacobian, 1.0, {"rows": 1.0})
    params, _, terms = lowered(start, 1.0, lambda _: {"rows": 0.0}, lambda _: np.full(2, 1e200))
    np.testing.assert_array_equal(params, start.params)
    assert terms == start.terms
