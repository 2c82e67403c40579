"""The published recipe: its objective written out in NumPy, and what only the paper does."""

from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agewise.engine.inference.published.methods import PUBLISHED, AbstractPublished, VanillaPINN
from agewise.engine.inference.published.objective import PublishedObjective
from agewise.engine.inference.published.settings import PublishedSettings, literal, paper
from agewise.engine.objective.settings import Aleatoric
from agewise.engine.training import QUIET, Stage, Stages
from agewise.library import PROBLEMS

QUICKLY = {"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": False}
"""What runs once is compiled without optimisation, in a fifth of the time."""
KEY = jax.random.key(0)
KEYS = jax.random.split(jax.random.key(1), 800)
FEW = Stage("adam", 4, 1e-3, look=2)
PROBLEM = PROBLEMS["transformer-heat"]()
SHARE = 0.3
"""Weight on the equation."""


def small(method: str, aleatoric: Aleatoric = "heteroscedastic", **changes) -> PublishedSettings:
    """The recipe of a method on a small network with few points."""
    settings = literal(method, aleatoric)
    network = replace(settings.network, hidden=(8,))
    counts = {"readings": 0, "points": 150, "starts": 50, "batch": 32} | changes
    return replace(settings, network=network, interior_weight=SHARE, **counts)


def objective_of(method: AbstractPublished, *, full: bool = False) -> PublishedObjective:
    readings = method.readings(PROBLEM, key=KEY)
    return method.objective(PROBLEM, readings, Stages(KEY, QUIET), full=full)


def some_weights(objective: PublishedObjective) -> np.ndarray:
    return np.random.default_rng(0).normal(scale=0.5, size=objective.network.size)


def written_out(objective: PublishedObjective) -> tuple[dict[str, np.ndarray], dict, dict]:
    """Errors and outputs of every kind of point, and the terms as the objective has them."""
    weights, residuals = some_weights(objective), PROBLEM.residuals()

    @partial(jax.jit, compiler_options=QUICKLY)
    def all_of(weights):
        field, errors, outputs = objective.network.field(weights), {}, {}
        for name, points in objective.fixed.items():
            points = jnp.asarray(points)
            errors[name] = jax.vmap(lambda p, name=name: residuals[name](field, p))(points)
            outputs[name] = objective.network.values(weights, points)
        outputs["readings"] = objective.network.values(weights, jnp.asarray(objective.points))
        return errors, outputs, objective.terms(weights, {}, key=KEY)

    errors, outputs, terms = jax.tree.map(np.asarray, all_of(weights))
    errors["readings"] = outputs["readings"][:, 0] - objective.values
    return errors, outputs, terms


@pytest.mark.parametrize("noise", ["head", "fixed", "none"])
def test_every_term_is_the_published_one(noise: str):
    """One noise for readings and residuals: the second output, a hundredth, or mean squares."""
    method = "map" if noise == "none" else "dropout"
    aleatoric = "homoscedastic" if noise == "fixed" else "heteroscedastic"
    # The vanilla network's family is a point: its objective at weights is that of one function.
    whole = objective_of(VanillaPINN(small(method, aleatoric)), full=True)
    errors, outputs, terms = written_out(whole)
    assert set(terms) == {"divergence", "readings", "interior", "initial"}
    for name, weight in {"readings": 1.0, "interior": SHARE, "initial": 1.0}.items():
        variance = np.log1p(np.exp(outputs[name][:, -1])) + 1e-6 if noise == "head" else 0.01**2
        truth = 0.5 * np.sum(errors[name] ** 2 / variance + np.log(variance))
        truth = np.mean(errors[name] ** 2) if noise == "none" else truth
        assert terms[name] == pytest.approx(weight * truth, rel=1e-4), name


@pytest.mark.parametrize("means", [False, True], ids=["sums", "means"])
def test_a_residual_may_have_a_unit_and_a_variance_of_its_own(means: bool):
    """Half its squares in that unit, and no logarithm of a variance; readings stay as they are."""
    settings = small("dropout", residual_noise="own", residual_factor=7.0, means=means)
    errors, outputs, terms = written_out(objective_of(VanillaPINN(settings), full=True))
    half = 0.5 * np.sum((7.0 * errors["interior"]) ** 2)
    count = len(errors["interior"]) if means else 1
    assert terms["interior"] == pytest.approx(SHARE * half / count, rel=1e-4)
    variance = np.log1p(np.exp(outputs["readings"][:, -1])) + 1e-6
    truth = 0.5 * np.sum(errors["readings"] ** 2 / variance + np.log(variance))
    count = len(errors["readings"]) if means else 1
    assert terms["readings"] == pytest.approx(truth / count, rel=1e-4)


@pytest.mark.parametrize("method", ["vi", "dropout", "map"])
def test_the_chosen_reading_keeps_all_that_is_printed(method: str):
    chosen, printed = paper(method, "heteroscedastic"), literal(method, "heteroscedastic")
    kept = ("interior_weight", "readings", "points", "starts", "dropout", "draws", "network")
    assert all(getattr(chosen, name) == getattr(printed, name) for name in kept)
    assert chosen.training.own.steps == printed.training.own.steps
    assert chosen.training.polish == printed.training.polish
    assert chosen.kl_weight == printed.kl_weight / printed.readings
    # In our scaling both weigh half a squared residual of the Bayesian network by about one.
    net = chosen.interior_weight * chosen.residual_factor**2
    assert method == "map" or net == pytest.approx(1.07, abs=0.01)


def test_a_batch_of_fixed_points_stands_for_all():
    method = VanillaPINN(small("vi"))
    objective, whole = objective_of(method), objective_of(method, full=True)
    weights = some_weights(objective)
    many = jax.vmap(lambda key: objective.terms(weights, {}, key=key))
    batches = jax.tree.map(np.asarray, jax.jit(many, compiler_options=QUICKLY)(KEYS))
    for name, truth in written_out(whole)[2].items():
        values = batches[name].astype(float)
        error = values.std() / np.sqrt(len(values))
        assert name == "divergence" or 0 < error < 0.05 * abs(truth), "nothing would be tested"
        assert abs(values.mean() - truth) < 4 * error + 1e-4 * abs(truth), name


@pytest.mark.parametrize("counts", [(20, 500, 50), (500, 20, 50), (20, 20, 150)])
def test_a_full_batch_holds_every_point(counts: tuple[int, int, int]):
    points, starts, readings = counts
    settings = small("map", points=points, starts=starts, readings=readings)
    objective = objective_of(VanillaPINN(settings), full=True)
    assert {name: len(fixed) for name, fixed in objective.fixed.items()} == {
        "interior": points,
        "initial": starts,
    }
    assert objective.values.size == readings
    assert objective.batch == max(counts)


def test_without_physics_nothing_but_readings_counts():
    assert objective_of(VanillaPINN(small("plain"))).fixed == {}


@pytest.mark.parametrize(("method", "weighs"), [("vi", True), ("dropout", False), ("map", False)])
def test_only_the_bayesian_network_has_a_prior(method: str, weighs: bool):
    # Mean squares are of the order of one: a prior on thousands of weights would drown them.
    published = PUBLISHED[method](small(method))
    objective = objective_of(published)
    params = published.first(jnp.asarray(some_weights(objective)))

    @partial(jax.jit, compiler_options=QUICKLY)
    def divergence(params):
        return objective.terms(params, {}, key=KEY)["divergence"]

    assert bool(divergence(params)) == weighs


def test_a_training_goes_from_adam_to_all_points_at_once():
    # Without physics, since a line search through an equation takes long to compile.
    settings = small("map", physics=False)
    stages = replace(settings.training, own=FEW, polish=Stage("lbfgs", 4, look=2))
    posterior = VanillaPINN(replace(settings, training=stages)).fit(PROBLEM, key=KEY)
    assert list(posterior.record["history_own_step"]) == [2, 4]
    # A full batch knows no chance: its objective can only fall.
    falling = posterior.record["history_polish_total"]
    assert falling[-1] < falling[0] < posterior.record["history_own_total"][-1]
    assert posterior.noise is not None, "mean squares tell no noise, so a law does"


def test_a_bayesian_network_starts_narrow_about_random_weights():
    published = PUBLISHED["vi"](small("vi"))
    weights = np.arange(5.0)
    first = published.first(jnp.asarray(weights))
    np.testing.assert_allclose(first["mean"], weights)
    np.testing.assert_allclose(np.exp(first["log_std"]), 0.03)


def test_a_fixed_noise_is_that_of_readings_and_residuals_alike():
    """A variance of its own stands for the network's second output, and for nothing else."""
    terms = []
    for noise in ("shared", "own"):
        settings = small("dropout", "homoscedastic", residual_noise=noise)
        terms.append(written_out(objective_of(VanillaPINN(settings), full=True))[2])
    assert terms[1]["interior"] == pytest.approx(terms[0]["interior"])
