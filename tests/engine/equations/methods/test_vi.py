"""Independent numbers whose functions are as unsure as those of dependent ones."""

import numpy as np

from agewise.engine.equations.methods.vi import matched

RNG = np.random.default_rng(0)
SQUARES = RNG.normal(size=(200, 30)) ** 2


def divergence(variances: np.ndarray, target: np.ndarray) -> float:
    ratio = target / (SQUARES @ variances)
    return float(np.mean(ratio - np.log(ratio) - 1) / 2)


def test_variances_that_independent_numbers_can_have_are_found():
    truth = RNG.uniform(0.1, 2.0, 30)
    target = SQUARES @ truth
    found = matched(np.full(30, 0.5), SQUARES, target)
    np.testing.assert_allclose(SQUARES @ found, target, rtol=0.02)


def test_what_they_cannot_have_is_met_as_nearly_as_can_be_and_never_negative():
    target = np.exp(RNG.normal(size=200))
    found = matched(np.full(30, 0.5), SQUARES, target)
    assert (found >= 0).all()
    nudged = [divergence(found * (1 + step * RNG.normal(size=30)), target) for step in (0.1, 0.3)]
    assert divergence(found, target) < min(nudged)


def test_a_number_that_moves_nothing_keeps_its_variance():
    squares = SQUARES.copy()
    squares[:, 3] = 0.0
    assert matched(np.full(30, 0.7), squares, squares @ np.ones(30))[3] == 0.7
