"""Whether what readings alone tell runs far beyond them from one reading to the next."""

import numpy as np
from jaxtyping import Float

from agewise.engine.problems.base import AbstractProblem

BEYOND = 1.0
"""How far between two readings a sensor's quantity may leave what it read, over the spread of its
readings, largest less least [1]. Right fits of Yang's three problems and of a random source leave
it by 0.09 and less; where a boundary layer was taken for a spike of its source it was 9 to 45."""
FEWEST_READINGS = 8
"""Readings from which neighbours tell what lies between them."""
WIDE_GAP = 2.0
"""Distance of two neighbours over that of even readings [1] from which it is a hole."""
BETWEEN = 16
"""Points between two neighbours at which is looked."""


def told_by_readings(problem: AbstractProblem) -> bool:
    """Whether equations along the only coordinate are fewer than functions, so that readings alone
    say what one of them, or a source, is."""
    regions = problem.regions()
    inside = [name for name in problem.residuals() if regions[name].solid]
    return len(problem.coordinates()) == 1 and len(inside) < len(problem.functions())


def between(
    points: Float[np.ndarray, "reading 1"], box: Float[np.ndarray, "end 1"]
) -> Float[np.ndarray, "point 1"]:
    """Points between neighbouring readings; none where readings are few or holes wide."""
    places = np.unique(points[:, 0])
    if len(places) < FEWEST_READINGS:
        return np.zeros((0, 1))
    gaps = np.diff(places)
    near = gaps < WIDE_GAP * float(np.ptp(box)) / (len(places) - 1)
    shares = np.arange(1, BETWEEN + 1) / (BETWEEN + 1)
    return (places[:-1][near, None] + gaps[near, None] * shares).reshape(-1, 1)


def beyond_finding(
    name: str,
    points: Float[np.ndarray, "point 1"],
    there: Float[np.ndarray, " point"],
    values: Float[np.ndarray, " reading"],
) -> str | None:
    """What is wrong where a quantity leaves its readings between them; None where it does not.

    Args:
        name: Name of the sensor.
        points: Places between its readings.
        there: What the fit would have it read there.
        values: What it read.
    """
    low, high = float(values.min()), float(values.max())
    if not len(points):
        return None
    away = np.maximum(there - high, low - there)
    worst = int(np.argmax(away))
    if away[worst] <= BEYOND * (high - low):
        return None
    return (
        f"Between its readings, which lie from {low:.3g} to {high:.3g}, {name!r} goes to "
        f"{there[worst]:.3g} (at {points[worst, 0]:.3g}), and no equation says so: another course "
        "may do as well. Read it more densely, and make what it reads a function of its own if it "
        "is made of derivatives."
    )
