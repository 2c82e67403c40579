"""Methods for any equation, one a file; a new one is one line here.

Each is a function of a problem's most probable fit, or of the problem itself, that leaves a
distribution over numbers (see `weights`); the rest is the same for all.
"""

from agewise.engine.equations.methods.abc import ABC
from agewise.engine.equations.methods.base import AbstractMethod
from agewise.engine.equations.methods.dropout import Dropout
from agewise.engine.equations.methods.ensemble import Ensemble
from agewise.engine.equations.methods.epinet import Epinet
from agewise.engine.equations.methods.exact import Exact
from agewise.engine.equations.methods.gp import GP
from agewise.engine.equations.methods.hmc import HMC
from agewise.engine.equations.methods.laplace import Laplace
from agewise.engine.equations.methods.map import MAP
from agewise.engine.equations.methods.nuts import NUTS
from agewise.engine.equations.methods.vi import VI

METHODS: dict[str, type[AbstractMethod]] = {
    "map": MAP,
    "laplace": Laplace,
    "vi": VI,
    "exact": Exact,
    "ensemble": Ensemble,
    "nuts": NUTS,
    "hmc": HMC,
    "epinet": Epinet,
    "dropout": Dropout,
    "gp": GP,
    "abc": ABC,
}
"""Every method by its name."""
