"""Options that say how a foreign file is to be read, shared by every command that reads one."""

from typing import TYPE_CHECKING, Annotated, Literal

from typer import Option

if TYPE_CHECKING:
    from agewise.data.reading import Reading

PROFILE_HELP = "CSV, Parquet or .xlsx: time, load, ambient, top_oil."

Columns = Annotated[
    str | None,
    Option(help="Names in the file, as load=I_sec,ambient=T_aire; or a TOML that says it all."),
]
Units = Annotated[
    str | None, Option(help="As load=A,ambient=F: p.u. % A kA kVA MVA; C F K. Else found, or told.")
]
Timezone = Annotated[str | None, Option(help="Of times without one: Europe/Madrid, +01:00.")]
TimeFormat = Annotated[
    str | None, Option(help="As %d/%m/%Y %H:%M; or minutes, epoch, excel. Found if left out.")
]
RatedLoad = Annotated[
    float | None, Option("--rated", help="What 1 p.u. is in the load's unit; else the nameplate's.")
]
Threshold = Annotated[
    list[str] | None, Option(help="Of a rule about the data, as stuck_min=90; may be repeated.")
]
LoadHold = Annotated[
    Literal["backward", "forward", "linear"],
    Option(help="A load is the mean of the time up to its stamp, or from it; or of that instant."),
]


def reading_of(
    columns: str | None,
    units: str | None,
    timezone: str | None,
    time_format: str | None,
    rated: float | None,
    threshold: list[str] | None,
) -> "Reading":
    """What was said about a file."""
    from agewise.data.reading import Reading

    return Reading.parse(columns, units, timezone, time_format, rated, threshold)
