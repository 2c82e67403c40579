"""Options that say how a foreign file is to be read, shared by every command that reads one."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Literal

from typer import Option

PROFILE_HELP = "CSV, Parquet or .xlsx: time, load, ambient, top_oil."

LoadHold = Annotated[
    Literal["backward", "forward", "linear"],
    Option(help="A load is the mean of the time up to its stamp, or from it; or of that instant."),
]

OPTIONS: dict[str, Any] = {
    "columns": Annotated[
        str | None,
        Option(help="Names in the file, as load=I_sec,ambient=T_aire; or a TOML that says it all."),
    ],
    "units": Annotated[
        str | None,
        Option(help="As load=A,ambient=F: p.u. % A kA kVA MVA; C F K. Else found, or told."),
    ],
    "timezone": Annotated[str | None, Option(help="Of times without one: Europe/Madrid, +01:00.")],
    "time_format": Annotated[
        str | None, Option(help="As %d/%m/%Y %H:%M; or minutes, epoch, excel. Found if left out.")
    ],
    "rated_load": Annotated[
        float | None,
        Option("--rated", help="What 1 p.u. is in the load's unit; else the nameplate's."),
    ],
    "thresholds": Annotated[
        list[str] | None,
        Option("--threshold", help="Of a rule about the data, as stuck_min=90; may be repeated."),
    ],
}
"""By the names that `Reading.parse` has for them."""


def reads_a_file(command: Callable[..., None]) -> Callable[..., None]:
    """The command with those options, which it gets as one argument, `reading`."""

    @wraps(command)
    def reading_command(**given: Any) -> None:
        from agewise.reading.options import Reading

        said = {name: given.pop(name) for name in OPTIONS}
        command(**given, reading=Reading.parse(**said))

    own = inspect.signature(command).parameters.values()
    parameters = [one for one in own if one.name != "reading"]
    parameters += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for name, option in OPTIONS.items()
    ]
    # Typer asks a function for both.
    reading_command.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
    reading_command.__annotations__ = {one.name: one.annotation for one in parameters}
    return reading_command
