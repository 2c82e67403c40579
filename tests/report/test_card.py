"""The card that a notebook shows: all that a reader needs, and nothing that would run."""

import re
from html.parser import HTMLParser

import pytest

from agewise.assessment.answer.card import MOST_FINDINGS, card
from agewise.assessment.answer.summary import Decision, Finding, Summary
from agewise.report.inputs import ReportInputs


class Tags(HTMLParser):
    """The tags that are open, so that none stays so; a paragraph may be closed by the next."""

    def __init__(self):
        super().__init__()
        self.seen, self.open = set[str](), list[str]()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def text(html: str) -> str:
    return re.sub(r"<[^>]+>", " ", html)


def shown(summary: Summary, unit: str = "T1") -> str:
    html, tags = card(summary, unit), Tags()
    tags.feed(html)
    assert not tags.open
    assert tags.seen <= {"div", "p", "b", "span", "table", "tr", "th", "td", "ul", "li"}
    return html


def test_it_says_what_to_do_why_how_long_and_how_sure(ending: ReportInputs):
    said = text(shown(ending.summary))
    for part in ("T1", "Act", "Because of this.", "21.0", "4.2 to over 60", "117.0", "114.7 to"):
        assert part in said
    assert "A heat-run report would narrow this most." in said


def test_names_and_findings_are_text_and_no_markup(ending: ReportInputs):
    hostile = ending.nameplate.name
    html = shown(ending.summary, hostile)
    assert "<script" not in html and html.count("&lt;script&gt;") == 2


def test_life_beyond_the_horizon_is_said_once(lasting: ReportInputs):
    assert len(re.findall("over 60", text(shown(lasting.summary)))) == 2  # value and interval
    assert "over 60 to over 60" not in shown(lasting.summary)


def test_no_number_stands_where_nothing_can_be_told(ending: ReportInputs):
    none = Decision(action="cannot tell", reason="Too few.", narrow_by="", mend="Mend it.")
    html = shown(ending.summary.model_copy(update={"decision": none}))
    assert "<table" not in html and "Mend it." in html


@pytest.mark.parametrize(
    ("count", "rest"), [(MOST_FINDINGS, ""), (MOST_FINDINGS + 2, "and 2 more")]
)
def test_many_findings_are_counted(ending: ReportInputs, count: int, rest: str):
    many = tuple(Finding(kind="x", text=f"Finding {n}.") for n in range(count))
    html = shown(ending.summary.model_copy(update={"findings": many}))
    assert html.count("<li>") == MOST_FINDINGS + bool(rest)
    assert rest in html
