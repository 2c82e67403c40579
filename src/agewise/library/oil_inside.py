"""The oil of a transformer with sensors inside: its conductivity and heat transfer are sought."""

import jax.numpy as jnp
import numpy as np

from agewise.engine.problems import LogNormal, T, Unknowns, X, partial, second_partial
from agewise.library.known import About, AbstractMeasuredProblem
from agewise.library.sensors import grid, read
from agewise.transformer.oil.tank import Tank
from agewise.units import SECONDS_PER_HOUR

NAMEPLATE = Tank.closed(
    no_load_losses=842.0, load_losses=9800.0, oil_time_constant=16008.0, top_oil_rise=45.0
)
"""What is known of the tank beforehand: that of the bundled twin `floating-pv`."""
CONDUCTIVITY, HEAT_TRANSFER = 13.0, 92.0
"""True k [W/mK] and h [W/m³K]; the nameplate implies 10 and 103."""
HOURS = 24.0
"""Length of the record [h], the period of all that drives the oil."""
PER_HOUR = SECONDS_PER_HOUR / NAMEPLATE.heat_capacity
"""Kelvin in an hour by a watt for each cubic metre [K m³/Wh]."""
HEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Heights of the sensors, from the bottom to the top [m]."""
READINGS = 97
"""Readings of each, one every quarter of an hour."""


def load(t):
    """Load at an hour of the day [p.u.]."""
    return 0.5 - 0.4 * jnp.sin(2 * jnp.pi * t / HOURS)


def air(t):
    """Temperature of the air, and of the oil at the bottom, at an hour of the day [°C]."""
    return 20.0 - 5.0 * jnp.sin(2 * jnp.pi * t / HOURS)


def top(t):
    """Temperature of the oil at the top at an hour of the day [°C]."""
    return 35.0 - 9.0 * jnp.sin(2 * jnp.pi * t / HOURS)


class OilInside(AbstractMeasuredProblem):
    r"""$\rho c_p u_t = k u_{xx} + (P_0 + \mu K^2)/V - h (u - T_a)$, read at five heights.

    Losses, volume and air are known, $k$ and $h$ to within a factor, the noise not at all. The day
    repeats itself, so that the solution is a sum of three harmonics in closed form.
    """

    ABOUT = About(
        "Conductivity and heat transfer of a transformer's oil from sensors inside it.",
        "c u_t = k u_xx + q(t) - h (u - air(t)) over 1 m and 24 h; k = 13 W/mK, h = 92 W/m3K",
        "u(x, t), k, h",
        "oil at 5 heights every 15 min, noise 0.3 K, to be learned",
        "ours; tank of the bundled case floating-pv",
    )

    @classmethod
    def made(cls, seed=0, noise=0.3):
        """A day of readings at five heights."""
        rng = np.random.default_rng(seed)
        instants = np.linspace(0.0, HOURS, READINGS)
        sensors = {
            f"x={height:g}": read(
                _oil, grid(np.array([height]), instants), noise, rng=rng, noise_stated=False
            )
            for height in HEIGHTS
        }
        return cls(sensors, noise)

    def residuals(self):
        """The heat equation, in kelvin an hour."""

        def interior(u, xt):
            losses = NAMEPLATE.no_load_losses + NAMEPLATE.load_losses * load(xt[T]) ** 2
            conducted = u.k * second_partial(u, X)(xt)
            given_away = u.h * (u(xt) - air(xt[T]))
            heating = conducted + losses / NAMEPLATE.volume - given_away
            # In kelvin an hour, whose terms are of order one; in watts they would be hundreds.
            return partial(u, T)(xt) - PER_HOUR * heating

        return {"interior": interior}

    def scales(self):
        """The equation is exact."""
        return {"interior": 0.0}

    def coordinates(self):
        """Height in metres and time in hours."""
        return {"x": (0.0, NAMEPLATE.height), "t": (0.0, HOURS)}

    def constants(self):
        """What the nameplate implies, circulation less surely than the time constant."""
        return {
            "k": LogNormal(NAMEPLATE.conductivity, 0.5),
            "h": LogNormal(NAMEPLATE.heat_transfer, 0.2),
        }

    def solution(self):
        """Three harmonics of the day, each a pair of hyperbolic sines over the height."""
        return Unknowns({"u": _oil}, {"k": CONDUCTIVITY, "h": HEAT_TRANSFER})


def _oil(xt):
    angle = 2 * jnp.pi * xt[T] / HOURS
    still, daily, half_daily = (_harmonic(order, xt[X]) for order in range(3))
    # Linear in the oil, so that harmonics of the day do not mix.
    return jnp.real(still + daily * jnp.exp(1j * angle) + half_daily * jnp.exp(2j * angle))


def _harmonic(order: int, x):
    """The complex height of a harmonic of the day; sin is the real part of -i e^(i angle)."""
    a_watt = NAMEPLATE.load_losses / NAMEPLATE.volume
    # The squared load 0.33 - 0.4 sin - 0.08 cos(2 angle), with the losses without load.
    source = (
        NAMEPLATE.no_load_losses / NAMEPLATE.volume + 0.33 * a_watt,
        0.4j * a_watt,
        -0.08 * a_watt,
    )[order]
    # -5 sin is the real part of 5i e^(i angle).
    bottom, upper = (20.0, 5.0j, 0.0)[order], (35.0, 9.0j, 0.0)[order]
    # h + iω ρc: a harmonic stores heat as it turns.
    loss = HEAT_TRANSFER + 2j * np.pi * order / HOURS / PER_HOUR
    # What the oil would be far from both ends, where nothing is conducted.
    steady = (HEAT_TRANSFER * bottom + source) / loss
    wave = np.sqrt(loss / CONDUCTIVITY)
    # Solves k u'' = loss · u between the ends' distances from `steady`.
    from_ends = (bottom - steady) * jnp.sinh(wave * (NAMEPLATE.height - x))
    from_ends += (upper - steady) * jnp.sinh(wave * x)
    return steady + from_ends / np.sinh(wave * NAMEPLATE.height)
