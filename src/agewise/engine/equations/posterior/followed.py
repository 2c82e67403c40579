"""What a fit follows of the noise of its readings, and errors as if it followed none."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.linalg import eigh

from agewise.engine.equations.posterior.weights import GaussianWeights

MOSTLY = 0.5
"""Share of a pattern of noise that the fit follows [1] from which the rest says nothing."""
HARDLY = 1e-3
"""Share below which a pattern counts as not followed [1]."""


@dataclass(frozen=True, eq=False)
class Followed:
    r"""Patterns of noise over the readings of one sensor that a fit takes for the function.

    Errors of right readings are not white: their covariance is $1 - H$ in units of the noise, with
    $H$ that of the fit there. Each column is an eigenvector of $H$, a pattern of readings.
    """

    patterns: Float[np.ndarray, "reading pattern"]
    """Orthonormal patterns that the fit follows in part; none of the others."""
    shares: Float[np.ndarray, " pattern"]
    """How much of each it follows [1]."""

    @classmethod
    def of(
        cls,
        gradients: Float[np.ndarray, "reading number"],
        std: Float[np.ndarray, " reading"],
        doubt: GaussianWeights,
    ) -> "Followed":
        """What a fit with this doubt follows.

        Args:
            gradients: How what is read depends on the numbers, at every reading.
            std: Standard deviation of the noise of every reading.
            doubt: The Gaussian about the most probable numbers.
        """
        # H = hᵀ h; the smaller of the two products has the same eigenvalues.
        half = doubt.halves(gradients / std[:, None])
        wide = half.shape[1] > half.shape[0]
        shares, vectors = eigh(half @ half.T if wide else half.T @ half)
        kept = shares > HARDLY
        vectors, shares = vectors[:, kept], shares[kept]
        patterns = half.T @ vectors / np.sqrt(shares) if wide else vectors
        # Noise that was learned anew since may leave a share just above one.
        return cls(patterns, np.minimum(shares, 1.0))

    @property
    def lost(self) -> int:
        """Patterns that are followed for the most part, so that errors say nothing of them."""
        return int(np.sum(self.shares > MOSTLY))

    def whitened(
        self, vectors: Float[np.ndarray, "reading *column"]
    ) -> Float[np.ndarray, "reading *column"]:
        r"""Errors times $(1 - H)^{-1/2}$, without the patterns that are lost: white if right."""
        return self._scaled(vectors, 1 / np.sqrt(1 - np.minimum(self.shares, MOSTLY)))

    def left(
        self, vectors: Float[np.ndarray, "reading *column"]
    ) -> Float[np.ndarray, "reading *column"]:
        r"""What is left of a curve in `whitened` errors: it times $(1 - H)^{1/2}$."""
        return self._scaled(vectors, np.sqrt(1 - self.shares))

    def _scaled(self, vectors: np.ndarray, factors: np.ndarray) -> np.ndarray:
        """Vectors with the part along each pattern times its factor; lost ones taken out."""
        changes = np.where(self.shares > MOSTLY, 0.0, factors) - 1
        along = self.patterns.T @ vectors
        return vectors + self.patterns @ (changes * along.T).T
