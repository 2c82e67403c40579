"""A nonlinear Poisson equation in the plane, from noisy readings of its source."""

import jax.numpy as jnp
import numpy as np

from agewise.engine.problems import X, second_partial
from agewise.library.known import About, AbstractMeasuredProblem
from agewise.library.sensors import grid, read

Y = 1
"""Position of the second coordinate."""
DIFFUSION = 0.01
"""Factor of the Laplacian [1] (Yang, Meng and Karniadakis 2021, section 3.2)."""
SOURCES = 500
"""Sensors of the source, at random places."""
AN_EDGE = 25
"""Sensors of the function along each edge, evenly spaced."""
AXES = {"x": (-1.0, 1.0), "y": (-1.0, 1.0)}
"""The square of both problems in the plane."""


def bumps(xy):
    r"""The solution, $\sin \pi x \sin \pi y$."""
    return jnp.sin(jnp.pi * xy[X]) * jnp.sin(jnp.pi * xy[Y])


def spreading(u, xy):
    r"""$0.01\,\nabla^2 u$."""
    return DIFFUSION * (second_partial(u, X)(xy) + second_partial(u, Y)(xy))


def source(u, xy):
    r"""What the sensors of the source show, $0.01\,\nabla^2 u + u(u^2 - 1)$."""
    return spreading(u, xy) + u(xy) * (u(xy) ** 2 - 1)


class PoissonPlane(AbstractMeasuredProblem):
    r"""$0.01\,\nabla^2 u + u(u^2 - 1) = f$ on $[-1, 1]^2$, with readings of $f$, and of $u$ at the
    edges."""

    ABOUT = About(
        "A nonlinear Poisson equation in the plane from noisy readings of its source.",
        "0.01 (u_xx + u_yy) + u (u^2 - 1) = f on [-1, 1]^2; u = sin(pi x) sin(pi y)",
        "u(x, y)",
        "f at 500 random places and u at 25 on each edge, noise 0.01 (or 0.1)",
        "Yang, Meng and Karniadakis 2021, section 3.2",
    )

    @classmethod
    def made(cls, seed=0, noise=0.01):
        """Readings of source and edges with the same noise."""
        rng = np.random.default_rng(seed)
        inside = rng.uniform(-1.0, 1.0, (SOURCES, 2))
        along, ends = np.linspace(-1.0, 1.0, AN_EDGE), np.array([-1.0, 1.0])
        # Corners stand in both, so that each edge has its own readings of them.
        edges = np.concatenate([grid(ends, along), grid(along, ends)])
        sensors = {
            "source": read(bumps, inside, noise, rng=rng, quantity=source),
            "edges": read(bumps, edges, noise, rng=rng),
        }
        return cls(sensors, noise)

    def residuals(self):
        """None: the equation is in the readings of the source."""
        return {}

    def coordinates(self):
        """A square about zero."""
        return AXES

    def solution(self):
        r"""$\sin \pi x \sin \pi y$."""
        return bumps
