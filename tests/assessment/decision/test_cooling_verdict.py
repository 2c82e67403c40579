"""The cooling check of fitted profiles."""

import numpy as np
import pandas as pd
import pytest

from agewise.assessment.decision.cooling_verdict import cooling_check
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.settings import Settings
from agewise.plant.profile import profile_from
from agewise.twin.twin import TwinSettings, make_twin

LINE = Settings(method="line", as_given=True)


@pytest.fixture(scope="module")
def hot() -> Assessment:
    twin = make_twin(TwinSettings(seed=100, case="aged-substation", days=1.5))
    return assess(twin.profile, twin.nameplate, LINE)


@pytest.fixture(scope="module")
def poorer() -> Assessment:
    settings = TwinSettings(seed=100, case="aged-substation", days=3.0, cooling_loss=0.3)
    twin = make_twin(settings)
    return assess(twin.profile, twin.nameplate, LINE)


def test_a_healthy_unit_runs_as_explained(hot: Assessment):
    found = cooling_check(hot)
    assert not found.alarm
    assert found.factor == pytest.approx(1.0, abs=0.05)
    assert found.text.startswith("The top oil is as warm as the model explains: ")
    known = {"factor", "std", "alarm", "since", "text", "cooler", "wrong_readings"}
    assert set(found.as_dict()) == known


def test_lost_cooling_is_an_alarm_with_a_local_date(poorer: Assessment):
    found = cooling_check(poorer)
    assert found.alarm
    assert found.factor == pytest.approx(1 / 0.7, rel=0.05)
    assert isinstance(found.since, str)
    since = pd.Timestamp(found.since)
    assert pd.Timestamp("2025-07-08T12:00+02:00") < since < pd.Timestamp("2025-07-09T12:00+02:00")
    assert found.text.startswith(f"Since {since:%Y-%m-%d %H:%M} the rise of the top oil is 1.4")
    assert "fans" in found.text


def test_minutes_stay_minutes_and_little_is_said_of_little(poorer: Assessment):
    frame = poorer.profile.frame()
    frame = frame.assign(time=np.arange(len(frame), dtype=float))
    counted = assess(profile_from(frame), poorer.nameplate, LINE)
    since = cooling_check(counted).since
    assert isinstance(since, float) and since > 1.5 * 1440
    short = assess(profile_from(frame.iloc[:600]), poorer.nameplate, LINE)
    found = cooling_check(short)
    assert (found.factor, found.alarm) == (None, False)
    assert "cannot be checked" in found.text


def test_a_thermometer_that_hangs_in_the_air_says_nothing_of_the_cooling():
    """Warmer air in the second half must not pass for fans that fail."""
    twin = make_twin(TwinSettings(seed=100, days=4.0))
    frame = twin.frame.iloc[::15].reset_index(drop=True)
    rng, later = np.random.default_rng(0), np.arange(len(frame)) > len(frame) / 2
    hangs = frame["ambient"] + 4.0 + 3.0 * later + 0.3 * rng.standard_normal(len(frame))
    profile = profile_from(frame.assign(top_oil=hangs))
    found = cooling_check(assess(profile, twin.nameplate, Settings(method="line")))
    assert (found.factor, found.alarm) == (None, False)
    assert "faster than a tank of oil can" in found.text
