"""What lies between two samples."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from agewise.transformer.between_samples import interval_load, sample_positions, subdivided

samples = st.lists(st.floats(0.5, 5e3), min_size=1, max_size=20).map(
    lambda gaps: np.append(0.0, np.cumsum(gaps))
)
longest = st.floats(5.0, 1e4)


@given(seconds=samples, longest_step=longest)
def test_samples_stand_where_they_are_said_to(seconds: np.ndarray, longest_step: float):
    fine = subdivided(seconds, longest_step)
    positions = sample_positions(seconds, longest_step)
    np.testing.assert_array_equal(fine[positions], seconds)
    assert positions[-1] == fine.size - 1


@given(seconds=samples, longest_step=longest)
def test_steps_are_short_equal_and_no_more_than_needed(seconds: np.ndarray, longest_step: float):
    steps = np.diff(subdivided(seconds, longest_step))
    counts = np.diff(sample_positions(seconds, longest_step))
    gaps = np.diff(seconds)
    assert steps.min() > 0
    assert steps.max() <= longest_step * (1 + 1e-6)
    np.testing.assert_allclose(steps, np.repeat(gaps / counts, counts), rtol=1e-6)
    assert np.all((counts == 1) | (gaps / np.maximum(counts - 1, 1) > longest_step * (1 - 1e-6)))


@given(count=st.integers(1, 50), step=st.floats(0.1, 100.0), parts=st.integers(1, 7))
def test_whole_multiples_are_not_cut_once_more(count: int, step: float, parts: int):
    seconds = step * parts * np.arange(count + 1.0)
    assert subdivided(seconds, step).size == count * parts + 1


def test_load_belongs_to_the_interval_that_its_logger_means():
    load = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    np.testing.assert_array_equal(interval_load(load, "backward"), [[2.0, 3.0], [5.0, 6.0]])
    np.testing.assert_array_equal(interval_load(load, "forward"), [[1.0, 2.0], [4.0, 5.0]])
