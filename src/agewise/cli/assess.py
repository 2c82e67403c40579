"""`agewise assess`: from a profile and a nameplate to a decision, as a run and a report."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Option

from agewise.cli.compiled import compiled_code_kept
from agewise.cli.console import MOST_JOBS, answer, duration, parsed_grid, stage, watched
from agewise.cli.outputs import refuse_inside_run
from agewise.cli.reading import LoadHold, Profiles, reads_a_file
from agewise.cli.standards import StandardOption, by_standards

if TYPE_CHECKING:
    from agewise.assessment.answer.life import Life
    from agewise.assessment.answer.scenario import ScenarioLimit
    from agewise.assessment.answer.summary import Decision, Summary
    from agewise.reading.options import Reading


@reads_a_file
def assess(
    *,
    profile: Profiles,
    nameplate: Annotated[Path, Option(help="TOML file of the nameplate.")],
    out: Annotated[Path, Option(help="Folder for the run and its report.")],
    method: Annotated[
        str, Option(help="line, solver or exact; or a network: vi, laplace, dropout, map, plain.")
    ] = "exact",
    preset: Annotated[
        Literal["default", "untempered", "paper", "paper-literal"],
        Option(help="Set of settings of a network."),
    ] = "default",
    aleatoric: Annotated[
        Literal["heteroscedastic", "homoscedastic"],
        Option(help="Whether a network lets the noise vary over height and time."),
    ] = "heteroscedastic",
    seed: Annotated[int, Option(help="Seed of the random draws.")] = 0,
    discrepancy: Annotated[
        float | None, Option(help="Error of the heat equation itself [K/h]; 0.005 if left out.")
    ] = None,
    grid: Annotated[
        str | None,
        Option(
            help="Heights and minutes of the field; 51x10 if left out, 21x30 with --quick, 31x60 "
            "for a record of more than 60 days."
        ),
    ] = None,
    hold: LoadHold = "backward",
    standard: StandardOption = None,
    ignore_interior: Annotated[
        bool, Option("--ignore-interior", help="Do not use the sensors inside the oil.")
    ] = False,
    as_given: Annotated[
        bool,
        Option(
            "--as-given",
            help="Take nameplate and heat equation as they are: learn nothing, doubt nothing.",
        ),
    ] = False,
    truth: Annotated[Path | None, Option(help="truth.nc of a twin, to score the answer.")] = None,
    scenario: Annotated[
        Path | None,
        Option(help="Days to come: a profile without top_oil, repeated until the end of life."),
    ] = None,
    window: Annotated[
        float | None, Option(help="Days in each window of a long record; 8, or 4 for networks.")
    ] = None,
    jobs: Annotated[
        int | None,
        Option(min=1, max=MOST_JOBS, help="Processes side by side; as many as cores if left out."),
    ] = None,
    decide: Annotated[
        list[str] | None,
        Option(help="Threshold of the decision, as soon_years=5; may be repeated."),
    ] = None,
    quick: Annotated[bool, Option("--quick", help="A rougher answer, sooner; it says so.")] = False,
    resume: Annotated[
        bool, Option("--resume", help="Continue a training that was interrupted.")
    ] = False,
    form: Annotated[
        Literal["text", "json"],
        Option("--format", help="text for people, json for programs (summary.json)."),
    ] = "text",
    reading: "Reading",
) -> None:
    """How fast the insulation ages, how long it will live, how sure that is, and what to do."""
    refuse_inside_run(out)
    size = parsed_grid(grid) if grid else None
    # Asked before the run is made, so that the answer can say whether it was there already.
    exists = (out / "run.json").exists()
    doing = "Checking the finished run" if exists else f"Assessing by {method}"
    # Networks show a bar of their own, beside which no spinner can turn.
    with stage(doing, spinner=method in ("line", "solver", "exact")), compiled_code_kept():
        from agewise.assessment.decision.thresholds import DecisionThresholds
        from agewise.assessment.grid import Grid
        from agewise.assessment.oil.settings import Settings
        from agewise.assessment.runs import assessed_run
        from agewise.assessment.stored import summary_of
        from agewise.plant.nameplate_file import read_nameplate
        from agewise.report.beside import report_beside

        settings = Settings(
            method=method,
            preset=preset,
            aleatoric=aleatoric,
            seed=seed,
            hold=hold,
            standard=standard,
            ignore_interior=ignore_interior,
            as_given=as_given,
            quick=quick,
            window_days=window,
        )
        # The default is left to the settings, whose module is too heavy to import for a flag.
        if discrepancy is not None:
            settings = replace(settings, discrepancy=discrepancy)
        jobs = jobs or os.cpu_count() or 1  # some systems do not know their number of cores
        with report_beside(jobs=1 if exists else jobs) as report:
            run = assessed_run(
                profile,
                nameplate,
                out,
                settings,
                reading=reading,
                grid=Grid(*size) if size else None,
                truth=truth,
                scenario=scenario,
                thresholds=DecisionThresholds.parse(decide or ()),
                resume=resume,
                terminal=watched(),
                jobs=jobs,
                report=report,  # into the folder, before that is moved to its place
            )
        unit, summary = read_nameplate(nameplate).name, summary_of(run)
    if form == "json":
        print(json.dumps(summary.as_json(), indent=2))
        return
    state = (
        f"{out}, found as it was made at {run.created:%Y-%m-%d %H:%M} UTC" if exists else str(out)
    )
    answer(rows(unit, summary) | {"run": state, "report": str(out / "report.html")})


MOSTLY = 0.995
"""Share of measured rows from which on nothing is said of it."""


def rows(unit: str, summary: "Summary") -> dict[str, str]:
    """The answer in lines for people.

    Args:
        unit: Name of the transformer.
        summary: The answer in numbers.
    """
    window, scores = summary.window, summary.scores
    pieces = f", in {window.pieces} windows" if window.pieces > 1 else ""
    share = window.measured_share
    partly = f", {100 * share:.0f} % of it measured" if share < MOSTLY else ""
    lines = {
        "unit": f"{unit}, {window.samples} samples over {duration(window.hours)}{partly}",
        "method": f"{summary.method}, {summary.seconds or 0.0:.1f} s{pieces}",
    }
    if summary.standard == "ieee":
        lines["standard"] = "winding, ageing and life by IEEE C57.91"
    for number, finding in enumerate(summary.findings, start=1):
        lines[f"finding {number}"] = finding.text
    if scores is not None:
        lines["to truth"] = (
            f"{_score(scores.truth.rmse, 3)} K rms, epistemic z "
            f"{_score(scores.split.epistemic_z)}, aleatoric ratio "
            f"{_score(scores.split.aleatoric_ratio_boundary.median)} at the ends"
        )
    if summary.decision.action == "cannot tell":
        return lines | _nothing(summary.decision)
    return lines | _headline(summary)


def _nothing(decision: "Decision") -> dict[str, str]:
    """Two lines instead of a headline where the data undermine it."""
    return {"decision": f"cannot tell. {decision.reason}", "to mend": decision.mend}


def _headline(summary: "Summary") -> dict[str, str]:
    """Six lines: temperature, life used, life left, what to do, from where on to do something
    else, what to measure; and one on how hot a scenario gets."""
    hot, used, decision = summary.hot_spot, summary.loss_of_life, summary.decision
    worst = used.worst
    return {
        "hot spot": f"{hot.mean:.1f} ± {hot.std:.1f} °C at {hot.height:.2f} m, "
        f"{_instant(hot.time)} (± {hot.epistemic_std:.2f} from the oil temperature; "
        f"{by_standards(hot.iec, hot.ieee, lambda value: f'{value:.1f} °C')})",
        **_scenario(summary),
        "life used": f"{duration(worst.mean)} ± {_percent(worst.std, worst.mean)} at "
        f"{worst.height:.2f} m in {duration(summary.window.hours)} "
        f"(± {_percent(worst.field_std, worst.mean)} from the oil temperature; "
        f"{by_standards(used.iec, used.ieee, duration)})",
        "life left": _life_left(summary.life),
        "decision": f"{decision.action}. {decision.reason}",
        **({"to change": decision.changes} if decision.changes else {}),
        "to narrow": decision.narrow_by,
    }


def _scenario(summary: "Summary") -> dict[str, str]:
    """A line on how hot the scenario gets, if there is one."""
    ahead = summary.scenario
    if ahead is None:
        return {}
    low, high = ahead.interval_90
    chances = ", ".join(map(_passed, ahead.limits))
    return {
        "scenario": f"hot spot up to {ahead.mean:.1f} °C, 90 % {low:.1f} to {high:.1f}, at up to "
        f"{ahead.highest_load:.2f} p.u. (chance to pass {chances}; IEC {ahead.iec:.1f} °C)"
    }


def _passed(limit: "ScenarioLimit") -> str:
    """How likely a limit is passed and, where that may well be, for how long."""
    chance = f"{limit.limit:g} °C {100 * limit.probability:.0f} %"
    return f"{chance} for {limit.hours:.0f} h" if limit.hours and limit.hours >= 1 else chance


def _instant(time: str | float) -> str:
    return time if isinstance(time, str) else f"minute {time:g}"


def _percent(part: float, total: float) -> str:
    from agewise.plant.spread import percent_text

    return percent_text(part / total) if total > 0 else "0 %"


def _score(value: float | None, digits: int = 2) -> str:
    """A score; JSON has no infinity, so None stands for it."""
    return "infinite" if value is None else f"{value:.{digits}f}"


def _life_left(life: "Life") -> str:
    years, horizon = life.remaining_years, life.horizon_years

    def words(value: float | None) -> str:
        return f"over {horizon:g}" if value is None else f"{value:.1f}"

    low, high = (words(end) for end in years.interval_90)
    # Null may also mean that IEEE's answer lacks something; years beyond the horizon are said once.
    plain = by_standards(years.iec, years.ieee, words)
    # Equal words: the interval lies beyond the horizon, or is narrower than a tenth of a year.
    if low == high:
        return f"{low} years ({plain})"
    return f"{words(years.median)} years, 90 % {low} to {high} ({plain})"
