"""Types and shapes are checked once a call, for a seventh of what jaxtyping's own wrapper costs.

It binds every signature and checks arguments twice, for better messages. Here beartype checks once,
in a scope of jaxtyping's, within which one name of an axis is one length.
"""

import inspect
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import partial, wraps
from typing import Any, ForwardRef, Literal, get_args, get_origin

import jaxtyping
from beartype.roar import BeartypeDecorHintException

THOROUGH = jaxtyping.jaxtyped
"""What jaxtyping does to a function or a dataclass."""


def install() -> None:
    """Let modules imported from now on be checked this way, by the option of jaxtyping's plugin."""
    jaxtyping.jaxtyped = checked


def checked(function: Any = None, *, typechecker: Callable) -> Any:
    """The decorator that jaxtyping's hook writes above all that it imports."""
    if function is None:
        return partial(checked, typechecker=typechecker)
    # A function within a function is made anew at every call of the outer one, and beartype writes
    # and compiles a wrapper each time: in a fit of many steps that took longer than the steps.
    if inspect.isfunction(function) and "<locals>" in function.__qualname__:
        return function
    if _is_plain_dataclass(function):
        # Its fields are the arguments of a function.
        if not hasattr(function.__init__, "checked"):
            function.__init__ = _scoped(function.__init__, typechecker)
        return function
    if _needs_more(function):
        return THOROUGH(function, typechecker=typechecker)
    if not function.__annotations__:
        return function
    return _scoped(function, typechecker)


def _is_plain_dataclass(kind: Any) -> bool:
    """Whether all that is to be checked are the fields that it is made of."""
    return inspect.isclass(kind) and is_dataclass(kind) and not _needs_more(kind.__init__)


def _needs_more(function: Any) -> bool:
    """Generators, types in quotes, and lengths that are an argument (`"{count}"`)."""
    if not inspect.isfunction(function) or inspect.isgeneratorfunction(function):
        return True
    hints = list(function.__annotations__.values())
    return _quoted(hints) or "{" in str(hints)


def _quoted(hint: Any) -> bool:
    """Whether a type is named before it is there, which jaxtyping lets pass as anything."""
    if get_origin(hint) is Literal:
        return False
    parts = hint if isinstance(hint, list) else get_args(hint)
    return isinstance(hint, str | ForwardRef) or any(map(_quoted, parts))


SCOPE = THOROUGH("context")
"""Where one name of an axis is one length; it carries nothing, so that all calls may share it."""


def _scoped(function: Callable, typechecker: Callable) -> Callable:
    typed: Callable | None = None

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal typed
        if jaxtyping.config.jaxtyping_disable:
            return function(*args, **kwargs)
        if typed is None:  # at the first call: most of what is imported is called by few processes
            typed = _typed(function, typechecker)
        with SCOPE:
            return typed(*args, **kwargs)

    setattr(call, "checked", True)  # noqa: B010  whoever inherits it need not check again
    return call


def _typed(function: Callable, typechecker: Callable) -> Callable:
    try:
        return typechecker(function)
    except BeartypeDecorHintException:  # a hint of pydantic's own, which jaxtyping leaves out
        return THOROUGH(function, typechecker=typechecker)
