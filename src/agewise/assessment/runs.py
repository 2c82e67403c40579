"""Runs of `agewise assess`: made once, found again, and asked further questions."""

import shutil
from dataclasses import asdict
from pathlib import Path
from time import perf_counter

from agewise.arrays import write_arrays
from agewise.assessment.assess import Assessment, Settings, assess, heat_problem
from agewise.assessment.outcome import oil_field, summary
from agewise.assessment.plain import DEFAULT_GRID, Grid
from agewise.data.field import write_dataset
from agewise.data.nameplate_file import read_nameplate, write_nameplate
from agewise.data.profile import read_profile, write_profile
from agewise.data.truth_file import read_truth
from agewise.errors import InputError
from agewise.store import (
    FIELD,
    POSTERIOR,
    SUMMARY,
    Identity,
    Run,
    fingerprint,
    finished_run,
    load_run,
    write_json,
    writing_run,
)
from agewise.training import Monitor

PROFILE, NAMEPLATE = "profile.parquet", "nameplate.toml"
"""Copies of the inputs, so that a run stands alone."""


def assessed_run(
    profile: Path,
    nameplate: Path,
    directory: Path,
    settings: Settings,
    *,
    grid: Grid = DEFAULT_GRID,
    truth: Path | None = None,
    resume: bool = False,
    terminal: bool = False,
) -> Run:
    """The finished run in a folder: found there, or made now and put there whole.

    While a network is trained, its checkpoints lie beside that folder. `resume` goes on from
    them; `terminal` shows a bar on stderr.
    """
    inputs = {"profile": profile, "nameplate": nameplate} | ({"truth": truth} if truth else {})
    chosen = {
        name: value for name, value in asdict(settings).items() if name not in ("method", "seed")
    }
    identity = Identity(
        method=settings.method,
        seed=settings.seed,
        settings=chosen | {"grid": asdict(grid)},
        inputs={name: fingerprint(path) for name, path in inputs.items()},
    )
    found = finished_run(directory, identity)
    if found is not None:
        return found
    measured, unit = read_profile(profile), read_nameplate(nameplate)
    known = read_truth(truth) if truth else None
    monitor = _monitor(directory, resume=resume, terminal=terminal)
    with writing_run(directory, identity) as folder:
        start = perf_counter()
        assessment = assess(measured, unit, settings, monitor=monitor)
        seconds = perf_counter() - start
        field = oil_field(assessment, grid=grid)
        write_profile(measured, folder / PROFILE)
        write_nameplate(unit, folder / NAMEPLATE)
        write_arrays(folder / POSTERIOR, assessment.posterior.arrays())
        write_dataset(field, folder / FIELD)
        write_json(folder / SUMMARY, summary(assessment, field, seconds, known))
    shutil.rmtree(_checkpoints(directory), ignore_errors=True)
    return load_run(directory)


def _checkpoints(directory: Path) -> Path:
    target = directory.resolve()
    return target.with_name(f"{target.name}.checkpoints")


def _monitor(directory: Path, *, resume: bool, terminal: bool) -> Monitor:
    """Checkpoints beside the folder of the run; those that are there are not overwritten."""
    folder = _checkpoints(directory)
    if folder.exists() and not resume:
        raise InputError(
            f"{folder} holds the checkpoints of a training that was not finished.",
            hint="add --resume to go on from there, or delete that folder to start anew.",
        )
    return Monitor(folder, resume=resume, terminal=terminal)


def assessment_of(run: Run) -> Assessment:
    """The assessment of a finished run, ready to predict at other points."""
    chosen = {name: value for name, value in run.identity.settings.items() if name != "grid"}
    settings = Settings(method=run.identity.method, seed=run.identity.seed, **chosen)
    profile = read_profile(run.directory / PROFILE)
    nameplate = read_nameplate(run.directory / NAMEPLATE)
    problem = heat_problem(profile, nameplate, settings)
    posterior = settings.inference().restored(problem, run.arrays())
    return Assessment(profile, nameplate, settings, problem, posterior)
