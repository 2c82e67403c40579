"""Bratu's equation, which has two solutions."""

from typing import Literal

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from scipy.optimize import brentq

from agewise.engine.problems import X, second_partial
from agewise.library.faces import line_and_ends
from agewise.library.known import About, AbstractKnownProblem, Published
from agewise.types import ScalarField

HEATING = 1.0
"""Factor of the exponential, lambda [1]; two solutions exist below 3.51."""
TURNING = 4.798714561
"""Theta at which both solutions meet: theta tanh(theta/4) = 4."""
HIGHEST = 20.0
"""Above every theta of the upper solution for lambda of 1."""

Branch = Literal["lower", "upper"]


class Bratu(AbstractKnownProblem):
    r"""$u'' + e^u = 0$ on $[0, 1]$, $u(0) = u(1) = 0$: a low solution and a high one.

    Both solve the same statement; `solutions` gives both, `solution` that of `branch`. The branch
    changes one thing only that a method sees, `sizes`: how large the function is expected to be.
    Whatever is fitted is to be compared with the nearer one, and draws never averaged over both.
    """

    branch: Branch = eqx.field(static=True, default="lower")
    """Which solution is meant."""

    ABOUT = About(
        "Heat that makes more heat: an equation with two solutions.",
        "u'' + e^u = 0 on [0, 1], u(0) = u(1) = 0; maxima 0.1405 and 4.0915",
        "u(x)",
        "nothing",
        "Bratu 1914; as in Zou et al. 2025",
    )
    PUBLISHED = (
        Published("maximum of the lower solution", "closed form", 0.1405, None, "Zou et al. 2025"),
        Published("maximum of the upper solution", "closed form", 4.0915, None, "Zou et al. 2025"),
    )

    @classmethod
    def made(cls, seed=0, branch: Branch = "lower"):
        """The same for every seed."""
        return cls(branch)

    def residuals(self):
        """The equation and its two ends."""

        def interior(u, x):
            return second_partial(u, X)(x) + HEATING * jnp.exp(u(x))

        def ends(u, x):
            return u(x)

        return {"interior": interior, "ends": ends}

    def regions(self):
        """The line, and its two ends."""
        return line_and_ends(self.coordinates())

    def scales(self):
        """Both are exact."""
        return {"interior": 0.0, "ends": 0.0}

    def coordinates(self):
        """A line of length 1."""
        return {"x": (0.0, 1.0)}

    def sizes(self):
        """About the maximum of the solution that is meant."""
        return {"u": 0.14 if self.branch == "lower" else 4.0}

    def solutions(self) -> dict[str, ScalarField]:
        """Both solutions by their branch."""
        # Theta less sqrt(2) cosh(theta/4) is positive in between, so each side has one root.
        return {"lower": _arch(0.0, TURNING), "upper": _arch(TURNING, HIGHEST)}

    def solution(self):
        r"""The arch $-2\ln[\cosh((x - 1/2)\theta/2)/\cosh(\theta/4)]$.

        Here $\theta = \sqrt{2}\cosh(\theta/4)$, which has two roots, one for each branch.
        """
        return self.solutions()[self.branch]


def _arch(low: float, high: float) -> ScalarField:
    """The solution whose theta lies between two numbers."""

    def excess(theta: float) -> float:
        return theta - np.sqrt(2 * HEATING) * np.cosh(theta / 4)

    theta = float(brentq(excess, low, high, xtol=1e-14, rtol=1e-14))  # pyright: ignore[reportArgumentType]

    def arch(x):
        # As a sum of exponentials, since a logarithm of a ratio loses digits near the ends.
        return -2 * (_log_cosh((x[X] - 0.5) * theta / 2) - _log_cosh(theta / 4))

    return arch


def _log_cosh(angle):
    # log((e^a + e^-a)/2), which does not overflow where a cosh would.
    return jnp.logaddexp(angle, -angle) - jnp.log(2.0)
