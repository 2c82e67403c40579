"""Top oil that nobody has measured yet: the guide's model, and how far it may be wrong."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
from jaxtyping import Float

from agewise.units import SECONDS_PER_DAY

MODEL_STD = 2.0
"""Standard deviation of a modelled top oil where no measured stretch calibrates it [K]."""
BELIEF = 2.0
"""Number of independent observed errors that `MODEL_STD` counts as much as."""
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


def drawn_errors(
    errors: Sequence[ModelError],
    seconds: Float[np.ndarray, " time"],
    count: int,
    *,
    rng: np.random.Generator,
) -> Float[np.ndarray, "draw time"]:
    """Paths that set out from the last error [K], and wander off to a draw of the bias.

    Args:
        errors: The error of each draw, or a single one for all draws.
        seconds: Instants from the end of what was measured [s].
        count: Number of draws, for a single error.
        rng: Source of the random numbers.
    """
    # A column for each draw, or one for all. Time comes first, so that a step over all draws works
    # on contiguous memory.
    distinct = errors if len(set(errors)) > 1 else errors[:1]
    bias, bias_std, std, correlation, last = np.array([astuple(error) for error in distinct]).T
    # An Ornstein-Uhlenbeck process, exact for any step. Most records have one step throughout, so
    # each length of step is raised to its power once.
    lengths, which = np.unique(np.diff(seconds, prepend=0.0), return_inverse=True)
    decay = np.exp(-lengths[:, None] / correlation)
    size = std * np.sqrt(1 - decay**2)
    paths = rng.standard_normal((seconds.size, count))
    level = rng.normal(bias, bias_std, count)
    # The process runs about the drawn bias and sets out from the error that was last seen.
    away = last - level
    # In the place of the random numbers: an array of all draws costs more to make than to fill.
    for path, step in zip(paths, which, strict=True):
        path *= size[step]
        path += decay[step] * away
        # Copied before the level is added: what wanders is kept without it.
        away = path.copy()
        path += level
    # Draws first again, as everywhere else.
    return np.ascontiguousarray(paths.T)


def model_error(
    seconds: Float[np.ndarray, " time"],
    difference: Float[np.ndarray, " time"],
    correlation: float,
) -> ModelError:
    """The error of the guide's top oil, calibrated on a measured stretch.

    Less than a day calibrates nothing: then only the last error is taken from it.

    Args:
        seconds: Instants of the stretch [s].
        difference: Measured top oil, freed of noise, minus the modelled one [K].
        correlation: Time over which an error lasts [s], the time constant of the oil.
    """
    last, length = float(difference[-1]), float(seconds[-1] - seconds[0])
    if length < CALIBRATING_S:
        return ModelError(0.0, MODEL_STD, MODEL_STD, correlation, last)
    # A correlation that fades as exp(-t/T) leaves one independent value in every 2 T.
    independent = length / (2 * correlation)
    std = float(error_std(float(difference.var()), independent))
    # Slow oil may show less than one independent error, which leaves the bias as open as the rest.
    bias_std = std * min(1.0, independent**-0.5)
    return ModelError(float(difference.mean()), bias_std, std, correlation, last)


def error_std(
    square: float | Float[np.ndarray, "..."], seen: float | Float[np.ndarray, "..."]
) -> float | Float[np.ndarray, "..."]:
    """Standard deviation of the model's error [K].

    A few days may flatter the model, so its usual size `MODEL_STD` counts beside them.

    Args:
        square: Mean square of the errors that were seen [K²].
        seen: Number of independent errors among them; need not be whole.
    """
    return np.sqrt((BELIEF * MODEL_STD**2 + seen * square) / (BELIEF + seen))
