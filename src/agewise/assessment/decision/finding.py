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
    text: str

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"kind": self.kind, "text": self.text}


@dataclass(frozen=True)
class AboutData(Finding):
    """The same about the data themselves: which rows, and what was done."""

    about: DataFinding

    def as_dict(self) -> dict[str, Any]:
        """For JSON; single rows are left out."""
        one = self.about
        place = {"column": one.column, "rows": one.rows, "start": one.start, "end": one.end}
        return super().as_dict() | place | {"done": one.done}


def data_findings(profile: Profile, prefix: str = "") -> list[Finding]:
    """What was found when the data were read, and done about it."""
    notes: list[Finding] = [AboutData(one.kind, prefix + one.text, one) for one in profile.findings]
    if profile.ignored:
        text = f"{prefix}Columns that mean nothing here: {listed(profile.ignored)}."
        notes.append(Finding("ignored", text))
    return notes
