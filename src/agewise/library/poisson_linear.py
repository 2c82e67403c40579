"""Poisson's equation whose source is known at sixteen places only, and with noise."""

from typing import ClassVar

import jax.numpy as jnp
import numpy as np

from agewise.engine.problems import X, second_partial
from agewise.library.known import About, AbstractMeasuredProblem
from agewise.library.sensors import grid, read

DIFFUSION = 0.01
"""Factor of the second derivative [1] (Yang, Meng and Karniadakis 2021, section 3.1)."""
REACH = 0.7
"""The domain ends at this distance on either side of zero [1]."""
SOURCES = 16
"""Sensors of the source, evenly spaced with one at either end."""


def arches(x):
    r"""The solution of all three of Yang's problems, $\sin^3 6x$."""
    return jnp.sin(6 * x[X]) ** 3


def source(u, x):
    r"""What the sensors of the source show, $0.01\,u''$."""
    return DIFFUSION * second_partial(u, X)(x)


class PoissonLinear(AbstractMeasuredProblem):
    r"""$0.01\,u'' = f$ on $[-0.7, 0.7]$, with readings of $f$ inside and of $u$ at both ends.

    Nothing is known of $f$ but its readings, so there is no residual: the equation is what the
    sensors of the source measure.
    """

    ABOUT = About(
        "Poisson's equation from noisy readings of its source and of both ends.",
        "0.01 u'' = f on [-0.7, 0.7]; u = sin(6x)^3",
        "u(x)",
        "f at 16 places and u at both ends, noise 0.01 (or 0.1)",
        "Yang, Meng and Karniadakis 2021, section 3.1",
    )

    sources: ClassVar[int] = SOURCES
    """Number of sensors of the source."""
    # Static, or the function would be bound to the problem when it is asked for.
    source = staticmethod(source)
    """What the sensors of the source show."""

    @classmethod
    def made(cls, seed=0, noise=0.01):
        """Readings of source and ends with the same noise."""
        rng = np.random.default_rng(seed)
        inside, ends = (grid(np.linspace(-REACH, REACH, count)) for count in (cls.sources, 2))
        sensors = {
            "source": read(arches, inside, noise, rng=rng, quantity=cls.source),
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
