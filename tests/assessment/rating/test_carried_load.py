"""A load that somebody asks for: chances, times and what was expected until then."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from agewise.assessment.life.explained_top_oil import Ends
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.settings import Settings
from agewise.assessment.rating.asked_load import AskedLoad, CarriedLoad
from agewise.assessment.rating.carried_load import carried_load
from agewise.assessment.rating.coming_course import (
    Course,
    expected_course,
    repeated_course,
)
from agewise.assessment.rating.departure import AIR_LASTS_S
from agewise.assessment.rating.forecast import LOAD_LASTS_S
from agewise.assessment.rating.rating import rating
from agewise.assessment.rating.request import ForecastErrors, RatingRequest
from agewise.errors import InputError
from agewise.plant.profile import Profile, profile_from
from agewise.twin.twin import TwinSettings, make_twin

SURE = ForecastErrors(weather_k=0.0, load_share=0.0)
REQUEST = RatingRequest(hours=3.0, risk=0.1, ambient=30.0)
DRAWS = 300


@pytest.fixture(scope="module")
def hot() -> Assessment:
    twin = make_twin(TwinSettings(seed=100, case="aged-substation", days=1.5))
    return assess(twin.profile, twin.nameplate, Settings(method="line", as_given=True))


def carried(hot: Assessment, load: float, starts_h: float = 0.0, **changes) -> CarriedLoad:
    """What a load does at once or later, in air of 30 °C."""
    asked = AskedLoad(load, starts_h, replace(REQUEST, **changes), SURE)
    return carried_load(hot, asked, draws=DRAWS)


def test_at_once_it_permits_what_a_rating_does(hot: Assessment):
    """Two ways to the same load: steps of any course, and the closed form of a constant one."""
    constant = rating(hot, REQUEST, draws=DRAWS).permit
    assert carried(hot, 1.0).permitted == pytest.approx(constant.load, abs=0.005)


def test_the_permitted_load_is_carried_and_a_higher_one_is_not(hot: Assessment):
    permitted = carried(hot, 1.0, 5.0).permitted
    kept, passed = (carried(hot, load, 5.0) for load in (permitted, permitted + 0.02))
    own = kept.passing["normal cyclic"]
    assert kept.allowed and own.either == pytest.approx(REQUEST.risk, abs=0.02)
    assert max(own.hot_spot, own.top_oil) <= own.either <= own.hot_spot + own.top_oil
    assert not passed.allowed


def test_the_limit_of_the_current_is_a_limit_in_any_cold(hot: Assessment):
    icy = carried(hot, 1.6, 24.0, hours=0.1, ambient=-40.0)
    assert icy.passing["normal cyclic"].either == 0.0 and not icy.allowed


def test_a_limit_is_passed_later_the_higher_it_is(hot: Assessment):
    asked = carried(hot, 1.4, hours=8.0)
    times = [one.seconds for one in asked.passing.values()]
    assert 0.0 < times[0] < times[1] <= times[2] <= 8 * 3600
    assert asked.hot_spot.low < asked.hot_spot.median < asked.hot_spot.high
    # In six minutes no oil gets there.
    assert carried(hot, 1.4, 2.0, hours=0.1).passing["short emergency"].seconds == np.inf
    assert asked.as_dict()["limits"]["long emergency"]["hours"] == pytest.approx(times[1] / 3600)


def test_air_that_is_asked_for_is_held_under_a_forecast_too(hot: Assessment):
    seconds = 300.0 * np.arange(61)
    forecast = Course(seconds, np.full((60, 50), 0.8), np.full((61, 50), 10.0), "as forecast")
    answers = [
        carried_load(hot, AskedLoad(1.0, 1.0, replace(REQUEST, ambient=air)), forecast)
        for air in (None, 35.0)
    ]
    assert [answer.air for answer in answers] == [(10.0, 10.0), (35.0, 35.0)]
    assert answers[1].permitted < answers[0].permitted - 0.1


def test_uncertain_weather_makes_the_answer_less_certain(hot: Assessment):
    asked = AskedLoad(1.0, 12.0, replace(REQUEST, ambient=None), SURE)
    wrong = replace(asked, errors=ForecastErrors(weather_k=6.0))
    sure, unsure = (carried_load(hot, one, draws=DRAWS) for one in (asked, wrong))
    widths = [answer.top_oil.high - answer.top_oil.low for answer in (sure, unsure)]
    assert widths[1] > widths[0] + 3.0
    assert sure.source == "as on the record's last day"


def plain_record(days: float) -> tuple[Profile, Ends]:
    """Load and air that say their own time, every 5 min."""
    minutes = 5.0 * np.arange(round(288 * days))
    times = pd.Timestamp("2025-07-07T00:00:00Z") + pd.to_timedelta(minutes, unit="min")
    frame = pd.DataFrame({"time": times, "load": minutes / 1e4, "ambient": minutes / 1e3})
    series = (60 * minutes, minutes / 1e4, minutes / 1e3, "linear")
    return profile_from(frame), Ends(*series, 0.0, minutes / 1e4, None, top_oil=minutes / 100)


@pytest.mark.parametrize(("days", "back"), [(8.0, 7.0), (3.0, 1.0)])
def test_load_and_air_set_out_from_now_and_become_those_of_the_same_hour_before(
    days: float, back: float
):
    _, ends = plain_record(days)
    seconds = 300.0 * np.arange(9 * 288)
    load, air, _ = expected_course(ends, seconds)
    at = seconds + ends.seconds[-1]
    behind = back * 86400 * np.maximum(np.ceil(seconds / (back * 86400)), 1.0)
    then, more = (at - behind) / 60, back * 1440
    np.testing.assert_allclose(1e3 * air, then + more * np.exp(-seconds / AIR_LASTS_S))
    assert air[0] == pytest.approx(ends.ambient[-1])
    middle = (at[1:] - behind[1:]) / 60 - 2.5
    left = more * np.exp(-seconds[1:] / LOAD_LASTS_S)
    np.testing.assert_allclose(1e4 * load, middle + left)


def test_a_record_of_hours_stays_as_it_ends():
    _, ends = plain_record(0.5)
    load, air, words = expected_course(ends, 300.0 * np.arange(61))
    assert (load == ends.load[-1]).all() and (air == ends.ambient[-1]).all()
    assert words == "as at the end of the record"


@pytest.mark.parametrize("days", [7, 8])
def test_a_week_s_hours_are_compared_with_the_same_ones(days: int):
    """Air that rises and falls by 8 K and is 5 K warmer in its last hours, load likewise."""
    minutes = 5.0 * np.arange(288 * days + (days == 8))
    wave = np.sin(2 * np.pi * minutes / 1440) + (minutes > minutes[-1] - 180)
    series = (60 * minutes, 0.6 + wave / 10, 20 + 5 * wave, "linear")
    ends = Ends(*series, 0.0, series[1], None, top_oil=series[2])
    load, air, words = expected_course(ends, 300.0 * np.arange(13))
    assert words == "as a week before"
    assert air[0] == pytest.approx(ends.ambient[-1], abs=0.2)
    assert load[0] == pytest.approx(ends.load[-1], abs=0.01)


def cut_twin(seed: int, days: int) -> tuple[Profile, Ends, Profile]:
    """A twin up to its day before the last, and all of it."""
    whole = make_twin(TwinSettings(seed=seed, case="aged-substation", days=days)).profile
    until = whole.seconds <= (days - 1) * 86400
    frame = {"time": whole.seconds / 60, "load": whole.load, "ambient": whole.ambient}
    cut = profile_from(pd.DataFrame(frame)[until])
    series = (cut.seconds, cut.load, cut.ambient, "linear")
    return cut, Ends(*series, 0.0, cut.load, None, top_oil=cut.ambient + 30), whole


@pytest.mark.parametrize("days", [14, 4])
def test_the_stated_error_of_the_air_covers_the_next_day(days: int):
    """As a forecast of 1.5 K, the air of a week before was off by 2.6 times what was stated."""
    scores = []
    for seed in range(100, 106):
        cut, ends, whole = cut_twin(seed, days)
        course = repeated_course(cut, ends, 23.5, ForecastErrors(), DRAWS, seed=0)
        truth = np.interp(course.seconds + cut.seconds[-1], whole.seconds, whole.ambient)
        error = truth - course.air.mean(axis=1)
        scores.append(error / course.air.std(axis=1))
    assert 0.6 < np.sqrt(np.mean(np.square(scores))) < 1.2


@pytest.mark.parametrize(
    ("starts_h", "hours", "steps"),
    [(0.0, 0.02, (0, 1)), (0.5, 0.02, (6, 7)), (1.0, 0.02, (11, 12)), (0.5, 0.5, (6, 12))],
)
def test_the_shortest_of_hours_is_a_step_of_a_forecast(
    starts_h: float, hours: float, steps: tuple[int, int]
):
    """Hours shorter than half a step ended before they began."""
    seconds = 300.0 * np.arange(13)
    course = Course(seconds, np.ones((12, 1)), np.ones((13, 1)), "as forecast")
    assert course.steps(starts_h, hours) == steps


@pytest.mark.parametrize(("load", "starts_h"), [(0.0, 0.0), (7.0, 0.0), (1.0, 200.0)])
def test_what_cannot_be_asked_is_refused(load: float, starts_h: float):
    with pytest.raises(InputError):
        AskedLoad(load, starts_h)
