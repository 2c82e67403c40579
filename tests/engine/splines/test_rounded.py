"""A rounded factor: the same Gaussian to a thousandth, the same bits from a file."""

import numpy as np
import pytest

from agewise.engine.splines.blocks import BlockCholesky, BlockTridiagonal
from agewise.engine.splines.rounded import STEPS, RoundedFactor


def factor(blocks: int, size: int) -> BlockCholesky:
    rng = np.random.default_rng(blocks)
    roots = rng.normal(size=(blocks, size, size))
    diagonal = roots @ roots.transpose(0, 2, 1) + 4.0 * (size + 1) * np.eye(size)
    return BlockTridiagonal(diagonal, rng.normal(size=(blocks - 1, size, size))).cholesky


shapes = pytest.mark.parametrize(("blocks", "size"), [(1, 1), (2, 1), (3, 4), (9, 5)])


@shapes
def test_no_number_moves_by_more_than_half_a_step_of_its_column(blocks: int, size: int):
    full = factor(blocks, size)
    rounded = RoundedFactor.of(full)
    off = np.abs(rounded.factor.band - full.band)
    np.testing.assert_allclose(rounded.diagonal, full.band[0], rtol=1e-7)
    assert (off[1:] <= rounded.largest / STEPS * 0.5000001).all()


@shapes
def test_standard_deviations_stay(blocks: int, size: int):
    full = factor(blocks, size)
    rounded = RoundedFactor.of(full).factor
    white = np.eye(blocks * size)
    before, after = ((solve**2).sum(axis=1) for solve in (
        full.solve_transposed(white), rounded.solve_transposed(white)
    ))  # fmt: skip
    np.testing.assert_allclose(after, before, rtol=1e-3)


@shapes
def test_arrays_bring_it_back_to_the_bit(blocks: int, size: int):
    rounded = RoundedFactor.of(factor(blocks, size))
    again = RoundedFactor.restored(rounded.arrays())
    for name in ("diagonal", "below"):
        first, second = (getattr(one.factor, name) for one in (rounded, again))
        assert (first == second).all()
    assert rounded.shares.dtype == np.int16


def test_a_factor_of_an_older_run_is_read():
    full = factor(3, 4)
    old = RoundedFactor.restored({"diagonal": full.diagonal, "below": full.below})
    assert (old.shares == RoundedFactor.of(full).shares).all()
