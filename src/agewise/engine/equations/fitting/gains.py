"""How fast and how large functions are beforehand, learned by the evidence of a fit."""

from collections.abc import Mapping
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
    variance, start, factors = doubt.variances, 0, {}
    for name, function in unknown.functions.items():
        network = function.network
        own = slice(start, start + network.size)
        if isinstance(network, AbstractGained):
            count = len(network.gains)
            factors[name] = _factors(doubt.centre[own], variance[own], network.groups, count)
        start = own.stop
    # A factor and its inverse are equally far from one.
    farthest = max((float(np.exp(np.abs(np.log(f)).max())) for f in factors.values()), default=1.0)
    return *with_factors(unknown, doubt.centre, factors), farthest < STEADY


def with_factors(
    unknown: Unknown, numbers: Float[np.ndarray, " number"], factors: Mapping[str, np.ndarray]
) -> tuple[Unknown, Float[np.ndarray, " number"]]:
    """Every gain times its factor, by the name of its function, and numbers for the same
    functions."""
    numbers, functions, start = numbers.copy(), {}, 0
    for name, function in unknown.functions.items():
        network = function.network
        if name in factors and isinstance(network, AbstractGained):
            # Gain times number stays: the functions are the same, only their prior changes.
            numbers[start : start + network.size] /= factors[name][network.groups]
            network = replace(network, gains=np.asarray(network.gains) * factors[name])
        functions[name] = replace(function, network=network)
        start += network.size
    return Unknown.of(functions, unknown.constants), numbers


def _factors(
    numbers: np.ndarray, variance: np.ndarray, groups: np.ndarray, count: int
) -> Float[np.ndarray, " group"]:
    """By how much each gain changes."""
    squares = np.bincount(groups, numbers**2, count)
    # Rounding may leave a variance just above one.
    determined = np.maximum(np.bincount(groups, 1 - variance, count), 1e-3)
    # A group that the data do not touch is left as it is: the one keeps a few numbers from leaping.
    return np.clip(np.sqrt((squares + 1) / (determined + 1)), 1 / FARTHEST, FARTHEST)
