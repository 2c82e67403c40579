"""Known problems, one a file; a new one is registered here."""

from collections.abc import Callable
from functools import partial

import numpy as np

from agewise.engine.problems.base import AbstractProblem
from agewise.library.allen_cahn import AllenCahn
from agewise.library.bratu import Bratu
from agewise.library.buckley_leverett import BuckleyLeverett
from agewise.library.burgers import SMOOTH, Burgers
from agewise.library.diffusion_of_place import DiffusionOfPlace
from agewise.library.heat_rod import HeatRod
from agewise.library.helmholtz import Helmholtz
from agewise.library.known import AbstractKnownProblem
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
    seconds = np.linspace(0.0, 86400.0, 97)
    day = np.sin(2 * np.pi * seconds / 86400.0)
    return transformer_heat(
        tank, seconds, 0.5 - 0.4 * day, {0.0: 20.0 - 5.0 * day, 1.0: 35.0 - 9.0 * day}
    )


KNOWN: dict[str, Callable[..., AbstractKnownProblem]] = {
    "heat-rod": HeatRod.made,
    "poisson": PoissonLinear.made,
    "poisson-nonlinear": PoissonNonlinear.made,
    "poisson-inverse": PoissonInverse.made,
    "logistic": Logistic.made,
    "noise-islands": NoiseIslands.made,
    "linka": Linka.made,
    "bratu": Bratu.made,
    "bratu-upper": partial(Bratu.made, branch="upper"),
    "kraichnan-orszag": KraichnanOrszag.made,
    "burgers": Burgers.made,
    "burgers-smooth": partial(Burgers.made, viscosity=SMOOTH),
    "allen-cahn": AllenCahn.made,
    "helmholtz": Helmholtz.made,
    "wave": Wave.made,
    "buckley-leverett": BuckleyLeverett.made,
    "poisson-plane": PoissonPlane.made,
    "poisson-plane-inverse": PoissonPlaneInverse.made,
    "diffusion-of-place": DiffusionOfPlace.made,
    "random-source": RandomSource.made,
    "oil-inside": OilInside.made,
}
"""Problems with a known solution, each made with readings of its own noise from a `seed`, 0 if left
out; those with readings also take a `noise`."""

PROBLEMS: dict[str, Callable[..., AbstractProblem]] = {
    **KNOWN,
    "transformer-heat": _quiet_transformer,
}
"""Every problem by name, each ready to be made without arguments."""
