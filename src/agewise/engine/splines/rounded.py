"""A factor of a precision in a quarter of its memory: what is stored is what is used."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float32, Int16, UInt8

from agewise.engine.splines.blocks import BlockCholesky

STEPS = 32_767
"""Steps into which the largest number below the diagonal of a column is cut: 16 bits. Standard
deviations that follow from the factor move by less than a thousandth."""
INFINITE = np.float32(np.inf)


@dataclass(frozen=True, eq=False)
class RoundedFactor:
    """A lower factor whose numbers below the diagonal are whole shares of their column's largest.

    A posterior rounds its factor when it is made, and not when it is saved, so that a saved one
    comes back to the bit.
    """

    diagonal: Float32[np.ndarray, " row"]
    """Numbers on the diagonal, to seven digits: each divides what comes after it."""
    largest: Float32[np.ndarray, " row"]
    """Largest magnitude below the diagonal, column by column."""
    shares: Int16[np.ndarray, "band row"]
    """Entry (i, j) stands in row i - j - 1 of column j, in steps of the column's largest."""
    size: int
    """Rows of a block of the factor to work with."""

    @classmethod
    def of(cls, factor: BlockCholesky) -> "RoundedFactor":
        """A factor, rounded."""
        # Row 0 of LAPACK's band is the diagonal, and each row after it one step farther down.
        diagonal, *below = factor.band
        # Rows of the band that hold nothing but zeros are not stored.
        used = max((n for n, row in enumerate(below, 1) if row.any()), default=0)
        # The shape is said outright, since a diagonal factor has no rows here.
        under = np.array(below[:used]).reshape(used, diagonal.size)
        # Upwards, so that no share is more than one.
        largest = np.nextafter(np.abs(under).max(axis=0, initial=0.0).astype(np.float32), INFINITE)
        shares = np.round(under / largest * STEPS).astype(np.int16)
        return cls(diagonal.astype(np.float32), largest, shares, factor.diagonal.shape[-1])

    @cached_property
    def factor(self) -> BlockCholesky:
        """The factor to work with."""
        # Scaled in double precision: whoever restores it must come to the same bits.
        below = self.shares * (self.largest.astype(float) / STEPS)
        return BlockCholesky.banded(np.vstack([self.diagonal, below]), self.size)

    def arrays(self) -> dict[str, np.ndarray]:
        """What `restored` makes it of."""
        return {
            "factor_diagonal": self.diagonal,
            "factor_largest": self.largest,
            "factor_bytes": _bytes(self.shares),
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
            _numbers(arrays["factor_bytes"]),
            int(arrays["factor_size"]),
        )


def _bytes(numbers: Int16[np.ndarray, "band row"]) -> UInt8[np.ndarray, "2 band row"]:
    """Lower bytes, then upper ones: those are alike from number to number, and pack well."""
    # Little-endian whatever the machine, since the file may be read on another.
    each = np.ascontiguousarray(numbers, dtype="<i2").view(np.uint8)
    return np.ascontiguousarray(each.reshape(*numbers.shape, 2).transpose(2, 0, 1))


def _numbers(each: UInt8[np.ndarray, "2 band row"]) -> Int16[np.ndarray, "band row"]:
    """The way back from bytes to numbers."""
    return np.ascontiguousarray(each.transpose(1, 2, 0)).view("<i2")[:, :, 0].astype(np.int16)
