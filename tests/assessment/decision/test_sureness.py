"""A network that is surer than it should be is told so, and no other method."""

from dataclasses import replace

import pytest

from agewise.assessment.decision.sureness import readings_an_hour, sureness
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.settings import Settings
from agewise.engine.presets import default
from agewise.twin.twin import TwinSettings, make_twin

HOURS = 12.0


def as_network(fit: Assessment, readings: int = 0) -> Assessment:
    """The same as if a network had made it, of so many readings."""
    network = default("vi", "heteroscedastic")
    fewer = replace(network, likelihood=replace(network.likelihood, readings=readings))
    return replace(fit, settings=replace(fit.settings, method="vi", network=fewer))


@pytest.fixture(scope="module")
def noisy() -> Assessment:
    """Half a day by a method that takes no time; what is known of it is the same for all."""
    twin = make_twin(TwinSettings(seed=100, days=HOURS / 24))
    return assess(twin.profile, twin.nameplate, Settings(method="line"), as_given=True)


def test_readings_are_what_the_twin_has(noisy: Assessment):
    assert readings_an_hour(as_network(noisy)) == pytest.approx(60.0, rel=0.01)
    few = as_network(noisy, readings=int(2 * HOURS))
    assert readings_an_hour(few) == pytest.approx(1.0, rel=0.01)


def test_sound_readings_say_nothing_of_a_network(noisy: Assessment):
    assert sureness(as_network(noisy)) == []
    few = as_network(noisy, readings=int(HOURS))
    assert sureness(replace(few, settings=replace(few.settings, method="exact"))) == []


def test_too_few_readings_make_a_network_too_sure(noisy: Assessment):
    (finding,) = sureness(as_network(noisy, readings=int(HOURS)))
    assert "0.5 times an hour" in finding.text
    assert sureness(as_network(noisy, readings=int(6 * HOURS))) == []
