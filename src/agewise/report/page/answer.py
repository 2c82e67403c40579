"""The answer in words, before any figure."""

from collections.abc import Mapping
from typing import Any

from agewise.report.inputs import ReportInputs
from agewise.report.page.html import Html, badge, element, joined, paragraph, section, table
from agewise.report.wording import (
    MISSING,
    date,
    is_beyond,
    life,
    life_interval,
    moment,
    number,
    percent,
    temperature,
    whole,
    years,
    years_interval,
)

TONES = {"load on": "good", "watch": "watch", "act": "bad"}
"""Colours of the three actions."""
BASES = {
    "observed days": "The futures repeat the days that were observed.",
    "scenario": "The futures follow the scenario that was given.",
}
ORIGINS = {
    "nameplate": "from the nameplate",
    "estimated": "estimated from its age",
    "unknown": "unknown, taken as none",
}


def answer(inputs: ReportInputs) -> Html:
    """What to do, why, how sure that is, and what would make it surer."""
    decision = inputs.summary["decision"]
    action = str(decision["action"])
    first = paragraph(
        badge(action.capitalize(), TONES.get(action, "watch")), " ", decision["reason"],
        class_="decision",
    )  # fmt: skip
    return section(
        "The answer",
        first,
        paragraph(outlook(inputs), class_="lead"),
        headlines(inputs),
        paragraph(decision["narrow_by"]) if decision["narrow_by"] else "",
        _dates(inputs),
        id="answer",
    )


def outlook(inputs: ReportInputs) -> str:
    """The remaining life in one or two sentences."""
    found, horizon = inputs.life["remaining_years"], inputs.horizon
    basis = BASES.get(inputs.life["basis"], "")
    if is_beyond(found["median"], horizon):
        count = inputs.life["futures"]
        share = found["beyond_horizon"]
        futures = (
            f"all {whole(count)} futures"
            if share >= 1
            else f"{percent(share, count)} of the futures"
        )
        return (
            f"The insulation outlasts the horizon of {horizon:g} years in {futures}: insulation is "
            f"not what limits this asset. {basis}"
        )
    return (
        f"The insulation is as likely as not to last another {years(found['median'], horizon)}; "
        f"the 90 % interval is {years_interval(found['interval_90'], horizon)}. {basis}"
    )


def headlines(inputs: ReportInputs) -> Html:
    """Every headline with its uncertainty, and the plain answer of the guide beside it."""
    rows = (_remaining(inputs), _hot_spot(inputs), _used(inputs), *_balance(inputs))
    note = paragraph(
        "± is one standard deviation. The plain answer takes nameplate and measurements at their "
        "word and knows no uncertainty.",
        class_="note",
    )
    head = ("", "This assessment", "90 % interval", "Plain IEC 60076-7")
    return joined((table("Headlines", head, rows), note))


def _remaining(inputs: ReportInputs) -> tuple[object, ...]:
    found, horizon = inputs.life["remaining_years"], inputs.horizon
    return (
        "Remaining life, median",
        element("b", years(found["median"], horizon)),
        years_interval(found["interval_90"], horizon),
        years(found["iec"], horizon),
    )


def _hot_spot(inputs: ReportInputs) -> tuple[object, ...]:
    found = inputs.summary["hot_spot"]
    where = f"at {found['height']:.2f} m, {moment(found['time'])}; "
    oil = f"± {number(found['epistemic_std'], 2)} K from the oil alone"
    ends = found.get("interval_90")
    return (
        "Highest hot spot",
        _with_detail(temperature(found["mean"], found["std"]), where + oil),
        f"{ends[0]:.1f} to {ends[1]:.1f} °C" if ends else MISSING,
        MISSING if found["iec"] is None else temperature(found["iec"]),
    )


def _used(inputs: ReportInputs) -> tuple[object, ...]:
    found = inputs.summary["loss_of_life"]
    worst = found["worst"]
    alone = life(worst["field_mean"], worst["field_std"])
    oil = f"at {worst['height']:.2f} m; {alone} from the oil alone"
    return (
        f"Life used in these {number(inputs.summary['window']['hours'])} h",
        _with_detail(life(worst["mean"], worst["std"]), oil),
        life_interval(worst["interval_90"]),
        life(found["iec"]),
    )


def _balance(inputs: ReportInputs) -> tuple[tuple[object, ...], ...]:
    """Life used before, and life left, at the reference temperature."""
    before, left = inputs.life["used_before"], inputs.life["remaining_hours"]
    origin = ORIGINS.get(before["source"], "")
    return (
        (
            "Life used before",
            _with_detail(life(before["mean"], before["std"]), origin),
            MISSING,
            MISSING,
        ),
        (
            f"Life left at {reference(inputs):g} °C",
            life(left["mean"], left["std"]),
            life_interval(left["interval_90"]),
            MISSING,
        ),
    )


def reference(inputs: ReportInputs) -> float:
    """°C of the hot spot at which this paper ages one hour an hour."""
    return inputs.nameplate.insulation.law.reference_hot_spot


def _dates(inputs: ReportInputs) -> Html:
    """The probability of the end before some dates."""
    known, count = inputs.life["end_before"], inputs.life["futures"]
    if not known:
        return Html("")
    if not any(each["probability"] for each in known):
        last, futures = end_name(known[-1]), whole(count)
        return paragraph(f"In none of the {futures} futures does it end before {last}.")
    rows = [(end_name(each), percent(each["probability"], count)) for each in known]
    return table("Probability of an end of life", ("before", "probability"), rows)


def end_name(end: Mapping[str, Any]) -> str:
    """The date before which an end of life is judged, or years where there are no dates."""
    return date(end["date"]) if end["date"] else f"{end['years']:g} years from now"


def _with_detail(value: str, detail: str) -> Html:
    return joined((element("b", value), element("span", detail, class_="detail")))
