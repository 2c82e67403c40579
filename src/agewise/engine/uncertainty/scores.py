"""How good a prediction is where the truth is known: its readings, its mean, and its split.

Predictions are scored as Gaussians with the mean and the variance of their draws.
"""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from agewise.engine.uncertainty.coverage import (
    Measured,
    crps,
    measured,
    negative_log_likelihood,
    rms,
)
from agewise.engine.uncertainty.decomposition import Prediction, Split, split
from agewise.units import SECONDS_PER_HOUR

INSTANTS = (0, 3, 6, 18, 25, 50)
"""Hours into the window that are scored apart."""


@dataclass(frozen=True, eq=False)
class Truth:
    """What a twin knows and a method does not see."""

    seconds: Float[np.ndarray, " time"]
    """Instants since the start of the window [s]."""
    heights: Float[np.ndarray, " height"]
    """Heights of the grid as fractions [1], from one boundary to the other."""
    oil: Float[np.ndarray, "time height"]
    """True oil temperature, without noise [°C]."""
    noise_std: Float[np.ndarray, "time height"]
    """Standard deviation of the noise of a reading there [K], above zero."""
    sensor_heights: Float[np.ndarray, " sensor"]
    """Heights of the sensors as fractions [1]."""
    sensor: Float[np.ndarray, "time sensor"]
    """Noisy readings that no method has seen [°C]."""

    def __post_init__(self):
        if self.heights.size < 3 or np.any(np.diff(self.heights) <= 0):
            raise ValueError("The heights of a truth must rise and be three or more.")
        # Both checks below are written such that a value that is no number fails them.
        if not np.all(np.abs(self.sensor_heights - 0.5) <= 0.5):
            raise ValueError("The heights of sensors are fractions, from 0 to 1.")
        if not (np.all(self.noise_std > 0) and np.all(np.isfinite(self.sensor))):
            raise ValueError("The noise must be above zero and every reading a number.")

    def at_rows(self, rows: Int[np.ndarray, " row"]) -> "Truth":
        """The truth at some of its times."""
        names = ("seconds", "oil", "noise_std", "sensor")
        # Heights stay: rows are instants.
        return replace(self, **{name: getattr(self, name)[rows] for name in names})

    def at_sensors(
        self, field: Float[np.ndarray, "time height"]
    ) -> Float[np.ndarray, "time sensor"]:
        """A field of the truth at the heights of the sensors, linear between the grid's."""
        # The outermost heights are not searched, so a sensor at a boundary has one on either side.
        inner = self.heights[1:-1]
        upper = 1 + np.searchsorted(inner, self.sensor_heights)
        below, above = self.heights[upper - 1], self.heights[upper]
        share = (self.sensor_heights - below) / (above - below)
        return (1 - share) * field[:, upper - 1] + share * field[:, upper]


@dataclass(frozen=True)
class AgainstTruth:
    """Scores against the true oil, which no sensor shows.

    The truth has no noise, so the honest distribution to hold against it is the epistemic one.
    The scores of the total are for comparison with published ones only: the noise of the sensors
    just widens it, so a method improves them by claiming less noise than there is.
    """

    rmse: float
    """Root mean square error of the mean [K]."""
    epistemic_crps: float
    """Mean CRPS [K] of the epistemic distribution."""
    total_crps: float
    """Mean CRPS [K] of the distribution of a new reading, noise included."""
    total_nll: float
    """Mean negative log likelihood of the total [nats]; infinite when a variance is zero."""


@dataclass(frozen=True)
class Scores:
    """Everything that a prediction is judged by."""

    measured: Measured
    """Scores on readings that were held out."""
    truth: AgainstTruth
    """Scores against the true oil over the whole grid."""
    split: Split
    """How the two uncertainties compare with the truth."""
    instants: dict[str, AgainstTruth]
    """Scores against the true oil over all heights, by hour into the window; `total` is `truth`."""

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers, lists and dictionaries; what is not finite becomes None, JSON's null."""
        return _plain(asdict(self))


def scores(
    grid: Prediction,
    truth: Truth,
    sensors: Prediction,
    *,
    rows: Int[np.ndarray, " row"] | None = None,
) -> Scores:
    """Judge a prediction over the truth's grid and over its sensors.

    `grid` is over (time, height) of the truth, or over the times in `rows` only; `sensors` is over
    (time, sensor), all times. Returns the scores on readings, to the truth, of the split and at
    instants.
    """
    grid_truth = truth if rows is None else truth.at_rows(rows)
    _refuse_other_points("grid", grid, grid_truth.oil)
    _refuse_other_points("sensors", sensors, truth.sensor)
    total = _against(grid, grid_truth.oil)
    return Scores(
        measured=_measured(sensors, truth),
        truth=total,
        split=split(grid, grid_truth.oil, grid_truth.noise_std),
        instants=_instants(grid, grid_truth) | {"total": total},
    )


def mean_and_std(seeds: list[Scores]) -> dict[str, dict[str, Any]]:
    """Mean, standard deviation (ddof 1; 0 for one seed) and every value, for tables over seeds.

    Keys are paths to numbers, such as `truth.rmse` or `instants.25.rmse`; curves are left out.
    Where one seed has no finite value, its entry in `values`, the mean and the deviation are None.
    """
    if not seeds:
        raise ValueError("No scores were given; a table needs one seed or more.")
    leaves = [dict(_leaves(seed.as_dict())) for seed in seeds]
    # In the order of the first seed, each name once; a set would shuffle the table.
    names = dict.fromkeys(name for seed in leaves for name in seed)
    return {name: _summary([seed.get(name) for seed in leaves]) for name in names}


def _measured(sensors: Prediction, truth: Truth) -> Measured:
    return measured(
        sensors.mean,
        # The total: a reading that was held out has noise of its own.
        np.sqrt(sensors.total),
        truth.sensor,
        true_mean=truth.at_sensors(truth.oil),
        true_std=truth.at_sensors(truth.noise_std),
        seconds=truth.seconds,
    )


def _against(prediction: Prediction, oil: Float[np.ndarray, "*point"]) -> AgainstTruth:
    mean, total = prediction.mean, np.sqrt(prediction.total)
    return AgainstTruth(
        rmse=rms(mean - oil),
        epistemic_crps=float(crps(mean, np.sqrt(prediction.epistemic), oil).mean()),
        total_crps=float(crps(mean, total, oil).mean()),
        total_nll=float(negative_log_likelihood(mean, total, oil).mean()),
    )


def _instants(grid: Prediction, truth: Truth) -> dict[str, AgainstTruth]:
    """The row nearest to each instant; instants after the last row are left out."""
    result = {}
    for hour in INSTANTS:
        second = hour * SECONDS_PER_HOUR
        if second <= truth.seconds.max():
            row = int(np.abs(truth.seconds - second).argmin())
            at_row = Prediction(grid.mean[row], grid.epistemic[row], grid.aleatoric[row])
            result[str(hour)] = _against(at_row, truth.oil[row])
    return result


def _refuse_other_points(name: str, prediction: Prediction, truth: np.ndarray) -> None:
    if prediction.mean.shape != truth.shape:
        raise ValueError(
            f"The prediction `{name}` has the shape {prediction.mean.shape}, the truth "
            f"{truth.shape}; predict at the truth's points, or say which `rows` were kept."
        )


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(below) for name, below in value.items()}
    if isinstance(value, tuple):
        return [_plain(below) for below in value]
    # JSON knows neither infinity nor NaN.
    return value if math.isfinite(value) else None


def _leaves(tree: dict[str, Any], path: str = "") -> Iterator[tuple[str, float | None]]:
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{path}{name}.")
        elif not isinstance(value, list):  # a curve, for which a table has no place
            yield path + name, value


def _summary(values: list[float | None]) -> dict[str, Any]:
    finite = [value for value in values if value is not None]
    # A mean over the seeds that went well would flatter the method, so there is none.
    if len(finite) < len(values):
        return {"mean": None, "std": None, "values": values}
    # Seeds are a sample of all seeds, where draws of a posterior are all there is: ddof 1.
    std = float(np.std(finite, ddof=1)) if len(finite) > 1 else 0.0
    return {"mean": float(np.mean(finite)), "std": std, "values": values}
