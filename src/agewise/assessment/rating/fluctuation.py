"""How a load moves within the rows of its forecast: as it moved in the record at that hour.

A forecast by hours says nothing of clouds over a solar plant or of the starts of large motors, but
a winding follows them within minutes. So each draw takes, for each row of the forecast, the same
time of some day of the record.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from agewise.plant.profile import Profile
from agewise.transformer.between_samples import Hold, interval_load
from agewise.units import SECONDS_PER_DAY

LEAST_LOAD = 0.02
"""Mean load of a row below which its moves do not count [p.u.]: they heat nothing."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Which row of a forecast each step belongs to, and the interval of that row."""

    row: Int[np.ndarray, " step"]
    """Number of the row of the forecast to which each step belongs."""
    begin: Float[np.ndarray, " step"]
    """Beginning of that row's interval, from the end of the record [s]."""
    end: Float[np.ndarray, " step"]
    """End of that row's interval, from the end of the record [s]."""
    hold: Hold
    """Interval that a row stands for, of the forecast as of the record."""


def rows_of(at: Float[np.ndarray, " row"], middle: Float[np.ndarray, " step"], hold: Hold) -> Rows:
    """The rows of a forecast to which steps belong.

    Args:
        at: Times of the rows, from the end of the record [s].
        middle: Middle of each step [s].
        hold: Whether a row stands for the time up to it, from it on, or about it.
    """
    step = float(np.median(np.diff(at)))
    # To the end of the interval for which a row stands.
    shift = {"backward": 0.0, "forward": step, "linear": step / 2}[hold]
    ends = at + shift
    row = np.clip(np.searchsorted(ends, middle, side="left"), 0, at.size - 1)
    begins = np.append(ends[0] - step, ends[:-1])
    return Rows(row, begins[row], ends[row], hold)


def moves(
    profile: Profile,
    seconds: Float[np.ndarray, " instant"],
    rows: Rows,
    count: int,
    *,
    rng: np.random.Generator,
) -> Float[np.ndarray, "step draw"]:
    """Load of each step over the mean of its row, in draws: 1 where the record is too short.

    Args:
        profile: The record, whose end is second 0.
        seconds: Ends of all steps, from there on [s].
        rows: The rows to which the steps belong.
        count: Number of draws.
        rng: Source of the random choice of days.
    """
    # Times of the record are negative, those of the forecast positive.
    past = profile.seconds - profile.seconds[-1]
    # An integral of the load, so that rows may begin and end between samples.
    used = np.concatenate(
        [[0.0], np.cumsum(interval_load(profile.load, rows.hold) * np.diff(past))]
    )

    def mean(begin: Float[np.ndarray, "..."], end: Float[np.ndarray, "..."]):
        return (np.interp(end, past, used) - np.interp(begin, past, used)) / (end - begin)

    ratios = np.ones((rows.row.size, count))
    for row in np.unique(rows.row):
        steps = np.flatnonzero(rows.row == row)
        begin, end = float(rows.begin[steps[0]]), float(rows.end[steps[0]])
        # As few whole days back as put all of the row into the record, and at least one.
        first = int(np.ceil(end / SECONDS_PER_DAY)) or 1
        last = int(np.floor((begin - past[0]) / SECONDS_PER_DAY))
        if last < first:
            continue
        # A day for each draw, so that draws differ in their clouds.
        days = SECONDS_PER_DAY * rng.integers(first, last + 1, count)
        row_mean = mean(begin - days, end - days)
        own = mean(seconds[steps][:, None] - days, seconds[steps + 1][:, None] - days)
        ratios[steps] = np.where(row_mean > LEAST_LOAD, own / np.maximum(row_mean, LEAST_LOAD), 1.0)
    return ratios
