"""What stands in for readings; apart from the heat problem, so that reading a file loads no JAX."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float


@dataclass(frozen=True, eq=False)
class Guesses:
    """Readings that nobody made, at one height, with their uncertainty."""

    seconds: Float[np.ndarray, " reading"]
    """Times from the first row of the profile [s]."""
    values: Float[np.ndarray, " reading"]
    """Temperatures that stand in for readings [°C]."""
    std: Float[np.ndarray, " reading"]
    """Standard deviation of each temperature [K]."""
