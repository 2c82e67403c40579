"""Top oil in draws whose fans switch themselves, each by its own oil."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from agewise.transformer.iec60076 import ThermalConstants
from agewise.transformer.staged import StageRule

SHORTEST_S, MOST_STEPS = 120.0, 20_000
"""Longest step in which the oil is followed [s], and the number of steps above which it grows: fans
switch between two rows, and oil that is left to itself for ten minutes more is kelvins hotter."""


Table = Float[np.ndarray, "stage draw"]
"""A number for each stage and draw."""


@dataclass(frozen=True, eq=False)
class RuledOil:
    """What became of oil and fans in every draw."""

    top_oil: Float[np.ndarray, "draw time"]
    """Top oil by the guide's model [°C]."""
    stage: Int[np.ndarray, "draw interval"]
    """Stage that was on for most of each interval, from 0."""


def ruled_top_oil(
    units: Sequence[tuple[ThermalConstants, ...]],
    rules: Sequence[StageRule],
    seconds: Float[np.ndarray, " time"],
    held: Float[np.ndarray, " interval"],
    air: Float[np.ndarray, "draw time"],
    error: Float[np.ndarray, "draw time"],
) -> RuledOil:
    """Follow the oil of every draw, whose rules see the modelled oil and its error.

    Args:
        units: Constants of every stage, for each draw.
        rules: When each stage but the first is switched.
        seconds: Instants [s].
        held: Load that heats the oil in each interval [p.u.].
        air: Air that the oil follows [°C], straight between instants.
        error: Read minus modelled top oil [K], straight between instants.
    """
    lags = _table(units, "top_oil_lag")
    longest = max(SHORTEST_S, float(seconds[-1] - seconds[0]) / MOST_STEPS)
    steady = _Steady(units)
    oil, on = _begun(steady(held[0]) + air[:, 0], rules, error[:, 0])
    draws, oils, stages = np.arange(len(units)), [oil], []
    for n, (load, step) in enumerate(zip(held, np.diff(seconds), strict=True)):
        goals, parts = steady(load), int(np.ceil(step / longest - 1e-9))
        gone, time_on = -np.expm1(-step / parts / lags), np.zeros(len(units))
        for part in range(parts):
            before, middle = part / parts, (part + 0.5) / parts
            read = oil + (1 - before) * error[:, n] + before * error[:, n + 1]
            on = _switched(on, read, rules)
            around = (1 - middle) * air[:, n] + middle * air[:, n + 1]
            oil = oil + gone[on, draws] * (goals[on, draws] + around - oil)
            time_on += on / parts
        oils.append(oil)
        stages.append(np.rint(time_on).astype(int))
    return RuledOil(np.stack(oils, axis=1), np.stack(stages, axis=1))


def _table(units: Sequence[tuple[ThermalConstants, ...]], name: str) -> Table:
    """One constant of every stage and draw."""
    return np.array([[getattr(stage, name) for stage in unit] for unit in units]).T


class _Steady:
    """Steady rise of every stage and draw at a load [K]."""

    def __init__(self, units: Sequence[tuple[ThermalConstants, ...]]):
        names = ("top_oil_rise", "loss_ratio", "oil_exponent")
        self.rise, self.ratio, self.exponent = (_table(units, name) for name in names)

    def __call__(self, load: float) -> Table:
        losses = (1 + self.ratio * load**2) / (1 + self.ratio)
        return self.rise * losses**self.exponent


def _switched(
    on: Int[np.ndarray, " draw"], read: Float[np.ndarray, " draw"], rules: Sequence[StageRule]
) -> Int[np.ndarray, " draw"]:
    for number, rule in enumerate(rules, start=1):
        on = np.where(read > rule.on_above, np.maximum(on, number), on)
        # A stage that is switched off takes those above it along.
        on = np.where(read < rule.off_below, np.minimum(on, number - 1), on)
    return on


def _begun(
    goals: Table, rules: Sequence[StageRule], error: Float[np.ndarray, " draw"]
) -> tuple[Float[np.ndarray, " draw"], Int[np.ndarray, " draw"]]:
    """Steady oil and stage: the first that its own oil does not switch further up.

    Where that stage cools so well that it is switched off again, the oil begins in the middle of
    the two limits.
    """
    oil, on = goals[0], np.zeros(error.size, dtype=int)
    for number, rule in enumerate(rules, start=1):
        up = (on == number - 1) & (oil + error > rule.on_above)
        middle = (rule.on_above + rule.off_below) / 2 - error
        cycling = goals[number] + error < rule.off_below
        oil = np.where(up, np.where(cycling, middle, goals[number]), oil)
        on = np.where(up, number, on)
    return oil, on
