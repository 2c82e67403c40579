"""An oscillator about an unknown level, from a year of daily values."""

import jax.numpy as jnp
import numpy as np

from agewise.engine.problems import LogNormal, Unknowns, partial, second_partial
from agewise.library.known import About, AbstractMeasuredProblem, Published
from agewise.library.sensors import grid, read

TIME = 0
"""Position of the time, the only coordinate, in years."""
DAMPING, STIFFNESS, LEVEL = 1.3, 320.0, 0.57
"""True constants c [1/year], k [1/year²] and x0 [1], near what Linka found in real cases."""
SWING, SPEED = -0.4, 2.0
"""True distance from the level [1] and speed [1/year] at the first day; ours."""
READINGS = 365
"""Readings of the year, one a day."""
LINKA = "Linka et al. 2022, daily cases of one year"


class Linka(AbstractMeasuredProblem):
    r"""$x'' + c x' + k (x - x_0) = 0$ with all three constants unknown, from a made year.

    Linka et al. fit real cases of an epidemic, whose constants nobody knows: paper, repository and
    least squares differ by more than their stated deviations. Here the series is made.
    """

    ABOUT = About(
        "Damping, stiffness and level of an oscillator from a made year of daily readings.",
        "x'' + c x' + k (x - x0) = 0 on [0, 1] year; c = 1.3, k = 320, x0 = 0.57",
        "x(t), c, k, x0",
        "x on 365 days, noise 0.05",
        "Linka et al. 2022; series ours, with known constants",
    )
    PUBLISHED = (
        Published("c of real cases", "paper", 1.31, 0.39, LINKA),
        Published("k of real cases", "paper", 319.0, 39.0, LINKA),
        Published("x0 of real cases", "paper", 0.571, 0.020, LINKA),
        Published("c of real cases", "its repository", 2.17, 0.52, LINKA),
        Published("k of real cases", "its repository", 401.0, 22.0, LINKA),
        Published("x0 of real cases", "its repository", 0.558, 0.01, LINKA),
    )

    @classmethod
    def made(cls, seed=0, noise=0.05):
        """Readings of every day."""
        rng = np.random.default_rng(seed)
        days = grid(np.linspace(0.0, 1.0, READINGS))
        return cls({"cases": read(_place, days, noise, rng=rng)}, noise)

    def residuals(self):
        """The law of the oscillator over its stiffness, as Linka writes it."""

        def swing(u, t):
            inertia = second_partial(u, TIME)(t) + u.c * partial(u, TIME)(t)
            # Over k, so that the residual is of the size of x and not of k.
            return inertia / u.k + u(t) - u.x0

        return {"swing": swing}

    def scales(self):
        """The law is exact for a made series; Linka lets it err by 0.1."""
        return {"swing": 0.0}

    def coordinates(self):
        """A year."""
        return {"t": (0.0, 1.0)}

    def functions(self):
        """The place, Linka's share of the highest count of cases."""
        return {"x": ("t",)}

    def constants(self):
        """Linka's priors."""
        return {"c": LogNormal(2.2, 0.5), "k": LogNormal(350.0, 0.5), "x0": LogNormal(0.56, 0.5)}

    def solution(self):
        r"""$x_0 + e^{-ct/2}(a\cos\omega t + b\sin\omega t)$, $\omega^2 = k - c^2/4$."""
        return Unknowns({"x": _place}, {"c": DAMPING, "k": STIFFNESS, "x0": LEVEL})


def _place(t):
    # Underdamped: k is far above c²/4, so that the root is real.
    turn = np.sqrt(STIFFNESS - DAMPING**2 / 4)
    # From x'(0) = speed: -c/2 · swing + ω · sine.
    sine = (SPEED + DAMPING * SWING / 2) / turn
    swung = SWING * jnp.cos(turn * t[TIME]) + sine * jnp.sin(turn * t[TIME])
    return LEVEL + jnp.exp(-DAMPING * t[TIME] / 2) * swung
