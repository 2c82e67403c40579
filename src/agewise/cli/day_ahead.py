"""The part of `agewise rating` that reads forecasts: the coming hours one by one."""

import math
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from agewise.cli.asked_load import load_words
from agewise.units import SECONDS_PER_MINUTE

if TYPE_CHECKING:
    from agewise.assessment.rating.day_table import DayAhead

HEAD = ("from", "air", "forecast", "permitted", "", "one hour", "long", "short", "after a trip")
"""Titles of the columns of the table."""
WIDTHS = (12, 6, 10, 11, 10, 10, 8, 8, 14)
"""Widths of these columns [characters]."""
NOTES = (
    "air        highest of the hour [°C]; loads in p.u., MVA beside them",
    "permitted  every hour may carry up to this, even if all hours before it did",
    "one hour   for this hour only, all hours before it as forecast",
    "long       the same up to the limits of long-time emergency loading",
    "short      for 30 min up to the limits of short-time emergency loading",
    "none       by the forecast a limit may be passed in that hour even without load",
)
"""What the columns mean."""


def day_rows(day: "DayAhead") -> dict[str, str]:
    """What the coming hours permit, in lines for people."""
    request, top, errors = day.request, day.ceiling, day.request.errors
    share, kind = 100 * day.hours.chance_of_all, request.limit
    clock = hour_names(day)
    lowest, hottest = int(day.envelope.load.argmin()), int(day.hours.hot_spot.argmax())
    return {
        "forecast": f"passes a limit with a chance of {share:.1f} %, {100 * request.risk:g} % is "
        f"accepted; the whole of it may be {day.factor:.2f} times as high",
        "hot spot": f"{day.hours.hot_spot[hottest]:.0f} °C at the highest under the forecast, from "
        f"{clock[hottest]} on; above {day.hours.hot_spot_high.max():.0f} °C with a chance of "
        f"{100 * request.risk:g} %",
        "permitted": f"{_least(day, lowest)}, from {clock[lowest]} on",
        "risk": f"{day.envelope.risk:.3f} that a temperature passes its limit at any time if every "
        f"hour carries what is permitted",
        "after trip": _after_trip(day, clock),
        "limits": f"{kind}: hot spot {top.hot_spot:g} °C, top oil {top.top_oil:g} °C, load "
        f"{top.load:g} p.u.",
        "forecast ±": f"{errors.weather_k:g} K and {100 * errors.load_share:g} % of the load a day "
        f"ahead, half of that at once",
    }


def day_lines(day: "DayAhead") -> list[str]:
    """The table by hours."""
    table, top = day.table(), day.ceiling.load
    lines = ["".join(f"{title:>{width}}" for title, width in zip(HEAD, WIDTHS, strict=True))]
    for name, row in zip(hour_names(day), table.to_dict("records"), strict=True):
        power = f"{row['permitted_mva']:.4g} MVA" if "permitted_mva" in row else ""
        cells = (
            name,
            f"{row['air_c']:.0f}",
            f"{row['forecast_pu']:.2f}",
            f"{_cell(row['permitted_pu'])}{'*' if row['permitted_pu'] >= top else ' '}",
            power,
            _cell(row["permitted_in_this_hour_alone_pu"]),
            _cell(row["long_emergency_pu"]),
            _cell(row["short_emergency_30_min_pu"]),
            _minutes(row["after_trip_min_to_long_emergency"]),
        )
        lines.append("".join(f"{c:>{width}}" for c, width in zip(cells, WIDTHS, strict=True)))
    starred = ["* the guide's limit of the current"] if "*" in "".join(lines) else []
    # A note on what is not in the table would be one too many.
    notes = [note for note in NOTES if not note.startswith("none") or "none" in "".join(lines)]
    trip = f"after a trip: time to a limit of long-time emergency loading, {_factor(day)} the load"
    return [*lines, "", *notes, trip, *starred]


def write_day(day: "DayAhead", path: Path) -> None:
    """Write the table by hours, CSV or Parquet by its suffix."""
    from agewise.plant.tables import write_table

    table = day.table()
    numbers = table.select_dtypes("number").columns
    write_table(table.assign(**{name: table[name].round(4) for name in numbers}), path)


def _least(day: "DayAhead", lowest: int) -> str:
    """The least that an hour permits."""
    load = float(day.envelope.load[lowest])
    if load == 0:
        return "none at worst, since a limit may be passed even without load"
    return f"{load_words(day.rated, load)} at least"


def _after_trip(day: "DayAhead", clock: Sequence[str]) -> str:
    seconds = day.after_trip.seconds["long emergency"]
    worst = int(seconds.argmin())
    from agewise.transformer.cooling_defaults import LIMITS

    if math.isinf(seconds[worst]):
        reached = "no limit of long-time emergency loading is reached"
    else:
        reached = (
            f"a limit of long-time emergency loading is reached after "
            f"{seconds[worst] / SECONDS_PER_MINUTE:.0f} min at the soonest, from "
            f"{clock[worst]} ({100 * (1 - day.request.risk):g} % sure)"
        )
    power, most = day.rated.power_kva or 0.0, float(day.after_trip.load.max())
    current = LIMITS["long emergency"].load(power)
    over = f"; its {most:.2f} p.u. are above the guide's {current:g} at once"
    return f"at {_factor(day)} the load {reached}{over if most > current else ''}"


def hour_names(day: "DayAhead") -> list[str]:
    """When each hour begins: by its weekday, or by its date where a weekday comes twice."""
    times = day.times
    days = {time.date() for time in times if isinstance(time, datetime)}
    again = len({date.weekday() for date in days}) < len(days)
    form = "%d %b %H:%M" if again else "%a %H:%M"
    return [f"{t:{form}}" if isinstance(t, datetime) else f"hour {t:.0f}" for t in times]


def _cell(load: float) -> str:
    return f"{load:.2f}" if load > 0 else "none"


def _minutes(value: float) -> str:
    return "not reached" if math.isnan(value) else f"{value:.0f} min"


def _factor(day: "DayAhead") -> str:
    factor = day.after_trip.factor
    return "twice" if factor == 2 else f"{factor:g} times"
