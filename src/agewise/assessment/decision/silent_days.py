"""Days of which nothing was read: how many, and what stands in for them."""

import numpy as np
import pandas as pd

from agewise.assessment.decision.finding import Finding
from agewise.assessment.oil.assessment import Assessment
from agewise.plant.profile import Profile
from agewise.units import SECONDS_PER_DAY

NAMED = 3
"""Number of silences that are named one by one; of more, the longest is."""


def measured_share(profile: Profile) -> float:
    """Share of the rows in which both air and top oil were read."""
    read = np.isfinite(profile.ambient)
    if profile.top_oil is not None:
        read = read & np.isfinite(profile.top_oil)
    return float(np.mean(read))


def silent_days(assessment: Assessment) -> list[Finding]:
    """Whether typical days stand in for days in which an end of the oil was not read."""
    last = float(assessment.profile.seconds[-1])
    silent = [
        (max(window.span.joint, 0.0), min(window.span.until, last))
        for window in assessment.windows
        if window.span.silent
    ]
    if not silent:
        return []
    lengths = [(end - begin) / SECONDS_PER_DAY for begin, end in silent]
    days = sum(lengths)
    if len(silent) <= NAMED:
        where = "; ".join(_stretch(assessment.profile, *each) for each in silent)
    else:
        longest = _stretch(assessment.profile, *silent[int(np.argmax(lengths))])
        where = f"{len(silent)} stretches, the longest {longest}"
    text = (
        f"For {days:.3g} of {last / SECONDS_PER_DAY:.3g} days there are no readings of air or "
        f"top oil ({where}). Typical days are used there, and their possible error is part of "
        "the answer; the coming days are taken from the measured ones."
    )
    return [Finding("silent", text)]


def _stretch(profile: Profile, begin: float, end: float) -> str:
    """The two instants in the words of the file."""
    start = profile.timeline.start
    if start is None:
        return f"minute {begin / 60:.0f} to {end / 60:.0f}"
    first, last = (start + pd.Timedelta(seconds=second) for second in (begin, end))
    return f"{first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M}"
