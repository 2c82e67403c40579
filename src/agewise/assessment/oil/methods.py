"""Methods: each makes a posterior, from which functions are drawn; a new one is registered here."""

from collections.abc import Callable

from agewise.engine.inference.dropout import DropoutNetwork
from agewise.engine.inference.exact import Exact
from agewise.engine.inference.laplace import LaplaceNetwork
from agewise.engine.inference.line import Line
from agewise.engine.inference.map import MAP
from agewise.engine.inference.vi import VI
from agewise.engine.objective.presets import SETTINGS, Preset
from agewise.engine.objective.settings import Aleatoric, NetworkSettings
from agewise.engine.posterior import AbstractInference
from agewise.errors import InputError
from agewise.transformer.oil.solver import Solver

YARDSTICKS: dict[str, Callable[[], AbstractInference]] = {
    "line": Line,
    "solver": Solver,
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
"""Methods that train one; `plain` leaves the physics out."""

METHODS = (*YARDSTICKS, *NETWORKS)


def method(
    name: str, preset: Preset = "default", aleatoric: Aleatoric = "heteroscedastic"
) -> AbstractInference:
    """A method by its name, with the settings of a preset."""
    if name in YARDSTICKS:
        if (preset, aleatoric) != ("default", "heteroscedastic"):
            raise InputError(
                f"The method {name!r} has neither presets nor a choice of noise.",
                hint=f"leave both out, or choose one of {', '.join(NETWORKS)}.",
            )
        return YARDSTICKS[name]()
    if name not in NETWORKS:
        raise InputError(f"There is no method {name!r}.", hint=f"methods: {', '.join(METHODS)}.")
    if preset not in SETTINGS:
        raise InputError(f"There is no preset {preset!r}.", hint=f"presets: {', '.join(SETTINGS)}.")
    if (name, preset) == ("laplace", "paper"):
        raise InputError(
            "The method 'laplace' is not in the paper.", hint='leave out `preset="paper"`.'
        )
    return NETWORKS[name](SETTINGS[preset](name, aleatoric))
