"""Two assets side by side."""

from pydantic import BaseModel

from agewise.report.wording import MISSING
from agewise.server.views.asset import AssetView


class ComparedRow(BaseModel):
    """One quantity of two assets."""

    name: str
    """The quantity."""
    first: str
    """Its value for the first asset."""
    second: str
    """Its value for the second asset."""
    first_interval: str = ""
    """Its 90 % interval for the first asset."""
    second_interval: str = ""
    """Its 90 % interval for the second asset."""


class Comparison(BaseModel):
    """Two assets side by side."""

    first: AssetView
    """One asset."""
    second: AssetView
    """The other asset."""
    rows: list[ComparedRow]
    """What both have, quantity by quantity."""


def comparison(first: AssetView, second: AssetView) -> Comparison:
    """Two assets side by side, in the words of the list and of their reports."""
    return Comparison(
        first=first, second=second, rows=[*_lines(first, second), *_heads(first, second)]
    )


def _lines(first: AssetView, second: AssetView) -> list[ComparedRow]:
    left, right = first.asset, second.asset
    pairs = {
        "Site": (left.site or MISSING, right.site or MISSING),
        "Rated power": (left.power_text, right.power_text),
        "Highest load": (left.load_text, right.load_text),
        "Criticality": (f"{left.criticality:g}", f"{right.criticality:g}"),
        "Chance of end of life within the horizon": (left.chance_text, right.chance_text),
        "Risk: chance × criticality": (left.risk_text, right.risk_text),
        "Standing alerts": (str(left.alerts), str(right.alerts)),
        "Findings": (str(left.findings), str(right.findings)),
    }
    return [ComparedRow(name=name, first=a, second=b) for name, (a, b) in pairs.items()]


def _heads(first: AssetView, second: AssetView) -> list[ComparedRow]:
    """The headlines of both reports that bear the same name."""
    ours, theirs = _headlines(first), _headlines(second)
    return [
        ComparedRow(
            name=name,
            first=ours.get(name, (MISSING, ""))[0],
            second=theirs.get(name, (MISSING, ""))[0],
            first_interval=ours.get(name, (MISSING, ""))[1],
            second_interval=theirs.get(name, (MISSING, ""))[1],
        )
        for name in ours | theirs
    ]


def _headlines(view: AssetView) -> dict[str, tuple[str, str]]:
    if view.sections is None:
        return {}
    return {row.name: (row.value, row.interval) for row in view.sections.answer.headlines}
