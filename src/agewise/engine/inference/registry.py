"""Every method for the oil by its name; a new one is an import and a line here."""

from collections.abc import Callable

from agewise.engine.inference.dropout import DropoutNetwork
from agewise.engine.inference.exact import Exact
from agewise.engine.inference.laplace import LaplaceNetwork
from agewise.engine.inference.line import Line
from agewise.engine.inference.map import MAP
from agewise.engine.inference.offered import AbstractInference, NetworkSettings
from agewise.engine.inference.vi import VI

YARDSTICKS: dict[str, Callable[[], AbstractInference]] = {
    "line": Line,
    "exact": Exact,
}
"""Methods without a network; they have no presets."""

NETWORKS: dict[str, Callable[[NetworkSettings], AbstractInference]] = {
    "vi": VI,
    "laplace": LaplaceNetwork,
    "dropout": DropoutNetwork,
    "map": MAP,
    "plain": VI,
}
"""Methods that train a network; `plain` is given settings that leave the physics out."""
