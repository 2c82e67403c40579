"""Does the interval of the mean daily loss hold the truth? Made records, no fit, seconds.

Records of 30, 92 and 365 days whose weather lasts (a correlation of 0.75 from day to day and 4 K),
in good and bad years (1.1 K); half of the loads have a week. The truth is the mean over many years.
`cyclic` records have seasons too, of a swing that is drawn about the one of their latitude and with
a load that differs by season (4 %), and begin on any day of the year: there the truth is the mean
over all seasons. Any twelve months from the start of a record are a year of their own.

    .venv/bin/python benchmarks/futures.py
"""

import argparse
from dataclasses import replace

import numpy as np
from scipy.signal import lfilter

from agewise.transformer.prognostics.calendar import Climate, with_seasons
from agewise.transformer.prognostics.life import DAYS_PER_YEAR, Days, seasons
from agewise.transformer.prognostics.variation import (
    YEAR_AIR_K,
    YEAR_LOAD_SHARE,
    lasting_variation,
)

SLOPE, KELVIN_PER_LOAD = np.log(2) / 6, 80.0
DECLARED_K = float(np.hypot(YEAR_AIR_K, KELVIN_PER_LOAD * YEAR_LOAD_SHARE))
"""what good and bad years are said to make of the hot spot [K]; `--year-k` makes others"""
LENGTHS = (30, 92, 365)
LATITUDES = (25.0, 60.0)
"""range of latitudes that cyclic records are drawn from"""
MANY_YEARS = 100
"""years of the same unit that its truth is the mean of"""


def main() -> None:
    """A line for each kind and length: how often, how wide, and what single days would tell."""
    asked = _arguments()
    for kind in ("steady", "cyclic"):
        for length in LENGTHS:
            seeds = np.random.SeedSequence([asked.seed, length, kind == "cyclic"])
            rows = [place(kind, length, asked, seed) for seed in seeds.spawn(asked.records)]
            inside, single, width = np.mean(rows, axis=0)
            print(
                f"{kind} {length:4d} days: {100 * inside:5.1f} % in the 90 % interval (single days "
                f"{100 * single:3.0f} %), standard deviation of its logarithm {width:.2f}"
            )
    print(spread_of_a_year(asked))


def place(
    kind: str, length: int, asked: argparse.Namespace, seed: np.random.SeedSequence
) -> tuple[bool, bool, float]:
    """Whether the truth is in the interval, in that of days drawn one by one, and its width."""
    rng = np.random.default_rng(seed)
    latitude = float(rng.uniform(*LATITUDES))
    swing = rng.normal(1.0, 0.35) if kind == "cyclic" else 0.0
    loads = rng.normal(0.0, 0.04 * KELVIN_PER_LOAD, 4) * (kind == "cyclic")
    week = rng.uniform(0.0, 6.0) if rng.uniform() < 0.5 else 0.0
    first = int(rng.integers(0, 365))
    climate = Climate(latitude)

    def made(days: int, start: int) -> np.ndarray:
        return _losses(days, start, week, swing, loads, climate, asked, rng)

    truth = made(MANY_YEARS * 365, 0).mean()
    loss = made(length, first)
    at = (first + np.arange(length)) % 365 + 1
    days = Days(np.tile(loss, (asked.draws, 1)), seasons(at), ordered=False)
    days = replace(days, variation=lasting_variation(loss, SLOPE, KELVIN_PER_LOAD))
    if kind == "cyclic":
        days = with_seasons(days, at, climate, SLOPE, KELVIN_PER_LOAD)
    means = days.another(rng=rng).yearly() / DAYS_PER_YEAR
    picked = rng.choice(loss, (asked.draws, length)).mean(axis=1)
    return _inside(truth, means), _inside(truth, picked), float(np.log(means).std())


def _losses(
    days: int,
    start: int,
    week: float,
    swing: float,
    loads: np.ndarray,
    climate: Climate,
    asked: argparse.Namespace,
    rng: np.random.Generator,
) -> np.ndarray:
    """Losses of successive days, of which the warm ones come together."""
    weather = rng.standard_normal(days) * np.sqrt(1 - asked.memory**2)
    weather[0] = rng.standard_normal()
    weather = np.asarray(lfilter([1.0], [1.0, -asked.memory], weather))
    at = start + np.arange(days)
    years = np.repeat(rng.normal(0.0, asked.year_k, days // 365 + 1), 365)[:days]
    kelvin = asked.day_k * weather + years - week * (at % 7 >= 5)
    kelvin += swing * climate.air(at % 365 + 1.0) + loads[seasons(at % 365 + 1)]
    return np.exp(SLOPE * kelvin)


def spread_of_a_year(asked: argparse.Namespace) -> str:
    """The spread of yearly losses: of made years, of blocks of days, and of single days."""
    rng, climate = np.random.default_rng(asked.seed), Climate()
    made = (
        _losses(1000 * 365, 0, 0.0, 0.0, np.zeros(4), climate, asked, rng)
        .reshape(1000, 365)
        .sum(axis=1)
    )
    told, single = [], []
    for _ in range(20):
        loss = _losses(365, 0, 0.0, 0.0, np.zeros(4), climate, asked, rng)
        days = Days(loss[None], seasons(np.arange(365) + 1), ordered=False)
        known = replace(days, variation=lasting_variation(loss, SLOPE, KELVIN_PER_LOAD))
        years = known.sampled_years(400, rng=rng)
        told.append(years.std() / years.mean())
        single.append(loss.std() / loss.mean() / np.sqrt(365))
    return (
        f"spread of a year: {made.std() / made.mean():.1%} made, {np.mean(told):.1%} told, "
        f"{np.mean(single):.1%} by single days"
    )


def _inside(truth: float, draws: np.ndarray) -> bool:
    low, high = np.quantile(draws, [0.05, 0.95])
    return bool(low <= truth <= high)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Coverage of the mean daily loss.")
    parser.add_argument("--records", type=int, default=60)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--memory", type=float, default=0.75)
    parser.add_argument("--day-k", type=float, default=4.0)
    parser.add_argument("--year-k", type=float, default=DECLARED_K)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
