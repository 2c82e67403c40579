"""Quality: what in a record cannot be so, what was done about it, and the profile that is left."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from agewise.errors import InputError
from agewise.plant.profile import Profile
from agewise.plant.record import DataFinding, Record
from agewise.plant.sensors import sensor_height
from agewise.quality.labels import labelled
from agewise.quality.repair import Repaired, repaired
from agewise.quality.rules.clock import clock
from agewise.quality.rules.excursions import excursions, overloads
from agewise.quality.rules.physics import bias, heatless, swapped
from agewise.quality.rules.runs import idle, interpolated, interpolated_load, stuck, stuck_load
from agewise.quality.rules.time import gap, irregular, ordered, refuse_scattered
from agewise.quality.rules.values import impossible, missing, sentinel, spikes
from agewise.quality.sheet import Found, Sheet
from agewise.quality.thresholds import DEFAULT_THRESHOLDS, Thresholds
from agewise.threads import one_thread

__all__ = ["DEFAULT_THRESHOLDS", "RULES", "Thresholds", "checked"]

Rule = Callable[[Sheet, Thresholds], list[Found]]

RULES: tuple[Rule, ...] = (
    irregular,
    missing,
    sentinel,
    swapped,
    impossible,
    spikes,
    excursions,
    overloads,
    clock,
    gap,
    stuck,
    interpolated,
    heatless,
    bias,
    stuck_load,
    idle,
    interpolated_load,
)
"""In this order: each sees the sheet without the cells that those before it emptied."""

REQUIRED = ("load", "ambient")


@one_thread()
def checked(
    record: Record, thresholds: Thresholds = DEFAULT_THRESHOLDS, *, where: str = "the table"
) -> Profile:
    """The profile that a record holds, repaired, with its findings.

    Cells that are no observations are left out; holes of some minutes are bridged, longer ones of
    the load filled by its typical day with a standard deviation, longer ones of thermometers left
    as NaN.
    """
    for name in REQUIRED:
        if name not in record.columns:
            raise InputError(
                f"{where} lacks the column {name!r}.",
                hint=f"it has: {', '.join(record.columns) or 'no columns'}.",
            )
    sheet, told = ordered(record, where)
    refuse_scattered(sheet, where)
    for rule in RULES:
        ones = rule(sheet, thresholds)
        told += ones
        for one in ones:
            sheet = sheet.after(one)
    _refuse_other_units(told, record, thresholds, where)
    lost = [name for name, values in sheet.columns.items() if np.isnan(values).all()]
    for name in REQUIRED:
        if name in lost:
            raise _unusable(name, told, record, thresholds, where)
    told += [_left_out(name, sheet) for name in lost]
    sheet = replace(sheet, columns={n: v for n, v in sheet.columns.items() if n not in lost})
    rows = repaired(sheet, record.start, thresholds)
    findings = (*record.notes, *(_finding(one, record.labels) for one in _merged(told)))
    return _profile(record, rows, findings)


def _profile(record: Record, rows: Repaired, findings: tuple[DataFinding, ...]) -> Profile:
    columns = rows.columns
    heights = {name: sensor_height(name) for name in columns}
    inside = {height: columns[name] for name, height in heights.items() if height is not None}
    used = ("load", "ambient", "top_oil")
    strange = [name for name, height in heights.items() if height is None and name not in used]
    return Profile(
        timeline=labelled(record.labels, record.start, rows),
        load=columns["load"],
        ambient=columns["ambient"],
        top_oil=columns.get("top_oil"),
        interior=dict(sorted(inside.items())),
        ignored=(*record.ignored, *strange),
        load_std=rows.load_std if rows.load_std.any() else None,
        findings=findings,
    )


def _finding(one: Found, labels: pd.Series) -> DataFinding:
    first, last = one.stretches[0][0], one.stretches[-1][1]
    return DataFinding(
        one.kind,
        one.column,
        one.rows,
        str(labels.iloc[first]),
        str(labels.iloc[last]),
        one.done,
        one.text,
        one.stretches,
    )


def _left_out(name: str, sheet: Sheet) -> Found:
    rows, last = sheet.seconds.size, int(sheet.origin.max())
    text = f"{name}: nothing of it can be used; the column is left out."
    return Found("missing", name, ((0, last),), rows, "column left out", text)


def _merged(told: list[Found]) -> list[Found]:
    """One a kind and column, in the order in which they were found."""
    merged: dict[tuple[str, str], Found] = {}
    for one in told:
        same = merged.get((one.kind, one.column))
        if same is not None:
            one = replace(
                one,
                stretches=tuple(sorted({*same.stretches, *one.stretches})),
                rows=max(same.rows, one.rows),
                text=f"{same.text} {one.text}",
            )
        merged[one.kind, one.column] = one
    return list(merged.values())


def _refuse_other_units(told: list[Found], record: Record, limits: Thresholds, where: str) -> None:
    """Refuse a load or an air most of which cannot be: then it is not what it seems."""
    for one in told:
        if (one.kind, one.done) == ("range", "left out") and one.column in REQUIRED:
            seen = np.isfinite(record.columns[one.column])
            if 2 * one.rows > seen.sum():
                raise _unusable(one.column, [one], record, limits, where)


def _unusable(
    name: str, told: list[Found], record: Record, limits: Thresholds, where: str
) -> InputError:
    """Why nothing is left of a column: what most of its cells are, and the first of them."""
    reason = max((one for one in told if one.column == name), key=lambda one: one.rows)
    row = reason.stretches[0][0]
    value, unit = record.columns[name][row], "p.u." if name == "load" else "°C"
    high = limits.load_high_pu if name == "load" else limits.ambient_high_c
    at = f"at line {record.line(row)}"
    many = "every" if reason.rows == np.sum(np.isfinite(record.seconds)) else "almost every"
    if np.isnan(value):
        what = f"{many} {name} is missing, the first {at}"
        hint = f'fill that column, or name another: `columns={{"{name}": "NAME"}}`.'
    elif value > high:
        what = f"{many} {name} is above {high:g} {unit}, the first is {value:g} {at}"
        hint = (
            'if that is percent or ampere, say so: `units={"load": "%"}` or `units={"load": "A"}`.'
            if name == "load"
            else 'if that is °F or K, say so: `units={"ambient": "F"}` or `units={"ambient": "K"}`.'
        )
    else:
        what = f"{many} {name} cannot be so, the first is {value:g} {unit} {at}"
        hint = "give loads as magnitudes, in p.u." if name == "load" else "give values in °C."
    return InputError(f"{where}: {what}.", hint=hint)
