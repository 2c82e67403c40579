"""How well a watched fleet tells what happens to it: found, how late, and how often for nothing.

    .venv/bin/python -m benchmarks.watch --seed 0 --assets 20 --days 60 --base 20

Made fleets (`agewise twin --fleet`), clean files. Of five units one loses cooling, one is
overloaded and one loses a thermometer between day 24 and 48 of 60; two are sound. Every unit is
learned from its first days and watched day by day after them, beside the plan of its owner: the
coming year as `scenario.csv` has it, which knows of no incident (`--unplanned`: without it). An
alert is true where its cause is: lost cooling, a thermometer that is gone, a true hot spot above
120 °C on that day or the day before, a true week that used more than 1.5 times what the planned
load would have used in the same air with all its cooling (`--unplanned`: what the unit's own load
without the incident would have used). All others are false, and every raise of a kind after a
unit's first is a flap. Thresholds were not moved after seeds below 100 had been seen. A run that
was stopped goes on behind the units that `--out` has.
"""

import argparse
import json
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from agewise.assessment.calibration.calibrate import calibrate
from agewise.fleet.watch.alerts import Change
from agewise.fleet.watch.planned_load import planned_load
from agewise.fleet.watch.symptoms import AGEING, COOLING, LIMIT, SENSOR
from agewise.fleet.watch.unit_watch import begun, watched
from agewise.reading.profile_file import read_profile
from agewise.transformer.cooling_defaults import LIMITS
from agewise.twin.fleet.fleet_folder import readings
from agewise.twin.fleet.incidents import KINDS, Incident, drawn_incident
from agewise.twin.fleet.settings import FleetSettings
from agewise.twin.fleet.truth import scenario_table, year_ahead
from agewise.twin.fleet.unit import Lived, Unit, drawn_unit, lived_through, window

ROTA = (*KINDS, "", "")
"""What happens to five units, one after the other."""
MINUTES_A_DAY = 1440
CONSTANTS = ("oil.top_oil_rise_k", "oil.time_constant_min", "oil.exponent")
"""What is learned warm and cold, and compared."""
FASTER, RELEVANT = 1.5, 0.05
"""Times the planned ageing from which on a week was truly faster, and hours of life an hour from
which on that is worth an alert."""


@dataclass(frozen=True)
class Told:
    """A unit's alerts beside its truth."""

    unit: str
    incident: str
    day: float
    alerts: list[tuple[str, float, bool, bool]]
    """Kind, day, whether it was raised (else cleared) and whether it was true."""
    expected: dict[str, float]
    """Day from which on each kind of alert is due."""
    seconds: dict[str, float]
    """Processor time of the cold start and of a watched day [s]."""
    agreement: dict[str, float]
    """Warm less cold mean of each constant, in standard deviations of the cold one."""


def due(lived: Lived, faster: np.ndarray, incident: Incident, base: float) -> dict[str, float]:
    """Day from which on each kind of alert is due, if it is; `faster` is the factor on the planned
    ageing of the week before each minute, 0 where that week used too little to matter."""
    days: dict[str, float] = {}
    if incident.kind == "cooling lost":
        days[COOLING] = incident.day
    if incident.kind == "sensor gone":
        days[SENSOR] = incident.day
    watched_minutes = np.arange(lived.load.size) / MINUTES_A_DAY > base
    causes = {LIMIT: lived.hot_spot > LIMITS["normal cyclic"].hot_spot, AGEING: faster > FASTER}
    for kind, cause in causes.items():
        if (cause & watched_minutes).any():
            days[kind] = float((cause & watched_minutes).argmax() / MINUTES_A_DAY)
    return days


def week_factors(unit: Unit, lived: Lived, planned: Lived) -> tuple[np.ndarray, np.ndarray]:
    """At every minute, life used in the week before over the planned one, and its hours an hour."""
    law, week = unit.true.insulation.law, 7 * MINUTES_A_DAY
    sums = (np.cumsum(law.rate(each.hot_spot)) for each in (lived, planned))
    used, usual = (total[week:] - total[:-week] for total in sums)
    before = np.zeros(week)
    return np.append(before, used / usual), np.append(before, used / week)


def true(change: Change, day: float, expected: dict[str, float], lived: Lived, factor) -> bool:
    """Whether an alert that was raised has its cause."""
    if change.kind == LIMIT:
        rows = slice(max(0, round((day - 2) * MINUTES_A_DAY)), round(day * MINUTES_A_DAY) + 1)
        return bool(lived.hot_spot[rows].max() > LIMITS["normal cyclic"].hot_spot)
    if change.kind == AGEING:
        return bool(factor[min(round(day * MINUTES_A_DAY), factor.size - 1)] > FASTER)
    return change.kind in expected and day >= expected[change.kind]


def ailing(settings: FleetSettings, number: int) -> Unit:
    """A unit of a made fleet, with what the rota has for it."""
    unit, kind = drawn_unit(settings, number), ROTA[number % len(ROTA)]
    if not kind:
        return replace(unit, incident=Incident())
    # The first numbers of its own that give that kind: sizes and days are those of made fleets.
    drawn = (
        drawn_incident(settings, settings.stream(number, f"incident {n}")) for n in range(1000)
    )
    return replace(unit, incident=next(each for each in drawn if each.kind == kind))


def planned_year(settings: FleetSettings, unit: Unit, lived: Lived, base: float) -> Lived:
    """The year that the owner plans when the watch begins."""
    first = lived.times[round(base * MINUTES_A_DAY)]
    return year_ahead(settings, replace(unit, incident=Incident()), first)


def as_planned(unit: Unit, lived: Lived, year: Lived) -> Lived:
    """What the planned load would have done to the unit with all its cooling, in the same air."""
    at = np.interp(lived.times.as_unit("s").asi8, year.times.as_unit("s").asi8, year.load)
    load = np.where(lived.times >= year.times[0], at, lived.load)
    sound = replace(unit, incident=Incident())
    return lived_through(sound, lived.times, load, lived.air, lost_row=0)


def told(settings: FleetSettings, number: int, base: float, *, planned: bool) -> Told:
    """Watch one unit of a made fleet."""
    unit = ailing(settings, number)
    lived = window(settings, unit)
    year = planned_year(settings, unit, lived, base)
    sound = window(settings, replace(unit, incident=Incident()))
    factor, rate = week_factors(unit, lived, as_planned(unit, lived, year) if planned else sound)
    expected = due(lived, np.where(rate > RELEVANT, factor, 0.0), unit.incident, base)
    profile = read_profile(readings(settings, unit, lived))
    first = profile.between(0, int(np.searchsorted(profile.seconds, base * 86_400)) - 1)
    plan = planned_load(read_profile(scenario_table(year))) if planned else None
    clock = [time.process_time()]
    learned = calibrate(first, unit.sheets.printed)
    clock.append(time.process_time())
    learned, start = begun(learned, first, plan=plan)
    clock.append(time.process_time())
    after = watched(start.state, learned, profile, plan=plan)
    clock.append(time.process_time())
    alerts = []
    for change in (*start.changes, *after.changes):
        day = (change.at - start.state.memory.anchor) / 86_400
        alerts.append(
            (change.kind, round(day, 2), change.raised, true(change, day, expected, lived, factor))
        )
    spent = np.diff(clock)
    seconds = {"cold": spent[0], "begin": spent[1], "day": spent[2] / max(len(after.rows), 1)}
    off = {}
    if not unit.incident.kind:  # days without cooling are left out of what is learned warm
        begin = time.process_time()
        cold = calibrate(profile, unit.sheets.printed).thermal_quantities()
        seconds["cold, whole record"] = time.process_time() - begin
        warm = after.state.belief
        off = {n: (warm.mean(n) - cold[n].mean) / (cold[n].std or 1.0) for n in CONSTANTS}
    return Told(unit.id, unit.incident.kind, unit.incident.day, alerts, expected, seconds, off)


def summary(units: list[Told], days: float, base: float) -> dict[str, object]:
    """Detection, delay and false alerts over all units."""
    table: dict[str, object] = {}
    for kind in (COOLING, SENSOR, LIMIT, AGEING):
        delays = []
        for each in (unit for unit in units if kind in unit.expected):
            raised = [day for name, day, up, fits in each.alerts if name == kind and up and fits]
            delays += [day - each.expected[kind] for day in raised[:1]]
        raises = [sum(a[0] == kind and a[2] for a in unit.alerts) for unit in units]
        wrong = sum(a[0] == kind and a[2] and not a[3] for unit in units for a in unit.alerts)
        table[kind] = {
            "due": sum(kind in unit.expected for unit in units),
            "found": len(delays),
            "median delay [days]": round(float(np.median(delays)), 2) if delays else None,
            "longest delay [days]": round(max(delays), 2) if delays else None,
            "false": wrong,
            "flaps": sum(max(count - 1, 0) for count in raises),
        }
    false = [(u.unit, a) for u in units for a in u.alerts if a[2] and not a[3]]
    years = len(units) * (days - base) / 365.25
    table["false alerts a unit-year"] = round(len(false) / years, 2)
    table["unit-years"], table["false"] = round(years, 2), false
    for name in ("cold", "begin", "day", "cold, whole record"):
        own = [u.seconds[name] for u in units if name in u.seconds]
        table[f"median seconds, {name}"] = round(float(np.median(own)), 3) if own else None
    off = np.array([z for unit in units for z in unit.agreement.values()])
    if off.size:
        table["warm less cold, in cold std: rms"] = round(float(np.sqrt(np.mean(off**2))), 2)
        table["largest"] = round(float(np.abs(off).max()), 2)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--assets", type=int, default=20)
    parser.add_argument("--days", type=float, default=60.0)
    parser.add_argument("--base", type=float, default=20.0)
    parser.add_argument("--unplanned", action="store_true", help="the usual load is the plan")
    parser.add_argument("--out", type=Path, help="file of one line a unit, to go on from")
    asked = parser.parse_args()
    settings = FleetSettings(seed=asked.seed, assets=asked.assets, days=asked.days, incidents=1.0)
    units = kept(asked.out)
    for number in range(len(units), asked.assets):
        units.append(told(settings, number, asked.base, planned=not asked.unplanned))
        if asked.out is not None:  # after every unit, so that a stopped run leaves its part
            with asked.out.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(vars(units[-1])) + "\n")
    print(json.dumps(summary(units, asked.days, asked.base)))


def kept(path: Path | None) -> list[Told]:
    """Units that an earlier run has watched."""
    if path is None or not path.exists():
        return []
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [Told(**row | {"alerts": [tuple(alert) for alert in row["alerts"]]}) for row in rows]


if __name__ == "__main__":
    main()
