"""Stages of training, one after the other: what each was given and what it came to."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from zlib import crc32

import jax
import numpy as np

from agewise.engine.training.loop import Stage, Trained, train
from agewise.engine.training.monitor import Monitor
from agewise.engine.training.objective import AbstractObjective, Aux, Params, Renewal
from agewise.types import Key


@dataclass(frozen=True, eq=False)
class Stages:
    """The stages of one fit by their names, in the order in which they are run."""

    key: Key
    """Key of the whole fit; every stage has one of its own, which depends on its name alone."""
    monitor: Monitor
    """Shows progress and keeps checkpoints."""
    trained: dict[str, Trained] = field(default_factory=dict)
    """What every stage that has ended came to."""

    def key_of(self, name: str) -> Key:
        """The key of a stage, or of anything else that is drawn once in a fit."""
        # Not `hash`, which differs from one process to the next.
        # By its name and not its number, so that a stage put before it does not change it.
        return jax.random.fold_in(self.key, crc32(name.encode()))

    @property
    def stopped(self) -> bool:
        """Whether Ctrl-C ended one of the stages."""
        return any(end.interrupted for end in self.trained.values())

    def run(
        self,
        name: str,
        stage: Stage,
        objective: AbstractObjective,
        params: Params,
        aux: Aux,
        *,
        renewal: Renewal | None = None,
    ) -> Trained:
        """One stage; after one that was stopped by hand, the others make no steps."""
        end = train(
            objective,
            params,
            aux,
            # Whoever presses Ctrl-C wants an answer now; the stage still stands in the record.
            replace(stage, steps=0) if self.stopped else stage,
            name=name,
            key=self.key_of(name),
            renewal=renewal,
            monitor=self.monitor,
        )
        self.trained[name] = end
        return end

    def record(self) -> dict[str, np.ndarray]:
        """Losses and snapshots of every stage by name, and whether one was stopped by hand."""
        losses = {
            f"history_{stage}_{term}": values
            for stage, end in self.trained.items()
            for term, values in end.history.items()
        }
        snapshots = {
            # All snapshots of one parameter as one array, the first axis being time.
            f"snapshots_{stage}_{name}": np.stack([named(params)[name] for params in end.snapshots])
            for stage, end in self.trained.items()
            if end.snapshots
            for name in named(end.snapshots[0])
        }
        return losses | snapshots | {"interrupted": np.array(self.stopped)}


def named(params: Params) -> Mapping[str, np.ndarray]:
    """Parameters by name; a plain vector is that of the weights."""
    by_name: dict[str, Any] = params if isinstance(params, dict) else {"weights": params}
    return {name: np.asarray(array) for name, array in by_name.items()}
