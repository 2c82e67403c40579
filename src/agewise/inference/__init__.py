"""Methods: each makes a posterior, from which functions are drawn; a new one is registered here."""

from collections.abc import Callable

from agewise.inference.base import AbstractInference
from agewise.inference.exact import Exact
from agewise.inference.line import Line
from agewise.inference.solver import Solver

METHODS: dict[str, Callable[[], AbstractInference]] = {
    "line": Line,
    "solver": Solver,
    "exact": Exact,
}
"""Every method by name, with its default settings."""
