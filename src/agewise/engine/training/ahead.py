"""What a later stage runs, compiled by another thread while an earlier one is worked on."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext

import jax
import numpy as np

from agewise.engine.training.loop import ALL_OPTIMISERS, Stage, with_arrays
from agewise.engine.training.objective import AbstractObjective, Aux, Params


@contextmanager
def compiled_meanwhile(
    stage: Stage, objective: AbstractObjective, params: Params, aux: Aux
) -> Iterator[None]:
    """While the block runs, another thread makes the first look of a stage; its end is awaited.

    The answer does not depend on it. Most of Gauss-Newton is BLAS and most of compiling is LLVM,
    which share the cores of a computer and not Python.

    Args:
        stage: The stage to come.
        objective: What it will make small, with any numbers in it.
        params: Any parameters of its shapes.
        aux: Anything of the shapes of what it will hold fixed.
    """
    with ThreadPoolExecutor(1) as pool:
        # Nobody asks how it ended: what fails here fails again in the stage, which says why.
        pool.submit(_first_look, stage, objective, params, aux)
        yield


def _first_look(stage: Stage, objective: AbstractObjective, params: Params, aux: Aux) -> None:
    """A look whose result is thrown away: what it compiles stays."""
    kind = ALL_OPTIMISERS[stage.optimiser]
    # As `train` has it, for the same program; precision is set for a thread and not the process.
    with jax.enable_x64(True) if kind.dtype is np.float64 else nullcontext():
        optimiser = kind(with_arrays(objective), stage.steps, stage.rate)
        params, aux = jax.tree.map(lambda leaf: np.asarray(leaf, dtype=kind.dtype), (params, aux))
        count = min(stage.look, stage.steps)
        optimiser.advance(params, optimiser.start(params), aux, 0, count, key=jax.random.key(0))
