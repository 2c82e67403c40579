"""Draws of life: the window's loss, what is left, and how long that lasts."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from agewise.assessment.life.conditioning import Before, Believed
from agewise.assessment.life.days_ahead import EVERYTHING, DaysAhead
from agewise.assessment.life.doubts import DOUBTS, LIFE, Doubts
from agewise.assessment.life.effort import FULL, Effort
from agewise.assessment.life.evidence import Samples
from agewise.assessment.life.exposure import Batches, Exposure, in_batches
from agewise.assessment.life.lives import Lives, stretch_of
from agewise.assessment.life.split import Split, variances, varied_alone
from agewise.assessment.life.window import REPORTED, DrawnWindow
from agewise.assessment.oil.assessment import Assessment
from agewise.plant.profile import Profile
from agewise.transformer.prognostics.unknowns import Draws, Unknown, held

WORST = "worst"
"""Name of the height that ages fastest."""
HEIGHTS = {f"{height:g} H": height for height in REPORTED}
"""Heights that are reported beside the worst one, as fractions of the tank's, by their names."""
NO_NUMBERS = frozenset({"epistemic", "aleatoric"})
"""Sources that are the oil itself and its readings, and no numbers of a nameplate or a law."""


@dataclass(frozen=True, eq=False)
class Prognosis:
    """Draws of ageing and life that follow from an assessment, with everything not known for sure.

    Args:
        assessment: The fitted profile.
        worst: The height that ages fastest, as a fraction of the tank's.
        scenario: Load and ambient of days to come; without it they repeat the observed ones.
        effort: How many draws, and how many years ahead.
        doubts: Standard deviations of what a nameplate does not say.
        drawn_window: Functions of the oil that were drawn before; drawn anew unless given.
        days_ahead: Days to come that were worked out before; worked out anew unless given.

    Examples:
        >>> import agewise, numpy
        >>> fitted = agewise.assess("demo/profile.csv", "demo/nameplate.toml", method="line")
        >>> prognosis = agewise.Prognosis(fitted, worst=1.0)
        >>> low, high = numpy.quantile(prognosis.lives.loss, [0.05, 0.95])  # h of life used
        >>> bool(0 < low < high)
        True
    """

    assessment: Assessment
    """The fitted profile that the draws follow from."""
    worst: float
    """Height that ages fastest, as a fraction of the tank's."""
    scenario: Profile | None = None
    """Load and ambient of the days to come; the observed days repeat if None."""
    effort: Effort = FULL
    """How many draws, and how many years ahead."""
    doubts: Doubts = DOUBTS
    """Standard deviations of what the nameplate gives without one."""
    drawn_window: DrawnWindow | None = None
    """Functions that were drawn for the field; drawn anew where None, and the same."""
    days_ahead: DaysAhead | None = None
    """Days to come that were worked out before, with the same scenario, effort and doubts; worked
    out anew where None, and the same."""

    @cached_property
    def ahead(self) -> DaysAhead:
        """The days to come, and all numbers that are drawn."""
        if self.days_ahead is not None:
            return self.days_ahead
        return DaysAhead(self.assessment, self.scenario, self.effort, self.doubts)

    @property
    def unknowns(self) -> list[Unknown]:
        """Every number that is not known for sure, as it is believed before anything else."""
        return self.ahead.unknowns

    @property
    def prior_draws(self) -> Draws:
        """Draws of these numbers by name, among them those of units that would be dead by now."""
        return self.ahead.prior_draws

    @cached_property
    def prior_lives(self) -> Lives:
        """Lives with everything varied, among them those that would be over by now."""
        return self._lived(EVERYTHING, self.prior_draws, self._prior_batches())

    @cached_property
    def alive(self) -> Believed:
        """What is believed of all unknowns, given that the unit runs today and no more."""
        before = self._before
        # Where all draws live there is nothing to learn from it, and they keep their order.
        if before.all_alive:
            return before.unchanged()
        seed = self.assessment.settings.seed
        return before.given(lambda pairs: np.zeros(pairs.life.shape), seed=seed)

    @cached_property
    def believed(self) -> Believed:
        """What is believed of all unknowns, given also what samples of paper and oil have shown."""
        assessment, lives = self.assessment, self.prior_lives
        if not assessment.nameplate.evidence.samples():
            return self.alive
        samples = Samples(
            assessment.nameplate,
            assessment.profile.timeline,
            self.prior_draws,
            lives.loss,
            lives.yearly_past,
        )
        return self._before.given(samples.log_likelihood, seed=assessment.settings.seed)

    @cached_property
    def _before(self) -> Before:
        lives = self.prior_lives
        return Before(self.unknowns, self.prior_draws, lives.loss, lives.used_before)

    @cached_property
    def lives_before_samples(self) -> Lives:
        """Lives of a unit that runs today, before its samples were considered."""
        return self.prior_lives.believed(self.alive)

    @property
    def draws(self) -> Draws:
        """Draws of all unknowns by name, given that the unit runs today, and its samples."""
        return self.believed.draws

    @cached_property
    def window(self) -> dict[str, Exposure]:
        """The observed stretch at the worst height and at the reported ones, by name."""
        drawn = self.drawn_window or DrawnWindow(self.assessment, self.effort)
        named = {WORST: self.worst} | HEIGHTS
        exposures = drawn.exposures(named.values())
        return {name: exposures[height] for name, height in named.items()}

    @cached_property
    def hot_spots(self) -> Float[np.ndarray, "draw time"]:
        """Hot spot over the window at the worst height [°C], with everything that is not known."""
        return self.believed.of(self._prior_hot_spots)

    def drawn_oil(self, name: str) -> Float[np.ndarray, "draw time"]:
        """Oil over the window at one of the heights by name [°C], with everything not known."""
        return self.believed.of(self.window[name].drawn_oil(self.prior_draws, EVERYTHING))

    @cached_property
    def _prior_hot_spots(self) -> Float[np.ndarray, "draw time"]:
        return self.window[WORST].hot_spot(self.prior_draws, EVERYTHING)

    @cached_property
    def lives(self) -> Lives:
        """Lives in which everything varies that is not known, of a unit that runs today."""
        return self.prior_lives.believed(self.believed)

    @cached_property
    def years(self) -> Float[np.ndarray, " draw"]:
        """Years until the end of life; infinite beyond the horizon."""
        return self.years_of(self.lives)

    def years_of(self, lives: Lives) -> Float[np.ndarray, " draw"]:
        """Years until the end of these lives; infinite beyond the horizon."""
        return lives.days.years(lives.left, self.effort.horizon, rng=self.ahead.rng())

    @cached_property
    def recurrence(self) -> Float[np.ndarray, " draw"]:
        """Life left at the end of the window by the paper's recurrence [h]."""
        # From nothing, so that what comes back is the loss alone, with a minus sign.
        lives, nothing = self.lives, np.zeros(self.effort.draws)
        spent = self.window[WORST].recurrence(self._prior_batches(), self.prior_draws, nothing)
        # What is left and what was used in the window is what there was at its start.
        return lives.left + lives.loss + self.believed.of(spent)

    def _prior_batches(self) -> Batches:
        """The hot spots with everything varied, batch by batch."""
        return in_batches(self._prior_hot_spots, self.effort.draws)

    def lived(self, varied: Collection[str], count: int | None = None) -> Lives:
        """Lives in which only some sources or unknowns vary.

        Args:
            varied: Sources, names of unknowns, or both.
            count: Number of draws, from the first on; all if None.
        """
        if varied == EVERYTHING and count is None:
            return self.lives
        # About the means of what is believed, so that the split is of the same unit as the answer.
        draws = held(self.draws, self.believed.unknowns, varied)
        draws = {name: values[:count] for name, values in draws.items()}
        return self._lived(varied, draws, self.window[WORST].hot_spots(draws, varied))

    def _lived(self, varied: Collection[str], draws: Draws, hot_spots: Batches) -> Lives:
        """Lives with these draws and hot spots."""
        window = stretch_of(self.window[WORST], hot_spots, draws)
        future = self.ahead.days(varied, draws, window.daily)
        # What may come does not change what has been: the past is like the record.
        past = future
        if self.scenario is not None:
            past = self.ahead.like_seen(varied, draws, window.daily)
        yearly = past.yearly()
        before = self.ahead.used_before(draws, yearly)
        left = draws[LIFE] - before - window.loss
        return Lives(window.hottest, window.loss, before, left, future, yearly)

    def loss_at(self, name: str, varied: Collection[str]) -> Float[np.ndarray, " draw"]:
        """Life used in the window at one of the heights by name [h], some sources varied."""
        # Functions of the oil belong to the draws as they were before.
        draws, exposure = held(self.prior_draws, self.unknowns, varied), self.window[name]
        loss = exposure.loss(exposure.hot_spots(draws, varied), draws)
        # That the unit runs tells of numbers, and nothing of the oil by itself, as a field has it.
        return loss if set(varied) <= NO_NUMBERS else self.believed.of(loss)

    @cached_property
    def split(self) -> Split:
        """Variances when each source or unknown varies alone."""
        together = self.assessment.nameplate.joint_draws
        source, varied = varied_alone(self.unknowns, together)
        return Split(source, {name: self._variances(names) for name, names in varied.items()})

    def _variances(self, varied: Collection[str]) -> tuple[float, float]:
        lives = self.lived(varied, self.effort.split_draws)
        by_chance = self.ahead.rng() if "future" in varied else None
        return variances(lives, self.effort.horizon, by_chance)

    @property
    def years_in_service(self) -> float:
        """Years from commissioning to the start of the window; 0 where a date is unknown."""
        return self.ahead.years_in_service
