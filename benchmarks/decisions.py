"""Decisions against twins: does a rating keep its risk, and does the cooling check tell truly?"""

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from seeds import seeds_of

from agewise.assessment.decision.cooling_verdict import checked
from agewise.assessment.life.doubts import BIAS, thermal_draws, unknowns
from agewise.assessment.life.explained_top_oil import inferred_ends
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.settings import Settings
from agewise.assessment.rating.hours_ahead import highest_ambient, hours_ahead, steps_of
from agewise.assessment.rating.request import ceiling
from agewise.plant.profile import Profile, profile_from
from agewise.threads import one_thread
from agewise.transformer.iec60076 import ThermalConstants, hot_spot_rise, top_oil
from agewise.transformer.prognostics.rating import Ceiling, permit
from agewise.transformer.prognostics.unknowns import drawn
from agewise.twin.cases import CASES
from agewise.twin.twin import MINUTES_PER_DAY, Twin, TwinSettings, make_twin
from agewise.units import SECONDS_PER_HOUR, SECONDS_PER_MINUTE

LATER_DAYS = 0.5
"""that a twin goes on after the profile"""
UNITS = 200
"""transformers for every weather, the first of which is the one that counts"""
RISKS = (0.05, 0.2)
FIGURES = ("factor", "std")
SEEN_BEFORE = 2 * MINUTES_PER_DAY
"""min of load before now that the winding may remember"""


@dataclass(frozen=True)
class Unit:
    """A transformer that is not quite its nameplate, with thermometers that are a little off."""

    constants: ThermalConstants
    bias: float


@dataclass(frozen=True, eq=False)
class Future:
    """The truth after the profile, under whatever load."""

    twin: Twin
    now: int
    """the last row of the profile"""
    minutes: int
    ambient: float

    def peaks(self, unit: Unit, load: float, shift: float) -> tuple[float, float]:
        """°C: the highest true top oil and hot spot, the past being hotter by a `shift`."""
        truth = self.twin.truth
        later = slice(self.now, self.now + self.minutes + 1)
        oil = truth["oil_true"].to_numpy()[later].astype(float)
        loads = truth["load_true"].to_numpy()[: self.now + self.minutes + 1].astype(float)
        held = np.where(np.arange(loads.size) > self.now, load, loads)
        air = np.full(len(oil), self.ambient)
        seconds = SECONDS_PER_MINUTE * np.arange(len(oil))
        # The model is linear in its state, so its difference alone turns one truth into another.
        was = top_oil(unit.constants, seconds, loads[later], oil[:, 0], start=0.0)
        becomes = top_oil(unit.constants, seconds, held[later], air, start=shift)
        top = oil[:, -1] + becomes - was
        recent = held[max(0, self.now - SEEN_BEFORE) :]
        times = SECONDS_PER_MINUTE * np.arange(recent.size)
        rise = hot_spot_rise(unit.constants, times, recent)[-len(oil) :]
        return float(top[1:].max()), float((top + rise)[1:].max())

    def margin(self, unit: Unit, load: float, top: Ceiling, shift: float = 0.0) -> float:
        """K to the nearer limit; negative where one is passed."""
        oil, hot_spot = self.peaks(unit, load, shift)
        return min(top.top_oil - oil, top.hot_spot - hot_spot)

    def best_load(self, unit: Unit, top: Ceiling) -> float:
        """p.u. that somebody who knew everything would permit."""
        low, high = 0.0, top.load
        if self.margin(unit, high, top) >= 0:
            return high
        while high - low > 1e-3:
            middle = (low + high) / 2
            low, high = (middle, high) if self.margin(unit, middle, top) >= 0 else (low, middle)
        return low


def units(twin: Twin, count: int) -> list[Unit]:
    """Transformers behind one nameplate, drawn from the usual doubts."""
    numbers = drawn(unknowns(twin.nameplate), count, seed=7_000_000 + twin.settings.seed)
    constants = thermal_draws(twin.nameplate, numbers)
    return [Unit(one, float(bias)) for one, bias in zip(constants, numbers[BIAS], strict=True)]


def cut(twin: Twin, rows: int, bias: float) -> Profile:
    """The first rows of a twin, measured by thermometers that share a bias."""
    profile = profile_from(twin.frame.iloc[:rows])
    assert profile.top_oil is not None
    return replace(profile, ambient=profile.ambient + bias, top_oil=profile.top_oil + bias)


@dataclass(frozen=True)
class Rated:
    """One rating beside the truth."""

    risk: float
    load: float
    best: float
    """p.u. with full knowledge"""
    margin: float
    """K that were left"""
    passed: float
    """share of all units behind the nameplate that pass a limit"""
    binding: str


def rated(case: str, seed: int, days: float, hours: float, method: str) -> Iterator[Rated]:
    """Ratings of one twin, whose profile ends at an hour of the day that its seed chooses."""
    twin = make_twin(TwinSettings(seed=seed, case=case, days=days + LATER_DAYS))
    rows = round(days * MINUTES_PER_DAY) - 60 * (seed % 24)
    own, *others = units(twin, UNITS)
    assessment = assess(cut(twin, rows, own.bias), twin.nameplate, Settings(method=method))
    ends, top = inferred_ends(assessment), ceiling(twin.nameplate, "normal cyclic")
    ahead, ambient = hours_ahead(assessment, ends, hours), highest_ambient(ends)
    future = Future(twin, rows - 1, round(hours * SECONDS_PER_HOUR / SECONDS_PER_MINUTE), ambient)
    best = future.best_load(own, top)
    for risk in RISKS:
        found = permit(ahead, ambient, top, risk, steps=steps_of(hours))
        margins = [
            future.margin(one, found.load, top, own.bias - one.bias) for one in (own, *others)
        ]
        passed = float(np.mean(np.array(margins) < 0))
        yield Rated(risk, found.load, best, margins[0], passed, found.binding)


def rating_table(case: str, seeds: list[int], days: float, hours: float, method: str) -> None:
    """How often limits were passed, and how much was left unused where a load was permitted."""
    found = [one for seed in seeds for one in rated(case, seed, days, hours, method)]
    print(f"\nRating, {case}, {len(seeds)} twins of {days:g} days, {hours:g} h ahead\n")
    print("| risk | passed | of all units | margin K | load | best load | none | current |")
    print("|---|---|---|---|---|---|---|---|")
    for risk in RISKS:
        rows = [one for one in found if one.risk == risk]
        some = [one for one in rows if one.load > 0]
        passed, share = sum(one.margin < 0 for one in rows), np.mean([one.passed for one in rows])
        margin, load, best = (
            np.mean([getattr(one, name) for one in some]) for name in ("margin", "load", "best")
        )
        current = sum(one.binding == "current" for one in rows)
        figures = f"{share:.3f} | {margin:.2f} | {load:.3f} | {best:.3f}"
        print(
            f"| {risk:g} | {passed} of {len(rows)} = {passed / len(rows):.3f} | {figures} | "
            f"{len(rows) - len(some)} | {current} |"
        )


def fitted(case: str, seed: int, days: float, loss: float, method: str) -> Assessment:
    """A twin with less cooling from the middle on, assessed."""
    twin = make_twin(TwinSettings(seed=seed, case=case, days=days, cooling_loss=loss))
    (own,) = units(twin, 1)
    profile = cut(twin, len(twin.frame), own.bias)
    return assess(profile, twin.nameplate, Settings(method=method))


def cooling_table(
    case: str, seeds: list[int], days: float, losses: list[float], method: str
) -> None:
    """Alarms of healthy and of poorer units, and how soon they came."""
    print(f"\nCooling check, {case}, {len(seeds)} twins of {days:g} days\n")
    print("| lost | alarms | too early | within a day | median h | factor | std |")
    print("|---|---|---|---|---|---|---|")
    for loss in losses:
        runs = [fitted(case, seed, days, loss, method) for seed in seeds]
        found = [checked(inferred_ends(run), run.nameplate) for run in runs]
        middle = days * 24 / 2
        since = np.array([np.inf if one.since is None else one.since / 3600 for one in found])
        early, soon = (since < middle).sum(), ((since >= middle) & (since <= middle + 24)).sum()
        factor, std = (np.mean([getattr(one, name) or 0.0 for one in found]) for name in FIGURES)
        alarms = np.isfinite(since).sum()
        print(
            f"| {loss:g} | {alarms} | {early} | {soon} | {np.median(since) - middle:.1f} | "
            f"{factor:.3f} | {std:.3f} |"
        )


def main() -> None:
    """Print the tables."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=seeds_of, default=seeds_of("100-109"))
    parser.add_argument("--case", choices=list(CASES), action="append")
    parser.add_argument("--study", choices=["rating", "cooling"], action="append")
    parser.add_argument("--days", type=float, default=4.0)
    parser.add_argument("--hours", type=float, default=4.0)
    parser.add_argument("--loss", type=float, action="append", help="share of the cooling lost")
    parser.add_argument("--method", default="solver")
    told = parser.parse_args()
    with one_thread():
        for case in told.case or list(CASES):
            if "rating" in (told.study or ["rating"]):
                rating_table(case, told.seeds, told.days, told.hours, told.method)
            if "cooling" in (told.study or ["cooling"]):
                losses = told.loss or [0.0, 0.2]
                cooling_table(case, told.seeds, told.days, losses, told.method)


if __name__ == "__main__":
    main()
