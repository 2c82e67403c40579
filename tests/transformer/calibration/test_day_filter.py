"""Draws that are carried onward day by day know what the whole record tells them at once."""

from dataclasses import fields

import jax
import jax.numpy as jnp
import numpy as np

from agewise.transformer.calibration.day_filter import Carried, Cells, onward
from agewise.transformer.calibration.model import UNEXPLAINED, TopOilModel, air_errors
from agewise.transformer.calibration.names import EXPONENT, OIL_MINUTES, RISE
from agewise.transformer.calibration.parameters import Location, Scale
from agewise.transformer.calibration.record import thermal_record

OIL = (
    Scale(RISE, 50.0, 0.1),
    Scale(OIL_MINUTES, 180.0, 0.2, 30.0),
    Location(EXPONENT, 0.8, 0.1),
)
MODEL = TopOilModel((*OIL, *air_errors(), *UNEXPLAINED), 6.0, 0.5)


def record():
    rng = np.random.default_rng(3)
    seconds = 900.0 * np.delete(np.arange(300), np.r_[40:44, 100:130])  # a gap of hours
    load = 0.6 + 0.3 * np.sin(seconds / 13_000) ** 2
    air = 15 + 5 * np.sin(seconds / 13_750)
    oil = air + 40 * load**1.5 + rng.normal(0, 0.5, seconds.size)
    oil[60:70] = np.nan
    return thermal_record(seconds, load, air, oil, hour=3.0)


def cells(rows: slice = slice(None)) -> Cells:
    whole = record()
    series = {field.name: np.asarray(getattr(whole, field.name)) for field in fields(Cells)[1:]}
    return Cells(
        np.asarray(whole.steps.seconds)[rows], **{name: each[rows] for name, each in series.items()}
    )


def drawn() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    z = 0.5 * np.random.default_rng(1).standard_normal((7, len(MODEL.parameters)))
    with jax.enable_x64(True):
        values = jax.vmap(MODEL.values)(jnp.asarray(z))
    return z, {name: np.asarray(value) for name, value in values.items()}


def test_the_density_is_that_of_the_compiled_filter():
    z, values = drawn()
    passed = onward(values, cells(), loss_ratio=6.0, k11=0.5)
    with jax.enable_x64(True):
        whole = jax.tree.map(jnp.asarray, record())
        rows = jnp.asarray(z)
        density = jax.jit(jax.vmap(lambda row: MODEL.filtered(row, whole).log_density))(rows)
        modelled = jax.vmap(lambda row: MODEL.modelled(MODEL.values(row), whole)[0])(rows)
    assert np.allclose(passed.log_density, density, rtol=1e-9)
    assert np.allclose(passed.modelled, modelled, atol=1e-9)


def test_days_one_by_one_are_the_record_at_once():
    _, values = drawn()
    whole = onward(values, cells(), loss_ratio=6.0, k11=0.5)
    carried: Carried | None = None
    density, oil = 0.0, []
    for part in (slice(0, 50), slice(50, 51), slice(51, 180), slice(180, None)):
        passed = onward(values, cells(part), loss_ratio=6.0, k11=0.5, carried=carried)
        carried, density = passed.carried, density + passed.log_density
        oil.append(passed.top_oil)
    assert np.allclose(density, whole.log_density, rtol=1e-10)
    assert np.allclose(np.concatenate(oil, axis=1), whole.top_oil, atol=1e-9)
