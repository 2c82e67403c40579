"""A unit of 45 K whose nameplate leaves its rise out, and what four days of it teach."""

from functools import lru_cache

import numpy as np
import pandas as pd

from agewise.assessment.calibration.calibrate import calibrate
from agewise.assessment.calibration.check import CalibrationCheck, calibration_check
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import nameplate_from
from agewise.plant.profile import Profile, profile_from
from agewise.transformer.iec60076 import top_oil

PLATE = """
name = "<b>Forty-five</b>"
rated_power_kva = 1100.0
no_load_losses_w = 1400.0
load_losses_w = 9800.0
[oil]
time_constant_min = 180.0
exponent = 0.8
k11 = 1.0
{}
"""
TRUTH = nameplate_from(PLATE.format("top_oil_rise_k = 45.0"))
"""The unit as it is."""


def nameplate() -> Nameplate:
    """The unit as its owner knows it: 60 K are assumed."""
    return nameplate_from(PLATE.format("bottom_rise_k = 30.0"))


def table(days: float = 4.0) -> pd.DataFrame:
    """Rows of a quarter of an hour, with a model's error of half a kelvin and noise."""
    seconds = np.arange(0.0, days * 86400, 900.0)
    hours, rng = seconds / 3600, np.random.default_rng(0)
    load = 0.65 + 0.3 * np.sin(2 * np.pi * (hours - 9) / 24) + 0.1 * np.sin(2 * np.pi * hours / 7)
    air = 20 + 6 * np.sin(2 * np.pi * (hours - 9) / 24) + 2 * np.sin(2 * np.pi * hours / 61)
    oil = top_oil(TRUTH.thermal_constants(), seconds, load, air)
    error = 0.5 * np.sin(2 * np.pi * hours / 17) + rng.normal(0, 0.2, seconds.size)
    times = pd.Timestamp("2025-07-07", tz="Europe/Berlin") + pd.to_timedelta(seconds, "s")
    return pd.DataFrame({"time": times, "load": load, "ambient": air, "top_oil": oil + error})


def profile(days: float = 4.0) -> Profile:
    return profile_from(table(days))


@lru_cache
def learned() -> Nameplate:
    return calibrate(profile(), nameplate())


@lru_cache
def check() -> CalibrationCheck:
    return calibration_check(profile(), learned())
