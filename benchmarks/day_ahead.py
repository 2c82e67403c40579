"""Does a day-ahead rating keep its risk where nameplate, weather and load forecast are wrong?

Weeks of the wrong units of `plants.py`. Six days are assessed; the seventh is forecast, with errors
of the stated size but of another kind than the rating assumes (smooth, not jagged), and the truth
looks on under the permitted loads.

    .venv/bin/python benchmarks/day_ahead.py --method solver --seeds 0-99
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from plants import wrong_unit
from seeds import seeds_of

from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.settings import Settings
from agewise.assessment.rating.day_ahead import rated_hours
from agewise.assessment.rating.day_table import DayAhead
from agewise.assessment.rating.forecast import Forecast, forecast_after
from agewise.assessment.rating.request import USUAL_ERRORS, DayAheadRequest
from agewise.reading.forecast_file import Series
from agewise.threads import side_by_side
from agewise.transformer.iec60076 import hot_spot_rise, top_oil
from agewise.transformer.prognostics.rating import Ceiling
from agewise.twin.twin import Twin

MINUTES = 1440
"""Minutes of the day ahead."""
SMOOTH_H = {"air": 6.0, "load": 3.0}
"""Time over which an error of the forecast changes [h]: a squared exponential of that length."""
RISK = 0.05


@dataclass(frozen=True, eq=False)
class Truth:
    """A twin whose last day may be lived again under another load."""

    twin: Twin
    first: int
    """First row of the day ahead."""

    def beyond(self, load: np.ndarray, top: Ceiling) -> np.ndarray:
        """By how much a true temperature is above its limit [K], minute by minute of the day.

        The disturbance of the true top oil goes on as it was, and so does the air.
        """
        constants, truth = self.twin.true_nameplate.thermal_constants(), self.twin.truth
        seconds = self.twin.profile.seconds
        loads, airs = (truth[name].to_numpy().astype(float) for name in ("load_true", "air_true"))
        oil = truth["oil_true"].to_numpy()[:, -1].astype(float)
        held = np.concatenate([loads[: self.first], load])
        change = [
            top_oil(constants, seconds, one, airs, start=float(oil[0])) for one in (held, loads)
        ]
        oil = oil + change[0] - change[1]
        hot = oil + hot_spot_rise(constants, seconds, held)
        return np.maximum(oil - top.top_oil, hot - top.hot_spot)[self.first :]

    @property
    def load(self) -> np.ndarray:
        """Load that the day ahead had [p.u.]."""
        return self.twin.truth["load_true"].to_numpy()[self.first :].astype(float)


def wrong_forecast(twin: Twin, first: int) -> Forecast:
    """The last day of a twin by hours, as a forecast that is wrong by the usual amount."""
    rng = np.random.default_rng([twin.settings.seed, *b"wrong forecast"])
    hours = np.arange(MINUTES // 60 + 1)
    grown = np.sqrt(0.25 + 0.75 * hours / 24)
    errors = {}
    for name, smooth in SMOOTH_H.items():
        alike = np.exp(-((hours[:, None] - hours) ** 2) / (2 * smooth**2))
        root = np.linalg.cholesky(alike + 1e-9 * np.eye(hours.size))
        errors[name] = grown * (root @ rng.standard_normal(hours.size))
    rows = np.minimum(first + 60 * hours, len(twin.profile.load) - 1)
    air = twin.truth["air_true"].to_numpy()[rows] + USUAL_ERRORS.weather_k * errors["air"]
    minutes = twin.truth["load_true"].to_numpy().astype(float)
    means = np.array([minutes[max(row - 60, 0) : row].mean() for row in rows])
    # What came is so much above what was forecast, as the rating has it.
    load = means / (1 + USUAL_ERRORS.load_share * errors["load"])
    seconds, start = twin.profile.seconds[first] + 3600.0 * hours, twin.profile.timeline.start
    record = twin.profile.between(0, first)
    series = (Series(seconds, start, values, "forecast") for values in (load, air))
    return forecast_after(record, *series, hold="backward")


def study(seed: int, method: str) -> list[dict[str, Any]]:
    """Whether each permitted load of one wrong unit passes a limit in the true day ahead."""
    twin = wrong_unit(seed)
    first = len(twin.profile.load) - 1 - MINUTES
    fitted = assess(twin.profile.between(0, first), twin.nameplate, Settings(method=method))
    day = rated_hours(fitted, wrong_forecast(twin, first), DayAheadRequest(risk=RISK))
    # The first row of the truth's day is the end of the record, from which the hours are counted.
    return [{"seed": seed, "case": twin.settings.case} | judged(day, Truth(twin, first + 1))]


def judged(day: DayAhead, truth: Truth) -> dict[str, Any]:
    """Whether the truth passes a limit under every kind of permitted load."""
    top, most = day.ceiling, day.ceiling.load
    edges = (day.forecast.seconds[[*day.forecast.hours, -1]] / 60).round().astype(int)
    minutes, all_day = edges[-1], np.zeros(MINUTES)
    for hour, load in enumerate(day.envelope.load):
        all_day[edges[hour] : edges[hour + 1]] = load
    result: dict[str, Any] = {
        "all_hours": bool(truth.beyond(all_day, top)[:minutes].max() > 0),
        "all_hours_thermal": bool((day.envelope.load < most - 1e-3).any()),
        "factor": bool(truth.beyond(day.factor * truth.load, top)[:minutes].max() > 0),
        "factor_thermal": bool(day.factor * day.forecast.load.max() < most - 1e-3),
    }
    # One hour in the afternoon, another at night: those before them went as they went.
    for name, hour in (("day", 16), ("night", 4)):
        for kind in ("normal cyclic", "long emergency"):
            load, permit = truth.load.copy(), day.hours.permits[kind][hour]
            load[edges[hour] : edges[hour + 1]] = permit
            beyond = truth.beyond(load, _ceiling(day, kind))[edges[hour] : edges[hour + 1]]
            result[f"{name}_{kind}"] = bool(beyond.max() > 0)
            result[f"{name}_{kind}_thermal"] = bool(permit < _ceiling(day, kind).load - 1e-3)
    for name, hour in (("day", 16), ("night", 4)):
        load = truth.load.copy()
        load[edges[hour] :] *= day.after_trip.factor
        beyond = truth.beyond(load, _ceiling(day, "long emergency"))[edges[hour] : minutes]
        took = np.argmax(beyond > 0) if (beyond > 0).any() else np.inf
        said = day.after_trip.seconds["long emergency"][hour] / 60
        result[f"trip_{name}"] = bool(took < said) if np.isfinite(said) else bool(np.isfinite(took))
        result[f"trip_{name}_thermal"] = bool(np.isfinite(said) or np.isfinite(took))
    return result


def _ceiling(day: DayAhead, kind: str) -> Ceiling:
    from agewise.transformer.cooling_defaults import LIMITS

    limits = LIMITS[kind]
    return Ceiling(limits.top_oil, limits.hot_spot, limits.load(day.rated.power_kva or 0.0))


def table(rows: list[dict[str, Any]]) -> str:
    """How often a limit was passed beside the stated risk."""
    lines = ["| load | passed [%] | where a temperature limits it [%] |", "|---|---|---|"]
    names = [name for name in rows[0] if f"{name}_thermal" in rows[0]]
    for name in names:
        some = [row[name] for row in rows if row[f"{name}_thermal"]]
        bound = f"{100 * np.mean(some):.1f} of {len(some)}" if some else "-"
        lines.append(f"| {name} | {100 * np.mean([row[name] for row in rows]):.1f} | {bound} |")
    return "\n".join([*lines, "", f"{len(rows)} twins, stated risk {100 * RISK:g} %"])


def main() -> None:
    """Read the command line, work through the twins, print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--method", default="solver")
    parser.add_argument("--seeds", default="100-109", help="as 0-99")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    seeds = seeds_of(asked.seeds)
    rows = list(side_by_side(study, ((seed, asked.method) for seed in seeds), jobs=asked.jobs))
    flat = [row for part in rows for row in part]
    if asked.out:
        asked.out.write_text(json.dumps(flat, indent=1) + "\n")
    print(table(flat))


if __name__ == "__main__":
    main()
