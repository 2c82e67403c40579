"""Loss of life is an integral: it grows, adds up, and is exact where the trapezoid is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agewise.transformer.ageing.loss import loss_of_life, loss_of_life_at

steps_and_rates = st.lists(
    st.tuples(st.floats(1.0, 1e4), st.floats(0.0, 1e3)), min_size=3, max_size=30
).map(lambda rows: (np.cumsum([step for step, _ in rows]), np.array([rate for _, rate in rows])))


@given(series=steps_and_rates, data=st.data())
def test_loss_of_life_grows_and_adds_up(series, data: st.DataObject):
    seconds, rate = series
    split = data.draw(st.integers(1, rate.size - 2))
    whole = loss_of_life(seconds, rate, axis=0)
    before = loss_of_life(seconds[: split + 1], rate[: split + 1], axis=0)
    after = loss_of_life(seconds[split:], rate[split:], axis=0)
    assert whole[0] == 0
    assert np.all(np.diff(whole) >= 0)
    np.testing.assert_allclose(np.append(before, before[-1] + after[1:]), whole, rtol=1e-9)


@given(series=steps_and_rates, start=st.floats(0.0, 10.0), slope=st.floats(0.0, 1e-3))
def test_loss_of_life_is_exact_for_a_straight_rate(series, start: float, slope: float):
    seconds = series[0]
    elapsed = seconds - seconds[0]
    exact = (start * elapsed + slope * elapsed**2 / 2) / 3600
    np.testing.assert_allclose(
        loss_of_life(seconds, start + slope * elapsed, axis=0), exact, atol=1e-9
    )


def test_loss_of_life_takes_fields():
    seconds = np.array([0.0, 1800.0, 3600.0])
    rate = np.array([[1.0, 2.0], [1.0, 4.0], [1.0, 6.0]])
    np.testing.assert_allclose(loss_of_life(seconds, rate, axis=0)[-1], [1.0, 4.0])


def test_loss_of_life_knows_its_axis_of_time():
    seconds = np.linspace(0.0, 7200.0, 5)
    rate = np.random.default_rng(0).uniform(size=(5, 5, 3))
    draws = loss_of_life(seconds, rate, axis=1)
    alone = np.stack([loss_of_life(seconds, one, axis=0) for one in rate])
    np.testing.assert_allclose(draws, alone)
    with pytest.raises(ValueError, match="not the 5 samples"):
        loss_of_life(seconds, rate, axis=2)


@given(series=steps_and_rates, data=st.data())
def test_loss_at_some_instants_is_the_loss_there(series, data: st.DataObject):
    seconds, rate = series
    places = st.lists(st.integers(0, rate.size - 1), min_size=1, max_size=rate.size)
    samples = np.array(data.draw(places))
    rates = np.stack([rate, 2 * rate])
    everywhere = loss_of_life(seconds, rates, axis=1)
    np.testing.assert_allclose(
        loss_of_life_at(seconds, rates, samples), everywhere[:, samples], rtol=1e-12
    )
