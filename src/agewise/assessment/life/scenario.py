"""Days to come: those that were seen, or those of a scenario, whose top oil is forecast."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from agewise.assessment.life.doubts import oil_readings
from agewise.assessment.life.explained_top_oil import (
    Ends,
    Explanation,
    Surroundings,
    expected,
    explanations,
    first_hour,
    inferred_ends,
    shown_errors,
)
from agewise.assessment.life.exposure import AbstractOil, Batches, Exposure, in_batches
from agewise.assessment.life.winding import Winding, gathered
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.lower_stages import stages_guessed
from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.plant.staged_unit import stage_rules
from agewise.quality.stand_ins import filled_profile
from agewise.transformer.between_samples import Hold, interval_load
from agewise.transformer.prognostics.forecast import drawn_errors
from agewise.transformer.prognostics.unknowns import Draws
from agewise.transformer.ruled_draws import RuledOil, ruled_top_oil
from agewise.transformer.staged import Stages


@dataclass(frozen=True, eq=False)
class ForecastOil(AbstractOil):
    """Top oil of a scenario, by the guide's model with the error that it showed in the window."""

    nameplate: Nameplate
    """The unit, whose constants model the top oil."""
    ahead: Surroundings
    """Load and air of the scenario."""
    ends: Ends
    """Both ends of the oil in the observed window, on which the model is calibrated."""
    seed: int
    """Seed of the model's error."""
    ruled: bool = False
    """Whether rules switch stages of the cooling, in each draw by its own oil."""

    @property
    def seconds(self) -> Float[np.ndarray, " time"]:
        """Instants of the scenario, from its first row [s]."""
        return self.ahead.seconds

    def batches(self, draws: Draws, varied: Collection[str]) -> Batches:
        """Top oil [°C]: what a draw's constants have wrong in the window, they have wrong ahead.

        A bias that both thermometers share is not in the difference that calibrates this; what the
        oil's alone reads too much is, and is taken off. The air of the scenario is taken to be what
        the unit's own thermometer would read.
        """
        explained = explanations(self.nameplate, draws)
        errors = shown_errors(self.ends, explained)
        count = max(map(len, draws.values()))
        reading = oil_readings(draws)[:, None]
        if (reading == reading[0]).all():
            reading = reading[:1]
        # Held, the future keeps the lasting part of the error and does not wander.
        if "future" not in varied:
            biases = np.array([[error.bias] for error in errors])
            held = self._modelled(explained, biases) + biases - reading
            # Each batch gets a single row for itself, which the caller may change.
            return ((rows, oil.copy()) for rows, oil in in_batches(held, count))
        rng = np.random.default_rng([self.seed, *b"future"])
        # The errors make the array, and a model that is one row for all is added to each of them.
        oil = drawn_errors(errors, self.seconds, count, rng=rng)
        oil += self._modelled(explained, oil)
        oil -= reading
        return in_batches(oil, count)

    def _modelled(
        self, explained: Sequence[Explanation], error: Float[np.ndarray, "_ _"]
    ) -> Float[np.ndarray, "_ time"]:
        """Top oil by the guide's model [°C], a row for each draw or one for all."""
        if self.ruled:
            rows = np.broadcast_to(error, (len(error), self.seconds.size))
            return ruled_ahead(self.ahead, explained, self.nameplate, rows).top_oil
        # Draws that agree about the oil share it; a single row serves where all do.
        if len({draw.oil for draw in explained}) == 1:
            return self.ahead.modelled(explained[0])[None]
        return np.stack([self.ahead.modelled(draw) for draw in explained])


def forecast(scenario: Profile, assessment: Assessment) -> Exposure:
    """Oil and winding of a scenario, ready to be worked out in draws."""
    nameplate, hold = assessment.nameplate, assessment.settings.hold
    rows = gathered(scenario, nameplate, hold)
    filled = filled_profile(scenario, nameplate, hold).profile
    # Gathered rows are some of the scenario's own, so that air is read off and not averaged.
    ambient = np.interp(rows.seconds, scenario.seconds, filled.ambient)
    series = (rows.seconds, rows.load, ambient, rows.hold, first_hour(scenario), rows.oil_load)
    ahead, ends = Surroundings(*series, rows.stage), inferred_ends(assessment)
    ruled = bool(nameplate.cooling_stages) and scenario.cooling_stage is None
    if ruled:
        # The winding feels fans little, so that one course of the stages serves all draws.
        ahead = replace(ahead, stage=_expected_stages(ahead, ends, nameplate))
    oil = ForecastOil(nameplate, ahead, ends, assessment.settings.seed, ruled)
    own = (rows.seconds, rows.load, rows.load_std, ahead.stage)
    return Exposure(Winding(nameplate, rows.hold, *own), oil)


def _expected_stages(ahead: Surroundings, ends: Ends, nameplate: Nameplate) -> Stages:
    """The stages that rules switch on where constants and error are as expected."""
    mean = explanations(nameplate, expected(nameplate))
    error = np.full((1, ahead.seconds.size), shown_errors(ends, mean)[0].bias)
    return ruled_ahead(ahead, mean, nameplate, error).stage[0]


def ruled_ahead(
    ahead: Surroundings,
    explained: Sequence[Explanation],
    nameplate: Nameplate,
    error: Float[np.ndarray, "_ time"],
) -> RuledOil:
    """Oil and fans to come, where rules see the modelled oil and its error [K].

    A row for each draw of either, where the other has one for all.
    """
    count = max(len(explained), len(error))
    draws = [explained[n % len(explained)] for n in range(count)]
    air = np.stack([ahead.true_air(draw) for draw in explained])
    shape = (count, ahead.seconds.size)
    series = (np.broadcast_to(air, shape), np.broadcast_to(error, shape))
    held = interval_load(ahead.heating, ahead.hold)
    units = [draw.stages for draw in draws]
    return ruled_top_oil(units, stage_rules(nameplate), ahead.seconds, held, *series)


def days_to_come(scenario: Profile, where: str) -> Profile:
    """The scenario itself; one with oil temperatures is refused.

    `where` is what the sentence calls it, such as the path of its file.
    """
    if scenario.top_oil is not None or scenario.interior:
        raise InputError(
            f"{where} holds oil temperatures, but a scenario is about days that were not "
            "measured yet.",
            hint="a scenario has the columns time, load and ambient.",
        )
    return scenario


def refuse_unforeseen(profile: Profile, nameplate: Nameplate, hold: Hold, what: str) -> None:
    """Refuse a forecast of oil whose rise over the air was never seen; `what` begins the sentence.

    The error that the guide's model showed over a wrong air, or with fans on when nobody knows,
    would be carried ahead.
    """
    if stages_guessed(profile, nameplate, hold):
        raise InputError(
            f"{what} needs to know when each of cooling_stages was on, and no column says so.",
            hint="give the column cooling_stage (0 for the first), or days with all stages on.",
        )
    if not profile.air_known:
        raise InputError(
            f"{what} needs the air at the unit, which is known to ± {profile.air_std:.1f} K only.",
            hint="assess a profile with its ambient, or with weather of the same days from nearby.",
        )
