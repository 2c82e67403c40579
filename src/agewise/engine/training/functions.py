"""What a function does, in words that are the same in every process of one Python."""

import functools
import hashlib
import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import CodeType, FunctionType, MethodType
from typing import Any

import jax
import numpy as np

LIBRARIES = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))
"""Folders of Python and of installed packages, whose functions go by their names."""
Plain = bool | int | float | complex | str | bytes | np.generic | None
"""What has one text in every process."""
Arrays = np.ndarray | jax.Array
"""What goes by its numbers."""
NUMBERS = ("b", "i", "u", "f", "c")
"""Kinds of arrays that hold numbers; keys and objects do not."""


def functions_in(value: Any) -> Iterator[Any]:
    """Every function that a value holds, in its containers and fields, in their order."""
    if _is_function(value):
        yield value
    else:
        for part in _parts(value):
            yield from functions_in(part)


def described(value: Any, within: tuple[int, ...] = ()) -> str:
    """Its code, constants and what else a function stands on; of another value, what it is.

    Args:
        value: A function, or what one stands on: a default, a variable of its surroundings.
        within: Identities of what it was reached by, since a function may stand on itself.
    """
    if id(value) in within:
        return "itself"
    within = (*within, id(value))
    if isinstance(value, CodeType):
        return _listed("code", _of_code(value), within)
    if isinstance(value, FunctionType) and value.__code__.co_filename.startswith(LIBRARIES):
        # Written by nobody who states a problem, and standing on half of Python.
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, FunctionType):
        return _listed("function", _of_function(value), within)
    if isinstance(value, functools.partial):
        return _listed("partial", (value.func, value.args, value.keywords), within)
    if isinstance(value, MethodType):
        return _listed("method", (value.__func__, value.__self__), within)
    # Compiled functions stand before those that were written.
    if _is_function(value):
        return described(value.__wrapped__, within)
    if isinstance(value, Arrays) and getattr(value.dtype, "kind", "") in NUMBERS:
        # In double precision, as other numbers of a training are compared.
        content = np.asarray(value, dtype=complex).tobytes()
        return f"array {value.shape} {hashlib.sha256(content).hexdigest()}"
    if isinstance(value, Plain):
        return repr(value)
    if isinstance(value, set | frozenset):
        # Sets of words come in another order in every process.
        return f"set ({', '.join(sorted(described(part, within) for part in value))})"
    # Of what is none of these the name alone: its text may hold an address.
    name = getattr(value, "__qualname__", type(value).__qualname__)
    return _listed(name, _parts(value), within)


def _listed(kind: str, parts: Any, within: tuple[int, ...]) -> str:
    return f"{kind} ({', '.join(described(part, within) for part in parts)})"


def _is_function(value: Any) -> bool:
    if isinstance(value, FunctionType | MethodType | functools.partial):
        return True
    return callable(value) and isinstance(getattr(value, "__wrapped__", None), FunctionType)


def _parts(value: Any) -> list[Any]:
    """What a container or a dataclass holds; nothing of anything else."""
    if isinstance(value, Mapping):
        return [part for pair in value.items() for part in pair]
    if isinstance(value, tuple | list):
        return list(value)
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name, None) for field in fields(value)]
    return []


def _of_code(code: CodeType) -> tuple[Any, ...]:
    # Not where it was written: a function that was only moved is the same.
    return code.co_code, code.co_names, code.co_consts


def _of_function(function: FunctionType) -> tuple[Any, ...]:
    """Its code, defaults, variables of its surroundings, and numbers and words of its module."""
    code, cells, known = function.__code__, function.__closure__ or (), function.__globals__
    around = dict(zip(code.co_freevars, map(_content, cells), strict=True))
    return (
        code,
        function.__defaults__,
        function.__kwdefaults__,
        around,
        # No functions and modules of a module, which lead into all of Python.
        {n: known[n] for n in _names(code) if isinstance(known.get(n, len), Plain | Arrays)},
    )


def _names(code: CodeType) -> list[str]:
    """All names that a code and the codes within it look up."""
    inner = [part for part in code.co_consts if isinstance(part, CodeType)]
    return [*code.co_names, *(name for part in inner for name in _names(part))]


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None
