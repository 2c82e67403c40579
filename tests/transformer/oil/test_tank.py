"""The closure of the tank: what the nameplate says must come out again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agewise.transformer.oil.tank import Tank

positive = st.floats(1e-2, 1e5)
GIVEN = {
    "no_load_losses": 842.0,
    "load_losses": 9800.0,
    "oil_time_constant": 266.8 * 60,
    "top_oil_rise": 45.0,
}


@given(no_load=positive, load=positive, seconds=positive, rise=positive, capacity=positive)
def test_nameplate_comes_out_again(no_load, load, seconds, rise, capacity):
    tank = Tank.closed(
        no_load_losses=no_load,
        load_losses=load,
        oil_time_constant=seconds,
        top_oil_rise=rise,
        heat_capacity=capacity,
    )
    assert tank.time_constant == pytest.approx(seconds)
    assert tank.source(1.0) / tank.heat_transfer == pytest.approx(rise)
    assert tank.heat_transfer * rise * tank.volume == pytest.approx(no_load + load)


def test_default_closure_of_the_paper_unit():
    tank = Tank.closed(**GIVEN)
    assert tank.heat_transfer == pytest.approx(103.26, abs=0.005)
    assert tank.volume == pytest.approx(2.29, abs=0.005)
    assert tank.diffusion_length**2 * tank.heat_transfer == pytest.approx(tank.conductivity)


def test_given_values_win_over_the_closure():
    tank = Tank.closed(**GIVEN, heat_transfer=80.0, volume=3.0)
    assert (tank.heat_transfer, tank.volume) == (80.0, 3.0)
    assert Tank.closed(**GIVEN, heat_transfer=80.0).source(1.0) == pytest.approx(80.0 * 45.0)


def test_losses_follow_the_square_of_the_load():
    tank = Tank.closed(**GIVEN)
    np.testing.assert_allclose(
        tank.source(np.array([0.0, 0.5, 2.0])) * tank.volume, [842.0, 842 + 2450, 842 + 39200]
    )


@pytest.mark.parametrize("field", list(Tank.__dataclass_fields__))
@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf")])
def test_impossible_numbers_are_refused_by_name(field: str, value: float):
    numbers = dict.fromkeys(Tank.__dataclass_fields__, 1.0) | {field: value}
    with pytest.raises(ValueError, match=rf"Tank\.{field} is {value}"):
        Tank(**numbers)
