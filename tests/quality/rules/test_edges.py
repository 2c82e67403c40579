"""Where each rule stops: what lies just beyond its limits is no fault."""

import numpy as np
import pytest

from agewise.quality.rules.coarse import Coarse
from agewise.quality.rules.exchanged import exchanged
from agewise.quality.rules.excursions import excursions
from agewise.quality.rules.heatless import _without_jumps
from agewise.quality.rules.stuck import Lengths, stuck
from agewise.quality.rules.values import sentinel, spikes
from agewise.quality.sheet import Sheet
from agewise.quality.thresholds import DEFAULT_THRESHOLDS as LIMITS

ROWS = 400


def sheet(step_s: float = 60.0, seconds: np.ndarray | None = None, **columns: np.ndarray) -> Sheet:
    """Air of 20 °C and oil of 50 °C with noise, some columns replaced."""
    rng, none = np.random.default_rng(1), np.zeros(ROWS, dtype=bool)
    quiet = {
        "load": 0.7 + 0.01 * rng.normal(size=ROWS),
        "ambient": 20 + 0.2 * rng.normal(size=ROWS),
        "top_oil": 50 + 0.2 * rng.normal(size=ROWS),
    }
    times = step_s * np.arange(ROWS) if seconds is None else seconds
    return Sheet(times, np.arange(ROWS), quiet | columns, none, none, none)


def oil(first: int, last: int, shift: float, back: float | None = None) -> np.ndarray:
    """Oil that is off from `first` to before `last`, and comes back by `back`."""
    values = sheet().columns["top_oil"].copy()
    values[first:last] += shift
    values[last:] += 0.0 if back is None else shift - back
    return values


@pytest.mark.parametrize(("minutes", "is_code"), [(10, True), (20, False)])
def test_a_load_of_zero_is_a_code_when_it_is_brief(minutes: int, is_code: bool):
    values = sheet().columns["load"].copy()
    values[100 : 100 + minutes] = 0.0
    assert bool(sentinel(sheet(load=values), LIMITS)) == is_code


@pytest.mark.parametrize("code", [0.0, 85.0])
@pytest.mark.parametrize("minutes", [10, 20, 200])
def test_a_thermometer_at_a_code_is_taken_out_however_long(code: float, minutes: int):
    values = sheet().columns["top_oil"].copy()
    values[100 : 100 + minutes] = code
    (finding,) = sentinel(sheet(top_oil=values), LIMITS)
    assert finding.rows == minutes


@pytest.mark.parametrize(("samples", "is_spike"), [(1, True), (3, True), (4, False)])
def test_a_spike_has_three_samples_at_the_most(samples: int, is_spike: bool):
    findings = spikes(sheet(top_oil=oil(100, 100 + samples, 15.0)), LIMITS)
    assert [finding.rows for finding in findings] == ([samples] if is_spike else [])


def test_samples_between_two_long_gaps_are_no_spike():
    """Their neighbours are a day away, and say nothing about them."""
    seconds = 60.0 * np.arange(ROWS)
    seconds[100:] += 86400.0
    seconds[103:] += 86400.0
    far = oil(100, 103, 15.0)
    assert spikes(sheet(top_oil=far), LIMITS)
    assert not spikes(sheet(seconds=seconds, top_oil=far), LIMITS)


def test_a_run_that_chance_gives_is_not_long():
    """If nine of ten samples repeat the one before, a hundred in a row do not surprise."""
    lengths, run = Lengths(45.0, 3.0), np.array([100 * 60.0])
    assert lengths.long(sheet(), run, 0.5).all()
    assert not lengths.long(sheet(), run, 0.9).any()


def test_a_thermometer_that_is_stuck_for_most_of_the_time_is_kept():
    air = sheet().columns["ambient"].copy()
    air[: int(0.7 * ROWS)] = 20.0
    (finding,) = stuck(sheet(ambient=air), LIMITS)
    assert (finding.done, finding.rows) == ("kept", int(0.7 * ROWS))
    air = sheet().columns["ambient"].copy()
    air[: int(0.3 * ROWS)] = 20.0
    assert stuck(sheet(ambient=air), LIMITS)[0].done == "left out"


@pytest.mark.parametrize(
    ("last", "shift", "back", "is_excursion"),
    [
        (112, 30.0, 30.0, True),
        (112, 30.0, 20.0, True),  # comes back by two thirds
        (112, 30.0, 8.0, False),  # stays away: a step
        (134, 30.0, 30.0, True),  # 2.8 h
        (160, 30.0, 30.0, False),  # 5 h
    ],
)
def test_an_excursion_comes_back_by_as_much_and_soon(
    last: int, shift: float, back: float, is_excursion: bool
):
    values = oil(100, last, shift, back)
    assert bool(excursions(sheet(step_s=300.0, top_oil=values), LIMITS)) == is_excursion


@pytest.mark.parametrize(("lasting", "is_excursion"), [(10, True), (30, False)])
def test_where_most_is_off_the_rest_may_be_what_is_wrong(lasting: int, is_excursion: bool):
    values = np.full(ROWS, np.nan)
    values[:50] = oil(10, 10 + lasting, 30.0)[:50]
    assert bool(excursions(sheet(step_s=300.0, top_oil=values), LIMITS)) == is_excursion


def test_oil_that_falls_below_the_air_by_itself_is_no_exchange():
    """In an exchange the sum of both stays; a broken wire moves one of them alone."""
    broken, swapped = oil(200, ROWS, -60.0), oil(200, ROWS, -30.0)
    air = sheet().columns["ambient"] + np.where(np.arange(ROWS) >= 200, 30.0, 0.0)
    assert exchanged(sheet(step_s=300.0, top_oil=swapped, ambient=air), LIMITS)[220:].all()
    assert not exchanged(sheet(step_s=300.0, top_oil=broken), LIMITS).any()


@pytest.mark.parametrize(("below", "is_exchanged"), [(0.5, False), (5.0, True)])
def test_idle_oil_a_little_below_the_air_is_no_exchange(below: float, is_exchanged: bool):
    cooler = sheet().columns["ambient"] - below
    assert exchanged(sheet(step_s=300.0, top_oil=cooler), LIMITS).all() == is_exchanged


@pytest.mark.parametrize(("step", "explains"), [(-4.0, True), (-1.0, False), (4.0, False)])
def test_a_step_of_the_thermometer_explains_missing_heat(step: float, explains: bool):
    short, jumps = np.zeros(ROWS), np.zeros(ROWS)
    short[100:200], jumps[100] = 5.0, step
    view = Coarse(300.0, np.arange(ROWS), {})
    assert (_without_jumps(short, jumps, view, LIMITS).max() == 0) == explains
