"""Days to come: those that were seen, or those of a scenario, whose top oil is forecast."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.assessment.assess import Assessment
from agewise.assessment.doubts import thermal_draws
from agewise.assessment.explained import inferred_ends
from agewise.assessment.exposure import AbstractOil, Exposure, gathered
from agewise.data.nameplate import Nameplate
from agewise.data.profile import Profile
from agewise.data.timeline import Timeline
from agewise.physics.iec60076 import top_oil
from agewise.physics.sampling import Hold
from agewise.prognostics.forecast import ModelError, model_error
from agewise.prognostics.life import Days, daily_loss, seasons
from agewise.prognostics.unknowns import Draws
from agewise.units import SECONDS_PER_DAY


@dataclass(frozen=True, eq=False)
class ForecastOil(AbstractOil):
    """Top oil of a scenario, by the guide's model with the error that it showed in the window."""

    nameplate: Nameplate
    hold: Hold
    seconds: Float[np.ndarray, " time"]
    load: Float[np.ndarray, " time"]
    ambient: Float[np.ndarray, " time"]
    error: ModelError
    seed: int

    def drawn(self, draws: Draws, varied: Collection[str]) -> Float[np.ndarray, "_ time"]:
        """°C. A bias that both thermometers share is not in the difference that calibrates this."""
        constants = thermal_draws(self.nameplate, draws)
        modelled = np.stack(
            [
                top_oil(one, self.seconds, self.load, self.ambient, hold=self.hold)
                for one in constants
            ]
        )
        if "future" not in varied:
            return modelled + self.error.bias
        count = max(map(len, draws.values()))
        rng = np.random.default_rng([self.seed, *b"future"])
        return modelled + self.error.drawn(self.seconds, count, rng=rng)


def forecast(scenario: Profile, assessment: Assessment) -> Exposure:
    """The hot spot of a scenario, ready to be worked out in draws."""
    nameplate, hold = assessment.nameplate, assessment.settings.hold
    rows = gathered(scenario, nameplate.winding.exponent.mean, hold)
    ambient = np.interp(rows.seconds, scenario.seconds, scenario.ambient)
    error, seed = shown_error(assessment), assessment.settings.seed
    oil = ForecastOil(nameplate, hold, rows.seconds, rows.load, ambient, error, seed)
    return Exposure(nameplate, hold, rows.seconds, rows.load, oil)


def shown_error(assessment: Assessment) -> ModelError:
    """By how much the guide's top oil was off in the window, against the inferred one."""
    ends, constants = inferred_ends(assessment), assessment.nameplate.thermal_constants()
    difference = ends.top_oil - ends.modelled(constants)
    return model_error(ends.seconds, difference, constants.oil_time_constant)


def days(
    seconds: Float[np.ndarray, " time"],
    used: Float[np.ndarray, "draw time"],
    timeline: Timeline,
    *,
    ordered: bool,
) -> Days:
    """The days of a stretch, as those to come; `used` is the life used since its first instant."""
    loss = daily_loss(seconds, used)
    middle = (np.arange(loss.shape[1]) + 0.5) * SECONDS_PER_DAY
    if timeline.start is None:
        return Days(loss, np.full(middle.size, -1), ordered)
    dates = pd.DatetimeIndex(timeline.utc(middle))
    return Days(loss, seasons(dates.day_of_year.to_numpy()), ordered)
