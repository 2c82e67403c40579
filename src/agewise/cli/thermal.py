"""`agewise thermal`: the plain answer of a loading guide."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from typer import Option

from agewise.cli.console import answer, duration, profile_rows, stage, top_oil_source
from agewise.cli.overwrite import writes
from agewise.cli.reading import LoadHold, Profiles, reads_a_file
from agewise.cli.standards import StandardOption

if TYPE_CHECKING:
    from agewise.plant.nameplate import Nameplate
    from agewise.plant.profile import Profile
    from agewise.plant.standards import Standard
    from agewise.reading.options import Reading
    from agewise.transformer.between_samples import Hold
    from agewise.transformer.iec60076 import ThermalHistory
    from agewise.transformer.thermal_summary import ThermalSummary


class Start(TypedDict):
    """Temperatures at the first row, where somebody gives them."""

    start_top_oil: float | None
    start_hot_spot_rise: float | None


@writes("out")
@reads_a_file
def thermal(
    *,
    profile: Profiles,
    nameplate: Annotated[Path, Option(help="TOML file of the nameplate.")],
    out: Annotated[Path, Option(help="CSV or Parquet file to write.")],
    insulation: Annotated[
        str | None,
        Option(help="IEC's paper: normal or upgraded; the nameplate's if left out."),
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
    standard: StandardOption = None,
    scheme: Annotated[
        Literal["exact", "difference"], Option(help="Exact, or IEC's explicit difference form.")
    ] = "exact",
    reading: "Reading",
) -> None:
    """Top oil, hot spot, ageing rate and loss of life by IEC 60076-7 or IEEE C57.91."""
    with stage("Reading and computing"):
        from agewise.assessment.thermal_table import thermal_answer
        from agewise.plant.nameplate_file import read_nameplate
        from agewise.reading.profile_file import read_profile
        from agewise.transformer.thermal_summary import thermal_summary

        unit = read_nameplate(nameplate)
        measured = read_profile(profile, reading, rated=unit.rated())
        _refuse_useless_start(measured, start_top_oil)
        chosen = standard or unit.standard
        start: Start = {
            "start_top_oil": start_top_oil,
            "start_hot_spot_rise": start_hot_spot_rise,
        }
        history = thermal_answer(
            measured, unit, standard=chosen, paper=insulation, hold=hold, scheme=scheme, **start
        )
        _write(measured, history, out)
        figures = thermal_summary(measured.seconds, history)
        other = _other_standard(measured, unit, chosen, hold, start)
    hottest = measured.timeline.labels.iloc[figures.hottest_row]
    answer(
        {
            **profile_rows(unit.by_standard(chosen), measured, hold),
            "standard": _named(unit, chosen),
            "top oil": "{}, {:.1f} to {:.1f} °C".format(top_oil_source(measured), *figures.top_oil),
            "hot spot": f"up to {figures.hot_spot_peak:.1f} °C (at {hottest}), "
            f"{figures.hours_above_limit:.1f} h above {figures.limit:g} °C",
            "ageing": _ageing(unit, chosen, figures),
            **other,
            "written": str(out),
        }
    )


def _refuse_useless_start(profile: "Profile", start_top_oil: float | None) -> None:
    """Refuse a start that would be passed over in silence: measured oil is used as it is."""
    from agewise.errors import InputError

    if profile.top_oil is not None and start_top_oil is not None:
        raise InputError(
            "The profile has a measured top_oil, so --start-top-oil has no effect.",
            hint="leave the option out, or the column.",
        )


def _write(profile: "Profile", history: "ThermalHistory", path: Path) -> None:
    """Write the temperatures [°C], the ageing rate and the life used [h], row by row."""
    import pandas as pd

    from agewise.plant.tables import write_table

    table = {
        "time": profile.timeline.labels,
        # Rounded to 0.1 mK; rates and losses span decades, so they keep all their digits.
        "top_oil": history.top_oil.round(4),
        "hot_spot": history.hot_spot.round(4),
        "ageing_rate": history.ageing_rate,
        "loss_of_life": history.loss_of_life,
    }
    write_table(pd.DataFrame(table), path)


def _other_standard(
    profile: "Profile", unit: "Nameplate", chosen: "Standard", hold: "Hold", start: "Start"
) -> dict[str, str]:
    """A line about what the other guide gives; none where the unit lacks what that needs."""
    from agewise.assessment.thermal_table import thermal_answer
    from agewise.errors import InputError
    from agewise.transformer.thermal_summary import thermal_summary

    other: Standard = "iec" if chosen == "ieee" else "ieee"
    try:
        history = thermal_answer(profile, unit, standard=other, hold=hold, **start)
        figures = thermal_summary(profile.seconds, history)
        text = f"hot spot up to {figures.hot_spot_peak:.1f} °C, {_ageing(unit, other, figures)}"
        return {"beside": f"{_named(unit, other)}: {text}"}
    except InputError:
        return {}


def _ageing(unit: "Nameplate", standard: "Standard", figures: "ThermalSummary") -> str:
    """Life used, how fast, and by IEEE's habit the percentage of a life."""
    text = (
        f"{duration(figures.loss_of_life)} of life used, "
        f"{figures.mean_ageing_rate:.3g} times the normal rate"
    )
    if standard == "iec":
        return text
    life = unit.by_standard("ieee").insulation.life_hours.mean
    return f"{text} ({100 * figures.loss_of_life / life:.2g} % of {life:g} h)"


def _named(unit: "Nameplate", standard: "Standard") -> str:
    """The guide, and the insulation to which it is applied."""
    from agewise.plant.standards import STANDARD_NAMES, average_winding_rise

    if standard == "ieee":
        return f"{STANDARD_NAMES[standard]}, {average_winding_rise(unit)} °C rise"
    return f"{STANDARD_NAMES[standard]}, {unit.by_standard('iec').insulation.paper} paper"
