"""Block algebra against the same matrices written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agewise.engine.splines.blocks import BlockCholesky, BlockTridiagonal

blocks_and_sizes = pytest.mark.parametrize(("blocks", "size"), [(1, 3), (2, 1), (3, 4), (9, 5)])


def made(blocks: int, size: int, seed: int = 0) -> BlockTridiagonal:
    """A matrix that is safely positive definite."""
    rng = np.random.default_rng(seed)
    below = rng.normal(size=(blocks - 1, size, size))
    roots = rng.normal(size=(blocks, size, size))
    diagonal = roots @ roots.transpose(0, 2, 1) + 4.0 * (size + 1) * np.eye(size)
    return BlockTridiagonal(diagonal, below)


def dense(matrix: BlockTridiagonal | BlockCholesky) -> np.ndarray:
    """Both halves of a symmetric matrix, or the lower half of its factor."""
    blocks, size = matrix.diagonal.shape[:2]
    whole = np.zeros((blocks, size, blocks, size))
    for i in range(blocks):
        whole[i, :, i] = matrix.diagonal[i]
    for i in range(blocks - 1):
        whole[i + 1, :, i] = matrix.below[i]
        if isinstance(matrix, BlockTridiagonal):
            whole[i, :, i + 1] = matrix.below[i].T
    return whole.reshape(blocks * size, blocks * size)


@given(
    blocks=st.integers(1, 7),
    size=st.integers(1, 5),
    seed=st.integers(0, 1000),
    draws=st.sampled_from([(), (1,), (3,)]),
)
def test_algebra_is_that_of_the_dense_matrix(
    blocks: int, size: int, seed: int, draws: tuple[int, ...]
):
    matrix = made(blocks, size, seed)
    whole, factor = dense(matrix), matrix.cholesky
    lower = np.linalg.cholesky(whole)
    np.testing.assert_allclose(dense(factor), lower, atol=1e-12)
    assert factor.log_determinant == pytest.approx(np.linalg.slogdet(whole)[1], rel=1e-12)
    right = np.random.default_rng(seed).normal(size=(blocks * size, *draws))
    before = right.copy()
    np.testing.assert_allclose(factor.solve(right), np.linalg.solve(whole, right), atol=1e-12)
    np.testing.assert_allclose(factor.solve_lower(right), np.linalg.solve(lower, right), atol=1e-12)
    np.testing.assert_allclose(
        factor.solve_transposed(right), np.linalg.solve(lower.T, right), atol=1e-12
    )
    np.testing.assert_array_equal(right, before)


@blocks_and_sizes
def test_sums_and_multiples_are_those_of_the_dense_matrices(blocks: int, size: int):
    one, other = made(blocks, size), made(blocks, size, seed=1)
    np.testing.assert_allclose(dense(one + 2.5 * other), dense(one) + 2.5 * dense(other))


@blocks_and_sizes
def test_pairs_are_blocks_of_the_inverse(blocks: int, size: int):
    matrix = made(blocks, size)
    inverse = np.linalg.inv(dense(matrix))
    pairs = matrix.cholesky.covariance_pairs
    assert pairs.shape == (blocks - 1, 2 * size, 2 * size)
    for i, pair in enumerate(pairs):
        window = slice(i * size, (i + 2) * size)
        np.testing.assert_allclose(pair, inverse[window, window], atol=1e-13)


def test_white_noise_becomes_draws_with_that_precision():
    matrix = made(4, 2)
    noise = np.random.default_rng(3).standard_normal((8, 100_000))
    draws = matrix.cholesky.solve_transposed(noise)
    expected = np.linalg.inv(dense(matrix))
    scale = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
    # Each entry of the correlation is a mean of 100 000 products of standard deviation 1 to 1.4.
    assert np.abs((np.cov(draws) - expected) / scale).max() < 5 * np.sqrt(2 / 100_000)
    assert np.abs(draws.mean(axis=1) / np.sqrt(np.diag(expected))).max() < 5 / np.sqrt(100_000)


def test_what_is_not_positive_definite_has_no_factor():
    matrix = made(3, 2)
    spoiled = BlockTridiagonal(matrix.diagonal, 100.0 * matrix.below)
    with pytest.raises(np.linalg.LinAlgError):
        _ = spoiled.cholesky


def test_a_factor_is_the_same_to_the_bit_when_made_of_its_saved_arrays():
    """Also with AVX-512 kernels of BLAS, which round by how a matrix lies in memory."""
    factor = made(6, 32).cholesky
    back = BlockCholesky(factor.diagonal.copy(), factor.below.copy())
    right = np.random.default_rng(0).normal(size=(6 * 32, 3))
    for way in ("solve", "solve_lower", "solve_transposed"):
        np.testing.assert_array_equal(getattr(factor, way)(right), getattr(back, way)(right))
    np.testing.assert_array_equal(factor.covariance_pairs, back.covariance_pairs)
    assert factor.diagonal.strides == back.diagonal.strides
    assert factor.below.strides == back.below.strides
