"""Whether an equation has a solution beside the one that a fit has found."""

from dataclasses import replace

import jax
import numpy as np
from jaxtyping import Float

from agewise.engine.equations.fitting.determined import with_wide_gains
from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.fitting.rest import rest
from agewise.engine.equations.fitting.stated import Stated, on_network
from agewise.engine.equations.functions.unknown import values_at
from agewise.engine.equations.objective.collocation import box_of
from agewise.engine.equations.objective.deflated import DeflatedObjective
from agewise.engine.equations.objective.sensors import ABOUT_ONE
from agewise.engine.equations.posterior.check import solutions_remark
from agewise.engine.problems.linearity import nonlinear_residuals
from agewise.engine.training import Stage

PLACES = 50
"""Points at which two solutions are compared."""
PRIOR = 1e-3
"""Weight of the prior while the fit is kept away [1], as in the first steps of any fit."""
TOLERANCE = 0.05
"""Share [1] by which a look must lower the loss meanwhile for a start to go on."""
LARGER = (1.0, 10.0, 10.0, 30.0, 30.0)
"""Size of the functions that a start begins with over that of the known solution [1], start by
start. Bratu's upper solution is 29 times as large as the lower one: of starts of ten times its size
three in four find it where that was stated and none where it was not, of thirty times a half of
either."""
STEEPEST = 2.0
"""Power of that factor with which terms of the equation may grow for such a start to be made. Of an
exponential they may grow without bound, and beside them anything passes for a solution."""
APART = 0.1
"""Distance of two functions over the larger one's size from which they are different solutions."""


def with_other_solution(fitted: Fitted) -> Fitted:
    """The fit with a remark where another solution was found, or that one if it is meant.

    Meant is the one whose size is nearer to the expected one, if any is stated.
    """
    other = other_solution(fitted)
    if other is None:
        return fitted
    sizes = [_size(fitted), _size(other)]
    expected = next(iter(fitted.problem.sizes().values()), None)
    if expected is not None and _off(sizes[1], expected) < _off(sizes[0], expected):
        fitted, sizes = other, sizes[::-1]
    remark = solutions_remark(*sizes, stated=expected is not None)
    return replace(fitted, check=fitted.check.with_remarks(remark))


def other_solution(fitted: Fitted) -> Fitted | None:
    """A second solution of the equation; None where none was found.

    Looked for where nothing is read and one start is cheap: one function of one coordinate.
    """
    if not _may_have_another(fitted):
        return None
    other = _another(fitted)
    # Both must solve the equation, and be two functions.
    apart = _apart(fitted, other) > APART * max(_size(fitted), _size(other))
    # Taken for larger than it is, any small function passes for a solution.
    assumed, before = (next(iter(fit.unknown.functions.values())).size for fit in (other, fitted))
    as_large = assumed <= before or _size(other) > float(assumed) / ABOUT_ONE
    return other if other.check.sound and apart and as_large else None


def _may_have_another(fitted: Fitted) -> bool:
    problem = fitted.problem
    plain = len(problem.functions()) == len(problem.coordinates()) == 1 and not problem.constants()
    # Of a loose equation, two functions within its scale are doubt, and no two solutions.
    exact = not any(problem.scales().values())
    # Last, since it compiles the equation.
    return plain and exact and not fitted.sensors and bool(nonlinear_residuals(problem))


def _another(fitted: Fitted) -> Fitted:
    """Where Gauss-Newton comes to rest if it is kept away from this solution."""
    stages, settings = fitted.stages, fitted.settings
    steps, look = settings.lead_steps, settings.look
    stage = Stage("gauss-newton", steps, rate=settings.rate, look=look, tolerance=TOLERANCE)
    nearest, found = np.inf, None
    for start, larger in enumerate(LARGER, start=1):
        name, stated = f"another, start {start}", _begun(fitted, larger)
        objective = replace(stated.objective(), prior_weight=PRIOR)
        kept_away = DeflatedObjective(objective, _places(fitted), _values(fitted))
        rng = np.random.default_rng(np.asarray(jax.random.key_data(stages.key_of(name))))
        end = stages.run(name, stage, kept_away, stated.unknown.initial(rng), {})
        loss = float(end.history["total"][-1]) if end.history else np.inf
        if found is None or loss < nearest:
            nearest, found = loss, (stated, np.asarray(end.params))
        # Errors about as large as declared: a solution.
        if end.interrupted or loss < stated.rows:
            break
    assert found is not None
    stated, numbers = found
    # Looked for among exact equations without readings only, which determine it.
    stated, numbers = with_wide_gains(stated, numbers)
    return rest(stated, stages, numbers, name="another")


def _begun(fitted: Fitted, larger: float) -> Stated:
    """The problem as an attempt begins with it, for functions so many times as large, unless terms
    of the equation grow too steeply with them."""
    gains = {name: np.ones_like(of) for name, of in fitted.unknown.gains().items()}
    unknown = fitted.unknown.with_gains(gains)
    same = Stated(fitted.problem, fitted.settings, unknown, fitted.taken, fitted.sensors)
    sizes = {name: larger * float(of.size) for name, of in fitted.unknown.functions.items()}
    if larger == 1.0:
        return same
    other = on_network(fitted.problem, fitted.settings, fitted.sensors, fitted.stages, sizes)
    grown = (other.taken.scales[name] / scale for name, scale in same.taken.scales.items())
    return other if max(grown) <= larger**STEEPEST else same


def _places(fitted: Fitted) -> Float[np.ndarray, "point axis"]:
    low, high = box_of(fitted.problem)
    return np.linspace(low, high, PLACES)


def _values(fitted: Fitted) -> Float[np.ndarray, " point"]:
    name = next(iter(fitted.unknown.functions))
    with jax.enable_x64(True):
        return np.asarray(values_at(fitted.unknown, fitted.numbers, name, _places(fitted)))


def _size(fitted: Fitted) -> float:
    return float(np.sqrt(np.mean(_values(fitted) ** 2)))


def _apart(fitted: Fitted, other: Fitted) -> float:
    return float(np.sqrt(np.mean((_values(fitted) - _values(other)) ** 2)))


def _off(size: float, expected: float) -> float:
    """How many times too large or too small, as a logarithm."""
    return abs(float(np.log(max(size, 1e-300) / expected)))
