"""What a row of measurements stands for between one time stamp and the next."""

from typing import Literal

import numpy as np
from jaxtyping import Float

Hold = Literal["backward", "forward", "linear"]
"""What a load sample stands for: the mean of the interval that ends at its time stamp, or of that
which starts there; or the instant itself, and the load is straight between instants."""


def interval_load(
    load: Float[np.ndarray, "*draw time"], hold: Hold
) -> Float[np.ndarray, "*draw interval"]:
    """The load held over each interval between neighbouring samples.

    The difference form of IEC 60076-7, 8.2.3 pairs the load of a row with the step that ends there:
    `backward`. Loggers that stamp the beginning of an average need `forward`; of those that write
    the value of an instant, the mean of two neighbours is taken.
    """
    if hold == "linear":
        return (load[..., 1:] + load[..., :-1]) / 2
    return load[..., 1:] if hold == "backward" else load[..., :-1]


def subdivided(
    seconds: Float[np.ndarray, " time"], longest_step: float
) -> Float[np.ndarray, " step"]:
    """The sample times [s], and between them equal steps of at most `longest_step` [s]."""
    counts = _steps_per_interval(seconds, longest_step)
    starts = np.repeat(seconds[:-1], counts)
    lengths = np.repeat(np.diff(seconds) / counts, counts)
    # The number of each step within its own interval: 0, 1, ... up to the next sample.
    within = np.arange(counts.sum()) - np.repeat(
        sample_positions(seconds, longest_step)[:-1], counts
    )
    # Steps are counted by their beginnings, so the last sample is still to be added.
    return np.append(starts + within * lengths, seconds[-1])


def sample_positions(seconds: Float[np.ndarray, " time"], longest_step: float) -> np.ndarray:
    """Indices of the samples themselves among the `subdivided` times."""
    return np.append(0, np.cumsum(_steps_per_interval(seconds, longest_step)))


def _steps_per_interval(seconds: np.ndarray, longest_step: float) -> np.ndarray:
    # The allowance keeps an interval of exactly one step from becoming two by rounding.
    return np.maximum(1, np.ceil(np.diff(seconds) / longest_step - 1e-9)).astype(int)
