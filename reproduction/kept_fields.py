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


@dataclass(frozen=True, eq=False)
class Setting:
    """Where the fields are, and what is true there."""

    hours: Float[np.ndarray, " time"]
    heights: Float[np.ndarray, " height"]
    """Heights above the bottom [m]."""
    oil: Map
    """°C"""
    noise: Map
    """K, standard deviation of a reading there"""
    ageing: Map
    """Ageing rate [h of life an hour]."""

    def row(self, hour: float) -> int:
        """The kept time that is nearest."""
        return int(np.abs(self.hours - hour).argmin())

    def days(self) -> list[np.ndarray]:
        """For each day, which times lie in it; the last instant belongs to the last day."""
        count = max(round(self.hours[-1] / HOURS_PER_DAY), 1)
        of = np.minimum(self.hours // HOURS_PER_DAY, count - 1)
        return [of == day for day in range(count)]

    def life_used(self, rate: Map) -> Map:
        """Minutes of life used since the start, by a rate or by a spread of it."""
        return MINUTES_PER_HOUR * loss_of_life(self.hours * SECONDS_PER_HOUR, rate, axis=0)


@dataclass(frozen=True, eq=False)
class Fields:
    """What a method says."""

    mean: Map
    """°C, of the oil"""
    epistemic: Map
    """K, standard deviation"""
    aleatoric: Map
    """K, standard deviation"""
    ageing: Map
    """Ageing rate [h of life an hour]."""
    ageing_std: Map

    @property
    def total(self) -> Map:
        """K, standard deviation of a reading"""
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
    kept = {name: np.where(np.isfinite(a), a, np.nan).astype(float) for name, a in arrays.items()}
    return Fields(
        mean=kept["oil_mean"],
        epistemic=np.sqrt(kept["oil_epistemic"]),
        aleatoric=np.sqrt(kept["oil_aleatoric"]),
        ageing=kept["ageing_mean"],
        ageing_std=kept["ageing_std"],
    )


def finite(values: np.ndarray) -> np.ndarray:
    """The finite ones, for the limits of an axis; a one where there is none."""
    found = values[np.isfinite(values)]
    return found if found.size else np.ones(1)


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
