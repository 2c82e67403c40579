"""What a plant measured, gathered into cells of a few minutes for learning."""

import equinox as eqx
import numpy as np
from jaxtyping import Array, Float, Int

from agewise.transformer.between_samples import Hold, interval_load
from agewise.transformer.calibration.disturbance import Series, Steps, steps_between
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE

CELL_MIN = 10.0
"""Shortest time whose rows are gathered into a cell [min]: the oil changes over hours."""
MOST_CELLS = 12_000
"""Number of cells above which they are made longer, so that a year takes seconds."""
TRACE = 1e-6
"""Share of a cell below which a stage was not on in it [1]."""
NOON_H, DAYLIGHT_H = 13.0, 14.0
"""Local hour at which the sun stands highest, and hours of daylight; a plant's place is not known,
and summer time moves the clock by more than a site does within its zone."""


class StageCells(eqx.Module):
    """Which stages of the cooling were on in each cell, and the load that heated meanwhile."""

    share: Float[Array | np.ndarray, "stage cell ..."]
    """Share of the time since the cell before in which a stage was on [1]."""
    heating: Float[Array | np.ndarray, "stage cell ..."]
    """Mean square of the load that heats while it was on [p.u.²]; any number where it was not."""
    unsure: Series
    """Standard deviation of the instant of a change in the cell [s]; 0 where nothing changed."""

    def at(self, cells: Int[np.ndarray, " place"]) -> "StageCells":
        """What was on in these cells."""
        return StageCells(self.share[:, cells], self.heating[:, cells], self.unsure[cells])

    def of_draws(self) -> "StageCells":
        """The same with a last axis for draws."""
        return StageCells(self.share[..., None], self.heating[..., None], self.unsure[..., None])


class ThermalRecord(eqx.Module):
    """A temperature over time, and what drives it, cell by cell."""

    seconds: Series
    """Mean instant of each cell [s]."""
    steps: Steps
    """Times from cell to cell."""
    heating: Series
    """Mean square of the load that heats, since the cell before [p.u.²]."""
    load: Series
    """Mean load since the cell before [p.u.]."""
    air: Series
    """Mean air temperature since the cell before, as its thermometer reads it [°C]."""
    sun: Series
    """Mean height of the sun since the cell before, from 0 at night to 1 at noon; 0 where the hour
    is not known."""
    afternoon: Series
    """How much more the sun shines from the west, from -1 in the morning to 1 in the afternoon; 0
    where the hour is not known."""
    measured: Series
    """The measured temperature [°C]; NaN in cells without a reading."""
    readings: Series
    """Number of its readings in each cell, over the usual number."""
    stages: StageCells | None = None
    """Stages of the cooling; None where the last one was on throughout."""

    def filled(self) -> "ThermalRecord":
        """The same with cells behind the last one in which nothing was read.

        They change no density. Code is compiled for a number of cells and of lengths of their
        steps, which takes longer than to run it; so records of about the same size share it.
        """
        cells = np.arange(usual_cells(self.seconds.size)).clip(max=self.seconds.size - 1)
        lengths = np.arange(usual_lengths(len(self.steps.lengths)))
        steps = Steps(
            self.steps.lengths[lengths.clip(max=len(self.steps.lengths) - 1)],
            self.steps.places[cells],
        )
        series = {name: getattr(self, name)[cells] for name in SERIES}
        series["readings"][self.seconds.size :] = 0.0
        stages = None if self.stages is None else self.stages.at(cells)
        return ThermalRecord(steps=steps, stages=stages, **series)

    def of_draws(self) -> "ThermalRecord":
        """The same with a last axis, along which models with many draws of parameters run."""
        steps = Steps(self.steps.lengths[:, None], self.steps.places)
        series = {name: getattr(self, name)[:, None] for name in SERIES}
        stages = None if self.stages is None else self.stages.of_draws()
        return ThermalRecord(steps=steps, stages=stages, **series)


SERIES = ("seconds", "heating", "load", "air", "sun", "afternoon", "measured", "readings")
"""What a record has for every cell, but for the step from the one before."""


def usual_cells(count: int) -> int:
    """The next number of cells, of which there are 16 from one power of two to the next."""
    step = 1 << max(count.bit_length() - 5, 4)
    return -(-count // step) * step


def usual_lengths(count: int) -> int:
    """The next power of four: a clock makes a few lengths, irregular samples make hundreds."""
    return max(16, 1 << (count - 1).bit_length() + (count - 1).bit_length() % 2)


def thermal_record(
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, " time"],
    air: Float[np.ndarray, " time"],
    measured: Float[np.ndarray, " time"],
    *,
    hour: float | None,
    hold: Hold = "backward",
    oil_load: Float[np.ndarray, " time"] | None = None,
    stage: Int[np.ndarray, " interval"] | None = None,
    count: int = 1,
) -> ThermalRecord:
    """Gather the rows of a profile into cells.

    Args:
        seconds: Instants of the rows [s], increasing.
        load: Load [p.u.].
        air: Air temperature [°C], without holes.
        measured: The temperature that is to be explained [°C], NaN where there is no reading.
        hour: Local hour of the day at the first row; None where it is not known.
        hold: Interval that a sample of the load stands for.
        oil_load: Load that heats the oil [p.u.]; the load itself if None.
        stage: Stage of the cooling that is on between rows, from 0; None where it is the last.
        count: Number of stages.
    """
    width = max(CELL_MIN * SECONDS_PER_MINUTE, float(seconds[-1] - seconds[0]) / MOST_CELLS)
    # Rows further apart than a cell are cells of their own; in a gap there are none.
    cell = np.unique(((seconds - seconds[0]) // width).astype(int), return_inverse=True)[1]
    rows = np.bincount(cell)

    instants = np.bincount(cell, seconds) / rows
    # Exact integrals of what is held or straight between rows: a mean over the rows of a cell would
    # come half a row too late or too early, and the lag would make up for it.
    held, steps = interval_load(load, hold), np.diff(seconds)
    heats = load if oil_load is None else oil_load
    heat, first = interval_load(heats, hold) ** 2, float(heats[0]) ** 2

    def straight(values: np.ndarray) -> np.ndarray:
        return steps * (values[1:] + values[:-1]) / 2

    def since_before(pieces: np.ndarray, first: float) -> np.ndarray:
        # Exact for what is held; for what is straight, to second order within one row.
        upto = np.interp(instants, seconds, np.append(0.0, np.cumsum(pieces)))
        # No interval ends at the first cell, so that the value of the first row stands for it.
        return np.append(first, np.diff(upto) / np.diff(instants))

    def by_stage(stage: np.ndarray) -> StageCells:
        on = np.arange(count)[:, None] == stage
        share = np.stack([since_before(steps * each, float(each[0])) for each in on])
        hot = np.stack([since_before(steps * heat * each, first * each[0]) for each in on])
        # Differences of sums leave traces where a stage was off.
        share = np.where(share < TRACE, 0.0, share)
        # A change within a cell shows in two of them, and each has its part of the variance.
        part = np.abs(np.diff(share, axis=1, prepend=share[:, :1])).sum(axis=0) / 2
        # Somewhere between two rows: half of their distance to either side, as a round figure.
        std = float(np.median(steps)) / 2
        return StageCells(share, hot / np.where(share > 0, share, 1.0), std * np.sqrt(part))

    sun, west = sun_height(seconds, hour), afternoon_sun(seconds, hour)
    there = np.isfinite(measured)
    readings = np.bincount(cell, there)
    with np.errstate(invalid="ignore"):  # 0/0 is NaN, which is how a cell without readings is told
        level = np.bincount(cell, np.where(there, measured, 0.0)) / readings
    usual = float(np.median(readings[readings > 0])) if there.any() else 1.0
    return ThermalRecord(
        seconds=instants,
        steps=steps_between(instants),
        heating=since_before(steps * heat, first),
        load=since_before(steps * held, float(load[0])),
        air=since_before(straight(air), float(air[0])),
        sun=since_before(straight(sun), float(sun[0])),
        afternoon=since_before(straight(west), float(west[0])),
        measured=level,
        readings=readings / usual,
        stages=None if stage is None else by_stage(stage),
    )


def sun_height(
    seconds: Float[np.ndarray, " time"], hour: float | None
) -> Float[np.ndarray, " time"]:
    """Height of the sun by the clock, from 0 at night to 1 at noon; all 0 without an `hour`."""
    return np.zeros_like(seconds) if hour is None else np.maximum(0.0, np.cos(_way(seconds, hour)))


def afternoon_sun(
    seconds: Float[np.ndarray, " time"], hour: float | None
) -> Float[np.ndarray, " time"]:
    """Sun from the west by the clock: -1 in mid-morning, 1 in mid-afternoon, 0 at noon and night.

    With it a sun that is late by this clock, or falls on one side, is as good as a right one.
    """
    if hour is None:
        return np.zeros_like(seconds)
    # Sine times cosine reaches one half, hence the 2.
    return 2 * np.sin(_way(seconds, hour)) * sun_height(seconds, hour)


def _way(seconds: Float[np.ndarray, " time"], hour: float) -> Float[np.ndarray, " time"]:
    """Angle of the sun from noon by the clock [rad]; by day less than a right angle."""
    clock = (hour + seconds / SECONDS_PER_HOUR) % (SECONDS_PER_DAY / SECONDS_PER_HOUR)
    return np.pi * (clock - NOON_H) / DAYLIGHT_H
