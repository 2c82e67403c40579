"""Whole lives of made units, assessed every year from a month of data: when is the end foreseen?

Every unit has constants, an ageing law, a life, weather, growth of its load and outages of its own,
drawn from what agewise leaves open, and lives hour by hour until its paper is used. Once a year, in
a random month, thirty days of load and of top oil are seen, with a thermometer that has a bias. No
fit: the oil is as it was read, and the rest is what `agewise assess` does after it, by the same
functions. Beside it stand IEC 60076-7 taken at its word, and the age alone.

    .venv/bin/python benchmarks/lives.py --lives 100
    .venv/bin/python benchmarks/lives.py --lives 100 --furans
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.signal import lfilter

from agewise.assessment.life.conditioning import Before
from agewise.assessment.life.doubts import BIAS, GROWTH, LIFE, PAST, thermal_draws, unknowns
from agewise.assessment.life.outlook import observed_days, sensitivity
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import nameplate_from
from agewise.plant.timeline import Timeline
from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.iec60076 import ThermalConstants, hot_spot_rise, top_oil
from agewise.transformer.prognostics.calendar import Climate, years_lived
from agewise.transformer.prognostics.life import seasons
from agewise.transformer.prognostics.paper_samples import (
    FURAN_SCATTER,
    degree_of_polymerisation,
    furan_log_likelihood,
)
from agewise.transformer.prognostics.survival import Pairs
from agewise.transformer.prognostics.unknowns import Draws, drawn
from agewise.transformer.prognostics.whole_days import daily_loss

HOURS_A_YEAR, MONTH_H = 8760, 720
HORIZON = 60
LONGEST, YOUNGEST = 90, 4.0
"""years that are made; units that outlive them count among all assessments only, and such as die
sooner than the second number leave too little to look at"""
ALPHA, BETA = 0.2, 0.5
"""accuracy asked of the end of life, and share of the draws that must have it"""
AGE_ALONE = 30.0
"""years that a unit is said to last by those who look at nothing but its age"""
UNIT = """
rated_power_kva = 25000.0
no_load_losses_w = 16000.0
load_losses_w = 110000.0
cooling = "ONAF"
[oil]
top_oil_rise_k = 52.0
[winding]
gradient_k = 24.0
[history]
commissioned = 1990-01-01
"""


@dataclass(frozen=True, eq=False)
class Life:
    """A unit's life, hour by hour."""

    nameplate: Nameplate
    truth: Draws
    load: np.ndarray
    oil: np.ndarray
    used: np.ndarray
    """share of its life that is used at the end of each year"""
    end: float
    """years until its paper is used"""


def made_life(seed: int) -> Life:
    """A unit whose load is such that it lasts a few decades."""
    rng = np.random.default_rng([seed, *b"life"])
    latitude = float(rng.uniform(25.0, 55.0))
    nameplate = nameplate_from(UNIT + f"[site]\nlatitude = {latitude:.1f}\n")
    truth = drawn(unknowns(nameplate), 1, seed=20_000 + seed)
    hours = np.arange(LONGEST * HOURS_A_YEAR)
    air, shape = _air(hours, latitude, rng), _load_shape(hours, truth, rng)
    target, level = rng.uniform(12.0, 30.0), 0.75
    # The load that makes a unit by its nameplate last about as long as was drawn.
    for _ in range(6):
        yearly = _losses(nameplate.thermal_constants(), level * shape, air, nameplate, 3)
        gap = np.log(yearly * target / nameplate.insulation.life_hours.mean)
        level *= float(np.exp(-gap / (np.log(2) / 6 * 90.0)))
    (unit,) = thermal_draws(nameplate, truth)
    oil = top_oil(unit, 3600.0 * hours, level * shape, air)
    hot = oil + hot_spot_rise(unit, 3600.0 * hours, level * shape)
    law = nameplate.ageing_law
    parameters = {one.name: float(truth[one.name][0]) for one in law.unknowns()}
    used = loss_of_life(3600.0 * hours, law.rate(hot, parameters), axis=0)
    end = float(np.searchsorted(used, truth[LIFE][0])) / HOURS_A_YEAR
    share = used[HOURS_A_YEAR - 1 :: HOURS_A_YEAR] / truth[LIFE][0]
    return Life(nameplate, truth, level * shape, oil, share, end)


def _losses(
    unit: ThermalConstants, load: np.ndarray, air: np.ndarray, nameplate: Nameplate, years: int
) -> float:
    """Mean yearly loss of the first years by the printed law [h]."""
    part = slice(0, years * HOURS_A_YEAR)
    seconds = 3600.0 * np.arange(years * HOURS_A_YEAR)
    hot = top_oil(unit, seconds, load[part], air[part]) + hot_spot_rise(unit, seconds, load[part])
    return float(loss_of_life(seconds, nameplate.ageing_law.rate(hot), axis=0)[-1]) / years


def _air(hours: np.ndarray, latitude: float, rng: np.random.Generator) -> np.ndarray:
    """Air with seasons, days, weather that lasts, and good and bad years [°C]."""
    days = hours.size // 24
    weather = lfilter([np.sqrt(1 - 0.75**2)], [1.0, -0.75], rng.standard_normal(days))
    years = np.repeat(rng.normal(0.0, 0.8, LONGEST), 365)[:days]
    swing = rng.normal(1.0, 0.35)
    season = swing * Climate(latitude).air(np.arange(days) % 365 + 1.0)
    daily = 14.0 + season + 4.0 * np.asarray(weather) + years
    return np.repeat(daily, 24) - 4.0 * np.cos(2 * np.pi * (hours % 24 - 3) / 24)


def _load_shape(hours: np.ndarray, truth: Draws, rng: np.random.Generator) -> np.ndarray:
    """Load of days, weeks, seasons and years, growing, with outages, about one."""
    day = hours // 24
    shape = 1.0 + 0.15 * np.sin(2 * np.pi * (hours % 24 - 9) / 24)
    shape = shape * np.where(day % 7 >= 5, 0.9, 1.0)
    by_season = 1 + rng.normal(0.0, 0.04, 4)
    shape = shape * by_season[seasons(day % 365 + 1)]
    year = day // 365
    shape = shape * (1 + rng.normal(0.0, 0.01, LONGEST))[year]
    shape = shape * (1 + truth[GROWTH][0] / 100) ** (hours / HOURS_A_YEAR)
    # A week of maintenance every other year, in any week.
    off = rng.integers(0, 52, LONGEST)[year] == (day % 365) // 7
    return np.where(off & (year % 2 == 1), 0.0, shape)


def assessed(
    life: Life, age: int, count: int, rng: np.random.Generator, *, sampled: bool = False
) -> dict[str, np.ndarray]:
    """Ends of life as they are foreseen at an age, in draws, by each way of looking [years]."""
    first = age * HOURS_A_YEAR + 24 * int(rng.integers(0, 335))
    now = (first + MONTH_H) / HOURS_A_YEAR
    rows = slice(first, first + MONTH_H + 1)
    seconds, load = 3600.0 * np.arange(MONTH_H + 1), life.load[rows]
    read = life.oil[rows] + life.truth[BIAS][0] + 0.3 * rng.standard_normal(MONTH_H + 1)
    start = pd.Timestamp("1990-01-01", tz="UTC") + pd.Timedelta(hours=first % HOURS_A_YEAR)
    times = Timeline(pd.Series(dtype=str), seconds, start)
    furans = _furans(life, now, rng) if sampled else None
    years = _foreseen(life.nameplate, seconds, load, read, times, now, furans, count, rng)
    plain = _plain(life.nameplate, seconds, load, read, now)
    return {"agewise": now + years, "IEC": plain, "age": np.array([max(AGE_ALONE, now)])}


def _foreseen(
    nameplate: Nameplate,
    seconds: np.ndarray,
    load: np.ndarray,
    read: np.ndarray,
    times: Timeline,
    age: float,
    furans: float | None,
    count: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Years left in draws, as a prognosis has them."""
    known = unknowns(nameplate)
    draws = drawn(known, count, seed=int(rng.integers(2**31)))
    rises = [hot_spot_rise(unit, seconds, load) for unit in thermal_draws(nameplate, draws)]
    hot = read - draws[BIAS][:, None] + np.stack(rises)
    law = nameplate.ageing_law
    parameters = {one.name: draws[one.name][:, None] for one in law.unknowns()}
    used = loss_of_life(seconds, law.rate(hot, parameters), axis=1)
    answer = sensitivity(nameplate, load)
    days = observed_days(daily_loss(seconds, used), times, nameplate.site.climate(), answer)
    trend = answer.trend(draws[GROWTH])
    days = replace(days, trend=trend).another(rng=rng)
    past = years_lived(trend, age - MONTH_H / HOURS_A_YEAR) * days.yearly() * draws[PAST]
    before = Before(known, draws, used[:, -1], past)

    def likelihood(pairs: Pairs) -> np.ndarray:
        if furans is None:
            return np.zeros(pairs.life.shape)
        share = np.maximum((pairs.used + used[:, -1:]) / pairs.life, 0.0)
        return furan_log_likelihood(share, furans, 0.1 * furans, upgraded=False)

    asked = furans is not None or not before.all_alive
    after = before.given(likelihood, seed=0) if asked else before.unchanged()
    left = after.draws[LIFE] - after.used_before - after.of(used[:, -1])
    return days.taken(after.rows).years(left, HORIZON, rng=rng)


def _furans(life: Life, age: float, rng: np.random.Generator) -> float:
    """2-FAL in the oil by a relation and a scatter that are the unit's own [mg/kg]."""
    own = np.random.default_rng([int(1e6 * life.end), *b"furans"])
    chendong, scatter = own.uniform() < 0.5, own.normal(0.0, FURAN_SCATTER)
    share = np.interp(age, np.arange(1, life.used.size + 1), life.used)
    degree = float(degree_of_polymerisation(np.array(share), own.normal(1100.0, 58.0)))
    seen = degree + scatter
    furans = 10 ** (1.51 - 0.0035 * seen) if chendong else 7100.0 / max(seen, 100.0) - 8.88
    return float(np.clip(furans * np.exp(0.1 * rng.standard_normal()), 0.01, 60.0))


def _plain(
    nameplate: Nameplate, seconds: np.ndarray, load: np.ndarray, read: np.ndarray, age: float
) -> np.ndarray:
    """The end of life if every number were exact and every month like this one [years]."""
    hot = read + hot_spot_rise(nameplate.thermal_constants(), seconds, load)
    month = float(loss_of_life(seconds, nameplate.ageing_law.rate(hot), axis=0)[-1])
    yearly = month * HOURS_A_YEAR / MONTH_H
    left = nameplate.insulation.life_hours.mean - yearly * age
    return np.array([age + max(0.0, left) / yearly])


def judged(life: Life, ends: dict[int, np.ndarray]) -> dict[str, float]:
    """The metrics of one life for one way of looking; `ends` by age."""
    truth, ages = life.end, np.array(sorted(ends))
    middle = np.array([np.quantile(ends[age], 0.5, method="inverted_cdf") for age in ages])
    finite = np.minimum(middle, ages + HORIZON)
    metrics = {}
    for share in (0.25, 0.5, 0.75):
        # As progpy has it: at that time, or the next prediction that follows.
        age = int(ages[min(np.searchsorted(ages, share * truth), ages.size - 1)])
        low, high = np.quantile(ends[age], [0.05, 0.95], method="inverted_cdf")
        bound = ALPHA * (truth - age)
        metrics[f"inside_{share:g}"] = float(low <= truth <= high)
        metrics[f"width_{share:g}"] = float(min(high, age + HORIZON) - low) / truth
        metrics[f"alpha_lambda_{share:g}"] = float(
            np.mean(np.abs(ends[age] - truth) <= bound) >= BETA
        )
    intervals = [np.quantile(ends[age], [0.05, 0.95], method="inverted_cdf") for age in ages]
    metrics["assessments"] = float(ages.size)
    metrics["held"] = float(np.sum([low <= truth <= high for low, high in intervals]))
    metrics["ended_sooner"] = float(np.sum([truth < low for low, _ in intervals]))
    good = [np.mean(np.abs(ends[age] - truth) <= ALPHA * truth) >= BETA for age in ages]
    metrics["horizon"] = float(truth - ages[int(np.argmax(good))]) / truth if any(good) else 0.0
    accuracy = 1 - np.abs(finite - truth) / truth
    metrics["relative_accuracy_0.5"] = float(accuracy[min(ages.size - 1, int(truth / 2))])
    metrics["cumulative_relative_accuracy"] = float(accuracy.mean())
    error = np.abs(finite - truth)
    # Saxena and others: the distance of the centre of the area under the error from the start.
    area = max(float(error.sum()), 1e-9)
    centre = float((error * (ages - ages[0])).sum()) / area, float((error**2).sum()) / (2 * area)
    metrics["convergence"] = float(np.hypot(*centre)) / truth
    return metrics


def _high(ends: dict[str, np.ndarray]) -> float:
    return float(np.quantile(ends["agewise"], 0.95, method="inverted_cdf"))


def main() -> None:
    """A line a life, then the table."""
    asked = _arguments()
    rows: dict[str, list[dict[str, float]]] = {"agewise": [], "IEC": [], "age": []}
    seed, outlived = asked.seed, list[bool]()
    while len(rows["agewise"]) < asked.lives:
        life, seed = made_life(seed), seed + 1
        rng = np.random.default_rng([seed, *b"months"])
        if life.end > LONGEST - 1:
            # Its share of a life is not known, but whether an end was told too early is.
            ages = range(1, LONGEST - 1)
            highs = [_high(assessed(life, a, asked.draws, rng, sampled=asked.furans)) for a in ages]
            outlived.extend(high >= life.end for high in highs)
            continue
        if life.end < YOUNGEST:
            continue
        seen = {
            age: assessed(life, age, asked.draws, rng, sampled=asked.furans)
            for age in range(1, int(life.end))
        }
        for way, told in rows.items():
            told.append(judged(life, {age: ends[way] for age, ends in seen.items()}))
        print(json.dumps({"seed": seed - 1, "end": round(life.end, 2)}), flush=True)
    counts = ("assessments", "held", "ended_sooner")
    names = [name for name in rows["agewise"][0] if name not in counts]
    for way, told in rows.items():
        total, held, sooner = (sum(row[name] for row in told) for name in counts)
        print(
            f"{way}: of {total:.0f} assessments of all ages, {held / total:.0%} held the end, "
            f"{sooner / total:.0%} were too late"
        )
    total = sum(row["assessments"] for row in rows["agewise"]) + len(outlived)
    held = sum(row["held"] for row in rows["agewise"]) + sum(outlived)
    print(
        f"agewise with {len(outlived)} assessments of units that outlived {LONGEST} years: "
        f"{held / total:.0%} held the end"
    )
    print("| metric | " + " | ".join(rows) + " |\n|---|" + "---|" * len(rows))
    for name in names:
        cells = [f"{np.mean([row[name] for row in told]):.2f}" for told in rows.values()]
        print(f"| {name} | " + " | ".join(cells) + " |")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Prognostic metrics over whole lives.")
    parser.add_argument("--lives", type=int, default=100)
    parser.add_argument("--draws", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--furans", action="store_true", help="a sample of the oil every year")
    return parser.parse_args()


if __name__ == "__main__":
    main()
