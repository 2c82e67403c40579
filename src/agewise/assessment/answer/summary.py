"""The answer in numbers and words: the model behind `summary.json` and its JSON Schema."""

from typing import Any, Literal

from pydantic import Field

from agewise.assessment.answer.base import Instant, Part, Positive, Probability, Spread
from agewise.assessment.answer.life import Life
from agewise.assessment.answer.scenario import ScenarioHotSpot
from agewise.assessment.answer.scores import ScoresSection
from agewise.plant.cost import Cost


class ChosenSettings(Part):
    """How the profile was assessed, apart from method and seed."""

    preset: str
    """Name of the network's preset."""
    aleatoric: str
    """Whether a network's noise may differ from place to place."""
    discrepancy: Positive
    """Rate by which the heat equation itself may be wrong [K/h]."""
    hold: str
    """Whether a load holds over the interval that ends at its time stamp or begins there."""
    ignore_interior: bool
    """Whether sensors inside the oil were left aside."""
    as_given: bool = False
    """Whether nameplate and heat equation were taken as they are, with nothing learned."""
    standard: str | None = None
    """Loading guide that was asked for; null where the nameplate decides."""
    quick: bool
    """Whether a rougher answer was asked for."""
    window_days: float | None
    """Length of the windows of a long record [days]; null for the method's own."""
    network: dict[str, Any] | None
    """How a network is built and trained; null where its preset decides."""


class RecordWindow(Part):
    """The stretch of time that was observed."""

    start: str
    """First time stamp, as the profile writes it."""
    end: str
    """Last time stamp, as the profile writes it."""
    hours: Positive
    """Length of the record [h]."""
    samples: int = Field(ge=2)
    """Number of rows."""
    pieces: int = Field(ge=1)
    """Number of overlapping windows in which the record was fitted."""
    measured_share: Probability = 1.0
    """Share of the rows in which both air and top oil were read."""


class Finding(Part):
    """Something to know before believing the answer."""

    kind: str
    """What it is about, in a word."""
    text: str
    """A sentence for people."""
    cost: Cost = "informs"
    """What it costs: `stops` the answer, `widens` it or questions what it stands on, `informs`."""
    undermines: bool = False
    """Whether there is no answer while it stands."""
    doubt_k: Positive = 0.0
    """Standard deviation of the error of the oil that it makes likely, and widens the answer by
    [K]."""


class DataFinding(Finding):
    """A finding about the measurements: where it is, and what was done about it."""

    column: str
    """Column concerned; empty for rows and times, several names with commas."""
    rows: int = Field(ge=0)
    """Number of rows concerned."""
    start: str
    """Time stamp of the first row concerned, as the file writes it."""
    end: str
    """Time stamp of the last row concerned, as the file writes it."""
    done: str
    """What was done: kept, left out, interpolated, sorted, ..."""


class HotSpot(Spread):
    """The highest hot-spot temperature of the window [°C], with every uncertainty."""

    epistemic_std: Positive
    """Standard deviation from the uncertainty of the oil temperature alone [K]."""
    time: Instant
    """When it was reached: ISO 8601 in the profile's zone, or minutes."""
    height: Positive
    """Height above the tank's bottom at which it was reached [m]."""
    iec: float
    """Highest hot spot by the plain answer of IEC 60076-7 [°C]."""
    ieee: float | None = None
    """Highest hot spot by the plain answer of IEEE C57.91 [°C]; null where it lacks something."""


class LossAtHeight(Spread):
    """Life used in the window at one height [h], with every uncertainty."""

    height: Positive
    """Height above the tank's bottom [m]."""
    field_mean: float
    """Mean with the uncertainty of the oil temperature alone [h]."""
    field_std: Positive
    """Standard deviation from the uncertainty of the oil temperature alone [h]."""
    field_interval_50: tuple[float, float]
    """Central 50 % interval from the uncertainty of the oil temperature alone [h]."""
    field_interval_90: tuple[float, float]
    """Central 90 % interval from the uncertainty of the oil temperature alone [h]."""


class LossOfLife(Part):
    """Life used in the window [h], by height."""

    worst: LossAtHeight
    """At the height that ages fastest."""
    middle: LossAtHeight = Field(alias="0.5 H")
    """At half of the tank's height."""
    upper: LossAtHeight = Field(alias="0.8 H")
    """At 0.8 of the tank's height."""
    top: LossAtHeight = Field(alias="1 H")
    """At the top of the tank."""
    iec: Positive
    """Life used by the plain answer of IEC 60076-7 [h]."""
    ieee: Positive | None = None
    """Life used by the plain answer of IEEE C57.91 [h]; null where it lacks something."""

    def by_name(self) -> dict[str, LossAtHeight]:
        """Life used at every height, by its name in `summary.json`, such as `0.5 H`."""
        return {
            "worst": self.worst,
            "0.5 H": self.middle,
            "0.8 H": self.upper,
            "1 H": self.top,
        }


class Limit(Part):
    """A temperature limit of IEC 60076-7, and whether it was passed in the window."""

    name: str
    """Kind of loading that the limit belongs to, such as `normal cyclic`."""
    quantity: Literal["hot spot", "top oil"]
    """The temperature that is limited."""
    limit: float
    """The limit [°C]."""
    probability: Probability
    """Probability that it was passed at any moment of the window."""
    hours: Positive
    """Expected time above the limit [h]."""
    iec: bool
    """Whether the plain answer of IEC 60076-7 passes it."""


class Cooling(Part):
    """Whether the unit is cooled as its nameplate says."""

    factor: float | None
    """Rise of the top oil over what load and air explain; null where the record is too short."""
    std: float | None
    """Standard deviation of that factor."""
    alarm: bool
    """Whether the oil is hotter than load and air explain."""
    since: Instant | None
    """When the alarm began: ISO 8601 in the profile's zone, or minutes."""
    text: str
    """The verdict in a sentence."""
    cooler: bool = False
    """Whether the oil is cooler than nameplate, load and air explain."""
    wrong_readings: float | None = None
    """Chance that oil which is hotter is an error of the data, and no lost cooling; null where
    there is no alarm."""


class Constant(Part):
    """A constant of the unit: what the nameplate says of it, and what the measurements teach."""

    name: str
    """Name of the field of the nameplate; its unit is the end of the name."""
    origin: Literal["given", "assumed"]
    """Whether the nameplate gives it, or a table of the guide."""
    before: float
    """Value by the nameplate or the table."""
    before_std: Positive
    """Standard deviation with which that was believed."""
    learned: float | None
    """Mean that was learned from the measurements; null where they teach nothing of it."""
    learned_std: Positive | None
    """Standard deviation of what was learned."""


class Decision(Part):
    """What to do, and why."""

    action: Literal["load on", "watch", "act", "cannot tell"]
    """What is advised; `cannot tell` where the data undermine every answer."""
    reason: str
    """Why, in a sentence."""
    narrow_by: str
    """The measurement that would narrow the uncertainty most; empty where nothing can be told."""
    mend: str = ""
    """What to mend before there can be an answer; empty where there is one."""
    changes: str = ""
    """What would change the decision, in a sentence."""


class Summary(Part):
    """The answer of an assessment in numbers and words, as `summary.json` holds it.

    Examples:
        >>> import agewise
        >>> files = "demo/profile.csv", "demo/nameplate.toml"
        >>> fitted = agewise.assess(*files, method="line", quick=True)
        >>> summary = agewise.conclusion(fitted).summary
        >>> summary.decision.action in ("load on", "watch", "act", "cannot tell")
        True
    """

    standard: Literal["iec", "ieee"] = "iec"
    """Loading guide that winding, ageing and life follow: IEC 60076-7 or IEEE C57.91."""
    method: str
    """Name of the inference method."""
    seed: int = Field(ge=0)
    """Seed of the random numbers."""
    settings: ChosenSettings
    """The other settings."""
    seconds: Positive | None = None
    """Time that the fit took [s]; null where nobody measured it."""
    versions: dict[str, str] = Field(default_factory=dict)
    """Versions of Python and of the packages behind a stored answer."""
    window: RecordWindow
    """The stretch of time that was observed."""
    findings: tuple[DataFinding | Finding, ...]
    """What to know before believing the answer, the gravest first."""
    hot_spot: HotSpot
    """The highest hot-spot temperature of the window."""
    loss_of_life: LossOfLife
    """Life used in the window."""
    constants: tuple[Constant, ...] = ()
    """Constants of oil and winding: given, assumed and learned."""
    profile_error: Positive | None = None
    """How far sensors inside found the oil from its heat equation, as a share of the difference
    between top and bottom; null without such sensors."""
    limits: tuple[Limit, ...]
    """Every temperature limit of IEC 60076-7."""
    scenario: ScenarioHotSpot | None = None
    """The highest hot-spot temperature of the scenario; null without one."""
    cooling: Cooling
    """Whether the unit is cooled as its nameplate says."""
    life: Life
    """What is left of the insulation's life, and how long that lasts."""
    decision: Decision
    """What to do, and why."""
    scores: ScoresSection | None
    """Scores against a twin's truth; null without one."""

    def as_json(self) -> dict[str, Any]:
        """The answer as `summary.json` holds it: plain objects, lists, strings and numbers."""
        # By alias, since heights have names such as `0.5 H` that no attribute can have.
        return self.model_dump(mode="json", by_alias=True)


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of `summary.json`."""
    # As it is written, where fields with a default are always there.
    schema = Summary.model_json_schema(mode="serialization", by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema
