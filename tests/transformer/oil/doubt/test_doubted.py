"""Doubt about the equation: where it acts, how large it is, and what sensors teach of it."""

from dataclasses import replace
from functools import lru_cache

import jax
import numpy as np
import pytest

from agewise.assessment.decision.misfit import profile_error
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.transformer.oil.doubt.departures import covariances
from agewise.transformer.oil.doubt.doubted import DoubtedPosterior
from agewise.transformer.oil.doubt.order import MARGIN_K, ordered
from agewise.transformer.oil.doubt.profile_doubt import (
    MODES,
    SIZE,
    SIZE_LOG_STD,
    Amplitudes,
    hats,
    knots_of,
    place_of,
    prior_amplitudes,
    shapes,
)
from agewise.transformer.oil.reference import oil_temperature
from agewise.transformer.oil.tank import Tank
from agewise.twin.settings import TwinSettings
from agewise.twin.twin import Twin, make_twin

HEIGHTS = np.linspace(0.0, 1.0, 11)


@lru_cache
def twin(mismatch: float = 0.0) -> Twin:
    return make_twin(TwinSettings(seed=100, days=2.0, interior=True, mismatch=mismatch))


@lru_cache
def fitted(inside: bool = False, mismatch: float = 0.0, as_given: bool = False) -> Assessment:
    made = twin(mismatch=mismatch)
    profile = made.profile if inside else replace(made.profile, interior={})
    return assess(profile, made.nameplate, method="solver", as_given=as_given)


def instants() -> np.ndarray:
    return twin().profile.seconds[::30]


def truth(mismatch: float = 0.0) -> np.ndarray:
    rows = twin(mismatch=mismatch).truth["oil_true"].to_numpy()[::30]
    return rows[:, np.round(HEIGHTS * 50).astype(int)]


def posterior(assessment: Assessment) -> DoubtedPosterior:
    found = assessment.windows[0].posterior
    assert isinstance(found, DoubtedPosterior)
    return found


def test_what_is_measured_is_not_doubted():
    """At both ends the doubt of the equation vanishes; between them it does not."""
    doubted = fitted().predict(HEIGHTS, instants())
    trusting = posterior(fitted()).within
    window = fitted().windows[0]
    for height in (0.0, 1.0):
        points = window.points(np.full(instants().size, height), instants())
        own = trusting.predict(points)
        at = int(height * 10)
        spread = window.problem.units.spread
        np.testing.assert_allclose(doubted.epistemic[:, at], spread**2 * own.epistemic, rtol=1e-6)
    assert np.sqrt(doubted.epistemic[:, 5]).mean() > 0.5


def test_draws_have_the_stated_mean_and_spread():
    drawn = fitted().draw(500, key=jax.random.key(0)).oil(HEIGHTS[1:10], instants()[::8])
    told = fitted().predict(HEIGHTS[1:10], instants()[::8])
    np.testing.assert_allclose(drawn.std(axis=0), np.sqrt(told.epistemic), rtol=0.05, atol=0.01)
    np.testing.assert_allclose(drawn.mean(axis=0), told.mean, atol=0.02)


def test_covariances_between_knots_are_those_of_all_coefficients():
    rng = np.random.default_rng(0)
    fixed, moving = rng.normal(size=(50, 2)), rng.normal(size=(50, 3, 4))
    fixed, moving = fixed - fixed.mean(axis=0), moving - moving.mean(axis=0)
    times = np.linspace(0.0, 1.0, 11)
    knots = Amplitudes(np.linspace(0.0, 1.0, 4), moving)
    found = covariances(fixed, moving, place_of(knots.knots, times))
    for at, told in zip(np.moveaxis(knots.at(times), -1, 0), found, strict=True):
        whole = np.concatenate([fixed, at], axis=1)
        np.testing.assert_allclose(told, np.cov(whole.T, bias=True), atol=1e-12)


def test_no_oil_stands_hotter_below_than_above_for_long():
    drawn = fitted().draw(500, key=jax.random.key(0)).oil(HEIGHTS, instants())
    hours = fitted().nameplate.oil.time_constant_min.mean / 60
    looks = max(1, round(2 * hours))
    over = drawn - drawn[:, :, -1:]
    total = np.cumsum(over, axis=1)
    mean = (total[:, looks:] - total[:, :-looks]) / looks
    # The equation's own draws may stand a little above the margin; the doubt adds nothing to that.
    assert np.quantile(mean.max(axis=(1, 2)), 0.9) < MARGIN_K + 0.5


def test_an_error_that_would_is_turned_over():
    rng = np.random.default_rng(0)
    found = posterior(fitted())
    tries = prior_amplitudes(2 * 86400.0, 200, 1, rng=rng)
    sensitivity = found.departures.sensitivity
    hours = found.departures.times * 48.0
    oil = np.broadcast_to(
        np.linspace(20.0, 60.0, sensitivity.elements.nodes.size), (hours.size, 41)
    )
    # Steep and straight: nothing comes near the top, so that nothing is turned.
    constants = np.zeros((200, 5))
    narrow, wide = np.full(hours.size, 1.0), np.full(hours.size, 40.0)
    kept = ordered(tries, constants, sensitivity, hours, oil, narrow, 4.0)
    np.testing.assert_array_equal(kept.values, tries[0].values)
    flat = np.full_like(oil, 60.0)
    turned = ordered(tries, constants, sensitivity, hours, flat, wide, 4.0)
    error = np.einsum("njk,jx->nkx", turned.values, shapes(HEIGHTS)) * 40.0
    assert error.max() < 8.0 and error.min() < -10.0


def test_other_physics_lies_within_the_doubt():
    """Two kelvin away from the equation: 100 standard deviations if it is trusted."""
    trusted = fitted(mismatch=1.0, as_given=True).predict(HEIGHTS, instants())
    doubted = fitted(mismatch=1.0).predict(HEIGHTS, instants())

    def z(oil):
        off = (oil.mean - truth(1.0)) / np.sqrt(oil.epistemic)
        return np.sqrt(np.mean(off[:, 2:9] ** 2))

    assert z(trusted) > 20
    assert 0.2 < z(doubted) < 1.3


def test_sensors_inside_teach_the_equation():
    blind = fitted(mismatch=1.0).predict(HEIGHTS, instants())
    taught = fitted(inside=True, mismatch=1.0).predict(HEIGHTS, instants())
    error = [np.sqrt(np.mean((oil.mean - truth(1.0))[:, 2:9] ** 2)) for oil in (blind, taught)]
    assert error[1] < 0.2 * error[0]
    inside, right = posterior(fitted(inside=True, mismatch=1.0)), posterior(fitted(inside=True))
    assert inside.size is not None and right.size is not None
    assert right.size < 0.05 < inside.size
    assert profile_error(fitted(inside=True, mismatch=1.0)) == inside.size
    assert profile_error(fitted(mismatch=1.0)) is None


def inside_error(conductivity: float = 1.0, *, as_given: bool) -> float:
    """Error of the oil with one sensor inside [K rms], at heights where there is none."""
    made = make_twin(
        TwinSettings(seed=100, days=2.0, interior=True, conductivity_factor=conductivity)
    )
    profile = replace(made.profile, interior={0.6: made.profile.interior[0.6]})
    oil = assess(profile, made.nameplate, method="exact", as_given=as_given)
    true = made.truth["oil_true"].to_numpy()[::30][:, [10, 25, 40]]
    mean = oil.predict(np.array([0.2, 0.5, 0.8]), profile.seconds[::30]).mean
    return float(np.sqrt(np.mean((mean - true) ** 2)))


def test_a_sensor_that_agrees_costs_nothing():
    """Where the equation is right, doubting it leaves the answer as good as trusting it."""
    assert inside_error(as_given=False) < 1.2 * inside_error(as_given=True)


def test_a_sensor_finds_another_conductivity():
    """Half the conductivity is no small change: the equation is solved anew with it."""
    assert inside_error(0.5, as_given=False) < 0.15 * inside_error(0.5, as_given=True)


def test_more_tries_keep_the_size_of_an_error():
    """What oil cannot have is drawn again; only where no try is possible is it made smaller."""
    found, hours = posterior(fitted()), posterior(fitted()).departures.times * 48.0
    nodes = found.departures.sensitivity.elements.nodes
    oil = np.broadcast_to(60.0 - 20.0 * (1 - nodes) ** 2, (hours.size, nodes.size))
    tries = prior_amplitudes(2 * 86400.0, 300, 8, rng=np.random.default_rng(3))

    def kept(some: int) -> float:
        made = ordered(
            tries[:some],
            np.zeros((300, 5)),
            found.departures.sensitivity,
            hours,
            oil,
            np.full(hours.size, 20.0),
            4.0,
        )
        over = 20.0 * np.einsum("njk,jx->nkx", made.values, shapes(nodes)) + oil[0] - 60.0
        # Straight between knots of three hours, and looked at as the mean over four.
        assert np.median(over.max(axis=(1, 2))) < MARGIN_K + 1.0
        drawn = np.stack([np.abs(one.values) for one in tries[:some]])
        return float(np.isclose(np.abs(made.values), drawn).all(axis=(2, 3)).any(axis=0).mean())

    assert 1 - kept(8) < 0.5 * (1 - kept(1))


def test_a_sensitivity_is_the_difference_of_two_solutions():
    """One per cent more rise, lag or conductivity, solved anew by the reference."""
    found, made = posterior(fitted()), twin()
    tank = fitted().nameplate.oil_tank()
    seconds, rows = made.profile.seconds, slice(None, None, 60)
    ends = fitted().predict(np.array([0.0, 1.0]), seconds).mean

    def solved(one: Tank) -> np.ndarray:
        series = (seconds, made.profile.load, ends[:, 0], ends[:, 1])
        return oil_temperature(one, *series, heights=HEIGHTS[1:10] * one.height).temperature[rows]

    share = 0.01
    changed = {
        "rise": replace(tank, volume=tank.volume / (1 + share)),
        "lag": replace(
            tank,
            heat_transfer=tank.heat_transfer / (1 + share),
            volume=tank.volume * (1 + share),
        ),
        "conductivity": replace(tank, conductivity=tank.conductivity * (1 + share)),
    }
    x, t = np.meshgrid(HEIGHTS[1:10], seconds[rows] / seconds[-1])
    fields = found.departures.sensitivity(np.stack([x.ravel(), t.ravel()], axis=1))
    for column, other in enumerate(changed.values()):
        told = (solved(other) - solved(tank)) / share
        mine = fields[column].reshape(x.shape)
        assert np.sqrt(np.mean((mine - told) ** 2)) < 0.03 * np.abs(told).max()


def test_the_prior_has_its_size_and_vanishes_at_the_ends():
    (drawn,) = prior_amplitudes(4 * 86400.0, 4000, 1, rng=np.random.default_rng(0))
    assert drawn.values.shape == (4000, MODES, knots_of(4 * 86400.0).size)
    told = SIZE * np.exp(SIZE_LOG_STD**2)  # root mean square of a log-normal size
    assert np.sqrt(np.mean(drawn.values**2)) == pytest.approx(told, rel=0.06)
    np.testing.assert_allclose(shapes(np.array([0.0, 1.0])), 0.0, atol=1e-15)
    np.testing.assert_allclose(hats(drawn.knots, np.linspace(0, 1, 50)).sum(axis=1), 1.0)
