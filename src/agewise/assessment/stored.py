"""What a finished run holds, read back and checked.

The seal of a run guards against accidents; anybody can write another. So whatever its files hold
ends in the assessment that they describe, or in an `InputError`.
"""

from collections.abc import Mapping
from dataclasses import fields

import jax
import numpy as np
from pydantic import TypeAdapter, ValidationError

from agewise.arrays import damaged, read_arrays
from agewise.assessment.answer.summary import Summary
from agewise.assessment.oil.assess import restored
from agewise.assessment.oil.assessment import Assessment, Window
from agewise.assessment.oil.methods import NETWORKS
from agewise.assessment.oil.settings import Settings
from agewise.errors import InputError
from agewise.plant.nameplate_file import read_nameplate
from agewise.reading.profile_file import stored_profile
from agewise.store.run import MANIFEST, Run
from agewise.units import SECONDS_PER_HOUR

PROFILE, NAMEPLATE, SCENARIO = "profile.parquet", "nameplate.toml", "scenario.parquet"
"""Copies of the inputs, so that a run stands alone."""
POSTERIOR, FIELD, SUMMARY = "posterior.npz", "field.nc", "summary.json"
"""Arrays of the posterior, the field over time and height, and the answer."""
LIFE = "life.npz"
"""The draws behind the summary."""

FORMAT, NEWEST = "format", 2
"""Name of the array with the number of the format of a window's arrays, and the newest number. In
the first one, networks knew nothing of fast changes of the air; closed forms are the same."""

NOT_OF_THE_FIT = {"grid", "reading", "thresholds"}
"""Settings of a run's identity that are no fields of `Settings`: how files are read and written,
and from where on to act."""
PROBES = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.5], [0.0, 1.0], [1.0, 1.0]])
"""Points (x, t) of a window's unit square at which a posterior is tried; its first and its last
instant are among them."""


def summary_of(run: Run) -> Summary:
    """The answer of a finished run; an `InputError` where its file does not fit the model."""
    path = run.directory / SUMMARY
    if not path.is_file():
        raise damaged(path, "is missing")
    try:
        return Summary.model_validate_json(path.read_bytes(), strict=True)
    except ValidationError as error:
        raise damaged(path, f"does not fit its schema at {_place(error)!r}") from None


def assessment_of(run: Run) -> Assessment:
    """The assessment of a finished run, ready to predict at other points.

    Raises `InputError` where settings, profile, nameplate and posterior do not fit each other.
    """
    settings, window = _settings(run), summary_of(run).window
    profile = stored_profile(run.directory / PROFILE)
    # Another profile would stretch the posterior over another time without any complaint.
    hours = float(profile.seconds[-1]) / SECONDS_PER_HOUR
    # To the last digit, which JSON keeps of every number.
    if (profile.seconds.size, hours) != (window.samples, window.hours):
        raise damaged(run.directory / PROFILE, f"is not the profile that {SUMMARY} describes")
    nameplate = read_nameplate(run.directory / NAMEPLATE)
    path = run.directory / POSTERIOR
    arrays = read_arrays(path)
    try:
        by_window = _by_window(arrays)
        # Runs from before formats were numbered do not say theirs.
        formats = {int(own.pop(FORMAT, 1)) for own in by_window}
        if settings.method in NETWORKS and formats != {NEWEST}:
            raise damaged(
                path, "was made by an older agewise, whose networks can no longer be read"
            )
        assessment = restored(profile, nameplate, settings, by_window)
        for window in assessment.windows:
            _try(window)
    except InputError:
        raise
    except Exception as error:  # Arrays of other shapes or values make nearly anything fail.
        what = f"holds no posterior of this profile by {settings.method}"
        raise damaged(path, f"{what} ({type(error).__name__})") from error
    return assessment


def _settings(run: Run) -> Settings:
    """The settings of the fit, provided that this agewise knows them and they are possible."""
    path = run.directory / MANIFEST
    chosen = {n: value for n, value in run.identity.settings.items() if n not in NOT_OF_THE_FIT}
    unknown = sorted(chosen.keys() - {field.name for field in fields(Settings)})
    if unknown:
        raise damaged(path, f"has a setting that this agewise does not know, {unknown[0]!r}")
    named = {"method": run.identity.method, "seed": run.identity.seed}
    try:
        return TypeAdapter(Settings).validate_python(chosen | named)
    except ValidationError as error:
        # What settings themselves refuse, pydantic wraps: their own sentence says more.
        cause = error.errors()[0].get("ctx", {}).get("error")
        fault = cause.sentence.rstrip(".") if isinstance(cause, InputError) else _place(error)
        raise damaged(path, f"has impossible settings: {fault}") from None


def _place(error: ValidationError) -> str:
    """Where in the file the first fault is, such as `life.remaining_years.median`."""
    return ".".join(map(str, error.errors()[0]["loc"]))


def _by_window(arrays: Mapping[str, np.ndarray]) -> list[dict[str, np.ndarray]]:
    """The arrays of each window, from names such as `0.mean`; every number in them is finite."""
    windows: dict[int, dict[str, np.ndarray]] = {}
    for name, array in arrays.items():
        number, _, own = name.partition(".")
        if array.dtype.kind not in "biuf" or not np.isfinite(array).all():
            raise ValueError(f"{name} holds something else than finite numbers")
        windows.setdefault(int(number), {})[own] = array
    if set(windows) != set(range(len(windows))):
        raise ValueError("some windows are missing")
    return [windows[number] for number in range(len(windows))]


def _try(window: Window) -> None:
    """Ask a restored posterior at a few points; what does not fit fails here, not later."""
    # Nonsense may overflow on the way; what counts is whether the outcome is finite.
    with np.errstate(all="ignore"):
        prediction = window.posterior.predict(PROBES)
        drawn = window.posterior.draw(2, key=jax.random.key(0)).means(PROBES)
    for values in (prediction.mean, prediction.epistemic, prediction.aleatoric, drawn):
        if values.shape[-1] != len(PROBES) or not np.isfinite(values).all():
            raise ValueError("a prediction is not a finite number")
    if min(prediction.epistemic.min(), prediction.aleatoric.min()) < 0:
        raise ValueError("a predicted variance is negative")
