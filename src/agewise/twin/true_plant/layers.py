"""Layers: oil that is warm above and cool below, with a step between: no heat equation has it."""

import numpy as np
from jaxtyping import Float

CENTRES, WIDTHS = (0.3, 0.7), (0.08, 0.3)
"""Ranges of the height at which the step lies and of its half-width, as fractions of the tank's:
chosen, from nearly a jump to nearly a straight line."""


def step_shape(
    shares: Float[np.ndarray, " height"], centre: float, width: float
) -> Float[np.ndarray, " height"]:
    r"""A smooth step over the height, 0 at the bottom and 1 at the top.

    $g(x) = (\tanh((x - c)/w) + \tanh(c/w)) / (\tanh((1 - c)/w) + \tanh(c/w))$.

    Args:
        shares: Heights as fractions of the tank's.
        centre: Height of the step, c.
        width: Half-width of the step, w.
    """
    below, above = np.tanh(centre / width), np.tanh((1 - centre) / width)
    shape = (np.tanh((shares - centre) / width) + below) / (above + below)
    # Rounding would leave a trace of the other end at the ends.
    shape[0], shape[-1] = 0.0, 1.0
    return shape


def stratified(
    oil: Float[np.ndarray, "time height"], *, strength: float, rng: np.random.Generator
) -> Float[np.ndarray, "time height"]:
    """The oil with layers mixed in; the ends stay as they are [°C].

    Args:
        oil: Temperature by the heat equation, from bottom to top [°C].
        strength: 0 for the equation alone, 1 for the layers alone.
        rng: Random numbers of the step's place and width.
    """
    centre, width = rng.uniform(*CENTRES), rng.uniform(*WIDTHS)
    if not strength:
        return oil
    shape = step_shape(np.linspace(0.0, 1.0, oil.shape[1]), centre, width)
    bottom, top = oil[:, :1], oil[:, -1:]
    return (1 - strength) * oil + strength * (bottom + (top - bottom) * shape)
