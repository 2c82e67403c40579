"""A damped oscillator whose readings are noisier about three instants."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from agewise.engine.problems import partial, second_partial
from agewise.library.known import About, AbstractMeasuredProblem, Published
from agewise.library.sensors import read

TIME = 0
"""Position of the time, the only coordinate."""
DAMPING = 0.05
"""Share of critical damping, zeta [1] (Yu et al. 2025, and all below)."""
FREQUENCY = 2 * np.pi
"""Angular frequency without damping, omega [1 per unit of time]."""
LAST = 5.0
"""Length of the record, in units of time: five swings."""
READINGS = 300
"""Number of readings, at random instants."""
ISLANDS = (1.0, 2.0, 3.0)
"""Instants about which noise rises."""
ISLAND_REACH = 0.2
"""Half the length of an island, and the width of its bell, in units of time."""
ISLAND_NOISE = 0.3
"""What an island adds to the standard deviation at its middle."""
YU = "Yu et al. 2025"


class NoiseIslands(AbstractMeasuredProblem):
    r"""$u'' + 2\zeta\omega u' + \omega^2 u = 0$, read with a noise that hangs on the instant.

    The oscillator is known, how it starts is not: the readings must tell, and with them the noise
    inside and outside of the islands.
    """

    ABOUT = About(
        "A damped oscillator read with a noise that is large about three instants.",
        "u'' + 2 z w u' + w^2 u = 0 on [0, 5]; z = 0.05, w = 2 pi, u(0) = 1, u'(0) = 0",
        "u(t)",
        "u at 300 instants, noise 0.05, up to 0.35 about t = 1, 2 and 3; to be learned",
        "Yu et al. 2025",
    )
    PUBLISHED = (
        Published("coverage's deviation inside islands", "global conformal", 0.293, None, YU),
        Published("coverage's deviation inside islands", "local conformal", 0.067, None, YU),
    )

    @classmethod
    def made(cls, seed=0, noise=0.05):
        """Readings with this noise outside of the islands."""
        rng = np.random.default_rng(seed)
        instants = np.sort(rng.uniform(0.0, LAST, READINGS))[:, None]
        # Known to whoever makes the readings, and not told to whoever fits them.
        spread = island_noise(instants[:, TIME], noise)
        return cls({"place": read(_place, instants, spread, rng=rng, noise_stated=False)}, noise)

    def residuals(self):
        """The law of the oscillator, as a share of its frequency squared."""

        def swing(u, t):
            speed, pull = partial(u, TIME)(t), second_partial(u, TIME)(t)
            # Over ω², so that every term is of the size of u.
            return pull / FREQUENCY**2 + 2 * DAMPING / FREQUENCY * speed + u(t)

        return {"swing": swing}

    def scales(self):
        """The law is exact."""
        return {"swing": 0.0}

    def coordinates(self):
        """Time alone."""
        return {"t": (0.0, LAST)}

    def true_noise(self, sensor, points):
        """Larger about three instants."""
        return island_noise(points[:, TIME], float(self.noise))

    def solution(self):
        r"""$e^{-\zeta\omega t}(\cos\omega_d t + \zeta\omega/\omega_d \sin\omega_d t)$."""
        return _place


def island_noise(instants: Float[np.ndarray, " time"], base: float) -> Float[np.ndarray, " time"]:
    """The standard deviation of the noise at instants: a base, and a bell cut off at each island's
    edge."""
    away = np.abs(instants[:, None] - np.array(ISLANDS))
    # Cut off at one width, as published: the noise jumps at an island's edge.
    bells = np.exp(-0.5 * (away / ISLAND_REACH) ** 2) * (away <= ISLAND_REACH)
    return base + ISLAND_NOISE * bells.sum(axis=1)


def _place(t):
    decay, damped = DAMPING * FREQUENCY, FREQUENCY * np.sqrt(1 - DAMPING**2)
    # Slower than without damping, by the root of 1 - ζ².
    turned = damped * t[TIME]
    return jnp.exp(-decay * t[TIME]) * (jnp.cos(turned) + decay / damped * jnp.sin(turned))
