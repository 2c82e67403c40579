"""A heading: what the header of a column says about its role and its unit."""

import re
from dataclasses import dataclass
from functools import cached_property

from agewise.plant.measures import UNITS, measure, unit_of
from agewise.reading.synonyms import meaning

BRACKETS = re.compile(r"[\[({<]\s*(?P<inside>[^\])}>]*?)\s*[\])}>]")
SUFFIX = re.compile(
    r"(?P<name>.*\w)(?:[\s_.,/:\-]+(?P<word>[^\s_,/:]+)|\s*(?P<sign>%|[°º˚]\s*\w+))"
)
"""A unit behind a name: `load_pct`, `T_amb °C`, `I / A`, `Load%`."""


@dataclass(frozen=True)
class Heading:
    """A header of the file, and the unit in a row below it, if any."""

    column: str
    below: str = ""

    @property
    def name(self) -> str:
        """Without brackets and what is in them."""
        return BRACKETS.sub(" ", self.column).strip(" ,;:_-")

    @property
    def stated_unit(self) -> str:
        """A unit that stands apart: below, or in brackets."""
        inside = [text for text in BRACKETS.findall(self.column) if is_unit(text)]
        return self.below.strip("[](){}<> ") or (inside[0] if inside else "")

    @cached_property
    def meaning(self) -> str | None:
        """What it means by its name, unless its unit is of something else."""
        role = meaning(self.name) or meaning(self.column) or self._meaning_before_suffix()
        if role is None or not is_unit(self.stated_unit):
            return role
        return role if unit_of(self.stated_unit, _kind(role)) else None

    def unit(self, kind: str) -> str | None:
        """The unit of that kind that the header says, None when it says none."""
        suffix = SUFFIX.fullmatch(self.name)
        if self.stated_unit or suffix is None:
            return unit_of(self.stated_unit, kind) if self.stated_unit else None
        if suffix["sign"]:
            return unit_of(suffix["sign"], kind)
        return unit_of(suffix["word"], kind) if meaning(self.name) is None else None

    def _meaning_before_suffix(self) -> str | None:
        suffix = SUFFIX.fullmatch(self.name)
        role = meaning(suffix["name"]) if suffix else None
        return role if role and self.unit(_kind(role)) else None


def is_unit(text: str) -> bool:
    """Whether a text names any unit that is known here."""
    return bool(text) and any(unit_of(text, kind) for kind in UNITS)


def _kind(meaning: str) -> str:
    return measure("time" if meaning in ("stamp", "date", "clock") else meaning)
