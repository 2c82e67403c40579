"""A year of minutes of three phases in twelve overlapping monthly files: how long to read it?

.venv/bin/python benchmarks/reading.py
"""

import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from agewise.plant.measures import Rated
from agewise.reading.options import Reading
from agewise.reading.profile_file import read_profile
from agewise.reading.record_file import read_record

ZONE = "Europe/Madrid"
OVERLAP = 1440
"""rows of the month before that each file repeats: a day"""


def main() -> None:
    """Write the files, read them, and read them with all checks."""
    reading, rated = Reading(timezone=ZONE), Rated.of_unit(1100.0, voltage_v=400.0)
    with tempfile.TemporaryDirectory() as folder:
        made_year(Path(folder))
        for what, read in (("read", read_record), ("read and checked", read_profile)):
            start, used = time.perf_counter(), time.process_time()
            rows = read(folder, reading, rated=rated).seconds.size
            wall, cpu = time.perf_counter() - start, time.process_time() - used
            print(f"{what}: {rows} rows, {wall:.1f} s, processor {cpu:.1f} s")


def made_year(folder: Path) -> None:
    """Twelve files as a historian exports them: local time, three currents, air and top oil."""
    times = pd.date_range("2025-01-01", "2026-01-01", freq="min", tz=ZONE, inclusive="left")
    rng, hours = np.random.default_rng(0), np.arange(times.size) / 60
    season, day = np.sin(2 * np.pi * (hours - 3000) / 8760), np.sin(2 * np.pi * hours / 24)
    load = 800 + 300 * day + 20 * rng.standard_normal(times.size)
    lagged = np.sin(2 * np.pi * hours / 24 - 0.5)
    columns = {
        "IL1 [A]": load + 5 * rng.standard_normal(times.size),
        "IL2 [A]": load + 5 * rng.standard_normal(times.size),
        "IL3 [A]": 0.97 * load,
        "Ambient [°C]": 15 + 10 * season + 5 * day + 0.1 * rng.standard_normal(times.size),
        "Top oil [°C]": 45 + 10 * season + 9 * lagged + 0.1 * rng.standard_normal(times.size),
    }
    frame = pd.DataFrame(columns).round(1)
    frame.insert(0, "Time", times.tz_localize(None).strftime("%d/%m/%Y %H:%M:%S"))
    for month in range(1, 13):
        rows = np.flatnonzero(times.month == month)
        part = frame.iloc[max(0, rows[0] - OVERLAP) : rows[-1] + 1]
        part.to_csv(folder / f"2025-{month:02d}.csv", index=False)


if __name__ == "__main__":
    main()
