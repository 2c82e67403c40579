"""What stands around the figures: findings, limits, cooling, settings."""

from collections.abc import Iterator, Mapping
from typing import Any

from agewise.report.inputs import ReportInputs
from agewise.report.page.html import Html, badge, element, joined, paragraph, section, table
from agewise.report.wording import label, life, life_interval, moment, number, percent, whole

LIKELY, POSSIBLE = 0.5, 0.05
"""Probabilities of passing a limit from which its cell is coloured."""


def findings(inputs: ReportInputs) -> Html:
    """What a person should know before believing the answer."""
    told = inputs.summary["findings"]
    found = [(each["kind"], each["text"]) for each in told if "done" not in each]
    data = [each for each in told if "done" in each]
    if inputs.summary.get("quick"):
        quick = "This was a quick run: fewer draws, for a first look and not for a decision."
        found.insert(0, ("quick", quick))
    items = (element("li", element("b", kind), ": ", text) for kind, text in found)
    parts = [element("ul", *items)] if found else []
    parts += [_about_data(data)] if data else []
    calm = paragraph("No doubt about the data, the sensors or the nameplate was found.")
    return section("Findings", *(parts or [calm]), id="findings")


def _about_data(found: list[Mapping[str, Any]]) -> Html:
    """What was found in the measurements: where, and what was done about it."""
    head = ("Kind", "Column", "Rows", "From", "To", "Done", "In words")
    rows = (
        (
            each["kind"],
            each["column"].replace(",", ", ") or "time",
            whole(each["rows"]),
            label(each["start"]),
            label(each["end"]),
            each["done"],
            element("span", each["text"], class_="sentence"),
        )
        for each in found
    )
    return table("About the data", head, rows)


def limits(inputs: ReportInputs) -> Html:
    """The guide's limits, and how likely each was passed in the window."""
    head = ("Limit", "Of", "At", "Probability passed", "Expected time above", "Plain IEC 60076-7")
    count = inputs.life["draws"]
    rows = (
        (
            each["name"],
            each["quantity"],
            f"{each['limit']:g} °C",
            _graded(each["probability"], count),
            life(each["hours"]),
            "passed" if each["iec"] else "kept",
        )
        for each in inputs.summary["limits"]
    )
    return section("Limits in this window", table("Limits of IEC 60076-7", head, rows), id="limits")


def _graded(probability: float, count: int) -> Html:
    tone = "bad" if probability >= LIKELY else "watch" if probability >= POSSIBLE else "good"
    return badge(percent(probability, count), tone)


def cooling(inputs: ReportInputs) -> Html:
    """Whether the unit is cooled as its nameplate says."""
    found = inputs.summary["cooling"]
    verdict = badge("As expected", "good")
    if found["factor"] is None:
        verdict = badge("Not checked", "watch")
    elif found["alarm"]:
        verdict = badge("Alarm", "bad")
    return section("Cooling", paragraph(verdict, " ", found["text"]), id="cooling")


def used_by_height(inputs: ReportInputs) -> Html:
    """The life used in the window at the worst height and at others."""
    found = inputs.summary["loss_of_life"]
    rows = (
        (
            name,
            f"{each['height']:.2f} m",
            life(each["mean"], each["std"]),
            life_interval(each["interval_90"]),
            life(each["field_mean"], each["field_std"]),
        )
        for name, each in found.items()
        if isinstance(each, Mapping)
    )
    head = ("Where", "Height", "Life used", "90 % interval", "From the oil alone")
    return section(
        "Life used by height",
        table("± is one standard deviation; H is the tank's height", head, rows),
        id="height",
    )


def provenance(inputs: ReportInputs) -> Html:
    """How the answer was made: enough to make it again."""
    summary, life_ = inputs.summary, inputs.life
    made = {
        "method": summary["method"],
        "seed": summary["seed"],
        "seconds of the fit": number(summary["seconds"]),
        "draws": life_["draws"],
        "futures": life_["futures"],
        "horizon [years]": number(life_["horizon_years"]),
    }
    parts = [table("Run", ("", ""), made.items())]
    for title in ("settings", "versions", "scores"):
        if summary.get(title):
            rows = list(leaves(summary[title]))
            parts.append(table(title.capitalize(), ("", ""), rows))
    columns = element("div", *parts, class_="columns")
    return section("Settings and versions", columns, id="settings")


def leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Names and values of a nested mapping; lists and what is missing are left out."""
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{prefix}{name}.")
        elif value is not None and not isinstance(value, list | tuple):
            yield f"{prefix}{name}", f"{value:.4g}" if isinstance(value, float) else str(value)


def _pieces(window: Mapping[str, Any]) -> str:
    """In how many windows a long record was fitted."""
    count = window.get("pieces", 1)
    if count == 1:
        return ""
    return f", in {whole(count)} windows that overlap and pass into each other"


def introduction(inputs: ReportInputs) -> Html:
    """Which unit, which window, which method."""
    window = inputs.summary["window"]
    start, end, zone = window["start"], window["end"], inputs.profile.timeline.timezone
    text = (
        f"{moment(start)} to {moment(end)}{f' ({zone})' if zone else ''}: "
        f"{whole(window['samples'])} samples over {number(window['hours'])} h. "
        f"Method: {inputs.summary['method']}{_pieces(window)}."
    )
    title = element("h1", inputs.nameplate.name, ": ageing and remaining life of the insulation")
    return element("header", joined((title, paragraph(text))))
