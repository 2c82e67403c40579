"""What a problem is: residuals at a point, where they must vanish, and what was measured.

`base` holds the noun, `operators` the derivatives in which equations are written, `linearity` tells
which problems have a closed form. All that the file of an equation imports is offered here.
"""

from agewise.engine.problems.base import AbstractProblem, Box, Observations, Region
from agewise.engine.problems.operators import partial, second_partial
from agewise.types import T, X

__all__ = [
    "AbstractProblem",
    "Box",
    "Observations",
    "Region",
    "T",
    "X",
    "partial",
    "second_partial",
]
