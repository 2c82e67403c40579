"""What a problem is: residuals at a point, where they must vanish, and what was measured."""

from agewise.engine.problems.base import AbstractProblem, Box, Observations, Region
from agewise.engine.problems.operators import partial, second_partial

__all__ = ["AbstractProblem", "Box", "Observations", "Region", "partial", "second_partial"]
