"""A factor of a precision in a quarter of its memory: what is stored is what is used."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int16

from agewise.engine.splines.blocks import BlockCholesky

STEPS = 32_767
"""Steps into which the largest number below the diagonal of a column is cut: 16 bits. Standard
deviations that follow from the factor move by less than a thousandth."""


@dataclass(frozen=True, eq=False)
class RoundedFactor:
    """A lower factor whose numbers below the diagonal are whole shares of their column's largest.

    A posterior rounds its factor when it is made, and not when it is saved, so that a saved one
    comes back to the bit.
    """

    diagonal: Float[np.ndarray, " row"]
    """Numbers on the diagonal, in full: each divides what comes after it."""
    largest: Float[np.ndarray, " row"]
    """Largest magnitude below the diagonal, column by column."""
    shares: Int16[np.ndarray, "band row"]
    """Entry (i, j) stands in row i - j - 1 of column j, in steps of the column's largest."""
    size: int
    """Rows of a block."""

    @classmethod
    def of(cls, factor: BlockCholesky) -> "RoundedFactor":
        """A factor, rounded."""
        diagonal, *below = factor.band
        used = max((n for n, row in enumerate(below, 1) if row.any()), default=0)
        under = np.array(below[:used]).reshape(used, diagonal.size)
        largest = np.abs(under).max(axis=0, initial=0.0)
        # A column without a neighbour is all zeros, of whatever size.
        shares = np.round(under / np.where(largest > 0, largest, 1.0) * STEPS).astype(np.int16)
        return cls(diagonal, largest, shares, factor.diagonal.shape[-1])

    @cached_property
    def factor(self) -> BlockCholesky:
        """The factor to work with."""
        below = self.shares * (self.largest / STEPS)
        return BlockCholesky.banded(np.vstack([self.diagonal, below]), self.size)

    def arrays(self) -> dict[str, np.ndarray]:
        """What `restored` makes it of."""
        return {
            "factor_diagonal": self.diagonal,
            "factor_largest": self.largest,
            "factor_shares": self.shares,
            "factor_size": np.array(self.size),
        }

    @classmethod
    def restored(cls, arrays: Mapping[str, np.ndarray]) -> "RoundedFactor":
        """The factor whose `arrays` these are; one of an older run, in full, is rounded."""
        if "diagonal" in arrays:
            return cls.of(BlockCholesky(arrays["diagonal"], arrays["below"]))
        return cls(
            arrays["factor_diagonal"],
            arrays["factor_largest"],
            arrays["factor_shares"],
            int(arrays["factor_size"]),
        )
