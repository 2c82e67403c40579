"""Predictions of an assessment at points that a table lists."""

import numpy as np
import pandas as pd

from agewise.assessment.oil.assessment import Assessment
from agewise.errors import InputError
from agewise.plant.timeline import zoned_instants
from agewise.units import SECONDS_PER_MINUTE


def predictions_at(assessment: Assessment, points: pd.DataFrame, *, where: str) -> pd.DataFrame:
    """Oil [°C] with its epistemic, aleatoric and total standard deviation [K] at each row.

    Args:
        assessment: The fitted profile.
        points: A table with `time`, written as in the profile, and `height` as a fraction of the
            tank's.
        where: What the table is called in errors, such as the path of its file.
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
        # Negated, so that what is not a number is refused too.
        bad = ~((values >= 0) & (values <= high))
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            # People count lines from 1, and the first is the header.
            raise InputError(
                f"{where}, line {row + 2}: {name} {points[name].iloc[row]} is outside the run.",
                hint="heights are fractions from 0 to 1; times lie within the profile's.",
            )
    prediction = assessment.predict_at(heights, seconds)
    return points[["time", "height"]].assign(
        oil=prediction.mean,
        epistemic_std=np.sqrt(prediction.epistemic),
        aleatoric_std=np.sqrt(prediction.aleatoric),
        total_std=np.sqrt(prediction.total),
    )


def _seconds(assessment: Assessment, column: pd.Series, where: str) -> np.ndarray:
    """Seconds from the start of the profile; points may be in any order and repeat."""
    timeline = assessment.profile.timeline
    if timeline.start is None:
        # A profile that counts minutes need not begin at 0.
        first = float(timeline.labels.iloc[0])
        minutes = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float)
        return (minutes - first) * SECONDS_PER_MINUTE
    return np.asarray((zoned_instants(column, where) - timeline.start).total_seconds())
