"""What a finding costs the answer: the one rule that orders findings wherever they are shown."""

from collections.abc import Iterable
from typing import Literal, Protocol, TypeVar, runtime_checkable

Cost = Literal["stops", "widens", "informs"]
"""Whether there is no answer while a finding stands; whether the finding widens the answer or
questions what it stands on; or whether it only informs."""

QUESTIONING = (
    "impossible",
    "doubt",
    "run",
    "training",
    "scenario",
    "cooling",
    "heatless",
    "bias",
    "cold",
    "thermometer",
    "misfit",
    "promise",
    "nameplate",
    "learned",
    "rare",
    "ragged",
    "leap",
    "rating",
    "method",
    "sureness",
    "samples",
    "past",
    "alive",
    "air",
    "silent",
    "switched",
    "beyond the guide",
    "stages",
    "quick",
    "short record",
    "short scenario",
    "assumed",
)
"""Kinds of findings that widen an answer or question what it stands on, the costliest first."""
INFORMING = (
    "swapped",
    "clock",
    "range",
    "stuck",
    "spikes",
    "interpolated",
    "gap",
    "sentinel",
    "unreadable",
    "words",
    "missing",
    "duplicates",
    "unsorted",
    "irregular",
    "reverse",
    "guess",
    "converted",
    "joined",
    "ignored",
)
"""Kinds of findings that say what was done with a file: first what was lost, then what was read."""
LEVELS: tuple[Cost, ...] = ("stops", "widens", "informs")
"""What findings cost, the costliest first."""


@runtime_checkable
class Costing(Protocol):
    """What the cost of a finding depends on."""

    @property
    def kind(self) -> str:
        """What it is about, in a word or two."""
        ...

    @property
    def mend(self) -> str:
        """What to mend before there can be an answer; empty where there is one."""
        ...

    @property
    def doubt_k(self) -> float:
        """Standard deviation of an error of the oil that it makes likely [K]."""
        ...


F = TypeVar("F", bound=Costing)


def cost(finding: Costing) -> Cost:
    """What a finding costs the answer."""
    if finding.mend:
        return "stops"
    # A kind that nobody has placed is taken seriously.
    return "informs" if finding.kind in INFORMING and finding.doubt_k == 0 else "widens"


def by_cost(findings: Iterable[F]) -> list[F]:
    """Findings in the order of what they cost: what stops the answer, what widens it, the rest.

    Among those that widen it, an error of the oil comes first, the largest before all others; the
    rest follows the order of the kinds above. Findings that cost the same keep their order.
    """
    return sorted(findings, key=_rank)


def _rank(finding: Costing) -> tuple[int, float, int]:
    kinds = QUESTIONING + INFORMING
    place = kinds.index(finding.kind) if finding.kind in kinds else -1
    level = cost(finding)
    # How wrong the oil may be says nothing more where there is no answer.
    doubt = finding.doubt_k if level == "widens" else 0.0
    return LEVELS.index(level), -doubt, place
