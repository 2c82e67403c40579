"""The report of a finished assessment, written beside its numbers."""

from pathlib import Path

import numpy as np

from agewise.assessment.conclusion import Conclusion
from agewise.assessment.oil.assessment import Assessment
from agewise.report.inputs import ReportInputs

HISTORY = "history_"
"""Prefix of the losses of a training among the arrays of a network's posterior."""


def write_report(conclusion: Conclusion, folder: str | Path) -> None:
    """Write `report.html`, which opens offline in any browser, and its figures as PNG.

    Args:
        conclusion: What `agewise.conclusion` returned.
        folder: Where the page and the folder `figures` go; it is made if it is not there.

    Examples:
        >>> import agewise, pathlib
        >>> files = "demo/profile.csv", "demo/nameplate.toml"
        >>> fitted = agewise.assess(*files, method="line", quick=True)
        >>> agewise.write_report(agewise.conclusion(fitted), "report")
        >>> pathlib.Path("report/report.html").exists()
        True
    """
    # Matplotlib takes a while to load, and where a second process draws, it is never needed here.
    from agewise.report.page.page import write_page

    write_page(inputs_of(conclusion), Path(folder))


def inputs_of(conclusion: Conclusion) -> ReportInputs:
    """What the report of a conclusion is made from."""
    assessment = conclusion.assessment
    return ReportInputs(
        assessment.profile,
        assessment.nameplate,
        conclusion.field,
        conclusion.summary,
        conclusion.draws,
        _history(assessment),
    )


def _history(assessment: Assessment) -> dict[str, np.ndarray]:
    """Losses of the first window's training by `stage/term`; the other windows look alike."""
    arrays = assessment.windows[0].posterior.arrays()
    # Only the first underscore parts stage and term: the name of a term may have others.
    return {
        name.removeprefix(HISTORY).replace("_", "/", 1): values
        for name, values in arrays.items()
        if name.startswith(HISTORY)
    }
