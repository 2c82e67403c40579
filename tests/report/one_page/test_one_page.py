"""One printed page: it says what the report says, and nothing runs off it."""

from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from agewise.assessment.life.doubts import DOUBTS
from agewise.report.inputs import ReportInputs
from agewise.report.one_page.one_page import one_page, write_pdf
from agewise.report.page.brief import USUAL_LIFE_SHARE, brief


def words(figure: Figure) -> str:
    return " ".join(text.get_text() for text in figure.texts)


def lowest(figure: Figure) -> float:
    """The bottom of the lowest text [pixels from the bottom of the page]."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    return min(text.get_window_extent(renderer).y0 for text in figure.texts)


def test_answer_reason_and_what_was_assumed_stand_on_it(ending: ReportInputs):
    page = one_page(ending)
    text = words(page)
    assert text.index("Act") < text.index("21.0 years") < text.index("What was assumed")
    assert all(sentence.split()[-2] in text for sentence in brief(ending).assumed)
    assert "45.12 ± 0.91 K (nameplate: 60.0 ± 3.0 K)" in text
    titles = [axes.get_title(loc="left") for axes in page.axes]
    assert len(titles) == 3 and titles[0] == "Hot spot [°C]"


def test_constants_of_a_table_are_named_as_assumed(ending: ReportInputs):
    (sentence,) = (text for text in brief(ending).assumed if "table" in text)
    assert "hot-spot gradient 22.0 ± 3.3 K" in sentence and "top-oil rise" not in sentence
    assert pytest.approx(100 * DOUBTS.life_share) == USUAL_LIFE_SHARE


def test_many_findings_do_not_run_off_the_page(ending: ReportInputs):
    many = ending.summary.model_copy(update={"findings": ending.summary.findings * 40})
    page = one_page(replace(ending, summary=many))
    assert "more in the report." in words(page)
    assert lowest(page) > 0


def test_a_run_that_cannot_tell_shows_no_number(ending: ReportInputs):
    verdict = ending.summary.decision.model_copy(
        update={"action": "cannot tell", "reason": "Exchanged.", "mend": "Exchange them."}
    )
    page = one_page(
        replace(ending, summary=ending.summary.model_copy(update={"decision": verdict}))
    )
    assert not page.axes and "21.0 years" not in words(page)
    assert "Exchange them." in words(page)


def test_it_is_one_page_and_the_same_every_time(lasting: ReportInputs, tmp_path: Path):
    for name in ("a.pdf", "b.pdf"):
        write_pdf(lasting, tmp_path / name)
    content = (tmp_path / "a.pdf").read_bytes()
    assert content.startswith(b"%PDF") and content.count(b"/Type /Page ") == 1
    assert content == (tmp_path / "b.pdf").read_bytes()
