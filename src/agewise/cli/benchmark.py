"""`agewise benchmark`: every method on problems whose solution is known, in one table."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, BadParameter, Option

from agewise.cli.compiled import compiled_code_environment
from agewise.cli.console import MOST_JOBS, answer, refuse_beyond, stage, watched
from agewise.cli.overwrite import Overwrite, refuse_inside_run
from agewise.errors import InputError

if TYPE_CHECKING:
    from agewise.benchmark.cells import Exercise

MOST_DRAWS = 1000
"""Largest number of draws of a problem."""


def benchmark(
    problems: Annotated[
        list[str] | None,
        Argument(
            help="Problems, as `agewise problems` lists them; poisson@0.1 has noise 0.1. "
            "All if left out.",
        ),
    ] = None,
    methods: Annotated[
        str,
        Option(
            help="Methods separated by commas, as `agewise methods` lists them; vi+conformal and "
            "vi+local have bands by readings that are kept from the fit, vi+simulated has "
            "intervals of constants by fits of simulated readings, map+attention has a reweighted "
            "loss."
        ),
    ] = "map,laplace,vi,exact,ensemble",
    draws: Annotated[
        int, Option(help="Draws of the noise for each problem, each with a fit of its own.")
    ] = 20,
    jobs: Annotated[int, Option(help="Fits at a time, each in a process on one core.")] = 2,
    limit: Annotated[float, Option(help="Time that one fit may take [min].")] = 10.0,
    out: Annotated[Path, Option(help="Folder of the table and its pictures.")] = Path("benchmark"),
    cells: Annotated[
        Path | None, Option(help="Folder of the fits; those finished are kept. [OUT/cells]")
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Error, calibration and cost of methods on known problems; a killed run can be continued."""
    refuse_beyond("--draws", draws, MOST_DRAWS)
    refuse_beyond("--jobs", jobs, MOST_JOBS)
    if not limit > 0:
        raise BadParameter(f"--limit {limit:g} is not above zero.")
    from agewise.benchmark.page.page import CELLS, PAGE, is_free, write_page
    from agewise.benchmark.results import Results
    from agewise.benchmark.runner import all_cells, run_cells

    exercises, names = _exercises(problems), _methods(methods)
    if not (overwrite or is_free(out)):
        raise InputError(
            f"{out} holds a {PAGE} that this command did not write.",
            hint="choose another `out`, or add `overwrite=True` to replace it.",
        )
    refuse_inside_run(out / PAGE)
    folder = cells or out / CELLS
    wanted = all_cells(exercises, names, draws)
    # Processes inherit it; theirs end with the command.
    os.environ.update(compiled_code_environment())
    with stage(f"Fitting {len(wanted)} cells", spinner=False):  # the cells have a bar
        new = run_cells(wanted, folder, jobs=jobs, limit=60.0 * limit, terminal=watched())
    with stage("Writing the table"):
        results = Results(folder)
        page = write_page(results, out)
    judged_count = sum(bool(row.done) for row in results.rows.values())
    answer(
        {
            "cells": f"{len(wanted)}, {new} of them new",
            "rows": f"{judged_count} with numbers, {len(results.rows) - judged_count} without",
            "page": str(page),
        }
    )


def _exercises(problems: list[str] | None) -> "list[Exercise]":
    """The problems that were asked for, each perhaps with a noise."""
    from agewise.benchmark.cells import Exercise
    from agewise.library import CLASSES
    from agewise.library.known import AbstractMeasuredProblem

    exercises = {}
    for text in problems or CLASSES:
        match = re.fullmatch(r"(?P<name>[^@]+)(@(?P<noise>\d*\.?\d+(e-?\d+)?))?", text)
        if match is None or match["name"] not in CLASSES:
            raise InputError(
                f"There is no problem {text!r}.", hint=f"choose from {', '.join(CLASSES)}."
            )
        noise = None if match["noise"] is None else float(match["noise"])
        problem_class = CLASSES[match["name"]]
        if noise is not None and not (
            noise > 0 and issubclass(problem_class, AbstractMeasuredProblem)
        ):
            raise InputError(
                f"{text!r} asks for a noise, and that problem has none to be changed.",
                hint=f"leave it out: {match['name']}.",
            )
        exercise = Exercise(match["name"], noise)
        exercises[exercise.name] = exercise
    return list(exercises.values())


def _methods(text: str) -> list[str]:
    """The methods in a text such as `vi,vi+conformal`."""
    from agewise.benchmark.judging.judged import SIMULATED, WRAPS
    from agewise.engine.equations.methods.registry import METHODS
    from agewise.engine.training.reweighted import REWEIGHTED

    names, wraps = list(dict.fromkeys(text.split(","))), (*WRAPS, SIMULATED)
    for name in names:
        base, plus, added = name.partition("+")
        allowed = (*wraps, *REWEIGHTED) if base == "map" else wraps
        if base not in METHODS or (plus and added not in allowed):
            rules = ", ".join(f"map+{rule}" for rule in REWEIGHTED)
            raise InputError(
                f"There is no method {name!r}.",
                hint=f"choose from {', '.join(METHODS)}, each also with "
                f"{', '.join(f'+{wrap}' for wrap in wraps)}; or {rules}.",
            )
    return names
