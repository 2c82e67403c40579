"""A permitted load as the calculator's page shows it and its JSON twin gives it."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from agewise.assessment.rating.request import AMBIENT_RANGE, LONGEST_H, RatingRequest
from agewise.transformer.prognostics.rating import BINDING

LimitName = Literal["normal cyclic", "long emergency", "short emergency"]
"""Kinds of loading whose limits may hold."""


class RatingQuery(BaseModel):
    """How long a constant load is to be carried, at which risk and up to which limits."""

    hours: Annotated[float, Field(gt=0, le=LONGEST_H, allow_inf_nan=False)] = 4.0
    """How long the load is held from the end of the record on [h]."""
    risk: Annotated[float, Field(gt=0, le=0.5, allow_inf_nan=False)] = 0.05
    """Probability that a temperature passes its limit at any moment of these hours."""
    ambient: Annotated[
        float | None, Field(ge=AMBIENT_RANGE[0], le=AMBIENT_RANGE[1], allow_inf_nan=False)
    ] = None
    """Air temperature, held [°C]; the highest of the record's last day if left out."""
    limit: LimitName = "normal cyclic"
    """Kind of loading whose limits hold."""

    def request(self) -> RatingRequest:
        """The same as the calculation takes it."""
        return RatingRequest(self.hours, self.risk, self.ambient, self.limit)


class RatingTable(BaseModel):
    """Permitted loads by air and hours."""

    ambient: list[float]
    """Air temperatures of the rows [°C]."""
    hours: list[float]
    """Durations of the columns [h]."""
    load: list[list[float]]
    """Permitted loads [p.u.]."""
    binding: list[list[str]]
    """What keeps each from being more."""


class RatingView(BaseModel):
    """The load that the coming hours permit."""

    asset: str
    """The asset that it is about."""
    load: float
    """Permitted load [p.u.]."""
    binding: str
    """What keeps it from being more: hot spot, top oil or current."""
    risk: float
    """Probability that a temperature passes its limit at that load."""
    ambient: float
    """Air temperature that was taken [°C]."""
    ambient_source: str
    """Where that is from."""
    limits: dict[str, float]
    """Limits of the temperatures [°C] and of the load [p.u.]."""
    table: RatingTable
    """Permitted loads by air and hours."""
    findings: list[str]
    """What to know before relying on it."""
    cooling: str
    """Whether the unit is cooled as its nameplate says, in a sentence."""
    cooling_alarm: bool
    """Whether less should be permitted, since the oil is hotter than load and air explain."""

    @property
    def binding_text(self) -> str:
        """What keeps the load from being more, in words."""
        return BINDING[self.binding]


def rating_view(asset: str, result: dict[str, Any]) -> RatingView:
    """What `agewise rating` gives, as a page shows it."""
    return RatingView.model_validate(
        result
        | {
            "asset": asset,
            "findings": [finding["text"] for finding in result["findings"]],
            "cooling": result["cooling"]["text"],
            "cooling_alarm": result["cooling"]["alarm"],
        }
    )
