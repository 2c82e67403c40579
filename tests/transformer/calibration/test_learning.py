"""Constants that are learned from a record: right, as sure as NUTS is, and sure of no more."""

from functools import lru_cache

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpyro.infer import NUTS

from agewise.transformer.calibration.learning import DRAWS, Learned, learned
from agewise.transformer.calibration.model import UNEXPLAINED, TopOilModel, WindingModel, air_errors
from agewise.transformer.calibration.names import (
    AIR_BIAS,
    EXPONENT,
    GRADIENT,
    OIL_MINUTES,
    RISE,
    WINDING_MINUTES,
)
from agewise.transformer.calibration.parameters import Location, Scale
from agewise.transformer.calibration.record import (
    ThermalRecord,
    afternoon_sun,
    sun_height,
    thermal_record,
    usual_cells,
    usual_lengths,
)
from agewise.transformer.iec60076 import ThermalConstants, hot_spot_rise, top_oil
from agewise.units import SECONDS_PER_MINUTE

UNIT = ThermalConstants(
    oil_time_constant=180 * SECONDS_PER_MINUTE,
    winding_time_constant=8 * SECONDS_PER_MINUTE,
    top_oil_rise=45.0,
    gradient=20.0,
    loss_ratio=6.0,
    oil_exponent=0.8,
    winding_exponent=1.3,
    k11=0.5,
    k21=2.0,
    k22=2.0,
)
SECONDS = np.arange(0.0, 4 * 86400.0, 600.0)
WARM_UP = 40


def loads() -> np.ndarray:
    hours = SECONDS / 3600
    shape = 0.7 + 0.3 * np.sin(2 * np.pi * (hours - 9) / 24) + 0.15 * np.sin(2 * np.pi * hours / 7)
    return np.clip(shape, 0.05, None)


def air() -> np.ndarray:
    return 20 + 6 * np.sin(2 * np.pi * (SECONDS / 3600 - 9) / 24)


@lru_cache
def record() -> ThermalRecord:
    rng = np.random.default_rng(0)
    oil = top_oil(UNIT, SECONDS, loads(), air())
    # A smooth error of the model, and noise of the thermometer.
    kernel = np.exp(-0.5 * ((SECONDS[:, None] - SECONDS) / (3 * 3600)) ** 2)
    factor = np.linalg.cholesky(0.8**2 * kernel + 1e-6 * np.eye(SECONDS.size))
    measured = oil + factor @ rng.normal(size=SECONDS.size) + rng.normal(0, 0.3, SECONDS.size)
    return thermal_record(SECONDS, loads(), air(), measured, hour=0.0)


def model(rise: float = 60.0, share: float = 0.05) -> TopOilModel:
    oil = (
        Scale(RISE, rise, share, heavy=True),
        Scale(OIL_MINUTES, 150.0, 0.1, 40.0, heavy=True),
        Location(EXPONENT, 0.9, 0.1),
    )
    return TopOilModel((*oil, *air_errors(), *UNEXPLAINED), UNIT.loss_ratio, UNIT.k11)


@lru_cache
def result() -> Learned:
    return learned(model(), record(), seed=0)


def test_readings_overrule_a_nameplate_that_is_wrong():
    """A rise of 60 ± 3 K was printed; the unit has 45."""
    for name, truth in ((RISE, 45.0), (OIL_MINUTES, 180.0), (EXPONENT, 0.8), (AIR_BIAS, 0.0)):
        draws = result().draws[name]
        assert draws.shape == (DRAWS,)
        assert abs(draws.mean() - truth) < 3 * draws.std(), name
    assert result().draws[RISE].std() < 4.0
    assert result().effective > 300


def test_one_seed_gives_one_answer():
    again = learned(model(), record(), seed=0)
    for name, draws in result().draws.items():
        np.testing.assert_array_equal(again.draws[name], draws)


def test_means_and_spreads_are_those_of_nuts():
    """An independent sampler on the same density; both have some per cent of chance."""
    two_days = jax.tree.map(lambda series: series[:200], record())
    own = learned(model(), two_days, seed=0)
    with jax.enable_x64(True):
        fast, cells = jax.tree.map(jnp.asarray, (model(), two_days))
        # In coordinates in which the posterior is about round, a short warm-up is enough.
        centre = jnp.asarray(own.coordinates.mean(axis=0))
        factor = jnp.asarray(np.linalg.cholesky(np.cov(own.coordinates.T)))

        def potential(white):
            return -fast.log_posterior(centre + factor @ white, cells)

        kernel = NUTS(potential_fn=potential, max_tree_depth=3)

        # One program: numpyro's own loop begins with a hundred small ones.
        @jax.jit
        def chain(key):
            def moved(state, _):
                state = kernel.sample(state, (), {})
                return state, state.z

            start = kernel.init(key, WARM_UP, jnp.zeros(centre.size), (), {})
            white = jax.lax.scan(moved, start, length=WARM_UP + 300)[1][WARM_UP:]
            return jax.vmap(fast.values)(centre + white @ factor.T)

        values = chain(jax.random.key(0))
    for name in (RISE, OIL_MINUTES, EXPONENT, AIR_BIAS):
        told, found = np.asarray(values[name]), own.draws[name]
        assert abs(told.mean() - found.mean()) < 0.25 * told.std(), name
        assert 0.82 < found.std() / told.std() < 1.2, name


def test_filled_cells_and_other_draws_change_no_density():
    rng = np.random.default_rng(3)
    z = rng.normal(size=(6, len(model().parameters)))
    short = jax.tree.map(lambda values: values[:570], record())
    filled = short.filled()
    assert filled.seconds.size > 570
    assert len(filled.steps.lengths) > len(short.steps.lengths)
    with jax.enable_x64(True):
        # Compiled whole, for each operation by itself is a program of its own.
        density = eqx.filter_jit(TopOilModel.log_posterior)
        fast, cells = jax.tree.map(jnp.asarray, (model(), short))
        together = density(fast, jnp.asarray(z.T), jax.tree.map(jnp.asarray, filled.of_draws()))
        alone = [density(fast, jnp.asarray(each), cells) for each in z]
    np.testing.assert_allclose(together, alone, rtol=1e-12)


def test_records_of_about_the_same_size_are_filled_to_the_same():
    cells = {usual_cells(count) for count in range(2700, 2881)}
    assert len(cells) <= 3
    assert all(count <= usual_cells(count) <= count + count // 16 + 16 for count in range(1, 5000))
    assert [usual_lengths(count) for count in (1, 2, 16, 17, 600)] == [16, 16, 16, 64, 1024]


def test_without_a_load_that_varies_the_rise_stays_open():
    """Load and air that never change leave rise, exponent and bias to the prior."""
    still = np.full_like(SECONDS, 0.7)
    oil = top_oil(UNIT, SECONDS, still, np.full_like(SECONDS, 20.0))
    noisy = oil + np.random.default_rng(1).normal(0, 0.3, SECONDS.size)
    flat = thermal_record(SECONDS, still, np.full_like(SECONDS, 20.0), noisy, hour=None)
    draws = learned(model(share=0.3), flat, seed=0).draws
    assert draws[OIL_MINUTES].std() > 10.0
    assert draws[RISE].std() > 2.0


def test_a_measured_winding_teaches_its_gradient():
    rise = hot_spot_rise(UNIT, SECONDS, loads())
    measured = rise + np.random.default_rng(2).normal(0, 0.5, SECONDS.size)
    windings = thermal_record(SECONDS, loads(), air(), measured, hour=None)
    parameters = (
        Scale(GRADIENT, 26.0, 0.15, heavy=True),
        Scale(WINDING_MINUTES, 8.0, 0.1, heavy=True),
    )
    of_winding = WindingModel((*parameters, *UNEXPLAINED), 1.3, 2.0, 2.0, UNIT.oil_time_constant)
    draws = learned(of_winding, windings, seed=0).draws
    assert draws[GRADIENT].mean() == pytest.approx(20.0, abs=3 * draws[GRADIENT].std())
    assert draws[GRADIENT].std() < 1.0


def test_cells_keep_means_and_leave_gaps():
    seconds = np.append(np.arange(0.0, 3600.0, 60.0), 7200.0 + np.arange(0.0, 3600.0, 60.0))
    load = np.full(seconds.size, 0.5)
    measured = np.where(seconds < 1200, np.nan, 50.0)
    cells = thermal_record(seconds, load, 0 * load, measured, hour=None)
    assert cells.seconds.size == 12
    np.testing.assert_allclose(cells.heating, 0.25)
    assert np.isnan(cells.measured[:2]).all() and (cells.readings[:2] == 0).all()
    np.testing.assert_allclose(cells.measured[2:], 50.0)
    assert cells.steps.seconds[6] == pytest.approx(3600.0 + 600.0)


def test_the_sun_stands_highest_at_noon_and_not_at_night():
    heights = sun_height(np.arange(24) * 3600.0, 0.0)
    assert heights.argmax() == 13 and heights[13] == 1.0
    assert (heights[[0, 2, 4, 22]] == 0).all()
    assert (sun_height(np.arange(24) * 3600.0, None) == 0).all()


def test_a_sun_that_is_late_is_a_sum_of_noon_and_afternoon():
    """An hour and a half late by the clock, where noon alone leaves a fifth of its variance."""
    seconds = np.arange(144) * 600.0
    shapes = np.stack([sun_height(seconds, 0.0), afternoon_sun(seconds, 0.0)], axis=1)
    late = sun_height(seconds, 22.5)
    left = late - shapes @ np.linalg.lstsq(shapes, late, rcond=None)[0]
    alone = late - shapes[:, :1] @ np.linalg.lstsq(shapes[:, :1], late, rcond=None)[0]
    assert np.var(left) < 0.1 * np.var(late) < 0.15 * np.var(late) < np.var(alone)
    assert (afternoon_sun(seconds, None) == 0).all()
