"""What is in doubt about the constants of the equation before anything is learned."""

from dataclasses import replace

import calibrated
import numpy as np
import pytest

from agewise.assessment.oil.constant_doubt import equation_doubts
from agewise.assessment.oil.lower_end import lower_end
from agewise.plant.nameplate_file import nameplate_from
from agewise.plant.profile import Profile
from agewise.transformer.between_samples import Hold
from agewise.transformer.oil.doubt.sensitivity import CONSTANTS, step_means


@pytest.mark.parametrize(
    ("field", "share"),
    [
        ("bottom_rise_k = 30.0", 0.30),  # the table's rise
        ("top_oil_rise_k = 45.0", 0.05),
        ("top_oil_rise_k = { mean = 45.0, std = 9.0 }", 0.20),
        ("top_oil_rise_k = { mean = 45.0, std = 0.0 }", 0.0),
    ],
)
def test_a_rise_is_as_doubtful_as_the_nameplate_declares(field: str, share: float):
    unit, profile = nameplate_from(calibrated.PLATE.format(field)), calibrated.profile(1.0)
    doubts = equation_doubts(
        profile, unit, lower_end(profile, unit, "backward"), hold="backward", inside=False
    )
    std = dict(zip(CONSTANTS, np.std(doubts.constants, axis=0), strict=True))
    assert std["rise"] == pytest.approx(share, rel=0.1, abs=1e-5)
    assert std["lag"] == pytest.approx(0.10, rel=0.1), "given without a `std`"


def test_the_rise_is_that_of_the_interval_that_a_load_stands_for():
    """One load of the unit, by a logger that stamps the end of an average and one of its start."""
    unit, ended = calibrated.TRUTH, calibrated.profile(1.0)
    begun = replace(ended, load=np.append(ended.load[1:], 0.0))
    cases: list[tuple[Profile, Hold]] = [(ended, "backward"), (begun, "forward")]
    rises = [
        equation_doubts(p, unit, lower_end(p, unit, hold), hold=hold, inside=False).rise
        for p, hold in cases
    ]
    np.testing.assert_array_equal(rises[0], rises[1])
    # Over a step that begins and ends between samples too.
    seconds, instants = np.array([0.0, 900.0, 1800.0]), np.array([0.0, 600.0, 1200.0, 1800.0])
    means = step_means(seconds, np.array([2.0, 4.0]), instants)
    np.testing.assert_allclose(means, [2.0, 3.0, 4.0])
