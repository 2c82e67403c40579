"""The answer in words, which stands on the page before any figure."""

from dataclasses import dataclass

from agewise.assessment.answer.life import EndBefore
from agewise.assessment.answer.scenario import ScenarioLimit
from agewise.assessment.answer.summary import Decision
from agewise.plant.standards import STANDARD_NAMES
from agewise.report.inputs import ReportInputs
from agewise.report.wording import (
    MISSING,
    date,
    integer,
    is_beyond,
    life,
    life_interval,
    life_nearly,
    moment,
    number,
    percent,
    temperature,
    years,
    years_interval,
)

OIL_ONLY = "uncertainty of the oil temperature only"
"""Name of the narrower of two uncertainties, which leaves out nameplate, ageing law and sensors."""
TONES = {"load on": "good", "watch": "watch", "act": "bad", "cannot tell": "unknown"}
"""Colour of each action, as a class of the style sheet."""
BASES = {
    "observed days": "The coming years are made of the observed days, in good and bad years.",
    "scenario": "The coming years repeat the given scenario, in good and bad years.",
}
"""Sentences on what the simulated years are made of."""
ORIGINS = {
    "nameplate": "from the nameplate",
    "estimated": "estimated from the years in service",
    "unknown": "unknown, taken as none",
}
"""Where the life used before the window comes from, in words."""


@dataclass(frozen=True)
class Badge:
    """A word on a coloured ground."""

    text: str
    """What it says."""
    tone: str
    """Its colour as a class of the style sheet: `good`, `watch`, `bad` or `unknown`."""


@dataclass(frozen=True)
class Headline:
    """A row of the table of headlines."""

    name: str
    """The quantity."""
    value: str
    """Its value with its unit, and one standard deviation where there is one."""
    detail: str = ""
    """Where, when or from what, in small print."""
    interval: str = MISSING
    """The central 90 % interval."""
    plain: str = MISSING
    """The same quantity by IEC 60076-7 without uncertainty."""
    plain_ieee: str = MISSING
    """The same quantity by IEEE C57.91 without uncertainty."""


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
        headlines=(
            _remaining(inputs),
            _hot_spot(inputs),
            *_scenario(inputs),
            _used(inputs),
            *_balance(inputs),
            *_samples(inputs),
        ),
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


def _remaining(inputs: ReportInputs) -> Headline:
    remaining, horizon = inputs.summary.life.remaining_years, inputs.horizon
    return Headline(
        "Remaining life, median",
        years(remaining.median, horizon),
        interval=years_interval(remaining.interval_90, horizon),
        plain=years(remaining.iec, horizon),
        # Null is a life beyond the horizon too, so another number tells whether IEEE's was asked.
        plain_ieee=MISSING
        if inputs.summary.loss_of_life.ieee is None
        else years(remaining.ieee, horizon),
    )


def _hot_spot(inputs: ReportInputs) -> Headline:
    hot_spot = inputs.summary.hot_spot
    low, high = hot_spot.interval_90
    return Headline(
        "Highest hot spot",
        temperature(hot_spot.mean, hot_spot.std),
        f"at {hot_spot.height:.2f} m, {moment(hot_spot.time)}; "
        f"± {number(hot_spot.epistemic_std, 2)} K with the {OIL_ONLY}",
        f"{low:.1f} to {high:.1f} °C",
        temperature(hot_spot.iec),
        MISSING if hot_spot.ieee is None else temperature(hot_spot.ieee),
    )


def _scenario(inputs: ReportInputs) -> tuple[Headline, ...]:
    """How hot the scenario gets, and how likely it passes the limits of the hot spot."""
    ahead = inputs.summary.scenario
    if ahead is None:
        return ()
    count, (low, high) = inputs.summary.life.draws, ahead.interval_90
    chances = ", ".join(
        f"{limit.limit:g} °C {percent(limit.probability, count)}{_hours(limit)}"
        for limit in ahead.limits
    )
    row = Headline(
        "Highest hot spot of the scenario",
        temperature(ahead.mean, ahead.std),
        f"at up to {ahead.highest_load:.2f} p.u.; chance to pass {chances}",
        f"{low:.1f} to {high:.1f} °C",
        temperature(ahead.iec),
    )
    return (row,)


def _hours(limit: ScenarioLimit) -> str:
    """How long a limit is passed, where that is an hour or more."""
    return f" ({number(limit.hours)} h)" if limit.hours and limit.hours >= 1 else ""


def _used(inputs: ReportInputs) -> Headline:
    loss = inputs.summary.loss_of_life
    worst = loss.worst
    beside = worst.interval_90[1]
    oil = life_nearly(worst.field_mean, worst.field_std, beside=beside)
    return Headline(
        f"Life used in these {number(inputs.summary.window.hours)} h",
        life(worst.mean, worst.std, beside=beside),
        f"at {worst.height:.2f} m; {oil} with the {OIL_ONLY}",
        life_interval(worst.interval_90),
        life(loss.iec, beside=beside),
        MISSING if loss.ieee is None else life(loss.ieee, beside=beside),
    )


def _references(inputs: ReportInputs) -> str:
    """At which hot spot each standard counts an hour of life for an hour."""
    unit = inputs.nameplate
    laws = {"IEC": unit.by_standard("iec").ageing_law}
    if inputs.summary.loss_of_life.ieee is not None:
        laws["IEEE"] = unit.by_standard("ieee").ageing_law
    return ", ".join(f"{law.reference_hot_spot:g} °C by {name}" for name, law in laws.items())


def _balance(inputs: ReportInputs) -> tuple[Headline, Headline]:
    """Life used before the window, and life left after it at the reference temperature."""
    before, left = inputs.summary.life.used_before, inputs.summary.life.remaining_hours
    reference = inputs.nameplate.ageing_law.reference_hot_spot
    return (
        Headline("Life used before", life(before.mean, before.std), ORIGINS[before.source]),
        Headline(
            f"Life left at {reference:g} °C",
            life(left.mean, left.std),
            interval=life_interval(left.interval_90),
        ),
    )


def _samples(inputs: ReportInputs) -> tuple[Headline, ...]:
    """The share of the life that is used, with and without what samples have shown."""
    evidence = inputs.summary.life.evidence
    if evidence is None:
        return ()
    shown = "; ".join(
        f"{sample.name} {number(sample.value)} ± {number(sample.std, 2)}"
        for sample in evidence.samples
    )
    rows = (
        ("with the samples", evidence.share_used),
        ("before the samples", evidence.share_used_before),
    )
    return tuple(
        Headline(
            f"Share of the life used, {name}",
            f"{100 * share.mean:.0f} ± {100 * share.std:.0f} %",
            shown if share is evidence.share_used else "",
            interval=f"{100 * share.interval_90[0]:.0f} to {100 * share.interval_90[1]:.0f} %",
        )
        for name, share in rows
    )


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
        f"insulation come to its end before {_end_name(ends[-1])}."
    )


def _end_name(end: EndBefore) -> str:
    """The date before which an end of life is judged, or years where there are no dates."""
    return date(end.date) if end.date else f"{end.years:g} years from now"
