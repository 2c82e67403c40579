"""What is learned from: an oil's readings, and not the faults of its thermometer."""

import numpy as np

from agewise.transformer.calibration.believable import believable

MINUTES = np.arange(0.0, 4 * 1440.0, 15.0)
AIR = 20 + 6 * np.sin(2 * np.pi * MINUTES / 1440)


def oil() -> np.ndarray:
    """Days of a heavily loaded unit: from 40 to 90 °C and back."""
    return 65 + 25 * np.sin(2 * np.pi * (MINUTES - 300) / 1440)


def test_sound_readings_are_all_kept():
    np.testing.assert_array_equal(believable(oil(), AIR), oil())
    holes = oil()
    holes[10:50] = np.nan
    np.testing.assert_array_equal(believable(holes, AIR), holes)


def test_codes_and_spikes_are_left_out():
    faulty, wrong = oil(), [5, 100, 101, 102, 103, 200, 300]
    faulty[wrong[1:5]] = 248.0  # a probe that comes loose for an hour
    faulty[wrong[0]], faulty[wrong[5]], faulty[wrong[6]] = 0.0, -17.8, oil()[300] + 30
    kept = believable(faulty, AIR)
    assert np.isnan(kept[wrong]).all()
    right = np.setdiff1d(np.arange(MINUTES.size), wrong)
    np.testing.assert_array_equal(kept[right], faulty[right])


def test_a_unit_that_is_hot_for_long_is_believed():
    """Half of the time above the limit: no fault of a few readings."""
    hot = oil() + 60
    np.testing.assert_array_equal(believable(hot, AIR), hot)
    assert np.isnan(believable(np.full(5, np.nan), AIR[:5])).all()
