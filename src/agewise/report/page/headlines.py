"""Rows of the table of headlines: every number of the answer with its uncertainty."""

from dataclasses import dataclass

from agewise.assessment.answer.scenario import ScenarioLimit
from agewise.report.inputs import ReportInputs
from agewise.report.wording import (
    MISSING,
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
ORIGINS = {
    "nameplate": "from the nameplate",
    "estimated": "estimated from the years in service",
    "unknown": "unknown, taken as none",
}
"""Where the life used before the window comes from, in words."""


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


def headlines(inputs: ReportInputs) -> tuple[Headline, ...]:
    """All rows of the table, the remaining life first."""
    return (
        _remaining(inputs),
        _hot_spot(inputs),
        *_scenario(inputs),
        _used(inputs),
        *_balance(inputs),
        *_samples(inputs),
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
