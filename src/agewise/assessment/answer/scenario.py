"""The section `scenario` of the answer: how hot the days get that were asked about."""

from typing import Literal

from agewise.assessment.answer.base import Part, Positive, Probability, Spread


class ScenarioLimit(Part):
    """A limit of the hot spot by IEC 60076-7, and how likely the scenario passes it."""

    name: Literal["normal cyclic", "long emergency", "short emergency"]
    """Kind of loading that the limit belongs to."""
    limit: float
    """The limit [°C]."""
    probability: Probability
    """Probability that the scenario passes it at any moment."""
    hours: Positive | None = None
    """Expected time of the scenario above it [h]; None in runs of earlier versions."""


class ScenarioHotSpot(Spread):
    """The highest hot-spot temperature of the scenario [°C], with every uncertainty."""

    iec: float
    """Highest hot spot of the scenario by the plain answer of IEC 60076-7 [°C]."""
    highest_load: Positive
    """Highest load of the scenario [p.u.]."""
    limits: tuple[ScenarioLimit, ...]
    """Every limit of the hot spot."""
