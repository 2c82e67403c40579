from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest

from agewise.errors import InputError
from agewise.twin.faults import KINDS, Fault, Injected, Spoiled, inject

ROWS = 3 * 1440
SENSORS = ["load", "ambient", "top_oil", "oil@0.2"]
MOVES_ROWS = ("irregular", "gap", "duplicates", "unsorted")
MOVES_TIME = ("irregular", "clock")
EVERY = [Fault(kind, severity) for kind, severity in product(KINDS, (1, 2, 3))]


@cache
def clean() -> pd.DataFrame:
    """Three days, one row a minute; `serial` is no sensor, so it tells where each row came from."""
    noise = np.random.default_rng(7).normal(0.0, 0.1, (ROWS, 4))
    day = 2 * np.pi * np.arange(ROWS) / 1440
    time = pd.date_range("2024-03-30", periods=ROWS, freq="min", tz="Europe/Madrid")
    return pd.DataFrame(
        {
            "time": time,
            "load": 0.7 - 0.2 * np.cos(day) + 0.1 * noise[:, 0],
            "ambient": 15.0 - 5.0 * np.cos(day) + noise[:, 1],
            "top_oil": 50.0 - 10.0 * np.cos(day - 0.5) + noise[:, 2],
            "oil@0.2": 40.0 - 8.0 * np.cos(day - 0.5) + noise[:, 3],
            "serial": np.arange(ROWS),
        }
    )


def spoil(*faults: Fault, seed: int = 0) -> Spoiled:
    return inject(clean(), faults, rng=np.random.default_rng(seed))


def differences(after: pd.DataFrame) -> pd.DataFrame:
    """Which cells differ from the clean row that each row came from."""
    before = clean().iloc[after["serial"]].reset_index(drop=True)
    return (after != before) & ~(after.isna() & before.isna())


def harm(after: pd.DataFrame) -> float:
    """Rows lost, gained or displaced, samples changed, and how far values and time stamps moved."""
    before = clean().iloc[after["serial"]].reset_index(drop=True)
    rows = abs(len(after) - ROWS) + np.sum(np.diff(after["serial"]) < 0)
    cells = differences(after).to_numpy().sum()
    seconds = (after["time"] - before["time"]).abs().dt.total_seconds().sum()
    return rows + cells + seconds + np.nansum(np.abs(after[SENSORS] - before[SENSORS]))


def inside(frame: pd.DataFrame, column: str, record: Injected) -> np.ndarray:
    return frame[column].to_numpy()[record.first_row : record.last_row + 1]


@pytest.mark.parametrize("fault", EVERY, ids=str)
def test_input_is_untouched_and_a_seed_gives_one_answer(fault: Fault):
    frame = clean().copy()
    once = inject(frame, [fault], rng=np.random.default_rng(3))
    pd.testing.assert_frame_equal(frame, clean())
    again = spoil(fault, seed=3)
    pd.testing.assert_frame_equal(once.frame, again.frame)
    assert once.injected == again.injected
    assert list(once.frame.index) == list(range(len(once.frame)))
    assert (once.frame.dtypes == frame.dtypes).all()


@pytest.mark.parametrize("fault", EVERY, ids=str)
def test_nothing_changes_but_what_the_record_names(fault: Fault):
    spoiled = spoil(fault, seed=fault.severity)
    (record,) = spoiled.injected
    assert (record.kind, record.severity) == (fault.kind, fault.severity)
    assert 0 <= record.first_row <= record.last_row < len(spoiled.frame)

    changed = differences(spoiled.frame)
    columns = {"time"} if fault.kind in MOVES_TIME else set(filter(None, record.column.split(",")))
    assert set(changed.columns[changed.any()]) == columns
    outside = changed.drop(index=range(record.first_row, record.last_row + 1))
    assert not outside.any(axis=None)

    serial = spoiled.frame["serial"].to_numpy()
    steps = np.flatnonzero(np.diff(serial) != 1)
    assert (len(steps) > 0) == (fault.kind in MOVES_ROWS)
    # A block out of order may show first in the step that enters it, last in the step that leaves.
    assert all(record.first_row - 1 <= step <= record.last_row for step in steps)


@pytest.mark.parametrize("kind", KINDS)
def test_gross_harms_more_than_mild(kind: str):
    mild, plain, gross = (harm(spoil(Fault(kind, severity)).frame) for severity in (1, 2, 3))
    assert 0 < mild < plain < gross


@pytest.mark.parametrize("severity,rows", [(1, 30), (2, 180), (3, 720)])
def test_gap_lies_between_the_two_rows_of_its_record(severity: int, rows: int):
    spoiled = spoil(Fault("gap", severity))
    (record,) = spoiled.injected
    before, after = inside(spoiled.frame, "time", record)
    assert after - before == pd.Timedelta(minutes=rows + 1)


def test_time_runs_forward_unless_rows_are_out_of_order():
    for kind in ("irregular", "gap", "clock"):
        assert spoil(Fault(kind, 3)).frame["time"].is_monotonic_increasing
    assert not spoil(Fault("unsorted", 1)).frame["time"].is_monotonic_increasing


def test_stuck_holds_interpolated_is_straight_swapped_is_exchanged():
    for kind, order in (("stuck", 1), ("interpolated", 2)):
        spoiled = spoil(Fault(kind))
        (record,) = spoiled.injected
        values = inside(spoiled.frame, record.column, record)
        assert len(values) == 240
        np.testing.assert_allclose(np.diff(values, order), 0.0, atol=1e-12)
    swapped = spoil(Fault("swapped", 3)).frame
    exchanged = ["top_oil", "ambient"]
    np.testing.assert_array_equal(swapped[["ambient", "top_oil"]], clean()[exchanged])


def test_spikes_stand_alone():
    spoiled = spoil(Fault("spikes", 3))
    rows = np.flatnonzero(differences(spoiled.frame)[spoiled.injected[0].column])
    assert len(rows) > 1
    assert (np.diff(rows) > 1).all()


@pytest.mark.parametrize("seed", range(5))
def test_records_follow_their_rows_when_later_faults_move_them(seed: int):
    asked = [Fault(kind) for kind in ("duplicates", "missing", "stuck", "gap", "irregular")]
    spoiled = spoil(*asked, seed=seed)
    frame, records = spoiled.frame, {record.kind: record for record in spoiled.injected}
    assert list(records) == ["irregular", "gap", "stuck", "missing", "duplicates"]

    missing, stuck = records["missing"], records["stuck"]
    absent = np.flatnonzero(frame[missing.column].isna())
    assert (missing.first_row, missing.last_row) == (absent[0], absent[-1])
    values = inside(frame, stuck.column, stuck)
    assert len(set(values[~np.isnan(values)])) == 1
    assert np.diff(inside(frame, "serial", records["gap"])).max() > 170


def test_records_follow_their_rows_into_a_block_out_of_order():
    for seed in range(5):
        spoiled = spoil(Fault("stuck"), Fault("unsorted", 3), seed=seed)
        stuck, unsorted = spoiled.injected
        held = np.flatnonzero(spoiled.frame[stuck.column].duplicated(keep=False))
        assert (stuck.first_row, stuck.last_row) == (held[0], held[-1])
        assert unsorted.last_row - unsorted.first_row == 719


def test_a_gap_within_a_gap_shares_its_sides():
    for seed in range(8):
        spoiled = spoil(*[Fault("gap", 3)] * 3, Fault("gap", 1), seed=seed)
        hole = np.flatnonzero(np.diff(spoiled.frame["serial"]) > 30)
        for record in spoiled.injected:
            assert np.isin([record.first_row - 1, record.first_row], hole).any()


def test_no_faults_is_the_identity():
    pd.testing.assert_frame_equal(spoil().frame, clean())
    assert spoil().injected == ()


def test_parse():
    assert Fault.parse("stuck:3") == Fault("stuck", 3)
    assert Fault.parse("stuck") == Fault("stuck", 2)


@pytest.mark.parametrize(
    "text,given",
    [
        ("melted:2", "melted"),
        ("stuck:4", "4"),
        ("stuck:x", "stuck:x"),
        ("stuck:", "stuck:"),
        ("", "''"),
    ],
)
def test_parse_says_what_was_given_and_what_there_is(text: str, given: str):
    with pytest.raises(InputError) as caught:
        Fault.parse(text)
    assert given in caught.value.sentence
    assert all(kind in caught.value.hint for kind in KINDS)


def test_a_fault_longer_than_the_profile_is_refused():
    with pytest.raises(InputError, match="720 min does not fit"):
        inject(clean().head(600), [Fault("gap", 3)], rng=np.random.default_rng(0))
