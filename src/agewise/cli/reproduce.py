"""`agewise reproduce`: the paper's tables and figures, ours beside the published numbers."""

from pathlib import Path
from typing import Annotated

from typer import Argument, BadParameter, Option

from agewise.cli.console import answer, stage, watched


def reproduce(
    name: Annotated[str, Argument(help="An experiment, or `all`.")] = "all",
    listed: Annotated[bool, Option("--list", help="List the experiments.")] = False,
    seeds: Annotated[int, Option(help="Repeats, each a twin and weights of its own.")] = 5,
    preset: Annotated[str | None, Option(help="paper or default; both if left out.")] = None,
    jobs: Annotated[int, Option(help="Cells at a time, each on one core.")] = 2,
    quick: Annotated[
        bool, Option("--quick", help="Hardly any training: shows that all works.")
    ] = False,
    out: Annotated[
        Path | None,
        Option(help="Folder of the page; cells that are finished there are kept. [reproduced]"),
    ] = None,
) -> None:
    """Tables and figures of the paper, in `reproduction.md`; a killed run goes on where it was."""
    if preset not in (None, "paper", "default"):
        raise BadParameter(f"--preset {preset!r} is neither paper nor default.")
    if not 1 <= seeds <= 100:
        raise BadParameter(f"--seeds {seeds} is not 1 to 100.")
    if jobs < 1:
        raise BadParameter(f"--jobs {jobs} is not 1 or more.")
    from agewise.experiments.registry import EXPERIMENTS, experiments

    if listed:
        answer({one.name: f"{one.title} ({one.source})" for one in EXPERIMENTS.values()})
        return
    from agewise.experiments.page import CELLS, FOLDER, write_page
    from agewise.experiments.runner import run_cells
    from agewise.experiments.scope import Scope

    chosen = experiments(name)
    out = out or Path("reproduced-quick" if quick else "reproduced")
    scope = Scope(seeds, preset, quick)
    wanted = {c.name: c for one in chosen for c in one.configurations(scope)}
    with stage(f"Reproducing {name}", spinner=False):
        run_cells(list(wanted.values()), scope, out / FOLDER / CELLS, jobs=jobs, terminal=watched())
    with stage("Writing the page"):
        page = write_page(scope, out)
    answer({"cells": str(sum(len(scope.cells(c)) for c in wanted.values())), "page": str(page)})
