"""A watched unit whose windings are loaded differently: the oil by all, the hot spot by one."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from agewise.assessment.calibration.calibrate import learned_nameplate
from agewise.fleet.watch.new_readings import recent_readings
from agewise.fleet.watch.unit_watch import begun
from agewise.plant.profile import Profile
from agewise.plant.quantity import Quantity
from agewise.twin.twin import Twin, TwinSettings, make_twin

SHARE = 0.6
"""Load that heats the oil over that of the hottest winding."""


@cache
def twin() -> Twin:
    return make_twin(TwinSettings(seed=100, case="aged-substation", days=3))


def several() -> Profile:
    """The same oil, heated by a winding with more load beside others with less."""
    load = twin().profile.load
    return replace(twin().profile, load=load / SHARE, oil_share=np.full(load.size, SHARE))


def test_oil_and_winding_have_each_its_own_heating():
    one, other = (
        recent_readings(each, twin().nameplate, None) for each in (twin().profile, several())
    )
    assert np.allclose(other.cells.heating, one.cells.heating)
    assert np.allclose(other.winding_heating, one.winding_heating / SHARE**2)
    assert np.allclose(other.oil_part, SHARE**2) and np.allclose(one.oil_part, 1.0)


def test_life_used_and_planned_are_those_of_the_same_temperatures():
    plain = learned_nameplate(twin().profile, twin().nameplate)
    # Of a gradient that makes up for the higher load, so that the hot spot is the same.
    gradient = plain.winding.gradient_k.mean * SHARE**plain.winding.exponent.mean
    winding = plain.winding.model_copy(update={"gradient_k": Quantity(mean=gradient)})
    other = plain.model_copy(update={"winding": winding})
    states = [begun(plain, twin().profile)[1].state, begun(other, several())[1].state]
    for name in ("week used", "week planned"):
        alone, together = (float(state.own[name].sum()) for state in states)
        # What the air's thermometer reads too much with the load was learned of the lower one.
        assert together == pytest.approx(alone, rel=0.1)
