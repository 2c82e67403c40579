"""Each rule finds its fault, says so plainly, and is silent on clean data."""

from dataclasses import fields, replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from agewise.errors import InputError
from agewise.plant.profile import Profile
from agewise.plant.record import DataFinding, Record
from agewise.plant.tables import iso_text
from agewise.quality.quality import DEFAULT_THRESHOLDS, Thresholds, checked
from agewise.reading.profile_file import read_profile, write_profile
from agewise.twin.faults import KINDS, Fault, Injected, inject
from agewise.twin.twin import TwinSettings, make_twin

CASES = ("floating-pv", "aged-substation")
MINUTES = 2160
"""A day and a half: too short for the rules that fit a model, so that only simple ones speak."""


@cache
def clean(case: str = "aged-substation") -> pd.DataFrame:
    return make_twin(TwinSettings(seed=103, case=case, days=3.0)).frame


def record(frame: pd.DataFrame) -> Record:
    times = pd.DatetimeIndex(frame["time"])
    seconds = (times - times[0]).total_seconds().to_numpy(dtype=float)
    columns = {str(name): frame[name].to_numpy(dtype=float) for name in frame if name != "time"}
    return Record(iso_text(times), seconds, times[0], columns)


def kinds(profile: Profile) -> set[tuple[str, str]]:
    return {(finding.kind, finding.column) for finding in profile.findings}


def only(profile: Profile, kind: str) -> DataFinding:
    (finding,) = [finding for finding in profile.findings if finding.kind == kind]
    return finding


def overlaps(finding: DataFinding, fault: Injected) -> bool:
    pairs = finding.stretches
    return any(first <= fault.last_row and last >= fault.first_row for first, last in pairs)


@pytest.mark.parametrize("case", CASES)
def test_clean_data_raise_nothing_and_pass_unchanged(case: str):
    profile = checked(record(clean(case)))
    assert profile.findings == ()
    assert profile.load_std is None
    pd.testing.assert_frame_equal(
        profile.frame().drop(columns="time"), clean(case).drop(columns="time")
    )


VARIANTS = {
    "0.1 K": lambda frame: frame.round({"ambient": 1, "top_oil": 1}),
    "1 K": lambda frame: frame.round({"ambient": 0, "top_oil": 0}),
    "15 min": lambda frame: frame.resample("15min", on="time").mean().reset_index(),
    "60 min, 1 K": lambda frame: (
        frame.resample("60min", on="time").mean().reset_index().round({"ambient": 0, "top_oil": 0})
    ),
    "load held for 15 min": lambda frame: frame.assign(
        load=frame["load"].where(frame.index % 15 == 0).ffill().round(2)
    ),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_coarse_sensors_and_sampling_are_no_findings(variant: str):
    assert kinds(checked(record(VARIANTS[variant](clean())))) == set()


PLAIN = [(kind, CASES[number % 2]) for number, kind in enumerate(KINDS)]


@pytest.mark.parametrize(("kind", "case"), PLAIN)
def test_each_rule_finds_its_fault_where_it_is(kind: str, case: str):
    spoiled = inject(clean(case), [Fault(kind, 3)], rng=np.random.default_rng(5))
    (fault,) = spoiled.injected
    profile = checked(record(spoiled.frame))
    told = [f for f in profile.findings if (f.kind, f.column) == (kind, fault.column)]
    assert len(told) == 1
    assert overlaps(told[0], fault)
    assert told[0].text.endswith(".")
    assert told[0].rows >= 1
    assert told[0].start in set(iso_text(pd.DatetimeIndex(spoiled.frame["time"])))


def flat(minutes: int = MINUTES, **columns: object) -> Record:
    """Noisy days around 20 °C and 50 °C, with columns replaced."""
    rng = np.random.default_rng(0)
    base = {
        "load": 0.7 + 0.01 * rng.normal(size=minutes),
        "ambient": 20.0 + 0.3 * rng.normal(size=minutes),
        "top_oil": 50.0 + 0.3 * rng.normal(size=minutes),
    }
    base |= {k: np.asarray(v(base[k].copy()) if callable(v) else v) for k, v in columns.items()}
    start = pd.Timestamp("2025-06-12", tz="Europe/Madrid")
    times = pd.date_range(start, periods=minutes, freq="min")
    return Record(iso_text(times), 60.0 * np.arange(minutes), start, base)


def placed(values: dict[int, float]):
    def change(column: np.ndarray) -> np.ndarray:
        column[list(values)] = list(values.values())
        return column

    return change


@pytest.mark.parametrize(
    "code", [-999.0, -9999.0, 999.9, 9999.0, 32767.0, 6553.5, -127.0, 85.0, 0.0]
)
def test_codes_for_no_value(code: float):
    profile = checked(flat(top_oil=placed({100: code, 700: code, 701: code})))
    finding = only(profile, "sentinel")
    assert finding.stretches == ((100, 100), (700, 701))
    assert finding.done == "left out"
    assert profile.top_oil is not None
    assert np.all(np.abs(profile.top_oil - 50) < 3)


def test_zero_degrees_in_winter_and_no_load_at_night_are_values():
    rng = np.random.default_rng(1)
    day = np.arange(MINUTES) % 1440
    sun = np.where((day > 400) & (day < 1200), 0.6 + 0.01 * rng.normal(size=day.size), 0.0)
    air = (2.0 * np.sin(2 * np.pi * day / 1440) + 0.3 * rng.normal(size=day.size)).round(1)
    assert kinds(checked(flat(load=sun, ambient=air))) == set()


def test_a_load_of_zero_by_day_is_told_and_kept():
    rng = np.random.default_rng(1)
    minute = np.arange(5 * 1440)
    sun = np.where(abs(minute % 1440 - 800) < 400, 0.6 + 0.01 * rng.normal(size=minute.size), 0.0)
    sun[2 * 1440 + 500 : 2 * 1440 + 740] = 0.0
    profile = checked(flat(minute.size, load=sun))
    finding = only(profile, "stuck")
    assert (finding.column, finding.done) == ("load", "kept")
    np.testing.assert_array_equal(profile.load, sun)


def test_impossible_loads_and_temperatures():
    profile = checked(
        flat(load=placed({5: 9.0, 9: -0.01, 11: -0.5}), ambient=placed({7: 61.0, 8: -80.0}))
    )
    assert kinds(profile) == {("range", "load"), ("reverse", "load"), ("range", "ambient")}
    assert profile.load[9] == 0.0
    assert profile.load[11] == 0.5
    assert profile.load.min() >= 0.0
    assert profile.load.max() < 1.0


def test_one_finding_a_kind_and_column_names_stretches_and_the_longest():
    broken = dict.fromkeys((*range(50, 60), *range(100, 190), 400), np.nan)
    finding = only(checked(flat(ambient=placed(broken))), "missing")
    assert finding.stretches == ((50, 59), (100, 189), (400, 400))
    assert finding.rows == 101
    assert "3 stretches, the longest in lines 102 to 191, 89 min" in finding.text


def test_notes_come_first():
    note = DataFinding("unit", "load", 1, "", "", "converted", "load: percent.")
    given = flat(ambient=placed({3: np.nan}))
    noted = Record(given.labels, given.seconds, given.start, given.columns, notes=(note,))
    assert checked(noted).findings[0] is note


def test_a_column_without_a_value_is_left_out_or_refused():
    none = np.full(MINUTES, np.nan)
    profile = checked(flat(top_oil=none))
    assert profile.top_oil is None
    assert "column is left out" in only(profile, "missing").text
    with pytest.raises(InputError, match="every ambient is missing"):
        checked(flat(ambient=none))


def test_percent_is_refused_with_a_hint():
    with pytest.raises(InputError, match=r"every load is above 5 p\.u\., the first is 57") as told:
        checked(flat(load=np.full(MINUTES, 57.0)), where="plant.csv")
    assert "percent" in told.value.hint
    assert told.value.sentence.startswith("plant.csv")
    assert "at line 2" in told.value.sentence


def test_fewer_than_two_times_are_refused():
    given = flat()
    lost = Record(given.labels, np.full(given.seconds.size, np.nan), given.start, given.columns)
    with pytest.raises(InputError, match="too few rows"):
        checked(lost)


def test_swapped_for_most_of_the_file_is_kept():
    frame = clean().rename(columns={"ambient": "top_oil", "top_oil": "ambient"})
    profile = checked(record(frame))
    assert only(profile, "swapped").done == "kept"
    assert not np.isnan(profile.ambient).any()


def test_constant_columns_are_told_and_kept():
    profile = checked(flat(ambient=np.full(MINUTES, 20.0)))
    assert only(profile, "stuck").done == "kept"
    np.testing.assert_array_equal(profile.ambient, 20.0)


def test_thresholds_can_be_changed():
    spoiled = flat(ambient=placed({500: 28.0}))
    assert ("spikes", "ambient") in kinds(checked(spoiled))
    assert kinds(checked(spoiled, Thresholds.of({"spike_k": 12}))) == set()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"spike": 1.0}, "no threshold 'spike'"),
        ({"gap_steps": 0.0}, "gap_steps cannot be 0"),
        ({"gap_steps": float("nan")}, "gap_steps cannot be nan"),
        ({"temperature_low_c": 300.0}, "is not below"),
    ],
)
def test_impossible_thresholds_are_refused_with_the_names(given: dict, said: str):
    with pytest.raises(InputError, match=said) as told:
        Thresholds.of(given)
    assert all(field.name in told.value.hint for field in fields(Thresholds))


def test_the_page_about_data_names_every_threshold_with_its_value():
    from pathlib import Path

    page = (Path(__file__).parents[2] / "docs" / "data.md").read_text("utf-8")
    for field in fields(Thresholds):
        value = getattr(DEFAULT_THRESHOLDS, field.name)
        assert f"`{field.name}` {value:g}" in page, f"{field.name} {value:g}"


def test_lines_are_counted_as_in_the_file(tmp_path: Path):
    head = ["Substation North", "exported today", "", "time,load,ambient"]
    rows = [f"2025-06-12T{n // 60:02}:{n % 60:02}:00Z,0.5,{20 + n % 7 / 10}" for n in range(120)]
    rows[30] = "2025-06-12T00:30:00Z,0.5,400"
    (tmp_path / "plant.csv").write_text("\n".join([*head, *rows]) + "\n")
    told = next(one for one in read_profile(tmp_path / "plant.csv").findings if one.kind == "range")
    assert "line 35" in told.text


def test_a_cleaned_file_is_taken_as_it_is(tmp_path: Path):
    clean = flat()
    doubtful = replace(checked(clean), load_std=np.where(np.arange(MINUTES) < 60, 0.1, 0.0))
    write_profile(doubtful, tmp_path / "clean.csv")
    again = read_profile(tmp_path / "clean.csv")
    assert again.load_std is not None
    np.testing.assert_array_equal(again.load_std, doubtful.load_std)
    assert again.findings == ()
