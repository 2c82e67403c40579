"""Poisson's equation whose source is one draw of a Gaussian process, read at thirteen places."""

import jax.numpy as jnp
import numpy as np
from jax.scipy.special import erf
from jaxtyping import Array, Float

from agewise.engine.problems import Unknowns, X, second_partial
from agewise.library.faces import line_and_ends
from agewise.library.known import About, AbstractMeasuredProblem, Published, values_at
from agewise.library.sensors import grid, read
from agewise.types import ScalarField

MEAN = 10.0
"""Height of the mean source, 10 sin(pi x) [1] (Zhang et al. 2019; length and sensors with it)."""
LENGTH = 0.5
"""Length over which the source is alike, l in exp(-d²/2l²) [1]."""
SENSORS = 13
"""Sensors of the source, evenly spaced with one at either end."""
SPACING = LENGTH / 4
"""Distance between the bumps that make up a draw [1]: at this one their sum is a Gaussian process
to nine digits."""
CENTRES = np.arange(-20, 21) * SPACING
"""Places of the bumps [1], so far out that those beyond would add 1e-8 of the variance."""
HEIGHT_STD = float(np.sqrt(SPACING / (LENGTH * np.sqrt(np.pi / 2))))
"""Standard deviation of a bump's height that gives the source a standard deviation of 1."""
ZHANG = "replication of Zhang et al. 2019"


def fluctuation(u, x):
    """What the sensors show, the source."""
    return u.f(x)


class RandomSource(AbstractMeasuredProblem):
    r"""$-u'' = f$ on $[-1, 1]$, $u(\pm 1) = 0$, $f$ a draw of a process about $10\sin\pi x$.

    Every seed is another draw. Zhang asks for mean and standard deviation of $u$ over all draws,
    which are known (`over_draws`); between the sensors of one draw its posterior must be as unsure.
    """

    heights: Float[np.ndarray | Array, " bump"]
    """Heights of the bumps that were drawn."""

    ABOUT = About(
        "Poisson's equation whose random source is read at thirteen places.",
        "-u'' = f on [-1, 1], u = 0 at the ends; f a draw of GP(10 sin(pi x), 1, length 0.5)",
        "u(x), f(x)",
        "f at 13 places, noise 0.01",
        "Zhang et al. 2019, whose sensors have no noise",
    )
    PUBLISHED = (
        Published("relative error of the mean of u over draws", "d-PINN", 0.0034, None, ZHANG),
        Published("relative error of the std of u over draws", "d-PINN", 0.0048, None, ZHANG),
    )

    @classmethod
    def made(cls, seed=0, noise=0.01):
        """A draw of the source, and its readings."""
        rng = np.random.default_rng(seed)
        # First from the generator, so that sensors do not change which source was drawn.
        heights = HEIGHT_STD * rng.standard_normal(CENTRES.size)
        places = grid(np.linspace(-1.0, 1.0, SENSORS))
        truth = _truth(heights)
        sensors = {"source": read(truth, places, noise, rng=rng, quantity=fluctuation)}
        return cls(sensors, noise, heights)

    def residuals(self):
        """The equation and its two ends."""

        def interior(u, x):
            return second_partial(u.u, X)(x) + u.f(x)

        def ends(u, x):
            return u.u(x)

        return {"interior": interior, "ends": ends}

    def regions(self):
        """The line and its ends."""
        return line_and_ends(self.coordinates())

    def scales(self):
        """Both are exact."""
        return dict.fromkeys(self.residuals(), 0.0)

    def coordinates(self):
        """A line about zero."""
        return {"x": (-1.0, 1.0)}

    def functions(self):
        """The function and its source."""
        return {"u": ("x",), "f": ("x",)}

    def sizes(self):
        """About the heights of their means."""
        return {"u": 1.0, "f": MEAN}

    def solution(self):
        """Bumps integrated twice, and a straight line for the ends."""
        return _truth(self.heights)

    def over_draws(
        self, points: Float[np.ndarray, "point 1"]
    ) -> tuple[Float[np.ndarray, " point"], Float[np.ndarray, " point"]]:
        """Mean and standard deviation of u at points, over all draws of the source."""
        return values_at(_mean, points), values_at(_spread, points)


def _truth(heights: np.ndarray | Array) -> Unknowns:
    def u(x):
        return _mean(x) + jnp.sum(jnp.asarray(heights) * _responses(x))

    def f(x):
        # Twice as sharp as the kernel: the product of two such bumps is the kernel times a bump.
        bumps = jnp.exp(-(((x[X] - CENTRES) / LENGTH) ** 2))
        return MEAN * jnp.sin(jnp.pi * x[X]) + jnp.sum(jnp.asarray(heights) * bumps)

    functions: dict[str, ScalarField] = {"u": u, "f": f}
    return Unknowns(functions, {})


def _mean(x):
    return MEAN / jnp.pi**2 * jnp.sin(jnp.pi * x[X])


def _spread(x):
    # Heights are independent, so that variances of the responses add up.
    return HEIGHT_STD * jnp.sqrt(jnp.sum(_responses(x) ** 2))


def _responses(x):
    """The solution for each bump of height 1."""
    left, right = _twice_integrated(-1.0), _twice_integrated(1.0)
    # Straight, so -u'' is untouched; it brings both ends to zero.
    line = ((1 - x[X]) * left + (1 + x[X]) * right) / 2
    return line - _twice_integrated(x[X])


def _twice_integrated(x):
    r"""A function whose second derivative is the bump $e^{-d^2/l^2}$, for each centre."""
    distance = (x - CENTRES) / LENGTH
    area = jnp.sqrt(jnp.pi) / 2 * distance * erf(distance)
    return LENGTH**2 * (area + jnp.exp(-(distance**2)) / 2)
