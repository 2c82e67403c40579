"""What every section of the answer is made of: a strict base, spreads, intervals and instants."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Positive = Annotated[float, Field(ge=0)]
"""A number of zero or more."""
Probability = Annotated[float, Field(ge=0, le=1)]
"""A probability or a share, from 0 to 1."""
Interval = tuple[float, float]
"""Lower and upper end of a central interval."""
OpenInterval = tuple[float | None, float | None]
"""Lower and upper end of a central interval in years; None (null) for an end beyond the horizon."""
Instant = str | float
"""ISO 8601 in the profile's time zone; minutes where the profile counts minutes."""


class Part(BaseModel):
    """A section of the answer: frozen, complete, finite, and with no field but those declared.

    The docstrings of the attributes become the descriptions of the JSON Schema.
    """

    # JSON has neither infinity nor NaN: a number that is one must not get as far as a file.
    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True
    )


class Spread(Part):
    """A distribution in five numbers; the unit is that of the quantity it describes."""

    mean: float
    """Mean over the draws."""
    std: Positive
    """Standard deviation over the draws."""
    interval_50: Interval
    """Central interval that holds half of the draws."""
    interval_90: Interval
    """Central interval that holds nine draws in ten."""
