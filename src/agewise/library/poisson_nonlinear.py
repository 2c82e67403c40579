"""A nonlinear Poisson equation whose source is known at 32 places, with noise."""

import jax.numpy as jnp
import numpy as np

from agewise.engine.problems import X, second_partial
from agewise.library.known import About, AbstractMeasuredProblem
from agewise.library.poisson_linear import DIFFUSION, REACH, arches
from agewise.library.sensors import grid, read

RATE = 0.7
"""Factor of the reaction, k [1] (Yang, Meng and Karniadakis 2021, section 3.2)."""
SOURCES = 32
"""Sensors of the source, evenly spaced with one at either end."""


def source(u, x):
    r"""What the sensors of the source show, $0.01\,u'' + 0.7\tanh u$."""
    return DIFFUSION * second_partial(u, X)(x) + RATE * jnp.tanh(u(x))


class PoissonNonlinear(AbstractMeasuredProblem):
    r"""$0.01\,u'' + 0.7\tanh u = f$ on $[-0.7, 0.7]$, with readings of $f$, and of $u$ at both
    ends."""

    ABOUT = About(
        "A nonlinear Poisson equation from noisy readings of its source and of both ends.",
        "0.01 u'' + 0.7 tanh(u) = f on [-0.7, 0.7]; u = sin(6x)^3",
        "u(x)",
        "f at 32 places and u at both ends, noise 0.01 (or 0.1)",
        "Yang, Meng and Karniadakis 2021, section 3.2",
    )

    @classmethod
    def made(cls, seed=0, noise=0.01):
        """Readings of source and ends with the same noise."""
        rng = np.random.default_rng(seed)
        inside, ends = (grid(np.linspace(-REACH, REACH, count)) for count in (SOURCES, 2))
        sensors = {
            "source": read(arches, inside, noise, rng=rng, quantity=source),
            "ends": read(arches, ends, noise, rng=rng),
        }
        return cls(sensors, noise)

    def residuals(self):
        """None: the equation is in the readings of the source."""
        return {}

    def coordinates(self):
        """A line about zero."""
        return {"x": (-REACH, REACH)}

    def solution(self):
        r"""$\sin^3 6x$."""
        return arches
