"""`agewise thermal`: the plain IEC 60076-7 answer."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Option

from agewise.cli.console import answer, duration, profile_rows, stage
from agewise.cli.outputs import writes
from agewise.cli.reading import LoadHold, Profiles, reads_a_file

if TYPE_CHECKING:
    from agewise.reading.options import Reading


@writes("out")
@reads_a_file
def thermal(
    *,
    profile: Profiles,
    nameplate: Annotated[Path, Option(help="TOML file of the nameplate.")],
    out: Annotated[Path, Option(help="CSV or Parquet file to write.")],
    insulation: Annotated[
        str | None,
        Option(help="Paper: normal or upgraded; the nameplate's if left out."),
    ] = None,
    start_top_oil: Annotated[
        float | None,
        Option(min=-60, max=250, help="Top oil at the start [°C]; at steady state if left out."),
    ] = None,
    start_hot_spot_rise: Annotated[
        float | None,
        Option(
            min=0,
            max=150,
            help="Hot spot over top oil at the start [K]; at steady state if left out.",
        ),
    ] = None,
    hold: LoadHold = "backward",
    scheme: Annotated[
        Literal["exact", "difference"], Option(help="Exact, or IEC's explicit difference form.")
    ] = "exact",
    reading: "Reading",
) -> None:
    """Top oil, hot spot, ageing rate and loss of life by IEC 60076-7."""
    with stage("Reading and computing"):
        import pandas as pd

        from agewise.assessment.plain_answers import iec_answer
        from agewise.errors import InputError
        from agewise.plant.nameplate_file import read_nameplate
        from agewise.plant.tables import write_table
        from agewise.reading.profile_file import read_profile
        from agewise.transformer.thermal_summary import thermal_summary

        unit = read_nameplate(nameplate)
        measured = read_profile(profile, reading, rated=unit.rated())
        # A start would be passed over in silence: the measured oil is used as it is.
        if measured.top_oil is not None and start_top_oil is not None:
            raise InputError(
                "The profile has a measured top_oil, so --start-top-oil has no effect.",
                hint="leave the option out, or the column.",
            )
        history = iec_answer(
            measured,
            unit,
            paper=insulation,
            hold=hold,
            scheme=scheme,
            start_top_oil=start_top_oil,
            start_hot_spot_rise=start_hot_spot_rise,
        )
        table = {
            "time": measured.timeline.labels,
            # Rounded to 0.1 mK; rates and losses span decades, so they keep all their digits.
            "top_oil": history.top_oil.round(4),
            "hot_spot": history.hot_spot.round(4),
            "ageing_rate": history.ageing_rate,
            "loss_of_life": history.loss_of_life,
        }
        write_table(pd.DataFrame(table), out)
        figures = thermal_summary(measured.seconds, history)
    hottest = measured.timeline.labels.iloc[figures.hottest_row]
    source = "modelled" if measured.top_oil is None else "measured"
    answer(
        {
            **profile_rows(unit, measured, hold),
            "top oil": "{}, {:.1f} to {:.1f} °C".format(source, *figures.top_oil),
            "hot spot": f"up to {figures.hot_spot_peak:.1f} °C (at {hottest}), "
            f"{figures.hours_above_limit:.1f} h above {figures.limit:g} °C",
            "ageing": f"{duration(figures.loss_of_life)} of life used, "
            f"{figures.mean_ageing_rate:.3g} times the normal rate",
            "written": str(out),
        }
    )
