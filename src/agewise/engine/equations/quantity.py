"""What the sensors of a problem would read without noise, for the numbers of a fit."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from agewise.engine.equations.rows import EquationObjective
from agewise.engine.training.loop import with_arrays


def quantity_at(
    objective: EquationObjective, numbers: np.ndarray, sensor: str
) -> Float[np.ndarray, " reading"]:
    """What a sensor would read without noise, at every reading."""
    return quantity_and_gradient(objective, numbers, sensor)[0]


def quantity_and_gradient(
    objective: EquationObjective, numbers: np.ndarray, sensor: str
) -> tuple[np.ndarray, np.ndarray]:
    """The quantity of a sensor at its readings, and how it depends on the numbers."""
    with jax.enable_x64(True):
        values, gradients = _readings(with_arrays(objective), numbers, sensor)
    return np.asarray(values) + objective.values[sensor], np.asarray(gradients)


@eqx.filter_jit
def _readings(objective, numbers, sensor):
    """Errors of a sensor's readings, and how they depend on the numbers."""
    unit_noise = {name: jnp.ones(len(values)) for name, values in objective.values.items()}
    row, items = objective.rows(unit_noise, key=jax.random.key(0))[f"readings of {sensor}"]
    return jax.vmap(jax.value_and_grad(row), (None, 0))(numbers, items)
