"""Life: hours that are left, and the years that they last under the days to come."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from agewise.transformer.prognostics.variation import NO_VARIATION, Variation
from agewise.units import DAYS_PER_YEAR, SECONDS_PER_HOUR

SEASONS = ("December to February", "March to May", "June to August", "September to November")
"""Seasons of a year by name; indices into this tuple stand for them."""
SEASON_DAYS = (90.25, 92.0, 92.0, 91.0)
"""Length of each of `SEASONS` in a mean year [days]."""
SEASON_ENDS = np.array([59, 151, 243, 334])
"""Days of the year up to the end of February, May, August and November."""
BLOCK_DAYS, LEAST_BLOCKS = 14, 3
"""Days that follow each other are drawn together, so that weather lasts and keeps its load: so many
of them, or fewer where there would be fewer different blocks than the second number."""
PICKS = 20_000_000
"""Blocks that are drawn and looked up at a time, which bounds the memory."""
LARGEST_TREND = 2.0
"""Largest logarithm of what a trend of the load makes of a yearly loss: beyond a factor of seven,
owners relieve a unit, or would have."""


@dataclass(frozen=True)
class Days:
    """Whole days that stand for days to come, each with the life that it uses in every draw."""

    loss: Float[np.ndarray, "draw day"]
    """Life that each day uses, in every draw [h]."""
    season: Int[np.ndarray, " day"]
    """Season of each day as an index into `SEASONS`; -1 where the date is unknown."""
    ordered: bool
    """Whether the days follow each other in this order, again and again; else blocks of them are
    drawn at random by season."""
    variation: Variation = NO_VARIATION
    """How other days, seasons and years may differ from these."""
    unseen: Float[np.ndarray, "draw season"] | None = None
    """Factors on the days that stand for each season, beside what the calendar expects; all 1 where
    None."""
    trend: Float[np.ndarray, " draw"] | None = None
    """Change of the logarithm of a yearly loss from year to year, by the growth of the load."""

    def taken(self, rows: Int[np.ndarray, " draw"]) -> "Days":
        """The same days with some of the draws, in any order and as often as they are named."""
        unseen, trend = (
            None if per_draw is None else per_draw[rows] for per_draw in (self.unseen, self.trend)
        )
        return replace(self, loss=self.loss[rows], unseen=unseen, trend=trend)

    def seen(self) -> list[str]:
        """The seasons of which there is a day."""
        return [name for n, name in enumerate(SEASONS) if n in self.season]

    def yearly(self) -> Float[np.ndarray, " draw"]:
        """Life that an expected year uses, in every draw [h]."""
        if self.ordered:
            return DAYS_PER_YEAR * self.loss.mean(axis=1)
        # Seasons count by their length, however many of their days were observed.
        parts = [
            SEASON_DAYS[n] * self._season_factor(n) * self.loss[:, days].mean(axis=1)
            for n, days in enumerate(self.pools())
        ]
        return np.sum(parts, axis=0)

    def pools(self) -> list[Int[np.ndarray, " day"]]:
        """The observed days that stand for each season: all where none lies in that season."""
        all_days = np.arange(self.season.size)
        pools = [np.flatnonzero(self.season == n) for n in range(len(SEASONS))]
        return [days if days.size else all_days for days in pools]

    def _season_factor(self, season: int) -> Float[np.ndarray, " draw"] | float:
        """What the days of a season are expected to use over those that stand for them."""
        # The shift is a logarithm, and for seasons that were seen it corrects for their other days.
        expected = float(np.exp(self.variation.shifts[season]))
        return expected if self.unseen is None else expected * self.unseen[:, season]

    def another(self, *, rng: np.random.Generator) -> "Days":
        """Other days that might have been seen by the same unit, a record for every draw.

        A few days tell little of the others: weather lasts, a year may be a warm one, and a season
        that was not seen may differ from what the calendar says.
        """
        mean, unseen = self.variation.factors(len(self.loss), rng=rng)
        # One factor for all days of a draw: it is the mean that is in doubt, not day by day.
        return replace(self, loss=self.loss * mean[:, None], unseen=unseen)

    def years(
        self, left: Float[np.ndarray, " draw"], horizon: int, *, rng: np.random.Generator
    ) -> Float[np.ndarray, " draw"]:
        """Years until the life that is `left` [h] is used; infinite beyond the horizon."""
        if self.ordered:
            factors = self.variation.years((len(self.loss), horizon), rng=rng)
            # A scenario says itself what is to come, so that no trend is put on it.
            return self._years_in_order(left, factors)
        used = np.cumsum(self.sampled_years(horizon, rng=rng), axis=1)
        return _crossing(used, left, horizon)

    def sampled_years(
        self, count: int, *, rng: np.random.Generator
    ) -> Float[np.ndarray, "draw year"]:
        """Life used in each of `count` years of days drawn in blocks at random, by draw [h]."""
        total = np.zeros((len(self.loss), count))
        for season, days in enumerate(self.pools()):
            part = self._sampled_season(self.loss[:, days], SEASON_DAYS[season], count, rng)
            total += part * np.reshape(self._season_factor(season), (-1, 1))
        total *= self.variation.years(total.shape, rng=rng)
        # The middle of each year stands for it.
        return total * trend_factors(self.trend, np.arange(count) + 0.5)

    def mean_year(
        self, count: int, *, rng: np.random.Generator | None
    ) -> Float[np.ndarray, " draw"]:
        """Mean of the life used in the next `count` years [h]; by chance if there is an `rng`."""
        if rng is not None and not self.ordered:
            return self.sampled_years(count, rng=rng).mean(axis=1)
        factors = trend_factors(self.trend, np.arange(count) + 0.5)
        if rng is not None:
            factors = factors * self.variation.years((len(self.loss), count), rng=rng)
        return self.yearly() * np.mean(np.broadcast_to(factors, (len(self.loss), count)), axis=1)

    def _sampled_season(
        self, loss: np.ndarray, length: float, count: int, rng: np.random.Generator
    ) -> Float[np.ndarray, "draw year"]:
        """Life used in one season of each of `count` years."""
        draws, days = loss.shape
        block = max(1, min(BLOCK_DAYS, days // LEAST_BLOCKS))
        number = round(length / block)
        # A block may go on from the last day to the first, so that all days are equally likely.
        run = np.cumsum(np.hstack([np.zeros((draws, 1)), loss, loss[:, : block - 1]]), axis=1)
        # Single precision halves the largest array; sums are taken in double again below.
        sums = (run[:, block:] - run[:, :-block]).astype(np.float32)
        total, rows_each = np.empty((draws, count)), max(1, PICKS // (number * count))
        for start in range(0, draws, rows_each):
            rows = slice(start, min(start + rows_each, draws))
            shape = (rows.stop - rows.start, count * number)
            # Days of a record fit into 16 bits, which makes the largest array of indices a quarter.
            picked = rng.integers(0, days, shape, dtype=np.uint16)
            chosen = np.take_along_axis(sums[rows], picked, axis=1)
            total[rows] = chosen.reshape(-1, count, number).sum(axis=2, dtype=float)
        # Whole blocks were drawn for a season that has 90.25 days in a mean year.
        return total * (length / (number * block))

    def _years_in_order(
        self, left: Float[np.ndarray, " draw"], factors: Float[np.ndarray, "draw year"]
    ) -> Float[np.ndarray, " draw"]:
        """Years until what is left is used by the days in their order, years with their factors."""
        horizon = factors.shape[1]
        edges = self._used_by(DAYS_PER_YEAR * np.arange(horizon + 1))
        used = np.cumsum(factors * np.diff(edges, axis=1), axis=1)
        # The last year stands for those that never cross; they are masked below.
        year = np.minimum(np.floor(_crossing(used, left, horizon)), horizon - 1).astype(int)
        rows = np.arange(len(left))
        before = np.where(year > 0, used[rows, year - 1], 0.0)
        # As if the last year were an ordinary one, of which so much more or less is used.
        plain = edges[rows, year] + (left - before) / factors[rows, year]
        years = np.maximum(self._days_until(plain), 0.0) / DAYS_PER_YEAR
        # In this order: what is used up now is 0 even where nothing would ever be crossed.
        return np.where(left > used[:, -1], np.inf, np.where(left <= 0, 0.0, years))

    def _used_by(self, days: Float[np.ndarray, " edge"]) -> Float[np.ndarray, "draw edge"]:
        """Life used after so many days, straight within a day [h]."""
        length = self.loss.shape[1]
        run = np.hstack([np.zeros((len(self.loss), 1)), np.cumsum(self.loss, axis=1)])
        rounds, rest = np.divmod(days, length)
        # The last day, where rounding puts the rest at the length itself.
        day = np.minimum(rest.astype(int), length - 1)
        within = run[:, day] + (rest - day) * self.loss[:, day]
        return rounds * run[:, -1:] + within

    def _days_until(self, target: Float[np.ndarray, " draw"]) -> Float[np.ndarray, " draw"]:
        """Days until so much is used [h], every year being an ordinary one."""
        used = np.cumsum(self.loss, axis=1)
        cycle, length = used[:, -1], used.shape[1]
        # Whole rounds through the days first, then day by day within the last one.
        rounds = np.floor(np.maximum(target, 0) / cycle)
        rest = _crossing(used, target - rounds * cycle, length)
        # Rounding may leave a rest of a hair more than a round, which is never crossed: a full one.
        return rounds * length + np.where(np.isfinite(rest), rest, length)


def trend_factors(
    trend: Float[np.ndarray, " draw"] | None, years: Float[np.ndarray, " year"]
) -> Float[np.ndarray, "_ year"] | float:
    """What a trend makes of a yearly loss, so many years from now; 1 where there is none."""
    if trend is None:
        return 1.0
    return np.exp(np.clip(np.outer(trend, years), -LARGEST_TREND, LARGEST_TREND))


def _crossing(
    used: Float[np.ndarray, "draw step"], left: Float[np.ndarray, " draw"], last: int
) -> Float[np.ndarray, " draw"]:
    """Steps until `used` passes `left`, straight within a step; infinite where it never does."""
    passed = used >= left[:, None]
    # Where nothing passes, argmax gives 0 and the share is meaningless; the last line masks it.
    step = np.argmax(passed, axis=1)
    rows = np.arange(len(used))
    before = np.where(step > 0, used[rows, step - 1], 0.0)
    # A step that uses nothing would divide by zero.
    share = (left - before) / np.maximum(used[rows, step] - before, np.finfo(float).tiny)
    return np.where(left <= 0, 0.0, np.where(passed[:, :last].any(axis=1), step + share, np.inf))


def seasons(day_of_year: Int[np.ndarray, " day"]) -> Int[np.ndarray, " day"]:
    """Seasons of days of the year (1 to 366), as indices into `SEASONS`."""
    # December lies beyond the last end and wraps round to the season that begins the year. In leap
    # years the last day of each season counts with the next one.
    return np.searchsorted(SEASON_ENDS, day_of_year) % len(SEASONS)


def recurrence(
    seconds: Float[np.ndarray, " time"],
    rate: Float[np.ndarray, "draw time"],
    left: Float[np.ndarray, " draw"],
) -> Float[np.ndarray, "draw time"]:
    r"""The paper's remaining life [h] sample by sample, $RUL_n = RUL_{n-1} - V_n\,dt$."""
    spent = np.zeros_like(rate)
    # The rate of a row with the step that ends there: no trapezoid, as published.
    np.cumsum(rate[:, 1:] * np.diff(seconds) / SECONDS_PER_HOUR, axis=1, out=spent[:, 1:])
    return left[:, None] - spent
