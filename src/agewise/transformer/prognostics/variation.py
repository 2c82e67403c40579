"""How days and years that were not seen differ from those that were: weather lasts, years differ.

The weather of a day is mostly that of the day before, so a month holds a handful of independent
days, and no record of one year tells whether that was a warm one.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

YEAR_AIR_K = 0.8
"""Standard deviation of yearly means of the air about their trend [K]: about 0.6 K in Central
England (Parker, Legg, Folland 1992, a series since 1772), about 1 K inland."""
YEAR_LOAD_SHARE = 0.01
"""Standard deviation of a year's mean load, as a share of it; a choice of ours, the size of the
changes from year to year of the electricity that a country in Europe uses."""
USUAL_MEMORY, MEMORY_DAYS = 0.75, 60.0
"""Correlation of the weather of successive days, and the days of a record that tell as much."""
USUAL_DAY_K, SPREAD_DAYS = 4.0, 4.0
"""Standard deviation of daily means of the air about the season [K], and the number of independent
days that tell as much."""
LARGEST_MEMORY = 0.95
"""Largest correlation of successive days that a record is believed."""
TREND_DAYS, CYCLE_DAYS, WEEK_DAYS = 45, 180, 28
"""Days of a record from which on a trend, the cycle of a year and that of a week are known, so that
they do not count as weather."""
WEEKLY_POWER = 0.7
"""Share of a day's variance that weather has at each harmonic of a week, by `USUAL_MEMORY`."""


@dataclass(frozen=True)
class Memory:
    """How much daily losses vary, and for how long."""

    spread: float
    """Standard deviation of a day about its season, as a share of the mean day."""
    memory: float
    """Correlation of successive days."""
    independent: float
    """Independent days that tell as much about the spread as the record and what is usual do."""

    def mean_spread(self, days: float) -> float:
        """Standard deviation of the mean of successive days, as a share of it."""
        return self.spread / np.sqrt(effective_days(days, self.memory))


def effective_days(days: float, memory: float) -> float:
    r"""Independent days whose mean is as sure as that of days with $x_n = \phi x_{n-1} + e$."""
    lasting = (1 + memory) / (1 - memory)
    # Days at the ends of the record have neighbours on one side only.
    edge = 2 * memory * (1 - memory**days) / (days * (1 - memory) ** 2)
    return days / max(lasting - edge, 1.0)


def memory_of(loss: Float[np.ndarray, " day"], slope: float) -> Memory:
    """Spread and memory of a record, shrunk towards what is usual where it is short.

    Args:
        loss: Life that each of successive days used, in any unit.
        slope: Relative change of a loss with a kelvin of the air [1/K].
    """
    # Losses grow exponentially with the air, so that normal kelvin make a log-normal loss.
    usual = float(np.expm1((slope * USUAL_DAY_K) ** 2))
    days = loss.size
    if days < 3:
        return Memory(float(np.sqrt(usual)), USUAL_MEMORY, SPREAD_DAYS)
    left, slow, weekly = _about_the_season(loss / loss.mean())
    # What was taken out has taken the mean along.
    power = float(left @ left)
    seen = float(left[1:] @ left[:-1]) / power if power else 0.0
    # What is taken out takes memory along: the usual correction to first order.
    seen = min(seen + (1 + 3 * seen) * slow / days, LARGEST_MEMORY)
    # A weighted mean: the usual value counts as much as `MEMORY_DAYS` days of a record.
    memory = (MEMORY_DAYS * USUAL_MEMORY + days * seen) / (MEMORY_DAYS + days)
    memory = float(np.clip(memory, 0.0, LARGEST_MEMORY))
    lasting = (1 + memory) / (1 - memory)
    # A column that varies slowly takes more than one day's variance along, and a week's less.
    variance = power / max(days - slow * lasting - weekly * WEEKLY_POWER, days / 4)
    # Days that last hold fewer independent ones.
    independent = days / lasting
    variance = (SPREAD_DAYS * usual + independent * variance) / (SPREAD_DAYS + independent)
    return Memory(float(np.sqrt(variance)), memory, SPREAD_DAYS + independent)


def _about_the_season(
    relative: Float[np.ndarray, " day"],
) -> tuple[Float[np.ndarray, " day"], int, int]:
    """What season and week leave over, with the numbers of slow and of weekly columns taken out."""
    days = relative.size
    at = np.arange(days)
    slow = [np.ones(days)]
    if days >= CYCLE_DAYS:
        # One and two turns a year: a summer need not be the mirror image of a winter.
        turns = 2 * np.pi * np.outer([1, 2], at) / 365.25
        slow += [*np.cos(turns), *np.sin(turns)]
    elif days >= TREND_DAYS:
        slow.append(at - at.mean())
    # Three harmonics are all that seven days can tell.
    turns = 2 * np.pi * np.outer([1, 2, 3], at) / 7 if days >= WEEK_DAYS else np.empty((0, days))
    week = [*np.cos(turns), *np.sin(turns)]
    columns = np.stack([*slow, *week], axis=1)
    left = relative - columns @ np.linalg.lstsq(columns, relative, rcond=None)[0]
    return left, len(slow), len(week)


@dataclass(frozen=True)
class Variation:
    """What may be different in other days and years, as standard deviations of logarithms."""

    mean: float = 0.0
    """Standard deviation of the logarithm of the record's mean day over that of many years."""
    independent: float = 30.0
    """Independent days behind the mean of the record: the fewer, the longer the tails (Student's
    t)."""
    year: float = 0.0
    """Standard deviation of the logarithm of one year over many."""
    seasons: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    """Standard deviation of the logarithm of each season that was not seen, over what the calendar
    says of it."""
    shifts: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    """Expected logarithm of the loss in each season over that of the days that stand for it, by the
    calendar: of a season that was seen in part, over its own days."""
    memory: float = 0.0
    """Correlation of successive days."""

    def factors(
        self, count: int, *, rng: np.random.Generator
    ) -> tuple[Float[np.ndarray, " draw"], Float[np.ndarray, "draw season"]]:
        """Factors on all days, and on those that stand for a season not seen, in every draw.

        Their medians are one: it is kelvin that are as likely too many as too few.
        """
        chance = rng.standard_t(self.independent, count)
        # A season is warmer or cooler than the calendar says in all seasons at once.
        other = rng.standard_normal(count)[:, None] * np.array(self.seasons)
        return np.exp(self.mean * chance), np.exp(other)

    def years(self, shape: tuple[int, int], *, rng: np.random.Generator) -> np.ndarray:
        """Good and bad years: a factor on each, whose mean is one."""
        # Minus half the variance keeps the mean of a log-normal factor at one.
        return np.exp(self.year * rng.standard_normal(shape) - self.year**2 / 2)


NO_VARIATION = Variation()
"""Days and years that are exactly like those that were seen."""


def lasting_variation(
    loss: Float[np.ndarray, " day"], slope: float, kelvin_per_load: float
) -> Variation:
    """The variation of a record's days, seasons that were not seen left aside.

    Args:
        loss: Life that each of successive days used, in any unit.
        slope: Relative change of a loss with a kelvin [1/K].
        kelvin_per_load: Kelvin of the hot spot for a relative change of the load of one [K].
    """
    memory = memory_of(loss, slope)
    year = slope * float(np.hypot(YEAR_AIR_K, kelvin_per_load * YEAR_LOAD_SHARE))
    chance = memory.mean_spread(loss.size)
    # A record of several years has seen several of them.
    years_seen = max(1.0, loss.size / 365.25)
    # The variance of a logarithm from a relative one; what whole years differ by adds in squares.
    mean = float(np.sqrt(np.log1p(chance**2) + year**2 / years_seen))
    # At least three degrees of freedom: with two or fewer, Student's t has no variance.
    return Variation(mean, max(memory.independent, 3.0), year, memory=memory.memory)
