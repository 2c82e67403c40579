"""The year after a twin's window, hour by hour: a scenario to live through."""

import numpy as np
import pandas as pd

from agewise.twin.cases import Case
from agewise.twin.weather import ambient

HOURS = 365 * 24
"""Number of rows: a year of hours."""
QUARTERS = 4
"""Number of samples in an hour, whose mean is a row."""


def year_ahead(case: Case, first: pd.Timestamp, *, seed: int) -> pd.DataFrame:
    """Load and ambient of the year that begins at `first`, as a profile without a top oil.

    A row holds the means over the hour that ends at its time.

    Args:
        case: The plant; its weather is drawn anew for this year.
        first: The instant with its zone at which the year begins.
        seed: Seed of the twin.
    """
    # Streams of their own, so that the year does not depend on how the twin was drawn.
    times = pd.date_range(first, periods=QUARTERS * HOURS, freq="15min")
    streams = [np.random.default_rng([seed, *name.encode()]) for name in ("year load", "year air")]
    load = case.load(case.site, times, streams[0])
    air = ambient(case.site, times, rng=streams[1], rough=False)
    hourly = [np.mean(series.reshape(HOURS, QUARTERS), axis=1) for series in (load, air)]
    labels = times[::QUARTERS] + pd.Timedelta(hours=1)
    return pd.DataFrame({"time": labels, "load": hourly[0].round(5), "ambient": hourly[1].round(4)})
