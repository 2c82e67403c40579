"""The section `life` of the answer: what is left of the insulation, and how long that lasts."""

from typing import Literal

from pydantic import Field

from agewise.assessment.answer.base import OpenInterval, Part, Positive, Probability, Spread

Source = Literal["epistemic", "aleatoric", "sensor bias", "nameplate", "ageing law", "future"]
"""Where uncertainty comes from."""


class UsedBefore(Part):
    """Life that was used before the window began."""

    mean: float
    """Mean of the hours of life used before the window [h]."""
    std: Positive
    """Standard deviation of those hours [h]."""
    source: Literal["nameplate", "estimated", "unknown"]
    """Given by the nameplate, estimated from the years in service, or unknown and taken as none."""


class Survival(Part):
    """What follows from the fact that the unit runs today."""

    dropped: Probability
    """Share of what was believed before in which the insulation would be used up today; it is left
    out of every other number."""
    past_doubted: bool
    """Whether next to nothing else was left, so that the life used before the window is taken to be
    any share of the life, whatever the nameplate or the years in service say."""


class PaperSample(Part):
    """A sample of paper or oil that the nameplate gives."""

    name: str
    """Name of the field in the nameplate's `evidence`; its unit is the end of the name."""
    value: float
    """What was measured."""
    std: Positive
    """Standard deviation of it, as given or usual."""
    date: str | None
    """Day of the sample (ISO 8601); null for the end of the window."""


class SampleEffect(Part):
    """What the samples changed."""

    samples: tuple[PaperSample, ...]
    """The samples."""
    share_used_before: Spread
    """Share of the life that is used today, before the samples were considered."""
    share_used: Spread
    """Share of the life that is used today."""
    years_before: OpenInterval
    """Central 90 % interval of the years left, before the samples were considered."""
    median_before: float | None
    """Median of the years left before; null beyond the horizon."""


class RemainingYears(Part):
    """Years from the end of the window to the end of the insulation's life."""

    median: float | None
    """Median number of years left; null beyond the horizon."""
    interval_50: OpenInterval
    """Central interval of the years left that holds half of the draws."""
    interval_90: OpenInterval
    """Central interval of the years left that holds nine draws in ten."""
    beyond_horizon: Probability
    """Probability that the insulation outlasts the horizon."""
    iec: float | None
    """Years left by the plain answer of IEC 60076-7; null beyond the horizon."""
    ieee: float | None = None
    """Years left by the plain answer of IEEE C57.91; null beyond the horizon, or where it lacks
    something."""


class EndBefore(Part):
    """The probability that the insulation ends before a date."""

    years: Positive
    """Years counted from the end of the window."""
    date: str | None
    """The date that many years ahead (ISO 8601); null where the profile has no dates."""
    probability: Probability
    """Probability that the insulation's life ends before that date."""


class Life(Part):
    """What is left of the insulation's life, how long that lasts, and what makes it uncertain."""

    basis: Literal["observed days", "scenario"]
    """Whether the days to come repeat the observed ones or follow a scenario."""
    horizon_years: Positive
    """Years beyond which no end of life is looked for."""
    used_before: UsedBefore
    """Life used before the window [h]."""
    survival: Survival | None = None
    """What follows from the fact that the unit runs; null in runs made before it was asked."""
    evidence: SampleEffect | None = None
    """What samples of paper and oil changed; null where there are none."""
    remaining_hours: Spread
    """Hours of life left at the end of the window, at the paper's reference temperature [h]."""
    recurrence_hours: float
    """Mean of the same hours, added up by the recurrence RUL(n) = RUL(n-1) - V(n) dt [h]."""
    yearly_loss_hours: Spread
    """Hours of life that a year of the days to come uses [h]."""
    remaining_years: RemainingYears
    """Years until the end of life."""
    end_before: tuple[EndBefore, ...]
    """Probability of an end of life before some dates."""
    sources: dict[Source, Probability]
    """Shares of the variance of the years left, by where the uncertainty comes from."""
    loss_sources: dict[Source, Probability]
    """Shares of the variance of the life used in the window, by source."""
    quantities: dict[str, Probability]
    """Shares of the variance of the years left, by the quantity that is not known exactly."""
    draws: int = Field(ge=1)
    """Number of draws of the uncertain quantities."""
    futures: int = Field(ge=1)
    """Number of possible futures that were lived through."""
