"""Top oil that nobody has measured yet: the guide's model, and how far it may be wrong."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.units import SECONDS_PER_DAY

MODEL_STD = 2.0
"""Standard deviation of a modelled top oil where no measured stretch calibrates it [K]."""
BELIEF = 2.0
"""Number of independent errors that `MODEL_STD` is worth beside those that were seen."""
CALIBRATING_S = 0.95 * SECONDS_PER_DAY
"""Shortest stretch that calibrates [s]: a day, whose last row may be a step before midnight."""


@dataclass(frozen=True)
class ModelError:
    """Measured minus modelled top oil: a lasting part, and one that wanders."""

    bias: float
    """Lasting part of the error [K]."""
    bias_std: float
    """Standard deviation of the lasting part [K]."""
    std: float
    """Standard deviation of the wandering part [K]."""
    correlation: float
    """Time over which the wandering part is correlated [s]."""
    last: float
    """Error at the end of what was measured [K]."""

    def drawn(
        self, seconds: Float[np.ndarray, " time"], count: int, *, rng: np.random.Generator
    ) -> Float[np.ndarray, "draw time"]:
        """Paths that set out from the last error, and wander off to a draw of the bias.

        `seconds` are counted from the end of what was measured.
        """
        keep = np.exp(-np.diff(seconds, prepend=0.0) / self.correlation)
        kicks = rng.standard_normal((seconds.size, count))
        kicks *= self.std * np.sqrt(1 - keep**2)[:, None]
        for row in range(1, seconds.size):
            kicks[row] += keep[row] * kicks[row - 1]
        bias = rng.normal(self.bias, self.bias_std, (count, 1))
        return bias + (self.last - bias) * np.exp(-seconds / self.correlation) + kicks.T


def drawn_errors(
    errors: Sequence[ModelError],
    seconds: Float[np.ndarray, " time"],
    count: int,
    *,
    rng: np.random.Generator,
) -> Float[np.ndarray, "draw time"]:
    """Paths of the errors, one for each; all from the same one where there is no other."""
    if len(set(errors)) == 1:
        return errors[0].drawn(seconds, count, rng=rng)
    return np.concatenate([error.drawn(seconds, 1, rng=rng) for error in errors])


def model_error(
    seconds: Float[np.ndarray, " time"],
    difference: Float[np.ndarray, " time"],
    correlation: float,
) -> ModelError:
    """What a measured stretch says of the model; less than a day says nothing but where it is now.

    `difference` is the measured top oil, freed of noise, minus the modelled one [K]; the time
    constant of the oil is the `correlation` [s].
    """
    last, length = float(difference[-1]), float(seconds[-1] - seconds[0])
    if length < CALIBRATING_S:
        return ModelError(0.0, MODEL_STD, MODEL_STD, correlation, last)
    seen = length / (2 * correlation)
    std = float(error_std(float(difference.var()), seen))
    known = std * min(1.0, seen**-0.5)
    return ModelError(float(difference.mean()), known, std, correlation, last)


def error_std(
    square: float | Float[np.ndarray, "..."], seen: float | Float[np.ndarray, "..."]
) -> float | Float[np.ndarray, "..."]:
    """K: the model's error, of mean square `square` in so many independent ones that were `seen`.

    A few days may flatter the model, so the usual size counts beside them.
    """
    return np.sqrt((BELIEF * MODEL_STD**2 + seen * square) / (BELIEF + seen))
