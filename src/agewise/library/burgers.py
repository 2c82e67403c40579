"""Burgers' equation: a sine that steepens into a shock."""

import jax.numpy as jnp
import numpy as np

from agewise.engine.problems import T, X, partial, second_partial
from agewise.library.faces import line_over_time
from agewise.library.known import About, AbstractKnownProblem, Published

SHARP, SMOOTH = 0.01 / np.pi, 0.1 / np.pi
"""Viscosities [1]: the usual one (Raissi et al. 2019), and one whose front is ten times as wide."""
NODES = np.linspace(-14.0, 14.0, 561)
"""Places of the quadrature, in widths of the heat kernel: the integrand is below 1e-16 beyond, and
smooth between."""
RAISSI = "Raissi, Perdikaris and Karniadakis 2019"


class Burgers(AbstractKnownProblem):
    r"""$u_t + u u_x = \nu u_{xx}$ on $[-1, 1] \times [0, 1]$, $u = -\sin \pi x$ at first, 0 at the
    walls."""

    viscosity: float = SHARP
    """Viscosity, nu [1]."""

    ABOUT = About(
        "A sine that steepens into a shock at x = 0.",
        "u_t + u u_x = nu u_xx on [-1, 1] x [0, 1]; nu = 0.01/pi, or 0.1/pi (burgers-smooth)",
        "u(x, t)",
        "nothing",
        "Basdevant et al. 1986; Raissi, Perdikaris and Karniadakis 2019",
    )
    PUBLISHED = (
        Published("relative L2 of u at nu = 0.01/pi", "PINN, L-BFGS", 6.7e-4, None, RAISSI),
    )

    @classmethod
    def made(cls, seed=0, viscosity=SHARP):
        """The same for every seed."""
        return cls(viscosity)

    def residuals(self):
        """The equation, the walls and the first profile."""

        def interior(u, xt):
            steepening = u(xt) * partial(u, X)(xt)
            return partial(u, T)(xt) + steepening - self.viscosity * second_partial(u, X)(xt)

        def wall(u, xt):
            return u(xt)

        def initial(u, xt):
            # Plus, since the first profile is minus a sine.
            return u(xt) + jnp.sin(jnp.pi * xt[X])

        return {"interior": interior, "wall": wall, "initial": initial}

    def regions(self):
        """The box, its two walls and its first instant."""
        return line_over_time(self.coordinates())

    def scales(self):
        """All are exact."""
        return dict.fromkeys(self.residuals(), 0.0)

    def coordinates(self):
        """Two lengths and a unit of time."""
        return {"x": (-1.0, 1.0), "t": (0.0, 1.0)}

    def reference(self, points):
        r"""By Cole and Hopf: $u = -\overline{\sin \pi y}$, a mean over the heat kernel about x.

        Weighted by $e^{-\cos(\pi y)/2\pi\nu}$, with $y = x - 2\sqrt{\nu t}\,z$ at the nodes z.
        """
        viscosity = float(self.viscosity)
        # One row a point, one column a node.
        y = points[:, :1] - 2 * np.sqrt(viscosity * points[:, 1:]) * NODES
        exponent = -(NODES**2) - np.cos(np.pi * y) / (2 * np.pi * viscosity)
        # The largest is taken out, or exponents of fifty would cost digits.
        weights = np.exp(exponent - exponent.max(axis=1, keepdims=True))
        # The same factors stand above and below, so that what was taken out cancels.
        return {"u": -np.sum(weights * np.sin(np.pi * y), axis=1) / weights.sum(axis=1)}
