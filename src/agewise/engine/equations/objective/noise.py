"""How noisy a sensor is, learned from what the fit leaves over: everywhere alike, by the value,
smooth in place and time, or quiet and loud in turn."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

from agewise.engine.equations.objective.noise_features import (
    READINGS_PER_SPLINE,
    feature_count,
    feature_values,
    roughness,
)
from agewise.engine.equations.objective.regimes import learned_regimes

LEAST_SQUARE = 1e-6
"""Least squared error as a share of their mean: zeros would draw a law to minus infinity."""
SMOOTHINGS = np.logspace(-1, 3, 9)
"""Weights on the roughness of a smooth law that are tried [1]."""
STEPS = 50
"""Newton steps at the most; a dozen are usual."""
EDGE = np.log(3.0)
"""Natural logarithm of the factor by which a variance may leave those at the readings."""

WORTH = 3.0
"""Evidence by which a richer law must be the better one [nats]: odds of twenty to one."""

KINDS = ("constant", "value", "smooth", "regimes")
"""Laws that are tried; the one of the greatest evidence is taken."""
SPREAD_OUT = KINDS[:3]
"""Laws whose variance is log-linear in features, unlike regimes."""


@dataclass(frozen=True, eq=False)
class Noise:
    """The variance of a reading as a function of place and value."""

    kind: str
    """Name of the law, one of `KINDS`."""
    weights: Float[np.ndarray, " feature"]
    """Weights of the features in the natural logarithm of the variance; for regimes that logarithm
    itself, at the knots."""
    box: Float[np.ndarray, "end axis"]
    """Least and largest coordinates, in their units."""
    spread: Float[np.ndarray, " end"]
    """Least and largest value at the readings, in its unit."""
    bounds: tuple[float, float]
    """Least and largest natural logarithm of a variance that the law is believed in."""
    axis: int = 0
    """Position of the coordinate along which regimes change."""
    knots: Float[np.ndarray, " knot"] = field(default_factory=lambda: np.zeros(0))
    """Values of that coordinate, ascending; none for other laws."""

    def variance(
        self, points: Float[np.ndarray, "point axis"], value: Float[np.ndarray, " point"]
    ) -> Float[np.ndarray, " point"]:
        """The variance of a reading at points where the quantity has these values."""
        if self.kind == "regimes":
            # Linear in the logarithm, since from quiet to loud a variance changes by factors.
            return np.exp(np.interp(points[:, self.axis], self.knots, self.weights))
        design = feature_values(self.kind, points, value, self.box, self.spread, len(self.weights))
        return np.exp(np.clip(design @ self.weights, *self.bounds))

    def arrays(self) -> dict[str, np.ndarray]:
        """The law as it is stored."""
        return {
            "kind": np.array(KINDS.index(self.kind)),
            "weights": self.weights,
            "box": self.box,
            "spread": self.spread,
            "bounds": np.array(self.bounds),
            "axis": np.array(self.axis),
            "knots": self.knots,
        }

    @classmethod
    def restored(cls, arrays: Mapping[str, np.ndarray]) -> "Noise":
        """The law whose `arrays` these are."""
        low, high = arrays["bounds"]
        kind = KINDS[int(arrays["kind"])]
        return cls(
            kind,
            arrays["weights"],
            arrays["box"],
            arrays["spread"],
            (float(low), float(high)),
            int(arrays["axis"]),
            arrays["knots"],
        )


def learned_noise(
    points: Float[np.ndarray, "reading axis"],
    value: Float[np.ndarray, " reading"],
    squares: Float[np.ndarray, " reading"],
    box: Float[np.ndarray, "end axis"],
) -> Noise:
    """The law that explains expected squared errors best.

    Args:
        points: Where the readings were taken.
        value: The quantity there, as the fit has it.
        squares: Expected squared errors of the readings.
        box: Least and largest coordinates of the problem.
    """
    # The tiny term is for squares that are all zero, whose mean is no help.
    squares = np.maximum(squares, LEAST_SQUARE * squares.mean() + 1e-300)
    best, highest = _spread_out(points, value, squares, box)
    # Regimes change along one coordinate; which, the evidence tells.
    for axis, coordinate in enumerate(points.T):
        regimes = learned_regimes(coordinate, squares)
        if regimes is not None and regimes.evidence > highest + WORTH:
            bounds = (float(regimes.logs.min()), float(regimes.logs.max()))
            best = Noise("regimes", regimes.logs, box, best.spread, bounds, axis, regimes.places)
            highest = regimes.evidence
    return best


def _spread_out(
    points: np.ndarray, value: np.ndarray, squares: np.ndarray, box: np.ndarray
) -> tuple[Noise, float]:
    """The best of the laws that are log-linear in features, and its evidence [nats]."""
    spread = np.array([value.min(), value.max()])
    best, highest = None, -np.inf
    for kind in SPREAD_OUT:
        count = feature_count(kind, len(squares), points.shape[1])
        # A law with more features than a quarter of its readings is not worth trying.
        if count * READINGS_PER_SPLINE > max(len(squares), READINGS_PER_SPLINE):
            continue
        design = feature_values(kind, points, value, box, spread, count)
        # Only the smooth law has neighbours whose differences could be penalised.
        rough = roughness(count, points.shape[1]) if kind == "smooth" else np.zeros((count, count))
        # Beforehand the level as a whole is as free in one law as in another.
        level = np.eye(count) / (count if kind == "smooth" else 1)
        for weight in SMOOTHINGS if kind == "smooth" else (1.0,):
            weights, evidence = _fitted(design, squares, weight * rough + level)
            # Weights of one law compete freely; another law must be worth its while.
            richer = best is not None and best[0] != kind
            if evidence > highest + (WORTH if richer else 0.0):
                best, highest = (kind, weights, design @ weights), evidence
    assert best is not None  # the constant law has one feature and is always tried
    kind, weights, logs = best
    bounds = (float(logs.min() - EDGE), float(logs.max() + EDGE))
    return Noise(kind, weights, box, spread, bounds), highest


def _fitted(
    design: Float[np.ndarray, "reading feature"],
    squares: Float[np.ndarray, " reading"],
    rough: Float[np.ndarray, "feature feature"],
) -> tuple[Float[np.ndarray, " feature"], float]:
    r"""Weights that minimise $\tfrac12\sum(\eta + s e^{-\eta}) + \tfrac12 b^T R b$ with
    $\eta = m + Xb$, and the logarithm of their evidence by Laplace's approximation.

    Roughness counts departures from the mean level $m$, which is part of the weights given back.
    """
    # About the mean variance, so that the prior pulls to that and not to one.
    level = float(np.log(squares.mean()))
    ridge, weights = rough, np.zeros(design.shape[1])

    def cost(trial: np.ndarray) -> float:
        # A wild trial step must lose the comparison, not overflow.
        eta = np.clip(level + design @ trial, -300.0, 300.0)
        return 0.5 * float(np.sum(eta + squares * np.exp(-eta)) + trial @ ridge @ trial)

    current = cost(weights)
    curvature = ridge
    for _ in range(STEPS):
        pull = squares * np.exp(-np.clip(level + design @ weights, -300.0, 300.0))
        gradient = 0.5 * design.T @ (1 - pull) + ridge @ weights
        # The expected curvature, which is positive whatever the errors are.
        curvature = 0.5 * design.T @ design + ridge
        step = np.linalg.solve(curvature, gradient)
        shrink = next((s for s in 0.5 ** np.arange(20) if cost(weights - s * step) < current), 0.0)
        weights = weights - shrink * step
        before, current = current, cost(weights)
        if before - current < 1e-9 * abs(current) + 1e-12:
            break
    # Laplace: -cost - ½ log|H| + ½ log|R|, in which the powers of 2π cancel.
    evidence = -current - 0.5 * np.linalg.slogdet(curvature)[1] + 0.5 * np.linalg.slogdet(ridge)[1]
    # The level is carried by the features, which sum to one at every point (or hold a constant).
    carried = level if len(weights) > 3 or len(weights) == 1 else level * np.eye(len(weights))[0]
    return weights + carried, float(evidence)
