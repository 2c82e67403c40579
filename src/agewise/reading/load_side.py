"""Whether a load was divided by the rating of the side on which it was measured."""

import math

import numpy as np

from agewise.plant.measures import Rated
from agewise.plant.notes import note
from agewise.plant.record import DataFinding, Record
from agewise.reading.options import Reading
from agewise.units import SECONDS_PER_DAY

DIVIDED = ("A", "kA", "kVA", "MVA")
"""Units of loads that are divided by a rated load."""
LONG_DAYS = 3.0
"""Days from which on a record should have seen the unit at work."""
LOWEST_PEAK, HIGHEST_LOAD = 0.05, 3.0
"""Highest load of a long record below which [p.u.], and load that lasts above which [p.u.], the
rating is doubted: windings of 20 and 0.4 kV differ by a factor of 50, while a unit at work has
peaks of some tenths, and no oil-filled unit survives 3 p.u. for hours (IEC 60076-7 ends at 2)."""
PEAK, LASTING = 0.999, 0.99
"""Shares of the readings below the highest load that is no single spike, and below one that
lasts."""


def load_side(record: Record, reading: Reading, rated: Rated) -> list[DataFinding]:
    """A finding about a load that is far too low or too high for its rating, else none."""
    unit = record.sources.get("load", ("", None))[1]
    load = np.abs(record.columns.get("load", np.empty(0)))
    load, seconds = load[np.isfinite(load)], record.seconds[np.isfinite(record.seconds)]
    if unit not in DIVIDED or not load.size or np.ptp(seconds) < LONG_DAYS * SECONDS_PER_DAY:
        return []
    peak, lasting = (float(each) for each in np.quantile(load, [PEAK, LASTING]))
    ask = _question(unit, reading, rated)
    if peak < LOWEST_PEAK:
        text = f"The load never passes {peak:.2g} p.u.: {ask}"
        return [note("rating", "load", record.labels, done="kept", text=text)]
    if lasting > HIGHEST_LOAD:
        text = f"The load is above {HIGHEST_LOAD:g} p.u. at times, up to {peak:.3g} p.u.: {ask}"
        return [note("rating", "load", record.labels, done="kept", text=text)]
    return []


def _question(unit: str, reading: Reading, rated: Rated) -> str:
    """What to ask about the rating: the voltage of its side where power and current give one."""
    power, current = rated.power_kva, rated.current_a
    if reading.rated_loads or unit not in ("A", "kA") or power is None or current is None:
        loads = " and ".join(f"{each:g}" for each in reading.rated_loads)
        return f"is the rated load{f' of {loads} {unit}' if loads else ''} the one of this column?"
    # Voltage between two lines that power and current imply.
    volts = 1000 * power / (math.sqrt(3) * current)
    side = f"{volts / 1000:.3g} kV" if volts >= 1000 else f"{volts:.3g} V"
    return f"is {side}, {current:.4g} A, the side where the current was measured?"
