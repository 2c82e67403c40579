"""`agewise reproduce`: the paper's tables and figures, ours beside the published numbers."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from typer import Argument, BadParameter, Option

from agewise.cli.console import MOST_JOBS, answer, refuse_beyond, stage, watched
from agewise.cli.overwrite import Overwrite, refuse_inside_run
from agewise.errors import InputError

MOST_SEEDS = 100
"""Largest number of repeats."""


def reproduce(
    name: Annotated[str, Argument(help="An experiment, or `all`.")] = "all",
    listed: Annotated[bool, Option("--list", help="List the experiments.")] = False,
    seeds: Annotated[int, Option(help="Repeats, each a twin and weights of its own.")] = 5,
    preset: Annotated[
        str | None, Option(help="paper (both readings) or default; all if left out.")
    ] = None,
    jobs: Annotated[int, Option(help="Fits at a time, each in a process on one core.")] = 2,
    quick: Annotated[
        bool, Option("--quick", help="Hardly any training: only shows that everything runs.")
    ] = False,
    out: Annotated[
        Path | None,
        Option(help="Folder of the page and its pictures. [reproduced]"),
    ] = None,
    cells: Annotated[
        Path | None,
        Option(help="Folder of the fits; those finished are kept. [OUT/reproduction/cells]"),
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Tables and figures of the paper, in `reproduction.md`; a killed run can be continued."""
    if preset not in (None, "paper", "default"):
        raise BadParameter(f"--preset {preset!r} is neither paper nor default.")
    refuse_beyond("--seeds", seeds, MOST_SEEDS)
    refuse_beyond("--jobs", jobs, MOST_JOBS)
    _refuse_installed()
    from reproduction.registry import EXPERIMENTS, experiments

    if listed:
        answer({each.name: f"{each.title} ({each.source})" for each in EXPERIMENTS.values()})
        return
    from reproduction.page import CELLS, FOLDER, PAGE, is_free, write_page
    from reproduction.runner import run_cells
    from reproduction.scope import Scope

    chosen = experiments(name)
    out = out or Path("reproduced-quick" if quick else "reproduced")
    if not (overwrite or is_free(out)):
        raise InputError(
            f"{out} holds a {PAGE} or a folder {FOLDER} that this command did not write.",
            hint="choose another `out`, or add `overwrite=True` to write into them.",
        )
    refuse_inside_run(out / PAGE)
    cells_folder = cells or out / FOLDER / CELLS
    scope = Scope(seeds, preset, quick)
    # By name, since experiments share configurations.
    wanted = {c.name: c for experiment in chosen for c in experiment.configurations(scope)}
    with stage(f"Reproducing {name}", spinner=False):  # the cells have a bar
        run_cells(list(wanted.values()), scope, cells_folder, jobs=jobs, terminal=watched())
    with stage("Writing the page"):
        page = write_page(scope, out, cells_folder)
    answer({"cells": str(sum(len(scope.cells(c)) for c in wanted.values())), "page": str(page)})


def _refuse_installed() -> None:
    """The experiments lie beside the package in the repository, and are not installed with it."""
    if find_spec("reproduction") is None:
        raise InputError(
            "The experiments of the paper are not part of an installed agewise.",
            hint="clone the repository, run `make demo` once, then `.venv/bin/agewise reproduce`.",
        )
