"""What a network makes small: unbiased on mini-batches, and the same however it is computed."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from square import SQUARE_PROBLEMS

from agewise.engine.inference.dropout import Dropout, DropoutNetwork
from agewise.engine.inference.vi import MeanField
from agewise.engine.networks.features import Harmonics
from agewise.engine.networks.jet import ACTIVATIONS
from agewise.engine.networks.mlp import MLP
from agewise.engine.objective.architecture import network_of, prior_of
from agewise.engine.objective.families import Point
from agewise.engine.objective.objective import NetworkObjective, residual_values
from agewise.engine.objective.priors import PRIORS, Gaussian
from agewise.engine.objective.settings import Likelihood, Network, NetworkSettings, Training
from agewise.engine.objective.setup import Setup
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import QUIET, Monitor, Stage
from agewise.engine.training.monitor import Bar
from agewise.library import PROBLEMS

QUICKLY = {"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": False}
"""What runs once is compiled without optimisation, in a fifth of the time."""
KEY = jax.random.key(0)
KEYS = jax.random.split(jax.random.key(1), 800)
PRIOR = Gaussian(0.5)
SETTINGS = NetworkSettings(
    network=Network((8,), harmonics=2, prior="gaussian", prior_scale=0.5),
    likelihood=Likelihood(batch=32),
    training=Training(Stage("gauss-newton", 2, look=1), None, rows=40),
)


@lru_cache
def transformer() -> AbstractProblem:
    return PROBLEMS["transformer-heat"]()


def setup(rows: int = 40, **likelihood) -> Setup:
    settings = replace(
        SETTINGS,
        likelihood=replace(SETTINGS.likelihood, **likelihood),
        training=replace(SETTINGS.training, rows=rows),
    )
    return Setup.of(transformer(), settings, key=KEY, monitor=QUIET)


def objective_of(ready: Setup, **options) -> NetworkObjective:
    return ready.objective(Point(PRIOR), **options)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("prior", PRIORS)
def test_network_and_prior_are_those_of_the_settings(activation, prior):
    chosen = replace(SETTINGS.network, activation=activation, prior=prior)
    settings = replace(SETTINGS, network=chosen)
    assert network_of(settings.network, transformer()).activation == activation
    assert prior_of(settings.network) == PRIORS[prior](0.5)


def some_weights(objective: NetworkObjective) -> np.ndarray:
    return np.random.default_rng(0).normal(scale=0.5, size=objective.network.size)


def terms(objective: NetworkObjective, aux, keys=KEYS) -> dict[str, np.ndarray]:
    """Every term for many keys."""
    weights = some_weights(objective)

    def at(key):
        return objective.terms(weights, aux, key=key)

    many = jax.jit(jax.vmap(at), compiler_options=QUICKLY)(keys)
    return {name: np.asarray(values, dtype=float) for name, values in many.items()}


def halves(objective: NetworkObjective, aux) -> dict[str, np.ndarray]:
    """Half of the squared rows for many keys."""
    weights = some_weights(objective)

    def at(key):
        return {
            name: 0.5 * jnp.sum(jax.vmap(row, (None, 0))(weights, items) ** 2)
            for name, (row, items) in objective.rows(aux, key=key).items()
        }

    many = jax.jit(jax.vmap(at), compiler_options=QUICKLY)(KEYS)
    return {name: np.asarray(values, dtype=float) for name, values in many.items()}


def assert_mean(values: np.ndarray, truth: float) -> None:
    """Four standard errors; and the standard error is small, or nothing would be tested."""
    error = values.std() / np.sqrt(len(values))
    assert error < 0.05 * abs(truth)
    assert abs(values.mean() - truth) < 4 * error + 1e-4 * abs(truth)


@pytest.fixture(scope="module")
def own() -> dict[str, dict[str, np.ndarray]]:
    """The default likelihood, on small and larger batches and as rows."""
    aux = setup().first_aux()
    aux = {"variance": aux["variance"] * np.linspace(0.5, 2.0, aux["variance"].size)}
    return {
        "small": terms(objective_of(setup()), aux),
        "double": terms(objective_of(setup(batch=64)), aux),
        "rows": halves(objective_of(setup()), aux),
        "double rows": halves(objective_of(setup(rows=80)), aux),
        "aux": aux,
    }


@pytest.fixture(scope="module")
def function() -> dict[str, np.ndarray]:
    """The network at every reading, and the equation on a grid, as it is written."""
    ready = setup()
    objective = objective_of(ready)
    weights, residuals = some_weights(objective), ready.problem.residuals()
    middles = (np.arange(64) + 0.5) / 64
    inside = np.stack(np.meshgrid(middles, middles), axis=-1).reshape(-1, 2)
    start = np.stack([middles, np.zeros(64)], axis=1)

    @partial(jax.jit, compiler_options=QUICKLY)
    def all_of(readings, inside, start):
        field = objective.network.field(weights)
        return {
            "mean": jax.vmap(field)(readings),
            "interior": jax.vmap(lambda p: residuals["interior"](field, p))(inside),
            "initial": jax.vmap(lambda p: residuals["initial"](field, p))(start),
        }

    readings = ready.readings
    found = jax.tree.map(np.asarray, all_of(readings.cell_points, inside, start))
    return found | {"values": readings.cell_values}


def test_a_batch_of_readings_stands_for_all(own, function):
    variance = own["aux"]["variance"]
    squares = 0.5 * np.sum((function["mean"] - function["values"]) ** 2 / variance)
    np.testing.assert_allclose(own["rows"]["readings"], squares, rtol=1e-4)
    for batch in ("small", "double"):
        assert np.ptp(own[batch]["readings"]) > 0
        assert_mean(own[batch]["readings"], squares + 0.5 * np.sum(np.log(variance)))


@pytest.mark.parametrize("name", ["interior", "initial"])
@pytest.mark.parametrize("way", ["small", "double", "rows", "double rows"])
def test_a_residual_weighs_the_same_on_however_many_points(name: str, way: str, own, function):
    """It is an integral over its region, whether by mini-batches or as rows for Gauss-Newton."""
    problem = transformer()
    count, scale = problem.pseudo_observations()[name], problem.scales()[name]
    truth = 0.5 * count * np.mean((function[name] / scale) ** 2)
    assert_mean(own[way][name], truth)


def test_the_divergence_is_weighed_and_knows_no_batch(own):
    objective = objective_of(setup())
    penalty = float(PRIOR.penalty(jnp.asarray(some_weights(objective))))
    np.testing.assert_allclose(own["small"]["divergence"], penalty, rtol=1e-4)
    tempered = objective_of(setup(), kl_weight=0.25)
    found = jax.jit(
        lambda: tempered.terms(some_weights(objective), own["aux"], key=KEY)["divergence"]
    )()
    np.testing.assert_allclose(found, 0.25 * penalty, rtol=1e-4)
    assert objective.ridge == pytest.approx(1 / 0.5**2)


def test_chance_that_is_drawn_for_many_steps_is_that_of_each():
    ready = setup()
    objective = ready.objective(MeanField(PRIOR))
    weights, aux, keys = some_weights(objective).astype("f4"), ready.first_aux(), KEYS[:3]
    params = {"mean": weights, "log_std": np.full_like(weights, -1.0)}

    @partial(jax.jit, compiler_options=QUICKLY)
    def both(keys):
        chance = jax.vmap(lambda key: objective.chance(params, aux, key=key))(keys)
        by_chance = jax.vmap(lambda one: objective.terms_by(params, aux, one))(chance)
        return by_chance, [objective.terms(params, aux, key=key) for key in keys]

    by_chance, by_key = both(keys)
    for number, one in enumerate(by_key):
        for name, value in one.items():
            np.testing.assert_allclose(by_chance[name][number], value, rtol=1e-4, err_msg=name)
    # Every step has readings, points and a function of its own.
    assert len(np.unique(np.asarray(by_chance["interior"]))) == len(keys)


def test_a_small_batch_still_sees_every_residual():
    objective, aux = objective_of(setup(batch=4)), setup().first_aux()
    assert np.isfinite(terms(objective, aux, KEYS[:2])["initial"]).all()


def test_what_is_not_asked_for_is_no_term():
    """Shapes alone: nothing is computed."""

    def named(ready: Setup) -> tuple[set[str], set[str]]:
        objective, aux = objective_of(ready), {"variance": np.ones(ready.readings.values.size)}
        weights = some_weights(objective)
        made = jax.eval_shape(lambda: objective.terms(weights, aux, key=KEY))
        rows = jax.eval_shape(lambda: {n: r.items for n, r in objective.rows(aux, key=KEY).items()})
        return set(made), set(rows)

    assert named(setup(physics=False)) == ({"divergence", "readings"}, {"readings"})
    rod = Setup.of(SQUARE_PROBLEMS["loose-rod"](), SETTINGS, key=KEY, monitor=QUIET)
    regions = {"interior", "wall", "initial"}
    assert named(rod) == ({"divergence"} | regions, regions)


@pytest.mark.parametrize("name", SQUARE_PROBLEMS)
def test_jets_do_not_change_an_equation(name: str):
    """Residuals, outputs and how weights move them, in double precision."""
    network = MLP(Harmonics(1), (3,), 2)
    weights = np.random.default_rng(0).normal(size=network.size)

    def plain(residual, weights, points):
        values = jax.vmap(lambda p: residual(network.field(weights), p))(points)
        return values, jax.vmap(network.at, (None, 0))(weights, points)

    def fused(residual, weights, points):
        return residual_values(residual, network, weights, points)

    with jax.enable_x64(True):
        problem = SQUARE_PROBLEMS[name]()

        @partial(jax.jit, compiler_options=QUICKLY)
        def both(weights):
            def squares(weights, way):
                found = {}
                for one, (label, residual) in enumerate(problem.residuals().items()):
                    points = problem.regions()[label].points(7, key=jax.random.key(one))
                    found[label] = way(residual, weights, points)
                return sum(jnp.sum(values**2) for values, _ in found.values()), found

            return [jax.grad(squares, has_aux=True)(weights, way) for way in (plain, fused)]

        one, other = both(weights)
    for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10)
    assert all(np.abs(values).max() > 0.01 for values, _ in one[1].values())


NETWORK = MLP(Harmonics(1), (5, 4), 1)
PARAMS = np.random.default_rng(2).normal(size=NETWORK.size).astype(np.float32)


def sampled(family, params) -> np.ndarray:
    def of(key):
        return family.sample(params, key=key)

    return np.asarray(jax.jit(jax.vmap(of), compiler_options=QUICKLY)(KEYS), dtype=float)


def test_dropout_strikes_whole_units_and_keeps_the_mean():
    rate, family = 0.2, Dropout(NETWORK, 0.2, PRIOR)
    ratio = sampled(family, jnp.asarray(PARAMS)) / PARAMS
    np.testing.assert_allclose(np.unique(ratio.round(6)), [0.0, 1.0, 1.25])
    # Inputs of the network and biases stay; what leaves a hidden unit stays or goes as one.
    first, second, last = np.split(ratio, [(4 + 1) * 5, (4 + 1) * 5 + (5 + 1) * 4], axis=1)
    np.testing.assert_allclose(first, 1.0, rtol=1e-6)
    kept = []
    for part, units, outputs in ((second, 5, 4), (last, 4, 1)):
        weights, biases = np.split(part, [units * outputs], axis=1)
        np.testing.assert_allclose(biases, 1.0, rtol=1e-6)
        weights = weights.reshape(len(KEYS), units, outputs)
        np.testing.assert_allclose(
            weights, np.broadcast_to(weights[:, :, :1], weights.shape), rtol=1e-6
        )
        kept.append(weights[:, :, 0] > 0)
    units = np.concatenate(kept, axis=1)
    # Nine coins, tossed eight hundred times, each by itself.
    spread = np.sqrt(rate * (1 - rate) / len(KEYS))
    assert np.abs(units.mean(axis=0) - (1 - rate)).max() < 4 * spread
    apart = np.corrcoef(units.T) - np.eye(9)
    assert np.abs(apart).max() < 5 / np.sqrt(len(KEYS))
    np.testing.assert_array_equal(family.centre(PARAMS), PARAMS)


def test_independent_weights_are_drawn_as_they_say():
    log_std = np.linspace(-3.0, 1.0, NETWORK.size).astype(np.float32)
    params = {"mean": PARAMS, "log_std": log_std}
    family = MeanField(PRIOR)
    white = (sampled(family, params) - PARAMS) / np.exp(log_std)
    assert np.abs(white.mean(axis=0)).max() < 4.5 / np.sqrt(len(KEYS))
    covariance = white.T @ white / len(KEYS)
    assert np.abs(covariance - np.eye(NETWORK.size)).max() < 5.5 * np.sqrt(2 / len(KEYS))
    np.testing.assert_array_equal(family.centre(params), PARAMS)
    assert not family.certain


def test_one_function_is_certain_of_itself():
    family = Point(PRIOR)
    assert family.certain
    np.testing.assert_array_equal(sampled(family, PARAMS), np.tile(PARAMS, (len(KEYS), 1)))


@dataclass(frozen=True)
class Stopped(Monitor):
    """Somebody who presses Ctrl-C before the first look."""

    @contextmanager
    def bar(self, name: str) -> Iterator[Bar]:
        def look(done: int, total: int, text: str) -> None:
            raise KeyboardInterrupt

        yield look


def test_one_control_c_ends_all_stages_and_resuming_makes_up_for_it(tmp_path: Path):
    stages = replace(SETTINGS.training, own=Stage("adam", 4, look=2))
    likelihood = replace(SETTINGS.likelihood, physics=False)
    method = DropoutNetwork(replace(SETTINGS, training=stages, likelihood=likelihood))
    problem = transformer()
    stopped = method.fit(problem, key=KEY, monitor=Stopped(tmp_path))
    assert stopped.record["interrupted"]
    assert not any(name.startswith("history") for name in stopped.record)
    resumed = method.fit(problem, key=KEY, monitor=Monitor(tmp_path, resume=True))
    whole = method.fit(problem, key=KEY)
    np.testing.assert_array_equal(resumed.params, whole.params)
    assert not resumed.record["interrupted"]


def test_few_readings_cannot_tell_noise_from_a_function_that_changes():
    few, many = setup(readings=12), setup()
    aux = few.first_aux()
    assert few.unresolved_variance(aux) == pytest.approx(np.median(aux["variance"]))
    assert many.unresolved_variance(many.first_aux()) == 0.0
