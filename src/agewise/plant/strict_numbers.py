"""Columns of a strict table as numbers within their range."""

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.errors import InputError

TEMPERATURE_RANGE = (-60.0, 250.0)
"""Lowest and highest reading of a sensor on a transformer [°C]; beyond is another unit, a code for
a missing value or a fault."""
LOAD_RANGE = (0.0, 5.0)
"""Lowest and highest load that a transformer can carry [p.u.]; beyond is percent, ampere, a load
with a sign or a fault."""


def strict_numbers(
    column: pd.Series,
    allowed: tuple[float, float],
    unit: str,
    where: str,
    *,
    empty: bool = False,
) -> Float[np.ndarray, " time"]:
    """A column as numbers within a range; the first cell that is none is refused by its line.

    Args:
        column: The cells.
        allowed: Lowest and highest number, both allowed themselves.
        unit: Their unit, for errors.
        where: What the table is called in errors.
        empty: Whether cells may be empty; text that is no number is refused all the same.
    """
    values = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    low, high = allowed
    # Negated as a whole, so that NaN, of which no comparison is true, counts as bad.
    bad = ~((values >= low) & (values <= high))
    if empty:
        bad &= ~pd.isna(column).to_numpy()
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        given = column.iloc[row]
        cell = f"{where}, line {row + 2}, column {column.name!r}"
        if pd.isna(given) or str(given).strip() == "":
            raise InputError(f"{cell}: there is no value.", hint="fill or remove that row.")
        if np.isnan(values[row]):
            raise InputError(
                f"{cell}: {str(given)!r} is not a number.", hint="write numbers as 12.5."
            )
        # Up to a hundred times too large looks like another unit, more looks like a code.
        percent = unit == "p.u." and high < values[row] <= 100 * high
        raise InputError(
            f"{cell}: {given} {unit} is outside {low:g} to {high:g}.",
            hint="if that is percent, divide by 100; if it is ampere, by the rated current."
            if percent
            else f"give values in {unit}, loads as magnitudes; remove codes for missing values.",
        )
    return values
