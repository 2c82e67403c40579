"""A finding: something to know before believing an answer, and those about the data themselves."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from agewise.plant.cost import cost
from agewise.plant.joined_findings import joined_findings
from agewise.plant.notes import listed
from agewise.plant.profile import Profile
from agewise.plant.record import DataFinding


@dataclass(frozen=True)
class Finding:
    """Something that a person should know before believing the answer."""

    kind: str
    """What it is about, in a word or two."""
    text: str
    """A sentence for people."""
    mend: str = field(default="", kw_only=True)
    """What to mend before there can be an answer, in a sentence; empty where the finding does not
    undermine it."""
    doubt_k: float = field(default=0.0, kw_only=True)
    """Standard deviation of an error of the oil that the finding makes likely [K]; it widens the
    answer."""

    @property
    def undermines(self) -> bool:
        """Whether nothing can be told while the finding stands."""
        return bool(self.mend)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "kind": self.kind,
            "text": self.text,
            "cost": cost(self),
            "undermines": self.undermines,
            "doubt_k": self.doubt_k,
        }


@dataclass(frozen=True)
class AboutData(Finding):
    """A finding about the data themselves: which rows, and what was done."""

    about: DataFinding
    """The finding as the reading of the data made it."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON; single rows are left out."""
        about = self.about
        place = {
            "column": about.column,
            "rows": about.rows,
            "start": about.start,
            "end": about.end,
        }
        return super().as_dict() | place | {"done": about.done}


def data_findings(profile: Profile, prefix: str = "") -> list[Finding]:
    """What the reading of the data found and did about it, one finding a kind.

    Args:
        profile: The record that was read.
        prefix: Begins every sentence.
    """
    notes: list[Finding] = [
        AboutData(
            finding.kind, prefix + finding.text, finding, mend=finding.mend, doubt_k=finding.doubt_k
        )
        for finding in joined_findings(profile.findings)
    ]
    if profile.ignored:
        text = f"{prefix}Columns that are not used: {listed(profile.ignored)}."
        notes.append(Finding("ignored", text))
    return notes


def oil_doubt(findings: Iterable[Finding]) -> float:
    """Standard deviation of the error of the oil that all findings together make likely [K]."""
    # Each is another cause, so their variances add up.
    return sum(finding.doubt_k**2 for finding in findings) ** 0.5
