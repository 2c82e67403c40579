"""Cells of readings: their means, and how sure these are."""

import numpy as np

from agewise.transformer.oil.inverse.cells import Cells


def test_cells_average_what_was_read_and_nothing_else():
    seconds = np.arange(0.0, 7200.0, 60.0)
    low, high = seconds / 60, np.full(seconds.size, np.nan)
    high[30:60] = 5.0
    cells = Cells.of({0.8: high, 0.2: low}, seconds, 3600.0)
    assert cells.heights.tolist() == [0.2, 0.8]
    assert cells.sensor.tolist() == [0, 0, 1]
    np.testing.assert_allclose(cells.mean, [29.5, 89.5, 5.0])
    np.testing.assert_allclose(cells.seconds, [1770.0, 5370.0, 2670.0])
    values = np.concatenate([low, np.full(seconds.size, 7.0)])
    np.testing.assert_allclose(cells.averages @ values, [29.5, 89.5, 7.0])


def test_noise_is_what_scatters_about_the_expected_course():
    rng, seconds = np.random.default_rng(0), np.arange(0.0, 86400.0, 60.0)
    course = 30 + 10 * np.sin(seconds / 10_000)
    readings = course + rng.normal(0, 0.5, seconds.size)
    cells = Cells.of({0.5: readings}, seconds, 1800.0)
    law = np.ones_like(course)
    np.testing.assert_allclose(cells.std(course, law), 0.5 / np.sqrt(30), rtol=0.06)
    # A slope that is not expected would pass for noise.
    assert (cells.std(np.zeros_like(course), law) > 0.6 / np.sqrt(30)).all()


def test_noise_that_the_ends_find_larger_by_day_is_larger_inside():
    rng, seconds = np.random.default_rng(0), np.arange(0.0, 86400.0, 60.0)
    law = np.where(seconds < 43200, 1.0, 4.0)
    # Twice as noisy as the ends' sensors are.
    cells = Cells.of({0.5: rng.normal(0, 2 * np.sqrt(law))}, seconds, 1800.0)
    std = cells.std(np.zeros_like(law), law)
    np.testing.assert_allclose(std[:24], 2 / np.sqrt(30), rtol=0.06)
    np.testing.assert_allclose(std[24:], 4 / np.sqrt(30), rtol=0.06)
