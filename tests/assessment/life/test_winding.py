"""A load that was filled in is wrong for a whole day, not from sample to sample."""

from itertools import islice

import numpy as np

from agewise.assessment.life.winding import Winding
from agewise.twin.cases import bundled_case
from agewise.units import SECONDS_PER_DAY

SECONDS = np.arange(0.0, 3 * SECONDS_PER_DAY, 600.0)
FILLED = (SECONDS > 0.5 * SECONDS_PER_DAY) & (SECONDS < 2.5 * SECONDS_PER_DAY)
WINDING = Winding(
    bundled_case("floating-pv").nameplate(),
    "backward",
    SECONDS,
    np.full(SECONDS.size, 0.8),
    np.where(FILLED, 0.05, 0.0),
)


def test_a_filled_load_is_off_by_the_same_all_day():
    off = np.stack(list(islice(WINDING.loads(True), 400))) - 0.8
    assert (off[:, ~FILLED] == 0).all()
    day = (SECONDS // SECONDS_PER_DAY).astype(int)
    for number in range(3):
        assert np.ptp(off[:, FILLED & (day == number)], axis=1).max() < 1e-12
    first, second = (off[:, np.flatnonzero(FILLED & (day == n))[0]] for n in (0, 1))
    np.testing.assert_allclose(first.std(), 0.05, rtol=0.15)
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.2


def test_a_load_that_is_not_varied_is_as_it_was_given():
    for load in islice(WINDING.loads(False), 3):
        np.testing.assert_array_equal(load, 0.8)
