"""What is in doubt about the constants of the equation before anything is learned."""

import calibrated
import numpy as np
import pytest

from agewise.assessment.oil.constant_doubt import equation_doubts
from agewise.assessment.oil.lower_end import lower_end
from agewise.plant.nameplate_file import nameplate_from
from agewise.transformer.oil.doubt.sensitivity import CONSTANTS


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
    doubts = equation_doubts(profile, unit, lower_end(profile, unit, "backward"), inside=False)
    std = dict(zip(CONSTANTS, np.std(doubts.constants, axis=0), strict=True))
    assert std["rise"] == pytest.approx(share, rel=0.1, abs=1e-5)
    assert std["lag"] == pytest.approx(0.10, rel=0.1), "given without a `std`"
