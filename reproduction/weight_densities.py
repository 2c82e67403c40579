"""How far the weights of a network are from their prior, as densities of one picked at random."""

import numpy as np
from jaxtyping import Float
from scipy.stats import norm

from agewise.engine.inference.vi import MeanField
from agewise.engine.objective.priors import AbstractPrior
from agewise.engine.objective.trained import NetworkPosterior
from agewise.engine.posterior import AbstractPosterior
from reproduction.training_record import WEIGHTS, weight_density

STEP = float(WEIGHTS[1] - WEIGHTS[0])
"""Distance between the values at which densities are kept [1]."""
BLUR = 0.1
"""Standard deviation of the blur of densities [1].

A weight may be known far more sharply than the kept values are apart, and would fall between them.
"""

Density = Float[np.ndarray, " value"]
"""Density of a weight at each of `WEIGHTS`."""


def contraction(posterior: AbstractPosterior) -> dict[str, float] | None:
    """Distance of the weights from their prior at the first and the last snapshot [1].

    None where the weights are no distributions, or no snapshot was taken of them.
    """
    if not isinstance(posterior, NetworkPosterior) or not isinstance(posterior.family, MeanField):
        return None
    arrays, prior = posterior.arrays(), blurred(prior_density(posterior.family.prior))
    if "snapshots_own_log_std" not in arrays:
        return None
    means, stds = arrays["snapshots_own_mean"], np.exp(arrays["snapshots_own_log_std"])
    first, last = (blurred(weight_density(means[at], stds[at]).astype(float)) for at in (0, -1))
    return {"first": distance(first, prior), "last": distance(last, prior)}


def prior_density(prior: AbstractPrior) -> Density:
    """Density of a weight before any data."""
    # One weight at a time, since the penalty of an array is the sum over its weights.
    return np.exp([-float(prior.penalty(np.array([weight]))) for weight in WEIGHTS])


def blurred(density: Density) -> Density:
    """The same after a normal blur."""
    return STEP * np.convolve(density, norm.pdf(WEIGHTS, 0.0, BLUR), mode="same")


def distance(first: Density, second: Density) -> float:
    """Total variation, with what lies beyond the kept weights."""
    within = STEP * float(np.abs(first - second).sum())
    # Both integrate to 1, so what one lacks here lies beyond: at least that much differs there.
    beyond = abs(STEP * float((first - second).sum()))
    return 0.5 * (within + beyond)
