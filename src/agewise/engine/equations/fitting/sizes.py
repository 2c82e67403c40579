"""How large functions are that neither readings nor conditions size, learned from fits."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import jax
import numpy as np

from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.functions.unknown import gradients_at, values_at
from agewise.engine.equations.objective.collocation import box_of
from agewise.engine.equations.objective.sensors import ABOUT_ONE
from agewise.engine.equations.posterior.check import unsettled_finding

PLACES = 400
"""Points of the box at which it is asked how large a function came out."""
FITS = 5
"""Fits at the most, each with the sizes that the one before came to. A cantilever that bends by 25
mm needs three: for one of a metre its load is within what counts as solved."""

Sizes = Mapping[str, float]
"""How far from zero functions go, by their names."""
TINY = 1e-12
"""Size in its own unit below which a function counts as zero."""


def with_found_sizes(begun: Callable[[Sizes, str], Fitted], guessed: list[str]) -> Fitted:
    """A fit whose guessed sizes are about those of the functions that it found.

    An exact equation is held to a share of what its terms are for functions of the assumed size:
    taken for far larger than it is, a function may be anything, and zero is the most probable.

    Args:
        begun: The fit for these sizes, whose stages have names that end so.
        guessed: Names of the functions whose sizes are a guess.
    """
    sizes: dict[str, float] = {}
    fitted = begun(sizes, "")
    for number in range(2, FITS + 1):
        others = _others(fitted, guessed)
        if not others or fitted.stages.stopped:
            return fitted
        sizes |= others
        fitted = begun(sizes, f", sizes {number}")
    # What vanishes for every size that was assumed is zero, and no matter of sizes.
    left = [name for name, size in _others(fitted, guessed).items() if size > TINY]
    check = fitted.check.with_findings(*map(unsettled_finding, left))
    return replace(fitted, check=check)


def _others(fitted: Fitted, guessed: list[str]) -> dict[str, float]:
    """How large the functions are that came out far from the size that was assumed."""
    if not guessed:
        return {}
    low, high = box_of(fitted.problem)
    points = np.random.default_rng(0).uniform(low, high, (PLACES, len(low)))
    found, doubt = {}, fitted.gaussian()
    for name in guessed:
        with jax.enable_x64(True):
            values = np.asarray(values_at(fitted.unknown, fitted.numbers, name, points))
            gradients = np.asarray(gradients_at(fitted.unknown, fitted.numbers, name, points))
        size = float(np.sqrt(np.mean(values**2)))
        # As small as it may be, and not as the most probable one is: that is zero where equations
        # are too loose. Larger by itself alone: doubt is as wide as what was assumed.
        least = float(np.sqrt(size**2 + np.mean(doubt.variance(gradients))))
        assumed = float(fitted.unknown.functions[name].size)
        if size > ABOUT_ONE * assumed:
            found[name] = size
        elif 0 < least < assumed / ABOUT_ONE:
            found[name] = least
    return found
