"""Kinds of cooling as nameplates print them, and the guide's four classes.

IEC 60076-2 names a cooling by four letters: liquid inside (O for mineral oil, K and L for others),
how it moves (N by itself, F by pumps, D directed into the windings), what cools it outside (A air,
W water) and how that moves (N, F). The thermal model of IEC 60076-7 has one row for each of four of
them: ONAN, ONAF, OF and OD. Older American plates say OA, FA, FOA and FOW.
"""

import re
from dataclasses import dataclass
from typing import get_args

from agewise.transformer.cooling_defaults import Cooling

PRINTED = re.compile(r"(?P<liquid>[OKL])(?P<inside>[NFD])(?P<outside>[AW])(?P<moves>[NF])")
"""A cooling by the letters of IEC 60076-2."""
AMERICAN = {"OA": "ONAN", "FA": "ONAF", "FOA": "OFAF", "FOW": "OFWF", "OW": "ONWF"}
"""Names of ANSI/IEEE C57.12.00 before it took over those of IEC, and what they are called now."""
DRY = ("AN", "AF", "ANAN", "ANAF", "AFAF", "GN", "GNAN", "GNAF", "AA", "AFA")
"""Names of dry-type units: air or gas around the winding, and no oil."""
BETWEEN = re.compile(r"[\s/,;+&|()-]+")
"""What stands between the names of several stages, as in `ONAN/ONAF`."""
HINT = (
    "give it as it is printed: ONAN, ONAF, OFAF, ODAF, OFWF, ODWF, KNAN, or several as ONAN/ONAF; "
    "or the guide's class: ONAN, ONAF, OF, OD."
)
"""What to do about a cooling that is not known."""


@dataclass(frozen=True)
class PrintedCooling:
    """What a printed cooling means for the guide's model."""

    cooling: Cooling
    """Class of the guide whose row of constants is taken."""
    assumed: tuple[str, ...] = ()
    """What was assumed to get there, in parts of a sentence."""


def printed_cooling(printed: str) -> PrintedCooling | None:
    """The guide's class of a cooling as it is printed; None for a name that is not known.

    Raises `ValueError` for the names of units that have no oil.
    """
    names = [name for name in BETWEEN.split(printed.upper().strip()) if name]
    if any(name in DRY for name in names):
        raise ValueError(
            f"the cooling {printed!r} is that of a dry-type transformer, which has no oil"
        )
    stages = [_stage(name) for name in names]
    # One name that is not known may be that of the stage that counts.
    if not stages or None in stages:
        return None
    last = stages[-1]
    assert last is not None
    if len(stages) == 1:
        return last
    note = f"rated power and losses are those of its last stage, {names[-1]}"
    return PrintedCooling(last.cooling, (note, *last.assumed))


def _stage(name: str) -> PrintedCooling | None:
    """The class of one stage by its name in capitals."""
    # The guide's names first: OF and OD are classes, and no coolings of IEC 60076-2.
    for known in get_args(Cooling):
        if name == known:
            return PrintedCooling(known)
    letters = PRINTED.fullmatch(AMERICAN.get(name, name))
    if letters is None:
        return None
    notes = [f"{name} is today's {AMERICAN[name]}"] if name in AMERICAN else []
    if letters["liquid"] != "O":
        notes.append("the guide's table is for mineral oil; another liquid flows less easily")
    if letters["inside"] != "N":
        return PrintedCooling("OF" if letters["inside"] == "F" else "OD", tuple(notes))
    if letters["outside"] == "W":
        notes.append("oil that flows by itself through water coolers has no row in the guide")
    # Water is pumped through its cooler, even where the oil flows by itself.
    forced = letters["outside"] == "W" or letters["moves"] == "F"
    return PrintedCooling("ONAF" if forced else "ONAN", tuple(notes))
