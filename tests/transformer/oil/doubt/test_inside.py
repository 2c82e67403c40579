"""Readings between the ends in cells: as sure as their noise allows, however many a cell has."""

import numpy as np
import pytest

from agewise.transformer.oil.doubt.inside import inside_readings

CELL, NOISE = 3600.0, 0.5


def stds(counts: list[int], *, seed: int = 0) -> np.ndarray:
    """What is stated of the means of cells with so many white readings each."""
    rng, window = np.random.default_rng(seed), len(counts) * CELL
    cells = [CELL * (cell + (np.arange(n) + 0.5) / n) for cell, n in enumerate(counts)]
    times = np.concatenate(cells) / window
    values = NOISE * rng.standard_normal(times.size)
    found = inside_readings({0.5: values}, times, {0.5: np.zeros_like(values)}, window, CELL)
    assert found is not None
    return found.std


@pytest.mark.parametrize("counts", [[1], [1, 2], [2], [2, 3], [6]])
def test_the_mean_of_a_cell_is_as_sure_as_its_readings_are_many(counts: list[int]):
    many = counts * 1000
    np.testing.assert_allclose(stds(many), NOISE / np.sqrt(many), rtol=0.1)


@pytest.mark.parametrize("counts", [[1], [2], [1, 1], [1, 2]])
def test_a_few_readings_are_in_doubt_by_a_number(counts: list[int]):
    """Over many such records, the stated doubt is that of the means, or more."""
    drawn = np.array([stds(counts, seed=seed) for seed in range(200)])
    assert np.isfinite(drawn).all()
    assert (np.sqrt(np.mean(drawn**2, axis=0)) > 0.9 * NOISE / np.sqrt(counts)).all()
