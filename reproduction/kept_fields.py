"""The fields that a first repeat keeps, with the truth on the same grid, and their maps."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh

from agewise.transformer.ageing.loss import loss_of_life
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR
from reproduction.configuration import Configuration
from reproduction.measures import MINUTES_PER_HOUR, Map, true_ageing
from reproduction.results import Results

HOURS_PER_DAY = SECONDS_PER_DAY / SECONDS_PER_HOUR


# Not compared field by field, since `==` of two arrays is an array, not a truth value.
@dataclass(frozen=True, eq=False)
class Setting:
    """The grid on which fields are kept, and the truth there."""

    hours: Float[np.ndarray, " time"]
    """Times since the start [h]."""
    heights: Float[np.ndarray, " height"]
    """Heights above the bottom [m]."""
    oil: Map
    """True temperature of the oil [°C]."""
    noise: Map
    """Standard deviation of the noise that a reading there would have [K]."""
    ageing: Map
    """True ageing rate [h of life an hour]."""

    def row(self, hour: float) -> int:
        """Index of the kept time that is nearest to an hour."""
        return int(np.abs(self.hours - hour).argmin())

    def days(self) -> list[np.ndarray]:
        """For each day, which times lie in it; the last instant belongs to the last day."""
        # Rounded, since the last sample may fall just short of midnight.
        count = max(round(self.hours[-1] / HOURS_PER_DAY), 1)
        day_of_row = np.minimum(self.hours // HOURS_PER_DAY, count - 1)
        return [day_of_row == day for day in range(count)]

    def life_used(self, rate: Map) -> Map:
        """Minutes of life used since the start, by a rate or by a spread of it."""
        return MINUTES_PER_HOUR * loss_of_life(self.hours * SECONDS_PER_HOUR, rate, axis=0)


# Not compared field by field, since `==` of two arrays is an array, not a truth value.
@dataclass(frozen=True, eq=False)
class Fields:
    """What a method predicts on the grid."""

    mean: Map
    """Mean temperature of the oil [°C]."""
    epistemic: Map
    """Epistemic standard deviation of the oil [K]."""
    aleatoric: Map
    """Aleatoric standard deviation of a reading of the oil [K]."""
    ageing: Map
    """Mean ageing rate [h of life an hour]."""
    ageing_std: Map
    """Standard deviation of the ageing rate, sensor noise included [h of life an hour]."""

    @property
    def total(self) -> Map:
        """Standard deviation of a reading, both parts together [K]."""
        return np.hypot(self.epistemic, self.aleatoric)


def setting(results: Results, configuration: Configuration) -> Setting:
    """The truth of the first repeat's twin."""
    twin, truth = results.twin(configuration), results.truth(configuration)
    return Setting(
        hours=truth.seconds / SECONDS_PER_HOUR,
        heights=truth.heights * twin.nameplate.oil_tank().height,
        oil=truth.oil,
        noise=truth.noise_std,
        ageing=true_ageing(twin, truth),
    )


def fields(results: Results, configuration: Configuration) -> Fields:
    """The kept fields of the first repeat, in double precision; NaN where one is not finite."""
    arrays = results.arrays(configuration)
    maps = {name: np.where(np.isfinite(a), a, np.nan).astype(float) for name, a in arrays.items()}
    return Fields(
        mean=maps["oil_mean"],
        epistemic=np.sqrt(maps["oil_epistemic"]),
        aleatoric=np.sqrt(maps["oil_aleatoric"]),
        ageing=maps["ageing_mean"],
        ageing_std=maps["ageing_std"],
    )


def finite(values: np.ndarray) -> np.ndarray:
    """The finite values of an array, for the limits of an axis; a single 1 where there is none."""
    numbers = values[np.isfinite(values)]
    return numbers if numbers.size else np.ones(1)


def draw_map(axes: Axes, where: Setting, values: Map, **colours: Any) -> QuadMesh:
    """A map over hours and metres."""
    axes.set_xticks(np.arange(0.0, where.hours[-1] + 1.0, HOURS_PER_DAY / 2))
    return axes.pcolormesh(
        where.hours, where.heights, values.T, shading="nearest", rasterized=True, **colours
    )


def name_map(axes: Axes, *, left: bool = True, bottom: bool = True) -> None:
    """Labels of a map's axes, where it is the first of its row or the last of its column."""
    if left:
        axes.set_ylabel("height [m]")
    if bottom:
        axes.set_xlabel("time from the start [h]")
