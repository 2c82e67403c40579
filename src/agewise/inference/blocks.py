"""Gaussians whose precision couples neighbours only: block algebra, linear in length."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float
from scipy.linalg import solve_triangular

from agewise.threads import one_thread


@dataclass(frozen=True)
class BlockTridiagonal:
    """A symmetric positive-definite matrix of blocks on and beside the diagonal."""

    diagonal: Float[np.ndarray, "block size size"]
    below: Float[np.ndarray, "block_less_one size size"]
    """Block row i + 1, block column i."""

    def __add__(self, other: "BlockTridiagonal") -> "BlockTridiagonal":
        return BlockTridiagonal(self.diagonal + other.diagonal, self.below + other.below)

    def __rmul__(self, factor: float) -> "BlockTridiagonal":
        return BlockTridiagonal(factor * self.diagonal, factor * self.below)

    @cached_property
    @one_thread()
    def cholesky(self) -> "BlockCholesky":
        """The factor L with L Lᵀ = the matrix."""
        diagonal, below = np.empty_like(self.diagonal), np.empty_like(self.below)
        block = self.diagonal[0]
        for i in range(len(diagonal)):
            diagonal[i] = np.linalg.cholesky(block)
            if i + 1 < len(diagonal):
                below[i] = solve_triangular(diagonal[i], self.below[i].T, lower=True).T
                block = self.diagonal[i + 1] - below[i] @ below[i].T
        return BlockCholesky(diagonal, below)


@dataclass(frozen=True)
class BlockCholesky:
    """A lower block-bidiagonal factor."""

    diagonal: Float[np.ndarray, "block size size"]
    below: Float[np.ndarray, "block_less_one size size"]

    @cached_property
    def log_determinant(self) -> float:
        """of the matrix, not of the factor"""
        return float(2 * np.log(np.diagonal(self.diagonal, axis1=1, axis2=2)).sum())

    @cached_property
    @one_thread()
    def _inverse(self) -> Float[np.ndarray, "block size size"]:
        identity = np.eye(self.diagonal.shape[-1])
        return np.stack([solve_triangular(d, identity, lower=True) for d in self.diagonal])

    def solve(self, right: Float[np.ndarray, "row *draw"]) -> Float[np.ndarray, "row *draw"]:
        """The matrix's inverse times `right`."""
        return self.solve_transposed(self.solve_lower(right))

    @one_thread()
    def solve_lower(self, right: Float[np.ndarray, "row *draw"]) -> Float[np.ndarray, "row *draw"]:
        """L⁻¹ times `right`."""
        blocks = self._blocks(right)
        blocks[0] = self._inverse[0] @ blocks[0]
        for i in range(1, len(blocks)):
            blocks[i] = self._inverse[i] @ (blocks[i] - self.below[i - 1] @ blocks[i - 1])
        return blocks.reshape(right.shape)

    @one_thread()
    def solve_transposed(
        self, right: Float[np.ndarray, "row *draw"]
    ) -> Float[np.ndarray, "row *draw"]:
        """L⁻ᵀ times `right`: white noise becomes a draw with the matrix as its precision."""
        blocks = self._blocks(right)
        blocks[-1] = self._inverse[-1].T @ blocks[-1]
        for i in range(len(blocks) - 2, -1, -1):
            blocks[i] = self._inverse[i].T @ (blocks[i] - self.below[i].T @ blocks[i + 1])
        return blocks.reshape(right.shape)

    @cached_property
    @one_thread()
    def covariance_pairs(self) -> Float[np.ndarray, "block_less_one pair pair"]:
        """The matrix's inverse for each pair of neighbouring blocks (Takahashi's recursion)."""
        size = self.diagonal.shape[-1]
        pairs = np.empty((len(self.below), 2 * size, 2 * size))
        corner = self._inverse[-1].T @ self._inverse[-1]
        for i in range(len(self.below) - 1, -1, -1):
            step = self.below[i] @ self._inverse[i]
            across = -corner @ step
            pairs[i, size:, size:], pairs[i, size:, :size] = corner, across
            pairs[i, :size, size:] = across.T
            corner = self._inverse[i].T @ self._inverse[i] - step.T @ across
            pairs[i, :size, :size] = corner
        return pairs

    def _blocks(self, right: np.ndarray) -> np.ndarray:
        count, size = self.diagonal.shape[:2]
        return right.reshape(count, size, -1).astype(float)
