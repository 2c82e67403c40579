"""Draws of a unit that lives, against truncated distributions in closed form."""

import numpy as np
import pytest
from scipy.stats import norm

from agewise.transformer.prognostics.survival import EACH, Pairs, chosen, living

COUNT = 2000


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def no_evidence(pairs: Pairs) -> np.ndarray:
    return np.zeros(pairs.life.shape)


def drawn_pairs(life: float, life_std: float, used: float) -> Pairs:
    values = rng().normal(life, life_std, (COUNT, EACH))
    return Pairs(values, np.full(values.shape, used))


@pytest.mark.parametrize("used", [80.0, 100.0, 125.0])
def test_a_life_that_is_longer_than_the_past_is_a_truncated_normal(used: float):
    loss = np.full(COUNT, 1.0)
    said = living(loss, drawn_pairs(100.0, 10.0, used), no_evidence, rng=rng())
    cut = (used + 1.0 - 100.0) / 10.0
    assert said.possible == pytest.approx(norm.sf(cut), rel=0.05)
    assert not said.past_doubted
    # Mean of a normal above a cut: the ratio of density and tail.
    expected = 100.0 + 10.0 * norm.pdf(cut) / norm.sf(cut)
    assert said.life.mean() == pytest.approx(expected, abs=0.3)
    assert (said.life - said.used - loss > 0).all()


def test_draws_that_age_faster_are_believed_less():
    """Two kinds of draws, in one of which half of the lives would be over."""
    loss = np.where(np.arange(COUNT) % 2, 0.0, 50.0)
    said = living(loss, drawn_pairs(100.0, 10.0, 50.0), no_evidence, rng=rng())
    assert np.mean(said.rows % 2 == 0) == pytest.approx(1 / 3, abs=0.03)


def test_a_past_that_leaves_nothing_is_not_believed():
    loss = np.full(COUNT, 10.0)
    said = living(loss, drawn_pairs(100.0, 10.0, 1000.0), no_evidence, rng=rng())
    assert said.past_doubted
    assert said.possible == 0.0
    left = said.life - said.used - loss
    assert (left > 0).all()
    # Any share of what there is beside the window, alike.
    share = said.used / (said.life - loss)
    np.testing.assert_allclose(np.quantile(share, [0.1, 0.5, 0.9]), [0.1, 0.5, 0.9], atol=0.03)


def test_a_window_that_uses_more_than_there_is_has_draws_nonetheless():
    said = living(np.full(COUNT, 500.0), drawn_pairs(100.0, 10.0, 0.0), no_evidence, rng=rng())
    assert said.rows.size == COUNT
    assert said.effective == 0.0


def test_what_is_chosen_has_its_weight():
    weights = np.array([0.0, 1.0, 2.0, 0.0, 5.0])
    counts = np.bincount(chosen(weights, 8000, rng=rng()), minlength=5)
    np.testing.assert_allclose(counts, 1000 * weights, atol=1)
    np.testing.assert_array_equal(chosen(np.ones(7), 7, rng=rng()), np.arange(7))
