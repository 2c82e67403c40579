"""Top oil that nobody has measured yet: the guide's model, and how far it may be wrong."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.signal import lfilter

from agewise.units import SECONDS_PER_DAY

MODEL_STD = 2.0
"""K by which a modelled top oil is wrong, where no measured stretch tells better"""
BELIEF = 2.0
"""independent errors that this size is worth beside those that were seen"""


@dataclass(frozen=True)
class ModelError:
    """Measured minus modelled top oil: a lasting part, and one that wanders."""

    bias: float
    """K, lasting"""
    bias_std: float
    """K, how well that is known"""
    std: float
    """K, of the wandering part"""
    correlation: float
    """s over which it wanders"""
    now: float
    """K, at the end of what was measured"""

    def drawn(
        self, seconds: Float[np.ndarray, " time"], count: int, *, rng: np.random.Generator
    ) -> Float[np.ndarray, "draw time"]:
        """Paths that set out from what the error is now, and wander off to a draw of the bias.

        `seconds` are equally spaced, counted from now; the first step leads there from zero.
        """
        step = float(seconds[0] if seconds.size == 1 else seconds[1] - seconds[0])
        keep = np.exp(-step / self.correlation)
        kicks = rng.standard_normal((count, seconds.size), dtype=np.float32)
        kicks *= np.float32(self.std * np.sqrt(1 - keep**2))
        forward, back = np.array([1.0], np.float32), np.array([1.0, -keep], np.float32)
        wandering = np.asarray(lfilter(forward, back, kicks))
        bias = rng.normal(self.bias, self.bias_std, (count, 1))
        return bias + (self.now - bias) * np.exp(-seconds / self.correlation) + wandering


def model_error(
    seconds: Float[np.ndarray, " time"],
    difference: Float[np.ndarray, " time"],
    correlation: float,
) -> ModelError:
    """What a measured stretch says of the model; less than a day says nothing but where it is now.

    `difference` is the measured top oil, freed of noise, minus the modelled one [K]; the time
    constant of the oil is the `correlation` [s].
    """
    now, length = float(difference[-1]), float(seconds[-1] - seconds[0])
    if length < SECONDS_PER_DAY:
        return ModelError(0.0, 0.0, MODEL_STD, correlation, now)
    seen = length / (2 * correlation)
    std = float(error_std(float(difference.var()), seen))
    known = std * min(1.0, seen**-0.5)
    return ModelError(float(difference.mean()), known, std, correlation, now)


def error_std(
    square: float | Float[np.ndarray, "..."], seen: float | Float[np.ndarray, "..."]
) -> float | Float[np.ndarray, "..."]:
    """K: the model's error, of mean square `square` in so many independent ones that were `seen`.

    A few days may flatter the model, so the usual size counts beside them.
    """
    return np.sqrt((BELIEF * MODEL_STD**2 + seen * square) / (BELIEF + seen))
