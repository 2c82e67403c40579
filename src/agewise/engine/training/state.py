"""All that a training is between two looks, and the same as arrays by name."""

from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np

from agewise.engine.training.objective import Aux, Params

Records = dict[str, np.ndarray]
"""A value at each look, by name: `step`, `total` and every term."""


@dataclass
class State:
    """Everything that a training carries from one look to the next."""

    params: Params
    """Parameters after the last step."""
    optimiser: Any
    """State of the optimiser itself, such as its momentum."""
    aux: Aux
    """What is held fixed until it is renewed."""
    best: Params
    """Parameters at the lowest smoothed objective."""
    step: int = 0
    """Steps made so far."""
    lowest: float = np.inf
    """Lowest value of the smoothed objective so far [nats]."""
    smoothed: float = np.inf
    """Objective, smoothed over looks [nats]."""
    waited: int = 0
    """Looks since the lowest smoothed objective."""
    records: Records = field(default_factory=dict)
    """Step, total and every term at each look."""
    snapshots: list[Params] = field(default_factory=list)
    """Parameters kept from time to time."""

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state as arrays by name, as a checkpoint holds it."""
        scalars = {n: np.array(getattr(self, n)) for n in ("step", "lowest", "smoothed", "waited")}
        trees = {"params": self.params, "optimiser": self.optimiser, "best": self.best}
        trees |= {f"snapshot{n}": snapshot for n, snapshot in enumerate(self.snapshots)}
        # A file knows no trees, so leaves are numbered in the order in which JAX flattens them.
        leaves = {
            f"{name}.{number}": np.asarray(leaf)
            for name, tree in trees.items()
            for number, leaf in enumerate(jax.tree.leaves(tree))
        }
        aux = {f"aux.{name}": np.asarray(value) for name, value in self.aux.items()}
        return scalars | leaves | aux | {f"record.{n}": v for n, v in self.records.items()}

    def restored(self, arrays: dict[str, np.ndarray]) -> "State":
        """The state whose `arrays` these are; this one, at the start, has trees of their shape."""

        def tree(name: str, like: Any) -> Any:
            # A file has leaves alone: the structure of the fresh state puts them together.
            leaves, structure = jax.tree.flatten(like)
            return structure.unflatten([arrays[f"{name}.{n}"] for n in range(len(leaves))])

        def named(prefix: str) -> dict[str, np.ndarray]:
            return {n.removeprefix(prefix): a for n, a in arrays.items() if n.startswith(prefix)}

        # A snapshot may have several leaves, each with the snapshot's name before its dot.
        count = len({name.split(".")[0] for name in arrays if name.startswith("snapshot")})
        return State(
            params=tree("params", self.params),
            optimiser=tree("optimiser", self.optimiser),
            aux=named("aux."),
            best=tree("best", self.best),
            step=int(arrays["step"]),
            lowest=float(arrays["lowest"]),
            smoothed=float(arrays["smoothed"]),
            waited=int(arrays["waited"]),
            records=named("record."),
            snapshots=[tree(f"snapshot{n}", self.params) for n in range(count)],
        )

    def recorded(self, means: dict[str, float]) -> Records:
        """The records with one more look."""
        return {
            name: np.append(self.records.get(name, np.empty(0)), value)
            for name, value in means.items()
        }
