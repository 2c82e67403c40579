"""Water that drives oil out of sand: a front with a tail behind it."""

from functools import lru_cache

import jax.numpy as jnp
import numpy as np
from numpy.polynomial import chebyshev
from scipy.integrate import solve_ivp

from agewise.engine.problems import T, X, partial, second_partial
from agewise.library.course import Course
from agewise.library.faces import line_over_time
from agewise.library.known import About, AbstractKnownProblem

VISCOSITY = 0.01
"""Smears the front [1]; ours, as all constants below. Without it there is no classical solution:
an equation that must vanish at points cannot tell the right shock (Fuks and Tchelepi 2020)."""
MOBILITY = 1.0
"""Mobility of the oil over that of the water, M [1]."""
FRONT, WIDTH = 0.2, 0.05
"""Place and width of the first front [1]."""
LAST = 0.5
"""Length of the record, in units of time: the front passes six tenths of the sand."""
DEGREE = 320
"""Degree of the reference in x; 400 gives the same to 2e-6 of its size."""


def first_front(x):
    r"""The share of water at first, $(1 - \tanh((x - 0.2)/0.05))/2$."""
    return (1 - jnp.tanh((x - FRONT) / WIDTH)) / 2


class BuckleyLeverett(AbstractKnownProblem):
    r"""$u_t + f(u)_x = 0.01\,u_{xx}$ with $f = u^2/(u^2 + M(1 - u)^2)$, $u$ the share of water."""

    ABOUT = About(
        "Water that drives oil out of sand: a front with a tail, smeared by a little viscosity.",
        "u_t + f(u)_x = 0.01 u_xx on [0, 1] x [0, 0.5]; f = u^2/(u^2 + (1-u)^2), front at x = 0.2",
        "u(x, t)",
        "nothing",
        "the kind of Podina et al. 2024; constants and viscosity ours",
    )

    def residuals(self):
        """The equation, both ends and the first front."""

        def interior(u, xt):
            water, oil = u(xt), 1 - u(xt)
            # f'(u) by hand: differentiated by JAX, f(u(x)) would cost another pass.
            slope = 2 * MOBILITY * water * oil / (water**2 + MOBILITY * oil**2) ** 2
            flow = slope * partial(u, X)(xt)
            return partial(u, T)(xt) + flow - VISCOSITY * second_partial(u, X)(xt)

        def edge(u, xt):
            return u(xt) - first_front(xt[X])

        # The front is flat at both ends, so that its values there serve as walls.
        return {"interior": interior, "wall": edge, "initial": edge}

    def regions(self):
        """The box, its two walls, where nothing changes, and its first instant."""
        return line_over_time(self.coordinates())

    def scales(self):
        """All are exact."""
        return dict.fromkeys(self.residuals(), 0.0)

    def coordinates(self):
        """The length of the sand, and time."""
        return {"x": (0.0, 1.0), "t": (0.0, LAST)}

    def reference(self, points):
        """By Chebyshev polynomials in x and an implicit method in time."""
        return {"u": buckley_leverett_course(DEGREE)(points)}


@lru_cache(maxsize=2)
def buckley_leverett_course(degree: int) -> Course:
    """The solution as a series of Chebyshev polynomials, by collocation at their extremes."""
    # Extremes of the last polynomial, dense at the ends: collocation there is well conditioned.
    places = np.cos(np.pi * np.arange(degree + 1) / degree)
    values_of = chebyshev.chebvander(places, degree)
    of_values = np.linalg.inv(values_of)
    # Twice the slope over [-1, 1] is the slope over [0, 1].
    slope = 2 * values_of[:, :-1] @ chebyshev.chebder(np.eye(degree + 1)) @ of_values
    # From 1 down to -1: the first and the last place are the ends.
    inside, bend = slice(1, -1), slope @ slope

    def rates(_, u):
        change = VISCOSITY * bend @ u - slope @ (u**2 / (u**2 + MOBILITY * (1 - u) ** 2))
        # The ends stay as they are.
        return np.concatenate([[0.0], change[inside], [0.0]])

    def rate_slopes(_, u):
        speed = 2 * MOBILITY * u * (1 - u) / (u**2 + MOBILITY * (1 - u) ** 2) ** 2
        jacobian = VISCOSITY * bend - slope * speed
        # Rows of the ends, whose rates are zero whatever the values.
        jacobian[[0, -1]] = 0.0
        return jacobian

    solved = solve_ivp(
        rates,
        (0.0, LAST),
        (1 - np.tanh(((places + 1) / 2 - FRONT) / WIDTH)) / 2,
        # Implicit: Chebyshev's second derivative grows with the fourth power of the degree.
        method="BDF",
        jac=rate_slopes,
        rtol=1e-8,
        atol=1e-9,
        dense_output=True,
    )
    at = solved.sol
    assert at is not None
    # The coefficients that change in time are values at the places, hence the inverse matrix.
    return Course(lambda x: chebyshev.chebvander(2 * x - 1, degree) @ of_values, at)
