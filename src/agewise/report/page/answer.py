"""The answer in words, which stands on the page before any figure."""

from dataclasses import dataclass

from agewise.assessment.answer.life import EndBefore
from agewise.assessment.answer.summary import Decision
from agewise.plant.standards import STANDARD_NAMES
from agewise.report.inputs import ReportInputs
from agewise.report.page.headlines import Headline, headlines
from agewise.report.wording import (
    date,
    integer,
    is_beyond,
    percent,
    years,
    years_interval,
)

TONES = {"load on": "good", "watch": "watch", "act": "bad", "cannot tell": "unknown"}
"""Colour of each action, as a class of the style sheet."""
BASES = {
    "observed days": "The coming years are composed of the measured days, with good and bad years.",
    "scenario": "The coming years repeat the given scenario, with good and bad years.",
}
"""Sentences on what the simulated years are made of."""


@dataclass(frozen=True)
class Badge:
    """A word on a coloured ground."""

    text: str
    """What it says."""
    tone: str
    """Its colour as a class of the style sheet: `good`, `watch`, `bad` or `unknown`."""


@dataclass(frozen=True)
class Answer:
    """What to do, why, how sure that is, and what would make it surer."""

    action: Badge
    """What is advised."""
    reason: str
    """Why, in a sentence."""
    outlook: str
    """The remaining life in one or two sentences."""
    headlines: tuple[Headline, ...]
    """Every headline with its uncertainty."""
    narrow_by: str
    """The measurement that would narrow the uncertainty most; empty where there is none."""
    ends: tuple[tuple[str, str], ...]
    """Dates, each with the probability that the insulation ends before it."""
    no_end: str
    """The sentence that stands instead where no simulated course ends before the last date."""
    changes: str = ""
    """What would change the decision; empty where nothing would."""
    standard: str = ""
    """Name of the standard that winding, ageing and life follow."""
    references: str = ""
    """Temperatures at which an hour uses an hour of life, by each standard."""
    mend: str = ""
    """What to mend before there can be an answer; empty where there is one."""


def answer(inputs: ReportInputs) -> Answer:
    """The answer of an assessment as the page shows it."""
    decision = inputs.summary.decision
    if decision.action == "cannot tell":
        return _no_answer(decision)
    return Answer(
        action=Badge(decision.action.capitalize(), TONES[decision.action]),
        reason=decision.reason,
        outlook=_outlook(inputs),
        headlines=headlines(inputs),
        narrow_by=decision.narrow_by,
        ends=_ends(inputs),
        no_end=_no_end(inputs),
        changes=decision.changes,
        standard=STANDARD_NAMES[inputs.summary.standard],
        references=_references(inputs),
    )


def _no_answer(decision: Decision) -> Answer:
    """What stands in place of an answer that the data undermine: no number at all."""
    badge = Badge(decision.action.capitalize(), TONES[decision.action])
    return Answer(badge, decision.reason, "", (), "", (), "", mend=decision.mend)


def _outlook(inputs: ReportInputs) -> str:
    remaining, horizon = inputs.summary.life.remaining_years, inputs.horizon
    basis = BASES[inputs.summary.life.basis]
    if is_beyond(remaining.median, horizon):
        count, share = inputs.summary.life.futures, remaining.beyond_horizon
        # Of a share of 1, `percent` could only say that it is above 99.9 %.
        courses = f"all {integer(count)}" if share >= 1 else f"{percent(share, count)} of the"
        return (
            f"The insulation outlasts the horizon of {horizon:g} years in {courses} simulated "
            f"courses of the coming years: insulation is not what limits this asset. {basis}"
        )
    return (
        f"The insulation is as likely as not to last another {years(remaining.median, horizon)}; "
        f"the 90 % interval is {years_interval(remaining.interval_90, horizon)}. {basis}"
    )


def _references(inputs: ReportInputs) -> str:
    """At which hot spot each standard counts an hour of life for an hour."""
    unit = inputs.nameplate
    laws = {"IEC": unit.by_standard("iec").ageing_law}
    if inputs.summary.loss_of_life.ieee is not None:
        laws["IEEE"] = unit.by_standard("ieee").ageing_law
    return ", ".join(f"{law.reference_hot_spot:g} °C by {name}" for name, law in laws.items())


def _ends(inputs: ReportInputs) -> tuple[tuple[str, str], ...]:
    """Probabilities of an end of life by date; nothing where all of them are zero."""
    ends, count = inputs.summary.life.end_before, inputs.summary.life.futures
    if not any(end.probability for end in ends):
        return ()
    return tuple((_end_name(end), percent(end.probability, count)) for end in ends)


def _no_end(inputs: ReportInputs) -> str:
    ends, count = inputs.summary.life.end_before, inputs.summary.life.futures
    if not ends or any(end.probability for end in ends):
        return ""
    return (
        f"In none of the {integer(count)} simulated courses of the coming years does the "
        f"insulation reach its end of life before {_end_name(ends[-1])}."
    )


def _end_name(end: EndBefore) -> str:
    """The date before which an end of life is judged, or years where there are no dates."""
    return date(end.date) if end.date else f"{end.years:g} years from now"
