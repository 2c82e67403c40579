"""The numbers of a run that a fleet is looked through by, one for each column of the catalogue."""

from typing import Any

import numpy as np
import pandas as pd

from agewise.arrays import read_arrays
from agewise.assessment.answer.summary import Limit, Summary
from agewise.assessment.stored import LIFE, NAMEPLATE, PROFILE, summary_of
from agewise.fleet.chances import chance_interval, years_left
from agewise.fleet.plan import CHANCE_YEARS
from agewise.plant.toml_file import read_toml
from agewise.store.run import Run

LIMITED = ("hot spot", "normal cyclic")
"""Quantity and loading of the limit that tells an overload."""


def headline(run: Run) -> dict[str, Any]:
    """Cells of the catalogue, by column, of a finished run."""
    summary = summary_of(run)
    return (
        _decision_fields(summary)
        | _window(run, summary)
        | _temperatures(summary)
        | _life(summary)
        | _chances(run, summary)
        | _state(summary)
    )


def _decision_fields(summary: Summary) -> dict[str, Any]:
    decision = summary.decision
    return {
        "action": decision.action,
        "reason": decision.reason,
        "narrow_by": decision.narrow_by or decision.mend,
        "findings": [finding.model_dump(mode="json") for finding in summary.findings],
        "quantities": dict(summary.life.quantities),
    }


def _window(run: Run, summary: Summary) -> dict[str, Any]:
    window = summary.window
    load = pd.read_parquet(run.directory / PROFILE, columns=["load"])["load"].abs()
    rated = read_toml(run.directory / NAMEPLATE, example="")["rated_power_kva"]
    return {
        "rated_power_kva": float(rated["mean"] if isinstance(rated, dict) else rated),
        "window_start": window.start,
        "window_end": window.end,
        "hours": window.hours,
        "measured_share": window.measured_share,
        "load_mean": float(load.mean()),
        "load_peak": float(load.max()),
    }


def _temperatures(summary: Summary) -> dict[str, Any]:
    hot, limit = summary.hot_spot, _limit(summary)
    return {
        "hot_spot_mean": hot.mean,
        "hot_spot_low": hot.interval_90[0],
        "hot_spot_high": hot.interval_90[1],
        "hot_spot_iec": hot.iec,
        "limit_chance": limit and limit.probability,
        "limit_hours": limit and limit.hours,
    }


def _limit(summary: Summary) -> Limit | None:
    return next(
        (limit for limit in summary.limits if (limit.quantity, limit.name) == LIMITED), None
    )


def _life(summary: Summary) -> dict[str, Any]:
    used, years = summary.loss_of_life, summary.life.remaining_years
    return {
        "life_used_mean": used.worst.mean,
        "life_used_low": used.worst.interval_90[0],
        "life_used_high": used.worst.interval_90[1],
        "life_used_iec": used.iec,
        "yearly_loss_hours": summary.life.yearly_loss_hours.mean,
        "years_left_median": years.median,
        "years_left_low": years.interval_90[0],
        "years_left_high": years.interval_90[1],
        "years_left_iec": years.iec,
    }


def _chances(run: Run, summary: Summary) -> dict[str, Any]:
    arrays = read_arrays(run.directory / LIFE)
    years = years_left(arrays, summary.life.yearly_loss_hours.mean)
    future = summary.life.sources.get("future", 0.0)
    low, high = chance_interval(years, CHANCE_YEARS, future=future)
    return {
        "horizon_years": CHANCE_YEARS,
        "chance": float(np.mean(years <= CHANCE_YEARS)),
        "chance_low": low,
        "chance_high": high,
    }


def _state(summary: Summary) -> dict[str, Any]:
    return {"cooling_factor": summary.cooling.factor, "cooling_alarm": summary.cooling.alarm}
