"""A heading: what the header of a column says about its role and its unit."""

import re
from dataclasses import dataclass
from functools import cached_property

from agewise.plant.measures import UNITS, measure, unit_of
from agewise.reading.synonyms import meaning, words_of

BRACKETS = re.compile(r"[\[({<]\s*(?P<inside>[^\])}>]*?)\s*[\])}>]")
"""Anything in brackets of any kind: `I_sec [A]`, `Puissance apparente {kVA}`."""
SUFFIX = re.compile(
    r"(?P<name>.*\w)(?:[\s_.,/:\-]+(?P<word>[^\s_,/:]+)|\s*(?P<sign>%|[°º˚]\s*\w+))"
)
"""A unit behind a name: `load_pct`, `T_amb °C`, `I / A`, `Load%`."""

SPOKEN_OF = {
    "current": "current amps i il courant strom laststrom corriente corrente",
    "power": "power s p mva mw potencia puissance leistung scheinleistung wirkleistung potenza",
}
"""Words by which a header tells whether a load is a current or a power."""


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
        return self.below.strip("[](){}<> ") or stated_unit(self.column)

    @cached_property
    def meaning(self) -> str | None:
        """A key of `SYNONYMS` by the name; None for no role, or where the unit contradicts it."""
        # With its brackets too, which may hold the name itself: `Temp (ambient)`. A unit behind the
        # name is cut off last: `I_s` is a current, not a time in seconds.
        role = meaning(self.name) or meaning(self.column) or self._meaning_before_suffix()
        # A unit that is a name: the column `MVA` or `Amps` can be nothing else than the load.
        role = role or ("load" if self._name_unit("load") else None)
        if role is None or not is_unit(self.stated_unit):
            return role
        return role if unit_of(self.stated_unit, _kind(role)) else None

    def unit(self, kind: str) -> str | None:
        """The unit of a kind (`load`, `temperature`, `time`) in the header, None where none is."""
        suffix = SUFFIX.fullmatch(self.name)
        if self.stated_unit:
            return unit_of(self.stated_unit, kind)
        if suffix is None:
            return self._name_unit(kind)
        if suffix["sign"]:
            return unit_of(suffix["sign"], kind)
        # A last word that is part of a known name, as in `I_s`, is no unit.
        return unit_of(suffix["word"], kind) if meaning(self.name) is None else None

    def _name_unit(self, kind: str) -> str | None:
        """The unit that is the whole name; one letter or sign alone is too little to tell."""
        return unit_of(self.name, kind) if kind == "load" and len(self.name) > 1 else None

    def _meaning_before_suffix(self) -> str | None:
        suffix = SUFFIX.fullmatch(self.name)
        role = meaning(suffix["name"]) if suffix else None
        return role if role and self.unit(_kind(role)) else None


def stated_unit(header: str) -> str:
    """The unit in brackets that a header has; empty where it has none."""
    # Brackets often hold something else (`Load (phase B)`), hence only those that name a unit.
    return next((text for text in BRACKETS.findall(header) if is_unit(text)), "")


def grouped_name(group: str, name: str) -> str:
    """The name of a column below a group of columns: both, unless the name is clearer alone.

    `Temperatures [°F]` above `Ambient` are one name; of `Unit T1 [°F]` only the unit is kept.
    """
    both = f"{group} {name}".strip()
    if Heading(both).meaning or not Heading(name).meaning:
        return both
    unit = "" if stated_unit(name) else stated_unit(group)
    return f"{name} [{unit}]" if unit else name


def suggestion(header: str) -> str:
    """What the words of a load's header speak of, `current` or `power`; empty if of neither."""
    words = set(words_of(header))
    return next((what for what, known in SPOKEN_OF.items() if words & {*known.split()}), "")


def is_unit(text: str) -> bool:
    """Whether a text names any unit that is known here."""
    return bool(text) and any(unit_of(text, kind) for kind in UNITS)


def _kind(meaning: str) -> str:
    """What a key of `SYNONYMS` measures: `load`, `time` or `temperature`."""
    if meaning in ("active", "reactive"):
        return "load"
    return measure("time" if meaning in ("stamp", "date", "clock") else meaning)
