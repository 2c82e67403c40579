"""A heading: what the header of a column says about its role and its unit."""

import re
from dataclasses import dataclass
from functools import cached_property

from agewise.plant.measures import UNITS, measure, unit_of
from agewise.reading.synonyms import meaning

BRACKETS = re.compile(r"[\[({<]\s*(?P<inside>[^\])}>]*?)\s*[\])}>]")
"""Anything in brackets of any kind: `I_sec [A]`, `Puissance apparente {kVA}`."""
SUFFIX = re.compile(
    r"(?P<name>.*\w)(?:[\s_.,/:\-]+(?P<word>[^\s_,/:]+)|\s*(?P<sign>%|[°º˚]\s*\w+))"
)
"""A unit behind a name: `load_pct`, `T_amb °C`, `I / A`, `Load%`."""


@dataclass(frozen=True)
class Heading:
    """A header of the file, and the unit in a row below it, if any."""

    column: str
    """The header as the file writes it."""
    below: str = ""
    """The cell below it in a row of units; empty where there is no such row."""

    @property
    def name(self) -> str:
        """The header without brackets and what is in them."""
        return BRACKETS.sub(" ", self.column).strip(" ,;:_-")

    @property
    def stated_unit(self) -> str:
        """A unit apart from the name, below it or in brackets; empty where there is none."""
        # Brackets often hold something else (`Load (phase B)`), hence only those that name a unit.
        inside = [text for text in BRACKETS.findall(self.column) if is_unit(text)]
        return self.below.strip("[](){}<> ") or (inside[0] if inside else "")

    @cached_property
    def meaning(self) -> str | None:
        """A key of `SYNONYMS` by the name; None for no role, or where the unit contradicts it."""
        # With its brackets too, which may hold the name itself: `Temp (ambient)`. A unit behind the
        # name is cut off last: `I_s` is a current, not a time in seconds.
        role = meaning(self.name) or meaning(self.column) or self._meaning_before_suffix()
        if role is None or not is_unit(self.stated_unit):
            return role
        return role if unit_of(self.stated_unit, _kind(role)) else None

    def unit(self, kind: str) -> str | None:
        """The unit of a kind (`load`, `temperature`, `time`) in the header, None where none is."""
        suffix = SUFFIX.fullmatch(self.name)
        if self.stated_unit or suffix is None:
            return unit_of(self.stated_unit, kind) if self.stated_unit else None
        if suffix["sign"]:
            return unit_of(suffix["sign"], kind)
        # A last word that is part of a known name, as in `I_s`, is no unit.
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
