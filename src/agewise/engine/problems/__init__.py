"""What a problem is: residuals at a point, where they must vanish, and what was measured.

`base` holds the noun, `stated` the form in which a user gives one, `unknowns` and `constants`
what an equation is written in, `operators` its derivatives, and `linearity` tells which problems
have a closed form. All that the file of an equation imports is offered here.
"""

from agewise.engine.problems.base import AbstractProblem, Box, Observations, Region
from agewise.engine.problems.constants import AbstractConstant, LogNormal, Normal, Uniform
from agewise.engine.problems.operators import mixed_partial, partial, second_partial
from agewise.engine.problems.stated import Problem
from agewise.engine.problems.unknowns import Unknowns
from agewise.types import T, X

__all__ = [
    "AbstractConstant",
    "AbstractProblem",
    "Box",
    "LogNormal",
    "Normal",
    "Observations",
    "Problem",
    "Region",
    "T",
    "Uniform",
    "Unknowns",
    "X",
    "mixed_partial",
    "partial",
    "second_partial",
]
