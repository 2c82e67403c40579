"""How far a course departs from that of a week or a day before, as the record itself shows.

The weather of a week ago is no forecast: air a week apart differs by several kelvin. So the last
hour's difference from then is kept and fades, and what comes instead is drawn as wide as such
differences were in the record.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.units import SECONDS_PER_HOUR

AIR_LASTS_S = 36 * SECONDS_PER_HOUR
"""Time over which air stays warmer or colder than on another day [s]: half of a difference is left
a day later (assumed; warm and cold spells of middle latitudes last one to three days)."""
KNOWN_AT_ONCE = 0.96
"""Share of the variance of a departure that its present value explains at once: a fifth of the
standard deviation is wind and cloud of the next minutes (assumed)."""
UNSEEN_AIR_K, UNSEEN_LOAD = 3.0, 0.1
"""Standard deviation of air between days [K], and of load as a share of it, before a record shows
any (assumed)."""
SWING_K, SWING_LOAD, SWING_LASTS_S = 8.0, 0.3, 6 * SECONDS_PER_HOUR
"""Standard deviations of the same where not even one day was seen, with its rise and fall, and the
time over which these last [s] (assumed)."""
UNSEEN_DAYS = 2.0
"""Number of days of a record as which these count: a calm week promises no calm."""
HOURS_PER_DAY = 24
"""Number of hourly means in a day."""


@dataclass(frozen=True, eq=False)
class Past:
    """A quantity of the record as its integral, so that means may begin and end between rows."""

    seconds: Float[np.ndarray, " instant"]
    """Instants from the end of the record [s], all negative but the last."""
    integral: Float[np.ndarray, " instant"]
    """Integral over time from the first of them [its unit times s]."""

    @classmethod
    def of(cls, seconds: Float[np.ndarray, " instant"], steps: Float[np.ndarray, " step"]):
        """That of a quantity with these means between the instants."""
        return cls(seconds, np.append(0.0, np.cumsum(steps * np.diff(seconds))))

    def means(
        self, begin: Float[np.ndarray, " step"], end: Float[np.ndarray, " step"]
    ) -> Float[np.ndarray, " step"]:
        """Mean of every interval."""
        used = (np.interp(at, self.seconds, self.integral) for at in (end, begin))
        return np.subtract(*used) / (end - begin)

    def hourly(self) -> Float[np.ndarray, " hour"]:
        """Means of all whole hours before the end."""
        # The allowance keeps an hour that ends where the record begins.
        hours = int(-self.seconds[0] / SECONDS_PER_HOUR + 1e-6)
        at = -SECONDS_PER_HOUR * np.arange(hours, -1, -1.0)
        return self.means(at[:-1], at[1:])

    def departure(self, period: float) -> float:
        """Mean of the last hour above that of the same hour a period [s] before; 0 without any."""
        if not period:
            return 0.0
        # A record of one period only shows of that hour its last row.
        row = self.seconds[1] - self.seconds[0]
        width = min(SECONDS_PER_HOUR, max(-self.seconds[0] - period, row))
        begin = np.array([-width, max(-period - width, self.seconds[0])])
        now, then = self.means(begin, begin + width)
        return float(now - then)


def spread(hourly: Float[np.ndarray, " hour"], days: Iterable[int], unseen: float) -> float:
    """Standard deviation of differences between hours that lie some days apart.

    Args:
        hourly: Hourly means of the record.
        days: How many days apart; each needs a day of such differences.
        unseen: What is assumed before any is seen, which counts as `UNSEEN_DAYS` of a record.
    """
    seen = [lag for lag in days if hourly.size >= HOURS_PER_DAY * (lag + 1)]
    if not seen:
        return unseen
    lags = [HOURS_PER_DAY * lag for lag in seen]
    # About zero, for a week that is warmer throughout is a departure too.
    square = np.mean([np.mean((hourly[lag:] - hourly[:-lag]) ** 2) for lag in lags])
    shown = hourly.size / HOURS_PER_DAY - min(seen)
    total = UNSEEN_DAYS + shown
    return float(np.sqrt((UNSEEN_DAYS * unseen**2 + shown * square) / total))


def faded(
    departure: float, seconds: Float[np.ndarray, " time"], lasts: float
) -> Float[np.ndarray, " time"]:
    """What is left of a departure so long after."""
    return departure * np.exp(-seconds / lasts)
