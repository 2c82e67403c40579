"""Alerts with hysteresis: raised once, held while anything speaks for them, cleared once."""

from hypothesis import given
from hypothesis import strategies as st

from agewise.fleet.watch.alerts import CALM_DAYS, changed
from agewise.fleet.watch.fleet_watch import newest_reading
from agewise.fleet.watch.symptoms import COOLING, Symptom
from agewise.fleet.watch.unit_state import Standing

DAY = 86_400.0


def told(levels: str) -> list[tuple[int, bool]]:
    """Days on which an alert begins or ends: `r` raises, `h` holds, `.` is calm."""
    standing: dict[str, Standing] = {}
    changes = []
    for day, level in enumerate(levels):
        symptom = Symptom(COOLING, level == "r", level == ".", None, "")
        standing, fresh = changed(standing, [symptom], day * DAY)
        changes += [(day, change.raised) for change in fresh]
    return changes


def test_an_alert_is_raised_once_and_cleared_after_calm_days():
    assert CALM_DAYS[COOLING] == 2
    assert told("..rrrr....") == [(2, True), (8, False)]


def test_what_lies_between_the_two_bounds_neither_raises_nor_clears():
    assert told("hhhh") == []
    assert told("rhhhhhhhh") == [(0, True)]
    assert told("r.h.h.h.h") == [(0, True)]  # no two calm days in a row


@given(st.text("rh.", max_size=40))
def test_beginnings_and_ends_take_turns(levels: str):
    kinds = [raised for _, raised in told(levels)]
    assert kinds == [number % 2 == 0 for number in range(len(kinds))]


@given(st.text("r", min_size=1, max_size=10), st.text("r.", max_size=30))
def test_a_single_calm_day_never_clears(first: str, rest: str):
    apart = rest.replace("..", ".r")
    assert [raised for _, raised in told(first + apart.replace("..", ".r"))] == [True]


def test_a_clock_that_is_years_ahead_silences_nobody():
    """Else one logger's wrong year would raise an alert about every other unit."""
    now = 20_000 * DAY
    assert newest_reading([now - 5 * DAY, now - DAY, now + 26_000 * DAY], now) == now - DAY
    # A file may be written in a zone that is ahead of ours.
    assert newest_reading([now - DAY, now + 0.5 * DAY], now) == now + 0.5 * DAY
    assert newest_reading([now + 26_000 * DAY], now) == 0.0
