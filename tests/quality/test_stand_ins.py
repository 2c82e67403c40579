"""Silent thermometers: guesses that meet their neighbours, and doubt that stays in its place."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pandas as pd
import pytest

from agewise.assessment.field import oil_field, scored
from agewise.assessment.grid import Grid
from agewise.assessment.life.effort import Effort
from agewise.assessment.life.prognosis import Prognosis
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.problem import heat_problem
from agewise.assessment.oil.settings import Settings
from agewise.assessment.plain_answers import iec_answer
from agewise.plant.profile import Profile, profile_from
from agewise.quality.stand_ins import filled_profile, stand_ins
from agewise.transformer.iec60076 import top_oil
from agewise.twin.truth_file import truth_from
from agewise.twin.twin import Twin, TwinSettings, make_twin

SOLVER = Settings(method="solver", as_given=True)
MODEL = "backward"


@lru_cache
def twin() -> Twin:
    return make_twin(TwinSettings(seed=101, days=3.0))


def without(profile: Profile, name: str, rows: slice) -> Profile:
    values = getattr(profile, name).copy()
    values[rows] = np.nan
    return replace(profile, **{name: values})


def repeated_days() -> Profile:
    """Five days alike, with the top oil that the guide's model gives them."""
    seconds = 600.0 * np.arange(5 * 144)
    wave = np.sin(2 * np.pi * seconds / 86400.0)
    times = pd.Timestamp("2025-06-12", tz="UTC") + pd.to_timedelta(seconds, unit="s")
    load, air = 0.6 + 0.3 * wave, 20.0 + 8.0 * wave
    oil = top_oil(twin().nameplate.thermal_constants(), seconds, load, air)
    columns = {"time": times, "load": load, "ambient": air, "top_oil": oil}
    return profile_from(pd.DataFrame(columns))


@pytest.mark.parametrize(("name", "tolerance"), [("ambient", 0.15), ("top_oil", 1e-6)])
def test_a_day_like_the_others_is_guessed_as_it_was(name: str, tolerance: float):
    clean = repeated_days()
    filled = filled_profile(without(clean, name, slice(300, 400)), twin().nameplate, MODEL).profile
    np.testing.assert_allclose(getattr(filled, name), getattr(clean, name), atol=tolerance)


def test_what_was_read_is_left_as_it_is_and_known_to_be_so():
    profile = twin().profile
    holed = without(profile, "top_oil", slice(1000, 2000))
    filled = filled_profile(holed, twin().nameplate, MODEL)
    read = ~np.isnan(np.asarray(holed.top_oil))
    assert filled.profile.top_oil is not None
    np.testing.assert_array_equal(filled.profile.top_oil[read], np.asarray(holed.top_oil)[read])
    assert (filled.top_oil_std[read] == 0).all()
    assert (filled.top_oil_std[~read] >= 0.5).all()
    assert stand_ins(profile, twin().nameplate, MODEL) == {}
    assert stand_ins(without(profile, "top_oil", slice(500, 600)), twin().nameplate, MODEL) == {}
    found = stand_ins(holed, twin().nameplate, MODEL)
    assert list(found) == [1.0]
    assert 16 <= found[1.0].values.size <= 18  # an hour apart in 16.7 h


@pytest.mark.parametrize(("name", "height"), [("ambient", 0.0), ("top_oil", 1.0)])
def test_hours_that_are_wrong_together_count_as_one_reading_each_three_hours(
    name: str, height: float
):
    """Errors stay the same for 3 h, so 18 hourly guesses know as much as 6 that are independent."""
    holed = without(twin().profile, name, slice(1000, 1000 + 18 * 60))
    guesses = stand_ins(holed, twin().nameplate, MODEL)[height]
    filled = filled_profile(holed, twin().nameplate, MODEL)
    std = (filled.ambient_std if name == "ambient" else filled.top_oil_std)[1000 : 1000 + 18 * 60]
    hours = guesses.seconds.size
    information = np.sum(guesses.std**-2.0)
    assert information == pytest.approx(hours / 3 * np.mean(std**-2.0), rel=0.05)


def test_the_plain_answer_crosses_holes():
    clean = iec_answer(twin().profile, twin().nameplate)
    holed = without(twin().profile, "top_oil", slice(600, 1200))
    filled = iec_answer(without(holed, "ambient", slice(1800, 2400)), twin().nameplate)
    assert np.isfinite(filled.hot_spot).all()
    assert abs(filled.loss_of_life[-1] / clean.loss_of_life[-1] - 1) < 0.3


@pytest.mark.parametrize(("count", "hours"), [(1, 1.0), (10, 2.0)])
def test_missing_readings_move_the_answer_nearby_only(count: int, hours: float):
    profile, row = twin().profile, 2000
    holed = profile
    for name in ("ambient", "top_oil"):
        holed = without(holed, name, slice(row, row + count))
    seconds, heights = profile.seconds[::10], np.linspace(0.0, 1.0, 11)
    one, other = (assess(p, twin().nameplate, SOLVER).predict(heights, seconds).mean
                  for p in (profile, holed))  # fmt: skip
    moved = np.abs(one - other).max(axis=1)
    away = np.abs(seconds - profile.seconds[row]) / 3600
    assert moved.max() < 0.1
    assert moved[away > hours].max() < 0.01


def test_a_missing_day_widens_the_bands_there_and_nowhere_else():
    day = slice(1440, 2880)
    holed = without(without(twin().profile, "ambient", day), "top_oil", day)
    truth = truth_from(twin().truth)
    whole_fit, fitted = (assess(p, twin().nameplate, SOLVER) for p in (twin().profile, holed))
    seconds, heights = twin().profile.seconds[::30], np.linspace(0.1, 0.9, 5)
    before, after = (
        np.sqrt(fit.predict(heights, seconds).epistemic) for fit in (whole_fit, fitted)
    )
    inside = (seconds > 1500 * 60) & (seconds < 2820 * 60)
    apart = (seconds < 1000 * 60) | (seconds > 3600 * 60)
    assert (after[inside] > 3 * before[inside]).mean() > 0.95
    assert np.median(after[apart] / before[apart]) < 1.3
    split = scored(fitted, truth).as_dict()["split"]
    assert 0.4 < split["epistemic_z"] < 2.0


def test_a_filled_load_widens_oil_and_life():
    profile = twin().profile
    std = np.zeros_like(profile.load)
    std[1440:2880] = 0.3
    doubtful = replace(profile, load_std=std)
    sure, unsure = (assess(p, twin().nameplate, SOLVER) for p in (profile, doubtful))
    middle = np.array([2160 * 60.0])
    narrow, wide = (fit.predict(np.array([0.5]), middle).epistemic for fit in (sure, unsure))
    assert wide[0, 0] > 10 * narrow[0, 0]
    fields = [oil_field(fit, grid=Grid(3, 60.0)) for fit in (sure, unsure)]
    spreads = [float(field["winding_epistemic"].sel(height=1.0)[36]) for field in fields]
    assert spreads[1] > 10 * spreads[0]
    assert float(fields[1]["loss_of_life_std"][-1, -1]) > 2 * float(
        fields[0]["loss_of_life_std"][-1, -1]
    )
    effort = Effort(draws=100, split_draws=20)
    losses = [
        Prognosis(fit, 1.0, effort=effort).loss_at("1 H", {"epistemic"}) for fit in (sure, unsure)
    ]
    assert losses[1].std() > 2 * losses[0].std()


def test_a_rare_sensor_survives_a_quick_answer():
    """Every thirtieth row has its reading, and never one that a quick answer would look at."""
    air = np.full_like(twin().profile.ambient, np.nan)
    air[3::30] = twin().profile.ambient[3::30]
    rare = replace(twin().profile, ambient=air)
    problem = heat_problem(rare, twin().nameplate, replace(SOLVER, quick=True))
    assert len(problem.observations()["x=0"].values) >= 25


def test_a_guess_from_an_hour_of_readings_says_how_little_it_knows():
    hour = without(without(twin().profile, "ambient", slice(60, None)), "top_oil", slice(60, None))
    filled = filled_profile(hour, twin().nameplate, MODEL)
    assert filled.ambient_std[-1] >= 5.0
    assert filled.top_oil_std[-1] >= 2.0
