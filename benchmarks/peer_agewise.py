"""agewise: a step of its Bayesian network in the peers' recipe, and the fit of its default one."""

from argparse import Namespace
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
from protocol import BATCH, BLOCK, RATE, Blocks, Curve, Problem, loaded, report, task

import agewise
from agewise.engine.inference.published.methods import BayesianPINN, VanillaPINN
from agewise.engine.inference.published.settings import literal
from agewise.engine.objective.architecture import network_of, prior_of
from agewise.engine.objective.families import Point
from agewise.engine.objective.setup import Setup, network_values
from agewise.engine.presets import default
from agewise.engine.problems.base import Observations
from agewise.engine.training import QUIET, Stages
from agewise.engine.training.gauss_newton import GaussNewton
from agewise.engine.training.loop import with_arrays
from agewise.engine.training.optimisers import Adam
from agewise.transformer.oil.heat import INITIAL_STD, Scales, TransformerHeat
from agewise.transformer.oil.signal import HeldSignal
from agewise.units import SECONDS_PER_HOUR


def heat(
    problem: Problem, *, with_start: bool = False, measured_air: bool = False
) -> TransformerHeat:
    """The problem of the file as agewise knows it; the air in its source is the function's own
    bottom, or what was measured there."""
    times = np.linspace(0.0, 1.0, len(problem.rise))
    air = np.interp(times, *problem.end(0)) if measured_air else 0.0
    seen = Observations(jnp.asarray(problem.points), jnp.asarray(problem.values))
    return TransformerHeat(
        relaxation=problem.relaxation,
        conduction=problem.conduction,
        rise=HeldSignal(jnp.asarray(times), jnp.asarray(problem.rise + air)),
        units=Scales(1.0, problem.residual_count * SECONDS_PER_HOUR, 0.0, problem.spread),
        sensors={"both": seen},
        discrepancy=problem.residual_std,
        initial_std=INITIAL_STD / problem.spread if with_start else None,
        known=None,
        bottom_is_air=not measured_air,
    )


def milliseconds(
    problem: Problem, asked: Namespace, *, bayesian: bool = True, measured_air: bool = False
) -> float:
    """Of a step: mean and variance out, 256 readings and 256 points; mean-field VI, or one
    deterministic network with mean squares."""
    recipe = literal("vi" if bayesian else "map", "heteroscedastic")
    # As many as the peers have, whatever the recipe's own batch.
    settings = replace(recipe, batch=BATCH)
    method = BayesianPINN(settings) if bayesian else VanillaPINN(settings)
    posed, key = heat(problem, measured_air=measured_air), jax.random.key(asked.seed)
    objective = method.objective(posed, method.readings(posed, key=key), Stages(key, QUIET))
    both = network_of(settings.network, posed, outputs=2)
    params = method.first(both.initial(key=key))
    optimiser = Adam(with_arrays(replace(objective, network=both)), 10**6, RATE)
    state, aux = optimiser.start(params), {}
    blocks, first = Blocks(asked.limit), 0
    while not blocks.finished():
        params, state, _ = optimiser.advance(params, state, aux, first, BLOCK, key=key)
        first += BLOCK
    return blocks.milliseconds()


def curve(problem: Problem, asked: Namespace) -> list[tuple[float, float]]:
    """Error of the most probable function, from which the default Bayesian network sets out."""
    course, settings = Curve(problem, asked.limit), default("vi", "heteroscedastic")
    posed, key = heat(problem, with_start=True), jax.random.key(asked.seed)
    setup = Setup.of(posed, settings, key=key, monitor=QUIET)
    with jax.enable_x64(True):
        weights = np.asarray(setup.network.initial(key=key), dtype=float)
        objective, aux = (
            with_arrays(setup.objective(Point(prior_of(settings.network)))),
            setup.first_aux(),
        )
        optimiser = GaussNewton(objective, 100, 1e-3)
        state, number = optimiser.start(weights), 0

        def values() -> np.ndarray:
            return np.asarray(network_values(setup.network, weights, problem.truth_points))[:, 0]

        while not course.finished(values):
            weights, state, _ = optimiser.advance(weights, state, aux, number, 1, key=key)
            number += 1
    return course.pairs


def main() -> None:
    """Do the task and print its line."""
    asked = task()
    problem = loaded(asked.problem)
    name = f"agewise {agewise.__version__}"
    if asked.what == "fit":
        report(name, curve=curve(problem, asked))
    else:
        variants = {
            "deterministic": milliseconds(problem, asked, bayesian=False),
            "deterministic, with measured air as DeepXDE's": milliseconds(
                problem, asked, bayesian=False, measured_air=True
            ),
        }
        report(name, ms_per_step=milliseconds(problem, asked), variants=variants)


if __name__ == "__main__":
    main()
