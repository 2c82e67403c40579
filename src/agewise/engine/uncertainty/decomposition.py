"""Two uncertainties from draws: what the model does not know, and what the sensors blur.

And, where the truth is known, whether each of the two is as large as it should be.
"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.engine.uncertainty.coverage import rms

CONSTANT = 1e-12
"""Spread relative to the size below which a variance counts as one number."""


@dataclass(frozen=True, eq=False)
class Prediction:
    """A mean and two variances at every point; the axes are the caller's, (time, height) mostly."""

    mean: Float[np.ndarray, "*point"]
    """Expected value, in the unit of the readings."""
    epistemic: Float[np.ndarray, "*point"]
    """Variance because the function is not known, in squared units: it falls with more data."""
    aleatoric: Float[np.ndarray, "*point"]
    """Variance of a reading's noise, in squared units: it stays, whatever is learned."""

    def __post_init__(self):
        for name, variance in (("epistemic", self.epistemic), ("aleatoric", self.aleatoric)):
            # Not `any(variance < 0)`, which would let a NaN pass.
            if not np.all(variance >= 0):
                raise ValueError(f"The {name} variance is negative or not a number somewhere.")

    @property
    def total(self) -> Float[np.ndarray, "*point"]:
        """Variance of a new reading."""
        return self.epistemic + self.aleatoric


def decomposition(
    means: Float[np.ndarray, "draw *point"], variances: Float[np.ndarray, "draw *point"]
) -> Prediction:
    r"""Split the variance of a reading by the law of total variance.

    $\operatorname{Var} y = \operatorname{Var}_k \mu_k + \operatorname{E}_k \sigma_k^2$, where
    draw $k$ says $y \sim N(\mu_k, \sigma_k^2)$. The draws stand for the whole posterior, so both
    parts divide by their number (ddof 0): then the parts add up to the variance of the mixture
    of the draws exactly. Returns the mean of the draws and the two parts; draws that agree, or a
    single one, have no epistemic part, to the last bit.
    """
    if not len(means):
        raise ValueError("There is nothing to split; give one or more draws.")
    # Seen from the first draw, agreeing draws differ by nothing and large means cost no digits.
    departures = np.asarray(means, np.float64) - means[0]
    return Prediction(
        mean=means[0] + departures.mean(axis=0),
        epistemic=departures.var(axis=0, ddof=0),
        aleatoric=np.asarray(variances, np.float64).mean(axis=0),
    )


@dataclass(frozen=True)
class Spread:
    """The middle of many values and the range that holds nine in ten."""

    median: float
    """Value below which half of all lie."""
    p05: float
    """Value below which 5 % lie."""
    p95: float
    """Value below which 95 % lie."""


@dataclass(frozen=True)
class Split:
    """How the two uncertainties compare with the truth; 1 is perfect throughout.

    A method without epistemic uncertainty has `epistemic_z` and `rms_ratio` infinite as soon as it
    errs; where it neither errs nor doubts, they are 0. A noise that is one number has no ranks, so
    its correlation is not a number.
    """

    aleatoric_ratio_boundary: Spread
    """Estimated over injected variance [1] at the first and last height, where it is inferred."""
    aleatoric_ratio_inside: Spread
    """Estimated over injected variance [1] between them, where it is interpolated."""
    aleatoric_rank_correlation: float
    """Spearman's rank correlation [1] of estimated and injected variance over the grid."""
    epistemic_z: float
    """Root mean square of error over epistemic standard deviation [1]: 1 is honest."""
    rms_ratio: float
    """Root mean square error over that of the epistemic standard deviation [1]."""


def split(
    prediction: Prediction,
    truth: Float[np.ndarray, "time height"],
    noise_std: Float[np.ndarray, "time height"],
) -> Split:
    r"""Hold the aleatoric part against the injected noise and the epistemic part against the error.

    Ratios $\sigma_a^2 / s^2$ over the points, and $z = \operatorname{rms}((\mu - T)/\sigma_e)$
    over all of them: near 1 when the model knows how much it does not know.
    """
    ratio = prediction.aleatoric / noise_std**2
    error, std = np.abs(prediction.mean - truth), np.sqrt(prediction.epistemic)
    return Split(
        # Columns are heights: the first and the last are the ends, where sensors are.
        aleatoric_ratio_boundary=_spread(ratio[:, [0, -1]]),
        aleatoric_ratio_inside=_spread(ratio[:, 1:-1]),
        aleatoric_rank_correlation=_rank_correlation(prediction.aleatoric, noise_std**2),
        epistemic_z=rms(_over(error, std)),
        # Both as arrays without axes, so that a deviation of zero is treated as above.
        rms_ratio=float(_over(np.array(rms(error)), np.array(rms(std)))),
    )


def _spread(values: Float[np.ndarray, "..."]) -> Spread:
    p05, median, p95 = np.quantile(values, [0.05, 0.5, 0.95]).tolist()
    return Spread(median, p05, p95)


def _rank_correlation(a: Float[np.ndarray, "*point"], b: Float[np.ndarray, "*point"]) -> float:
    """Spearman's: the correlation of ranks. SciPy has it too, but takes a second to load."""
    # Rounding alone makes a constant noise vary, and its ranks would be those of the rounding.
    if any(np.ptp(values) <= CONSTANT * values.max() for values in (a, b)):
        return math.nan
    ranks = np.stack([_ranks(a.ravel()), _ranks(b.ravel())], axis=1)
    return float(np.corrcoef(ranks, rowvar=False)[1, 0])


def _ranks(values: Float[np.ndarray, " point"]) -> Float[np.ndarray, " point"]:
    """Ranks from 1; equal values share the mean of theirs."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    # The last rank that a value takes, less half of how far its equals reach down from there.
    return (np.cumsum(count) - (count - 1) / 2)[place]


def _over(
    error: Float[np.ndarray, "*point"], std: Float[np.ndarray, "*point"]
) -> Float[np.ndarray, "*point"]:
    """Error over deviation; without deviation infinite, unless there is no error either."""
    # Where nothing is divided, what `out` holds already is the answer.
    with np.errstate(over="ignore"):
        return np.divide(error, std, out=np.where(error > 0, np.inf, 0.0), where=std > 0)
