"""Values with their doubt, in words."""

import re

import pytest

from agewise.plant.spread import percent_text, spread_text


@pytest.mark.parametrize(
    ("mean", "std", "said"),
    [
        (1.0, 0.01, "1.00 ± 0.01"),
        (10.0, 10.0, "10.00 ± 10.00"),
        (10.0, 31.28, "between 0.00 and 61.46"),
    ],
)
def test_a_doubt_larger_than_its_value_is_an_interval(mean: float, std: float, said: str):
    assert spread_text(mean, std, least=0.0) == said


def test_without_a_least_value_the_interval_holds_nine_in_ten():
    low, high = map(float, re.findall(r"-?\d+\.\d+", spread_text(1.0, 2.0)))
    assert (low + high) / 2 == pytest.approx(1.0, abs=0.01)
    assert (high - low) / 2 == pytest.approx(1.645 * 2.0, abs=0.01)


@pytest.mark.parametrize("share", [1e-6, 0.0029, 0.18, 1.1, 12.3])
def test_a_percentage_has_no_power_of_ten(share: float):
    text = percent_text(share)
    assert "e" not in text and text.endswith(" %")
    assert float(text[:-2]) == pytest.approx(100 * share, rel=0.06)
