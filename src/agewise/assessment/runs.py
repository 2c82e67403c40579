"""Runs of `agewise assess`: made once, put in their place as a whole, and found again."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import xarray as xr

from agewise.arrays import write_arrays
from agewise.assessment.conclusion import Conclusion, conclusion
from agewise.assessment.decision.thresholds import THRESHOLDS, DecisionThresholds
from agewise.assessment.grid import DEFAULT_GRID, QUICK_GRID, Grid
from agewise.assessment.life.scenario import days_to_come, refuse_unforeseen
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.settings import Settings
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
from agewise.plant.nameplate_file import read_nameplate, write_nameplate
from agewise.plant.profile import Profile
from agewise.reading.air import weather_path
from agewise.reading.files import Files, given_files
from agewise.reading.options import DEFAULT_READING, Reading
from agewise.reading.profile_file import read_profile, write_profile
from agewise.store.identity import Identity, fingerprint
from agewise.store.json_file import write_json
from agewise.store.run import Run, finished_run, load_run, versions
from agewise.store.writing import writing_run
from agewise.twin.truth_file import read_truth, refuse_other_truth


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
    files = given_files(profile)
    inputs = {"profile": files, "nameplate": nameplate, "truth": truth, "scenario": scenario}
    inputs["weather"] = weather_path(reading)
    # How long the record is tells which grid is usual, and the record is part of the identity.
    asked = grid or (QUICK_GRID if settings.quick else DEFAULT_GRID)
    identity = _identity(settings, reading, asked, thresholds, inputs)
    existing = finished_run(directory, identity)
    if existing is not None:
        return existing
    # All inputs are read and refused before the fit, which may take hours.
    unit = read_nameplate(nameplate)
    measured = read_profile(profile, reading, rated=unit.rated())
    if scenario:
        refuse_unforeseen(measured, unit, settings.hold, "A scenario")
    known = read_truth(truth) if truth else None
    if known is not None:
        refuse_other_truth(measured, known)
    ahead = (
        days_to_come(read_profile(scenario, rated=unit.rated()), str(scenario))
        if scenario
        else None
    )
    monitor = _monitor(directory, resume=resume, terminal=terminal)
    with writing_run(directory, identity) as folder:
        # The time that the summary gives is that of the fit alone.
        start = perf_counter()
        assessment = assess(measured, unit, settings, monitor=monitor, jobs=jobs)
        seconds = perf_counter() - start
        result = conclusion(
            assessment,
            grid=grid,
            truth=known,
            scenario=ahead,
            thresholds=thresholds,
            temperatures_known=report and partial(report.begin, assessment.profile),
        )
        made = {"seconds": seconds, "versions": versions()}
        result = replace(result, summary=result.summary.model_copy(update=made))
        if report is not None:
            report.go_on(result, folder)
        _write(result, ahead, folder)
        if report is not None:
            report.finish()
    # Only now, when the run is in its place: until then they are all that a killed run leaves.
    remove_checkpoints(_checkpoints(directory))
    return load_run(directory)


def _identity(
    settings: Settings,
    reading: Reading,
    grid: Grid,
    thresholds: DecisionThresholds,
    inputs: Mapping[str, Path | Sequence[Path] | None],
) -> Identity:
    """What a run answers: settings, and the content of every file that was given."""
    chosen = asdict(settings)
    # Not among the settings of runs from before there was a choice, which are found again.
    if chosen["standard"] is None:
        del chosen["standard"]
    return Identity(
        method=chosen.pop("method"),
        seed=chosen.pop("seed"),
        settings=chosen | _about_files(reading, grid) | _about_decision(thresholds),
        inputs={name: fingerprint(path) for name, path in inputs.items() if path is not None},
    )


def _about_files(reading: Reading, grid: Grid) -> dict[str, Any]:
    said = asdict(reading)
    if reading.ambient is None:
        del said["ambient"]  # runs from before there was such a setting are found again
    return {"grid": asdict(grid), "reading": said}


def _about_decision(thresholds: DecisionThresholds) -> dict[str, Any]:
    """Thresholds that are not the usual ones: runs from before there were any are found again."""
    return {} if thresholds == THRESHOLDS else {"thresholds": asdict(thresholds)}


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
    target = directory.resolve()
    return target.with_name(f"{target.name}.checkpoints")


def _monitor(directory: Path, *, resume: bool, terminal: bool) -> Monitor:
    """Checkpoints beside the folder of the run; those that are there are not overwritten."""
    folder = _checkpoints(directory)
    if folder.exists() and not resume:
        raise InputError(
            f"{folder} holds the checkpoints of a training that was not finished.",
            hint="add `resume=True` to go on from there, or delete that folder to start anew.",
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
