"""What learns from a record with stages follows the oil as the guide's staged model does."""

import jax
import jax.numpy as jnp
import numpy as np

from agewise.transformer.calibration.model import UNEXPLAINED, TopOilModel, air_errors
from agewise.transformer.calibration.names import EXPONENT, OIL_MINUTES, RISE, stage_factors
from agewise.transformer.calibration.parameters import Location, Scale
from agewise.transformer.calibration.record import ThermalRecord, thermal_record
from agewise.transformer.iec60076 import ThermalConstants
from agewise.transformer.stage_ratios import StageRatios
from agewise.transformer.staged import StagedUnit, staged_top_oil

LAST = ThermalConstants(9000.0, 420.0, 50.0, 20.0, 6.0, 0.8, 1.3, 0.5, 2.0, 2.0)
STAGES = (StageRatios(0.6, 1.1, 1.4), StageRatios(0.8, 1.0, 1.2, k11=0.6), StageRatios(1, 1, 1))
OIL = (Scale(RISE, 50.0, 0.1), Scale(OIL_MINUTES, 150.0, 0.2), Location(EXPONENT, 0.8, 0.1))
MODEL = TopOilModel((*OIL, *air_errors(), *UNEXPLAINED), 6.0, 0.5, STAGES)
SECONDS = 900.0 * np.arange(300)
LOAD = 0.7 + 0.3 * np.sin(SECONDS / 9000.0)
AIR = np.full_like(SECONDS, 20.0)
STAGE = np.arange(SECONDS.size - 1) // 40 % 3


def record(stage: np.ndarray | None, step: float = 900.0) -> ThermalRecord:
    seconds = SECONDS * step / 900
    series = (seconds, LOAD, AIR, AIR + 30)
    return thermal_record(*series, hour=None, stage=stage, count=3)


def modelled(made: ThermalRecord, **factors: float) -> np.ndarray:
    values = {parameter.name: 0.0 for parameter in MODEL.parameters}
    values |= {RISE: 50.0, OIL_MINUTES: 150.0, EXPONENT: 0.8} | factors
    with jax.enable_x64(True):
        numbers, cells = jax.tree.map(jnp.asarray, (values, made))
        return np.asarray(MODEL.modelled(numbers, cells)[0])


def test_the_oil_is_that_of_the_staged_model():
    unit = StagedUnit(tuple(stage.constants(LAST) for stage in STAGES), STAGE)
    assert np.allclose(modelled(record(STAGE)), staged_top_oil(unit, SECONDS, LOAD, AIR), atol=1e-9)


def test_a_factor_on_a_stage_is_one_on_its_ratios():
    rise, minutes = stage_factors(0)
    other = (STAGES[0].times(1.2, 0.9), *STAGES[1:])
    unit = StagedUnit(tuple(stage.constants(LAST) for stage in other), STAGE)
    ours = modelled(record(STAGE), **{rise: 1.2, minutes: 0.9})
    assert np.allclose(ours, staged_top_oil(unit, SECONDS, LOAD, AIR), atol=1e-9)


def test_the_last_stage_throughout_is_a_unit_without_stages():
    last = np.full(STAGE.size, 2)
    assert np.allclose(modelled(record(last)), modelled(record(None)), atol=1e-10)


def test_cells_in_which_stages_change_have_their_shares_and_a_doubt():
    # A row every five minutes, and cells of ten: a change falls into a cell.
    stages = record(np.arange(SECONDS.size - 1) // 41 % 3, 300.0).stages
    assert stages is not None
    assert np.allclose(np.asarray(stages.share).sum(axis=0), 1.0)
    changing = np.asarray(stages.unsure) > 0
    assert 7 <= changing.sum() <= 14, "each of seven changes shows in one or two cells"
    # Together they have the variance of one change each: half of the time between rows.
    assert np.isclose((np.asarray(stages.unsure) ** 2).sum(), 7 * 150.0**2)
