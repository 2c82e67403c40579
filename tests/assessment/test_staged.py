"""A made unit with fans that switch by themselves, through the whole chain, against its truth."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from staged_plant import PLATE, Lived, Truth, lived, unit

import agewise
from agewise.assessment.decision.cooling_verdict import cooling_check
from agewise.assessment.life.doubts import unknowns
from agewise.assessment.life.effort import Effort
from agewise.assessment.life.scenario import forecast
from agewise.assessment.life.window import DrawnWindow
from agewise.assessment.oil.assessment import Assessment
from agewise.errors import InputError
from agewise.transformer.calibration.names import OIL_MINUTES, RISE, stage_factors
from agewise.transformer.prognostics.unknowns import Draws, drawn

DAYS, AHEAD = 4, 2
OWN_GRADIENT = PLATE.replace("top_oil_rise_k = 55\n", "top_oil_rise_k = 55\ngradient_k = 7.72\n")
CASES = {
    # As its nameplate says but for rise and time constant.
    0: (Truth(), PLATE),
    # A stage that runs hotter than its rating, with a gradient of its own: 15 K at 25 MVA.
    1: (Truth(rise=52.0, minutes=150.0, stage_rise=1.05, gradient=(15.0, 20.0)), OWN_GRADIENT),
}


@dataclass(frozen=True, eq=False)
class Case:
    truth: Truth
    made: Lived
    fitted: Assessment
    cut: int

    @property
    def draws(self) -> Draws:
        plate = self.fitted.nameplate
        return drawn(unknowns(plate), 200, seed=0, joint=plate.joint_draws)


@cache
def case(number: int) -> Case:
    truth, plate = CASES[number]
    made, cut = lived(truth, seed=number, days=DAYS + AHEAD), DAYS * 144
    fitted = agewise.assess(made.with_stages.between(0, cut), unit(plate), method="line")
    return Case(truth, made, fitted, cut)


def held(values: np.ndarray, truth: np.ndarray) -> float:
    """Share of the rows whose truth lies in the 90 % interval of the draws."""
    low, high = np.quantile(values, [0.05, 0.95], axis=0)
    return float(np.mean((truth >= low) & (truth <= high)))


@pytest.mark.parametrize("number", CASES)
def test_constants_are_learned_with_any_stage_on(number: int):
    own = case(number)
    draws = own.fitted.nameplate.joint_draws
    wanted = {RISE: own.truth.rise, OIL_MINUTES: own.truth.minutes}
    wanted[stage_factors(0)[0]] = own.truth.stage_rise
    for name, value in wanted.items():
        low, high = np.quantile(draws[name], [0.05, 0.95])
        assert low < value < high, name
    # Far better than the 5 % and 10 % that were believed before.
    assert np.std(draws[OIL_MINUTES]) < 0.03 * own.truth.minutes


@pytest.mark.parametrize("number", CASES)
def test_the_hot_spot_of_the_record_holds_in_every_stage(number: int):
    own = case(number)
    exposure = DrawnWindow(own.fitted, Effort()).exposures([1.0])[1.0]
    hot = exposure.hot_spot(own.draws, ("epistemic", "nameplate"))
    truth = own.made.hot_spot[: own.cut + 1]
    assert held(hot, truth) > 0.8
    # Kept to a kelvin, where one gradient for both stages would be 3 K off.
    assert np.sqrt(np.mean((hot.mean(axis=0) - truth) ** 2)) < 1.0


@pytest.mark.parametrize("number", CASES)
def test_a_scenario_switches_its_fans_by_its_own_oil(number: int):
    own = case(number)
    whole = own.made.profile
    ahead = replace(whole.between(own.cut, whole.load.size - 1), top_oil=None)
    exposure = forecast(ahead, own.fitted)
    assert exposure.winding.stage is not None and set(exposure.winding.stage) == {0, 1}
    oil = exposure.drawn_oil(own.draws, ("future", "nameplate"))
    # A scenario begins steady, which is forgotten in half a day.
    later = slice(72, None)
    truth = own.made.top_oil[own.cut :]
    assert held(oil[:, later], truth[later]) > 0.75
    assert np.sqrt(np.mean((oil.mean(axis=0) - truth)[later] ** 2)) < 1.5
    column = replace(ahead, cooling_stage=np.zeros(ahead.load.size))
    off = forecast(column, own.fitted).drawn_oil(own.draws, ("future", "nameplate"))
    assert off.max(axis=1).mean() > oil.max(axis=1).mean() + 10, "its own column wins"


def test_the_cooling_is_checked_in_every_stage():
    sound = cooling_check(case(0).fitted)
    assert sound.factor == pytest.approx(1.0, abs=0.03) and not sound.alarm
    lost = lived(Truth(lost=(96.0, 1.25)), seed=4, days=6).with_stages
    # Learned before, since five days that run hot would teach another unit.
    learned = case(0).fitted.nameplate
    found = cooling_check(agewise.assess(lost, learned, method="line"))
    assert found.alarm and found.factor is not None and found.factor > 1.15


def test_loads_are_permitted_with_all_stages_on():
    own = case(0)
    rated = agewise.rating(own.fitted, agewise.RatingRequest(ambient=20.0), draws=100)
    assert any("all stages of the cooling on" in finding.text for finding in rated.findings)
    # The limit of a unit with fans: without them rated load would heat the oil far beyond.
    assert rated.permit.load > 1.1


def test_a_rule_alone_does_not_tell_when_fans_were_on():
    made = case(0).made.profile.between(0, 300)
    with pytest.raises(InputError, match="no column says when"):
        agewise.calibrate(made, unit())
    fitted = agewise.assess(made, unit(), method="line")
    assert fitted.nameplate.learned is None
    assert "no column cooling_stage says when" in cooling_check(fitted).text
    with pytest.raises(InputError, match="A rating needs to know when"):
        agewise.rating(fitted, agewise.RatingRequest(), draws=20)


def test_stages_that_are_alike_teach_the_same_as_none():
    alike = PLATE.replace('"ONAN"', '"ONAF"').replace("= 15000", "= 25000")
    # Exactly alike: a deviation of 0 leaves a stage nothing of its own.
    alike = alike.replace("= 55\n", "= { mean = 50, std = 0 }\n")
    alike = alike.replace("= 210", "= { mean = 150, std = 0 }")
    made = case(0).made.with_stages.between(0, 300)
    plain = agewise.calibrate(made, unit(PLATE.split("[[")[0])).joint_draws
    staged = agewise.calibrate(made, unit(alike)).joint_draws
    assert set(plain) == set(staged)
    for name in (RISE, OIL_MINUTES):
        std = float(np.std(plain[name]))
        assert np.mean(plain[name]) == pytest.approx(np.mean(staged[name]), abs=0.5 * std)
        assert np.std(staged[name]) == pytest.approx(std, rel=0.5)
