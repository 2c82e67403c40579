"""Loads that a file gives in parts: three phase currents, or active and reactive power."""

import re
from collections import defaultdict
from collections.abc import Sequence

from agewise.plant.measures import ACTIVE_UNITS, REACTIVE_UNITS
from agewise.reading.heading import SUFFIX, Heading
from agewise.reading.synonyms import words_of

PHASES = (("l1", "l2", "l3"), ("a", "b", "c"), ("r", "s", "t"), ("u", "v", "w"), ("1", "2", "3"))
"""What the three phases are called, in their order."""
LETTER = "l[123]|[123]|[abc]|[rst]|[uvw]"
"""The name of a phase."""
CURRENT = (
    "i|il|iph|ilt|current|loadcurrent|amp|amps|ampere|amperes|strom|laststrom|phasenstrom|"
    "leiterstrom|courant|corriente|corrente|load|last"
)
"""What a current is called, before or behind the name of its phase."""
PHASE_CURRENT = re.compile(
    rf"(?P<first>{CURRENT})(?P<behind>{LETTER})|(?P<before>{LETTER})(?P<last>{CURRENT})|"
    rf"(?P<alone>{LETTER})"
)
"""A phase current as one word: `il1`, `currenta`, `acurrent`; the phase alone needs a unit."""
IDLE = frozenset(
    ("phase", "phases", "ph", "fase", "fases", "leiter", "line", "rms", "avg", "mean", "value")
)
"""Words beside a phase current that say nothing."""
SIDES = frozenset(("hv", "mv", "lv", "tv", "sec", "secondary", "prim", "primary", "os", "us", "bt"))
"""Words that say on which side of the unit a current flows."""


def phase_groups(headings: Sequence[Heading]) -> list[tuple[str, ...]]:
    """Columns that are the three phase currents of one winding, in the order of the phases.

    Several groups, as those of the upper and of the lower side, are all returned.
    """
    columns_by_stem: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    for heading in headings:
        stem_and_phase = _phase(heading)
        if stem_and_phase is not None:
            stem, phase = stem_and_phase
            columns_by_stem[stem][phase] = heading.column
    return [
        tuple(columns[phase] for phase in phases)
        for columns in columns_by_stem.values()
        for phases in PHASES
        if set(phases) <= set(columns)
    ]


def winding_currents(headings: Sequence[Heading]) -> tuple[str, ...]:
    """Columns that are currents of different sides, such as `I_HV`, `I_MV` and `I_LV`."""
    sides = {}
    for heading in headings:
        words = [word for word in words_of(heading.name) if word not in IDLE]
        side = [word for word in words if word in SIDES]
        rest = "".join(word for word in words if word not in SIDES)
        if len(side) == 1 and re.fullmatch(CURRENT, rest):
            sides.setdefault(side[0], heading.column)
    return tuple(sides.values())


def phase_unit(heading: Heading) -> str | None:
    """The unit of a phase current; the A of `I_A` is the name of a phase, and no ampere."""
    if heading.stated_unit or _parted(heading.name) is None:
        return heading.unit("load")
    return None


def power_pair(headings: Sequence[Heading]) -> tuple[str, str] | None:
    """The columns of active and of reactive power, where there is one of each."""
    active = [heading.column for heading in headings if is_active(heading)]
    reactive = [heading.column for heading in headings if is_reactive(heading)]
    # With several of either, nobody knows which belong together.
    return (active[0], reactive[0]) if len(active) == len(reactive) == 1 else None


def is_active(heading: Heading) -> bool:
    """Whether a column is active power: by its unit, else by its name."""
    unit = heading.unit("load") if heading.meaning in ("load", "active") else None
    return unit in ACTIVE_UNITS or (unit is None and heading.meaning == "active")


def is_reactive(heading: Heading) -> bool:
    """Whether a column is reactive power: by its unit, else by its name."""
    unit = heading.unit("load") if heading.meaning in ("load", "reactive") else None
    return unit in REACTIVE_UNITS or (unit is None and heading.meaning == "reactive")


def _phase(heading: Heading) -> tuple[tuple[str, ...], str] | None:
    """The words of a phase current but for its phase, and the phase; None for other columns."""
    unit = phase_unit(heading)
    suffix = SUFFIX.fullmatch(heading.name)
    part = _parted(heading.name)
    # A unit behind the name, as in `IL1_A`, hides the phase before it.
    if part is None and suffix is not None and unit in ("A", "kA"):
        part = _parted(suffix["name"])
    if part is None:
        return None
    # `L1` alone may be a voltage or a lamp, unless its unit says that it is a current.
    return part if part[0] or unit in ("A", "kA") else None


def _parted(name: str) -> tuple[tuple[str, ...], str] | None:
    """Side and word for a current, and the phase; None where a name is not made of these."""
    words = [word for word in words_of(name) if word not in IDLE]
    sides = tuple(word for word in words if word in SIDES)
    match = PHASE_CURRENT.fullmatch("".join(word for word in words if word not in SIDES))
    if match is None:
        return None
    current, phase = match["first"] or match["last"], match["behind"] or match["before"]
    return (*sides, *([current] if current else [])), phase or match["alone"]
