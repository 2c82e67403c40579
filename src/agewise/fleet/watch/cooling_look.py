"""Whether the oil is hotter than it was before, for the same load and air.

As `transformer.prognostics.cooling_check` has it, but piece by piece: without a share s of the
cooling, measured and modelled top oil differ by s times the rise over the air after the oil's lag.
The sums behind that share are kept for a day, and every draw is compared with its own usual share:
what a draw has wrong all the time cancels, what it does not know of another load does not.
"""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from agewise.fleet.watch.new_readings import NewReadings
from agewise.fleet.watch.unit_state import UnitState
from agewise.transformer.calibration.day_filter import Passed, oil_lag
from agewise.transformer.calibration.names import LASTING, WANDERING, WANDERING_H
from agewise.transformer.prognostics.cooling_check import LEAST_RISE, MOST_LOST
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

LEAST_S = SECONDS_PER_DAY / 2
"""Least time that a look takes in [s]."""
PIECE_S = SECONDS_PER_DAY / 4
"""Time within which pieces are put together [s]."""
FEWEST_LOOKS = 3
"""Sound looks by which the usual cooling is known."""


@dataclass(frozen=True)
class CoolingLook:
    """The share of the cooling that is missing compared with before."""

    lost: float
    """Share of the cooling that is lost, between 0 and 1; negative where there is more of it."""
    std: float
    """Standard deviation of that share."""

    @property
    def factor(self) -> float:
        """Rise of the top oil over the one before, by load and air."""
        return 1 / (1 - min(self.lost, MOST_LOST))


def with_piece(state: UnitState, new: NewReadings, passed: Passed) -> UnitState:
    """The state with the sums of new cells added, and those of more than a day ago left out."""
    there = np.isfinite(new.cells.measured)
    oil = passed.top_oil.mean(axis=0)
    lag = float(_lag(state).mean())
    rise = _lagged(oil - new.cells.air, new.cells.steps, lag, float(state.shared["rise"][0]))
    difference = (new.cells.measured - passed.modelled)[:, there]
    before_s, before_rise = state.shared["whitened"]
    instants = np.append(before_s, new.instants[there])
    time = state.belief.mean(WANDERING_H) * SECONDS_PER_HOUR
    # After a long silence a value stands for itself, as the first one does.
    decay = np.exp(-np.diff(instants) / time)
    scale = np.sqrt(1 - decay**2)
    series = np.append(before_rise, rise[there])
    white_rise = (series[1:] - decay * series[:-1]) / scale
    all_differences = np.concatenate([state.own["difference"][:, None], difference], axis=1)
    white = (all_differences[:, 1:] - decay * all_differences[:, :-1]) / scale
    piece = (float(white_rise @ white_rise), white @ white_rise, rise[there], instants)
    state = replace(state, shared=state.shared | {"rise": rise[-1:]})
    return _added(state, *piece, all_differences[:, -1]) if there.any() else state


def cooling_look(state: UnitState) -> CoolingLook | None:
    """The share lost in the last day, against the looks before; None where nobody can tell."""
    lost = _lost(state)
    if lost is None or state.memory.sound_looks < FEWEST_LOOKS:
        return None
    usual, looks = state.own["usual"], state.memory.sound_looks
    shares = (lost - usual) / (1 - usual)
    mean = state.memory.sound_sum / looks
    scatter = np.sqrt(max(state.memory.sound_squares / looks - mean**2, 0.0))
    own = max(_error_std(state), float(scatter)) * np.sqrt(1 + 1 / looks)
    return CoolingLook(float(shares.mean()), float(np.hypot(own, shares.std())))


def with_sound_look(state: UnitState) -> UnitState:
    """The state with its last day counted among the usual ones, if none of it was before."""
    lost, memory = _lost(state), state.memory
    if lost is None or memory.last - memory.sound_until < 0.99 * SECONDS_PER_DAY:
        return state
    looks, mean = memory.sound_looks + 1, float(lost.mean())
    usual = state.own["usual"] + (lost - state.own["usual"]) / looks
    return replace(state, own=state.own | {"usual": usual}).remembering(
        sound_looks=looks,
        sound_until=memory.last,
        sound_sum=memory.sound_sum + mean,
        sound_squares=memory.sound_squares + mean**2,
    )


def _lost(state: UnitState) -> Float[np.ndarray, " draw"] | None:
    """The share of the cooling that every draw misses in the last day."""
    _, seconds, information, rise = state.shared["pieces"]
    if seconds.sum() < LEAST_S or rise @ seconds / seconds.sum() < LEAST_RISE:
        return None
    return np.minimum(state.own["cross"].sum(axis=1) / information.sum(), MOST_LOST)


def _error_std(state: UnitState) -> float:
    """What the model's own errors, of hours and of days, can do to a share of one day."""
    _, seconds, information, rise = state.shared["pieces"]
    hours = state.belief.mean(WANDERING) / np.sqrt(information.sum())
    days = state.belief.mean(LASTING) / (rise @ seconds / seconds.sum())
    return float(np.hypot(hours, days))


def _added(
    state: UnitState,
    information: float,
    cross: Float[np.ndarray, " draw"],
    rise: Float[np.ndarray, " cell"],
    instants: Float[np.ndarray, " instant"],
    difference: Float[np.ndarray, " draw"],
) -> UnitState:
    """The state with one piece more, joined to the last one where they are close."""
    pieces, crosses, end = state.shared["pieces"], state.own["cross"], instants[-1]
    length = float(np.minimum(np.diff(instants), SECONDS_PER_HOUR).sum())
    fresh = np.array([[end], [length], [information], [float(rise.mean())]])
    close = pieces.shape[1] > 0 and end - pieces[0, -1] + length < PIECE_S
    if close:
        together = pieces[1, -1] + length
        level = (pieces[3, -1] * pieces[1, -1] + fresh[3, 0] * length) / max(together, 1.0)
        fresh[1:, 0] = together, pieces[2, -1] + information, level
        cross, pieces, crosses = crosses[:, -1] + cross, pieces[:, :-1], crosses[:, :-1]
    recent = pieces[0] > end - SECONDS_PER_DAY
    pieces = np.concatenate([pieces[:, recent], fresh], axis=1)
    crosses = np.concatenate([crosses[:, recent], cross[:, None]], axis=1)
    whitened = np.array([end, rise[-1]])
    return replace(
        state,
        shared=state.shared | {"pieces": pieces, "whitened": whitened},
        own=state.own | {"cross": crosses, "difference": difference},
    )


def _lag(state: UnitState) -> Float[np.ndarray, " draw"]:
    return oil_lag(state.belief.draws, float(state.belief.draws["oil.k11"].mean()))


def _lagged(values: np.ndarray, steps: np.ndarray, lag: float, start: float) -> np.ndarray:
    """A series after a lag [s], from a start."""
    level, levels = start, np.empty_like(values)
    for n, step in enumerate(steps):
        decay = np.exp(-step / lag)
        level = levels[n] = decay * level + (1 - decay) * values[n]
    return levels
