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
from agewise.transformer.calibration.names import stage_factors
from agewise.transformer.cooling_defaults import CoolingDefaults, cooling_defaults
from agewise.transformer.iec60076 import ThermalConstants, top_oil
from agewise.transformer.ruled_stages import ruled_stages
from agewise.transformer.stage_ratios import StageRatios
from agewise.transformer.staged import (
    StagedUnit,
    StageRule,
    Stages,
    staged_top_oil,
    stages_by_rule,
)

LAST_STAGE = StageRatios(1.0, 1.0, 1.0)
"""The last stage, with everything on: all others stand beside it."""

WHOLE = 0.01
"""How far the number of a stage may be from a whole one, by rounding in a file."""


def stage_constants(nameplate: Nameplate) -> tuple[ThermalConstants, ...]:
    r"""Constants of every stage on the base of the nameplate's rated load; one without stages.

    At the load $K$ of the nameplate a stage rated for the share $p$ of its power runs at $K/p$ of
    its own, with losses $1 + R p^2 (K/p)^2 = 1 + R K^2$: the losses of a load do not depend on the
    fans. So its rise $\Delta_s$ at its own rated load is one of $\Delta_s ((1+R)/(1+R p^2))^x$ at
    the nameplate's, and its gradient one of $G_s p^{-y}$.
    """
    last, learned = nameplate.thermal_constants(), nameplate.joint_draws
    means = {name: float(np.mean(values)) for name, values in learned.items()}
    return tuple(
        stage.times(*(means.get(name, 1.0) for name in stage_factors(number))).constants(last)
        for number, stage in enumerate(stage_ratios(nameplate))
    )


def stage_ratios(nameplate: Nameplate) -> tuple[StageRatios, ...]:
    """Every stage beside the last, by the nameplate as it was given; the last one alone without
    stages.

    What is learned of a unit is learned of its last stage, and its other stages go along.
    """
    given = nameplate.as_given()
    return (*(_ratios(stage, given) for stage in given.cooling_stages[:-1]), LAST_STAGE)


def _ratios(stage: CoolingStage, nameplate: Nameplate) -> StageRatios:
    base, own, last = nameplate.thermal_constants(), _row(stage), _row(nameplate.cooling_stages[-1])
    rise, gradient, minutes = stage.top_oil_rise_k, stage.gradient_k, stage.time_constant_min
    return StageRatios(
        power=stage.rated_power_kva.mean / nameplate.rated_power_kva.mean,
        rise=1.0 if rise is None else rise.mean / base.top_oil_rise,
        time_constant=own.oil_time_constant_min / last.oil_time_constant_min
        if minutes is None
        else minutes.mean / nameplate.oil.time_constant_min.mean,
        gradient=None if gradient is None else gradient.mean / base.gradient,
        # The guide's exponents where its rows differ, as between natural and pumped oil.
        oil_exponent=None if own.oil_exponent == last.oil_exponent else own.oil_exponent,
        k11=None if own.k11 == last.k11 else own.k11,
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
    measured: Float[np.ndarray, " time"] | None,
    hold: Hold = "backward",
    start: float | None = None,
) -> StagedUnit:
    """Constants of every stage, and which is on in each interval.

    Args:
        profile: Load, and perhaps the columns `cooling_stage` and `tap`.
        nameplate: The unit, with its stages.
        ambient: Air without holes [°C].
        measured: Top oil without holes [°C], by which rules switch; the modelled one if None.
        hold: Interval that a sample stands for.
        start: Modelled top oil at the first instant [°C]; steady if None.

    Raises `InputError` where nothing says which stage is on.
    """
    constants = stage_constants(nameplate)
    if profile.cooling_stage is not None:
        return StagedUnit(constants, _of_column(profile, len(constants), hold))
    rules = stage_rules(nameplate)
    if measured is not None:
        # The oil at a sample decides the interval that follows, whatever a load stands for.
        return StagedUnit(constants, stages_by_rule(measured, rules)[:-1])
    series = (profile.seconds, oil_load(profile, nameplate), ambient)
    ruled = ruled_stages(constants, rules, *series, start=start, hold=hold)
    return StagedUnit(constants, ruled.stage, ruled.top_oil)


def guide_top_oil(
    filled: Profile,
    nameplate: Nameplate,
    *,
    hold: Hold,
    air: Float[np.ndarray, " time"] | None = None,
    by_model: bool = False,
) -> Float[np.ndarray, " time"]:
    """Top oil by the guide's model [°C], whatever is switched.

    Args:
        filled: Load, air without holes, and perhaps top oil.
        nameplate: The unit.
        hold: Interval that a sample of the load stands for.
        air: Air that the oil follows [°C]; that of the profile if None.
        by_model: Whether rules switch stages by the modelled oil, though another was measured.
    """
    air = filled.ambient if air is None else air
    series = (filled.seconds, oil_load(filled, nameplate), air)
    if not nameplate.cooling_stages:
        return top_oil(nameplate.thermal_constants(), *series, hold=hold)
    measured = None if by_model else filled.top_oil
    unit = staged_unit(filled, nameplate, ambient=air, measured=measured, hold=hold)
    return staged_top_oil(unit, *series, hold=hold)


def stage_rules(nameplate: Nameplate) -> list[StageRule]:
    """When each stage but the first is switched on and off, by the top oil."""
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
    off = np.abs(profile.cooling_stage - stage)
    if off.max() > WHOLE:
        raise InputError(
            f"The column cooling_stage has {profile.cooling_stage[off.argmax()]:g}, which is no "
            "stage of the cooling.",
            hint=f"give whole numbers from 0, the first, to {count - 1}, with everything on: a "
            "mean over a row does not say when the fans ran.",
        )
    if stage.min() < 0 or stage.max() >= count:
        raise InputError(
            f"The column cooling_stage goes from {stage.min()} to {stage.max()}, but the nameplate "
            f"has {count} cooling_stages.",
            hint=f"number them from 0, the first, to {count - 1}, with everything on.",
        )
    # The sample that stands for each interval, by the habit of the load.
    return stage[:-1] if hold == "forward" else stage[1:]
