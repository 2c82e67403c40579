"""Top oil that nobody measured, and the fans that it switches: each decides the other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agewise.transformer.between_samples import Hold, interval_load
from agewise.transformer.iec60076 import ThermalConstants
from agewise.transformer.staged import Series, StageRule, Stages

SHORTEST_S, MOST_STEPS = 120.0, 1_000_000
"""Longest step in which the oil is followed [s], and the number of steps above which it grows: fans
switch between two rows, and oil that is left to itself for an hour more is 15 K hotter."""


@dataclass(frozen=True, eq=False)
class RuledStages:
    """Stages that rules have switched, and the oil that switched them."""

    stage: Stages
    """The stage that was on for most of each interval, from 0."""
    top_oil: Series
    """Top oil by the guide's model at every sample [°C]."""


def ruled_stages(
    constants: Sequence[ThermalConstants],
    rules: Sequence[StageRule],
    seconds: Series,
    load: Series,
    ambient: Series,
    *,
    start: float | None = None,
    hold: Hold = "backward",
) -> RuledStages:
    """Oil and stages where rules switch by a top oil that nobody measured.

    The oil is followed in steps of two minutes at the most: what it is at the end of one step
    decides the stage of the next.

    Args:
        constants: Constants of every stage.
        rules: When each stage but the first is switched.
        seconds: Instants [s].
        load: Load that heats the oil at these instants [p.u.].
        ambient: Air at these instants [°C], straight between them.
        start: Top oil at the first instant [°C]; steady if None.
        hold: Interval that a sample of the load stands for.
    """
    held, steps = interval_load(load, hold), np.diff(seconds)
    longest = max(SHORTEST_S, float(seconds[-1] - seconds[0]) / MOST_STEPS)
    # The allowance keeps a whole number of steps from becoming one more by rounding.
    parts = np.maximum(np.ceil(steps / longest - 1e-9), 1).astype(int)
    moves = [_moves(unit, held, steps / parts, np.diff(ambient) / parts) for unit in constants]
    begin, now = _steady_start(constants, rules, float(load[0]), float(ambient[0]))
    oil = begin if start is None else start
    oils, stage = [oil], np.zeros(held.size, dtype=int)
    warming = (np.diff(ambient) / parts).tolist()
    for n, (count, air) in enumerate(zip(parts.tolist(), ambient[:-1].tolist(), strict=True)):
        time_on = 0
        for part in range(count):
            now = _switched(now, oil, rules)
            retained, added = moves[now][n]
            # Air at the beginning of the step, over which the oil's rise fades.
            around = air + part * warming[n]
            oil = around + retained * (oil - around) + added
            time_on += now
        stage[n] = round(time_on / count)
        oils.append(oil)
    return RuledStages(stage, np.array(oils))


def _moves(
    unit: ThermalConstants, held: np.ndarray, steps: np.ndarray, warming: np.ndarray
) -> list[tuple[float, float]]:
    """For a step of each interval, the share of the oil's rise that stays, and what is added [K].

    As in `iec60076.lagged`, with the air as a ramp that rises by `warming` in a step.
    """
    gone = -np.expm1(-steps / unit.top_oil_lag)
    late = 1 - gone * unit.top_oil_lag / steps
    added = gone * unit.top_oil_target(held) + late * warming
    # Lists, since reading single numbers of an array would take most of the time of the loop.
    return list(zip((1 - gone).tolist(), added.tolist(), strict=True))


def _switched(now: int, oil: float, rules: Sequence[StageRule]) -> int:
    """The stage after a look at the oil."""
    for number, rule in enumerate(rules, start=1):
        if oil > rule.on_above:
            now = max(now, number)
        elif oil < rule.off_below:
            # A stage that is switched off takes those above it along.
            now = min(now, number - 1)
    return now


def _steady_start(
    constants: Sequence[ThermalConstants], rules: Sequence[StageRule], load: float, air: float
) -> tuple[float, int]:
    """Steady oil [°C] and stage: the first that is not switched further up by its own oil.

    Where that stage cools so well that it is switched off again, the oil goes to and fro between
    the two limits, and begins in their middle.
    """
    oils = [air + float(unit.top_oil_target(np.array([load]))[0]) for unit in constants]
    # There is a stage more than there are rules: the last has none above it.
    stays = [oil <= rule.on_above for oil, rule in zip(oils, rules, strict=False)]
    number = stays.index(True) if True in stays else len(rules)
    below = rules[number - 1] if number > 0 else None
    if below is not None and oils[number] < below.off_below:
        return (below.on_above + below.off_below) / 2, number
    return oils[number], number
