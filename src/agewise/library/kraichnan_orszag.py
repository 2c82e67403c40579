"""Three modes that drive each other, with two unknown constants."""

from functools import lru_cache

import numpy as np
from scipy.integrate import OdeSolution, solve_ivp

from agewise.engine.problems import Normal, partial
from agewise.library.known import About, AbstractMeasuredProblem
from agewise.library.sensors import grid, noisy

TIME = 0
"""Position of the time, the only coordinate."""
A, B = 1.0, 1.0
"""True constants [1] (Zou et al. 2024, and all below)."""
START = (1.0, 0.8, 0.5)
"""The three modes at time zero [1]."""
LAST = 10.0
"""Length of the record, in units of time."""
READINGS, MIDDLE_READINGS = 11, 7
"""Instants at which the first and third mode are read, and how many of them serve the second."""


# Functions of the module and not lambdas: their names become those of the sensors.
def first(u, t):
    """The first mode."""
    return u.u1(t)


def second(u, t):
    """The second mode."""
    return u.u2(t)


def third(u, t):
    """The third mode."""
    return u.u3(t)


class KraichnanOrszag(AbstractMeasuredProblem):
    r"""$u_1' = a u_2 u_3$, $u_2' = b u_1 u_3$, $u_3' = -(a + b) u_1 u_2$, with few noisy readings.

    The second mode is read in the first six units of time only.
    """

    ABOUT = About(
        "Three coupled modes and two unknown constants from few noisy readings.",
        "u1' = a u2 u3, u2' = b u1 u3, u3' = -(a+b) u1 u2 on [0, 10]; a = b = 1",
        "u1(t), u2(t), u3(t), a, b",
        "u1 and u3 at 11 instants, u2 at the first 7 of them, noise 0.05",
        "Zou et al. 2024 (NeuralUQ)",
    )

    @classmethod
    def made(cls, seed=0, noise=0.05):
        """Readings of the three modes."""
        rng = np.random.default_rng(seed)
        instants = np.linspace(0.0, LAST, READINGS)
        truth, points = _course()(instants), grid(instants)
        counts = (READINGS, MIDDLE_READINGS, READINGS)
        sensors = {
            # All with a quantity of their own, since without one a sensor reads the first function.
            mode.__name__: noisy(points[:count], values[:count], noise, rng=rng, quantity=mode)
            for mode, values, count in zip((first, second, third), truth, counts, strict=True)
        }
        return cls(sensors, noise)

    def residuals(self):
        """One equation a mode."""

        def drive_first(u, t):
            return partial(u.u1, TIME)(t) - u.a * u.u2(t) * u.u3(t)

        def drive_second(u, t):
            return partial(u.u2, TIME)(t) - u.b * u.u1(t) * u.u3(t)

        def drive_third(u, t):
            return partial(u.u3, TIME)(t) + (u.a + u.b) * u.u1(t) * u.u2(t)

        return {"first": drive_first, "second": drive_second, "third": drive_third}

    def scales(self):
        """The equations are exact."""
        return dict.fromkeys(self.residuals(), 0.0)

    def coordinates(self):
        """Time alone."""
        return {"t": (0.0, LAST)}

    def functions(self):
        """The three modes."""
        return {"u1": ("t",), "u2": ("t",), "u3": ("t",)}

    def constants(self):
        """Two rates, about which little is known."""
        # Centred at zero and wide: not even the sign is told beforehand.
        return {"a": Normal(0.0, 2.0), "b": Normal(0.0, 2.0)}

    def reference(self, points):
        """By a Runge-Kutta method of order eight."""
        values = _course()(points[:, TIME])
        return dict(zip(self.functions(), values, strict=True))

    def true_constants(self):
        """Both are 1."""
        return {"a": A, "b": B}


@lru_cache(maxsize=1)
def _course() -> OdeSolution:
    """The three modes as functions of time."""

    def rates(_, u):
        return [A * u[1] * u[2], B * u[0] * u[2], -(A + B) * u[0] * u[1]]

    # Far tighter than any fit: this is the truth that others are held against.
    solved = solve_ivp(
        rates, (0.0, LAST), START, method="DOP853", rtol=1e-12, atol=1e-12, dense_output=True
    )
    assert solved.sol is not None
    return solved.sol
