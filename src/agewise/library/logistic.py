"""Growth towards a limit, at an unknown rate."""

import jax.numpy as jnp
import numpy as np

from agewise.engine.problems import LogNormal, Unknowns, partial
from agewise.library.known import About, AbstractMeasuredProblem
from agewise.library.sensors import grid, read

TIME = 0
"""Position of the time, the only coordinate."""
RATE = 0.8
"""True rate of growth [1 per unit of time]; ours, Podina does not print one."""
START = 0.05
"""True share of the limit at time zero [1]; ours."""
LAST = 10.0
"""Length of the record, in units of time: from a twentieth to nearly all of the limit."""
READINGS = 40
"""Number of readings, evenly spaced over the record."""


class Logistic(AbstractMeasuredProblem):
    r"""$u' = r u (1 - u)$ with an unknown rate, from readings whose noise is unknown too."""

    ABOUT = About(
        "The rate of logistic growth from readings of unknown noise.",
        "u' = r u (1 - u) on [0, 10]; r = 0.8, u(0) = 0.05, both unknown",
        "u(t), r",
        "u at 40 instants, noise 0.03, to be learned",
        "the kind of Podina et al. 2024; constants ours",
    )

    @classmethod
    def made(cls, seed=0, noise=0.03):
        """Readings of the share of the limit."""
        rng = np.random.default_rng(seed)
        instants = grid(np.linspace(0.0, LAST, READINGS))
        return cls({"share": read(_share, instants, noise, rng=rng, noise_stated=False)}, noise)

    def residuals(self):
        """The law of growth."""

        def growth(u, t):
            return partial(u, TIME)(t) - u.r * u(t) * (1 - u(t))

        return {"growth": growth}

    def scales(self):
        """The law is exact."""
        return {"growth": 0.0}

    def coordinates(self):
        """Time alone."""
        return {"t": (0.0, LAST)}

    def constants(self):
        """The rate, known to within a factor of about two."""
        return {"r": LogNormal(1.0, 0.7)}

    def solution(self):
        r"""$1/(1 + (1/u_0 - 1) e^{-rt})$."""
        return Unknowns({"u": _share}, {"r": RATE})


def _share(t):
    # u/(1 - u) grows as e^(rt).
    return 1 / (1 + (1 / START - 1) * jnp.exp(-RATE * t[TIME]))
