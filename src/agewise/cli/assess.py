"""`agewise assess`: from a profile and a nameplate to a decision, as a run and a report."""

import json
import os
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Option

from agewise.cli.assess_answer import rows
from agewise.cli.compiled import compiled_code_kept
from agewise.cli.console import MOST_JOBS, answer, parsed_grid, stage, watched
from agewise.cli.overwrite import refuse_inside_run
from agewise.cli.reading import LoadHold, Profiles, reads_a_file
from agewise.cli.standards import StandardOption

if TYPE_CHECKING:
    from agewise.assessment.oil.settings import Settings
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
            help="Take nameplate and heat equation as exact, and learn nothing from the record.",
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
    quick: Annotated[
        bool, Option("--quick", help="A rougher answer, sooner (which the answer states).")
    ] = False,
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
    given = dict(locals())
    refuse_inside_run(out)
    size = parsed_grid(grid) if grid else None
    # Asked before the run is made, so that the answer can say whether it was there already.
    exists = (out / "run.json").exists()
    doing = "Checking the finished run" if exists else f"Assessing by {method}"
    # Networks show a bar of their own, beside which no spinner can turn.
    with stage(doing, spinner=method in ("line", "solver", "exact")), compiled_code_kept():
        from agewise.assessment.decision.thresholds import DecisionThresholds
        from agewise.assessment.grid import Grid
        from agewise.assessment.runs import assessed_run
        from agewise.assessment.stored import summary_of
        from agewise.plant.nameplate_file import read_nameplate
        from agewise.report.beside import report_beside

        settings = _settings(given)
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
    else:
        reuse_note = f", found as it was made at {run.created:%Y-%m-%d %H:%M} UTC" if exists else ""
        where = {"run": f"{out}{reuse_note}", "report": str(out / "report.html")}
        answer(rows(unit, summary) | where)


def _settings(given: dict[str, Any]) -> "Settings":
    """How the oil is inferred; all options but one have the name of the setting that they give."""
    from agewise.assessment.oil.settings import Settings

    names = {field.name for field in fields(Settings)}
    chosen = {name: value for name, value in given.items() if name in names}
    # The default is left to the settings, whose module is too heavy to import for a flag.
    if chosen["discrepancy"] is None:
        del chosen["discrepancy"]
    return Settings(**chosen, window_days=given["window"])
