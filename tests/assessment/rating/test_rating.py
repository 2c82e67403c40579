"""Ratings of fitted profiles."""

from dataclasses import replace

import numpy as np
import pytest

from agewise.assessment.life.doubts import OIL_READING, Doubts, unknowns
from agewise.assessment.life.explained_top_oil import inferred_ends
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.settings import Settings
from agewise.assessment.rating.hours_ahead import EARLY_S, highest_ambient, hours_ahead, steps_of
from agewise.assessment.rating.rating import rating
from agewise.assessment.rating.request import RatingRequest, ceiling
from agewise.errors import InputError
from agewise.plant.quantity import Quantity
from agewise.transformer.iec60076 import hot_spot_rise
from agewise.transformer.prognostics.rating import permit
from agewise.transformer.prognostics.unknowns import drawn
from agewise.twin.twin import TwinSettings, make_twin

LINE = Settings(method="line", as_given=True)
CERTAIN = Doubts(0.0, 0.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def hot() -> Assessment:
    twin = make_twin(TwinSettings(seed=100, case="aged-substation", days=1.5))
    return assess(twin.profile, twin.nameplate, LINE)


def test_the_hours_ahead_begin_where_the_profile_ends(hot: Assessment):
    ends = inferred_ends(hot)
    ahead = hours_ahead(hot, ends, 2.0, draws=400, doubts=CERTAIN)
    assert ahead.seconds.size == steps_of(2.0) == EARLY_S.size + 24
    constants = hot.nameplate.thermal_constants()
    assert len(ahead.constants) == 1
    rise = hot_spot_rise(constants, ends.seconds, ends.load)[-1]
    assert ahead.winding_part - ahead.oil_part == pytest.approx(rise, abs=1e-6)
    now = ahead.top_oil + ahead.error[:, 0]
    told = hot.predict_at(np.ones(1), hot.profile.seconds[-1:])
    assert now.mean() == pytest.approx(told.mean[0], abs=0.1)
    assert np.std(now) == pytest.approx(np.sqrt(told.epistemic[0]), rel=0.35)


def test_a_shared_bias_moves_the_present_and_not_the_error(hot: Assessment):
    ends = inferred_ends(hot)
    sure, biased = (
        hours_ahead(hot, ends, 1.0, draws=400, doubts=replace(CERTAIN, sensor_bias_k=bias))
        for bias in (0.0, 1.0)
    )
    assert np.ptp(sure.top_oil) == 0.0
    assert biased.top_oil.std() == pytest.approx(1.0, abs=0.1)
    assert np.array_equal(sure.error, biased.error)


def test_a_wrong_reading_of_the_oil_lasts(hot: Assessment):
    """The constants were learned from it, so that no hour ahead forgets it."""
    ends = inferred_ends(hot)
    sure, doubted = (
        hours_ahead(hot, ends, 20.0, draws=400, doubts=replace(CERTAIN, oil_reading_k=reading))
        for reading in (0.0, 5.0)
    )
    off = sure.error - doubted.error
    np.testing.assert_allclose(off, np.repeat(off[:, :1], off.shape[1], axis=1))
    drawn_unknowns = unknowns(hot.nameplate, replace(CERTAIN, oil_reading_k=5.0))
    readings = drawn(drawn_unknowns, 400, seed=hot.settings.seed)[OIL_READING]
    np.testing.assert_allclose(off[:, 0], readings)
    permitted = [
        permit(ahead, 30.0, ceiling(hot.nameplate, "normal cyclic"), 0.05).load
        for ahead in (sure, doubted)
    ]
    assert permitted[1] < permitted[0] - 0.02


def test_doubt_about_the_rise_is_answered_by_the_window(hot: Assessment):
    doubted = Quantity(mean=60.0, std=3.0)
    nameplate = hot.nameplate.model_copy(
        update={"oil": hot.nameplate.oil.model_copy(update={"top_oil_rise_k": doubted})}
    )
    ends = inferred_ends(hot)
    ahead = hours_ahead(replace(hot, nameplate=nameplate), ends, 1.0, draws=50, doubts=CERTAIN)
    assert np.std(ahead.top_oil) > 1.0
    assert np.std(ahead.top_oil + ahead.error[:, 0]) < 0.5


def test_the_rating_says_what_it_took_and_its_table_agrees(hot: Assessment):
    found = rating(hot, RatingRequest(), draws=200)
    told = found.as_dict()
    assert told["ambient"] == highest_ambient(inferred_ends(hot))
    assert "last 24 h" in told["ambient_source"]
    asked = rating(hot, RatingRequest(ambient=30.0), draws=200)
    column, row = found.hours.index(4.0), found.ambients.index(30.0)
    assert asked.permit == found.table[row][column]
    assert asked.ambient_source == "as asked"
    loads = np.array(told["table"]["load"])
    assert np.all(np.diff(loads, axis=0) <= 0)
    assert np.all(np.diff(loads, axis=1) <= 0)


def test_less_risk_permits_less_and_an_emergency_more(hot: Assessment):
    ahead = hours_ahead(hot, inferred_ends(hot), 4.0, draws=200)
    cyclic, longer = (ceiling(hot.nameplate, name) for name in ("normal cyclic", "long emergency"))
    careful, bold = (permit(ahead, 30.0, cyclic, risk).load for risk in (0.02, 0.3))
    assert careful < bold < permit(ahead, 30.0, longer, 0.02).load


def test_limits_of_half_an_hour_are_not_given_for_hours_without_a_word(hot: Assessment):
    found = rating(hot, RatingRequest(hours=4.0, limit="short emergency"), draws=50)
    assert ["less than 30 min" in finding.text for finding in found.findings].count(True) == 1
    cyclic = rating(hot, RatingRequest(hours=4.0), draws=50)
    assert not any("30 min" in finding.text for finding in cyclic.findings)


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"hours": 0.0}, "hours"),
        ({"hours": 1e4}, "hours"),
        ({"risk": 0.0}, "risk"),
        ({"risk": 0.6}, "risk"),
        ({"risk": float("nan")}, "risk"),
        ({"ambient": 99.0}, "ambient"),
        ({"limit": "none"}, "limit"),
    ],
)
def test_impossible_requests_are_refused(given: dict, word: str):
    with pytest.raises(InputError, match=word):
        RatingRequest(**given)


def test_a_unit_whose_cooling_was_lost_is_permitted_no_load():
    settings = TwinSettings(seed=105, case="aged-substation", days=6.0, cooling_loss=0.4)
    twin = make_twin(settings)
    impaired = assess(twin.profile, twin.nameplate, Settings(method="line"))
    with pytest.raises(InputError, match="while the cooling is impaired") as refused:
        rating(impaired, RatingRequest())
    assert "begins after the loss" in (refused.value.hint or "")
