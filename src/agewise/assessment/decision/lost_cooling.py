"""What a loss of cooling explains: oil that is hotter than it should be, and no broken reading."""

from collections.abc import Iterable
from dataclasses import replace

from agewise.assessment.decision.finding import Finding

EXPLAINED = "nameplate"
"""Kind of the finding that load and air miss the measured oil, which lost cooling brings about."""
REMARK = " A loss of cooling would explain this."
"""What is added to it."""


def explained_by_cooling(
    findings: Iterable[Finding], wrong_readings: float, promised_k: float
) -> list[Finding]:
    """Findings of a record whose cooling was lost, which no longer undermine the answer.

    An error of the readings that is there with a chance $p$ has a standard deviation of $\\sqrt{p}$
    times its size.

    Args:
        findings: All findings.
        wrong_readings: That chance.
        promised_k: Doubt of the same cause that the hottest hours have already shown [K]: it
            counts once.
    """

    def explained(finding: Finding) -> Finding:
        doubt = max((wrong_readings * finding.doubt_k**2 - promised_k**2), 0.0) ** 0.5
        return replace(finding, text=finding.text + REMARK, mend="", doubt_k=doubt)

    return [
        explained(finding) if finding.kind == EXPLAINED and finding.doubt_k else finding
        for finding in findings
    ]
