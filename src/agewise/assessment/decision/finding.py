"""A finding: something to know before believing an answer, and those about the data themselves."""

from dataclasses import dataclass
from typing import Any

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

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"kind": self.kind, "text": self.text}


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
    """What the reading of the data found and did about it; `prefix` begins every sentence."""
    notes: list[Finding] = [
        AboutData(finding.kind, prefix + finding.text, finding) for finding in profile.findings
    ]
    if profile.ignored:
        text = f"{prefix}Columns that mean nothing here: {listed(profile.ignored)}."
        notes.append(Finding("ignored", text))
    return notes
