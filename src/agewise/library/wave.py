"""A string that swings in two of its tones."""

import jax.numpy as jnp

from agewise.engine.problems import Region, T, X, partial, second_partial
from agewise.library.faces import face, full_box, walls
from agewise.library.known import About, AbstractKnownProblem, Published

SPEED = 2.0
"""Speed of waves, c [1] (Wang, Yu and Perdikaris 2022)."""
OVERTONE = 0.5
"""Height of the fourth tone beside the first [1]."""


class Wave(AbstractKnownProblem):
    r"""$u_{tt} = 4 u_{xx}$ on the unit square, held at both ends, at rest at first."""

    ABOUT = About(
        "A string that swings in its first and fourth tone.",
        "u_tt = 4 u_xx on [0, 1]^2; u = sin(pi x) cos(2 pi t) + 0.5 sin(4 pi x) cos(8 pi t)",
        "u(x, t)",
        "nothing",
        "Wang, Yu and Perdikaris 2022",
    )
    PUBLISHED = (
        Published("relative L2 of u", "NTK weights", 3.9e-3, None, "Wang, Yu and Perdikaris 2022"),
    )

    def residuals(self):
        """The equation, the ends, and place and speed at first."""

        def interior(u, xt):
            return second_partial(u, T)(xt) - SPEED**2 * second_partial(u, X)(xt)

        def wall(u, xt):
            return u(xt)

        def initial(u, xt):
            # At t = 0 alone, where the cosines of all tones are one.
            return u(xt) - _swing(xt)

        def still(u, xt):
            return partial(u, T)(xt)

        return {"interior": interior, "wall": wall, "initial": initial, "still": still}

    def regions(self):
        """The square, its two walls and its first instant."""
        axes = self.coordinates()
        first = Region((face(axes, t=0.0),))
        within = {"interior": full_box(axes), "wall": walls(axes, "x")}
        return within | {"initial": first, "still": first}

    def scales(self):
        """All are exact."""
        return dict.fromkeys(self.residuals(), 0.0)

    def solution(self):
        r"""$\sin \pi x \cos 2\pi t + \frac12 \sin 4\pi x \cos 8\pi t$."""
        return _swing


def _swing(xt):
    def tone(number):
        # Tones of a string of length one held at both ends; time turns by the speed.
        turn = number * jnp.pi
        return jnp.sin(turn * xt[X]) * jnp.cos(SPEED * turn * xt[T])

    return tone(1) + OVERTONE * tone(4)
