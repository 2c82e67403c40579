"""Gaussian predictions against observations: coverage, sharpness and proper scores.

A standard deviation of zero is allowed everywhere: a prediction that claims to be certain.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.special import ndtri

from agewise.units import SECONDS_PER_HOUR

LEVELS = np.arange(1, 100) / 100
"""Probabilities of the central intervals, 0.01 to 0.99."""

CERTAIN = 1e-16
"""Standard deviation over error below which a Gaussian's CRPS is that of a point, to rounding."""


def coverage(
    levels: Float[np.ndarray, " level"],
    mean: Float[np.ndarray, "*point"],
    std: Float[np.ndarray, "*point"],
    observed: Float[np.ndarray, "*point"],
) -> Float[np.ndarray, " level"]:
    r"""How often the central intervals hold what was observed.

    $c(p) = \operatorname{mean}\,[\,|y - \mu| \le \Phi^{-1}((1 + p)/2)\,\sigma\,]$, one share for
    every level; a calibrated prediction has $c(p) = p$. Without any point, not a number.
    """
    if not observed.size:
        return np.full(levels.shape, np.nan)
    error = np.abs(observed - mean)
    # Products, not ratios: a deviation of zero cannot be divided by, and where such a prediction is
    # right, 0 <= 0 counts as covered at every level.
    return np.array([np.mean(error <= width * std) for width in ndtri((1 + levels) / 2)])


def miscalibration_area(
    coverage: Float[np.ndarray, " level"], levels: Float[np.ndarray, " level"] = LEVELS
) -> float:
    r"""The area between the coverage curve and the diagonal, $\int_0^1 |c(p) - p|\,dp$.

    Trapezoids of the absolute difference, with $c(0) = 0$ and $c(1) = 1$ added: 0 when
    calibrated, 0.495 when nothing is ever covered. It cannot reach 0 on data: `n` independent
    readings of a calibrated prediction leave about $0.31/\sqrt n$.

    `uncertainty_toolbox.miscalibration_area` with `num_bins=101` stands on the same points (its
    default, 100, is a step of 1/99) but cuts a trapezoid where the curve crosses the diagonal;
    ours is larger there, by less than a step times the smaller of the two differences.
    """
    # The empty interval covers nothing and the whole axis everything, whatever was predicted.
    ends = np.concatenate([[0.0], levels, [1.0]])
    covered = np.concatenate([[0.0], coverage, [1.0]])
    return float(np.trapezoid(np.abs(covered - ends), ends))


def sharpness(std: Float[np.ndarray, "*point"]) -> float:
    r"""The width of a prediction, whatever was observed: $\sqrt{\operatorname{mean} \sigma^2}$."""
    return rms(std)


def rms(values: Float[np.ndarray, "*point"]) -> float:
    r"""The root of the mean square, $\sqrt{\operatorname{mean} v^2}$; infinite when a value is."""
    with np.errstate(over="ignore"):  # an infinite score is an answer, not an accident
        return float(np.sqrt(np.mean(values**2)))


def interval_score(
    mean: Float[np.ndarray, "*point"],
    std: Float[np.ndarray, "*point"],
    observed: Float[np.ndarray, "*point"],
    level: float = 0.9,
) -> Float[np.ndarray, "*point"]:
    r"""The width of a central interval plus a fine for every reading outside it.

    $(u - l) + \frac{2}{\alpha}\,(l - y)_+ + \frac{2}{\alpha}\,(y - u)_+$ with
    $\alpha = 1 - p$; one score a point, lower is better (Gneiting and Raftery 2007, eq. 43).
    """
    # The interval is symmetric, so one distance serves for readings below and above it.
    half_width = ndtri((1 + level) / 2) * std
    outside = np.maximum(np.abs(observed - mean) - half_width, 0.0)
    return 2 * half_width + 2 / (1 - level) * outside


def crps(
    mean: Float[np.ndarray, "*point"],
    std: Float[np.ndarray, "*point"],
    observed: Float[np.ndarray, "*point"],
) -> Float[np.ndarray, "*point"]:
    r"""The continuous ranked probability score, in the unit of the readings.

    $\operatorname{CRPS} = \sigma\,[z\,(2\Phi(z) - 1) + 2\varphi(z) - 1/\sqrt\pi]$ with
    $z = (y - \mu)/\sigma$; one score a point, lower is better. A certain prediction scores its
    absolute error.
    """
    from scoringrules import crps_normal  # half a second to import

    error = np.abs(observed - mean)
    # Beside its error a tiny deviation would make z overflow, where the score is the error anyway.
    certain = std <= CERTAIN * error
    # Both branches of `where` are worked out, so certain points need a deviation that divides.
    score = crps_normal(observed, mean, np.where(certain, 1.0, std), backend="numpy")
    return np.where(certain, error, score)


def negative_log_likelihood(
    mean: Float[np.ndarray, "*point"],
    std: Float[np.ndarray, "*point"],
    observed: Float[np.ndarray, "*point"],
) -> Float[np.ndarray, "*point"]:
    r"""Minus the logarithm of the predicted density, in nats.

    $\frac12 \log 2\pi\sigma^2 + (y - \mu)^2 / 2\sigma^2$; one score a point, lower is better. A
    certain prediction has no density and scores infinity, also where it is right.
    """
    # Both branches of `where` are worked out, so zero is replaced before it is divided by.
    positive = np.where(std > 0, std, 1.0)
    # The logarithm of the deviation and not of its square, which underflows long before it does.
    with np.errstate(over="ignore"):
        score = (
            0.5 * np.log(2 * np.pi) + np.log(positive) + 0.5 * ((observed - mean) / positive) ** 2
        )
    return np.where(std > 0, score, np.inf)


@dataclass(frozen=True)
class Measured:
    """Scores on noisy readings that were held out, of all sensors; the oracle knows the truth."""

    crps: float
    """Mean continuous ranked probability score [K]."""
    nll: float
    """Mean negative log likelihood [nats]; infinite when a variance is zero."""
    oracle_crps: float
    """Mean CRPS [K] of the true mean with the true noise: the best that anybody can expect."""
    oracle_nll: float
    """Mean negative log likelihood [nats] of the true mean with the true noise."""
    crps_ratio: float
    """CRPS over that of the oracle [1]: 1 is perfect."""
    miscalibration: float
    """Miscalibration area [1] over the readings of all sensors: 0 is calibrated."""
    miscalibration_by_height: tuple[float, ...]
    """Miscalibration area [1] sensor by sensor, since marginal figures can cancel."""
    miscalibration_by_hour: tuple[float, ...]
    """Miscalibration area [1] for each of the 24 hours since the window's start, all days pooled;
    not a number for an hour without readings."""
    coverage: tuple[float, ...]
    """Share of readings [1] within the central intervals at 99 levels."""
    sharpness: float
    """Root mean square of the predicted standard deviation [K]."""
    interval_score_90: float
    """Mean score of the central 90 % intervals [K]."""


def measured(
    mean: Float[np.ndarray, "time sensor"],
    std: Float[np.ndarray, "time sensor"],
    observed: Float[np.ndarray, "time sensor"],
    *,
    true_mean: Float[np.ndarray, "time sensor"],
    true_std: Float[np.ndarray, "time sensor"],
    seconds: Float[np.ndarray, " time"],
) -> Measured:
    """Judge a prediction of readings, beside the oracle that knows their true mean and noise.

    Args:
        mean: Predicted temperature [°C].
        std: Predicted standard deviation of a reading, noise included [K].
        observed: Noisy readings that were held out [°C].
        true_mean: Temperature without noise [°C].
        true_std: Standard deviation of the noise that was added [K].
        seconds: Time since the start of the window [s].
    """
    judged, oracle = (mean, std, observed), (true_mean, true_std, observed)
    mean_crps, oracle_crps = float(crps(*judged).mean()), float(crps(*oracle).mean())
    curve = coverage(LEVELS, *judged)
    # All days pooled by the hour since the start: a noise that follows the day shows there.
    hours = seconds // SECONDS_PER_HOUR % 24
    by_height = [tuple(values[:, n] for values in judged) for n in range(observed.shape[1])]
    by_hour = [tuple(values[hours == hour] for values in judged) for hour in range(24)]
    return Measured(
        crps=mean_crps,
        nll=float(negative_log_likelihood(*judged).mean()),
        oracle_crps=oracle_crps,
        oracle_nll=float(negative_log_likelihood(*oracle).mean()),
        crps_ratio=mean_crps / oracle_crps,
        miscalibration=miscalibration_area(curve),
        miscalibration_by_height=_miscalibrations(by_height),
        miscalibration_by_hour=_miscalibrations(by_hour),
        coverage=tuple(curve.tolist()),
        sharpness=sharpness(std),
        interval_score_90=float(interval_score(*judged).mean()),
    )


def _miscalibrations(groups: list[tuple[np.ndarray, ...]]) -> tuple[float, ...]:
    return tuple(miscalibration_area(coverage(LEVELS, *group)) for group in groups)
