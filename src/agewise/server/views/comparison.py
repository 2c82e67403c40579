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
    one, other = first.asset, second.asset
    pairs = {
        "Site": (one.site or MISSING, other.site or MISSING),
        "Rated power": (one.power_text, other.power_text),
        "Highest load": (one.load_text, other.load_text),
        "Criticality": (f"{one.criticality:g}", f"{other.criticality:g}"),
        "Chance of an end within the horizon": (one.chance_text, other.chance_text),
        "Risk: chance × criticality": (one.risk_text, other.risk_text),
        "Standing alerts": (str(one.alerts), str(other.alerts)),
        "Findings": (str(one.findings), str(other.findings)),
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
