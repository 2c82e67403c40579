"""The guide's model where constants change in service: stages of the cooling, taps.

Every stage is a set of constants on one base of load. What lags behind a target goes on from where
it is when the stage changes, since heat does not jump.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from agewise.transformer.ageing.law import AbstractAgeingLaw
from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.ageing.registry import DEFAULT_LAW
from agewise.transformer.between_samples import Hold, interval_load
from agewise.transformer.iec60076 import ThermalConstants, ThermalHistory, hot_spot_rise
from agewise.transformer.lag import lagged

Series = Float[np.ndarray, " time"]
"""A number for each sample."""
Stages = Int[np.ndarray, " interval"]
"""The stage that is on in each interval between two samples, from 0."""


@dataclass(frozen=True)
class StageRule:
    """When a stage is switched on, and off again."""

    on_above: float
    """Top oil above which it is switched on [°C]."""
    off_below: float
    """Top oil below which it is switched off [°C]."""


@dataclass(frozen=True, eq=False)
class StagedUnit:
    """Constants of every stage, and which of them is on."""

    constants: tuple[ThermalConstants, ...]
    """Constants by stage, all on the base of the last stage's rated load."""
    stage: Stages
    """The stage that is on in each interval."""
    ruled_oil: Series | None = None
    """Modelled top oil by which rules have switched [°C]; None where something else says which
    stage is on."""

    def top_oil_target(self, load: Float[np.ndarray, " interval"]) -> np.ndarray:
        """Steady top-oil rise in each interval [K]."""
        return self._chosen([unit.top_oil_target(load) for unit in self.constants])

    def lag(self, name: str) -> np.ndarray:
        """A lag of the constants by name in each interval [s]."""
        return self._chosen([np.full(self.stage.size, getattr(c, name)) for c in self.constants])

    def gradient_target(self, load: np.ndarray, share: Sequence[float]) -> np.ndarray:
        """Steady rise of the hot spot over the oil in each interval [K], times a share by stage."""
        targets = [c.gradient_target(load) * s for c, s in zip(self.constants, share, strict=True)]
        return self._chosen(targets)

    def _chosen(self, by_stage: list[np.ndarray]) -> np.ndarray:
        return np.stack(by_stage)[self.stage, np.arange(self.stage.size)]


def staged_top_oil(
    unit: StagedUnit,
    seconds: Series,
    load: Series,
    ambient: Series,
    *,
    start: float | None = None,
    hold: Hold = "backward",
) -> Series:
    """Top-oil temperature [°C] from load [p.u.] and ambient [°C], as `top_oil` without stages."""
    if unit.ruled_oil is not None:
        # Followed already: fans switch between samples, which one stage an interval cannot say.
        return unit.ruled_oil
    target = unit.top_oil_target(interval_load(load, hold))
    if start is None:
        first = unit.constants[unit.stage[0]]
        start = float(ambient[0] + first.top_oil_target(load[:1])[0])
    return lagged(seconds, target, unit.lag("top_oil_lag"), start, "exact", ramp=ambient)


def staged_hot_spot_rise(
    unit: StagedUnit,
    seconds: Series,
    load: Series,
    *,
    start: float | None = None,
    hold: Hold = "backward",
) -> Series:
    """Hot spot over top oil [K], as `hot_spot_rise` without stages."""
    winding, oil = staged_hot_spot_parts(unit, seconds, load, start=start, hold=hold)
    return winding - oil


def staged_hot_spot_parts(
    unit: StagedUnit,
    seconds: Series,
    load: Series,
    *,
    start: float | None = None,
    hold: Hold = "backward",
) -> tuple[Series, Series]:
    """The winding's part and the oil's part of the hot-spot rise [K], as `hot_spot_parts`."""
    held, first = interval_load(load, hold), unit.constants[unit.stage[0]]
    begin = float(first.gradient_target(load[:1])[0]) if start is None else start
    fast = [c.k21 for c in unit.constants]
    slow = [c.k21 - 1 for c in unit.constants]
    winding, oil = (
        # Each part with its share inside the target, since k21 may change from stage to stage.
        lagged(seconds, unit.gradient_target(held, share), unit.lag(lag), begin * own, "exact")
        for share, lag, own in (
            (fast, "winding_lag", first.k21),
            (slow, "slow_lag", first.k21 - 1),
        )
    )
    return winding, oil


def rise_over_oil(
    units: tuple[ThermalConstants, ...],
    stage: Stages | None,
    seconds: Series,
    load: Series,
    *,
    hold: Hold = "backward",
) -> Series:
    """Hot spot over top oil [K] by constants of every stage, and which is on; the last if None."""
    if stage is None:
        return hot_spot_rise(units[-1], seconds, load, hold=hold)
    return staged_hot_spot_rise(StagedUnit(units, stage), seconds, load, hold=hold)


def staged_history(
    unit: StagedUnit,
    seconds: Series,
    load: Series,
    ambient: Series,
    *,
    measured_top_oil: Series | None = None,
    law: AbstractAgeingLaw = DEFAULT_LAW,
    hold: Hold = "backward",
    starts: tuple[float | None, float | None] = (None, None),
    oil_load: Series | None = None,
) -> ThermalHistory:
    """Top oil, hot spot, ageing rate and loss of life, as `thermal_history` without stages.

    `starts` are the modelled top oil [°C] and the hot spot over it [K] at the first sample.
    """
    oil = measured_top_oil
    if oil is None:
        heating = load if oil_load is None else oil_load
        oil = staged_top_oil(unit, seconds, heating, ambient, start=starts[0], hold=hold)
    hot_spot = oil + staged_hot_spot_rise(unit, seconds, load, start=starts[1], hold=hold)
    rate = law.rate(hot_spot)
    return ThermalHistory(oil, hot_spot, rate, loss_of_life(seconds, rate, axis=0))


def stages_by_rule(
    top_oil: Series, rules: Sequence[StageRule], *, first: int = 0
) -> Int[np.ndarray, " time"]:
    """The stage that rules switch on at each sample of the top oil [°C], from 0."""
    stage = np.zeros(top_oil.size, dtype=int)
    for number, rule in enumerate(rules, start=1):
        # Between the two limits a stage stays as it was at the last sample beyond one of them.
        commands = np.where(top_oil > rule.on_above, 1, np.where(top_oil < rule.off_below, 0, -1))
        # At the first sample nothing was commanded yet: the stage that it began with goes on.
        commands[0] = int(first >= number) if commands[0] < 0 else commands[0]
        # Place of the last command up to each sample; 0 where there was none.
        last = np.maximum.accumulate(np.where(commands >= 0, np.arange(commands.size), 0))
        stage = np.where(commands[last] == 1, np.maximum(stage, number), stage)
    return stage
