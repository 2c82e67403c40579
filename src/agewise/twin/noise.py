"""Laws of the thermometers' noise, known to the twin and hidden from the methods."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from agewise.errors import InputError
from agewise.units import SECONDS_PER_DAY

NoiseLaw = Callable[
    [
        Float[np.ndarray, "time height"],
        Float[np.ndarray, " time"],
        Float[np.ndarray, " height"],
    ],
    Float[np.ndarray, "time height"],
]
"""Standard deviation of the noise [K] by temperature of the oil [°C], time from the start of the
window [s] and height as a fraction of the tank's."""


def temperature_law(
    oil: Float[np.ndarray, "time height"],
    seconds: Float[np.ndarray, " time"],
    shares: Float[np.ndarray, " height"],
) -> Float[np.ndarray, "time height"]:
    """Noisier where it is hotter: 0.3 K in air of 20 °C, 0.7 K in oil of 55 °C."""
    # In frost the line would fall below zero.
    return np.maximum(0.05, 0.05 + 0.012 * oil)


def daily_law(
    oil: Float[np.ndarray, "time height"],
    seconds: Float[np.ndarray, " time"],
    shares: Float[np.ndarray, " height"],
) -> Float[np.ndarray, "time height"]:
    """Noisier at night and near the bottom, whatever the temperature."""
    # Windows begin at midnight, where this is largest; the square has a period of one day.
    night = 0.2 * np.cos(np.pi * seconds / SECONDS_PER_DAY) ** 2
    return 0.25 + night[:, None] + 0.2 * (1 - shares)


def share_law(
    oil: Float[np.ndarray, "time height"],
    seconds: Float[np.ndarray, " time"],
    shares: Float[np.ndarray, " height"],
) -> Float[np.ndarray, "time height"]:
    """Constant in time: the highest temperature at each height, for `noise` to take a share of."""
    return np.broadcast_to(oil.max(axis=0), oil.shape)


NOISE_LAWS: dict[str, NoiseLaw] = {
    "temperature": temperature_law,
    "daily": daily_law,
    "share": share_law,
}
"""The laws by name."""


def noise_law(name: str) -> NoiseLaw:
    """The law of that name."""
    if name not in NOISE_LAWS:
        raise InputError(f"There is no noise law {name!r}.", hint=f"laws: {', '.join(NOISE_LAWS)}.")
    return NOISE_LAWS[name]
