"""Problems that methods of the unit square can take, for tests that run over all of them."""

from agewise.engine.problems.base import AbstractProblem
from agewise.library import PROBLEMS
from agewise.library.heat_rod import HeatRod

SQUARE = {"x": (0.0, 1.0), "t": (0.0, 1.0)}


def on_the_square(problem: AbstractProblem) -> bool:
    """Whether it is one function of (x, t) there, without constants, every residual with a scale.

    Lines, splines and the first networks know nothing else; `agewise.fit` takes them all.
    """
    plain = dict(problem.coordinates()) == SQUARE and not problem.constants()
    scaled = problem.scales() and all(scale > 0 for scale in problem.scales().values())
    read = all(sensor.quantity is None for sensor in problem.observations().values())
    return bool(plain and scaled and read and len(problem.functions()) == 1)


def loose_rod() -> HeatRod:
    """The rod with a scale for every residual, as exact ones have none."""
    return HeatRod(looseness=1.0)


NAMES = ("transformer-heat",)
SQUARE_PROBLEMS = {"loose-rod": loose_rod, **{name: PROBLEMS[name] for name in NAMES}}
"""By name, since to ask each problem would be to make it; `library/test_contract.py` asks."""
