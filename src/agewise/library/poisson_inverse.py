"""The nonlinear Poisson equation with an unknown rate: the field's usual inverse problem."""

import jax.numpy as jnp
import numpy as np

from agewise.engine.problems import Normal, Unknowns, X, second_partial
from agewise.library.known import About, AbstractMeasuredProblem, Published
from agewise.library.poisson_linear import DIFFUSION, REACH, arches
from agewise.library.poisson_nonlinear import RATE, SOURCES
from agewise.library.sensors import grid, read

VALUES = 8
"""Sensors of the function itself, evenly spaced with one at either end."""
YANG = "Yang, Meng and Karniadakis 2021"


def source(u, x):
    r"""What the sensors of the source show, $0.01\,u'' + k\tanh u$."""
    # With the unknown k and not the true one: these readings are what teaches it.
    return DIFFUSION * second_partial(u, X)(x) + u.k * jnp.tanh(u(x))


class PoissonInverse(AbstractMeasuredProblem):
    r"""$0.01\,u'' + k\tanh u = f$ on $[-0.7, 0.7]$, with readings of $f$ and $u$; $k$ is sought.

    The published figures hang on one unpublished draw of the noise: at 0.1 another draw moves $k$
    by more than its standard deviation, so coverage over many draws says more than one value.
    """

    ABOUT = About(
        "An unknown rate of reaction from noisy readings of the source and the function.",
        "0.01 u'' + k tanh(u) = f on [-0.7, 0.7]; u = sin(6x)^3, k = 0.7",
        "u(x), k",
        "f at 32 places and u at 8, noise 0.01 (or 0.1)",
        "Yang, Meng and Karniadakis 2021, section 3.3",
    )
    PUBLISHED = (
        Published("k at noise 0.01", "Hamiltonian Monte Carlo", 0.705, 0.006, YANG),
        Published("k at noise 0.01", "variational inference", 0.708, 0.004, YANG),
        Published("k at noise 0.01", "dropout 1 %", 0.714, 0.004, YANG),
        Published("k at noise 0.01", "PINN", 0.705, None, YANG),
        Published("k at noise 0.01", "20 PINNs", 0.697, None, YANG),
        Published("k at noise 0.1", "Hamiltonian Monte Carlo", 0.665, 0.056, YANG),
        Published("k at noise 0.1", "variational inference", 0.775, 0.036, YANG),
        Published("k at noise 0.1", "dropout 1 %", 0.746, 0.007, YANG),
        Published("k at noise 0.1", "PINN", 0.591, None, YANG),
        Published("k at noise 0.1", "20 PINNs", 0.696, None, YANG),
    )

    @classmethod
    def made(cls, seed=0, noise=0.01):
        """Readings of source and function with the same noise."""
        rng = np.random.default_rng(seed)
        sources, values = (grid(np.linspace(-REACH, REACH, count)) for count in (SOURCES, VALUES))
        sensors = {
            # In this order from one generator: readings of a seed must stay the same for ever.
            "source": read(_truth(), sources, noise, rng=rng, quantity=source),
            "values": read(arches, values, noise, rng=rng),
        }
        return cls(sensors, noise)

    def residuals(self):
        """None: the equation is in the readings of the source."""
        return {}

    def coordinates(self):
        """A line about zero."""
        return {"x": (-REACH, REACH)}

    def constants(self):
        """The rate of reaction, about which little is known."""
        return {"k": Normal(0.5, 1.0)}

    def solution(self):
        r"""$\sin^3 6x$ and $k = 0.7$."""
        return _truth()


def _truth() -> Unknowns:
    return Unknowns({"u": arches}, {"k": RATE})
