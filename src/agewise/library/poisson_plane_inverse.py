"""An unknown rate of reaction in the plane."""

import numpy as np

from agewise.engine.problems import Normal, Unknowns
from agewise.library.known import About, AbstractMeasuredProblem
from agewise.library.poisson_plane import AXES, bumps, spreading
from agewise.library.sensors import read

RATE = 1.0
"""True factor of the reaction, k [1] (Yang, Meng and Karniadakis 2021, section 3.3)."""
READINGS = 100
"""Sensors of the source, and as many of the function, at random places."""


def source(u, xy):
    r"""What the sensors of the source show, $0.01\,\nabla^2 u + k u^2$."""
    return spreading(u, xy) + u.k * u(xy) ** 2


class PoissonPlaneInverse(AbstractMeasuredProblem):
    r"""$0.01\,\nabla^2 u + k u^2 = f$ on $[-1, 1]^2$, with readings of $f$ and $u$; $k$ is
    sought."""

    ABOUT = About(
        "An unknown rate of reaction in the plane from noisy readings of source and function.",
        "0.01 (u_xx + u_yy) + k u^2 = f on [-1, 1]^2; u = sin(pi x) sin(pi y), k = 1",
        "u(x, y), k",
        "f and u at 100 random places each, noise 0.01 (or 0.1)",
        "Yang, Meng and Karniadakis 2021, section 3.3",
    )

    @classmethod
    def made(cls, seed=0, noise=0.01):
        """Readings of source and function with the same noise."""
        rng = np.random.default_rng(seed)
        # Places of both in one call: noise that is drawn after them cannot move them.
        sources, values = rng.uniform(-1.0, 1.0, (2, READINGS, 2))
        sensors = {
            "source": read(_truth(), sources, noise, rng=rng, quantity=source),
            "values": read(bumps, values, noise, rng=rng),
        }
        return cls(sensors, noise)

    def residuals(self):
        """None: the equation is in the readings of the source."""
        return {}

    def coordinates(self):
        """A square about zero."""
        return AXES

    def constants(self):
        """The rate of reaction, about which little is known."""
        return {"k": Normal(0.5, 1.0)}

    def solution(self):
        r"""$\sin \pi x \sin \pi y$ and $k = 1$."""
        return _truth()


def _truth() -> Unknowns:
    return Unknowns({"u": bumps}, {"k": RATE})
