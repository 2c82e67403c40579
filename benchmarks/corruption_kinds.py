"""Ways to spoil a clean file: as a sceptic would, and as plants do. Each changes a frame.

None of the sceptic's kinds is what a rule about data is written for. Sizes are drawn, not chosen
for what is found.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

Frame = pd.DataFrame
Rng = np.random.Generator
Change = Callable[[Frame, Frame, Rng], Frame]
"""Takes a frame and that of another unit with the same times, and gives the spoiled frame."""

FULL_SCALE_A = 400.0
"""Rated current in the file of a plant that forgot to divide by it [A]."""


def _rows_an_hour(frame: Frame) -> int:
    return max(1, round(3600 / frame["time"].diff().dt.total_seconds().median()))


def _day(frame: Frame) -> np.ndarray:
    return ((frame["time"] - frame["time"].iloc[0]).dt.total_seconds() // 86400).to_numpy(int)


def _noon(frame: Frame) -> np.ndarray:
    hour = frame["time"].dt.hour + frame["time"].dt.minute / 60
    return np.maximum(0.0, np.sin((hour - 6) / 12 * np.pi)).to_numpy(float)


def _rise(frame: Frame) -> np.ndarray:
    return (frame["top_oil"] - frame["ambient"]).to_numpy(float)


def _lagged(values: np.ndarray, rows: float) -> np.ndarray:
    kept, out = np.exp(-1 / rows), values.copy()
    for n in range(1, values.size):
        out[n] = kept * out[n - 1] + (1 - kept) * values[n]
    return out


def _some_days(frame: Frame, count: int, rng: Rng) -> np.ndarray:
    days = _day(frame)
    first = rng.integers(1, max(2, days.max() + 2 - count))
    return (days >= first) & (days < first + count)


def _sized(column: str, change: Callable[[Frame, Rng], Any]) -> Change:
    """A change of one column by what is drawn."""
    return lambda frame, other, rng: frame.assign(**{column: change(frame, rng)})


def _rolled(column: str, hours: float, how: str) -> Change:
    def change(frame: Frame, rng: Rng) -> Any:
        width = max(2, round(hours * _rows_an_hour(frame)))
        return getattr(frame[column].rolling(width, min_periods=1), how)()

    return _sized(column, change)


def _part(column: str, days: int, change: Callable[[Frame, Rng], Any]) -> Change:
    """The same over some days alone."""

    def spoiled(frame: Frame, rng: Rng) -> Any:
        return np.where(_some_days(frame, days, rng), change(frame, rng), frame[column])

    return _sized(column, spoiled)


def _permuted(frame: Frame, other: Frame, rng: Rng) -> Frame:
    """Loads of other days."""
    a_day = 24 * _rows_an_hour(frame)
    shift = a_day * int(rng.integers(1, len(frame) // a_day))
    return frame.assign(load=np.roll(frame["load"], shift))


def _other_days(frame: Frame, other: Frame, rng: Rng) -> Frame:
    """Two days of another unit's file."""
    rows = _some_days(frame, 2, rng)
    mixed = frame.copy()
    for name in ("load", "ambient", "top_oil"):
        mixed[name] = np.where(rows, other[name], frame[name])
    return mixed


def _backfilled(frame: Frame, other: Frame, rng: Rng) -> Frame:
    a_day, rows = 24 * _rows_an_hour(frame), _some_days(frame, 1, rng)
    return frame.assign(top_oil=np.where(rows, frame["top_oil"].shift(a_day), frame["top_oil"]))


def _backwards(frame: Frame, other: Frame, rng: Rng) -> Frame:
    rows, oil = _some_days(frame, 1, rng), frame["top_oil"].to_numpy(float, copy=True)
    oil[rows] = oil[rows][::-1]
    return frame.assign(top_oil=oil)


def _slow_clock(frame: Frame, other: Frame, rng: Rng) -> Frame:
    since = frame["time"] - frame["time"].iloc[0]
    return frame.assign(time=frame["time"].iloc[0] + since * float(rng.choice([0.9, 1.1])))


SCEPTIC: dict[str, Change] = {
    "load on another base": _sized(
        "load", lambda f, r: f["load"] * r.choice([0.7, 0.8, 1.25, 1.4])
    ),
    "load in kW, not kVA": _sized("load", lambda f, r: f["load"] * r.uniform(0.8, 0.92)),
    "load an hour or two late": _sized(
        "load", lambda f, r: f["load"].shift(int(r.integers(1, 3)) * _rows_an_hour(f)).bfill()
    ),
    "load: highest of the hour": _rolled("load", 1.0, "max"),
    "load: mean of six hours": _rolled("load", 6.0, "mean"),
    "load clipped": _sized(
        "load", lambda f, r: f["load"].clip(upper=r.uniform(0.7, 0.85) * f["load"].max())
    ),
    "load of one phase": _sized(
        "load", lambda f, r: f["load"] * (1 + 0.2 * r.normal(size=_day(f).max() + 1))[_day(f)]
    ),
    "load with an offset": _sized("load", lambda f, r: f["load"] + r.choice([0.08, 0.15])),
    "load held for hours": _sized(
        "load",
        lambda f, r: (
            f["load"]
            .iloc[np.arange(len(f)) // (3 * _rows_an_hour(f)) * 3 * _rows_an_hour(f)]
            .to_numpy()
        ),
    ),
    "load of other days": _permuted,
    "oil thermometer lags": _sized(
        "top_oil",
        lambda f, r: _lagged(f["top_oil"].to_numpy(float), r.uniform(0.4, 0.8) * _rows_an_hour(f)),
    ),
    "oil thermometer sits lower": _sized(
        "top_oil", lambda f, r: f["top_oil"] - r.uniform(0.1, 0.25) * _rise(f)
    ),
    "oil thermometer drifts": _sized(
        "top_oil", lambda f, r: f["top_oil"] + r.choice([-3.0, 3.0]) * np.linspace(0, 1, len(f))
    ),
    "oil thermometer scaled": _sized(
        "top_oil", lambda f, r: f["top_oil"] * r.choice([0.93, 0.96, 1.04, 1.07])
    ),
    "oil: highest of the hours": _rolled("top_oil", 2.0, "max"),
    "oil: lowest of the hours": _rolled("top_oil", 2.0, "min"),
    "oil thermometer off": _sized(
        "top_oil", lambda f, r: f["top_oil"] + r.choice([-5.0, -3.0, 3.0, 5.0])
    ),
    "oil thermometer noisy": _sized(
        "top_oil", lambda f, r: f["top_oil"] + 2.5 * r.normal(size=len(f))
    ),
    "oil thermometer in the sun": _sized(
        "top_oil", lambda f, r: f["top_oil"] + r.uniform(3, 7) * _noon(f)
    ),
    "oil thermometer clipped": _sized(
        "top_oil",
        lambda f, r: f["top_oil"].clip(upper=float(f["top_oil"].quantile(r.uniform(0.75, 0.9)))),
    ),
    "oil of one day in °F": _part("top_oil", 1, lambda f, r: 32 + 1.8 * f["top_oil"]),
    "oil smoothed": _rolled("top_oil", 6.0, "mean"),
    "oil of a day written twice": _backfilled,
    "oil in steps of 5 K": _sized("top_oil", lambda f, r: 5 * (f["top_oil"] / 5).round()),
    "oil two hours late": _sized(
        "top_oil", lambda f, r: f["top_oil"].shift(2 * _rows_an_hour(f)).bfill()
    ),
    "oil of one day backwards": _backwards,
    "bottom oil for top oil": _sized(
        "top_oil", lambda f, r: f["ambient"] + r.uniform(0.4, 0.7) * _rise(f)
    ),
    "air in the sun": _sized("ambient", lambda f, r: f["ambient"] + r.uniform(5, 12) * _noon(f)),
    "air of elsewhere": lambda frame, other, rng: frame.assign(ambient=other["ambient"] - 4.0),
    "air near the tank": _sized(
        "ambient", lambda f, r: f["ambient"] + r.uniform(0.2, 0.4) * _rise(f)
    ),
    "air taken as 20 °C": _sized("ambient", lambda f, r: 20.0),
    "clock slow or fast": _slow_clock,
    "two days of another unit": _other_days,
}
"""What a sceptic does to a file, by name."""


def _dead(level: float) -> Change:
    def change(frame: Frame, rng: Rng) -> Any:
        rows = rng.integers(len(frame) // 10, int(0.7 * len(frame)))
        first = rng.integers(0, len(frame) - rows)
        dead = (np.arange(len(frame)) >= first) & (np.arange(len(frame)) < first + rows)
        wobble = rng.integers(-10, 1, len(frame)) if level == 248.0 else 0.0
        return np.where(dead, level + wobble, frame["top_oil"])

    return _sized("top_oil", change)


def _frozen(frame: Frame, rng: Rng) -> Any:
    rows = _some_days(frame, 1, rng)
    column = frame["top_oil"].to_numpy(float)
    return np.where(rows, column[rows][0], column)


def _back(frame: Frame, rng: Rng) -> Any:
    hour = frame["time"].dt.hour
    return np.where((hour >= 9) & (hour < rng.integers(14, 18)), -frame["load"], frame["load"])


def _off(frame: Frame, other: Frame, rng: Rng) -> Frame:
    """Out of service for the longer part of the record; the oil cools down to the air."""
    first, rows = len(frame) // 5, np.arange(len(frame))
    off = (rows >= first) & (rows < first + len(frame) // 2)
    # In about three hours, as the twins' oil does.
    fading = np.where(off, np.exp(-(rows - first) / (3.0 * _rows_an_hour(frame))), 1.0)
    warm = _lagged(np.where(off, 0.0, 1.0), 3.0 * _rows_an_hour(frame))
    rise = _rise(frame) * np.where(off, fading, np.where(rows < first, 1.0, warm))
    return frame.assign(load=np.where(off, 0.0, frame["load"]), top_oil=frame["ambient"] + rise)


def _interleaved(frame: Frame, other: Frame, rng: Rng) -> Frame:
    shifted = other.assign(time=other["time"] + pd.Timedelta(minutes=3))
    return pd.concat([frame, shifted]).sort_values("time").reset_index(drop=True)


def _appended(frame: Frame, other: Frame, rng: Rng) -> Frame:
    return pd.concat([frame, other]).reset_index(drop=True)


FAULTS: dict[str, Change] = {
    "dead probe at 0 °C": _dead(0.0),
    "dead probe at 85 °C": _dead(85.0),
    "dead probe at 250 °C": _dead(250.0),
    "dead probe at 238 to 248 °C": _dead(248.0),
    "oil frozen for a day": _sized("top_oil", _frozen),
    "reverse power by day": _sized("load", _back),
    "off for half of the record": _off,
    "two units' rows in turn": _interleaved,
    "two units' files joined": _appended,
    "load in % for days": _part("load", 3, lambda f, r: 100 * f["load"]),
    "load in A for days": _part("load", 3, lambda f, r: FULL_SCALE_A * f["load"]),
    "load of half the size for days": _part("load", 3, lambda f, r: f["load"] / 2),
}
"""What plants do to their files, by name."""
HONEST = {"off for half of the record"}
"""Faults in which the file tells the truth: the life used is another, by what IEC 60076-7 says."""
