"""The Allen-Cahn equation: two phases whose border sharpens."""

from functools import lru_cache

import jax.numpy as jnp
import numpy as np
from scipy.fft import dct, idct
from scipy.integrate import solve_ivp

from agewise.engine.problems import Region, T, X, partial, second_partial
from agewise.library.course import Course
from agewise.library.faces import face, full_box
from agewise.library.known import About, AbstractKnownProblem, Published

DIFFUSION, REACTION = 1e-4, 5.0
"""Factors of the equation [1] (Raissi et al. 2019; McClenny and Braga-Neto 2023)."""
MODES = 1024
"""Cosines of the reference, which is even in x; 2048 give the same to 1e-6 of its size."""
RBA = "Anagnostopoulos et al. 2024, 6 x 128, 25 600 points, 30 000 steps"


class AllenCahn(AbstractKnownProblem):
    r"""$u_t = 10^{-4} u_{xx} - 5u^3 + 5u$ on a ring $[-1, 1]$, from $u = x^2\cos\pi x$.

    The first profile has a kink where the ring closes, so the solution is classical for t > 0.
    """

    ABOUT = About(
        "Two phases on a ring, whose border sharpens.",
        "u_t = 0.0001 u_xx - 5 u^3 + 5 u on [-1, 1] x [0, 1], periodic, u = x^2 cos(pi x) at first",
        "u(x, t)",
        "nothing",
        "Raissi, Perdikaris and Karniadakis 2019; McClenny and Braga-Neto 2023",
    )
    PUBLISHED = (
        Published("relative L2 of u", "RBA", 2.5e-2, None, RBA),
        Published("relative L2 of u", "self-adaptive weights", 7.9e-2, None, RBA),
        Published("relative L2 of u", "PINN", 0.99, None, RBA),
        Published("relative L2 of u", "RBA, Fourier features, 300 000 steps", 5.5e-5, None, RBA),
    )

    def residuals(self):
        """The equation and the first profile."""

        def interior(u, xt):
            reaction = REACTION * (u(xt) - u(xt) ** 3)
            return partial(u, T)(xt) - DIFFUSION * second_partial(u, X)(xt) - reaction

        def initial(u, xt):
            return u(xt) - xt[X] ** 2 * jnp.cos(jnp.pi * xt[X])

        return {"interior": interior, "initial": initial}

    def regions(self):
        """The box and its first instant."""
        axes = self.coordinates()
        return {"interior": full_box(axes), "initial": Region((face(axes, t=0.0),))}

    def scales(self):
        """Both are exact."""
        return dict.fromkeys(self.residuals(), 0.0)

    def coordinates(self):
        """Once around the ring, and a unit of time."""
        return {"x": (-1.0, 1.0), "t": (0.0, 1.0)}

    def periodic(self):
        """The two ends of x are one place."""
        return ("x",)

    def reference(self, points):
        """By cosines in x and a Runge-Kutta method of order eight in time."""
        x, t = points[:, X], points[:, T]
        # At first as it is given: a series rounds off the kink.
        start = x**2 * np.cos(np.pi * x)
        return {"u": np.where(t == 0, start, allen_cahn_course(MODES)(points))}


@lru_cache(maxsize=2)
def allen_cahn_course(modes: int) -> Course:
    """The solution as a series of cosines."""
    waves = np.arange(modes)
    # Middles of equal cells of [0, 1], where the transform samples; x < 0 follows by evenness.
    places = (waves + 0.5) / modes

    def rates(_, coefficients):
        u = idct(coefficients)
        # The cube is plain at places, second derivatives at waves: each is taken there.
        return dct(REACTION * (u - u**3)) - DIFFUSION * (np.pi * waves) ** 2 * coefficients

    start = np.asarray(dct(places**2 * np.cos(np.pi * places)))
    # Explicit, since the fastest wave decays at 1e-4 (1024 π)², about a thousand: not stiff.
    solved = solve_ivp(
        rates, (0.0, 1.0), start, method="DOP853", rtol=1e-9, atol=1e-9, dense_output=True
    )
    assert solved.sol is not None
    # The inverse transform, written as a sum: half of the first and all others, over the modes.
    weights = np.where(waves == 0, 0.5, 1.0) / modes
    return Course(lambda x: weights * np.cos(np.pi * np.outer(x, waves)), solved.sol)
