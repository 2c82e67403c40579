"""The likeliest constants of a tank and how sure they are: a Gaussian of their logarithms."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.transformer.oil.inverse.evidence import Departures, TankEvidence

ROUNDS = 20
"""Steps of Gauss-Newton at the most; half a dozen are usual."""
LARGEST_STEP = 1.0
"""Largest change of a logarithm in one step [1]: a factor of e."""
SETTLED = 1e-2
"""Step below which the search ends, in standard deviations."""
APART = 0.5
"""Distance at which the density is compared for its curvature, in standard deviations."""


@dataclass(frozen=True, eq=False)
class LogNormalConstants:
    """Constants whose logarithms are Gaussian."""

    mean: Departures
    """Expected departures."""
    covariance: Float[np.ndarray, "constant constant"]
    """Covariance of the departures."""

    def draws(self, count: int, *, seed: int) -> Float[np.ndarray, "draw constant"]:
        """Drawn departures."""
        rng = np.random.default_rng(seed)
        return rng.multivariate_normal(self.mean, self.covariance, count)


def closed_form(evidence: TankEvidence) -> LogNormalConstants:
    """The Gaussian about the highest density, with its curvature there."""
    at, precision = np.zeros(len(evidence.prior)), np.diag(evidence.prior_std**-2)
    for _ in range(ROUNDS):
        step, precision = evidence.gauss_newton(at)
        at = at + np.clip(step, -LARGEST_STEP, LARGEST_STEP)
        if (np.abs(step) < SETTLED / np.sqrt(np.diag(precision))).all():
            break
    std = np.sqrt(np.diag(np.linalg.inv(precision)))
    gradient, curvature = _bends(evidence, at, APART * std)
    covariance = np.linalg.inv(-curvature)
    # Errors of Gauss-Newton are what the covariance of the readings changes with the constants.
    return LogNormalConstants(at + covariance @ gradient, covariance)


def _bends(
    evidence: TankEvidence, at: Departures, steps: Departures
) -> tuple[Departures, Float[np.ndarray, "constant constant"]]:
    """Gradient and curvature of the log density by differences over these steps."""
    sides, here = np.diag(steps), evidence.log_density(at)
    up, down = ([evidence.log_density(at + sign * side) for side in sides] for sign in (1, -1))
    up, down = np.array(up), np.array(down)
    curvature = np.diag(up + down - 2 * here)
    for i, j in zip(*np.triu_indices(len(at), 1), strict=True):
        both = evidence.log_density(at + sides[i] + sides[j])
        both += evidence.log_density(at - sides[i] - sides[j])
        # f(++) + f(--) has both own curvatures and twice the mixed one.
        mixed = (both - up[i] - down[i] - up[j] - down[j] + 2 * here) / 2
        curvature[i, j] = curvature[j, i] = mixed
    return (up - down) / (2 * steps), curvature / np.outer(steps, steps)
