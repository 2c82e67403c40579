"""A clock that jumps, distinguished from missing rows by how the signals continue."""

import numpy as np
from jaxtyping import Float

from agewise.quality.bridge import bridged
from agewise.quality.rules.time_stamps import long_steps, longest_bridge, place_sides
from agewise.quality.sheet import Mask, RuleFinding, Sheet, duration
from agewise.quality.thresholds import Thresholds

LEAST_ROWS = 4
"""Fewest missing rows for which a jump of the clock and a gap look different."""
MOST_PLACES = 20
"""Number of gaps beyond which rows are just missing often, and no clock is asked about."""
SIDES = {"load": 5}
THERMOMETER_SIDE = 30
"""Number of samples on either side of a gap that say how a signal runs, by column and for the rest:
a load is less noisy than a thermometer and turns faster."""
MOST_ODDS = 3.0
"""Largest log odds that one column may give for a jump; against a jump there is no limit."""

Series = Float[np.ndarray, " row"]
"""Numbers by row of a sheet."""


def clock(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """Time stamps that jump while all signals run on as if no time had passed."""
    mask = _jumped(sheet, limits)
    rows = np.flatnonzero(mask)
    if not rows.size:
        return []
    # One step would have passed in any case.
    steps = np.diff(sheet.seconds)[rows - 1]
    lost = steps - sheet.step
    # Kept, since nobody knows which stamps are right; what lies between was not measured.
    done = "kept" if steps.max() <= longest_bridge(sheet, limits) else "kept, empty rows between"
    text = (
        f"time: the clock seems to jump by {duration(lost.max())} before line "
        f"{sheet.line(rows[lost.argmax()])}, since all signals continue as if no time had "
        f"passed; {done}."
    )
    sides = place_sides(sheet, rows)
    return [RuleFinding("clock", "", sides, 2 * rows.size, done, text, marks={"clock": mask})]


def _jumped(sheet: Sheet, limits: Thresholds) -> Mask:
    """Rows before which the clock seems to have jumped: the columns' odds together decide."""
    mask = np.zeros(sheet.seconds.size, dtype=bool)
    steps = np.diff(sheet.seconds, prepend=sheet.seconds[0]) / sheet.step
    rows = np.flatnonzero(long_steps(sheet, limits) & (steps > LEAST_ROWS + 0.5))
    if rows.size <= MOST_PLACES:
        for row in rows.tolist():
            missing_rows = round(steps[row]) - 1
            odds = sum(_log_odds(sheet, name, int(row), missing_rows) for name in sheet.columns)
            mask[row] = odds > np.log(limits.clock_odds)
    return mask


def _log_odds(sheet: Sheet, name: str, row: int, lost: int) -> float:
    """How much better `no time passed` explains one column at a place than `time passed`.

    Lines through the samples on either side say where the signal should go on; how well such lines
    do elsewhere in the file, with and without that much time between them, is their error.

    Args:
        sheet: The sheet.
        name: The column.
        row: The first row behind the gap.
        lost: Number of rows that are missing, if time has passed.

    Returns:
        Logarithm of the odds; 0 where the column cannot tell.
    """
    side = SIDES.get(name, THERMOMETER_SIDE)
    # No line fits into a record of so few rows, nor could its errors elsewhere be judged.
    if sheet.seconds.size < 2 * side:
        return 0.0
    values = bridged(sheet.seconds, sheet.columns[name], side * sheet.step)
    end, rise = _line(values, side)
    # The same from behind, in a series that is turned round: its slopes have the opposite sign.
    begin, fall = (part[::-1] for part in _line(values[::-1], side))
    # Ends that are exactly equal belong to a signal without noise that holds its value, such as no
    # load at night; it looks the same whether time has passed or not.
    if row < side or np.isnan([end[row - 1], begin[row]]).any() or end[row - 1] == begin[row]:
        return 0.0

    def miss(before: np.ndarray, behind: np.ndarray, time: int) -> np.ndarray:
        """By how much the two lines miss each other, carried on over `time` by their mean slope."""
        return begin[behind] - end[before] - time * (rise[before] - fall[behind]) / 2

    here = np.array([row - 1]), np.array([row])
    places = np.arange(side, values.size - side - lost - 1)
    # Not near the gap itself, whose own misses must not set the scale.
    places = places[np.abs(places - row) > side + lost]
    if places.size < 10 * side:
        return 0.0
    still = _spread(miss(places, places + 1, 1))
    passed = _spread(miss(places, places + 1 + lost, 1 + lost))
    if np.isnan([still, passed]).any():
        return 0.0
    odds = _log_density(miss(*here, 1)[0], still) - _log_density(miss(*here, 1 + lost)[0], passed)
    return min(MOST_ODDS, float(odds))


def _line(values: Series, side: int) -> tuple[Series, Series]:
    """End and slope (a step) of the line through the last `side` samples up to each."""
    # From the newest sample backwards, since a convolution turns its weights round. The first row
    # of the pseudo-inverse gives the value at the newest sample, the second the slope.
    away = -np.arange(side, dtype=float)
    weights = np.linalg.pinv(np.stack([np.ones(side), away], axis=1))
    fits = np.full((2, values.size), np.nan)
    for fit, weight in zip(fits, weights, strict=True):
        fit[side - 1 :] = np.convolve(values, weight, "valid")
    return fits[0], fits[1]


def _spread(misses: np.ndarray) -> float:
    """A standard deviation that outliers do not move: the 68 % quantile of absolute values."""
    sizes = np.abs(misses[~np.isnan(misses)])
    if sizes.size < 20:
        return np.nan
    return max(float(np.quantile(sizes, 0.68)), 1e-6)  # its logarithm is taken


def _log_density(miss: float, spread: float) -> float:
    """Logarithm of the density of a Student t with four degrees of freedom, up to a constant."""
    # Heavier tails than a normal distribution, so that one wild miss does not decide alone.
    return float(-np.log(spread) - 2.5 * np.log1p((miss / spread) ** 2 / 4))
