"""Helmholtz' equation with a solution that waves four times faster along y."""

import jax.numpy as jnp
import numpy as np

from agewise.engine.problems import X, second_partial
from agewise.library.faces import full_box, walls
from agewise.library.known import About, AbstractKnownProblem, Published

Y = 1
"""Position of the second coordinate."""
ALONG_X, ALONG_Y = np.pi, 4 * np.pi
"""Wave numbers of the solution [1] (Wang, Teng and Perdikaris 2021)."""
RBA = "Anagnostopoulos et al. 2024"


class Helmholtz(AbstractKnownProblem):
    r"""$u_{xx} + u_{yy} + u = f$ on $[-1, 1]^2$, zero at the walls."""

    ABOUT = About(
        "A wave in a square, four times faster along y.",
        "u_xx + u_yy + u = f on [-1, 1]^2, u = 0 at the walls; u = sin(pi x) sin(4 pi y)",
        "u(x, y)",
        "nothing",
        "Wang, Teng and Perdikaris 2021",
    )
    PUBLISHED = (
        Published("relative L2 of u", "RBA", 2.9e-3, None, RBA),
        Published("relative L2 of u", "self-adaptive weights", 1.4e-2, None, RBA),
        Published("relative L2 of u", "PINN", 2.6e-2, None, RBA),
    )

    def residuals(self):
        """The equation and the walls."""

        def interior(u, xy):
            bends = second_partial(u, X)(xy) + second_partial(u, Y)(xy)
            # The source that makes the wave a solution: each second derivative brings -k².
            return bends + u(xy) - (1 - ALONG_X**2 - ALONG_Y**2) * _wave(xy)

        def wall(u, xy):
            return u(xy)

        return {"interior": interior, "wall": wall}

    def regions(self):
        """The square and its four walls."""
        axes = self.coordinates()
        return {"interior": full_box(axes), "wall": walls(axes, "x", "y")}

    def scales(self):
        """Both are exact."""
        return dict.fromkeys(self.residuals(), 0.0)

    def coordinates(self):
        """A square about zero."""
        return {"x": (-1.0, 1.0), "y": (-1.0, 1.0)}

    def solution(self):
        r"""$\sin \pi x \sin 4\pi y$."""
        return _wave


def _wave(xy):
    return jnp.sin(ALONG_X * xy[X]) * jnp.sin(ALONG_Y * xy[Y])
