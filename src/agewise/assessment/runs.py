"""Runs of `agewise assess`: made once, put in their place as a whole, and found again."""

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np
import xarray as xr

from agewise.arrays import write_arrays
from agewise.assessment.conclusion import Conclusion, conclusion
from agewise.assessment.decision.thresholds import THRESHOLDS, DecisionThresholds
from agewise.assessment.grid import DEFAULT_GRID, QUICK_GRID, Grid
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.settings import Settings
from agewise.assessment.run_inputs import RunFiles, RunInputs, run_identity
from agewise.assessment.stored import (
    FIELD,
    FORMAT,
    LIFE,
    NAMEPLATE,
    NEWEST,
    POSTERIOR,
    PROFILE,
    SCENARIO,
    SUMMARY,
)
from agewise.engine.training import Monitor
from agewise.engine.training.checkpoint import refuse_strange_files, remove_checkpoints
from agewise.errors import InputError
from agewise.plant.field import rounded, write_dataset
from agewise.plant.nameplate_file import write_nameplate
from agewise.plant.profile import Profile
from agewise.reading.files import Files
from agewise.reading.options import DEFAULT_READING, Reading
from agewise.reading.profile_file import write_profile
from agewise.store.json_file import write_json
from agewise.store.run import Run, finished_run, load_run, versions
from agewise.store.writing import writing_run


class AbstractReport(ABC):
    """What is written into the folder of a run, and told as soon as it can begin."""

    @abstractmethod
    def begin(self, profile: Profile, field: xr.Dataset) -> None:
        """The temperatures of the field are known, and life is still to be worked out."""

    @abstractmethod
    def go_on(self, conclusion: Conclusion, folder: Path) -> None:
        """All is known: write it into the folder, where other files are written meanwhile."""

    @abstractmethod
    def finish(self) -> None:
        """Wait until all is written."""


def assessed_run(
    profile: Files,
    nameplate: Path,
    directory: Path,
    settings: Settings,
    *,
    reading: Reading = DEFAULT_READING,
    grid: Grid | None = None,
    truth: Path | None = None,
    scenario: Path | None = None,
    thresholds: DecisionThresholds = THRESHOLDS,
    resume: bool = False,
    terminal: bool = False,
    jobs: int = 1,
    report: AbstractReport | None = None,
) -> Run:
    """The finished run in a folder: the one that is there already, or one that is made now.

    While a network is trained, its checkpoints lie beside that folder.

    Args:
        profile: File of the profile, or several, a folder or a pattern.
        nameplate: TOML file of the unit.
        directory: Folder of the run.
        settings: How the oil is inferred.
        reading: How the file of the profile is read.
        grid: Heights and minutes of the field; by the length of the record if None.
        truth: File of a twin's truth; with it the answer is scored.
        scenario: File of the days to come; without it they repeat the observed ones.
        thresholds: Numbers from which on to act, to watch, or to tell nothing.
        resume: Whether to go on from checkpoints that a stopped training left.
        terminal: Whether to show a bar on stderr.
        jobs: Processes that fit windows side by side.
        report: Written into the folder before that is sealed.

    Raises `InputError` where something given cannot be used, or where the folder holds another run.
    """
    files = RunFiles(profile, nameplate, truth, scenario)
    # How long the record is tells which grid is usual, and the record is part of the identity.
    asked = grid or (QUICK_GRID if settings.quick else DEFAULT_GRID)
    identity = run_identity(settings, reading, asked, thresholds, files.paths(reading))
    existing = finished_run(directory, identity)
    if existing is not None:
        return existing
    # All inputs are read and refused before the fit, which may take hours.
    inputs = files.read(reading, settings.hold)
    monitor = _monitor(directory, resume=resume, terminal=terminal)
    with writing_run(directory, identity) as folder:
        assessment, seconds = _timed_fit(inputs, settings, monitor, jobs)
        result = conclusion(
            assessment,
            grid=grid,
            truth=inputs.truth,
            scenario=inputs.scenario,
            thresholds=thresholds,
            temperatures_known=report and partial(report.begin, assessment.profile),
        )
        fit_record = {"seconds": seconds, "versions": versions()}
        result = replace(result, summary=result.summary.model_copy(update=fit_record))
        _write_with_report(result, inputs.scenario, folder, report)
    # Only now, when the run is in its place: until then they are all that a killed run leaves.
    remove_checkpoints(_checkpoints(directory))
    return load_run(directory)


def _timed_fit(
    inputs: RunInputs, settings: Settings, monitor: Monitor, jobs: int
) -> tuple[Assessment, float]:
    """The fit, and the time that it alone took [s], which the summary gives."""
    start = perf_counter()
    assessment = assess(inputs.profile, inputs.nameplate, settings, monitor=monitor, jobs=jobs)
    return assessment, perf_counter() - start


def _write_with_report(
    result: Conclusion, scenario: Profile | None, folder: Path, report: AbstractReport | None
) -> None:
    """Everything that a run holds, but for its seal; the report is written beside the rest."""
    if report is not None:
        report.go_on(result, folder)
    _write(result, scenario, folder)
    if report is not None:
        report.finish()


def _write(result: Conclusion, scenario: Profile | None, folder: Path) -> None:
    """Everything that a run holds, but for its report and its seal."""
    assessment = result.assessment
    write_profile(assessment.profile, folder / PROFILE)
    write_nameplate(assessment.nameplate, folder / NAMEPLATE)
    if scenario is not None:
        write_profile(scenario, folder / SCENARIO)
    write_arrays(folder / POSTERIOR, _numbered(assessment))
    write_arrays(folder / LIFE, result.draws)
    write_dataset(rounded(result.field), folder / FIELD)
    write_json(folder / SUMMARY, result.summary.as_json())


def _checkpoints(directory: Path) -> Path:
    # Resolved, since a folder that is given as `.` has no name.
    target = directory.resolve()
    return target.with_name(f"{target.name}.checkpoints")


def _monitor(directory: Path, *, resume: bool, terminal: bool) -> Monitor:
    """Checkpoints beside the folder of the run; those that are there are not overwritten."""
    folder = _checkpoints(directory)
    if folder.exists() and not resume:
        raise InputError(
            f"{folder} holds the checkpoints of a training that was not finished.",
            hint="add `resume=True` to go on from there, or delete that folder to start over.",
        )
    refuse_strange_files(folder)
    return Monitor(folder, resume=resume, terminal=terminal)


def _numbered(assessment: Assessment) -> dict[str, np.ndarray]:
    """The arrays of every window and their format, the window's number before their names."""
    return {
        f"{number}.{name}": array
        for number, window in enumerate(assessment.windows)
        for name, array in (window.posterior.arrays() | {FORMAT: np.array(NEWEST)}).items()
    }
