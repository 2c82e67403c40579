"""What the sensors of a problem would read without noise, for the numbers of a fit."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from agewise.engine.equations.objective.rows import EquationObjective
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
    # Rows are errors, q - y; with the reading added the quantity itself is left.
    return np.asarray(values) + objective.values[sensor], np.asarray(gradients)


def drawn_quantities(
    objective: EquationObjective, drawn: Float[np.ndarray, "draw number"], sensor: str
) -> Float[np.ndarray, "draw reading"]:
    """What a sensor would read without noise, at every reading, for every drawn vector."""
    with jax.enable_x64(True):
        return np.asarray(_drawn(with_arrays(objective), drawn, sensor)) + objective.values[sensor]


@eqx.filter_jit
def _drawn(objective, drawn, sensor):
    """Errors of a sensor's readings for every drawn vector of numbers."""
    row, items = _rows(objective, sensor)
    return jax.lax.map(lambda own: jax.vmap(row, (None, 0))(own, items), jnp.asarray(drawn))


@eqx.filter_jit
def _readings(objective, numbers, sensor):
    """Errors of a sensor's readings, and how they depend on the numbers."""
    row, items = _rows(objective, sensor)
    return jax.vmap(jax.value_and_grad(row), (None, 0))(numbers, items)


def _rows(objective, sensor):
    """A sensor's errors in its own unit."""
    # A noise of one leaves rows in the sensor's unit.
    unit_noise = {name: jnp.ones(len(values)) for name, values in objective.values.items()}
    return objective.rows(unit_noise, key=jax.random.key(0))[f"readings of {sensor}"]
