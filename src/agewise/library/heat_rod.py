"""The smallest problem: a rod that cools between two cold walls."""

import equinox as eqx
import jax.numpy as jnp

from agewise.engine.problems import Box, Region, T, X, partial, second_partial
from agewise.library.known import About, AbstractKnownProblem


class HeatRod(AbstractKnownProblem):
    r"""Heat conduction, $u_t = a u_{xx}$, walls held at zero, from one arch of a sine."""

    diffusivity: float = 0.05
    """How fast the rod evens out, in lengths of the rod squared for each unit of time [1]."""

    looseness: float = eqx.field(static=True, default=0.0)
    """Standard deviation that is declared for every residual, in the unit of each; 0 says exact."""

    ABOUT = About(
        "A rod that cools between two cold walls.",
        "u_t = 0.05 u_xx on [0, 1] x [0, 1], u = 0 at the walls, sin(pi x) at first",
        "u(x, t)",
        "nothing",
        "any textbook",
    )

    def residuals(self):
        """The equation, the cold walls and the first profile."""

        def interior(u, xt):
            return partial(u, T)(xt) - self.diffusivity * second_partial(u, X)(xt)

        def wall(u, xt):
            return u(xt)

        def initial(u, xt):
            return u(xt) - jnp.sin(jnp.pi * xt[X])

        return {"interior": interior, "wall": wall, "initial": initial}

    def regions(self):
        """The unit square, its two walls and its first instant."""
        return {
            "interior": Region((Box((0.0, 0.0), (1.0, 1.0)),)),
            "wall": Region((Box((0.0, 0.0), (0.0, 1.0)), Box((1.0, 0.0), (1.0, 1.0)))),
            "initial": Region((Box((0.0, 0.0), (1.0, 0.0)),)),
        }

    def scales(self):
        """All are exact, unless a looseness is given."""
        return dict.fromkeys(self.residuals(), self.looseness)

    def solution(self):
        r"""$e^{-a\pi^2 t}\sin \pi x$."""
        # The sine is the rod's slowest mode, which only fades.
        rate = self.diffusivity * jnp.pi**2
        return lambda xt: jnp.exp(-rate * xt[T]) * jnp.sin(jnp.pi * xt[X])
