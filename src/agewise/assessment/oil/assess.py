"""From a profile and a nameplate to the posterior of the oil, window by window."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Unpack

import jax
import numpy as np

from agewise.assessment.calibration.calibrate import learned_nameplate
from agewise.assessment.inputs import NameplateInput, ProfileInput, given_nameplate, given_profile
from agewise.assessment.oil.assessment import Assessment, Window
from agewise.assessment.oil.equation_doubt import equation_doubts
from agewise.assessment.oil.lower_end import lower_end
from agewise.assessment.oil.problem import heat_problem, refuse_silence
from agewise.assessment.oil.settings import DEFAULT_SETTINGS, Choices, Settings
from agewise.assessment.oil.spans import Span, spans
from agewise.engine.inference.line import Line
from agewise.engine.objective.method import AbstractNetworkMethod
from agewise.engine.posterior import AbstractPosterior
from agewise.engine.training import QUIET, Monitor
from agewise.engine.training.checkpoint import Arrays, Keeper
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.quality.stand_ins import between, stand_ins
from agewise.threads import side_by_side
from agewise.transformer.oil.doubt.doubted import doubted
from agewise.transformer.oil.fast import with_fast_changes
from agewise.transformer.oil.guesses import Guesses
from agewise.transformer.oil.heat import TransformerHeat
from agewise.transformer.oil.holes import widened


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
    if not settings.as_given:
        nameplate = learned_nameplate(profile, nameplate, hold=settings.hold)
    cut = spans_of(profile, nameplate, settings)
    if len(cut) == 1:
        problem = heat_problem(profile, nameplate, settings)
        key = jax.random.key(settings.seed)
        fitted = settings.inference().fit(problem, key=key, monitor=monitor)
        posterior = _with_doubt(
            _with_holes(fitted, problem, settings), problem, profile, nameplate, settings
        )
        return Assessment(profile, nameplate, settings, (Window(cut[0], 0.0, problem, posterior),))
    # Processes hand back arrays, from which a window is restored as it is from a stored run.
    windows = [
        (number, _window(profile, nameplate, settings, cut[number], problem, arrays))
        for number, problem, arrays in _fitted(profile, nameplate, settings, cut, monitor, jobs)
    ]
    in_order = tuple(window for _, window in sorted(windows, key=lambda pair: pair[0]))
    return Assessment(profile, nameplate, settings, in_order)


def spans_of(profile: Profile, nameplate: Nameplate, settings: Settings) -> list[Span]:
    """The spans in which a profile is fitted; a single one for a short profile."""
    lag = nameplate.oil_tank().time_constant
    return spans(profile.seconds, days=settings.window, lag=lag)


def restored(
    profile: Profile, nameplate: Nameplate, settings: Settings, arrays: list[Arrays]
) -> Assessment:
    """The assessment whose posteriors, window by window, were stored as these arrays."""
    windows, cut = [], spans_of(profile, nameplate, settings)
    parts = _stretches(profile, nameplate, settings, cut)
    for number, ((stretch, guesses), stored) in enumerate(zip(parts, arrays, strict=True)):
        later = number > 0
        problem = heat_problem(stretch, nameplate, settings, continued=later, guesses=guesses)
        windows.append(_window(profile, nameplate, settings, cut[number], problem, stored))
    return Assessment(profile, nameplate, settings, tuple(windows))


def _window(
    profile: Profile,
    nameplate: Nameplate,
    settings: Settings,
    span: Span,
    problem: TransformerHeat,
    arrays: Arrays,
) -> Window:
    posterior = _with_holes(settings.inference().restored(problem, arrays), problem, settings)
    origin = float(profile.seconds[span.first])
    stretch = profile.between(span.first, span.last)
    doubted = _with_doubt(posterior, problem, stretch, nameplate, settings)
    return Window(span, origin, problem, doubted)


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
    parts = _stretches(profile, nameplate, settings, cut)
    # Refused before the first window is fitted, not hours later.
    for stretch, _ in parts:
        refuse_silence(stretch)
    work = ((*part, nameplate, settings, number, quiet) for number, part in enumerate(parts))
    with monitor.bar("windows") as bar:
        done = side_by_side(_fitted_window, work, jobs=jobs, ordered=False)
        for count, fit in enumerate(done, start=1):
            bar(count, len(cut), "")
            yield fit


def _stretches(
    profile: Profile, nameplate: Nameplate, settings: Settings, cut: list[Span]
) -> list[tuple[Profile, dict[float, Guesses] | None]]:
    """The profile of every span, and what stands in there for silent sensors."""
    # A single span makes its own guesses, in `heat_problem`.
    if len(cut) == 1:
        return [(profile, None)]
    # Made once from all of the record, which knows a typical day better than one window.
    guesses, seconds = stand_ins(profile, nameplate, settings.hold), profile.seconds
    return [
        (
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


def _with_holes(
    posterior: AbstractPosterior, problem: TransformerHeat, settings: Settings
) -> AbstractPosterior:
    """The posterior, widened by fast changes and where an end was silent if a network made it.

    A network is far too sure there; closed forms widen by themselves.
    """
    if not (_is_network(settings) and _physical(settings)):
        return posterior
    return widened(with_fast_changes(posterior, problem), problem)


def _with_doubt(
    posterior: AbstractPosterior,
    problem: TransformerHeat,
    profile: Profile,
    nameplate: Nameplate,
    settings: Settings,
) -> AbstractPosterior:
    """The posterior with the doubt about its equation; itself where that is taken as given, and
    where a method knows no equation."""
    if settings.as_given or not _physical(settings):
        return posterior
    end = lower_end(profile, nameplate, settings.hold)
    doubts = equation_doubts(profile, nameplate, end, inside=not settings.ignore_interior)
    return doubted(posterior, problem, doubts)


def _is_network(settings: Settings) -> bool:
    return isinstance(settings.inference(), AbstractNetworkMethod)


def _physical(settings: Settings) -> bool:
    """Whether the method solves the heat equation at all."""
    method = settings.inference()
    if isinstance(method, AbstractNetworkMethod):
        return method.settings.likelihood.physics
    return not isinstance(method, Line)
