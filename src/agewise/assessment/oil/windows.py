"""Windows of a record: a fitted posterior with its doubts, or what stands in for a long silence."""

from agewise.assessment.oil.assessment import Window
from agewise.assessment.oil.constant_doubt import equation_doubts
from agewise.assessment.oil.lower_end import lower_end
from agewise.assessment.oil.settings import Settings
from agewise.assessment.oil.silences import sensor_noise, silent_window
from agewise.assessment.oil.spans import Span
from agewise.engine.inference.line import Line
from agewise.engine.objective.method import AbstractNetworkMethod
from agewise.engine.posterior import AbstractPosterior
from agewise.engine.training.checkpoint import Arrays
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.quality.stand_ins import filled_profile
from agewise.transformer.oil.doubt.doubted import doubted
from agewise.transformer.oil.fast import with_fast_changes
from agewise.transformer.oil.heat import TransformerHeat
from agewise.transformer.oil.holes import widened
from agewise.transformer.oil.start import with_start


def silent_windows(
    profile: Profile, nameplate: Nameplate, settings: Settings, cut: list[Span]
) -> dict[int, Window]:
    """The windows of long silences by their number, in which typical days stand in."""
    silent = {number: span for number, span in enumerate(cut) if span.silent}
    if not silent:
        return {}
    filled_record = filled_profile(profile, nameplate, settings.hold)
    noise, windows = sensor_noise(filled_record), {}
    for number, span in silent.items():
        own = filled_record.between(span.first, span.last)
        problem, posterior = silent_window(
            own, begins=number == 0, noise=noise, nameplate=nameplate, settings=settings
        )
        posterior = _with_doubt(posterior, problem, own.profile, nameplate, settings)
        windows[number] = Window(span, float(profile.seconds[span.first]), problem, posterior)
    return windows


def restored_window(
    profile: Profile,
    nameplate: Nameplate,
    settings: Settings,
    span: Span,
    problem: TransformerHeat,
    arrays: Arrays,
) -> Window:
    """The window whose posterior was stored as these arrays, or came from another process."""
    posterior = settings.inference().restored(problem, arrays)
    stretch = profile.between(span.first, span.last)
    posterior = with_doubts(posterior, problem, stretch, nameplate, settings)
    return Window(span, float(profile.seconds[span.first]), problem, posterior)


def with_doubts(
    posterior: AbstractPosterior,
    problem: TransformerHeat,
    profile: Profile,
    nameplate: Nameplate,
    settings: Settings,
) -> AbstractPosterior:
    """What a method made of a window, widened where an end was silent and by the doubt about its
    equation."""
    holes = _with_holes(posterior, problem, settings)
    return _with_doubt(holes, problem, profile, nameplate, settings)


def _with_holes(
    posterior: AbstractPosterior, problem: TransformerHeat, settings: Settings
) -> AbstractPosterior:
    """The posterior, widened at its start, by fast changes and where an end was silent if a network
    made it.

    A network is far too sure there; closed forms widen by themselves.
    """
    if not (_is_network(settings) and _physical(settings)):
        return posterior
    begun = with_start(posterior, problem)
    return widened(with_fast_changes(begun, problem), problem)


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
    doubts = equation_doubts(
        profile, nameplate, end, hold=settings.hold, inside=not settings.ignore_interior
    )
    return doubted(posterior, problem, doubts)


def _is_network(settings: Settings) -> bool:
    return isinstance(settings.inference(), AbstractNetworkMethod)


def _physical(settings: Settings) -> bool:
    """Whether the method solves the heat equation at all."""
    method = settings.inference()
    if isinstance(method, AbstractNetworkMethod):
        return method.settings.likelihood.physics
    # Of the methods without a network, the straight line alone knows no equation.
    return not isinstance(method, Line)
