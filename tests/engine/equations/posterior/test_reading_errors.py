"""What the check says of errors whose law is known, and how often it is wrong."""

import numpy as np
import pytest

from agewise.engine.equations.posterior.reading_errors import (
    course_chance,
    neighbour_correlation,
    readings_finding,
)

DRAWS = 2000


@pytest.mark.parametrize("times", [1, 2, 5])
def test_white_noise_is_not_correlated_however_often_a_place_was_read(times: int):
    places = np.repeat(np.linspace(0.0, 1.0, 3000), times)[:, None]
    noise = np.random.default_rng(times).standard_normal(len(places))
    # Two readings of one place are each other's neighbours, so 3000 products are at least free.
    assert abs(neighbour_correlation(places, noise)) < 4 / np.sqrt(3000)


def test_errors_that_pairs_share_are_found():
    places = np.repeat(np.linspace(0.0, 1.0, 30), 2)[:, None]
    shared = np.repeat(np.random.default_rng(0).standard_normal(30), 2)
    assert neighbour_correlation(places, shared) == pytest.approx(1.0)


@pytest.mark.parametrize(("count", "axes"), [(4, 1), (8, 1), (30, 2)])
@pytest.mark.parametrize("law", ["normal", "heavy", "known"])
def test_white_noise_follows_a_course_as_seldom_as_its_chance_says(count: int, axes: int, law: str):
    rng = np.random.default_rng(count)
    places = rng.uniform(size=(count, axes))
    heavy, known = law == "heavy", law == "known"
    draw = (lambda: rng.standard_t(2, count)) if heavy else (lambda: rng.standard_normal(count))
    chances = np.array([course_chance(places, draw(), known=known)[0] for _ in range(DRAWS)])
    # Three standard deviations of a count above what each chance allows at the most.
    for chance in (0.1, 0.01):
        allowed = DRAWS * chance
        assert (chances < chance).sum() < allowed + 3 * np.sqrt(allowed)


@pytest.mark.parametrize("places", [np.zeros((9, 1)), np.full((9, 2), 0.5)])
def test_readings_of_one_place_tell_an_offset_alone(places: np.ndarray):
    noise = np.random.default_rng(0).standard_normal(9)
    assert course_chance(places, noise)[0] > 1e-3
    assert course_chance(places, noise + 30.0)[0] < 1e-6


@pytest.mark.parametrize("known", [True, False])
def test_readings_too_few_for_a_line_follow_none(known: bool):
    places = np.array([[0.2], [0.5], [0.8]])
    assert course_chance(places, np.array([1.0, 2.0, 3.0]), known=known) == (1.0, 0.0)


def test_eight_readings_that_lie_on_another_curve_are_no_accident():
    places = np.linspace(0.05, 1.0, 8)[:, None]
    errors = np.exp(-2 * places[:, 0]) - np.exp(-4 * places[:, 0])
    errors += 0.01 * np.random.default_rng(0).standard_normal(8)
    chance, share = course_chance(places, errors / errors.std())
    assert chance < 1e-3
    assert share > 0.9


def test_pairs_of_readings_with_white_noise_are_explained():
    places = np.repeat(np.linspace(0.0, 1.0, 30), 2)[:, None]
    noise = np.random.default_rng(0).standard_normal(60)
    assert readings_finding("gauge", places, noise, None) is None


def test_eight_readings_that_contradict_an_equation_are_found():
    places = np.linspace(0.05, 1.0, 8)[:, None]
    errors = np.exp(-2 * places[:, 0]) - np.exp(-4 * places[:, 0])
    noise = 0.01 * np.random.default_rng(0).standard_normal(8)
    assert readings_finding("gauge", places, (errors + noise) / errors.std(), 0.3) is not None
    assert readings_finding("gauge", places, noise / noise.std(), 0.3) is None


@pytest.mark.parametrize("count", [10, 60])
def test_errors_far_below_their_stated_noise_may_lie_on_a_curve(count: int):
    """Readings without noise for which some was stated: what smooths them leaves a curve."""
    places = np.linspace(0.0, 1.0, count)[:, None]
    smooth = np.sqrt(2) * np.sin(2 * np.pi * places[:, 0])
    assert readings_finding("gauge", places, 0.1 * smooth, None) is None
    assert readings_finding("gauge", places, 2.0 * smooth, None) is not None


@pytest.mark.parametrize(("noise", "said"), [(1e-2, True), (1e-5, False)])
def test_smooth_errors_far_below_the_readings_are_no_finding(noise: float, said: bool):
    places = np.linspace(0.0, 1.0, 60)[:, None]
    smooth = np.sqrt(2) * np.sin(2 * np.pi * places[:, 0])
    assert (readings_finding("gauge", places, smooth, noise) is not None) == said
