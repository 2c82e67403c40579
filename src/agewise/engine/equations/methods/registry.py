"""Every method for any equation by its name; a new one is an import and a line here."""

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
