"""What the check says of errors whose law is known."""

import numpy as np
import pytest

from agewise.engine.equations.posterior.check import neighbour_correlation, readings_finding


@pytest.mark.parametrize("times", [1, 2, 5])
def test_white_noise_is_not_correlated_however_often_a_place_was_read(times: int):
    places = np.repeat(np.linspace(0.0, 1.0, 3000), times)[:, None]
    noise = np.random.default_rng(times).standard_normal(len(places))
    # Two readings of one place are each other's neighbours, so 3000 products are at least free.
    assert abs(neighbour_correlation(places, noise)) < 4 / np.sqrt(3000)


def test_pairs_of_readings_with_white_noise_are_explained():
    places = np.repeat(np.linspace(0.0, 1.0, 30), 2)[:, None]
    noise = np.random.default_rng(0).standard_normal(60)
    assert readings_finding("gauge", places, noise, None) is None


def test_errors_that_pairs_share_are_found():
    places = np.repeat(np.linspace(0.0, 1.0, 30), 2)[:, None]
    shared = np.repeat(np.random.default_rng(0).standard_normal(30), 2)
    assert neighbour_correlation(places, shared) == pytest.approx(1.0)


@pytest.mark.parametrize(("noise", "said"), [(1e-2, True), (1e-5, False)])
def test_smooth_errors_far_below_the_readings_are_no_finding(noise: float, said: bool):
    places = np.linspace(0.0, 1.0, 60)[:, None]
    smooth = np.sqrt(2) * np.sin(2 * np.pi * places[:, 0])
    assert (readings_finding("gauge", places, smooth, noise) is not None) == said
