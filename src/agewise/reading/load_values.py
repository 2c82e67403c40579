"""The load from its parts: currents of phases or windings, or active and reactive power."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from agewise.errors import InputError
from agewise.plant.measures import LARGEST_LOAD, Rated, per_unit, refuse_large_loads
from agewise.plant.notes import counted, note
from agewise.plant.record import DataFinding
from agewise.reading.column_refusals import and_list
from agewise.reading.heading import Heading
from agewise.reading.load_parts import phase_groups
from agewise.reading.options import Reading
from agewise.reading.values import Column, RoleValues, Values, coded, rated_load, unreadable

KILO = {"kW": 1.0, "kvar": 1.0, "MW": 1000.0, "Mvar": 1000.0}
"""How many kVA one of a unit of power is."""
OF_A_WINDING = ("A", "kA", "kVA", "MVA")
"""Units in which every winding has a rated load of its own."""
UNEVEN = 1.2
"""Ratio of the highest current to the rms of all from which on one of them is doubted: with one of
three that is never measured it is 1.22, in an uneven town about 1.14."""


def parted_load(columns: Sequence[Column], reading: Reading, rated: Rated) -> RoleValues:
    """The load of several columns.

    Of currents the highest counts at every instant: its winding has the hottest spot, and the
    insulation there ages first. The oil is heated by all of them, which is less: that counts where
    the nameplate has `rated_windings`.
    Active and reactive power make the apparent power, $S = \\sqrt{P^2 + Q^2}$.
    """
    combine = _power if columns[0].source.kind == "powers" else _highest
    read = combine(columns, reading, rated)
    bad = [finding for each in columns for finding in (*unreadable(each), *coded(each))]
    return replace(read, notes=[*read.notes, *bad])


def _power(columns: Sequence[Column], reading: Reading, rated: Rated) -> RoleValues:
    first = columns[0]
    scales = [KILO[unit or ""] for unit in first.source.units]
    parts = [scale * part.values for scale, part in zip(scales, columns, strict=True)]
    # In MVA where one part is in mega, since the rating is asked for in that unit.
    mega = max(scales) == KILO["MW"]
    unit = "MVA" if mega else "kVA"
    base = rated_load(unit, reading, rated)
    values = np.hypot(*parts) / (1000 if mega else 1)
    text = (
        f"The load is the apparent power of {_names(columns)}"
        f"{'' if base is None else f', divided by {base:.6g} {unit}'}."
    )
    # No unit: a mapping that is written of it finds the units of both in their headers again.
    loads = per_unit(values, unit, base, first.where)
    return RoleValues(loads, reading.units.get("load"), [_stated(first, text, "converted")])


def _highest(columns: Sequence[Column], reading: Reading, rated: Rated) -> RoleValues:
    first, unit = columns[0], columns[0].source.unit
    if unit is None:
        every = np.concatenate([column.values for column in columns])
        refuse_large_loads(every, first.where, suggests="current")
    used = unit or "p.u."
    bases = _bases(columns, used, reading, rated)
    parts = np.stack(
        [
            # The sign says which way power flows, and not how much it heats.
            np.abs(per_unit(column.values, used, base, column.where))
            for column, base in zip(columns, bases, strict=True)
        ]
    )
    # `fmax` passes over NaN: where one of them is missing, the others still tell of the load.
    highest: Values = np.fmax.reduce(parts)
    share = _oil_share(columns, parts, rated)
    by = " and ".join(f"{base:.6g}" for base in dict.fromkeys(bases) if base is not None)
    heat = _spread(parts) if share is None else _heating(share)
    text = (
        f"The load is the highest of {_names(columns)} at each "
        f"instant{f', divided by {by} {used}' if by else ''}: the most loaded winding ages "
        f"first.{heat}"
    )
    notes = [_stated(first, text, "highest taken"), *_one_missing(first, parts)]
    return RoleValues(highest, used, notes, share)


def _one_missing(first: Column, parts: np.ndarray) -> list[DataFinding]:
    """A finding about rows in which some of the currents are missing, and not all."""
    known = np.isfinite(parts)
    concerned = known.any(axis=0) & ~known.all(axis=0)
    if not concerned.any():
        return []
    rows = counted(int(concerned.sum()), "row")
    text = f"In {rows} one of the currents is missing: the load is the highest of the others."
    found = {"concerned": concerned, "done": "highest taken", "text": text}
    return [note("missing", first.role, first.labels, **found)]


def _oil_share(columns: Sequence[Column], parts: np.ndarray, rated: Rated) -> Values | None:
    r"""Equivalent current $\sqrt{\sum_i w_i K_i^2}$ over the highest [1]; None without weights."""
    if not _are_windings(columns, rated):
        return None
    weights = np.array([[winding.weight] for winding in rated.windings])
    equivalent = np.sqrt((weights * parts**2).sum(axis=0))
    highest = parts.max(axis=0)
    # Where one is missing, or none carries anything, the share before it holds.
    return np.divide(equivalent, highest, out=np.full(highest.shape, np.nan), where=highest > 0)


def _are_windings(columns: Sequence[Column], rated: Rated) -> bool:
    """Whether columns are the windings of the nameplate, and not the phases of one of them."""
    phases = phase_groups([Heading(column.name) for column in columns])
    return len(rated.windings) == len(columns) and not phases


def _heating(share: np.ndarray) -> str:
    mean = 100 * float(np.nanmean(share)) if np.isfinite(share).any() else 100.0
    return f" The oil is heated as by {mean:.0f} % of it, by the losses of all of them."


def _bases(
    columns: Sequence[Column], unit: str, reading: Reading, rated: Rated
) -> Sequence[float | None]:
    """What 1 p.u. of each column is: one for all, or one for each winding."""
    rated_loads = reading.rated_loads
    own = [winding.of(unit) for winding in rated.windings]
    if not rated_loads and unit in OF_A_WINDING and _are_windings(columns, rated) and all(own):
        return own
    if len(rated_loads) < 2:
        return [rated_load(unit, reading, rated)] * len(columns)
    if len(rated_loads) != len(columns):
        raise InputError(
            f"{columns[0].where}: {len(rated_loads)} rated loads are given for "
            f"{len(columns)} columns of currents, {_names(columns)}.",
            hint="give one for all, or one for each in their order, as `rated_load=(251, 1004, "
            "150)`.",
        )
    return rated_loads


def _spread(parts: np.ndarray) -> str:
    """A sentence about how far the currents differ."""
    # Codes such as 9999 are left out when the record is checked, and would spoil a mean square.
    # Comparisons with NaN are false, so that rows with a hole drop out too.
    complete_parts = parts[:, (parts <= LARGEST_LOAD).all(axis=0)]
    mean_square = float(np.mean(complete_parts**2)) if complete_parts.size else 0.0
    text = ""
    if mean_square > 0:
        ratio = float(np.sqrt(np.mean(complete_parts.max(axis=0) ** 2) / mean_square))
        text = f" It is {100 * (ratio - 1):.0f} % above their rms, which heats the oil"
        text += "; is one of them measured wrongly?" if ratio > UNEVEN else "."
    return text


def _names(columns: Sequence[Column]) -> str:
    return and_list([column.name for column in columns])


def _stated(column: Column, text: str, done: str) -> DataFinding:
    kind = "guess" if column.source.guessed else "converted"
    return column.noted(kind, "assumed" if column.source.guessed else done, text)
