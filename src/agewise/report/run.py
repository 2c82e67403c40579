"""The report of a run that is about to be sealed."""

from pathlib import Path

from agewise.assessment.conclusion import Conclusion
from agewise.report.inputs import ReportInputs
from agewise.report.page.page import write_page

HISTORY = "history_"
"""Begins the names of a network's losses among the arrays of its posterior."""


def write_report(conclusion: Conclusion, folder: Path) -> None:
    """Write the page and its figures into the folder."""
    assessment = conclusion.assessment
    history = {
        name.removeprefix(HISTORY).replace("_", "/", 1): values
        for name, values in assessment.windows[0].posterior.arrays().items()
        if name.startswith(HISTORY)
    }
    inputs = ReportInputs(
        assessment.profile,
        assessment.nameplate,
        conclusion.field,
        conclusion.summary.as_json(),
        conclusion.draws,
        history,
    )
    write_page(inputs, folder)
