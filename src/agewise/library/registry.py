"""Every known problem by its name; a new one is an import and a line in `CLASSES`."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from agewise.engine.problems.base import AbstractProblem
from agewise.library.allen_cahn import AllenCahn
from agewise.library.bratu import Bratu
from agewise.library.buckley_leverett import BuckleyLeverett
from agewise.library.burgers import SMOOTH, Burgers
from agewise.library.diffusion_of_place import DiffusionOfPlace
from agewise.library.heat_rod import HeatRod
from agewise.library.helmholtz import Helmholtz
from agewise.library.known import About, AbstractKnownProblem
from agewise.library.kraichnan_orszag import KraichnanOrszag
from agewise.library.linka import Linka
from agewise.library.logistic import Logistic
from agewise.library.noise_islands import NoiseIslands
from agewise.library.oil_inside import OilInside
from agewise.library.poisson_inverse import PoissonInverse
from agewise.library.poisson_linear import PoissonLinear
from agewise.library.poisson_nonlinear import PoissonNonlinear
from agewise.library.poisson_plane import PoissonPlane
from agewise.library.poisson_plane_inverse import PoissonPlaneInverse
from agewise.library.poisson_read import PoissonRead
from agewise.library.random_source import RandomSource
from agewise.library.wave import Wave
from agewise.transformer.oil.heat import TransformerHeat, transformer_heat
from agewise.transformer.oil.tank import Tank


def _quiet_transformer() -> TransformerHeat:
    """A small tank through one mild day, for whoever needs an example of the problem."""
    # Losses, rise and time constant of the bundled twin `floating-pv`.
    tank = Tank.closed(
        no_load_losses=842.0, load_losses=9800.0, oil_time_constant=16008.0, top_oil_rise=45.0
    )
    # Every quarter of an hour, both midnights included.
    seconds = np.linspace(0.0, 86400.0, 97)
    day = np.sin(2 * np.pi * seconds / 86400.0)
    return transformer_heat(
        tank, seconds, 0.5 - 0.4 * day, {0.0: 20.0 - 5.0 * day, 1.0: 35.0 - 9.0 * day}
    )


CLASSES: dict[str, type[AbstractKnownProblem]] = {
    "heat-rod": HeatRod,
    "poisson": PoissonLinear,
    "poisson-nonlinear": PoissonNonlinear,
    "poisson-inverse": PoissonInverse,
    "poisson-read": PoissonRead,
    "logistic": Logistic,
    "noise-islands": NoiseIslands,
    "linka": Linka,
    "bratu": Bratu,
    "bratu-upper": Bratu,
    "kraichnan-orszag": KraichnanOrszag,
    "burgers": Burgers,
    "burgers-smooth": Burgers,
    "allen-cahn": AllenCahn,
    "helmholtz": Helmholtz,
    "wave": Wave,
    "buckley-leverett": BuckleyLeverett,
    "poisson-plane": PoissonPlane,
    "poisson-plane-inverse": PoissonPlaneInverse,
    "diffusion-of-place": DiffusionOfPlace,
    "random-source": RandomSource,
    "oil-inside": OilInside,
}
"""Problems with a known solution, one line each."""

_OPTIONS: dict[str, dict[str, Any]] = {
    "bratu-upper": {"branch": "upper"},
    "burgers-smooth": {"viscosity": SMOOTH},
}
"""What tells a problem from another of its class."""

# Bound by `partial`: a lambda would see the last class of the comprehension.
KNOWN: dict[str, Callable[..., AbstractKnownProblem]] = {
    name: partial(known.made, **_OPTIONS.get(name, {})) for name, known in CLASSES.items()
}
"""Problems with a known solution, each made with readings of its own noise from a `seed`, 0 if left
out; those with readings also take a `noise`."""

PROBLEMS: dict[str, Callable[..., AbstractProblem]] = {
    **KNOWN,
    "transformer-heat": _quiet_transformer,
}
"""Every problem by name, each ready to be made without arguments."""

ABOUT: dict[str, About] = {
    **{name: known.ABOUT for name, known in CLASSES.items()},
    "transformer-heat": About(
        "A transformer's oil between its two measured ends, through one mild day.",
        "tau u_t = l^2 u_xx - (u - air) + rise(t) on the unit square, scaled",
        "u(x, t)",
        "both ends, noise to be learned",
        "ours; what `agewise assess` solves",
    ),
}
"""Every problem in words, without making it."""
