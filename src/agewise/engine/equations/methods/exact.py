"""`exact`: the closed form of a linear problem of one or two coordinates, on waves."""

from dataclasses import dataclass, replace
from typing import ClassVar

import jax
import numpy as np

from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.fitting.most_probable_waves import (
    COUNTS,
    REACHES,
    most_probable_waves,
    on_waves,
    wave_unknown,
)
from agewise.engine.equations.functions.unknown import Unknown
from agewise.engine.equations.methods.base import AbstractMethod
from agewise.engine.equations.objective.rows import EquationObjective
from agewise.engine.equations.posterior.check import Check
from agewise.engine.equations.posterior.weights import GaussianWeights
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.problems.linearity import ROUNDING, SIZES, TINIEST
from agewise.engine.training import Monitor, Stages
from agewise.engine.training.gauss_newton import linearised
from agewise.engine.training.loop import with_arrays
from agewise.errors import InputError
from agewise.types import Key


@dataclass(frozen=True)
class Exact(AbstractMethod):
    """A Gaussian over the coefficients of waves; nothing is approximated but the basis."""

    name: ClassVar[str] = "exact"
    summary: ClassVar[str] = (
        "The closed form, for linear equations of one or two coordinates without unknown "
        "constants; seconds, and the yardstick for all others."
    )

    def fitted(self, problem: AbstractProblem, *, key: Key, monitor: Monitor) -> Fitted:
        """The expected coefficients, for the reach that makes the data most likely."""
        if len(problem.coordinates()) not in COUNTS:
            raise InputError(
                f"`exact` serves one or two coordinates, and this problem has "
                f"{len(problem.coordinates())}.",
                hint='choose a method with a network, such as `method="laplace"`.',
            )
        chosen = replace(self.settings, steps=4, look=2)  # one would do, but for rounding
        # On one reach, for the test of linearity alone.
        stated = on_waves(problem, chosen, REACHES[0], Stages(key, monitor))
        # Before any fit: on a nonlinear equation one step gives a wrong answer, and sure of it.
        refuse_nonlinear(stated.objective())
        return most_probable_waves(problem, chosen, key=key, monitor=monitor, linear=True)

    def weights(self, fitted: Fitted, *, key: Key) -> tuple[GaussianWeights, Check]:
        """The Gaussian over the coefficients."""
        doubt = fitted.closed_form()
        return doubt, fitted.checked(doubt)

    @classmethod
    def unknown(cls, problem: AbstractProblem, settings: EquationSettings, sizes) -> Unknown:
        """Sums of waves."""
        return wave_unknown(problem, settings, sizes)


def refuse_nonlinear(objective: EquationObjective) -> None:
    r"""Raise an error in a sentence if a residual or a reading is not affine in the unknown.

    For what is affine, $r(2a - b) = 2 r(a) - r(b)$ whatever the numbers $a$ and $b$. It is tried on
    functions of several sizes, since some laws change at a threshold that others never meet.
    """
    rng, size = np.random.default_rng(0), objective.unknown.size
    # The noise does not matter to whether a row is affine.
    unit_noise = {name: np.ones(len(values)) for name, values in objective.values.items()}
    with jax.enable_x64(True):
        names = _names(objective, unit_noise)
        for height in SIZES:
            a, b = height * rng.standard_normal((2, size))
            at_a, at_b, at_both = (
                linearised(with_arrays(objective), numbers, unit_noise, jax.random.key(0))[0]
                for numbers in (a, b, 2 * a - b)
            )
            off, largest = np.abs(2 * at_a - at_b - at_both), np.maximum(np.abs(at_a), np.abs(at_b))
            for name in dict.fromkeys(names):
                rows = names == name
                # Written such that what is no number counts as nonlinear.
                if not off[rows].max() <= ROUNDING * max(float(largest[rows].max()), TINIEST):
                    raise InputError(
                        f"{type(objective.problem).__name__} is not linear in its unknown ({name}),"
                        " and this method has a closed form for linear equations alone.",
                        hint='choose a method that trains a network, such as `method="laplace"`.',
                    )


def _names(objective: EquationObjective, variances: dict[str, np.ndarray]) -> np.ndarray:
    """The group of every row of an objective."""
    groups = objective.rows(variances, key=jax.random.key(0))
    counts = [len(jax.tree.leaves(items)[0]) for _, items in groups.values()]
    return np.repeat(list(groups), counts)
