"""Functions whose size nothing states: loads and walls at zero alone."""

import jax
import numpy as np
import pytest

import agewise
from agewise import partial, second_partial
from agewise.engine.equations.fitting.stated import on_network
from agewise.engine.equations.objective.collocation import driving_sizes
from agewise.engine.training import Monitor, Stages

STIFFNESS, LOAD, LENGTH = 2e6, 5e3, 3.0


def cantilever(**sizes: float) -> agewise.Problem:
    """EI w'''' = q in N and m, held at one end: it bends by 25 mm at the other."""
    free, held = [{"x": LENGTH}], [{"x": 0.0}]
    return agewise.Problem(
        equations={
            "bending": lambda w, p: STIFFNESS * second_partial(second_partial(w, 0), 0)(p) - LOAD,
            "clamped": lambda w, p: w(p),
            "no slope": lambda w, p: partial(w, 0)(p),
            "no moment": lambda w, p: STIFFNESS * second_partial(w, 0)(p),
            "no shear": lambda w, p: STIFFNESS * partial(second_partial(w, 0), 0)(p),
        },
        coordinates={"x": (0.0, LENGTH)},
        places={"clamped": held, "no slope": held, "no moment": free, "no shear": free},
        sizes=sizes,
    )


def test_a_cantilever_of_millimetres_bends_as_its_load_says():
    """Taken for a metre, zero left less of the load than the tolerance: sound, and 100 % off."""
    x = np.linspace(0.0, LENGTH, 50)
    true = LOAD * x**2 * (x**2 - 4 * LENGTH * x + 6 * LENGTH**2) / (24 * STIFFNESS)
    small = agewise.EquationSettings(hidden=(10,), attempts=1)
    posterior = agewise.fit(cantilever(), method="map", key=0, settings=small)
    assert posterior.check.sound
    error = posterior.predict(x[:, None]).mean - true
    assert np.linalg.norm(error) < 1e-3 * np.linalg.norm(true)


@pytest.mark.parametrize(("sizes", "held"), [({}, True), ({"u": 1.0}, False)])
def test_an_equation_is_held_to_what_drives_it_where_sizes_are_a_guess(sizes, held: bool):
    stages = Stages(jax.random.key(0), Monitor(None))
    problem = cantilever(**sizes)
    stated = on_network(problem, agewise.EquationSettings(hidden=(8,)), {}, stages)
    drives = driving_sizes(problem, stated.unknown, stated.taken.points)
    assert drives["bending"] == pytest.approx(LOAD)
    assert drives["no moment"] == 0.0
    assert (stated.taken.scales["bending"] == pytest.approx(1e-3 * LOAD)) == held
