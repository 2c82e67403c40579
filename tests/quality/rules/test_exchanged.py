"""Exchanged columns and steps of a thermometer are named where there are some, and only there."""

from dataclasses import replace

import numpy as np
import pytest

from agewise.quality.rules.bias import bias
from agewise.quality.rules.coarse import lagged
from agewise.quality.rules.cold import cold
from agewise.quality.rules.exchanged import exchanged
from agewise.quality.sheet import Sheet
from agewise.quality.thresholds import DEFAULT_THRESHOLDS as LIMITS

STEP_S, DAYS = 900.0, 7
ROWS = int(DAYS * 86400 / STEP_S)
HOUR = np.arange(ROWS) * STEP_S / 3600 % 24


def unit(
    rise: float = 15.0, sun: np.ndarray | float = 0.0, warm: float = 0.0, idle: float = 4.0
) -> Sheet:
    """A week of a unit whose oil follows load and true air behind three hours.

    Args:
        rise: Rise of the oil by its load [K].
        sun: What the sun adds to the air's thermometer, by row [K].
        warm: Constant error of that thermometer [K].
        idle: Rise of the oil without any load [K].
    """
    rng, none = np.random.default_rng(7), np.zeros(ROWS, dtype=bool)
    slow = lagged(rng.normal(size=ROWS), 20.0)
    air = 22 + 6 * np.cos(2 * np.pi * (HOUR - 15) / 24) + 8 * slow
    load = 0.6 + 0.35 * np.cos(2 * np.pi * (HOUR - 19) / 24) + 0.3 * lagged(slow, 2.0)
    oil = idle + lagged(air + rise * load**2, 3 * 3600 / STEP_S)
    noise = 0.2 * rng.normal(size=(2, ROWS))
    columns = {"load": load, "ambient": air + sun + warm + noise[0], "top_oil": oil + noise[1]}
    return Sheet(STEP_S * np.arange(ROWS), np.arange(ROWS), columns, none, none, none)


def swap(sheet: Sheet, rows: slice) -> Sheet:
    """The sheet with air and oil exchanged in some rows."""
    air, oil = sheet.columns["ambient"].copy(), sheet.columns["top_oil"].copy()
    air[rows], oil[rows] = sheet.columns["top_oil"][rows], sheet.columns["ambient"][rows]
    return replace(sheet, columns={**sheet.columns, "ambient": air, "top_oil": oil})


NOON = 12.0 * ((HOUR > 11) & (HOUR < 12.5))
MIDDAY = 12.0 * ((HOUR > 9) & (HOUR < 16))
PATCHES = 12.0 * lagged((np.arange(ROWS) // 4 % 2 * ((HOUR > 7) & (HOUR < 18))).astype(float), 0.7)
SOUND = {
    "shade": unit(),
    "sun at noon": unit(rise=5.0, sun=NOON),
    "patches of sun": unit(rise=3.0, sun=PATCHES),
    "hardly any load": unit(rise=0.5),
    "out of service": unit(rise=0.0, idle=0.0),
    "air that reads 12 K too warm": unit(rise=5.0, warm=12.0),
}


@pytest.mark.parametrize("name", SOUND)
def test_nothing_is_called_exchanged_that_is_not(name: str):
    assert not exchanged(SOUND[name], LIMITS).any()


@pytest.mark.parametrize("name", ["shade", "sun at noon", "patches of sun", "hardly any load"])
def test_an_exchange_is_found_where_it_is_and_throughout(name: str):
    rows = slice(200, 330)
    mask = exchanged(swap(SOUND[name], rows), LIMITS)
    # Of a cool unit the air is the warmer one for hours, and nobody sees the exchange there.
    assert mask[200]
    assert mask[rows].sum() > 0.8 * mask.sum()
    assert exchanged(swap(SOUND[name], slice(0, ROWS)), LIMITS).all()


@pytest.mark.parametrize("name", SOUND)
def test_oil_below_the_air_of_the_moment_is_no_fault(name: str):
    """Oil lags behind a warm morning, and sun warms the air's thermometer alone."""
    is_cold = bool(cold(SOUND[name], LIMITS))
    assert is_cold == (name == "air that reads 12 K too warm")


def test_air_that_comes_into_the_sun_and_back_is_no_step_of_its_thermometer():
    """A thermometer that was moved stays where it is; the sun goes on."""
    day = np.arange(ROWS) * STEP_S // 86400
    twice = unit(sun=MIDDAY * ((day == 2) | (day == 4)))
    assert not [found for found in bias(twice, LIMITS) if found.column == "ambient"]
    moved = unit(sun=np.where(np.arange(ROWS) > 300, 6.0, 0.0))
    (found,) = (found for found in bias(moved, LIMITS) if found.column == "ambient")
    assert "1 step of the thermometer" in found.text


def test_many_sudden_changes_are_not_counted_as_steps_of_the_thermometer():
    (found,) = (found for found in bias(unit(sun=MIDDAY), LIMITS) if found.column == "ambient")
    assert "in sun and shade" in found.text
    assert "steps of the thermometer" not in found.text
