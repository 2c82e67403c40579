"""Where the top oil goes while stages of the cooling are switched, for any draws of the unit."""

from collections.abc import Mapping, Sequence
from typing import Any

import jax.numpy as jnp

from agewise.transformer.calibration.disturbance import Series
from agewise.transformer.calibration.names import EXPONENT, RISE, stage_factors
from agewise.transformer.calibration.parameters import Number
from agewise.transformer.calibration.record import StageCells, ThermalRecord
from agewise.transformer.stage_ratios import StageRatios
from agewise.types import Scalar


def staged_rise(
    values: Mapping[str, Any],
    cells: StageCells,
    stages: Sequence[StageRatios],
    loss_ratio: Scalar | float,
    k11: Scalar | float,
) -> tuple[Any, Any]:
    r"""Steady rise of the top oil in every cell [K], and how fast it is gone for [1].

    A stage follows its own target $g_s$ with its own lag $T_s$. Of a cell in which it is on for the
    share $w_s$ of the time, $\dot y = \sum_s (w_s/T_s)(g_s - y)$: one target and one rate, here in
    units of the last stage's. Exact where one stage is on, and to second order where two are.
    """
    rises, rates = 0.0, 0.0
    for number, stage in enumerate(stages):
        more, slower = (values.get(name, 1.0) for name in stage_factors(number))
        rate = cells.share[number] / (stage.slower(k11) * slower)
        constants = (values[RISE] * more, loss_ratio, values[EXPONENT])
        rises = rises + rate * stage.rise_of(cells.heating[number], *constants)
        rates = rates + rate
    return rises / rates, rates


def switching_error(
    values: Mapping[str, Any],
    record: ThermalRecord,
    stages: Sequence[StageRatios],
    loss_ratio: Scalar | float,
    lag: Number,
) -> Series:
    r"""Standard deviation of what a badly known instant of switching does to the oil [K].

    For the time $t$ by which a change is earlier or later than it seems, the oil goes for another
    target, and ends up about $t\,|g_1 - g_2|/T$ off. `lag` is that of the last stage [s].
    """
    assert record.stages is not None
    goals = jnp.stack(
        [
            stage.rise_of(
                record.heating,
                values[RISE] * values.get(stage_factors(number)[0], 1.0),
                loss_ratio,
                values[EXPONENT],
            )
            for number, stage in enumerate(stages)
        ]
    )
    return (goals.max(axis=0) - goals.min(axis=0)) / lag * record.stages.unsure
