"""What has been read since the last look: rows of a growing file, gathered into cells."""

from dataclasses import dataclass, fields, replace

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from agewise.assessment.calibration.calibrate import top_oil_record
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.quality.typical_day import calendar
from agewise.transformer.between_samples import Hold
from agewise.transformer.calibration.day_filter import Cells
from agewise.transformer.calibration.record import CELL_MIN
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_MINUTE

LOOK_BACK_DAYS = 14.0
"""Days before the last look that are read again: a typical day of the air is made of them."""
COLUMNS = ("load", "ambient", "top_oil")
"""Sensors without which a unit is not watched."""
SOON_S = 1.0
"""Time by which an instant must be later than the last one to count as new [s]."""


@dataclass(frozen=True, eq=False)
class NewReadings:
    """Cells after the last look, and which sensors were read in each."""

    instants: Float[np.ndarray, " cell"]
    """Seconds since 1970, or since the minute 0 of a file that counts minutes."""
    cells: Cells
    """What drove the oil, and what was measured of it."""
    read: Bool[np.ndarray, "cell column"]
    """Whether each of `COLUMNS` was read in each cell."""
    hour: Float[np.ndarray, " cell"]
    """Local hour of the day [h]."""
    weekend: Bool[np.ndarray, " cell"]
    """Whether it was a Saturday or a Sunday."""
    winding_heating: Float[np.ndarray, " cell"]
    """Mean square of the load of the hottest winding since the cell before [p.u.²]; that of `cells`
    heats the oil, by all windings and the losses of the tap."""

    @property
    def oil_part(self) -> Float[np.ndarray, " cell"]:
        """What heats the oil over what heats the winding; 1 where taps and windings are alike."""
        own, oil = self.winding_heating, self.cells.heating
        return np.divide(oil, own, out=np.ones_like(own), where=own > 0)

    def days(self, start: float) -> list["NewReadings"]:
        """The readings cut into stretches of at most a day, counted from a `start` [s]."""
        number = np.floor((self.instants - start - SOON_S).clip(min=0.0) / SECONDS_PER_DAY)
        return [self._rows(number == day) for day in np.unique(number)]

    def until(self, last: float) -> "NewReadings":
        """The readings up to an instant [s]."""
        return self._rows(self.instants <= last + SOON_S)

    def after(self, last: float) -> "NewReadings":
        """The readings after an instant [s], up to which a unit was looked at."""
        fresh = self._rows(self.instants > last + SOON_S)
        if fresh.instants.size and np.isfinite(last):
            # From the last cell that was looked at, which may no longer be in the file.
            fresh.cells.steps[0] = fresh.instants[0] - last
        return fresh

    def before(self, last: float) -> "NewReadings":
        """The readings of some days up to an instant [s], as a record of their own."""
        since = last - LOOK_BACK_DAYS * SECONDS_PER_DAY
        few = self._rows((self.instants <= last + SOON_S) & (self.instants > since))
        few.cells.steps[0] = 0.0
        return few

    def _rows(self, rows: np.ndarray) -> "NewReadings":
        cells = {field.name: getattr(self.cells, field.name)[rows] for field in fields(Cells)}
        return NewReadings(
            self.instants[rows], Cells(**cells), self.read[rows], self.hour[rows],
            self.weekend[rows], self.winding_heating[rows],
        )  # fmt: skip


def recent_readings(
    profile: Profile, nameplate: Nameplate, last: float | None, *, hold: Hold = "backward"
) -> NewReadings:
    """The cells of a profile from some days before the instant `last` [s] on; all if it is None.

    Args:
        profile: All readings of the unit, with measured top oil.
        nameplate: The unit as its owner knows it.
        last: Instant of the last cell that was looked at [s]; None for a first look.
        hold: Which interval a sample of the load stands for.
    """
    profile = _recent(profile, last)
    zero = instant_of(profile, 0.0)
    record = winding = top_oil_record(profile, nameplate, hold)
    if profile.tap is not None or profile.oil_share is not None:
        # The constants were learned with what heats the oil, which the winding does not feel.
        alone = replace(profile, tap=None, oil_share=None)
        winding = top_oil_record(alone, nameplate, hold)
    seconds = np.asarray(record.seconds)
    series = {field.name: np.asarray(getattr(record, field.name)) for field in fields(Cells)[1:]}
    steps = np.asarray(record.steps.seconds)
    dates = calendar(seconds, profile.timeline.start)
    return NewReadings(
        zero + seconds,
        Cells(steps, **series),
        _read(profile, seconds),
        dates.clock / 3600,
        dates.weekend,
        np.asarray(winding.heating),
    )


def instant_of(profile: Profile, seconds: float) -> float:
    """An instant of a profile by its seconds from the first row: since 1970, or the minute 0."""
    start = profile.timeline.start
    if start is not None:
        return start.timestamp() + seconds
    return float(profile.timeline.labels.iloc[0]) * SECONDS_PER_MINUTE + seconds


def time_text(instant: float, timezone: str) -> str:
    """An instant as people write it, in the zone of the unit."""
    if not timezone:
        return f"minute {instant / SECONDS_PER_MINUTE:.0f}"
    return f"{pd.Timestamp(instant, unit='s', tz='UTC').tz_convert(timezone):%Y-%m-%d %H:%M}"


def _recent(profile: Profile, last: float | None) -> Profile:
    """The rows that matter after an instant, beginning where a cell begins."""
    if last is None:
        return profile
    width = CELL_MIN * SECONDS_PER_MINUTE
    since = last - instant_of(profile, 0.0) - LOOK_BACK_DAYS * SECONDS_PER_DAY
    # At a multiple of the cells' width, so that they are cut as they were before.
    first = int(np.searchsorted(profile.seconds, max(0.0, np.floor(since / width) * width)))
    return profile.between(min(first, profile.seconds.size - 2), profile.seconds.size - 1)


def _read(profile: Profile, seconds: np.ndarray) -> Bool[np.ndarray, "cell column"]:
    """Whether each sensor was read at the row nearest to each cell."""
    rows = np.searchsorted(profile.seconds, seconds - SOON_S).clip(max=profile.seconds.size - 1)
    guessed = np.zeros(profile.load.size) if profile.load_std is None else profile.load_std
    top = profile.top_oil
    assert top is not None
    there = (guessed == 0, np.isfinite(profile.ambient), np.isfinite(top))
    return np.stack([column[rows] for column in there], axis=1)
