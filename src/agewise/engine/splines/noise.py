"""The noise of the sensors, learned from what a smooth function leaves over."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

ROUNDS = 60
"""Newton steps at the most; the objective is convex and a dozen are usual."""
LEAST_SQUARE = 1e-4
"""Least squared error as a share of their mean. A thermometer that shows whole kelvins may stand
still for hours, and a law that follows zeros there runs to anything elsewhere."""
MARGIN = float(np.log(10.0))
"""Natural logarithm of the factor by which a variance may differ from those at the readings: a
cubic runs away from where it was fitted."""
BULK = (0.02, 0.98)
"""Shares of the readings between whose variances that factor begins: a stray one is no rule."""
WIDEST = 700.0
"""Natural logarithm of about the largest number that there is."""

Features = Callable[
    [Float[np.ndarray, "point 2"], Float[np.ndarray, " point"], float | None],
    Float[np.ndarray, "point feature"],
]
"""A design matrix, made of points (x, t), the value of the function there, and the problem's
natural cycle as a share of the window [1]."""


def _constant(points: np.ndarray, value: np.ndarray, period: float | None) -> np.ndarray:
    """One variance everywhere."""
    return np.ones((len(points), 1))


def _by_value(points: np.ndarray, value: np.ndarray, period: float | None) -> np.ndarray:
    """A cubic in the measured quantity: one make of sensor everywhere."""
    # With the power 0 among them, so that one variance everywhere is a special case.
    return np.stack([value**power for power in range(4)], axis=1)


def _by_end(points: np.ndarray, value: np.ndarray, period: float | None) -> np.ndarray:
    """A constant at each end, blended over the height."""
    # The two shares sum to one: equal weights make one variance everywhere.
    return np.stack([1 - points[:, 0], points[:, 0]], axis=1)


def _by_hour(points: np.ndarray, value: np.ndarray, period: float | None) -> np.ndarray:
    """Two harmonics of the natural cycle at each end, blended over the height."""
    ends = _by_end(points, value, period)
    if period is None:
        return ends
    phase = 2 * np.pi * points[:, 1] / period
    # The mean of the cycle comes first, without which a law could not hold a level.
    waves = [np.ones_like(phase)]
    waves += [wave(n * phase) for n in (1, 2) for wave in (np.cos, np.sin)]
    return np.concatenate([ends * wave[:, None] for wave in waves], axis=1)


# The order is part of the format of stored runs, which name a law by its place here.
LAWS: dict[str, Features] = {
    "value": _by_value,
    "end": _by_end,
    "hour": _by_hour,
    "constant": _constant,
}
"""Features of every law by its name; all of them can express one variance everywhere."""


@dataclass(frozen=True)
class NoiseLaw:
    """A variance, log-linear in the features of its kind."""

    kind: str
    """Name of the law, one of `LAWS`."""
    weights: Float[np.ndarray, " feature"]
    """Weights of the features in the natural logarithm of the variance."""
    period: float | None
    """Natural cycle as a share of the window [1]; None without one."""
    bounds: tuple[float, float] = (-np.inf, np.inf)
    """Least and largest natural logarithm of a variance that the law is believed in."""

    def variance(
        self, points: Float[np.ndarray, "point 2"], value: Float[np.ndarray, " point"]
    ) -> Float[np.ndarray, " point"]:
        """The variance of a reading at points, where the function has these values."""
        return np.exp(
            # Clipped as a logarithm, before `exp` could overflow.
            np.clip(LAWS[self.kind](points, value, self.period) @ self.weights, *self.bounds)
        )

    def arrays(self) -> dict[str, np.ndarray]:
        """The law as arrays; a problem without a cycle has a period of zero."""
        kind = np.array(list(LAWS).index(self.kind))
        return {
            "noise_kind": kind,
            "noise_weights": self.weights,
            "noise_period": np.array(self.period or 0.0),
            # Without bounds as wide as numbers go: what is stored is finite.
            "noise_bounds": np.clip(self.bounds, -WIDEST, WIDEST),
        }

    @classmethod
    def restored(cls, arrays: Mapping[str, np.ndarray]) -> "NoiseLaw":
        """The law whose `arrays` these are."""
        kind = list(LAWS)[int(arrays["noise_kind"])]
        # Runs of older versions have no bounds.
        low, high = arrays.get("noise_bounds", (-WIDEST, WIDEST))
        # A stored period of zero stands for none.
        period, weights = float(arrays["noise_period"]) or None, arrays["noise_weights"]
        # A file may be damaged: weights like these belong to no law that was ever fitted.
        if np.abs(weights).max() > WIDEST:
            raise ValueError("a noise beyond all numbers")
        return cls(kind, weights, period, (float(low), float(high)))


def fitted_law(
    points: Float[np.ndarray, "point 2"],
    value: Float[np.ndarray, " point"],
    squares: Float[np.ndarray, " point"],
    period: float | None,
    *,
    kinds: Sequence[str] = tuple(LAWS),
) -> NoiseLaw:
    """The law that explains expected squared errors best, by Schwarz's criterion (BIC).

    Args:
        points: Where the errors were made, (x, t) in the unit square.
        value: The function there, lift included.
        squares: Expected squared errors, in scaled units squared.
        period: Natural cycle as a share of the window [1]; None without one.
        kinds: Names of the laws to choose from.
    """
    squares = np.maximum(squares, LEAST_SQUARE * squares.mean())
    fits = []
    for kind in kinds:
        design = LAWS[kind](points, value, period)
        weights = _maximum_likelihood(design, squares)
        log_variance = design @ weights
        # Half of log σ² + s/σ², summed: minus the log likelihood but for its constant.
        cost = 0.5 * np.sum(log_variance + squares * np.exp(-log_variance))
        # Each parameter costs half a log n, or the law with the most of them would always win.
        fits.append((cost + 0.5 * weights.size * np.log(squares.size), kind, weights))
    _, kind, weights = min(fits, key=lambda fit: fit[0])
    at_readings = LAWS[kind](points, value, period) @ weights
    low, high = np.quantile(at_readings, BULK)
    return NoiseLaw(kind, weights, period, (float(low) - MARGIN, float(high) + MARGIN))


def _maximum_likelihood(
    design: Float[np.ndarray, "point feature"], squares: Float[np.ndarray, " point"]
) -> Float[np.ndarray, " feature"]:
    r"""Minimise $\sum \eta + s e^{-\eta}$ with $\eta = X\beta$ by Newton's method, damped."""
    # Start from one variance everywhere, which every law can express.
    weights = np.linalg.lstsq(design, np.full(len(squares), np.log(squares.mean())), rcond=None)[0]

    def cost(trial: np.ndarray) -> float:
        # A wild trial step must lose the comparison, not overflow.
        eta = np.clip(design @ trial, -60.0, 60.0)
        return float(np.sum(eta + squares * np.exp(-eta)))

    current = cost(weights)
    for _ in range(ROUNDS):
        # Expected square over variance, which is one on average where the law is right.
        pull = squares * np.exp(-np.clip(design @ weights, -60.0, 60.0))
        # dη of η + s e^(-η) is 1 - s e^(-η); its derivative, the curvature below, is s e^(-η).
        gradient = design.T @ (1 - pull)
        # The ridge keeps this solvable where features coincide, as powers of a constant value do.
        curvature = design.T @ (pull[:, None] * design) + 1e-9 * np.eye(weights.size)
        step = np.linalg.solve(curvature, gradient)
        # The longest step that lowers the cost, halved at most 19 times; none if all fail.
        shrink = next((s for s in 0.5 ** np.arange(20) if cost(weights - s * step) < current), 0.0)
        weights = weights - shrink * step
        # A shrink of zero leaves the cost as it was, and ends the loop here too.
        before, current = current, cost(weights)
        if before - current < 1e-9 * abs(current):
            break
    return weights
