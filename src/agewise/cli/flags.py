"""Errors name arguments as Python writes them; on the command line they are flags."""

import ast
import re
import shlex
from collections.abc import Iterable
from typing import Any, Protocol, runtime_checkable

ARGUMENT = re.compile(r"`(?P<name>[A-Za-z_]\w*)(?:=(?P<value>[^`]*))?`")
"""Pattern of an argument in backticks, with or without a value: `resume=True`, `directory`."""

ELSEWHERE = {
    "directory": ("run", "out"),
    "folder": ("out",),
    "points": ("at",),
    "seed": ("twin_seeds",),
    "window_days": ("window",),
}
"""Arguments that commands call otherwise, with the parameters to try, in this order."""


@runtime_checkable
class Parameter(Protocol):
    """What is asked of a command's parameter: its name in Python and how it is written."""

    name: str | None
    """Name in Python."""
    opts: list[str]
    """Flags by which it is given, such as `--out`."""
    param_type_name: str
    """Either `option`, which has a flag, or `argument`, which has none."""


def with_flags(text: str, parameters: Iterable[Parameter]) -> str:
    """Write every argument in backticks as the flag of the command that has these parameters.

    `resume=True` becomes --resume, `method="vi"` becomes --method vi, and
    `units={"load": "A"}` becomes --units load=A. An argument that the command does not have stays
    as it is, without backticks, and so does everything else.
    """
    by_name = {parameter.name: parameter for parameter in parameters}

    def written(match: re.Match[str]) -> str:
        name = match["name"]
        parameter = next(
            (by_name[n] for n in (name, *ELSEWHERE.get(name, ())) if n in by_name), None
        )
        return match[0].strip("`") if parameter is None else _flag(parameter, match["value"])

    return ARGUMENT.sub(written, text)


def _flag(parameter: Parameter, value: str | None) -> str:
    """The parameter and its value, as a user would type them."""
    positional = parameter.param_type_name == "argument"
    # What has no flag goes by its name in capitals, as in the help.
    flag = str(parameter.name).upper() if positional else parameter.opts[0]
    text = None if value is None else _typed(value)
    return flag if text is None else f"{flag} {text}"


def _typed(value: str) -> str | None:
    """A Python literal as a word of a command line; None for what a flag says by being there."""
    try:
        given: Any = ast.literal_eval(value)
    except (ValueError, SyntaxError):  # a placeholder, not a value: the flag alone is named
        return None
    if given is None or isinstance(given, bool):
        return None
    if isinstance(given, dict):
        given = ",".join(f"{key}={part}" for key, part in given.items())
    if isinstance(given, tuple):
        given = "+".join(map(str, given))
    return shlex.quote(str(given))
