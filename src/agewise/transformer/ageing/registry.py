"""Every ageing law by the name that a nameplate gives; a new one is a line here."""

from agewise.errors import InputError
from agewise.transformer.ageing.ieee import IEEE_55, IEEE_65
from agewise.transformer.ageing.law import AbstractAgeingLaw
from agewise.transformer.ageing.normal import NormalPaper
from agewise.transformer.ageing.upgraded import UpgradedPaper

DEFAULT_LAW = NormalPaper()
"""The law of a nameplate that does not name its paper."""
LAWS: dict[str, AbstractAgeingLaw] = {
    law.name: law for law in (DEFAULT_LAW, UpgradedPaper(), IEEE_65, IEEE_55)
}
"""All ageing laws by name."""


def ageing_law(name: str) -> AbstractAgeingLaw:
    """The law of a kind of paper, such as `normal`; an error that lists all where there is none.

    >>> ageing_law("upgraded").reference_hot_spot
    110.0
    """
    if name not in LAWS:
        raise InputError(f"There is no ageing law for {name!r} paper.", hint=laws_hint())
    return LAWS[name]


def laws_hint() -> str:
    """The names that are known, in half a sentence."""
    return f"choose one of {', '.join(map(repr, LAWS))}."
