"""A finished run as `agewise rating` needs it, and what is said of it beside any rating."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agewise.cli.console import answer

if TYPE_CHECKING:
    import pandas as pd

    from agewise.assessment.answer.summary import Summary
    from agewise.assessment.decision.cooling_verdict import CoolingCheck
    from agewise.assessment.oil.assessment import Assessment
    from agewise.plant.measures import Rated

CAUTION = "the rating assumes the cooling of the nameplate: with less cooling, permit less load."
"""What is said beside a rating where the cooling check raises an alarm."""


@dataclass(frozen=True)
class RatedRun:
    """A finished run, and what is said of it beside any rating."""

    assessment: "Assessment"
    """The fitted profile."""
    summary: "Summary"
    """The answer, which knows more than the profile: a run keeps what was repaired."""
    cooling: "CoolingCheck"
    """The verdict on the cooling."""

    @classmethod
    def of(cls, run: Path) -> "RatedRun":
        """The run in a folder; refused where it cannot tell."""
        from agewise.assessment.decision.cooling_verdict import cooling_check
        from agewise.assessment.decision.finding import Finding
        from agewise.assessment.rating.rating import refuse_undermined
        from agewise.assessment.stored import assessment_of, summary_of
        from agewise.store.run import load_run

        stored = load_run(run)
        summary = summary_of(stored)
        if summary.decision.action == "cannot tell":
            reason, mend = summary.decision.reason, summary.decision.mend
            refuse_undermined([Finding("run", reason, mend=mend)])
        assessment = assessment_of(stored)
        return cls(assessment, summary, cooling_check(assessment))

    @property
    def rated(self) -> "Rated":
        """What 1 p.u. of load is."""
        return self.assessment.nameplate.rated()

    @property
    def end(self) -> "pd.Timestamp | None":
        """The end of the record on its own clock; None where it counts minutes."""
        import pandas as pd

        start, seconds = self.assessment.profile.timeline.start, self.assessment.profile.seconds
        return None if start is None else start + pd.Timedelta(seconds=float(seconds[-1]))

    def findings(self, own: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Those of the run, and of a rating's own the kinds that the run does not tell of."""
        told = [finding.model_dump(mode="json") for finding in self.summary.findings]
        kinds = {finding["kind"] for finding in told}
        return told + [finding for finding in own if finding["kind"] not in kinds]

    def print_json(self, result: dict[str, Any]) -> None:
        """A rating for programs."""
        import json

        beside = {"cooling": self.cooling.as_dict(), "findings": self.findings(result["findings"])}
        print(json.dumps(result | beside, indent=2))

    def print_rows(
        self, rows: dict[str, str], beside: dict[str, str], own: Sequence[dict[str, Any]]
    ) -> None:
        """A rating for people: findings before it, the cooling and files behind it."""
        # A rating by the nameplate's cooling would permit too much where the cooling is impaired.
        caution = {"caution": CAUTION} if self.cooling.alarm else {}
        numbered = enumerate(self.findings(own), start=1)
        findings = {f"finding {number}": finding["text"] for number, finding in numbered}
        answer(findings | rows | {"cooling": self.cooling.text} | caution | beside)
