"""Which action follows from which chance: the table of docs/life.md, on both sides of a number."""

from types import SimpleNamespace

import numpy as np
import pytest

from agewise.assessment.decision.action import decision
from agewise.assessment.decision.cooling_verdict import CoolingCheck
from agewise.assessment.decision.finding import Finding
from agewise.assessment.decision.temperature_limits import Exceedance
from agewise.assessment.decision.thresholds import DecisionThresholds
from agewise.assessment.life.doubts import LIFE
from agewise.assessment.life.effort import FULL
from agewise.assessment.life.prognosis import Prognosis, Split
from agewise.errors import InputError
from agewise.plant.sections import Evidence
from agewise.transformer.cooling_defaults import LIMITS
from agewise.units import SECONDS_PER_HOUR

HEALTHY = CoolingCheck(1.0, 0.1, alarm=False, since=None, text="")
ALARMED = CoolingCheck(1.3, 0.1, alarm=True, since=None, text="")
NOTHING = Evidence()
SPLIT = Split({LIFE: "ageing law", "doubling_k": "ageing law"}, {LIFE: (0.0, 1.0)})


def lives(
    ends: dict[float, float] | None = None,
    hours: float = 96.0,
    split: Split = SPLIT,
    evidence: Evidence = NOTHING,
) -> Prognosis:
    """A prognosis of which a share of 1000 draws ends after so many years, the rest never."""
    years = np.full(1000, np.inf)
    for after, share in (ends or {}).items():
        free = np.flatnonzero(np.isinf(years))
        years[free[: round(1000 * share)]] = after
    profile = SimpleNamespace(seconds=np.array([0.0, hours * SECONDS_PER_HOUR]))
    # Nothing was fitted: what the decision asks for is put where a prognosis keeps it.
    prognosis = object.__new__(Prognosis)
    fitted = SimpleNamespace(profile=profile, nameplate=SimpleNamespace(evidence=evidence))
    known = {"assessment": fitted, "scenario": None, "effort": FULL}
    vars(prognosis).update(known, years=years, split=split)
    return prognosis


def passed(chances: dict[str, float] | None = None) -> list[Exceedance]:
    """Limits with the chance that the hot spot passed them; the top oil passed all of them."""
    chances = chances or {}
    hot = [
        Exceedance(name, "hot spot", limits.hot_spot, chances.get(name, 0.0), 1.0, False)
        for name, limits in LIMITS.items()
    ]
    oil = [Exceedance(name, "top oil", 1.0, 1.0, 1.0, False) for name in LIMITS]
    return hot + oil


@pytest.mark.parametrize(
    ("ends", "action"),
    [
        ({2.0: 0.20}, "act"),
        ({2.0: 0.199}, "watch"),
        ({2.01: 0.20}, "watch"),
        ({0.0: 0.05, 2.0: 0.15}, "act"),
        ({10.0: 0.10}, "watch"),
        ({10.0: 0.099}, "load on"),
        ({10.01: 1.0}, "load on"),
        ({}, "load on"),
    ],
)
def test_an_end_that_is_near_and_likely_asks_for_action(ends: dict[float, float], action: str):
    assert decision(lives(ends), passed(), HEALTHY).action == action


@pytest.mark.parametrize(
    ("chances", "action"),
    [
        ({"long emergency": 0.5, "normal cyclic": 1.0}, "act"),
        ({"long emergency": 0.499, "normal cyclic": 0.5}, "watch"),
        ({"normal cyclic": 0.499}, "load on"),
        ({"short emergency": 1.0}, "load on"),  # passed only together with the others
    ],
)
def test_a_hot_spot_beyond_its_limits_asks_for_action(chances: dict[str, float], action: str):
    said = decision(lives(), passed(chances), HEALTHY)
    assert said.action == action
    assert ("140 °C" in said.reason) == (action == "act")


def test_poor_cooling_is_watched_and_the_gravest_reason_decides():
    assert decision(lives(), passed(), ALARMED).action == "watch"
    said = decision(lives({1.0: 1.0}), passed({"normal cyclic": 0.9}), ALARMED)
    assert said.action == "act"
    for reason in ("within 2 years is 100 %", "120 °C", "hotter than load and air explain"):
        assert reason in said.reason


@pytest.mark.parametrize(("hours", "action"), [(23.5, "load on"), (23.4, "watch")])
def test_less_than_a_day_does_not_calm(hours: float, action: str):
    assert decision(lives(hours=hours), passed(), HEALTHY).action == action


def test_insulation_limits_nothing_where_most_lives_outlast_the_horizon():
    for share, limits in ((0.49, True), (0.51, False)):
        said = decision(lives({60.0: share}), passed(), HEALTHY)
        assert ("not what limits" in said.reason) == limits


def test_a_finding_that_undermines_the_answer_goes_before_every_reason():
    grave = Finding("impossible", "Oil boils.", mend="Look at the units.")
    mild = Finding("past", "Nothing is known of the past.")
    said = decision(lives({1.0: 1.0}), passed(), ALARMED, findings=[mild, grave])
    assert said.action == "cannot tell"
    assert (said.reason, said.mend, said.narrow_by) == ("Oil boils.", "Look at the units.", "")
    assert decision(lives(), passed(), HEALTHY, findings=[mild]).action == "load on"


def test_thresholds_can_be_moved_and_what_would_change_the_decision_is_said():
    ends = {4.0: 0.3}
    usual = decision(lives(ends), passed(), HEALTHY)
    assert usual.action == "watch"
    graver = "Act if the chance of end of life within 2 years reaches 20 % (now 0 %)"
    assert usual.changes.startswith(graver)
    milder = "if the chance of end of life within 10 years falls below 10 % (now 30 %)."
    assert usual.changes.endswith(milder)
    strict = DecisionThresholds.parse(["soon_years=5", "soon=0.3"])
    assert decision(lives(ends), passed(), HEALTHY, strict).action == "act"
    for wrong in ("soon=2", "soon", "sooner=1", "soon_years=11", "lives=-1", "soon=nan"):
        with pytest.raises(InputError):
            DecisionThresholds.parse([wrong])


def test_cool_oil_is_watched():
    cool = CoolingCheck(0.8, 0.03, alarm=False, since=None, text="", cooler=True)
    said = decision(lives(), passed(), cool)
    assert said.action == "watch" and "cooler" in said.reason


@pytest.mark.parametrize(("low", "high", "wide"), [(1.0, 20.0, True), (3.0, 20.0, False)])
def test_an_interval_from_nothing_to_many_years_says_what_to_do(low, high, wide):
    said = decision(lives({low: 0.1, high: 0.9}), passed(), HEALTHY)
    assert ("plan by its lower end" in said.narrow_by) == wide


def test_the_largest_share_but_noise_says_what_to_measure():
    variances = {"aleatoric": (0.0, 9.0), "doubling_k": (0.0, 3.0), LIFE: (0.0, 1.0)}
    by_law = decision(lives(split=Split(SPLIT.source, variances)), passed(), HEALTHY)
    assert by_law.narrow_by.startswith("A sample of the paper (degree of polymerisation) would")
    assert "(kelvins that double the ageing)" in by_law.narrow_by
    variances |= {"oil.k11": (0.0, 20.0)}
    other = decision(lives(split=Split(SPLIT.source, variances)), passed(), HEALTHY)
    assert other.narrow_by.startswith("A heat-run report")


def test_no_first_sample_is_recommended_where_one_was_given():
    given = Evidence.model_validate({"furans_mg_per_kg": {"mean": 1.0, "std": 0.3}})
    without, sampled = (
        decision(lives(evidence=known), passed(), HEALTHY).narrow_by for known in (NOTHING, given)
    )
    assert without.startswith("A sample of the paper")
    assert sampled.startswith("Another sample of paper or oil")
