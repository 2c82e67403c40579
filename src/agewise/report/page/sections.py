"""What stands around the answer and the figures: findings, limits, cooling, heights, settings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agewise.assessment.answer.summary import DataFinding, RecordWindow
from agewise.report.inputs import ReportInputs
from agewise.report.page.answer import Badge
from agewise.report.wording import (
    integer,
    label,
    life,
    life_interval,
    life_nearly,
    moment,
    number,
    percent,
)

KINDS = {
    "alive": "in service",
    "past": "earlier years",
    "promise": "nameplate",
    "bias": "thermometer",
    "heatless": "load",
    "doubt": "oil temperature",
    "rare": "rows far apart",
    "silent": "missing days",
    "misfit": "fit",
    "leap": "jumps",
    "sureness": "too sure",
    "impossible": "not possible",
}
"""What kinds of findings are called where their own name would puzzle a reader."""
LIKELY, POSSIBLE = 0.5, 0.05
"""Probabilities of exceeding a limit from which its cell turns red, and yellow [1]."""


@dataclass(frozen=True)
class Findings:
    """What a person should know before relying on the answer."""

    remarks: tuple[tuple[str, str], ...]
    """Kind and sentence of each finding that stops or widens the answer or is not about the file,
    the costliest first."""
    data: tuple["DataRow", ...]
    """Findings about the file that only inform."""


@dataclass(frozen=True)
class DataRow:
    """A row of the table of findings about the measurements."""

    kind: str
    """What it is about, in a word."""
    column: str
    """Columns of the file concerned."""
    rows: str
    """Number of rows concerned."""
    start: str
    """Time stamp of the first row concerned."""
    end: str
    """Time stamp of the last row concerned."""
    done: str
    """What was done about it."""
    text: str
    """A sentence for people."""


@dataclass(frozen=True)
class LimitRow:
    """A row of the table of limits."""

    name: str
    """Kind of loading that the limit belongs to."""
    quantity: str
    """The temperature that is limited."""
    limit: str
    """The limit with its unit."""
    probability: Badge
    """How likely it was exceeded in the window."""
    hours: str
    """Expected time above it."""
    plain: str
    """Whether the plain answer exceeds it."""


@dataclass(frozen=True)
class HeightRow:
    """A row of the table of life used by height."""

    name: str
    """Name of the height."""
    height: str
    """Height above the tank's bottom with its unit."""
    used: str
    """Life used with every uncertainty."""
    interval: str
    """Its central 90 % interval."""
    oil_only: str
    """Life used with the uncertainty of the oil temperature only."""


@dataclass(frozen=True)
class NamedValues:
    """A table of names and values under a caption."""

    caption: str
    """What the values are about."""
    values: tuple[tuple[str, str], ...]
    """Names, each with its value."""


def introduction(inputs: ReportInputs) -> str:
    """Which window was assessed, by which method."""
    window, zone = inputs.summary.window, inputs.profile.timeline.timezone
    return (
        f"{moment(window.start)} to {moment(window.end)}{f' ({zone})' if zone else ''}: "
        f"{integer(window.samples)} samples over {number(window.hours)} h"
        f"{_measured(window)}. Method: {inputs.summary.method}{_pieces(window)}."
    )


def _measured(window: RecordWindow) -> str:
    """How much of the record was measured, where that is not nearly all."""
    percent = round(100 * window.measured_share)
    return f", {percent} % of them with air and top oil measured" if percent < 100 else ""


def _pieces(window: RecordWindow) -> str:
    """In how many windows a long record was fitted."""
    if window.pieces == 1:
        return ""
    return f", in {integer(window.pieces)} windows that overlap and are blended into each other"


def findings(inputs: ReportInputs) -> Findings:
    """What costs the answer something, the costliest first, and what was done with the file."""
    reported = inputs.summary.findings
    table = [one for one in reported if isinstance(one, DataFinding) and one.cost == "informs"]
    remarks = [one for one in reported if one not in table]
    named = ((KINDS.get(remark.kind, remark.kind), remark.text) for remark in remarks)
    return Findings(tuple(named), tuple(map(_data_row, table)))


def _data_row(finding: DataFinding) -> DataRow:
    return DataRow(
        finding.kind,
        finding.column.replace(",", ", ") or "time",  # none: about rows and their times
        integer(finding.rows),
        label(finding.start),
        label(finding.end),
        finding.done,
        finding.text,
    )


def limits(inputs: ReportInputs) -> tuple[LimitRow, ...]:
    """The limits of IEC 60076-7, and how likely each was exceeded in the window."""
    draws = inputs.summary.life.draws
    return tuple(
        LimitRow(
            limit.name,
            limit.quantity,
            f"{limit.limit:g} °C",
            _graded(limit.probability, draws),
            life(limit.hours),
            "exceeded" if limit.iec else "not exceeded",
        )
        for limit in inputs.summary.limits
    )


def _graded(probability: float, draws: int) -> Badge:
    tone = "bad" if probability >= LIKELY else "watch" if probability >= POSSIBLE else "good"
    return Badge(percent(probability, draws), tone)


def cooling(inputs: ReportInputs) -> Badge:
    """Whether the unit is cooled as its nameplate says, in two words."""
    check = inputs.summary.cooling
    if check.factor is None:
        return Badge("Not checked", "watch")
    if check.cooler:
        return Badge("Cooler than expected", "watch")
    return Badge("Alarm", "bad") if check.alarm else Badge("As expected", "good")


def used_by_height(inputs: ReportInputs) -> tuple[HeightRow, ...]:
    """The life used in the window at the height that ages fastest and at others."""
    return tuple(
        HeightRow(
            "fastest ageing" if name == "worst" else name,
            f"{loss.height:.2f} m",
            life(loss.mean, loss.std, beside=loss.interval_90[1]),
            life_interval(loss.interval_90),
            life_nearly(loss.field_mean, loss.field_std, beside=loss.interval_90[1]),
        )
        for name, loss in inputs.summary.loss_of_life.by_name().items()
    )


def provenance(inputs: ReportInputs) -> tuple[NamedValues, ...]:
    """How the answer was made: enough to make it again."""
    summary = inputs.summary
    run = {
        "method": summary.method,
        "seed": summary.seed,
        "time of the fit [s]": None if summary.seconds is None else number(summary.seconds),
        "draws of the uncertain quantities": summary.life.draws,
        "simulated courses": summary.life.futures,
        "horizon [years]": number(inputs.horizon),
    }
    # Only a twin has a truth; a table without values is left out below.
    scores = {} if summary.scores is None else summary.scores.model_dump()
    tables = {
        "Run": run,
        "Settings": summary.settings.model_dump(),
        "Versions": summary.versions,
        "Scores against the twin's truth": scores,
    }
    return tuple(
        NamedValues(caption, tuple(leaves(values))) for caption, values in tables.items() if values
    )


def leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Names and values of a nested mapping; lists and what is missing are left out."""
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{prefix}{name}.")
        elif value is not None and not isinstance(value, list | tuple):
            yield f"{prefix}{name}", f"{value:.4g}" if isinstance(value, float) else str(value)
