"""How fast and how large functions are beforehand, learned by the evidence of a fit."""

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from agewise.engine.equations.functions.networks import AbstractGained
from agewise.engine.equations.functions.unknown import Unknown
from agewise.engine.equations.posterior.weights import GaussianWeights

FARTHEST = 3.0
"""Factor by which a gain may change at once [1]."""
STEADY = 1.25
"""Factor below which gains count as settled [1]."""


def learned_gains(
    unknown: Unknown, doubt: GaussianWeights
) -> tuple[Unknown, Float[np.ndarray, " number"], bool]:
    r"""Gains that make the data likelier, numbers for the same functions, and whether it settled.

    MacKay's rule: of the $n$ numbers of a group the data determine
    $\gamma = n - \sum \Sigma_{ii}$, whose squares should add up to that many; the gain is
    multiplied by the root of what they do add up to over what they should.
    """
    variance = doubt.variances
    numbers, functions, start, farthest = doubt.centre.copy(), {}, 0, 1.0
    for name, function in unknown.functions.items():
        network = function.network
        end = start + network.size
        if isinstance(network, AbstractGained):
            own, groups = slice(start, end), network.groups
            factors = _factors(numbers[own], variance[own], groups, len(network.gains))
            # Gain times number stays: the functions are the same, only their prior changes.
            numbers[own] = numbers[own] / factors[groups]
            network = replace(network, gains=network.gains * factors)
            # A factor and its inverse are equally far from one.
            farthest = max(farthest, float(np.exp(np.abs(np.log(factors)).max())))
        functions[name] = replace(function, network=network)
        start = end
    return Unknown.of(functions, unknown.constants), numbers, farthest < STEADY


def _factors(
    numbers: np.ndarray, variance: np.ndarray, groups: np.ndarray, count: int
) -> Float[np.ndarray, " group"]:
    """By how much each gain changes."""
    squares = np.bincount(groups, numbers**2, count)
    # Rounding may leave a variance just above one.
    determined = np.maximum(np.bincount(groups, 1 - variance, count), 1e-3)
    # A group that the data do not touch is left as it is: the one keeps a few numbers from leaping.
    return np.clip(np.sqrt((squares + 1) / (determined + 1)), 1 / FARTHEST, FARTHEST)
