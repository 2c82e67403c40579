"""The days to come, and the numbers that are drawn for them: all of a life but the window."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from jaxtyping import Float

from agewise.assessment.life.doubts import DOUBTS, GROWTH, PAST, USED, Doubts, unknowns
from agewise.assessment.life.effort import FULL, Effort
from agewise.assessment.life.exposure import Exposure
from agewise.assessment.life.lives import Stretch, stretch_of
from agewise.assessment.life.outlook import (
    Sensitivity,
    measured_days,
    observed_days,
    scenario_days,
    sensitivity,
)
from agewise.assessment.life.scenario import forecast
from agewise.assessment.oil.assessment import Assessment
from agewise.plant.profile import Profile
from agewise.transformer.cooling_defaults import LIMITS
from agewise.transformer.prognostics.calendar import years_lived
from agewise.transformer.prognostics.life import Days
from agewise.transformer.prognostics.unknowns import SOURCES, Draws, Unknown, drawn
from agewise.units import DAYS_PER_YEAR

EVERYTHING = frozenset(SOURCES) - {"aleatoric"}
"""Sources of doubt about a life: all but the noise of a sensor, which does not age paper and is
only shown beside them."""


@dataclass(frozen=True, eq=False)
class DaysAhead:
    """Days to come of an assessed unit.

    None of it depends on the height, so it can be worked out while the window still is.
    """

    assessment: Assessment
    """The fitted profile that the draws follow from."""
    scenario: Profile | None = None
    """Load and ambient of the days to come; the observed days repeat if None."""
    effort: Effort = FULL
    """How many draws, and how many years ahead."""
    doubts: Doubts = DOUBTS
    """Standard deviations of what the nameplate gives without one."""

    @cached_property
    def unknowns(self) -> list[Unknown]:
        """Every number that is not known for sure, as it is believed before anything else."""
        return unknowns(self.assessment.nameplate, self.doubts)

    @cached_property
    def prior_draws(self) -> Draws:
        """Draws of these numbers by name, among them those of units that would be dead by now."""
        assessment = self.assessment
        return drawn(
            self.unknowns,
            self.effort.draws,
            seed=assessment.settings.seed,
            joint=assessment.nameplate.joint_draws,
        )

    @cached_property
    def forecast(self) -> Exposure | None:
        """Oil and winding of the scenario, if there is one."""
        return None if self.scenario is None else forecast(self.scenario, self.assessment)

    @cached_property
    def prior_scenario(self) -> Stretch | None:
        """The scenario in draws in which everything varies, if there is one, with the time that it
        spends above the hot spots of `LIMITS`."""
        if self.forecast is None:
            return None
        limits = [limit.hot_spot for limit in LIMITS.values()]
        return self._scenario(EVERYTHING, self.prior_draws, limits)

    def _scenario(
        self, varied: Collection[str], draws: Draws, limits: Sequence[float] = ()
    ) -> Stretch:
        assert self.forecast is not None
        return stretch_of(self.forecast, self.forecast.hot_spots(draws, varied), draws, limits)

    def days(
        self, varied: Collection[str], draws: Draws, seen: Float[np.ndarray, "draw day"]
    ) -> Days:
        """Days to come: those of the scenario, or some like those that were `seen`."""
        if self.scenario is not None:
            # Both are what the first, and by far the largest, set of draws is asked for.
            first = varied == EVERYTHING and draws is self.prior_draws
            ahead = self.prior_scenario if first else self._scenario(varied, draws)
            assert ahead is not None
            return scenario_days(ahead.daily, self.scenario.timeline, self.sensitivity)
        return self.like_seen(varied, draws, seen)

    def like_seen(
        self, varied: Collection[str], draws: Draws, seen: Float[np.ndarray, "draw day"]
    ) -> Days:
        """Days like those of the record, whatever may be asked of the days to come."""
        assessment, answer = self.assessment, self.sensitivity
        climate = assessment.nameplate.site.climate()
        profile = assessment.profile
        measured = measured_days(profile, seen.shape[1])
        days = observed_days(seen, profile.timeline, climate, answer, measured=measured)
        days = replace(days, trend=answer.trend(draws[GROWTH]))
        return days.another(rng=self.rng("record")) if "future" in varied else days

    @cached_property
    def sensitivity(self) -> Sensitivity:
        """How the life that a day uses answers to air and load."""
        return sensitivity(self.assessment.nameplate, self.assessment.profile.load)

    def used_before(
        self, draws: Draws, yearly: Float[np.ndarray, " draw"]
    ) -> Float[np.ndarray, " draw"]:
        """Life used before the window [h], by the nameplate; else as if the years in service had
        been like the record's, each using `yearly` hours, but for the growth of the load."""
        if USED in draws:
            return draws[USED]
        trend = self.sensitivity.trend(draws[GROWTH])
        lived = years_lived(trend, self.years_in_service)
        return lived * yearly * draws.get(PAST, np.ones(1))

    @property
    def years_in_service(self) -> float:
        """Years from commissioning to the start of the window; 0 where a date is unknown."""
        start = self.assessment.profile.timeline.start
        commissioned = self.assessment.nameplate.history.commissioned
        if start is None or commissioned is None:
            return 0.0
        # A unit that was commissioned after the record began has no past.
        return max(0.0, (start.date() - commissioned).days / DAYS_PER_YEAR)

    def rng(self, use: str = "days") -> np.random.Generator:
        """A generator that starts anew at every call: the order of calls changes nothing."""
        return np.random.default_rng([self.assessment.settings.seed, *use.encode()])
