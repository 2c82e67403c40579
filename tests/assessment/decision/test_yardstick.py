"""A method that does badly says so, and one that does not keeps silent."""

from dataclasses import replace

import pytest

from agewise.assessment.decision.findings import noted_of
from agewise.assessment.decision.yardstick import WEAKNESSES
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.methods import METHODS
from agewise.assessment.oil.settings import Settings
from agewise.twin.twin import TwinSettings, make_twin


@pytest.fixture(scope="module")
def fitted() -> Assessment:
    twin = make_twin(TwinSettings(seed=100, days=0.5))
    return assess(twin.profile, twin.nameplate, Settings(method="line"), as_given=True)


@pytest.mark.parametrize("method", METHODS)
def test_methods_for_comparison_say_that_they_are(fitted: Assessment, method: str):
    told = noted_of(replace(fitted, settings=replace(fitted.settings, method=method))).findings
    texts = [finding.text for finding in told if finding.kind == "method"]
    assert bool(texts) == (method in WEAKNESSES)
    assert all(f"`{method}` is meant for comparison" in text for text in texts)
