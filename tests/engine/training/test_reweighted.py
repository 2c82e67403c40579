"""Weights of rows, each moved by its own rule, on straight lines whose rows are known."""

from itertools import pairwise
from typing import Any

import jax
import numpy as np
import pytest

from agewise.engine.training import AbstractObjective, Rows, Stage, train
from agewise.engine.training.reweighted import (
    ANCHOR,
    GAIN,
    MEMORY,
    NUMBERS,
    REWEIGHTED,
    MeanSquares,
)

KEY = jax.random.key(0)
RNG = np.random.default_rng(0)
INSIDE, WALL = RNG.normal(size=(12, 3)), 5 * RNG.normal(size=(4, 3))
TRUTH = np.array([1.0, -2.0, 0.5])


class Lines(AbstractObjective):
    """Errors inside and at a wall, both zero at the truth."""

    def terms(self, params, aux, *, key):
        raise NotImplementedError

    def rows(self, aux, *, key):
        def row(params, inputs):
            return inputs @ (params - TRUTH.astype(np.float32))

        return {"interior": Rows(row, INSIDE), "wall": Rows(row, WALL)}


def trained(rule: str, steps: int, rate: float = 0.02, look: int = 1) -> Any:
    """Trained on the lines, with a snapshot at every look."""
    first = REWEIGHTED[rule].first
    rng = np.random.default_rng(1)
    params = {
        NUMBERS: np.zeros(3),
        "interior": first(12, False, rng),
        "wall": first(4, True, rng),
    }
    name: Any = f"{rule}-adam"
    stage = Stage(name, steps, rate, look=look, snapshots=1)
    objective = MeanSquares(Lines(), ("wall",))
    return train(objective, params, {}, stage, name=rule, key=KEY)


@pytest.mark.parametrize("rule", REWEIGHTED)
def test_every_rule_comes_to_the_truth(rule: str):
    end = trained(rule, 600, rate=0.1, look=50)
    assert np.abs(end.params[NUMBERS] - TRUTH).max() < 0.1
    assert end.history["total"][-1] < 0.01 * end.history["total"][0]


def test_equal_weights_stay():
    assert all((one["interior"] == 1).all() for one in trained("equal", 3).snapshots)


def test_attention_is_a_running_mean_of_residuals_over_the_largest():
    snapshots = trained("attention", 3).snapshots
    weights, numbers = np.zeros(12), np.zeros(3)
    for one in snapshots:
        size = np.abs(INSIDE @ (numbers - TRUTH))
        weights = MEMORY * weights + GAIN * size / size.max()
        np.testing.assert_allclose(one["interior"], weights, rtol=1e-4)
        np.testing.assert_allclose(one["wall"], np.sqrt(ANCHOR))
        numbers = np.asarray(one[NUMBERS], dtype=float)


def test_adaptive_weights_rise_where_something_is_left():
    snapshots = trained("adaptive", 4).snapshots
    for before, after in pairwise(snapshots):
        assert (np.asarray(after["interior"]) > np.asarray(before["interior"])).all()
        assert (np.asarray(after["wall"]) > np.asarray(before["wall"])).all()


def test_kernel_weights_are_traces_of_the_tangent_kernel():
    # A line's gradient is its inputs, wherever the numbers are.
    inside, wall = (np.mean(np.sum(part**2, axis=1)) for part in (INSIDE, WALL))
    last = trained("kernel", 2).snapshots[-1]
    np.testing.assert_allclose(np.asarray(last["interior"]) ** 2, 1 + wall / inside, rtol=1e-4)
    np.testing.assert_allclose(np.asarray(last["wall"]) ** 2, 1 + inside / wall, rtol=1e-4)


class Still(Lines):
    """The same lines beside rows that do not depend on the numbers."""

    def rows(self, aux, *, key):
        still = Rows(lambda params, inputs: inputs @ TRUTH.astype(np.float32), WALL)
        return super().rows(aux, key=key) | {"still": still}


def test_kernel_weights_of_rows_with_nothing_to_learn_are_one():
    objective = MeanSquares(Still(), ("wall",))
    params = {NUMBERS: np.zeros(3), "interior": np.ones(12), "wall": np.ones(4)}
    params |= {"still": np.full(4, 7.0)}
    looked = REWEIGHTED["kernel"].looked(objective, params, {}, KEY)
    np.testing.assert_array_equal(looked["still"], 1.0)
    plain = REWEIGHTED["kernel"].looked(MeanSquares(Lines(), ("wall",)), params, {}, KEY)
    np.testing.assert_allclose(looked["wall"], plain["wall"])
