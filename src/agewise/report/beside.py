"""The report of a run, written by a second process: the field is drawn while life is worked out."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import xarray as xr

from agewise.assessment.conclusion import Conclusion
from agewise.assessment.runs import AbstractReport
from agewise.plant.profile import Profile
from agewise.report.errands import field_drawn, page_written
from agewise.report.inputs import KnownField
from agewise.report.run import inputs_of
from agewise.second_process import AbstractWorker, second_process


class ReportBeside(AbstractReport):
    """A report that a second process writes, the same as `write_report` does."""

    def __init__(self, drawing: AbstractWorker):
        self._drawing = drawing

    def begin(self, profile: Profile, field: xr.Dataset) -> None:
        """Let the figures of the field be drawn."""
        self._drawing.begin(field_drawn, KnownField(profile, field))

    def go_on(self, conclusion: Conclusion, folder: Path) -> None:
        """Let the others be drawn too, and the page be written."""
        drawn = self._drawing.result()
        self._drawing.begin(page_written, inputs_of(conclusion), folder, drawn)

    def finish(self) -> None:
        """Wait for the page."""
        self._drawing.result()


@contextmanager
def report_beside(*, jobs: int) -> Iterator[ReportBeside]:
    """A report whose process ends with the block; with one job, this one writes it."""
    with second_process(jobs=jobs, loads="agewise.report.page.page") as drawing:
        yield ReportBeside(drawing)
