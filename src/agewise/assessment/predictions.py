"""Questions to an assessment at points of a file."""

import numpy as np
import pandas as pd

from agewise.assessment.oil.assessment import Assessment
from agewise.errors import InputError
from agewise.plant.timeline import zoned_instants
from agewise.units import SECONDS_PER_MINUTE


def predictions_at(assessment: Assessment, points: pd.DataFrame, *, where: str) -> pd.DataFrame:
    """Oil [°C] with its epistemic, aleatoric and total standard deviation [K] at each row.

    `points` has `time`, written as in the profile, and `height` as a fraction of the tank's.
    """
    for name in ("time", "height"):
        if name not in points:
            raise InputError(
                f"{where} lacks the column {name!r}.", hint="points have the columns time, height."
            )
    seconds = _seconds(assessment, points["time"], where)
    heights = pd.to_numeric(points["height"], errors="coerce").to_numpy(dtype=float)
    last = assessment.profile.seconds[-1]
    for name, values, high in (("height", heights, 1.0), ("time", seconds, last)):
        bad = ~((values >= 0) & (values <= high))
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            raise InputError(
                f"{where}, line {row + 2}: {name} {points[name].iloc[row]} is outside the run.",
                hint="heights are fractions from 0 to 1; times lie within the profile's.",
            )
    told = assessment.predict_at(heights, seconds)
    return points[["time", "height"]].assign(
        oil=told.mean,
        epistemic_std=np.sqrt(told.epistemic),
        aleatoric_std=np.sqrt(told.aleatoric),
        total_std=np.sqrt(told.total),
    )


def _seconds(assessment: Assessment, column: pd.Series, where: str) -> np.ndarray:
    """Seconds from the start of the profile; points may be in any order and repeat."""
    own = assessment.profile.timeline
    if own.start is None:
        first = float(own.labels.iloc[0])
        minutes = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float)
        return (minutes - first) * SECONDS_PER_MINUTE
    return np.asarray((zoned_instants(column, where) - own.start).total_seconds())
