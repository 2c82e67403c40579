"""The hours after a profile in draws: the present state, the constants and the model's error."""

from collections.abc import Sequence
from dataclasses import dataclass

import jax
import numpy as np
from jaxtyping import Float

from agewise.assessment.life.doubts import (
    BIAS,
    DOUBTS,
    Doubts,
    oil_readings,
    thermal_draws,
    unknowns,
)
from agewise.assessment.life.explained_top_oil import (
    Ends,
    Explanation,
    explanations,
    shown_errors,
)
from agewise.assessment.oil.assessment import Assessment
from agewise.plant.oil_load import last_losses
from agewise.transformer.iec60076 import ThermalConstants, hot_spot_parts
from agewise.transformer.prognostics.forecast import ModelError, drawn_errors
from agewise.transformer.prognostics.rating import Ahead
from agewise.transformer.prognostics.unknowns import drawn
from agewise.transformer.staged import StagedUnit, staged_hot_spot_parts
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

DRAWS = 1000
"""Number of draws in which a risk is counted."""
STEP_S = 300.0
"""Time from one instant ahead to the next [s]: finer than any winding follows."""
EARLY_S = np.array([60.0, 120.0, 180.0, 240.0])
"""Instants before the first step [s], for a unit that is near its limit now and has just been
relieved."""
FORGOTTEN = 20.0
"""Number of lags after which a start is forgotten."""


def highest_ambient(ends: Ends) -> float:
    """Highest air temperature of the last day [°C], freed of noise."""
    recent = ends.seconds >= ends.seconds[-1] - SECONDS_PER_DAY
    return float(ends.ambient[recent].max())


def steps_of(hours: float) -> int:
    """Number of instants ahead that cover so many hours."""
    return EARLY_S.size + _even_steps(hours)


def _even_steps(hours: float) -> int:
    # The allowance keeps a whole number of steps from becoming one more by rounding.
    return int(np.ceil(hours * SECONDS_PER_HOUR / STEP_S - 1e-9))


def hours_ahead(
    assessment: Assessment,
    ends: Ends,
    hours: float,
    *,
    draws: int = DRAWS,
    doubts: Doubts = DOUBTS,
) -> Ahead:
    """Draws of all that the hours after the profile depend on.

    A bias that all thermometers share shifts the oil and the air behind it alike, so it moves the
    present temperature and not the error of the model. What the oil's alone reads too much has been
    learned with the constants, so it lasts; it is taken as it was in the hottest hours seen, also
    under a load that heats more.

    Args:
        assessment: The fitted profile.
        ends: Both ends of its oil.
        hours: Time ahead [h].
        draws: Number of draws.
        doubts: Standard deviations of what the nameplate gives without one.
    """
    now = present_state(assessment, ends, draws=draws, doubts=doubts)
    even = STEP_S * np.arange(1, _even_steps(hours) + 1)
    paths = now.error_paths(even)
    # Straight from the present error to that at the end of the first step.
    first = (now.error - now.reading)[:, None]
    early = first + (paths[:, :1] - first) * EARLY_S / STEP_S
    seconds, error = np.append(EARLY_S, even), np.concatenate([early, paths], axis=1)
    return Ahead(now.constants, now.top_oil, now.winding_part, now.oil_part, seconds, error)


@dataclass(frozen=True, eq=False)
class PresentState:
    """The unit at the end of the profile, in draws."""

    constants: Sequence[ThermalConstants]
    """Constants of the guide, one set a draw or one for all draws."""
    top_oil: Float[np.ndarray, " draw"]
    """Top oil by the guide's model [°C]."""
    winding_part: Float[np.ndarray, " draw"]
    """Winding part of the hot spot's rise [K]."""
    oil_part: Float[np.ndarray, " draw"]
    """Oil part of the hot spot's rise, which is subtracted [K]."""
    error: Float[np.ndarray, " draw"]
    """Read minus modelled top oil [K], freed of noise."""
    reading: Float[np.ndarray, " draw"]
    """What the thermometer of the oil reads too much [K]."""
    shown: Sequence[ModelError]
    """How that error behaved in the window, for each draw or one for all draws."""
    seed: int
    """Seed of the error's paths ahead."""

    def error_paths(self, seconds: Float[np.ndarray, " time"]) -> Float[np.ndarray, "draw time"]:
        """True minus modelled top oil at instants ahead [K], each path from its present value."""
        rng = np.random.default_rng([self.seed, *b"ahead"])
        paths = drawn_errors(self.shown, seconds, self.error.size, rng=rng)
        # The paths start from the error of the expected top oil; that of the draw differs from it,
        # and the difference fades as the error itself does.
        last, lasting = np.array(
            [[model_error.last, model_error.correlation] for model_error in self.shown]
        ).T
        paths += (self.error - last)[:, None] * np.exp(-seconds / lasting[:, None])
        paths -= self.reading[:, None]
        return paths


def present_state(
    assessment: Assessment, ends: Ends, *, draws: int = DRAWS, doubts: Doubts = DOUBTS
) -> PresentState:
    """Draws of the unit at the end of the profile; the arguments are those of `hours_ahead`."""
    nameplate, seed = assessment.nameplate, assessment.settings.seed
    # By the seed of a life, so that both are about the same drawn units.
    numbers = drawn(unknowns(nameplate, doubts), draws, seed=seed, joint=nameplate.joint_draws)
    # The tap that is on now stays: nobody knows another.
    losses = last_losses(assessment.profile, nameplate)
    constants = [unit.with_load_losses(losses) for unit in thermal_draws(nameplate, numbers)]
    explained = explanations(nameplate, numbers)
    shown = shown_errors(ends, explained)
    # The last error is inferred minus modelled, which gives the guide's own present top oil.
    modelled = ends.top_oil[-1] - np.array([model_error.last for model_error in shown])
    # The zeros make a row for every draw of a single set of constants.
    parts = np.array([_last_parts(ends, draw) for draw in explained]) + np.zeros((draws, 1))
    error = _drawn_top_oil(assessment, draws) - modelled
    top_oil = modelled - numbers[BIAS]
    reading = oil_readings(numbers)
    return PresentState(constants, top_oil, parts[:, 0], parts[:, 1], error, reading, shown, seed)


def _drawn_top_oil(assessment: Assessment, draws: int) -> Float[np.ndarray, " draw"]:
    """Draws of the top oil at the end of the profile [°C]."""
    # A key of its own: 1 is that of the functions behind a life.
    functions = assessment.draw(draws, key=jax.random.fold_in(assessment.key, 2))
    return functions.oil(np.ones(1), assessment.profile.seconds[-1:])[:, 0, 0]


def _last_parts(ends: Ends, draw: Explanation) -> tuple[float, float]:
    """Both parts of the hot spot's rise at the end [K], from rows that are not yet forgotten."""
    units = draw.stages or (draw.constants,)
    memory = FORGOTTEN * max(max(unit.slow_lag, unit.winding_lag) for unit in units)
    first = max(0, int(np.searchsorted(ends.seconds, ends.seconds[-1] - memory)) - 1)
    recent = (ends.seconds[first:], ends.load[first:])
    if ends.stage is None:
        winding, oil = hot_spot_parts(draw.constants, *recent, hold=ends.hold)
    else:
        unit = StagedUnit(units, ends.stage[first:])
        winding, oil = staged_hot_spot_parts(unit, *recent, hold=ends.hold)
    return float(winding[-1]), float(oil[-1])
