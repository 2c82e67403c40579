"""Where windows meet: their answers are mixed, and what they disagree on is not known."""

import numpy as np
import pytest

from agewise.assessment.oil.assessment import Assessment, Window
from agewise.assessment.oil.spans import RAMP_H, Span
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.units import SECONDS_PER_HOUR

JOINT = 1e6
RAMP = RAMP_H * SECONDS_PER_HOUR


def sure_of(
    mean: float,
    epistemic: float,
    aleatoric: float,
    *,
    joint: float = -np.inf,
    until: float = np.inf,
) -> Window:
    """A window that says the same of every point."""

    def predict(heights: np.ndarray, seconds: np.ndarray) -> Prediction:
        return Prediction(*(np.full(seconds.size, value) for value in (mean, epistemic, aleatoric)))

    window = object.__new__(Window)
    vars(window).update(span=Span(0, 1, joint, until), predict=predict)
    return window


@pytest.fixture
def assessment() -> Assessment:
    windows = (
        sure_of(50.0, 0.1, 0.4, until=JOINT),
        sure_of(53.0, 0.3, 0.8, joint=JOINT),
    )
    joined = object.__new__(Assessment)
    vars(joined).update(windows=windows)
    return joined


def test_disagreement_is_epistemic_as_that_of_a_mixture(assessment: Assessment):
    seconds = JOINT + np.linspace(-1.5, 1.5, 13) * RAMP
    answer = assessment.predict_at(np.zeros(13), seconds)
    later = assessment.windows[1].span.weight(seconds)
    np.testing.assert_allclose(answer.mean, 50.0 + 3.0 * later)
    np.testing.assert_allclose(answer.aleatoric, 0.4 + 0.4 * later)
    mixed = 0.1 + 0.2 * later + 9.0 * later * (1 - later)
    np.testing.assert_allclose(answer.epistemic, mixed)
    assert answer.epistemic[6] == pytest.approx(0.2 + 1.5**2)


def test_beyond_the_ramp_one_window_speaks_alone(assessment: Assessment):
    seconds = JOINT + np.array([-1.001, 1.001]) * RAMP
    answer = assessment.predict_at(np.zeros(2), seconds)
    np.testing.assert_array_equal(answer.mean, [50.0, 53.0])
    np.testing.assert_array_equal(answer.epistemic, [0.1, 0.3])


def test_half_way_between_its_hours_the_ramp_is_even(assessment: Assessment):
    weight = assessment.windows[1].span.weight(JOINT + np.array([-RAMP, 0.0, RAMP]))
    np.testing.assert_allclose(weight, [0.0, 0.5, 1.0])
