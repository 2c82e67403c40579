"""All that an experiment may want to know of a fit: numbers for tables, arrays for figures."""

from typing import Any

import numpy as np
import xarray as xr
from jaxtyping import Float

from agewise.assessment.field import oil_field
from agewise.assessment.grid import Grid
from agewise.assessment.oil.assessment import Assessment
from agewise.engine.uncertainty.coverage import (
    LEVELS,
    coverage,
    crps,
    miscalibration_area,
    rms,
    sharpness,
)
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.engine.uncertainty.scores import Truth, scores
from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.iec60076 import hot_spot_rise
from agewise.twin.truth_file import truth_from
from agewise.twin.twin import Twin
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR
from reproduction.training_record import convergence, training_arrays
from reproduction.weight_densities import contraction

GRID = Grid(heights=51, minutes=30.0)
"""Grid on which fields are scored and kept; the paper's instants are on it."""
SENSOR_STEP = 5
"""Number of readings from one of the sensors inside that is scored to the next."""
TRACKED = (6, 25)
"""Times at which the paper compares the error with the epistemic part [h]."""
FIELDS = ("oil_mean", "oil_epistemic", "oil_aleatoric", "ageing_mean", "ageing_std")
"""Names of the fields that figures draw over time and height."""
PLACES = {"ends": [0, -1], "inside": slice(1, -1)}
"""Columns of the grid where sensors are, and where there is none."""
COARSE_TIMES, COARSE_HEIGHTS = 12, 5
"""Rows and columns of the grid from one kept mean to the next, for comparing two methods."""
MINUTES_PER_HOUR = 60.0

Map = Float[np.ndarray, "time height"]
"""Values over time and height."""


def measured(assessment: Assessment, twin: Twin) -> dict[str, Any]:
    """All that a cell keeps: `numbers` by name, in groups, and `arrays` for figures.

    The groups are `scores`, `days`, `variances`, `places`, `ends`, `coarse_mean`, `tracking`,
    `ageing`, `life_error`, `convergence` and `contraction`.
    """
    truth = truth_from(twin.truth)
    field = oil_field(assessment, grid=GRID)
    grid, here = prediction_of(field), at_grid(truth, field)
    often = np.arange(0, truth.seconds.size, SENSOR_STEP)
    # The times at which sensors are scored, and those of the field among them: all the scores
    # share one truth, in which the rows of the field are then looked up.
    fine = truth.at_rows(np.union1d(often, np.searchsorted(truth.seconds, here.seconds)))
    sensors = assessment.predict(fine.sensor_heights, fine.seconds)
    rows = np.searchsorted(fine.seconds, here.seconds)
    field_scores = scores(grid, fine, sensors, rows=rows).as_dict()
    field_scores["measured"].pop("coverage")  # kept for every day below
    record = assessment.windows[0].posterior.arrays()
    numbers = {
        "scores": field_scores,
        "days": days(grid, here, sensors, fine),
        "variances": {name: spread(getattr(grid, name)) for name in ("epistemic", "aleatoric")},
        "places": {name: _variances_at(grid, columns) for name, columns in PLACES.items()},
        "coarse_mean": grid.mean[::COARSE_TIMES, ::COARSE_HEIGHTS].tolist(),
        "ends": {"rmse": rms((grid.mean - here.oil)[:, [0, -1]])},
        "tracking": tracking(grid, here),
        "ageing": ageing(field, twin, truth),
        "life_error": life_error(field, twin, truth),
        "convergence": convergence(record),
        "contraction": contraction(assessment.windows[0].posterior),
    }
    arrays = {name: field[name].to_numpy() for name in FIELDS}
    return {"numbers": numbers, "arrays": arrays | training_arrays(assessment)}


def prediction_of(field: xr.Dataset) -> Prediction:
    """The oil of a field."""
    names = ("oil_mean", "oil_epistemic", "oil_aleatoric")
    return Prediction(*(field[name].to_numpy().astype(float) for name in names))


def at_grid(truth: Truth, field: xr.Dataset) -> Truth:
    """The truth at the times of a field."""
    return truth.at_rows(np.searchsorted(truth.seconds, seconds_of(field)))


def seconds_of(field: xr.Dataset) -> Float[np.ndarray, " time"]:
    """Times of a field since its start [s]."""
    return (field["time"] - field["time"][0]).to_numpy() / np.timedelta64(1, "s")


def spread(values: Map) -> dict[str, float]:
    """Mean, median and the range that holds nine in ten."""
    p05, median, p95 = np.quantile(values, [0.05, 0.5, 0.95]).tolist()
    return {"mean": float(values.mean()), "p05": p05, "median": median, "p95": p95}


def _variances_at(grid: Prediction, columns: Any) -> dict[str, dict[str, float]]:
    """Both variances [K²] in some columns of the grid."""
    parts = ("epistemic", "aleatoric")
    return {name: spread(getattr(grid, name)[:, columns]) for name in parts}


def days(grid: Prediction, here: Truth, sensors: Prediction, fine: Truth) -> list[dict[str, Any]]:
    """Day by day: calibration and sharpness on readings, error and variances over the field."""
    rows = []
    for day in range(round(fine.seconds[-1] / SECONDS_PER_DAY)):
        in_day = fine.seconds // SECONDS_PER_DAY == day
        field_in_day = here.seconds // SECONDS_PER_DAY == day
        std = np.sqrt(sensors.total[in_day])
        readings = (sensors.mean[in_day], std, fine.sensor[in_day])
        curve = coverage(LEVELS, *readings)
        rows.append(
            {
                "miscalibration": miscalibration_area(curve),
                "sharpness": sharpness(std),
                "crps": float(crps(*readings).mean()),
                "coverage": [round(float(share), 4) for share in curve],
                "rmse": rms((grid.mean - here.oil)[field_in_day]),
                "epistemic": float(grid.epistemic[field_in_day].mean()),
                "aleatoric": float(grid.aleatoric[field_in_day].mean()),
            }
        )
    return rows


def tracking(grid: Prediction, here: Truth) -> dict[str, float | None]:
    """Rank correlation of error and epistemic deviation, over the field and at instants."""
    error, std = np.abs(grid.mean - here.oil), np.sqrt(grid.epistemic)
    hours = here.seconds / SECONDS_PER_HOUR
    row_of = {
        str(hour): int(np.abs(hours - hour).argmin()) for hour in TRACKED if hour <= hours[-1]
    }
    at_instants = {name: _rank_correlation(error[row], std[row]) for name, row in row_of.items()}
    return {"field": _rank_correlation(error.ravel(), std.ravel())} | at_instants


def _rank_correlation(first: np.ndarray, second: np.ndarray) -> float | None:
    """Spearman's rank correlation; None where one of both is constant and has no ranks."""
    from scipy.stats import spearmanr  # a second to import

    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(spearmanr(first, second).statistic)


def ageing(field: xr.Dataset, twin: Twin, truth: Truth) -> dict[str, float]:
    """Life used at the worst height [min], its spreads, and the truth, minute by minute.

    `band` integrates the pointwise spread, noise included, as the paper does; `functions` is the
    spread over whole functions.
    """
    used = field["loss_of_life_mean"].to_numpy()[-1]
    worst = int(used.argmax())
    band = loss_of_life(
        seconds_of(field), field["ageing_std"].to_numpy()[:, worst].astype(float), axis=0
    )
    true = loss_of_life(truth.seconds, true_ageing(twin, truth), axis=0)[-1]
    hours = {
        "mean": used[worst],
        "band": band[-1],
        "functions": field["loss_of_life_std"].to_numpy()[-1, worst],
        # At the height that the method finds worst, so that the error is that of one place.
        "truth": true[worst],
        "error": used[worst] - true[worst],
    }
    return {name: MINUTES_PER_HOUR * float(value) for name, value in hours.items()}


def life_error(field: xr.Dataset, twin: Twin, truth: Truth) -> list[float]:
    """Mean square over the height of the error of the life used so far, daily at its end [min²]."""
    seconds, here = seconds_of(field), at_grid(truth, field)
    error = field["ageing_mean"].to_numpy().astype(float) - true_ageing(twin, here)
    so_far = MINUTES_PER_HOUR * loss_of_life(seconds, error, axis=0)
    ends = [
        int(np.flatnonzero(seconds // SECONDS_PER_DAY == day)[-1])
        for day in range(round(truth.seconds[-1] / SECONDS_PER_DAY))
    ]
    return [float(value) for value in np.mean(so_far[ends] ** 2, axis=1)]


def true_ageing(twin: Twin, here: Truth) -> Map:
    """The true ageing rate of a twin [h of life an hour], by its true oil and true load."""
    seconds = twin.profile.seconds
    # The winding is the oil at its height plus the rise that the load causes, the same everywhere.
    load = twin.truth["load_true"].to_numpy().astype(float)
    rise = hot_spot_rise(twin.true_nameplate.thermal_constants(), seconds, load)
    winding = here.oil + np.interp(here.seconds, seconds, rise)[:, None]
    return twin.nameplate.insulation.law.rate(winding)
