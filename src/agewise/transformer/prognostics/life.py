"""Life: hours that are left, and the years that they last under the days to come."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

DAYS_PER_YEAR = 365.25
"""Length of a mean year [days]."""
SEASONS = ("December to February", "March to May", "June to August", "September to November")
"""Seasons of a year by name; indices into this tuple stand for them."""
SEASON_DAYS = (90.25, 92.0, 92.0, 91.0)
"""Length of each of `SEASONS` in a mean year [days]."""
SEASON_ENDS = np.array([59, 151, 243, 334])
"""Days of the year up to the end of February, May, August and November."""
PICKS = 20_000_000
"""Days that are drawn and looked up at a time, which bounds the memory."""


@dataclass(frozen=True)
class Days:
    """Whole days that stand for days to come, each with the life that it uses in every draw."""

    loss: Float[np.ndarray, "draw day"]
    """Life that each day uses, in every draw [h]."""
    season: Int[np.ndarray, " day"]
    """Season of each day as an index into `SEASONS`; -1 where the date is unknown."""
    ordered: bool
    """Whether the days follow each other in this order, again and again; else they are drawn at
    random by season."""

    def taken(self, rows: Int[np.ndarray, " draw"]) -> "Days":
        """The same days with some of the draws, in any order and as often as they are named."""
        return replace(self, loss=self.loss[rows])

    def seen(self) -> list[str]:
        """The seasons of which there is a day."""
        return [name for n, name in enumerate(SEASONS) if n in self.season]

    def yearly(self) -> Float[np.ndarray, " draw"]:
        """Life that an expected year uses, in every draw [h]."""
        if self.ordered:
            return DAYS_PER_YEAR * self.loss.mean(axis=1)
        # Seasons count by their length, however many of their days were observed.
        parts = [length * self.loss[:, days].mean(axis=1) for length, days in self._pools()]
        return np.sum(parts, axis=0)

    def _pools(self) -> list[tuple[float, np.ndarray]]:
        """Length of each season [days], and the observed days that stand for it: all of them where
        none lies in that season."""
        all_days = np.arange(self.season.size)
        pools = [np.flatnonzero(self.season == n) for n in range(len(SEASONS))]
        return [
            (length, days if days.size else all_days)
            for length, days in zip(SEASON_DAYS, pools, strict=True)
        ]

    def resampled(self, *, rng: np.random.Generator) -> "Days":
        """Another record that might have been observed: days drawn from these, by season.

        A bootstrap, with a record of its own for every draw: a few days tell little of the others.
        """
        loss = np.empty_like(self.loss)
        for season in np.unique(self.season):
            days = np.flatnonzero(self.season == season)
            picked = rng.choice(days, (len(loss), days.size))
            loss[:, days] = np.take_along_axis(self.loss, picked, axis=1)
        return replace(self, loss=loss)

    def years(
        self, left: Float[np.ndarray, " draw"], horizon: int, *, rng: np.random.Generator
    ) -> Float[np.ndarray, " draw"]:
        """Years until the life that is `left` [h] is used; infinite beyond the horizon."""
        if self.ordered:
            return self._years_in_order(left, horizon)
        used = np.cumsum(self.sampled_years(horizon, rng=rng), axis=1)
        return _crossing(used, left, horizon)

    def sampled_years(
        self, count: int, *, rng: np.random.Generator
    ) -> Float[np.ndarray, "draw year"]:
        """Life used in each of `count` years of days drawn at random, in every draw [h]."""
        draws = len(self.loss)
        total = np.zeros((draws, count))
        for length, days in self._pools():
            number = round(length)
            block = max(1, PICKS // (number * count))
            # Single precision and short indices halve the memory or better; sums are in double.
            loss = np.ascontiguousarray(self.loss[:, days], dtype=np.float32)
            for start in range(0, draws, block):
                rows = np.arange(start, min(start + block, draws))
                picked = rng.integers(0, days.size, (rows.size, count * number), dtype=np.uint16)
                sums = np.take_along_axis(loss[rows], picked, axis=1)
                yearly = sums.reshape(rows.size, count, number).sum(axis=2, dtype=float)
                # Whole days were drawn for a season that has 90.25 of them in a mean year.
                total[rows] += yearly * (length / number)
        return total

    def _years_in_order(self, left: np.ndarray, horizon: int) -> np.ndarray:
        used = np.cumsum(self.loss, axis=1)
        cycle = used[:, -1]
        # Whole rounds through the days first, then day by day within the last one.
        cycles = np.floor(np.maximum(left, 0) / cycle)
        rest = _crossing(used, left - cycles * cycle, used.shape[1])
        length = used.shape[1]
        # Rounding may leave a rest of a hair more than a round, which is never crossed: a full one.
        years = (cycles * length + np.where(np.isfinite(rest), rest, length)) / DAYS_PER_YEAR
        return np.where(years > horizon, np.inf, years)


def _crossing(
    used: Float[np.ndarray, "draw step"], left: Float[np.ndarray, " draw"], last: int
) -> Float[np.ndarray, " draw"]:
    """Steps until `used` passes `left`, straight within a step; infinite where it never does."""
    passed = used >= left[:, None]
    # Where nothing passes, argmax gives 0 and the share is meaningless; the last line masks it.
    step = np.argmax(passed, axis=1)
    rows = np.arange(len(used))
    before = np.where(step > 0, used[rows, step - 1], 0.0)
    share = (left - before) / np.maximum(used[rows, step] - before, np.finfo(float).tiny)
    return np.where(left <= 0, 0.0, np.where(passed[:, :last].any(axis=1), step + share, np.inf))


@dataclass(frozen=True, eq=False)
class WholeDays:
    """Whole days from the start of a record; a record of less than a day counts as one.

    A day whose last sample is one step short of its end is whole.
    """

    samples: Int[np.ndarray, "2 edge"]
    """The samples before and after each midnight from the start, and at the end of the record."""
    share: Float[np.ndarray, " edge"]
    """Where between these two the midnight lies, from 0 to 1."""
    lengths: Float[np.ndarray, " day"]
    """Time of each day that was recorded [s]."""

    def loss(
        self, before: Float[np.ndarray, "draw edge"], after: Float[np.ndarray, "draw edge"]
    ) -> Float[np.ndarray, "draw day"]:
        """Life used in each day [h], from that used up to both rows of `samples`; a day of which a
        part was recorded is stretched."""
        at_edges = before + self.share * (after - before)
        return np.diff(at_edges, axis=1) * (SECONDS_PER_DAY / self.lengths)


def whole_days(seconds: Float[np.ndarray, " time"]) -> WholeDays:
    """The whole days of a record whose samples are at `seconds` from its start."""
    step = float(np.median(np.diff(seconds)))
    count = max(1, int((seconds[-1] + min(step, SECONDS_PER_DAY / 2)) // SECONDS_PER_DAY))
    # The last edge may lie beyond the last sample; the day is then stretched at the end.
    edges = np.minimum(np.arange(count + 1) * SECONDS_PER_DAY, seconds[-1])
    after = np.clip(np.searchsorted(seconds, edges), 1, seconds.size - 1)
    share = (edges - seconds[after - 1]) / (seconds[after] - seconds[after - 1])
    return WholeDays(np.stack([after - 1, after]), share, np.diff(edges))


def daily_loss(
    seconds: Float[np.ndarray, " time"], used: Float[np.ndarray, "draw time"]
) -> Float[np.ndarray, "draw day"]:
    """Life used in each whole day from the start [h]; a record of less than a day is stretched.

    Args:
        seconds: Instants from the start of the record [s].
        used: Life used since the first instant [h].

    Returns:
        One column for each day.
    """
    days = whole_days(seconds)
    before, after = days.samples
    return days.loss(used[:, before], used[:, after])


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
    np.cumsum(rate[:, 1:] * np.diff(seconds) / SECONDS_PER_HOUR, axis=1, out=spent[:, 1:])
    return left[:, None] - spent
