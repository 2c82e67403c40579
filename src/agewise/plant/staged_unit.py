"""Which stage of the cooling is on: a nameplate beside a profile."""

import numpy as np
from jaxtyping import Float

from agewise.errors import InputError
from agewise.plant.cooling_names import printed_cooling
from agewise.plant.nameplate import Nameplate
from agewise.plant.oil_load import oil_load
from agewise.plant.profile import Profile
from agewise.plant.stage_sections import CoolingStage
from agewise.transformer.between_samples import Hold
from agewise.transformer.cooling_defaults import CoolingDefaults, cooling_defaults
from agewise.transformer.iec60076 import ThermalConstants
from agewise.transformer.staged import (
    StagedUnit,
    StageRule,
    Stages,
    ruled_stages,
    stages_by_rule,
)
from agewise.units import SECONDS_PER_MINUTE


def stage_constants(nameplate: Nameplate) -> tuple[ThermalConstants, ...]:
    r"""Constants of every stage on the base of the nameplate's rated load; one without stages.

    At the load $K$ of the nameplate a stage rated for the share $r$ of its power runs at $K/r$ of
    its own, with losses $1 + R r^2 (K/r)^2 = 1 + R K^2$: the losses of a load do not depend on the
    fans. So its rise $\Delta_s$ at its own rated load is one of $\Delta_s ((1+R)/(1+R r^2))^x$ at
    the nameplate's, and its gradient one of $G_s r^{-y}$.
    """
    base = nameplate.thermal_constants()
    return (*(_constants(stage, nameplate) for stage in nameplate.cooling_stages[:-1]), base)


def _constants(stage: CoolingStage, nameplate: Nameplate) -> ThermalConstants:
    base, own, last = nameplate.thermal_constants(), _row(stage), _row(nameplate.cooling_stages[-1])
    share = stage.rated_power_kva.mean / nameplate.rated_power_kva.mean
    rise = base.top_oil_rise if stage.top_oil_rise_k is None else stage.top_oil_rise_k.mean
    # The guide's exponents where its rows differ, as between natural and pumped oil.
    exponent = base.oil_exponent if own.oil_exponent == last.oil_exponent else own.oil_exponent
    losses = (1 + base.loss_ratio) / (1 + base.loss_ratio * share**2)
    gradient, minutes = stage.gradient_k, stage.time_constant_min
    slower = own.oil_time_constant_min / last.oil_time_constant_min
    return ThermalConstants(
        oil_time_constant=base.oil_time_constant * slower
        if minutes is None
        else minutes.mean * SECONDS_PER_MINUTE,
        # Fans cool the oil: the winding is the same in every stage, with its lag and its overshoot.
        winding_time_constant=base.winding_time_constant,
        top_oil_rise=rise * losses**exponent,
        gradient=base.gradient
        if gradient is None
        else gradient.mean * share**-base.winding_exponent,
        loss_ratio=base.loss_ratio,
        oil_exponent=exponent,
        winding_exponent=base.winding_exponent,
        k11=base.k11 if own.k11 == last.k11 else own.k11,
        k21=base.k21,
        k22=base.k22,
    )


def _row(stage: CoolingStage) -> CoolingDefaults:
    known = printed_cooling(stage.cooling)
    assert known is not None  # the section refuses other names
    return cooling_defaults(known.cooling, stage.rated_power_kva.mean)


def staged_unit(
    profile: Profile,
    nameplate: Nameplate,
    *,
    ambient: Float[np.ndarray, " time"],
    top_oil: Float[np.ndarray, " time"] | None,
    hold: Hold = "backward",
    start: float | None = None,
) -> StagedUnit:
    """Constants of every stage, and which is on in each interval.

    Args:
        profile: Load, and perhaps the columns `cooling_stage` and `tap`.
        nameplate: The unit, with its stages.
        ambient: Air without holes [°C].
        top_oil: Measured top oil without holes [°C], by which rules switch; modelled if None.
        hold: Interval that a sample stands for.
        start: Modelled top oil at the first instant [°C]; steady if None.

    Raises `InputError` where nothing says which stage is on.
    """
    constants = stage_constants(nameplate)
    if profile.cooling_stage is not None:
        return StagedUnit(constants, _of_column(profile, len(constants), hold))
    rules = _rules(nameplate)
    if top_oil is not None:
        # The oil at a sample decides the interval that follows, whatever a load stands for.
        return StagedUnit(constants, stages_by_rule(top_oil, rules)[:-1])
    series = (profile.seconds, oil_load(profile, nameplate), ambient)
    stage, begin = ruled_stages(constants, rules, *series, start=start, hold=hold)
    return StagedUnit(constants, stage, begin)


def _rules(nameplate: Nameplate) -> list[StageRule]:
    rules = [
        StageRule(stage.on_above_c, stage.off_below_c)
        for stage in nameplate.cooling_stages[1:]
        if stage.on_above_c is not None and stage.off_below_c is not None
    ]
    if not rules:
        raise InputError(
            "The nameplate has cooling_stages, but nothing says which of them is on.",
            hint="give the column cooling_stage (0 for the first), or on_above_c and off_below_c "
            "of each stage but the first.",
        )
    return rules


def _of_column(profile: Profile, count: int, hold: Hold) -> Stages:
    assert profile.cooling_stage is not None
    stage = np.rint(profile.cooling_stage).astype(int)
    if stage.min() < 0 or stage.max() >= count:
        raise InputError(
            f"The column cooling_stage goes from {stage.min()} to {stage.max()}, but the nameplate "
            f"has {count} cooling_stages.",
            hint=f"number them from 0, the first, to {count - 1}, with everything on.",
        )
    # The sample that stands for each interval, by the habit of the load.
    return stage[:-1] if hold == "forward" else stage[1:]
