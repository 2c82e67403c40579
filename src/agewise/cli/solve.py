"""`agewise solve`: the reference field between measured ends."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import BadParameter, Option

from agewise.cli.console import answer, duration, parsed_grid, profile_rows, stage, top_oil_source
from agewise.cli.overwrite import writes
from agewise.cli.reading import LoadHold, Profiles, reads_a_file

if TYPE_CHECKING:
    from xarray import Dataset

    from agewise.reading.options import Reading


@writes("out", "picture")
@reads_a_file
def solve(
    *,
    profile: Profiles,
    nameplate: Annotated[Path, Option(help="TOML file of the nameplate.")],
    out: Annotated[Path, Option(help="NetCDF file for the field.")],
    grid: Annotated[str, Option(help="Heights and minutes of the field.")] = "51x10",
    hold: LoadHold = "backward",
    picture: Annotated[Path | None, Option(help="PNG file for a picture of the field.")] = None,
    reading: "Reading",
) -> None:
    """Solve the oil's heat equation between the measured ends, without uncertainty."""
    heights, minutes = parsed_grid(grid)
    if picture is not None and picture.suffix != ".png":
        raise BadParameter(f"--picture {picture} does not end in .png.")
    with stage("Solving the heat equation"):
        from agewise.assessment.grid import Grid
        from agewise.assessment.plain_answers import reference_field
        from agewise.plant.field import write_dataset
        from agewise.plant.nameplate_file import read_nameplate
        from agewise.reading.profile_file import read_profile

        unit = read_nameplate(nameplate)
        measured = read_profile(profile, reading, rated=unit.rated())
        field = reference_field(measured, unit, grid=Grid(heights, minutes), hold=hold)
        write_dataset(field, out)
    if picture is not None:
        with stage("Drawing"):
            from agewise.report.figures.overview import write_overview

            write_overview(measured, unit, field, picture)
    answer(
        {
            **profile_rows(unit, measured, hold),
            "top oil": top_oil_source(measured),
            **_field_rows(field),
            "written": ", ".join(str(path) for path in (out, picture) if path is not None),
        }
    )


def _field_rows(field: "Dataset") -> dict[str, str]:
    """Temperatures and life used, in lines for people."""
    oil, used = field["oil_mean"], field["loss_of_life_mean"].isel(time=-1)
    top, worst = float(field["height"][-1]), float(used.idxmax("height"))
    # Interpolated, since a grid need not have these very heights.
    used_at = {f"{share:g} H": used.interp(height=share * top) for share in (0.5, 0.8, 1.0)}
    lives = ", ".join(f"{duration(float(value))} at {at}" for at, value in used_at.items())
    return {
        "oil": f"{float(oil.min()):.1f} to {float(oil.max()):.1f} °C over {top:g} m",
        "winding": f"up to {float(field['winding_mean'].max()):.1f} °C",
        "life used": f"{lives}; most at {worst:.2f} m",
    }
