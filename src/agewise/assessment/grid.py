"""Heights and instants at which a field is given."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.errors import InputError
from agewise.plant.profile import Profile
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_MINUTE

MOST_HEIGHTS = 2001
"""Most heights of a field: half a millimetre apart in a tank of a metre."""
MINUTES_PER_YEAR = 525_600.0
"""Minutes of 365 days, the longest step between the instants of a field."""
MOST_POINTS = 5e7
"""Most points of a field: a year by the minute at 95 heights, for which ten variables need 4 GB."""


@dataclass(frozen=True)
class Grid:
    """Heights and instants at which a field is given.

    Examples:
        >>> import agewise
        >>> hourly = agewise.Grid(heights=11, minutes=60.0)
        >>> field = agewise.reference_field("demo/profile.csv", "demo/nameplate.toml", grid=hourly)
        >>> field.sizes["height"]
        11
    """

    heights: int = 51
    """Number of heights from the bottom to the top, both included."""
    minutes: float = 10.0
    """Minutes from one instant to the next; the last row of the profile is added."""

    def __post_init__(self):
        if not (2 <= self.heights <= MOST_HEIGHTS and 0 < self.minutes <= MINUTES_PER_YEAR):
            raise InputError(
                f"A field of {self.heights} heights every {self.minutes:g} min is out of range.",
                hint=f"choose 2 to {MOST_HEIGHTS} heights, and minutes above 0, at most a year.",
            )


DEFAULT_GRID, QUICK_GRID, LONG_GRID = Grid(), Grid(21, 30.0), Grid(31, 60.0)
"""Grids of a field where none is asked for: of weeks, of a rough answer, and of a long record."""
LONG_DAYS = 60.0
"""Length beyond which a record is long [days]: a day of it is too narrow on a page to look into."""


def usual_grid(profile: Profile, *, quick: bool = False) -> Grid:
    """The grid of a field where none is asked for."""
    if profile.seconds[-1] > LONG_DAYS * SECONDS_PER_DAY:
        return LONG_GRID
    return QUICK_GRID if quick else DEFAULT_GRID


def grid_instants(profile: Profile, grid: Grid = DEFAULT_GRID) -> Float[np.ndarray, " instant"]:
    """Instants of a field [s from the start]; the last sample is one of them, so that all of the
    record counts."""
    last = profile.seconds[-1]
    step = grid.minutes * SECONDS_PER_MINUTE
    # Not as `>`, so that a length that is not a number is refused too.
    if not grid.heights * last / step <= MOST_POINTS:
        raise InputError(
            f"A field of {grid.heights} heights every {grid.minutes:g} min has "
            f"{grid.heights * last / step:.2g} points, more than {MOST_POINTS:.0e}.",
            hint="choose a coarser `grid`.",
        )
    return np.append(np.arange(0.0, last, step), last)


def at_instants(
    instants: Float[np.ndarray, " instant"],
    seconds: Float[np.ndarray, " time"],
    values: Float[np.ndarray, "time column"],
) -> Float[np.ndarray, "instant column"]:
    """Values at `instants` [s], linear between the samples at `seconds`, all columns at once."""
    after = np.clip(np.searchsorted(seconds, instants), 1, seconds.size - 1)
    share = (instants - seconds[after - 1]) / (seconds[after] - seconds[after - 1])
    return values[after - 1] + share[:, None] * (values[after] - values[after - 1])
