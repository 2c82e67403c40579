"""Oil that is cooler than any air about it: a thermometer or a column is wrong."""

from dataclasses import replace

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from agewise.quality.sheet import RuleFinding, Sheet, rule_findings
from agewise.quality.thresholds import Thresholds

NEARBY = "24h"
"""Time about an instant in which the lowest air is sought: oil remembers the air of some hours."""
MARGIN_K = 1.0
"""How far oil may read below that lowest air [K]: both thermometers have errors."""
COLD_SHARE = 0.10
"""Share of the readings below it that no sound record has. On sound twins with light load, load by
night and sun on the air's thermometer it was 0, with columns exchanged throughout 0.17 and more
(`benchmarks/exchanged.py --seeds 100-139`)."""
MEND = "See whether the columns ambient and top_oil are exchanged, and where each thermometer is."
"""What to mend where oil is cooler than any air about it."""

Rows = Float[np.ndarray, " row"]


def cold(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """Oil cooler than any air about it, where nothing says that the two columns are exchanged."""
    del limits  # no threshold of its own: noise and sun do not reach that far
    if "top_oil" not in sheet.columns or not sheet.has_air or sheet.swapped.any():
        return []
    air, oil = sheet.columns["ambient"], sheet.columns["top_oil"]
    if cold_share(sheet.seconds, air, oil) < COLD_SHARE:
        return []
    text = "cooler than the coldest air of the day, as no transformer's oil is,"
    findings = rule_findings(
        sheet, "cold", "top_oil", _cold(sheet.seconds, air, oil), text, done="kept"
    )
    return [replace(finding, mend=MEND) for finding in findings]


def cold_share(seconds: Rows, air: Rows, oil: Rows) -> float:
    """Share of the readings in which oil is cooler than all air within half a day of it.

    Cooler than the air of the moment is nothing unusual: oil follows a warm morning hours later,
    and sun makes the air's thermometer read high. Cooler than the coldest air of the day cannot be.

    Args:
        seconds: Instants [s], increasing.
        air: Temperature of the air [°C]; NaN where it is not known.
        oil: Temperature of the top oil [°C]; NaN where it is not known.
    """
    both = ~np.isnan(oil) & ~np.isnan(air)
    return float(np.mean(_cold(seconds, air, oil)[both])) if both.any() else 0.0


def _cold(seconds: Rows, air: Rows, oil: Rows) -> Bool[np.ndarray, " row"]:
    """Rows in which oil is cooler than all air within half a day of it; none without a reading."""
    by_time = pd.Series(air, index=pd.to_timedelta(seconds, unit="s"))
    lowest = by_time.rolling(NEARBY, center=True, min_periods=1).min().to_numpy()
    return oil < lowest - MARGIN_K
