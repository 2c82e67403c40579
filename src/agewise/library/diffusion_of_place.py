"""Diffusion whose diffusivity hangs on the place, and is sought as a function."""

from functools import lru_cache

import numpy as np
from numpy.polynomial import legendre
from scipy.linalg import eigh

from agewise.engine.problems import T, X, partial
from agewise.library.course import Course
from agewise.library.faces import full_box, walls
from agewise.library.known import About, AbstractMeasuredProblem, Published
from agewise.library.sensors import grid, noisy

FIRST, LAST = 0.01, 0.03
"""The window, in units of time (Jiang et al. 2023, and sensors and noise with it)."""
PLACES, INSTANTS = 13, 9
"""Sensors along x, and instants at which all of them are read."""
MODES = 40
"""Legendre polynomials of the reference; 30 give the same to 1e-10."""
JIANG = "Jiang et al. 2023, 5 members; measured on their saved ensembles"


def diffusivity(x):
    r"""The true diffusivity, $0.1 + e^{0.5 \sin 2\pi x}$."""
    return 0.1 + np.exp(0.5 * np.sin(2 * np.pi * x))


class DiffusionOfPlace(AbstractMeasuredProblem):
    r"""$u_t = (v u_x)_x$ without flux through the walls; $u(x, t)$ is read, $v(x)$ is sought.

    It starts from $u = \cos \pi x$ at time zero (ours: Jiang's is in a file of data), of which the
    problem tells nothing: the window begins later.
    """

    ABOUT = About(
        "A diffusivity that hangs on the place, sought as a function from noisy readings.",
        "u_t = (v(x) u_x)_x on [0, 1] x [0.01, 0.03], no flux at walls; log(v-0.1) = sin(2 pi x)/2",
        "u(x, t), v(x)",
        "u at 13 places and 9 instants, noise 0.01",
        "Jiang et al. 2023; first profile ours",
    )
    PUBLISHED = (
        Published("relative L2 of v", "ensemble of PINNs", 0.095, None, JIANG),
        Published("coverage of v by 2 standard deviations", "ensemble of PINNs", 0.71, None, JIANG),
    )

    @classmethod
    def made(cls, seed=0, noise=0.01):
        """Readings of all sensors at all instants."""
        rng = np.random.default_rng(seed)
        points = grid(np.linspace(0.0, 1.0, PLACES), np.linspace(FIRST, LAST, INSTANTS))
        return cls({"grid": noisy(points, diffusion_course(MODES)(points), noise, rng=rng)}, noise)

    def residuals(self):
        """The equation, and no flux through the walls."""

        def flux(u):
            # As a function of the point, so that the divergence differentiates v and u_x both.
            return lambda xt: u.v(xt) * partial(u.u, X)(xt)

        def interior(u, xt):
            return partial(u.u, T)(xt) - partial(flux(u), X)(xt)

        def wall(u, xt):
            # v is positive, so no flux means no slope.
            return partial(u.u, X)(xt)

        return {"interior": interior, "wall": wall}

    def regions(self):
        """The box and its two walls."""
        axes = self.coordinates()
        return {"interior": full_box(axes), "wall": walls(axes, "x")}

    def scales(self):
        """Both are exact."""
        return dict.fromkeys(self.residuals(), 0.0)

    def coordinates(self):
        """A unit of length, and a short window of time."""
        return {"x": (0.0, 1.0), "t": (FIRST, LAST)}

    def functions(self):
        """What is read, and a diffusivity that does not change in time."""
        return {"u": ("x", "t"), "v": ("x",)}

    def reference(self, points):
        """By Legendre polynomials in x, exact in time."""
        return {"u": diffusion_course(MODES)(points), "v": diffusivity(points[:, X])}


@lru_cache(maxsize=2)
def diffusion_course(modes: int) -> Course:
    """The solution as a series of the equation's own modes, by Galerkin's method."""
    nodes, weights = legendre.leggauss(4 * modes)
    # Nodes are on [-1, 1]; the half of their weights cancels between mass, stiffness and start.
    x = (nodes + 1) / 2
    values = legendre.legvander(nodes, modes - 1)
    # Twice the slope over [-1, 1] is the slope over [0, 1].
    slopes = 2 * values[:, : modes - 1] @ legendre.legder(np.eye(modes))
    mass = values.T @ (weights[:, None] * values)
    # In the weak form nothing need be done for walls that let nothing through.
    stiffness = slopes.T @ ((weights * diffusivity(x))[:, None] * slopes)
    # K s = λ M s with sᵀ M s = 1: in these modes every coefficient decays by itself.
    rates, shapes = eigh(stiffness, mass)
    # Projection on the modes; no division, since they are orthonormal under M.
    start = shapes.T @ values.T @ (weights * np.cos(np.pi * x))
    return Course(
        lambda x: legendre.legvander(2 * x - 1, modes - 1) @ shapes,
        lambda t: start[:, None] * np.exp(-np.outer(rates, t)),
    )
