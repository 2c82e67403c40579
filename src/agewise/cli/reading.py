"""Options that say how a foreign file is to be read, shared by every command that reads one."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Literal

from typer import Option

PROFILE_HELP = "CSV, Parquet or .xlsx: time, load, ambient, top_oil."
"""Help of the argument that names a profile."""

LoadHold = Annotated[
    Literal["backward", "forward", "linear"],
    Option(
        help="A load is the mean until its time stamp, from it on, or the value at that instant."
    ),
]

OPTIONS: dict[str, Any] = {
    "columns": Annotated[
        str | None,
        Option(help="Column names, as load=I_sec,ambient=T_air; or a TOML file of these options."),
    ],
    "units": Annotated[
        str | None,
        Option(help="As load=A,ambient=F (p.u. % A kA kVA MVA; C F K); the file's if left out."),
    ],
    "timezone": Annotated[
        str | None, Option(help="Zone of times without one: Europe/Madrid or +01:00.")
    ],
    "time_format": Annotated[
        str | None,
        Option(help="As %d/%m/%Y %H:%M; or minutes, epoch, excel. Recognised if left out."),
    ],
    "rated_load": Annotated[
        float | None,
        Option("--rated", help="Rated load in the load's unit; the nameplate's if left out."),
    ],
    "ambient": Annotated[
        str | None,
        Option(
            help="Air instead of a column: 20 or 20±3 [°C], a weather file (EPW, TMY3, CSV), none."
        ),
    ],
    "thresholds": Annotated[
        list[str] | None,
        Option("--threshold", help="Threshold of a data check, as stuck_min=90; may be repeated."),
    ],
}
"""Options of a command, by the names that `Reading.parse` has for them."""


def reads_a_file(command: Callable[..., None]) -> Callable[..., None]:
    """Add these options to a command, which gets them as a single argument, `reading`."""

    @wraps(command)
    def reading_command(**given: Any) -> None:
        from agewise.reading.options import Reading

        chosen = {name: given.pop(name) for name in OPTIONS}
        command(**given, reading=Reading.parse(**chosen))

    # Typer makes flags and arguments from a signature, so the new function needs one that lists
    # these options where the command has its `reading`.
    own = inspect.signature(command).parameters.values()
    parameters = [parameter for parameter in own if parameter.name != "reading"]
    parameters += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for name, option in OPTIONS.items()
    ]
    # Typer reads both: defaults from the signature, types from the annotations.
    reading_command.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
    reading_command.__annotations__ = {p.name: p.annotation for p in parameters}
    return reading_command
