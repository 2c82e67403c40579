"""From a model and a record to joint draws of its constants: Laplace, then importance weights."""

from dataclasses import dataclass
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float
from scipy.optimize import minimize

from agewise.threads import in_step
from agewise.transformer.calibration.model import AbstractThermalModel
from agewise.transformer.calibration.record import ThermalRecord

DRAWS = 500
"""Joint draws that are kept."""
PROPOSED = 2000
"""Draws of the Gaussian at the mode that compete for them."""
ROUNDS, ENOUGH = 3, 400.0
"""Most times that a proposal is made, each with the weighed moments of the one before, and the
number of independent draws that is enough."""
DEGREES = 8.0
"""Degrees of freedom of a proposal: heavier tails than a Gaussian's keep weights bounded."""
BATCH = 64
"""Draws whose density is worked out at once: what two gradients need, so that one compiled
function serves both the mode and the draws, which on a short record costs most."""
DIFFERENCE = 1e-3
"""Step of the differences that make gradient and Hessian, in prior standard deviations."""
STARTS = (0.0, -3.0)
"""Coordinates of the second parameter, a time constant, from which the mode is sought: oil that
follows quickly and an error that wanders quickly explain the same readings, up to a point."""

FORBIDDEN = 1e9
"""Loss where there is no density [nats]: far beyond any other, and finite, so that a search that
got there comes back."""
NARROWEST = 1e-6
"""Least variance of a proposal in coordinates of order one: where readings contradict each other,
all weight may lie on a few draws, which span no volume."""


@dataclass(frozen=True, eq=False)
class Learned:
    """Joint draws of a model's parameters."""

    draws: dict[str, Float[np.ndarray, " draw"]]
    """Every parameter in its own unit, by name; the same place is the same draw."""
    coordinates: Float[np.ndarray, "draw parameter"]
    """The draws in coordinates of order one."""
    effective: float
    """Number of independent draws that the weighted ones were worth."""


def learned(model: AbstractThermalModel, record: ThermalRecord, *, seed: int) -> Learned:
    """Draws from the posterior of a model's parameters.

    The mode is found by BFGS. A heavy-tailed Gaussian about it proposes draws, and their weights
    mend what a Gaussian has wrong; so the result is checked against NUTS in the tests.

    Args:
        model: Parameters with priors, and what they say of the measured temperature.
        record: The measurements.
        seed: Seed of the draws.
    """
    # Second differences at a thousandth leave no digit of a log density in single precision.
    with jax.enable_x64(True):
        fast, cells = jax.tree.map(jnp.asarray, (model, record.filled().of_draws()))
        # A stream of its own, so that other draws from the same seed do not shift these.
        rng = np.random.default_rng([seed, *b"learned"])
        weighed = _weighed(fast, cells, *_mode(fast, cells, len(model.parameters)), rng)
        for _ in range(ROUNDS - 1):
            if weighed.effective >= ENOUGH:
                break
            # A better proposal has the moments that the weights have found.
            centre = weighed.weights @ weighed.proposed
            off = weighed.proposed - centre
            covariance = (weighed.weights[:, None] * off).T @ off + NARROWEST * np.eye(off.shape[1])
            weighed = _weighed(fast, cells, centre, covariance, rng)
        # Systematic resampling: evenly spaced places in the cumulative weights, then shuffled.
        places = (np.arange(DRAWS) + rng.random()) / DRAWS
        # Rounding may leave the sum of all weights a little below the last place.
        chosen = np.searchsorted(np.cumsum(weighed.weights), places).clip(max=PROPOSED - 1)
        kept = weighed.proposed[rng.permutation(chosen)]
        values = _values(jnp.asarray(kept), fast)
    draws = {name: np.asarray(value, dtype=float) for name, value in values.items()}
    return Learned(draws, kept, weighed.effective)


@dataclass(frozen=True, eq=False)
class _Weighed:
    """Proposed coordinates and their weights, which sum to one."""

    proposed: Float[np.ndarray, "draw parameter"]
    weights: Float[np.ndarray, " draw"]

    @property
    def effective(self) -> float:
        return float(1 / np.sum(self.weights**2))


def _weighed(
    model: AbstractThermalModel,
    record: ThermalRecord,
    centre: np.ndarray,
    covariance: np.ndarray,
    rng: np.random.Generator,
) -> _Weighed:
    proposed, log_proposal = _proposal(centre, covariance, rng)
    return _Weighed(proposed, _normalised(_log_posteriors(model, record, proposed) - log_proposal))


@eqx.filter_jit
def _densities(z, model, record):
    return model.log_posterior(z.T, record)


@eqx.filter_jit
def _values(z, model):
    return model.values(z.T)


def _mode(
    model: AbstractThermalModel, record: ThermalRecord, size: int
) -> tuple[np.ndarray, np.ndarray]:
    """The most probable coordinates, and the covariance of the Gaussian there."""
    # Central differences, all in one batch: the derivative of the filter would take longer to
    # compile than all of this takes to run.
    steps = DIFFERENCE * np.eye(size)

    def losses(points: list[np.ndarray]) -> list[tuple[float, np.ndarray]]:
        around = [part for z in points for part in ([z], z + steps, z - steps)]
        values = -_log_posteriors(model, record, np.concatenate(around))
        values = np.where(np.isfinite(values), values, FORBIDDEN).reshape(len(points), -1)
        slopes = (values[:, 1 : size + 1] - values[:, size + 1 :]) / (2 * DIFFERENCE)
        return list(zip(values[:, 0].tolist(), slopes, strict=True))

    # Side by side, since a batch for both takes little longer than one for each.
    fits = in_step(losses, [partial(_search, start=start, size=size) for start in STARTS])
    best = min(fits, key=lambda fit: fit.fun).x
    hessian = _hessian(model, record, best)
    # Where the data say little the curvature may be flat or bent the wrong way; the priors have a
    # curvature of one or less, so nothing is wider than a few prior standard deviations.
    levels, axes = np.linalg.eigh(hessian)
    return best, (axes / np.maximum(levels, 0.1)) @ axes.T


def _search(loss, *, start: float, size: int):
    """Search for the least loss, from one time constant."""
    first = np.zeros(size)
    first[1] = start
    # A hundredth of a nat in a prior standard deviation is near enough: the weights mend the rest.
    return minimize(loss, first, jac=True, method="BFGS", options={"gtol": 1e-2})


def _hessian(model: AbstractThermalModel, record: ThermalRecord, at: np.ndarray) -> np.ndarray:
    """Second derivatives of minus the log posterior, by central differences in one batch."""
    steps = DIFFERENCE * np.eye(at.size)
    # Each pair once, for the other half of the matrix is its mirror image.
    first, second = np.triu_indices(at.size)
    signs = ((1, 1), (1, -1), (-1, 1), (-1, -1))
    around = np.concatenate([at + (a * steps[first] + b * steps[second]) for a, b in signs])
    both, up, down, neither = -_log_posteriors(model, record, around).reshape(len(signs), -1)
    hessian = np.empty((at.size, at.size))
    hessian[first, second] = (both - up - down + neither) / (2 * DIFFERENCE) ** 2
    hessian[second, first] = hessian[first, second]
    # At an edge, where a density cannot be worked out, the Gaussian is as wide as it may be.
    return np.nan_to_num(hessian, posinf=0.0, neginf=0.0)


def _proposal(
    centre: np.ndarray, covariance: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draws of a Student's t, and the logarithm of their density but for a constant."""
    white = rng.standard_normal((PROPOSED, centre.size))
    # One stretch for all parameters of a draw is what makes a t of many dimensions.
    stretch = np.sqrt(DEGREES / rng.chisquare(DEGREES, (PROPOSED, 1)))
    scaled = white * stretch
    # The covariance's determinant is the same for every draw, and cancels in the weights.
    log_density = -(DEGREES + centre.size) / 2 * np.log1p((scaled**2).sum(axis=1) / DEGREES)
    return centre + scaled @ np.linalg.cholesky(covariance).T, log_density


def _log_posteriors(model, record, z: Float[np.ndarray, "draw parameter"]) -> np.ndarray:
    """Logarithm of the posterior density of coordinates [nats], batch by batch."""
    # Filled up to whole batches: a batch of another size would be compiled anew.
    filled = np.concatenate([z, np.repeat(z[-1:], -len(z) % BATCH, axis=0)])
    parts = [
        np.asarray(_densities(jnp.asarray(filled[first : first + BATCH]), model, record))
        for first in range(0, len(filled), BATCH)
    ]
    return np.concatenate(parts)[: len(z)]


def _normalised(log_weights: np.ndarray) -> Float[np.ndarray, " draw"]:
    """Weights that sum to one; the largest are cut to the root of their number times the mean."""
    # A density that is not a number gives its draw no weight, and does not spoil the others.
    log_weights = np.where(np.isfinite(log_weights), log_weights, -np.inf)
    weights = np.exp(log_weights - log_weights.max())
    weights = np.minimum(weights, np.sqrt(weights.size) * weights.mean())  # Ionides (2008)
    return weights / weights.sum()
