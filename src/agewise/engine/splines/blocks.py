"""Gaussians whose precision couples neighbours only: block algebra, linear in length."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float
from scipy.linalg import lapack

from agewise.threads import one_thread


@dataclass(frozen=True)
class BlockTridiagonal:
    """A symmetric positive-definite matrix of blocks on and beside the diagonal."""

    diagonal: Float[np.ndarray, "block size size"]
    """Blocks on the diagonal, each symmetric."""
    below: Float[np.ndarray, "block_less_one size size"]
    """Blocks below the diagonal: number i stands in block row i + 1, block column i."""

    @classmethod
    def banded(cls, band: Float[np.ndarray, "band row"], size: int) -> "BlockTridiagonal":
        """The matrix whose lower half LAPACK would keep as this band, no wider than a block."""
        lower, below = _blocks(band, size)
        # The band has the lower triangle of every block on the diagonal: the upper mirrors it.
        upper = np.triu(lower.transpose(0, 2, 1), 1)
        return cls(lower + upper, below)

    def __add__(self, other: "BlockTridiagonal") -> "BlockTridiagonal":
        return BlockTridiagonal(self.diagonal + other.diagonal, self.below + other.below)

    def __rmul__(self, factor: float) -> "BlockTridiagonal":
        # So that `2.0 * matrix` works: a float on the left does not know how to multiply this.
        return BlockTridiagonal(factor * self.diagonal, factor * self.below)

    @cached_property
    @one_thread()
    def cholesky(self) -> "BlockCholesky":
        """The factor L with L Lᵀ = the matrix; LAPACK's for bands, which knows no blocks."""
        # The band is made for this call alone, so LAPACK may factor it in place.
        band, failed = lapack.dpbtrf(_band(self.diagonal, self.below), lower=1, overwrite_ab=1)
        # LAPACK counts rows from one: the first pivot that is not positive.
        if failed:
            raise np.linalg.LinAlgError(f"Row {failed} leaves the matrix not positive definite.")
        return BlockCholesky.banded(band, self.diagonal.shape[-1])


@dataclass(frozen=True)
class BlockCholesky:
    """A lower block-bidiagonal factor, the same to the bit when it is made of its saved arrays."""

    diagonal: Float[np.ndarray, "block size size"]
    """Blocks on the diagonal, each lower triangular."""
    below: Float[np.ndarray, "block_less_one size size"]
    """Blocks below the diagonal: number i stands in block row i + 1, block column i."""

    def __post_init__(self):
        # BLAS rounds a small product differently when a factor lies transposed in memory (AVX-512
        # kernels do), and a file does not keep how an array lay. So columns always come first.
        for name in ("diagonal", "below"):
            object.__setattr__(self, name, _columns_first(getattr(self, name)))

    @classmethod
    def banded(cls, band: Float[np.ndarray, "band row"], size: int) -> "BlockCholesky":
        """The factor that LAPACK would keep as this band, no wider than a block and its next."""
        return cls(*_blocks(band, size))

    @property
    def band(self) -> Float[np.ndarray, "band row"]:
        """The factor as LAPACK keeps bands: entry (i, j) stands in row i - j of column j."""
        return _band(self.diagonal, self.below)

    @cached_property
    def log_determinant(self) -> float:
        """Logarithm of the determinant of the matrix, not of the factor."""
        # The matrix is L Lᵀ: its determinant is the square of the product of L's diagonal.
        return float(2 * np.log(np.diagonal(self.diagonal, axis1=1, axis2=2)).sum())

    @cached_property
    @one_thread()
    def _inverse(self) -> Float[np.ndarray, "block size size"]:
        # A product with these replaces a triangular solve at each step of the loops below.
        return np.linalg.inv(self.diagonal)

    def solve(self, right: Float[np.ndarray, "row *draw"]) -> Float[np.ndarray, "row *draw"]:
        """The matrix's inverse times `right`."""
        # Many right-hand sides fill matrix products; for a single one LAPACK's banded solve is
        # faster than a loop in Python over the blocks.
        if right.ndim > 1:
            return self.solve_transposed(self.solve_lower(right))
        return lapack.dpbtrs(self.band, right[:, None], lower=1)[0][:, 0]

    @one_thread()
    def solve_lower(self, right: Float[np.ndarray, "row *draw"]) -> Float[np.ndarray, "row *draw"]:
        """L⁻¹ times `right`."""
        blocks = self._blocks(right)
        blocks[0] = self._inverse[0] @ blocks[0]
        # Forward substitution: each block needs the one before.
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
        # Backward substitution: each block needs the one after.
        for i in range(len(blocks) - 2, -1, -1):
            blocks[i] = self._inverse[i].T @ (blocks[i] - self.below[i].T @ blocks[i + 1])
        return blocks.reshape(right.shape)

    @cached_property
    @one_thread()
    def covariance_pairs(self) -> Float[np.ndarray, "block_less_one pair pair"]:
        """The matrix's inverse for each pair of neighbouring blocks (Takahashi's recursion)."""
        size = self.diagonal.shape[-1]
        pairs = np.empty((len(self.below), 2 * size, 2 * size))
        # The last block has no neighbour below: its covariance is L⁻ᵀ L⁻¹ of its own block alone.
        corner = self._inverse[-1].T @ self._inverse[-1]
        # Backwards, since the covariance of a block follows from that of the next one alone: the
        # inverse of the whole matrix, which is dense, is never formed.
        for i in range(len(self.below) - 1, -1, -1):
            # With Σ the inverse and C = L₂₁ L₁₁⁻¹: Σ₂₁ = -Σ₂₂ C and Σ₁₁ = L₁₁⁻ᵀ L₁₁⁻¹ + Cᵀ Σ₂₂ C.
            step = self.below[i] @ self._inverse[i]
            across = -corner @ step
            pairs[i, size:, size:], pairs[i, size:, :size] = corner, across
            pairs[i, :size, size:] = across.T
            # `across` has a minus in it, which makes the sum of the recursion this difference.
            corner = self._inverse[i].T @ self._inverse[i] - step.T @ across
            pairs[i, :size, :size] = corner
        return pairs

    def _blocks(self, right: np.ndarray) -> np.ndarray:
        count, size = self.diagonal.shape[:2]
        # `astype` copies, so the solves may overwrite their blocks and spare the caller's array.
        return right.reshape(count, size, -1).astype(float)


def _columns_first(blocks: Float[np.ndarray, "block size size"]) -> np.ndarray:
    """The same blocks, each stored column by column."""
    return np.ascontiguousarray(blocks.transpose(0, 2, 1)).transpose(0, 2, 1)


def _band(
    diagonal: Float[np.ndarray, "block size size"], below: Float[np.ndarray, "_ size size"]
) -> Float[np.ndarray, "band row"]:
    """The lower half as LAPACK keeps bands: entry (i, j) stands in row i - j of column j."""
    count, size = diagonal.shape[:2]
    columns = np.zeros((count, size, 2 * size))  # of every block column: its block, the one below
    # Transposed, so that a column of the matrix lies in one row of `columns`.
    columns[:, :, :size] = diagonal.transpose(0, 2, 1)
    columns[:-1, :, size:] = below.transpose(0, 2, 1)
    band = np.zeros((count, size, 2 * size))
    # A column of the band starts at its own diagonal entry, so the others move up.
    for column in range(size):
        band[:, column, : 2 * size - column] = columns[:, column, column:]
    # The transpose of an array in C's order is in Fortran's, which LAPACK takes without a copy.
    return band.reshape(count * size, 2 * size).T


def _blocks(band: Float[np.ndarray, "band row"], size: int) -> tuple[np.ndarray, np.ndarray]:
    """The way back from a band, which may be narrower, to blocks on and below the diagonal."""
    # Widened by zeros to two blocks, the reach of a column that starts at a block's first row.
    wide = np.zeros((2 * size, band.shape[1]))
    wide[: len(band)] = band
    columns = np.zeros((band.shape[1] // size, size, 2 * size))
    stored = wide.T.reshape(columns.shape)
    for column in range(size):
        # The inverse of the shift in `_band`: entries go back down to the rows where they stood.
        columns[:, column, column:] = stored[:, column, : 2 * size - column]
    return columns[:, :, :size].transpose(0, 2, 1), columns[:-1, :, size:].transpose(0, 2, 1)
