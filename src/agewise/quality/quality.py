"""Checking a record: every rule in turn, then the repair; the result is a profile with findings.

The rules are in `rules`, one subject a file; `repair` fills holes; `thresholds` has their numbers.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from agewise.errors import InputError
from agewise.plant.profile import OPTIONAL, Profile
from agewise.plant.record import DataFinding, Record
from agewise.plant.sensors import sensor_height
from agewise.quality.labels import labelled
from agewise.quality.repair import Repaired, repaired
from agewise.quality.rules.bias import bias
from agewise.quality.rules.clock_jumps import clock
from agewise.quality.rules.cold import cold
from agewise.quality.rules.exchanged import swapped
from agewise.quality.rules.excursions import excursions, overloads
from agewise.quality.rules.gates import frozen, leaps, ragged
from agewise.quality.rules.heatless import heatless
from agewise.quality.rules.stuck import idle, interpolated, interpolated_load, stuck, stuck_load
from agewise.quality.rules.time_stamps import gap, irregular, ordered, refuse_scattered
from agewise.quality.rules.values import impossible, missing, reverse, sentinel, spikes
from agewise.quality.sheet import RuleFinding, Sheet
from agewise.quality.thresholds import DEFAULT_THRESHOLDS, Thresholds
from agewise.threads import one_thread

__all__ = ["DEFAULT_THRESHOLDS", "RULES", "Thresholds", "checked"]

Rule = Callable[[Sheet, Thresholds], list[RuleFinding]]
"""Looks at a sheet and says what is wrong with it, one finding a column."""

# What depends on the order: `impossible` allows hot air where `swapped` has spoken, `gap` is silent
# where `clock` has, `bias` does not ask about oil where `heatless` has. What looks for slow changes
# comes after codes and spikes are gone. `stuck` comes before `leaps`: a thermometer that wakes up
# steps to where the oil has gone meanwhile, and what it held is wrong, not what came before.
RULES: tuple[Rule, ...] = (
    irregular,
    missing,
    sentinel,
    swapped,
    reverse,
    impossible,
    frozen,
    spikes,
    ragged,
    excursions,
    stuck,
    leaps,
    overloads,
    cold,
    clock,
    gap,
    interpolated,
    heatless,
    bias,
    stuck_load,
    idle,
    interpolated_load,
)
"""All rules in their order: each sees the sheet without the cells that those before it emptied."""

REQUIRED = ("load", "ambient")
"""Columns without which nothing can be computed."""


@one_thread()
def checked(
    record: Record,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
    *,
    where: str = "the table",
    air: bool = True,
) -> Profile:
    """The profile that a record holds, repaired, with its findings.

    Cells that are no observations are left out. Holes up to `bridged_min` are bridged by straight
    lines; longer holes of the load are filled by its typical day with a standard deviation, longer
    holes of thermometers stay NaN.

    Args:
        record: What the file holds, in p.u. and °C.
        thresholds: Where each rule draws its line.
        where: The name of the file, for errors.
        air: Whether the ambient is a column of the record; else it is NaN, for another source to
            fill in, and rules that compare oil and air say nothing.
    """
    needed = REQUIRED if air else REQUIRED[:1]
    for name in needed:
        if name not in record.columns:
            raise InputError(
                f"{where} lacks the column {name!r}.",
                hint=f"it has: {', '.join(record.columns) or 'no columns'}.",
            )
    sheet, findings = ordered(record, where)
    refuse_scattered(sheet, where)
    for rule in RULES:
        rule_findings = rule(sheet, thresholds)
        findings += rule_findings
        # All findings of a rule are about one sheet; what they empty is gone for the next rule.
        for finding in rule_findings:
            sheet = sheet.after(finding)
    _refuse_other_units(findings, record, thresholds, where)
    lost = [name for name, values in sheet.columns.items() if np.isnan(values).all()]
    for name in needed:
        if name in lost:
            raise _unusable(name, findings, record, thresholds, where)
    findings += [_left_out(name, sheet) for name in lost]
    sheet = replace(sheet, columns={n: v for n, v in sheet.columns.items() if n not in lost})
    # The repair comes last, so that no rule ever judges a value that was filled in.
    rows = repaired(sheet, record.start, thresholds)
    merged = [_data_finding(finding, record.labels) for finding in _merged(findings)]
    return _profile(record, rows, (*record.notes, *merged))


def _profile(record: Record, rows: Repaired, findings: tuple[DataFinding, ...]) -> Profile:
    columns = rows.columns
    heights = {name: sensor_height(name) for name in columns}
    inside = {height: columns[name] for name, height in heights.items() if height is not None}
    used = (*REQUIRED, *OPTIONAL)
    strange = [name for name, height in heights.items() if height is None and name not in used]
    return Profile(
        timeline=labelled(record.labels, record.start, rows),
        load=columns["load"],
        ambient=columns.get("ambient", np.full(rows.seconds.size, np.nan)),
        top_oil=columns.get("top_oil"),
        bottom_oil=columns.get("bottom_oil"),
        winding=columns.get("winding"),
        interior=dict(sorted(inside.items())),
        ignored=(*record.ignored, *strange),
        load_std=rows.load_std if rows.load_std.any() else None,
        findings=findings,
    )


def _data_finding(finding: RuleFinding, labels: pd.Series) -> DataFinding:
    """A rule's finding with the labels of its first and last row."""
    first, last = finding.stretches[0][0], finding.stretches[-1][1]
    return DataFinding(
        finding.kind,
        finding.column,
        finding.rows,
        str(labels.iloc[first]),
        str(labels.iloc[last]),
        finding.done,
        finding.text,
        finding.stretches,
        finding.mend,
        finding.doubt_k,
    )


def _left_out(name: str, sheet: Sheet) -> RuleFinding:
    """The finding about a column of which no cell is left."""
    rows, last = sheet.seconds.size, int(sheet.origin.max())
    text = f"{name}: none of its values can be used; the column is left out."
    return RuleFinding("missing", name, ((0, last),), rows, "column left out", text)


def _merged(findings: list[RuleFinding]) -> list[RuleFinding]:
    """One finding a kind and column, in the order in which they were made."""
    merged: dict[tuple[str, str], RuleFinding] = {}
    for finding in findings:
        place = (finding.kind, finding.column)
        earlier = merged.get(place)
        merged[place] = finding if earlier is None else _joined(earlier, finding)
    return list(merged.values())


def _joined(earlier: RuleFinding, later: RuleFinding) -> RuleFinding:
    # The two may share rows, so their sum would count some twice.
    return replace(
        later,
        stretches=tuple(sorted({*earlier.stretches, *later.stretches})),
        rows=max(earlier.rows, later.rows),
        text=f"{earlier.text} {later.text}",
        mend=earlier.mend or later.mend,
        doubt_k=float(np.hypot(earlier.doubt_k, later.doubt_k)),
    )


def _refuse_other_units(
    findings: list[RuleFinding], record: Record, limits: Thresholds, where: str
) -> None:
    """Refuse a load or an ambient that is mostly impossible: it is in another unit or column."""
    # What the range leaves of a load in percent, its smallest values, would pass for a load.
    for finding in findings:
        left_out = (finding.kind, finding.done) == ("range", "left out")
        if left_out and finding.column in REQUIRED:
            readable = np.isfinite(record.columns[finding.column])
            if 2 * finding.rows > readable.sum():
                raise _unusable(finding.column, [finding], record, limits, where)


def _unusable(
    name: str, findings: list[RuleFinding], record: Record, limits: Thresholds, where: str
) -> InputError:
    """The refusal of a column, by what is wrong with most of its cells and where it begins."""
    own_findings = [finding for finding in findings if finding.column == name]
    main_finding = max(own_findings, key=lambda finding: finding.rows)
    row = main_finding.stretches[0][0]
    value, unit = record.columns[name][row], "p.u." if name == "load" else "°C"
    high = limits.load_high_pu if name == "load" else limits.ambient_high_c
    place = f"at line {record.line(row, name)}"
    many = "every" if main_finding.rows == np.sum(np.isfinite(record.seconds)) else "almost every"
    if np.isnan(value):
        what = f"{many} {name} is missing, the first {place}"
        hint = f'fill that column, or name another: `columns={{"{name}": "NAME"}}`.'
    elif value > high:
        what = f"{many} {name} is above {high:g} {unit}, the first is {value:g} {place}"
        hint = (
            'if that is percent or ampere, say so: `units={"load": "%"}` or `units={"load": "A"}`.'
            if name == "load"
            else 'if that is °F or K, say so: `units={"ambient": "F"}` or `units={"ambient": "K"}`.'
        )
    else:
        what = f"{many} {name} is impossible, the first is {value:g} {unit} {place}"
        hint = "give loads as magnitudes, in p.u." if name == "load" else "give values in °C."
    return InputError(f"{where}: {what}.", hint=hint)
