"""How a foreign file is to be read: what its columns mean, their units, and its clock."""

import difflib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agewise.errors import InputError
from agewise.plant.measures import LACKING, UNITS, measure, unit_of
from agewise.plant.profile import OPTIONAL, STATES
from agewise.plant.sensors import sensor_height
from agewise.plant.toml_file import read_toml
from agewise.reading.zones import zone

ROLES = ("time", "load", "ambient", *OPTIONAL, *STATES)
"""Roles that a column can play, besides those of sensors inside the oil."""
ROLES_HINT = f"roles are {', '.join(ROLES)} and oil@0.25 (a height as a fraction)."
KEYS = ("timezone", "time_format", "rated_load", "ambient", "columns", "units", "thresholds")
"""Keys of a TOML of settings: the fields of `Reading`."""


@dataclass(frozen=True)
class Reading:
    """What the user says about a file; everything left out is found in the file or guessed.

    Examples:
        >>> import agewise
        >>> reading = agewise.Reading(columns={"load": "I_sec"}, units={"load": "A"})
        >>> reading.units["load"]
        'A'
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    """Name of the column, or of the tag in a long table, by role: `{"load": "I_sec"}`. `Date+Time`
    joins two for the time, `IL1+IL2+IL3` or `P+Q` the parts of a load."""
    units: Mapping[str, str] = field(default_factory=dict)
    """Unit of the column by role, as `{"load": "A", "ambient": "°F"}`."""
    timezone: str | None = None
    """Zone of times that are written without one: an IANA name or a fixed offset."""
    time_format: str | None = None
    """Format of the times, as in `strptime`; or `minutes`, `epoch` or `excel` for numbers."""
    rated_load: float | Sequence[float] | None = None
    """Load that is 1 p.u., in the unit in which the file gives its loads; for currents of several
    windings one each, in the order of their columns."""
    ambient: str | float | None = None
    """The air where the file has none, or none to be believed: a number as `20` or `20±3` [°C], the
    path of a weather file (EPW, TMY3, or a table with time and temperature), or `none`."""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    """Numbers behind the rules of quality by name, as in `Thresholds`."""

    def __post_init__(self):
        for role in (*self.columns, *self.units):
            _refuse_unknown_role(role)
        units = {role: _unit(role, text) for role, text in self.units.items()}
        # The class is frozen, but spellings such as "F" become "°F" here, once for all readers.
        object.__setattr__(self, "units", units)
        for name, value in self.thresholds.items():
            if not math.isfinite(value):
                raise InputError(
                    f"The threshold {name} cannot be {value:g}.", hint="give a finite number."
                )
        if self.timezone is not None:
            zone(self.timezone)  # for its refusal of unknown zones
        if isinstance(self.rated_load, Sequence):  # JSON and TOML give a list, which has no hash
            object.__setattr__(self, "rated_load", tuple(self.rated_load))
        for load in self.rated_loads:
            if not 0 < load < math.inf:
                raise InputError(
                    f"The rated load {load:g} is not a positive number.",
                    hint="give what 1 p.u. is in the load's own unit, as 1443 for amperes.",
                )

    @property
    def rated_loads(self) -> tuple[float, ...]:
        """Loads that are 1 p.u.: none, one, or one for each winding."""
        loads = self.rated_load
        if isinstance(loads, Sequence):
            return tuple(loads)
        return () if loads is None else (loads,)

    @classmethod
    def parse(
        cls,
        columns: str | None = None,
        units: str | None = None,
        timezone: str | None = None,
        time_format: str | None = None,
        rated_load: float | str | None = None,
        thresholds: Sequence[str] | None = None,
        ambient: str | None = None,
        mapping: str | Path | None = None,
    ) -> "Reading":
        """What the options of a command line say; they win over a mapping.

        Args:
            columns: Pairs, as `load=I_sec,ambient=T_aire`.
            units: Pairs, as `load=A,ambient=F`.
            timezone: As in `Reading`.
            time_format: As in `Reading`.
            rated_load: As in `Reading`; several as `251+1004+150`.
            thresholds: Pairs one by one, as `stuck_min=90`.
            ambient: As in `Reading`.
            mapping: Path of a TOML with any of these settings.
        """
        _refuse_toml_as_columns(columns)
        base = DEFAULT_READING if mapping is None else _mapping(Path(mapping))
        own = _pairs(columns, '`columns={"load": "I_sec", "ambient": "T_aire"}`')
        loads = _rated_loads(rated_load)
        given = {"timezone": timezone, "time_format": time_format, "rated_load": loads}
        given |= {"ambient": ambient}
        return replace(
            base,
            columns={**base.columns, **own},
            units={**base.units, **_pairs(units, '`units={"load": "A", "ambient": "F"}`')},
            thresholds={**base.thresholds, **_thresholds(thresholds or ())},
            # An option that was not given leaves what the mapping says.
            **{name: value for name, value in given.items() if value is not None},
        )


DEFAULT_READING = Reading()


def reading_file(path: str | Path) -> Reading:
    """What a small TOML says about a file, as `docs/formats.md` shows."""
    given = read_toml(path, example="docs/formats.md shows such a mapping.")
    for key in given:
        if key not in KEYS:
            raise InputError(f"{path}: unknown key {key!r}.", hint=f"known: {', '.join(KEYS)}.")
    for key, value in given.items():
        _refuse_other_type(key, value, path)
    return Reading(**given)


def _mapping(path: Path) -> Reading:
    if not path.exists():
        raise InputError(
            f"There is no file {path}.",
            hint="check the path; `agewise check` with a `mapping` that is not there writes it.",
        )
    return reading_file(path)


def _refuse_toml_as_columns(columns: str | None) -> None:
    if columns is not None and "=" not in columns and columns.lower().endswith(".toml"):
        raise InputError(
            f"{columns!r} does not say role=name.", hint=f'a file of them is `mapping="{columns}"`.'
        )


def _rated_loads(given: float | str | None) -> float | tuple[float, ...] | None:
    """A rated load, or several with plus signs between them."""
    if given is None or isinstance(given, float | int):
        return given
    try:
        loads = tuple(float(part) for part in given.split("+"))
    except ValueError:
        raise InputError(
            f"The rated load {given!r} is not a number.",
            hint="write 1443, or one for each winding, as 251+1004+150.",
        ) from None
    return loads[0] if len(loads) == 1 else loads


def _refuse_unknown_role(role: str) -> None:
    if role not in ROLES and sensor_height(role) is None:
        close = difflib.get_close_matches(role, ROLES, n=1)
        hint = f"did you mean {close[0]!r}?" if close else ROLES_HINT
        raise InputError(f"{role!r} is not a role of a column.", hint=hint)


def _unit(role: str, text: str) -> str:
    kind = measure(role)
    unit = unit_of(text, kind)
    if unit is None:
        choices = ", ".join(unit for unit in UNITS[kind] if unit not in LACKING)
        raise InputError(f"{text!r} is not a unit of {kind} ({role}).", hint=f"known: {choices}.")
    return unit


def _pairs(text: str | None, example: str) -> dict[str, str]:
    """`a=b,c=d` as a mapping; a name may hold commas, as in `load=Current, A`."""
    # Split at those commas only that are followed by another `key=`.
    pairs = re.split(r",(?=[^,=]+=)", text) if text else []
    named = [pair.partition("=") for pair in pairs]
    for pair, (key, _, value) in zip(pairs, named, strict=True):
        if not key.strip() or not value.strip():
            raise InputError(f"{pair!r} does not say role=name.", hint=f"write {example}.")
    return {key.strip(): value.strip() for key, _, value in named}


def _thresholds(texts: Sequence[str]) -> dict[str, float]:
    named = {}
    for text in texts:
        key, _, value = text.partition("=")
        try:
            named[key.strip()] = float(value)
        except ValueError:
            raise InputError(
                f"The threshold {text!r} is not of the form name=number.",
                hint="write stuck_min=90.",
            ) from None
    return named


def _refuse_other_type(key: str, value: Any, path: str | Path) -> None:
    texts, number = ("timezone", "time_format", "columns", "units"), (int, float)
    several = key == "rated_load" and isinstance(value, list)
    cells = list(value.values()) if isinstance(value, dict) else value if several else [value]
    section = key in ("columns", "units", "thresholds")
    kind = str if key in texts else (str, *number) if key == "ambient" else number
    # To Python, true and false are integers; here they are no numbers.
    good = all(isinstance(cell, kind) and not isinstance(cell, bool) for cell in cells)
    if not good or section != isinstance(value, dict):
        raise InputError(
            f"{path}: {key!r} cannot be {value!r}.", hint="docs/formats.md shows such a TOML."
        )
