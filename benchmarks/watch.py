"""How well a watched fleet tells what happens to it: found, how late, and how often for nothing.

    .venv/bin/python -m benchmarks.watch --seed 0 --assets 20 --days 60 --base 20

Made fleets (`agewise twin --fleet`), clean files, with an incident in three of five units that
begins between day 24 and 48 of 60. Every unit is learned from its first days and watched day by day
after them. An alert is true where its cause is: lost cooling, a thermometer that is gone, a true
hot spot above 120 °C on that day or the day before, a true week that used more than 1.5 times what
the same week without the incident would have used. All others are false. Thresholds were not moved
after seeds below 100 had been seen.
"""

import argparse
import json
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from agewise.assessment.calibration.calibrate import calibrate
from agewise.fleet.watch.alerts import Change
from agewise.fleet.watch.symptoms import AGEING, COOLING, LIMIT, SENSOR
from agewise.fleet.watch.unit_watch import begun, watched
from agewise.reading.profile_file import read_profile
from agewise.transformer.cooling_defaults import LIMITS
from agewise.twin.fleet.fleet_folder import readings
from agewise.twin.fleet.incidents import Incident
from agewise.twin.fleet.settings import FleetSettings
from agewise.twin.fleet.unit import Lived, drawn_unit, window

INCIDENT_SHARE = 0.6
"""Share of the units to which something happens."""
MINUTES_A_DAY = 1440
CONSTANTS = ("oil.top_oil_rise_k", "oil.time_constant_min", "oil.exponent")
"""What is learned warm and cold, and compared."""
FASTER = 1.5
"""Times the ageing without the incident from which on a week was truly faster than planned."""


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


def due(lived: Lived, sound: Lived, incident: Incident, unit, base: float) -> dict[str, float]:
    """Day from which on each kind of alert is due, if it is."""
    days: dict[str, float] = {}
    if incident.kind == "cooling lost":
        days[COOLING] = incident.day
    if incident.kind == "sensor gone":
        days[SENSOR] = incident.day
    minutes = np.arange(lived.load.size) / MINUTES_A_DAY
    above = (lived.hot_spot > LIMITS["normal cyclic"].hot_spot) & (minutes > base)
    if above.any():
        days[LIMIT] = float(minutes[above.argmax()])
    law, week = unit.true.insulation.law, 7 * MINUTES_A_DAY
    rates = (np.cumsum(law.rate(each.hot_spot)) for each in (lived, sound))
    used, usual = (rate[week:] - rate[:-week] for rate in rates)
    faster = (used > FASTER * usual) & (used / week > 0.05) & (minutes[week:] > base)
    if faster.any():
        days[AGEING] = float(minutes[week:][faster.argmax()])
    return days


def true(change: Change, day: float, expected: dict[str, float], lived: Lived) -> bool:
    """Whether an alert that was raised has its cause."""
    if change.kind == LIMIT:
        rows = slice(max(0, round((day - 2) * MINUTES_A_DAY)), round(day * MINUTES_A_DAY) + 1)
        return bool(lived.hot_spot[rows].max() > LIMITS["normal cyclic"].hot_spot)
    return change.kind in expected and day >= expected[change.kind]


def told(settings: FleetSettings, number: int, base: float) -> Told:
    """Watch one unit of a made fleet."""
    unit = drawn_unit(settings, number)
    lived = window(settings, unit)
    sound = window(settings, replace(unit, incident=Incident()))
    expected = due(lived, sound, unit.incident, unit, base)
    profile = read_profile(readings(settings, unit, lived))
    first = profile.between(0, int(np.searchsorted(profile.seconds, base * 86_400)) - 1)
    clock = [time.process_time()]
    learned = calibrate(first, unit.sheets.printed)
    clock.append(time.process_time())
    learned, start = begun(learned, first)
    clock.append(time.process_time())
    after = watched(start.state, learned, profile)
    clock.append(time.process_time())
    alerts = []
    for change in (*start.changes, *after.changes):
        day = (change.at - start.state.memory.anchor) / 86_400
        alerts.append(
            (change.kind, round(day, 2), change.raised, true(change, day, expected, lived))
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
        delays, most = [], 0
        for each in (unit for unit in units if kind in unit.expected):
            raised = [day for name, day, up, fits in each.alerts if name == kind and up and fits]
            delays += [day - each.expected[kind] for day in raised[:1]]
            most = max(most, len(raised))
        table[kind] = {
            "due": sum(kind in unit.expected for unit in units),
            "found": len(delays),
            "median delay [days]": round(float(np.median(delays)), 2) if delays else None,
            "longest delay [days]": round(max(delays), 2) if delays else None,
            "most raises of one unit": most,
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
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    settings = FleetSettings(
        seed=asked.seed, assets=asked.assets, days=asked.days, incidents=INCIDENT_SHARE
    )
    units = []
    for number in range(asked.assets):
        units.append(told(settings, number, asked.base))
        print(json.dumps(vars(units[-1])), flush=True, file=sys.stderr)
        table = summary(units, asked.days, asked.base)
        if asked.out is not None:  # after every unit, so that a stopped run leaves its part
            asked.out.write_text(json.dumps(table, indent=1) + "\n", "utf-8")
    print(json.dumps(summary(units, asked.days, asked.base), indent=1))


if __name__ == "__main__":
    main()
