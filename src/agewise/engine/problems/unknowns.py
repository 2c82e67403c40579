"""What an equation is written in: unknown functions and constants by their names."""

from collections.abc import Callable, Mapping
from typing import Any

from agewise.types import Point, Scalar


class Unknowns:
    """Functions of a point and constants, as attributes; the first function is also the call.

    An equation with one function reads `u(point)`; one with more, or with constants, reads
    `u.v(point)` and `u.k`.
    """

    def __init__(
        self, functions: Mapping[str, Callable[[Point], Scalar]], constants: Mapping[str, Any]
    ):
        self._functions, self._constants = dict(functions), dict(constants)

    @property
    def first(self) -> Callable[[Point], Scalar]:
        """The function that was named first."""
        return next(iter(self._functions.values()))

    def __call__(self, point: Point) -> Scalar:
        """The first function at a point."""
        return self.first(point)

    def __getattr__(self, name: str) -> Any:
        # Copying asks for private names before `__init__` has run: a search would never end.
        if name.startswith("_"):
            raise AttributeError(name)
        for named in (self._functions, self._constants):
            if name in named:
                return named[name]
        names = ", ".join([*self._functions, *self._constants])
        raise AttributeError(f"The problem has no unknown {name!r}; it has: {names}.")
