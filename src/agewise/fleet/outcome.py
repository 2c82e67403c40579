"""How the assessment of one asset ended, as it travels from process to process."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from agewise.fleet.work import Work


@dataclass(frozen=True)
class Outcome:
    """How the assessment of one asset ended: done, refused in a sentence, or failed."""

    work: Work
    """The asset and what it was made of."""
    status: str
    """Either done, refused or failed."""
    started: datetime
    """When it began (UTC)."""
    seconds: float
    """Time that it took [s]."""
    sentence: str | None = None
    """Why it was refused or failed."""
    hint: str | None = None
    """What to do about it."""
    versions: dict[str, str] = field(default_factory=dict)
    """Versions of Python and of the packages that made it."""
    headline: dict[str, Any] = field(default_factory=dict)
    """Its numbers by the names of the catalogue's columns; empty unless done."""

    def columns(self) -> dict[str, Any]:
        """The cells of its row in the catalogue, by column."""
        plain = {"findings": [], "quantities": {}} | self.headline
        return plain | {
            "asset_id": self.work.asset.id,
            "started": self.started,
            "seconds": self.seconds,
            "status": self.status,
            "sentence": self.sentence,
            "hint": self.hint,
            "folder": self.work.folder if self.status == "done" else None,
            "input_hash": self.work.input_hash,
            "settings_hash": self.work.settings_hash,
            "inputs": self.work.inputs,
            "versions": self.versions | {"agewise": self.work.version},
            "method": self.work.method,
            "seed": self.work.seed,
        }
