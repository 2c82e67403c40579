"""The posterior in the space of the rows against dense algebra, and weights made independent."""

from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agewise.engine.inference import vi
from agewise.engine.inference.vi import (
    COMPARED,
    COUNTED,
    matched_weight,
    mean_field_std,
    widened,
)
from agewise.engine.networks.features import Coordinates
from agewise.engine.networks.mlp import MLP, AbstractNetwork
from agewise.engine.objective.families import Point
from agewise.engine.objective.linearised import Linearised, polished
from agewise.engine.objective.objective import NetworkObjective
from agewise.engine.objective.priors import Gaussian
from agewise.library import PROBLEMS
from agewise.transformer.oil.heat import TransformerHeat

QUICKLY = {"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": False}
"""What runs once is compiled without optimisation, in a fifth of the time."""
KEY = jax.random.key(0)
RNG = np.random.default_rng(0)
NETWORK = MLP(Coordinates(), (3,), 1)
WEIGHTS = RNG.normal(size=NETWORK.size)
READINGS = RNG.uniform(size=(7, 2))
VALUES, VARIANCE = RNG.normal(size=7), RNG.uniform(0.01, 0.1, 7)
SCALE = 0.4
POINTS = RNG.uniform(size=(11, 2))


@pytest.fixture(scope="module")
def problem() -> TransformerHeat:
    problem = PROBLEMS["transformer-heat"]()
    assert isinstance(problem, TransformerHeat)
    return replace(problem, initial_std=None)


@pytest.fixture(scope="module")
def objective(problem: TransformerHeat) -> NetworkObjective:
    return NetworkObjective(
        problem=problem,
        network=NETWORK,
        family=Point(Gaussian(SCALE)),
        prior=Gaussian(SCALE),
        physics=True,
        kl_weight=1.0,
        points=READINGS,
        values=VALUES,
        batch=256,
        row_count=16,
    )


@pytest.fixture(scope="module")
def linear(objective: NetworkObjective) -> Linearised:
    return Linearised.of(objective, WEIGHTS, {"variance": VARIANCE}, key=KEY)


def dense(linear: Linearised) -> np.ndarray:
    """The covariance of the weights, written out."""
    precision = linear.jacobian.T @ linear.jacobian + linear.precision * np.eye(len(WEIGHTS))
    return np.linalg.inv(precision)


def test_rows_are_readings_and_residuals_each_over_its_doubt(
    linear: Linearised, problem: TransformerHeat
):
    """Every slope by JAX, of the equation as it is written and not as jets give it."""
    residual, region = problem.residuals()["interior"], problem.regions()["interior"]
    (key,) = jax.random.split(KEY, 1)

    @partial(jax.jit, compiler_options=QUICKLY)
    @jax.jacfwd
    def slopes(weights):
        field = NETWORK.field(weights)
        read = (jax.vmap(field)(jnp.asarray(READINGS)) - VALUES) / jnp.sqrt(VARIANCE)
        values = jax.vmap(lambda p: residual(field, p))(region.points(16, key=key))
        count, scale = problem.pseudo_observations()["interior"], problem.scales()["interior"]
        return jnp.concatenate([read, jnp.sqrt(count / 16) * values / scale])

    with jax.enable_x64(True):
        truth = np.asarray(slopes(WEIGHTS))
    assert truth.shape == linear.jacobian.shape == (7 + 16, NETWORK.size)
    np.testing.assert_allclose(linear.jacobian, truth, rtol=1e-9, atol=1e-9 * np.abs(truth).max())
    assert linear.precision == pytest.approx(1 / SCALE**2)
    np.testing.assert_allclose(linear.information, np.sum(truth**2, axis=0), rtol=1e-8)


def test_a_last_step_lowers_the_objective_of_all_lots_together(objective: NetworkObjective):
    terms = {"key": KEY, "lots": 3}
    aux = {"variance": VARIANCE}
    weights, left = polished(objective, WEIGHTS, aux, damping=1e3, **terms)

    def height(weights: np.ndarray) -> float:
        linear = Linearised.of(objective, weights, aux, **terms)
        return float(linear.rows @ linear.rows + linear.precision * weights @ weights)

    assert height(weights) < height(WEIGHTS)
    # Half the squares that are left, without the prior.
    rows = Linearised.of(objective, weights, aux, **terms).rows
    assert left == pytest.approx(0.5 * rows @ rows, rel=1e-9)
    # The same again: a fit that is resumed after its start sets out from the same weights.
    again, _ = polished(objective, WEIGHTS, aux, damping=1e3, **terms)
    np.testing.assert_array_equal(weights, again)


def test_lots_of_points_count_readings_once_and_the_equation_by_their_mean(
    linear: Linearised, objective: NetworkObjective
):
    aux, read = {"variance": VARIANCE}, len(VALUES)
    second = Linearised.of(objective, WEIGHTS, aux, key=jax.random.fold_in(KEY, 1))
    both = Linearised.of(objective, WEIGHTS, aux, key=KEY, lots=2)
    np.testing.assert_array_equal(both.jacobian[:read], linear.jacobian[:read])
    np.testing.assert_array_equal(both.rows[:read], linear.rows[:read])
    assert len(both.rows) == read + 2 * 16
    mean = (linear.rows[read:] @ linear.rows[read:] + second.rows[read:] @ second.rows[read:]) / 2
    assert both.rows[read:] @ both.rows[read:] == pytest.approx(mean, rel=1e-12)
    inside = both.jacobian[read:]
    gram = sum(one.jacobian[read:].T @ one.jacobian[read:] for one in (linear, second)) / 2
    np.testing.assert_allclose(inside.T @ inside, gram, rtol=1e-9, atol=1e-9 * np.abs(gram).max())


def test_slopes_of_the_function_are_those_of_the_network(linear: Linearised):
    (inner, shift), (outer, _) = split(WEIGHTS)
    hidden = np.tanh((2 * POINTS - 1) @ inner + shift)
    back = (1 - hidden**2) * outer[:, 0]
    by_inner = np.einsum("pi,ph->pih", 2 * POINTS - 1, back).reshape(len(POINTS), -1)
    truth = np.concatenate([by_inner, back, hidden, np.ones((len(POINTS), 1))], axis=1)
    np.testing.assert_allclose(linear.gradients(POINTS), truth, rtol=1e-12)


def split(weights: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    inner, shift, outer, last = np.split(weights, [6, 9, 12])
    return [(inner.reshape(2, 3), shift), (outer.reshape(3, 1), last)]


def test_the_variance_is_that_of_the_dense_inverse(linear: Linearised):
    gradients = linear.gradients(POINTS)
    truth = np.sum(gradients @ dense(linear) * gradients, axis=1)
    np.testing.assert_allclose(linear.variance(POINTS), truth, rtol=1e-6)
    np.testing.assert_allclose(linear.rounded().variance(POINTS), truth, rtol=1e-3)
    assert linear.variance(np.zeros((0, 2))).shape == (0,)


def test_many_points_are_few_at_a_time(linear: Linearised, monkeypatch: pytest.MonkeyPatch):
    whole = linear.variance(POINTS)
    monkeypatch.setattr("agewise.engine.objective.linearised.BATCH", len(POINTS))
    many = np.concatenate([POINTS, POINTS[::-1], POINTS])
    truth = np.concatenate([whole, whole[::-1], whole])
    np.testing.assert_allclose(linear.variance(many), truth, rtol=1e-9)


def test_draws_have_the_covariance_of_the_dense_inverse(linear: Linearised):
    count = 100_000
    draws = linear.draws(count, rng=np.random.default_rng(1))
    assert draws.shape == (count, NETWORK.size)
    truth = dense(linear)
    white = np.linalg.solve(np.linalg.cholesky(truth), draws.T)
    # Each entry is a mean of 100 000 products of standard deviation 1 to 1.4.
    assert np.abs(np.cov(white) - np.eye(len(white))).max() < 5 * np.sqrt(2 / count)
    assert np.abs(white.mean(axis=1)).max() < 5 / np.sqrt(count)
    again, other = (linear.draws(3, rng=np.random.default_rng(seed)) for seed in (1, 2))
    np.testing.assert_array_equal(again, linear.draws(3, rng=np.random.default_rng(1)))
    assert not np.isin(again, other).any()


def test_the_expected_weights_leave_the_least_squares(linear: Linearised):
    """Rows of the linear network and the prior, by a solver that knows no posterior."""
    prior = np.sqrt(linear.precision)
    slopes = np.vstack([linear.jacobian, prior * np.eye(len(WEIGHTS))])
    at_weights = np.concatenate([linear.rows, prior * linear.weights])
    least = np.linalg.lstsq(slopes, -at_weights, rcond=None)[0]
    np.testing.assert_allclose(linear.shift, least, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(
        linear.correction(POINTS), linear.gradients(POINTS) @ least, rtol=1e-6, atol=1e-9
    )


class Straight(AbstractNetwork):
    """A function that is linear in its weights: each weighs one of the given features."""

    powers: np.ndarray

    @property
    def size(self):
        return len(self.powers)

    def initial(self, *, key):
        return jnp.zeros(self.size)

    def at(self, weights, point):
        return jnp.prod(point**self.powers, axis=-1)[None] @ weights

    def jet(self, weights, points, diffusion=None):
        raise NotImplementedError


MONOMIALS = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [2, 0]])


def straight(jacobian: np.ndarray, precision: float, powers: np.ndarray = MONOMIALS) -> Linearised:
    still = np.zeros(len(powers)), np.zeros(len(jacobian))
    return Linearised(Straight(powers), still[0], jacobian, precision, still[1])


@given(
    seed=st.integers(0, 1000),
    precision=st.floats(0.01, 100.0),
    kl_weight=st.floats(1e-4, 1.0),
)
def test_independent_weights_are_the_best_that_the_evidence_bound_knows(
    seed: int, precision: float, kl_weight: float
):
    """The bound of a linear model is convex in the logarithms, so a level slope is its minimum."""
    rng = np.random.default_rng(seed)
    design, target = rng.normal(size=(8, 5)), rng.normal(size=8)
    linear = straight(design, precision)
    std = mean_field_std(linear, kl_weight)

    def bound(log_std: np.ndarray) -> float:
        """Of the zero mean: expected squares in closed form, and normals against the prior."""
        variance = np.exp(2 * log_std)
        expected = 0.5 * (target @ target + np.trace(design @ np.diag(variance) @ design.T))
        divergence = 0.5 * np.sum(precision * variance - 1 - np.log(precision * variance))
        return float(expected + kl_weight * divergence)

    best = bound(np.log(std))
    for move in 1e-3 * np.concatenate([np.eye(5), -np.eye(5)]):
        assert bound(np.log(std) + move) > best
        assert bound(np.log(std) + 300 * move) > best


def test_an_untempered_bound_of_unrelated_weights_is_the_posterior():
    linear = straight(np.diag([3.0, 0.1, 1.0, 20.0, 0.0]), 2.0)
    truth = np.sqrt(np.diag(np.linalg.inv(linear.jacobian**2 + 2.0 * np.eye(5))))
    np.testing.assert_allclose(mean_field_std(linear, 1.0), truth, rtol=1e-12)
    assert matched_weight(linear, np.zeros(0), key=KEY) == pytest.approx(1.0, abs=2e-3)


def compared(linear: Linearised, kl_weight: float) -> float:
    """Mean variance of independent weights over that of dependent ones, by dense algebra.

    The twentieth of the points at which dependent ones are the most doubtful does not count.
    """
    points = np.asarray(jax.random.uniform(KEY, (COMPARED, 2)), dtype=float)
    gradients = linear.gradients(points)
    precision = linear.jacobian.T @ linear.jacobian + linear.precision * np.eye(len(linear.weights))
    dependent = np.sum(gradients @ np.linalg.inv(precision) * gradients, axis=1)
    independent = gradients**2 @ mean_field_std(linear, kl_weight) ** 2
    counted = np.argsort(dependent)[: round(COUNTED * COMPARED)]
    return np.mean(independent[counted]) / np.mean(dependent[counted])


@pytest.mark.parametrize("copies", [2, 4, 8])
def test_a_matched_weight_makes_the_doubts_equal(copies: int):
    """Weights that do each other's work: each is free, and their sum is not."""
    powers = np.tile(MONOMIALS, (copies, 1))
    points = np.random.default_rng(copies).uniform(size=(30, 2))
    design = np.prod(points[:, None, :] ** powers, axis=-1) / 0.05
    linear = straight(design, 0.01, powers)
    weight = matched_weight(linear, np.zeros(0), key=KEY)
    assert compared(linear, 1.0) > 1.1, "something is to be tempered"
    assert compared(linear, weight) == pytest.approx(1.0, rel=2e-3)
    # However weights hang together, J'J is at most their number times its own diagonal.
    assert 1 / len(powers) <= weight < 1


def test_a_matched_weight_serves_a_network_too(linear: Linearised):
    weight = matched_weight(linear, np.zeros(0), key=KEY)
    assert compared(linear, weight) == pytest.approx(1.0, rel=2e-3) or weight == 1.0
    assert 1 / NETWORK.size <= weight <= 1


class Difference(Straight):
    """The function shows the difference of two weights."""

    def at(self, weights, point):
        return (weights[0] - weights[1])[None]


def test_who_doubts_too_little_is_not_tempered():
    """The rows know a sum; the function shows the difference, of which they know nothing."""

    sums = np.array([[5.0, 5.0]])
    linear = Linearised(Difference(MONOMIALS[:2]), np.zeros(2), sums, 1.0, np.zeros(1))
    assert compared(linear, 1.0) < 0.1
    assert matched_weight(linear, np.zeros(0), key=KEY) == 1.0


def test_who_doubts_too_much_is_tempered_as_far_as_there_is(monkeypatch: pytest.MonkeyPatch):
    """Eight copies need a weight of about an eighth, which lies below this range."""
    monkeypatch.setattr(vi, "KL_WEIGHTS", (0.5, 1.0))
    linear = straight(np.full((1, 8), 20.0), 0.01, np.zeros((8, 2), dtype=int))
    assert compared(linear, 0.5) > 1
    assert matched_weight(linear, np.zeros(0), key=KEY) == 0.5


@pytest.mark.parametrize("off", [0.0, 3.0], ids=["at the lowest point", "off it"])
def test_what_independent_weights_leave_out_widens_them(off: float):
    """The doubt of dependent weights, and the way from the trained function to the expected one."""
    design = np.array([[50.0, 50.0]])
    # Off the lowest point: the rows know nothing of the difference, and the prior wants none.
    linear = Linearised(Difference(MONOMIALS[:2]), np.array([off, 0.0]), design, 1.0, np.zeros(1))
    narrow = {"mean": linear.weights, "log_std": np.log(mean_field_std(linear, 1.0))}
    wide = widened(narrow, linear, np.zeros(0), key=KEY)
    variance = np.sum(np.exp(2 * wide["log_std"]))
    precision = np.linalg.inv(design.T @ design + np.eye(2))
    truth = np.array([1.0, -1.0]) @ precision @ np.array([1.0, -1.0])
    assert variance == pytest.approx(truth + off**2, rel=1e-3)
    np.testing.assert_array_equal(wide["mean"], narrow["mean"])
    # What is wide enough stays as it is.
    np.testing.assert_allclose(
        widened(wide | {"log_std": wide["log_std"] + 1}, linear, np.zeros(0), key=KEY)["log_std"],
        wide["log_std"] + 1,
    )
