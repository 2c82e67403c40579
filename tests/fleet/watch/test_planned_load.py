"""What a week is compared with, and how far from its limit a hot spot must be to be calm."""

from dataclasses import fields
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

from agewise.fleet.watch.alerts import changed
from agewise.fleet.watch.day import Day
from agewise.fleet.watch.new_readings import NewReadings
from agewise.fleet.watch.planned_load import (
    PLANNED,
    USUAL,
    heating_of_plan,
    name_of_plan,
    planned_load,
    usual_heating,
)
from agewise.fleet.watch.symptoms import LIMIT, THRESHOLDS, hot_spot_symptom
from agewise.fleet.watch.unit_state import Standing
from agewise.reading.profile_file import read_profile
from agewise.transformer.calibration.day_filter import Cells
from agewise.twin.fleet.settings import FleetSettings
from agewise.twin.fleet.unit import drawn_unit

NOON = pd.Timestamp("2025-06-02 12:00", tz="UTC")


def readings(load: float, hours: int = 6) -> NewReadings:
    """Readings every half an hour from noon of a Monday on, under one load."""
    instants = NOON.timestamp() + 1800.0 * np.arange(1, 2 * hours + 1)
    cells = {field.name: np.zeros(instants.size) for field in fields(Cells)}
    cells |= {"heating": np.full(instants.size, load**2)}
    hour = 12 + (instants - NOON.timestamp()) / 3600
    weekend = np.zeros(instants.size, bool)
    read = np.ones((instants.size, 3), bool)
    return NewReadings(instants, Cells(**cells), read, hour, weekend, cells["heating"])


def scenario(hours: int) -> pd.DataFrame:
    """A plan of hourly means: 0.5 until one o'clock, 0.6 until two, and so on."""
    times = pd.date_range(NOON + pd.Timedelta(hours=1), periods=hours, freq="h")
    return pd.DataFrame({"time": times, "load": 0.5 + 0.1 * np.arange(hours), "ambient": 20.0})


def test_a_scenario_is_the_plan_hour_by_hour():
    plan, new = planned_load(read_profile(scenario(8))), readings(1.0)
    planned = heating_of_plan(usual_heating(new), plan, new)
    assert np.allclose(np.sqrt(planned[:6]), [0.5, 0.5, 0.6, 0.6, 0.7, 0.7])
    assert name_of_plan(plan, new) == PLANNED


def test_without_a_scenario_or_after_its_end_the_usual_load_is_the_plan():
    new = readings(0.8)
    for plan in (None, planned_load(read_profile(scenario(4)))):
        assert np.allclose(heating_of_plan(usual_heating(new), plan, new), 0.8**2)
        assert name_of_plan(plan, new) == USUAL


def day_of(hot_spot: float) -> Day:
    """A day of which nothing but its highest hot spot is known."""
    day: Any = object.__new__(Day)
    memory = SimpleNamespace(last=NOON.timestamp(), timezone="UTC")
    vars(day).update(hottest=np.full(10, hot_spot), state=SimpleNamespace(memory=memory))
    return day


def test_a_unit_that_stays_near_its_limit_is_told_once():
    """Five weeks that pass 120 °C every third week, and come within 10 K of it in between."""
    standing: dict[str, Standing] = {}
    raises, unit = 0, drawn_unit(FleetSettings(seed=100), 0).sheets.printed
    for day in range(35):
        hot_spot = 121.0 if day % 21 == 0 else 112.0
        symptom = hot_spot_symptom(day_of(hot_spot), unit, THRESHOLDS)
        standing, fresh = changed(standing, [symptom], 86_400.0 * day)
        raises += sum(change.raised for change in fresh)
    assert raises == 1 and LIMIT in standing
    for day in range(35, 45):  # a week well below the limit ends it
        symptom = hot_spot_symptom(day_of(105.0), unit, THRESHOLDS)
        standing, _ = changed(standing, [symptom], 86_400.0 * day)
    assert not standing
