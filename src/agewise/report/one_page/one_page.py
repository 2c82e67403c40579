"""The answer on one printed page, as a PDF."""

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from agewise import __version__
from agewise.files import replacing
from agewise.report.inputs import ReportInputs
from agewise.report.one_page.pictures import draw_end_of_life, draw_hot_spot, draw_sources
from agewise.report.one_page.sheet import PALE_INK, Sheet
from agewise.report.page.answer import Answer, answer
from agewise.report.page.brief import brief
from agewise.report.page.sections import introduction

COLOURS = {
    "good": ("#e2f3ee", "#00543d"),
    "watch": ("#fdf2d8", "#6b4900"),
    "bad": ("#fbe5d9", "#8a3300"),
    "unknown": ("#e8e4f0", "#3b2a63"),
}
"""Ground and ink of a badge by its tone, as on the page."""
PICTURE_HEIGHT = 1.75
"""Height of the three figures [inches]."""
NUMBERS = 3
"""Number of headlines on the page: remaining life, hot spot and life used."""


def write_pdf(inputs: ReportInputs, path: Path) -> None:
    """Write the answer on one page of A4."""
    # Fonts as outlines that every reader of PDF knows; no date, so that one answer is one file.
    with mpl.rc_context({"pdf.fonttype": 42}), replacing(path) as temporary:
        one_page(inputs).savefig(temporary, format="pdf", metadata={"CreationDate": None})


def one_page(inputs: ReportInputs) -> Figure:
    """Answer and reason, the numbers, three figures, what was assumed and learned."""
    sheet, shown_answer = Sheet(), answer(inputs)
    sheet.text(inputs.nameplate.name, 17.0, weight="bold", gap=0.02)
    sheet.text(introduction(inputs), 8.0, color=PALE_INK, gap=0.1)
    _write_answer(sheet, shown_answer)
    if shown_answer.mend:
        sheet.heading("What to mend before there can be an answer")
        sheet.text(shown_answer.mend)
    else:
        _write_numbers(sheet, shown_answer)
        _draw_pictures(sheet, inputs)
        rests = brief(inputs)
        sheet.heading("What was assumed")
        sheet.items(rests.assumed)
        sheet.heading("What was learned from the record")
        sheet.items(rests.learned)
        sheet.heading("What would make the answer more certain, and what would change it")
        sheet.items([text for text in (shown_answer.narrow_by, shown_answer.changes) if text])
    _write_findings(sheet, inputs)
    sheet.footer(
        f"Made by agewise {__version__}. IEC 60076-7; 90 % intervals hold the truth nine times in "
        f"ten. The report has every table and figure."
    )
    return sheet.figure


def _write_answer(sheet: Sheet, shown_answer: Answer) -> None:
    sheet.badge(shown_answer.action.text, *COLOURS[shown_answer.action.tone])
    sheet.below += 0.46
    sheet.text(shown_answer.reason, 11.0, gap=0.07)
    if shown_answer.outlook:
        sheet.text(shown_answer.outlook, 9.5)


def _write_numbers(sheet: Sheet, shown_answer: Answer) -> None:
    rows = [("", "This assessment", "90 % interval", "Plain IEC 60076-7")]
    rows += [
        (row.name, row.value, row.interval, row.plain) for row in shown_answer.headlines[:NUMBERS]
    ]
    sheet.below += 0.04
    sheet.table(rows, (0.0, 2.1, 3.6, 5.4))


def _draw_pictures(sheet: Sheet, inputs: ReportInputs) -> None:
    sheet.below += 0.34
    draw_hot_spot(sheet.axes(0.25, 2.05, PICTURE_HEIGHT), inputs)
    draw_end_of_life(sheet.axes(2.75, 1.75, PICTURE_HEIGHT), inputs)
    draw_sources(sheet.axes(5.55, 1.45, PICTURE_HEIGHT), inputs)
    sheet.below += PICTURE_HEIGHT + 0.55


def _write_findings(sheet: Sheet, inputs: ReportInputs) -> None:
    findings = inputs.summary.findings
    if not findings:
        return
    sheet.heading("What to know before relying on it")
    sheet.items([finding.text for finding in findings])
