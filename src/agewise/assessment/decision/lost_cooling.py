"""What a loss of cooling explains: oil that is hotter than it should be, and no broken reading."""

from collections.abc import Iterable
from dataclasses import replace

from agewise.assessment.decision.finding import AboutData, Finding

EXPLAINED = ("nameplate", "promise", "bias")
"""Kinds of findings about the top oil that lost cooling brings about: it misses model and promise,
and begins to do so within hours, which looks like a step of its thermometer."""
DATA_ERROR = 0.1
"""Chance that hotter oil which looks like lost cooling is an error of the data all the same: a gain
of the thermometer, or a load that is too small from one day on. A choice, not a measurement."""
TOP_OIL = "top_oil"
"""Column of the top oil's readings."""
REMARK = " A loss of cooling would explain this."
"""What is added to a finding that has such a cause."""


def explained_by_cooling(findings: Iterable[Finding]) -> list[Finding]:
    """Findings of a record whose cooling was lost, which no longer undermine the answer.

    They have one cause, so the largest doubt stands for all, as a mixture of both causes has it:
    with a chance of `DATA_ERROR` the readings are off by as much as it says, else not at all.
    """
    everything = list(findings)
    concerned = [finding for finding in everything if _concerns(finding)]
    largest = max(concerned, key=lambda finding: finding.doubt_k, default=None)
    return [
        _explained(finding, counts=finding is largest) if finding in concerned else finding
        for finding in everything
    ]


def _concerns(finding: Finding) -> bool:
    if finding.kind not in EXPLAINED or not finding.doubt_k:
        return False
    # A step of another thermometer has nothing to do with the oil.
    return not isinstance(finding, AboutData) or finding.about.column == TOP_OIL


def _explained(finding: Finding, *, counts: bool) -> Finding:
    doubt = DATA_ERROR**0.5 * finding.doubt_k if counts else 0.0
    return replace(finding, text=finding.text + REMARK, mend="", doubt_k=doubt)
