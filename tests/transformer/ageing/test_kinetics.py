"""Paper in water and air, against the rate constants and lives that the guide prints."""

import numpy as np
import pytest

from agewise.plant.nameplate_file import nameplate_from
from agewise.transformer.ageing.kinetics import (
    KINETICS,
    MOISTURE,
    OXYGEN,
    kinetic_paper,
    wetness_factor,
)
from agewise.transformer.ageing.normal import DOUBLING
from agewise.transformer.ageing.registry import ageing_law

CELSIUS = np.linspace(40.0, 160.0, 121)
UNIT = "rated_power_kva = 1100.0\nno_load_losses_w = 842.0\nload_losses_w = 9800.0\n[insulation]\n"
every_paper = pytest.mark.parametrize("paper", KINETICS)


def printed(paper: str, water: int, celsius: np.ndarray, *, air: bool = False) -> np.ndarray:
    """Rate of 1/DP [1/h] as annex A writes it."""
    table = KINETICS[paper]
    a, energy = table.airless[water], table.airless_energy
    if air:
        a, energy = table.aired, table.aired_energy
    return a * np.exp(-energy / (8.314e-3 * (celsius + 273.15)))


@every_paper
@pytest.mark.parametrize(("percent", "water"), [(0.5, 0), (1.5, 1), (3.5, 2)])
def test_rates_are_in_the_ratios_of_the_printed_constants(paper: str, percent: float, water: int):
    law = kinetic_paper(paper, (percent, 0.1), "sealed")
    said = law.rate(CELSIUS, {MOISTURE: percent, OXYGEN: 0.0})
    dry = printed(paper, 0, np.array([law.reference_hot_spot]))
    np.testing.assert_allclose(said, printed(paper, water, CELSIUS) / dry, rtol=1e-9)


@every_paper
def test_air_brings_the_printed_constants_too(paper: str):
    law = kinetic_paper(paper, (0.5, 0.1), "free-breathing")
    said = law.rate(CELSIUS, {MOISTURE: 0.5, OXYGEN: 1.0})
    dry = printed(paper, 0, np.array([law.reference_hot_spot]))
    np.testing.assert_allclose(said, printed(paper, 0, CELSIUS, air=True) / dry, rtol=1e-9)


def test_dry_paper_lasts_as_long_as_the_guide_says():
    """From 1000 to 200 at 98 °C, without air and with 0.5 % of water: about 11.7 years."""
    rate = printed("normal", 0, np.array([98.0]))[0]
    assert (1 / 200 - 1 / 1000) / rate / 8766 == pytest.approx(11.7, rel=0.03)


@every_paper
def test_wetter_hotter_and_more_aired_paper_ages_faster(paper: str):
    water = np.linspace(0.2, 8.0, 79)
    factors = wetness_factor(KINETICS[paper], water)
    assert (np.diff(factors) >= 0).all()
    assert (np.diff(factors[water > 0.5]) > 0).all()
    law = kinetic_paper(paper, None, None)
    for kelvin in (5.0, 6.0, 7.0):
        assert (np.diff(law.rate(CELSIUS, {DOUBLING: kelvin})) > 0).all()
    cool = np.array([80.0])
    assert law.rate(cool, {OXYGEN: 1.0}) > law.rate(cool, {OXYGEN: 0.0})


def test_nothing_given_is_the_law_as_it_was_and_what_is_not_given_is_in_doubt():
    assert nameplate_from(UNIT).ageing_law is ageing_law("normal")
    wet = nameplate_from(UNIT + "moisture_percent = { mean = 3.0, std = 0.4 }").ageing_law
    water, air = wet.unknowns()[1:]
    assert (water.mean, water.std) == (3.0, 0.4)
    assert air.std == 0.3
    breathing = nameplate_from(UNIT + 'breathing = "sealed"').ageing_law
    assert breathing.unknowns()[1].std == 1.0
    assert breathing.unknowns()[2].mean < 0.1
    told = nameplate_from(UNIT.replace("[insulation]", "[evidence]\nmoisture_percent = 2.5"))
    assert told.ageing_law.unknowns()[1].std == 1.0
