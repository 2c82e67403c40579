"""What every ageing law of the registry promises, and what the guide prints of its two."""

import numpy as np
import pytest

from agewise.errors import InputError
from agewise.plant.nameplate_file import nameplate_from
from agewise.transformer.ageing.law import AbstractAgeingLaw
from agewise.transformer.ageing.normal import DOUBLING, NormalPaper
from agewise.transformer.ageing.registry import DEFAULT_LAW, LAWS, ageing_law
from agewise.transformer.ageing.upgraded import UpgradedPaper
from agewise.transformer.prognostics.unknowns import drawn

every_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
CELSIUS = np.linspace(-40.0, 200.0, 481)
UNIT = """
rated_power_kva = 1100.0
no_load_losses_w = 842.0
load_losses_w = 9800.0
[insulation]
"""


@every_law
def test_an_hour_at_the_reference_is_an_hour_of_life_whatever_is_unknown(law: AbstractAgeingLaw):
    reference = np.array([law.reference_hot_spot])
    assert law.rate(reference)[0] == 1.0
    draws = drawn(law.unknowns(), 50, seed=0)
    np.testing.assert_allclose(law.rate(reference, draws), 1.0, rtol=1e-12)


@every_law
def test_hotter_paper_ages_faster(law: AbstractAgeingLaw):
    assert (law.rate(CELSIUS) > 0).all()
    assert (np.diff(law.rate(CELSIUS)) > 0).all()
    draws = {name: values[:, None] for name, values in drawn(law.unknowns(), 50, seed=0).items()}
    assert (np.diff(law.rate(CELSIUS, draws), axis=1) > 0).all()


@every_law
def test_what_is_left_out_is_at_its_mean(law: AbstractAgeingLaw):
    means = {unknown.name: unknown.mean for unknown in law.unknowns()}
    np.testing.assert_array_equal(law.rate(CELSIUS, means), law.rate(CELSIUS))
    with pytest.raises(ValueError, match="has no \\['temper'\\]"):
        law.rate(CELSIUS, {"temper": 1.0})


@every_law
def test_unknowns_are_drawn_with_their_spread_and_each_matters(law: AbstractAgeingLaw):
    draws, off = drawn(law.unknowns(), 4000, seed=1), law.reference_hot_spot - 20.0
    for unknown in law.unknowns():
        assert unknown.source == "ageing law"
        assert 0 < unknown.std < unknown.mean - unknown.least
        assert draws[unknown.name].mean() == pytest.approx(unknown.mean, abs=0.1 * unknown.std)
        assert draws[unknown.name].std() == pytest.approx(unknown.std, rel=0.05)
        assert law.rate(np.array([off]), {unknown.name: draws[unknown.name]}).std() > 0


@every_law
def test_a_nameplate_asks_for_it_by_its_name(law: AbstractAgeingLaw):
    assert ageing_law(law.name) is law
    insulation = nameplate_from(UNIT + f'paper = "{law.name}"').insulation
    assert insulation.law is law
    assert insulation.life_hours.mean == law.normal_life > 0
    given = nameplate_from(UNIT + f'paper = "{law.name}"\nlife_hours = 1e5').insulation
    assert given.life_hours.mean == 1e5
    assert law.source


def test_no_law_means_the_default_and_a_strange_one_is_refused():
    assert nameplate_from(UNIT).insulation.law is DEFAULT_LAW
    with pytest.raises(InputError, match=r"paper.*choose one of 'normal', 'upgraded'"):
        nameplate_from(UNIT + 'paper = "pressboard"')
    with pytest.raises(InputError, match="no ageing law for 'pressboard' paper"):
        ageing_law("pressboard")


@pytest.mark.parametrize(
    ("law", "celsius", "rate"),
    [
        (NormalPaper(), 98.0, 1.0),
        (NormalPaper(), 80.0, 0.125),
        (NormalPaper(), 110.0, 4.0),
        (UpgradedPaper(), 110.0, 1.0),
        (UpgradedPaper(), 80.0, pytest.approx(0.036, abs=5e-4)),
        (UpgradedPaper(), 98.0, pytest.approx(0.282, abs=1e-3)),
        (UpgradedPaper(), 140.0, pytest.approx(17.2, abs=0.05)),
    ],
)
def test_rates_as_the_guide_prints_them(law: AbstractAgeingLaw, celsius: float, rate: float):
    assert law.rate(np.array([celsius]))[0] == rate


def test_normal_paper_doubles_with_its_kelvin():
    for kelvin in (5.0, 6.0, 7.0):
        cool, warm = (
            NormalPaper().rate(CELSIUS + more, {DOUBLING: kelvin}) for more in (0.0, kelvin)
        )
        np.testing.assert_allclose(warm, 2 * cool, rtol=1e-12)


def test_upgraded_paper_is_steeper_as_its_activation_energy():
    """The exponent is proportional to the activation energy: a fifth more is the power 6/5."""
    printed, steeper = (UpgradedPaper().rate(CELSIUS, {DOUBLING: kelvin}) for kelvin in (6.0, 5.0))
    np.testing.assert_allclose(steeper, printed**1.2, rtol=1e-12)
