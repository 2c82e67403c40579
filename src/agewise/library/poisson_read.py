"""Poisson's equation with many noisy readings of its solution: a test of bands of readings."""

import jax.numpy as jnp
import numpy as np

from agewise.engine.problems import X, second_partial
from agewise.library.faces import line_and_ends
from agewise.library.known import About, AbstractMeasuredProblem, Published
from agewise.library.sensors import read

READINGS = 60
"""Readings, at random places (Yu et al. 2025, and their noise with them)."""
YU = "Yu et al. 2025"


class PoissonRead(AbstractMeasuredProblem):
    r"""$u'' = -\pi^2 \sin \pi x$ on $[0, 1]$, $u = 0$ at the ends, read with a large noise.

    The equation alone tells all of the function; what is left to be learned is the noise.
    """

    ABOUT = About(
        "Poisson's equation, whose solution is also read, with a noise to be learned.",
        "u'' = -pi^2 sin(pi x) on [0, 1], u = 0 at the ends; u = sin(pi x)",
        "u(x)",
        "u at 60 places, noise 0.15, to be learned",
        YU,
    )
    PUBLISHED = (
        Published("share of readings in 95 % bands", "variational inference", 0.53, None, YU),
        Published("share of readings in 95 % bands", "conformal", 0.97, None, YU),
    )

    @classmethod
    def made(cls, seed=0, noise=0.15):
        """Readings of this noise."""
        rng = np.random.default_rng(seed)
        places = np.sort(rng.uniform(0.0, 1.0, READINGS))[:, None]
        return cls({"values": read(_arch, places, noise, rng=rng, noise_stated=False)}, noise)

    def residuals(self):
        """The equation and its two ends."""

        def interior(u, x):
            # Plus, since the source has a minus.
            return second_partial(u, X)(x) + jnp.pi**2 * jnp.sin(jnp.pi * x[X])

        def ends(u, x):
            return u(x)

        return {"interior": interior, "ends": ends}

    def regions(self):
        """The line and its ends."""
        return line_and_ends(self.coordinates())

    def scales(self):
        """Both are exact."""
        return dict.fromkeys(self.residuals(), 0.0)

    def coordinates(self):
        """A line of length 1."""
        return {"x": (0.0, 1.0)}

    def solution(self):
        r"""$\sin \pi x$."""
        return _arch


def _arch(x):
    return jnp.sin(jnp.pi * x[X])
