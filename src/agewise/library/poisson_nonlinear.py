"""A nonlinear Poisson equation whose source is known at 32 places, with noise."""

import jax.numpy as jnp

from agewise.engine.problems import X, second_partial
from agewise.library.known import About
from agewise.library.poisson_linear import DIFFUSION, PoissonLinear

RATE = 0.7
"""Factor of the reaction, k [1] (Yang, Meng and Karniadakis 2021, section 3.2)."""
SOURCES = 32
"""Sensors of the source, evenly spaced with one at either end."""


def source(u, x):
    r"""What the sensors of the source show, $0.01\,u'' + 0.7\tanh u$."""
    return DIFFUSION * second_partial(u, X)(x) + RATE * jnp.tanh(u(x))


class PoissonNonlinear(PoissonLinear):
    r"""$0.01\,u'' + 0.7\tanh u = f$ on $[-0.7, 0.7]$, with readings of $f$, and of $u$ at both
    ends."""

    ABOUT = About(
        "A nonlinear Poisson equation from noisy readings of its source and of both ends.",
        "0.01 u'' + 0.7 tanh(u) = f on [-0.7, 0.7]; u = sin(6x)^3",
        "u(x)",
        "f at 32 places and u at both ends, noise 0.01 (or 0.1)",
        "Yang, Meng and Karniadakis 2021, section 3.2",
    )

    # `made` of the linear problem goes by its class, so that these two are all that differs.
    sources = SOURCES
    source = staticmethod(source)
