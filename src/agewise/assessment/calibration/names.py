"""How people call the constants that can be learned, and how a value is written."""

from typing import NamedTuple

import numpy as np

from agewise.plant.spread import spread_text
from agewise.transformer.calibration.names import (
    EXPONENT,
    GRADIENT,
    OIL_MINUTES,
    RISE,
    WINDING_MINUTES,
)


class Name(NamedTuple):
    """How people call a constant."""

    short: str
    """Name in the margin of a list."""
    long: str
    """Name within a sentence."""
    unit: str
    """Unit of the constant; empty for a plain number."""


NAMES = {
    RISE: Name("rise", "top-oil rise at rated load", "K"),
    OIL_MINUTES: Name("oil lag", "oil time constant", "min"),
    EXPONENT: Name("exponent", "oil exponent", ""),
    GRADIENT: Name("gradient", "hot-spot gradient", "K"),
    WINDING_MINUTES: Name("winding lag", "winding time constant", "min"),
}
"""Names of the constants that can be learned."""


def spread(mean: float, std: float) -> str:
    """Mean and standard deviation, both to the place of the second digit of the latter."""
    if std <= 0:
        # Losses in watts have more digits than a float shows without a power of ten.
        return f"{mean:.0f}" if abs(mean) >= 1000 else f"{mean:.4g}"
    # The second digit of the deviation; a mean is not known any better.
    places = max(0, 1 - int(np.floor(np.log10(std))))
    # Constants of a unit are positive.
    return spread_text(mean, std, places, least=0.0)
