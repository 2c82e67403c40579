"""From oil to a decision: identities that hold for any draws, and what is said of them."""

import datetime
from dataclasses import replace

import numpy as np
import pytest
from frames import record_from

from agewise.assessment.answer.summary import Summary
from agewise.assessment.conclusion import conclusion
from agewise.assessment.decision.action import THRESHOLDS, decision
from agewise.assessment.decision.cooling_verdict import cooling_check
from agewise.assessment.decision.findings import findings
from agewise.assessment.decision.narrowing import MEASUREMENTS
from agewise.assessment.decision.scenario_heat import scenario_hottest, scenario_hours_above
from agewise.assessment.decision.temperature_limits import exceedances
from agewise.assessment.decision.triggers import triggers
from agewise.assessment.life.doubts import (
    BIAS,
    LIFE,
    OIL_READING,
    Doubts,
    thermal_draws,
    unknowns,
)
from agewise.assessment.life.effort import Effort
from agewise.assessment.life.exposure import MeasuredOil
from agewise.assessment.life.lives import stretch_of
from agewise.assessment.life.prognosis import EVERYTHING, WORST, Prognosis
from agewise.assessment.life.scenario import forecast
from agewise.assessment.life.winding import gathered
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.problem import every_if_quick
from agewise.assessment.oil.settings import Settings
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import profile_from
from agewise.plant.quantity import Quantity
from agewise.plant.sections import Site
from agewise.quality.quality import checked
from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.ageing.normal import DOUBLING, NormalPaper
from agewise.transformer.cooling_defaults import LIMITS
from agewise.transformer.iec60076 import hot_spot_rise
from agewise.transformer.prognostics.unknowns import SOURCES, drawn
from agewise.twin.cases import bundled_case
from agewise.twin.scenario import year_ahead
from agewise.twin.twin import Twin, TwinSettings, make_twin
from agewise.units import SECONDS_PER_HOUR

SMALL = Effort(draws=200, split_draws=60)
CERTAIN = Doubts(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def twin() -> Twin:
    return make_twin(TwinSettings(seed=100, days=1.0, case="aged-substation"))


@pytest.fixture(scope="module")
def fitted(twin: Twin) -> Assessment:
    return assess(twin.profile, twin.nameplate, Settings(method="solver", as_given=True))


@pytest.fixture(scope="module")
def prognosis(fitted: Assessment) -> Prognosis:
    return Prognosis(fitted, 1.0, effort=SMALL)


@pytest.fixture(scope="module")
def summary(fitted: Assessment) -> Summary:
    return conclusion(fitted).summary


def without_history(nameplate: Nameplate, **history) -> Nameplate:
    update = {"history": nameplate.history.model_copy(update=history)}
    return nameplate.model_copy(update=update)


def test_without_any_doubt_there_is_one_answer(fitted: Assessment):
    used = Quantity(mean=195_000.0, std=0.0)
    sure = replace(fitted, nameplate=without_history(fitted.nameplate, life_used_hours=used))
    certain = Prognosis(sure, 1.0, effort=SMALL, doubts=CERTAIN)
    loss = certain.loss_at(WORST, EVERYTHING - {"epistemic"})
    profile = fitted.profile
    oil = fitted.predict_at(np.ones(profile.seconds.size), profile.seconds).mean
    rise = hot_spot_rise(fitted.nameplate.thermal_constants(), profile.seconds, profile.load)
    plain = loss_of_life(profile.seconds, NormalPaper().rate(oil + rise), axis=0)[-1]
    assert np.ptp(loss) == 0.0
    # Ten minutes of the oil are taken to be straight.
    assert loss[0] == pytest.approx(plain, rel=1e-3)
    lives = certain.lived(EVERYTHING - {"epistemic", "future"})
    assert np.ptp(lives.left) == 0.0
    assert lives.left[0] == pytest.approx(262_980.0 - 195_000.0 - loss[0])


def test_what_is_not_known_of_the_oil_stays_and_noise_averages_out(prognosis: Prognosis):
    epistemic, aleatoric = (prognosis.loss_at(WORST, {one}) for one in ("epistemic", "aleatoric"))
    oil = prognosis.window[WORST].oil
    assert isinstance(oil, MeasuredOil)
    field, noise = oil.functions.std(axis=0).mean(), oil.noise_std.mean()
    # At one instant the sensor's noise is many times the doubt about the oil; over a day, in the
    # spread of the life used, it is not, though nothing was smoothed there.
    assert noise > 5 * field
    assert aleatoric.std() < 2 * epistemic.std()
    assert "aleatoric" not in EVERYTHING


def test_a_common_bias_of_the_thermometers_moves_the_life_as_its_kelvins(prognosis: Prognosis):
    loss = prognosis.loss_at(WORST, {"sensor bias"})
    bias = prognosis.draws[BIAS]
    np.testing.assert_allclose(loss / np.exp2(-bias / 6), loss[0] / np.exp2(-bias[0] / 6))


def test_a_loss_is_the_sum_of_the_losses_of_its_parts(prognosis: Prognosis):
    exposure = prognosis.window[WORST]
    used = exposure.used(exposure.hot_spot(prognosis.draws, EVERYTHING), prognosis.draws)
    rate = NormalPaper().rate(
        exposure.hot_spot(prognosis.draws, EVERYTHING),
        {DOUBLING: prognosis.draws[DOUBLING][:, None]},
    )
    seconds, cut = exposure.seconds, 700
    first = loss_of_life(seconds[: cut + 1], rate[:, : cut + 1], axis=1)[:, -1]
    later = loss_of_life(seconds[cut:], rate[:, cut:], axis=1)[:, -1]
    np.testing.assert_allclose(first + later, used[:, -1])


def test_long_records_are_gathered_without_another_answer():
    made = make_twin(TwinSettings(seed=101, days=15.0, case="aged-substation"))
    constants = made.nameplate.thermal_constants()
    rows = gathered(made.profile, made.nameplate, "backward")
    assert rows.seconds.size == 2161
    top = np.full(made.profile.seconds.size, 75.0)
    whole, thinned = (
        loss_of_life(
            one.seconds,
            NormalPaper().rate(75.0 + hot_spot_rise(constants, one.seconds, one.load)),
            axis=0,
        )[-1]
        for one in (made.profile, rows)
    )
    assert top.size == made.profile.seconds.size
    assert thinned == pytest.approx(whole, rel=2e-3)


def test_each_source_has_its_share(prognosis: Prognosis):
    for which in (0, 1):
        by_source, by_unknown = prognosis.split.by_source(which), prognosis.split.by_unknown(which)
        assert tuple(by_source) == SOURCES
        assert sum(by_source.values()) == pytest.approx(1.0)
        assert sum(by_unknown.values()) == pytest.approx(1.0)
    # What is not known of the life and of the past does not change the window's loss.
    assert prognosis.split.by_unknown(0)[LIFE] < 1e-20
    years = prognosis.split.by_unknown(1)
    # A day of data leaves the days to come open; of what else is not known, life matters most.
    assert years["future"] > 0.3
    assert years[LIFE] > 0.3 * (1 - years["future"])
    assert prognosis.split.by_source(0)["nameplate"] > 0.3


def test_a_standard_deviation_of_the_nameplate_wins(twin: Twin):
    usual = {one.name: one for one in unknowns(twin.nameplate)}
    assert usual["winding.gradient_k"].std == pytest.approx(0.05 * 24.0)
    assert usual["oil.top_oil_rise_k"].std == 0.0
    winding = twin.nameplate.winding.model_copy(update={"gradient_k": Quantity(mean=24.0, std=3.0)})
    given = {
        one.name: one for one in unknowns(twin.nameplate.model_copy(update={"winding": winding}))
    }
    assert given["winding.gradient_k"].std == 3.0
    assert len(thermal_draws(twin.nameplate, drawn(list(given.values()), 5, seed=0))) == 5


def test_the_past_is_told_guessed_or_unknown(fitted: Assessment):
    check = cooling_check(fitted)

    def past(**history) -> tuple[np.ndarray, set[str]]:
        nameplate = without_history(fitted.nameplate, **history)
        one = Prognosis(replace(fitted, nameplate=nameplate), 1.0, effort=Effort(20, 10))
        return one.lives.used_before, {finding.kind for finding in findings(one, check)}

    told, kinds = past()
    assert "past" not in kinds
    assert told.mean() == pytest.approx(195_000, rel=0.1)
    guessed, kinds = past(life_used_hours=None)
    assert "past" in kinds
    assert guessed.min() > 0
    new, kinds = past(life_used_hours=None, commissioned=None)
    assert "past" in kinds
    assert new.max() == 0.0
    future, _ = past(life_used_hours=None, commissioned=datetime.date(2031, 1, 1))
    assert future.max() == 0.0


@pytest.mark.parametrize("factor", [0.5, 1.3])
def test_a_scenario_does_not_rewrite_the_past(fitted: Assessment, factor: float):
    """What may come does not change what has been: neither life used, nor samples, nor draws."""
    nameplate = without_history(fitted.nameplate, life_used_hours=None)
    unit = replace(fitted, nameplate=nameplate)
    seen = fitted.profile
    ahead = replace(seen, load=factor * seen.load, top_oil=None, interior={})
    told, asked = (Prognosis(unit, 1.0, days, Effort(50, 10)) for days in (None, ahead))
    np.testing.assert_array_equal(asked.prior_lives.used_before, told.prior_lives.used_before)
    np.testing.assert_array_equal(asked.lives.left, told.lives.left)
    assert asked.lives.days.yearly().mean() != pytest.approx(told.lives.days.yearly().mean(), 0.1)
    (past,) = [f.text for f in findings(asked, cooling_check(unit)) if f.kind == "past"]
    assert "years like the record" in past and "scenario" in past


def above_in(prognosis: Prognosis, limits: list[float]) -> np.ndarray:
    """Time of the scenario above limits, in every draw [h]."""
    forecast, draws = prognosis.ahead.forecast, prognosis.ahead.prior_draws
    assert forecast is not None
    hot_spots = forecast.hot_spots(draws, EVERYTHING)
    return stretch_of(forecast, hot_spots, draws, limits).hours_above


@pytest.mark.parametrize(("load", "hot"), [(0.4, False), (1.6, True)])
def test_a_scenario_says_how_hot_it_gets_and_decides_by_it(
    fitted: Assessment, load: float, hot: bool
):
    """After a day at one load the hot spot is that of the guide's steady state."""
    seen, unit = fitted.profile, fitted.nameplate.thermal_constants()
    steady = replace(
        seen,
        load=np.full_like(seen.load, load),
        ambient=np.full_like(seen.load, 20.0),
        top_oil=None,
        interior={},
    )
    prognosis = Prognosis(fitted, 1.0, steady, Effort(50, 10))
    hottest = scenario_hottest(prognosis)
    assert hottest is not None
    losses = (1 + unit.loss_ratio * load**2) / (1 + unit.loss_ratio)
    rise = unit.top_oil_rise * losses**unit.oil_exponent
    expected = 20.0 + rise + unit.gradient * load**unit.winding_exponent
    if hot:  # a light load never gets as hot as the oil is at the start
        assert hottest.mean() == pytest.approx(expected, abs=8.0)
    limits = [hottest.max(), hottest.min() - 0.1, -50.0, expected - 12.0]
    never, above, always, last = (
        prognosis.believed.of(hours) for hours in above_in(prognosis, limits)
    )
    assert not never.any() and (above > 0).all()
    whole = (seen.timeline.seconds[-1] - seen.timeline.seconds[0]) / SECONDS_PER_HOUR
    assert always == pytest.approx(whole)
    # The oil takes some of its three hours to get there, and then stays.
    assert not hot or (whole - 12 < last.mean() < whole)
    reported = above_in(prognosis, [limit.hot_spot for limit in LIMITS.values()])
    for hours, reported_hours in zip(reported, scenario_hours_above(prognosis), strict=True):
        np.testing.assert_array_equal(prognosis.believed.of(hours), reported_hours)
    check, limits = cooling_check(fitted), exceedances(prognosis)
    asking = [one for one in triggers(prognosis, limits, THRESHOLDS) if one.asks]
    assert any("of the scenario" in one.event for one in asking) == hot
    if hot:
        assert decision(prognosis, limits, check).action == "act"
    texts = [one.text for one in findings(prognosis, check) if one.kind == "scenario"]
    assert [("hot spot" in text, "1.60 p.u." in text) for text in texts] == (
        [(True, False), (False, True)] if hot else []
    )


@pytest.mark.parametrize("varied", [EVERYTHING, {"sensor bias"}], ids=["all", "thermometers"])
def test_what_the_thermometer_of_the_oil_reads_too_much_it_reads_ahead_too(
    fitted: Assessment, twin: Twin, varied: set[str]
):
    """In the window and in a scenario, a draw is as much cooler than read."""
    ahead = forecast(replace(twin.profile, top_oil=None), fitted)
    window = Prognosis(fitted, 1.0, effort=SMALL).window[WORST]
    sure, doubted = (
        drawn(unknowns(fitted.nameplate, replace(CERTAIN, oil_reading_k=reading)), 50, seed=0)
        for reading in (0.0, 5.0)
    )
    assert doubted[OIL_READING].std() == pytest.approx(5.0, rel=0.3)
    for exposure in (window, ahead):
        off = exposure.drawn_oil(sure, varied) - exposure.drawn_oil(doubted, varied)
        expected = np.broadcast_to(doubted[OIL_READING][:, None], off.shape)
        np.testing.assert_allclose(off, expected, atol=1e-9)


def test_a_scenario_brings_its_own_days(fitted: Assessment, twin: Twin, prognosis: Prognosis):
    start = twin.profile.timeline.start
    assert start is not None
    frame = year_ahead(bundled_case("aged-substation"), start, seed=0)
    year = profile_from(frame, where="the year")
    ahead = Prognosis(fitted, 1.0, year, SMALL)
    assert ahead.lives.days.ordered
    assert ahead.lives.days.loss.shape == (200, 365)
    # A year has winters; a July day has not.
    nowhere = fitted.nameplate.model_copy(update={"site": Site()})
    july = Prognosis(replace(fitted, nameplate=nowhere), 1.0, effort=SMALL)
    expected = np.median(ahead.lives.days.yearly())
    assert expected < 0.7 * np.median(july.lived(set()).days.yearly())
    # By the calendar of its latitude, a July day tells of the winter within a factor of two.
    assert 0.5 < expected / np.median(prognosis.lived(set()).days.yearly()) < 2.0
    np.testing.assert_allclose(ahead.lives.loss, prognosis.lives.loss)
    kinds = {finding.kind for finding in findings(ahead, cooling_check(fitted))}
    assert "short record" not in kinds


def test_the_chances_of_the_limits_follow_the_temperatures(prognosis: Prognosis):
    passed = exceedances(prognosis)
    assert [(one.name, one.quantity) for one in passed][:2] == [
        ("normal cyclic", "hot spot"),
        ("normal cyclic", "top oil"),
    ]
    hot = [one for one in passed if one.quantity == "hot spot"]
    assert [one.limit for one in hot] == [120.0, 140.0, 160.0]
    assert hot[0].probability >= hot[1].probability >= hot[2].probability
    share = np.mean(prognosis.lives.hot_spot > 120.0)
    assert hot[0].probability == share
    hours = np.diff(prognosis.window[WORST].seconds, prepend=0.0) / 3600.0
    for each in hot:
        above = (prognosis.hot_spots > each.limit) * hours
        assert each.hours == pytest.approx(above.sum(axis=1).mean())
    assert 0 < hot[0].hours < 24.0


def test_one_action_with_its_reason(prognosis: Prognosis, fitted: Assessment):
    passed, check = exceedances(prognosis), cooling_check(fitted)
    said = decision(prognosis, passed, check)
    assert said.action in ("watch", "act")
    assert f"within {THRESHOLDS.later_years:g} years" in said.reason or "within 2" in said.reason
    assert any(what in said.narrow_by for what in MEASUREMENTS.values())
    never = [replace(one, probability=0.0) for one in passed]
    young = without_history(fitted.nameplate, life_used_hours=Quantity(mean=0.0, std=0.0))
    life = young.insulation.model_copy(update={"life_hours": Quantity(mean=9e6)})
    calm = replace(fitted, nameplate=young.model_copy(update={"insulation": life}))
    relaxed = decision(Prognosis(calm, 1.0, effort=SMALL), never, check)
    assert relaxed.action == "load on"
    assert "not what limits" in relaxed.reason
    assert "say little" not in relaxed.reason


def test_the_plain_answer_stands_beside_every_headline(summary: Summary):
    assert summary.hot_spot.iec == pytest.approx(summary.hot_spot.mean, abs=4.0)
    used, years = summary.loss_of_life, summary.life.remaining_years
    assert used.iec == pytest.approx(used.worst.mean, rel=0.1)
    low, high = years.interval_90
    assert low is not None and high is not None and years.iec is not None
    assert low <= years.iec <= high
    assert used.worst.field_std < 0.1 * used.worst.std
    assert "short record" in {finding.kind for finding in summary.findings}


def test_a_quick_answer_is_rougher_and_says_so(twin: Twin, summary: Summary):
    settings = Settings(method="solver", quick=True)
    quick = conclusion(assess(twin.profile, twin.nameplate, settings)).summary
    assert quick.settings.quick and not summary.settings.quick
    (text,) = (finding.text for finding in quick.findings if finding.kind == "quick")
    assert text.startswith(
        "A quick answer: its standard deviations are accurate to 7 % instead of 2 %"
    )
    rough, full = quick.loss_of_life.worst, summary.loss_of_life.worst
    assert rough.mean / full.mean == pytest.approx(1.0, abs=0.2)
    assert rough.std / full.std == pytest.approx(1.0, abs=0.2)
    assert 1.2 < rough.field_std / full.field_std < 3.5


def test_what_the_window_measured_is_not_doubted_ahead(fitted: Assessment, twin: Twin):
    """A rated rise that is hardly known: the window says what it is, and the forecast uses it."""
    start = twin.profile.timeline.start
    assert start is not None
    frame = year_ahead(bundled_case("aged-substation"), start, seed=0).iloc[: 24 * 30]
    month = profile_from(frame, where="the month")
    oil = fitted.nameplate.oil.model_copy(update={"top_oil_rise_k": Quantity(mean=60.0, std=6.0)})
    doubted = replace(fitted, nameplate=fitted.nameplate.model_copy(update={"oil": oil}))
    told, blind = (
        Prognosis(one, 1.0, month, Effort(60, 20)).lived({"oil.top_oil_rise_k"}).days.yearly()
        for one in (doubted, fitted)
    )
    assert np.ptp(blind) == 0.0
    # Six kelvin more or less would double or halve it.
    assert 0 < told.std() / told.mean() < 0.3


def test_few_days_leave_the_others_open(fitted: Assessment):
    week = make_twin(TwinSettings(seed=102, days=4.0, case="aged-substation"))
    one = assess(week.profile, week.nameplate, Settings(method="line"))
    prognosis = Prognosis(one, 1.0, effort=Effort(300, 100))
    assert prognosis.lives.days.loss.shape == (300, 4)
    open_days, known = (prognosis.lived(one).days for one in ({"future"}, set()))
    assert np.ptp(known.yearly()) == 0.0
    # Four days that follow each other are hardly more than one: the weather of a week is open, and
    # the seasons that were not seen.
    spread, few = np.log(open_days.loss[:, 0]).std(), known.variation.independent
    student = np.sqrt(few / (few - 2))
    assert spread == pytest.approx(known.variation.mean * student, rel=0.25)
    assert spread > 2 * np.std(known.loss[0]) / known.loss[0].mean() / np.sqrt(4)
    assert open_days.yearly().std() / known.yearly()[0] > 0.3


def test_hours_alone_do_not_calm(twin: Twin):
    short = make_twin(TwinSettings(seed=100, days=0.2))
    calm = conclusion(assess(short.profile, short.nameplate, Settings(method="line"))).summary
    assert calm.decision.action == "watch"
    assert "4.8 h of data, which say little" in calm.decision.reason
    assert calm.cooling.factor is None


def test_a_quick_answer_keeps_readings_that_are_far_apart(twin: Twin):
    hourly = profile_from(twin.frame.iloc[::60], where="the hours")
    assert every_if_quick(hourly) == 1
    assert every_if_quick(twin.profile) == 5
    few = profile_from(twin.frame.iloc[:3], where="three rows")
    assert every_if_quick(few) == 1
    quick = Settings(method="line", quick=True)
    said = conclusion(assess(hourly, twin.nameplate, quick)).summary.findings
    text = next(finding.text for finding in said if finding.kind == "quick")
    assert "reading" not in text


def test_what_cannot_be_is_said_first(twin: Twin):
    measured = twin.profile
    assert measured.top_oil is not None
    swapped = replace(measured, ambient=measured.top_oil, top_oil=measured.ambient)
    frame = measured.frame()
    holed = checked(record_from(frame.drop(index=range(500, 700))))
    used = Quantity(mean=300_000.0, std=1000.0)
    worn = without_history(twin.nameplate, life_used_hours=used)

    def kinds(profile, nameplate) -> list[str]:
        fitted = assess(profile, nameplate, Settings(method="line"))
        prognosis = Prognosis(fitted, 1.0, effort=Effort(20, 10))
        return [one.kind for one in findings(prognosis, cooling_check(fitted))]

    assert kinds(swapped, twin.nameplate)[0] == "impossible"
    assert kinds(replace(measured, load=3 * measured.load), twin.nameplate)[0] == "impossible"
    assert kinds(holed, twin.nameplate)[-1] == "gap"
    assert kinds(measured, worn)[:2] == ["method", "past"]
    assert not {"impossible", "gap", "past"} & set(kinds(measured, twin.nameplate))


def test_a_unit_that_runs_has_some_life_left(fitted: Assessment):
    """Whatever past a nameplate gives, nothing says that a running unit is dead."""
    for used in (190_000.0, 262_000.0, 900_000.0):
        nameplate = without_history(fitted.nameplate, life_used_hours=Quantity(mean=used))
        one = Prognosis(replace(fitted, nameplate=nameplate), 1.0, effort=SMALL)
        assert (one.lives.left > 0).all()
        assert (one.years > 0).all()
        for name, values in (("left", one.lives.left), ("years", one.years)):
            assert len(values) == SMALL.draws, name
        shares = one.split.by_source(1)
        assert sum(shares.values()) == pytest.approx(1.0)
        kinds = {finding.kind for finding in findings(one, cooling_check(fitted))}
        assert ("alive" in kinds) == (one.believed.possible < 0.99)
    assert one.believed.past_doubted


def test_what_is_believed_of_a_living_unit_fits_together(fitted: Assessment):
    worn = without_history(fitted.nameplate, life_used_hours=Quantity(mean=250_000.0))
    one = Prognosis(replace(fitted, nameplate=worn), 1.0, effort=SMALL)
    lives, draws = one.lives, one.draws
    assert one.believed.possible < 0.9
    np.testing.assert_allclose(lives.left, draws[LIFE] - lives.used_before - lives.loss)
    np.testing.assert_allclose(lives.used_before, draws["history.life_used_hours"])
    np.testing.assert_allclose(lives.hot_spot, one.hot_spots.max(axis=1))
    np.testing.assert_allclose(one.loss_at(WORST, EVERYTHING), lives.loss, rtol=1e-6)
    np.testing.assert_allclose(one.recurrence, lives.left, rtol=0.01, atol=5.0)
    assert draws[LIFE].mean() > one.prior_draws[LIFE].mean()
