"""From a profile and a nameplate to the posterior of the oil, window by window."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Unpack

import jax
import numpy as np

from agewise.assessment.calibration.calibrate import learned_nameplate
from agewise.assessment.inputs import (
    NameplateInput,
    ProfileInput,
    given_nameplate,
    given_profile,
    refuse_stages_by_ieee,
)
from agewise.assessment.oil.assessment import Assessment, Window
from agewise.assessment.oil.problem import heat_problem, no_top_oil
from agewise.assessment.oil.settings import DEFAULT_SETTINGS, Choices, Settings
from agewise.assessment.oil.silences import silences
from agewise.assessment.oil.spans import Span, spans
from agewise.assessment.oil.windows import restored_window, silent_windows, with_doubts
from agewise.engine.training import QUIET, Monitor
from agewise.engine.training.checkpoint import Arrays, Keeper
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.quality.stand_ins import between, stand_ins
from agewise.threads import side_by_side
from agewise.transformer.oil.guesses import Guesses
from agewise.transformer.oil.heat import TransformerHeat


def assess(
    profile: ProfileInput,
    nameplate: NameplateInput,
    settings: Settings = DEFAULT_SETTINGS,
    *,
    monitor: Monitor = QUIET,
    jobs: int = 1,
    **choices: Unpack[Choices],
) -> Assessment:
    """Infer the oil temperature over height and time from what a plant measured.

    A record longer than `window_days` is fitted in overlapping windows.

    Args:
        profile: Load [p.u.], ambient and top-oil temperature [°C] over time, or the path of the
            file that holds them. The top oil must be measured.
        nameplate: The unit, or the path of its TOML file.
        settings: How to infer; the defaults are what measured best.
        monitor: Where checkpoints go and whether a bar is shown while a network is trained.
        jobs: How many windows are fitted side by side, each in a process of its own.
        **choices: Fields of `Settings` by name, such as `method="vi"` or `seed=1`; they win over
            `settings`.

    Returns:
        The posterior of the oil, which gives its mean [°C] and its epistemic and aleatoric
        variance [K²] at any height and time, and draws of whole functions.

    Raises:
        InputError: Something given cannot be used; the sentence says what to do.

    Examples:
        >>> import agewise, numpy
        >>> fitted = agewise.assess("demo/profile.csv", "demo/nameplate.toml", method="solver")
        >>> oil = fitted.predict(numpy.array([0.5, 1.0]), numpy.array([3600.0]))
        >>> oil.mean.shape  # one instant, two heights
        (1, 2)
    """
    nameplate = given_nameplate(nameplate)
    profile = given_profile(profile, nameplate)
    settings = replace(settings, **choices)
    if settings.standard is not None:
        nameplate = nameplate.by_standard(settings.standard)
    refuse_stages_by_ieee(nameplate)
    if not settings.as_given:
        nameplate = learned_nameplate(profile, nameplate, hold=settings.hold)
    cut = spans_of(profile, nameplate, settings)
    if len(cut) == 1:
        problem = heat_problem(profile, nameplate, settings)
        key = jax.random.key(settings.seed)
        fitted = settings.inference().fit(problem, key=key, monitor=monitor)
        posterior = with_doubts(fitted, problem, profile, nameplate, settings)
        return Assessment(profile, nameplate, settings, (Window(cut[0], 0.0, problem, posterior),))
    # Processes hand back arrays, from which a window is restored as it is from a stored run.
    windows = silent_windows(profile, nameplate, settings, cut) | {
        number: restored_window(profile, nameplate, settings, cut[number], problem, arrays)
        for number, problem, arrays in _fitted(profile, nameplate, settings, cut, monitor, jobs)
    }
    return Assessment(profile, nameplate, settings, tuple(windows[n] for n in range(len(cut))))


def spans_of(profile: Profile, nameplate: Nameplate, settings: Settings) -> list[Span]:
    """The spans in which a profile is fitted; a single one for a short profile."""
    if profile.top_oil is None:
        raise no_top_oil()
    lag = nameplate.oil_tank().time_constant
    return spans(profile.seconds, days=settings.window, lag=lag, silences=silences(profile))


def restored(
    profile: Profile, nameplate: Nameplate, settings: Settings, arrays: list[Arrays]
) -> Assessment:
    """The assessment whose posteriors, window by window, were stored as these arrays."""
    cut = spans_of(profile, nameplate, settings)
    windows = silent_windows(profile, nameplate, settings, cut)
    parts = _stretches(profile, nameplate, settings, cut)
    for number, (part, stored) in enumerate(zip(parts, arrays, strict=True)):
        if part is None:
            continue
        stretch, guesses = part
        # The first window alone begins with the record, where the oil may be taken for a line.
        later = number > 0
        problem = heat_problem(stretch, nameplate, settings, continued=later, guesses=guesses)
        windows[number] = restored_window(
            profile, nameplate, settings, cut[number], problem, stored
        )
    return Assessment(profile, nameplate, settings, tuple(windows[n] for n in range(len(cut))))


def _fitted(
    profile: Profile,
    nameplate: Nameplate,
    settings: Settings,
    cut: list[Span],
    monitor: Monitor,
    jobs: int,
) -> Iterator[tuple[int, TransformerHeat, Arrays]]:
    """Number, problem and arrays of every window, in the order in which they are done."""
    # One bar over the windows instead of one for each training.
    quiet = replace(monitor, terminal=False)
    parts = enumerate(_stretches(profile, nameplate, settings, cut))
    # Spans that are silent throughout have no part, and are not fitted.
    work = [(*part, nameplate, settings, number, quiet) for number, part in parts if part]
    with monitor.bar("windows") as bar:
        done = side_by_side(_fitted_window, work, jobs=jobs, ordered=False)
        for count, fit in enumerate(done, start=1):
            bar(count, len(work), "")
            yield fit


def _stretches(
    profile: Profile, nameplate: Nameplate, settings: Settings, cut: list[Span]
) -> list[tuple[Profile, dict[float, Guesses] | None] | None]:
    """The profile of every span, and what stands in there for silent sensors; None for a span that
    is silent throughout."""
    # A single span makes its own guesses, in `heat_problem`.
    if len(cut) == 1:
        return [(profile, None)]
    # Made once from all of the record, which knows a typical day better than one window.
    guesses, seconds = stand_ins(profile, nameplate, settings.hold), profile.seconds
    return [
        None
        if span.silent
        else (
            profile.between(span.first, span.last),
            between(guesses, float(seconds[span.first]), float(seconds[span.last])),
        )
        for span in cut
    ]


def _fitted_window(
    stretch: Profile,
    guesses: dict[float, Guesses] | None,
    nameplate: Nameplate,
    settings: Settings,
    number: int,
    monitor: Monitor,
) -> tuple[int, TransformerHeat, Arrays]:
    """Fit one window, or take it from the checkpoint that a killed run left."""
    later = number > 0
    problem = heat_problem(stretch, nameplate, settings, continued=later, guesses=guesses)
    # A key for each window, whatever the order in which processes are done.
    key = jax.random.fold_in(jax.random.key(settings.seed), number)
    # A checkpoint counts only for the same problem, random numbers and settings.
    answers = (problem, np.asarray(jax.random.key_data(key)), settings)
    keeper = Keeper(monitor, f"window-{number:04}", answers)
    arrays = keeper.kept()
    if arrays is None:
        folder = monitor.folder and monitor.folder / f"window-{number:04}"
        own = replace(monitor, folder=folder)
        arrays = settings.inference().fit(problem, key=key, monitor=own).arrays()
        keeper.keep(lambda: arrays, now=True)
    return number, problem, arrays
