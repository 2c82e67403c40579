"""The page stands alone and says what the numbers say."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from jinja2 import UndefinedError

from agewise.assessment.answer.summary import Summary
from agewise.report.figures.catalogue import CATALOGUE, TRAINING, figures
from agewise.report.inputs import ReportInputs
from agewise.report.page.known import known_unit
from agewise.report.page.page import environment
from agewise.report.page.page import page as page_of

NAMES = [figure.name for figure in CATALOGUE]


class Page(HTMLParser):
    """Elements with their attributes, and the text between them."""

    def __init__(self, inputs: ReportInputs):
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.source = page_of(inputs, dict.fromkeys(figures(inputs), b"a picture"))
        self.feed(self.source)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def page(ending: ReportInputs) -> Page:
    return Page(ending)


@pytest.fixture(scope="module")
def calm(lasting: ReportInputs) -> Page:
    return Page(lasting)


def test_nothing_is_fetched(page: Page):
    assert not re.search(r"https?://|url\(|@import", page.source)
    assert not {"script", "link", "iframe", "object", "embed"} & {tag for tag, _ in page.elements}
    assert all(str(image["src"]).startswith("data:image/png;base64,") for image in page.all("img"))


def test_every_figure_has_words(page: Page):
    assert all(image["alt"] for image in page.all("img"))
    captions = [figure.caption for figure in (*CATALOGUE, TRAINING)]
    assert all(" ".join(caption.split()) in page.text for caption in captions)


def test_a_cell_names_its_column_where_the_page_is_narrow(page: Page):
    """Cells of stacked tables carry the titles that the head of the table shows elsewhere."""
    titles = {str(cell["data-title"]) for cell in page.all("td") if "data-title" in cell}
    assert "" not in titles
    assert all(title in page.text for title in titles)
    assert {"This assessment", "90 % interval", "Probability exceeded"} <= titles


def test_a_name_that_nobody_gives_fails():
    with pytest.raises(UndefinedError, match="unheard_of"):
        environment().from_string("{{ unheard_of }}").render()


def test_texts_are_escaped(page: Page):
    assert "<script" not in page.source
    assert "<script>alert('x')</script> & \"so on\"" in page.text


def test_the_answer_comes_first_with_its_uncertainty(page: Page):
    order = [str(part["id"]) for part in page.all("section")]
    assert order[:6] == ["answer", "limits", "assumed", "learned", "next", "findings"]
    assert order[-3:] == ["figures", "words", "settings"]
    assert NAMES[-3:] == ["oil", "winding", "ageing"], "pages of maps come last"
    for words in ("Act", "21.0 years", "4.2 years to more than 60 years", "7.4 years"):
        assert words in page.text
    for words in (
        "117.0 ± 1.4 °C",
        "119.2 °C",
        "46.0 ± 6.0 h",
        "46.5 h",
        "1 January 2030",
        "6.0 %",
    ):
        assert words in page.text.replace("\N{NO-BREAK SPACE}", " ")


def test_probabilities_are_no_surer_than_their_draws(page: Page, calm: Page):
    assert "above 99.75 %" in page.text
    assert "below 0.2 %" in calm.text


def test_findings_are_told_or_their_absence(page: Page, calm: Page):
    assert "short : " in page.text
    assert "Nothing was found that casts doubt on the data" in calm.text


def test_findings_about_data_stand_in_a_table(page: Page, calm: Page):
    text = page.text.replace("\N{NO-BREAK SPACE}", " ")
    assert "About the data Kind Column Rows From To What was done Explanation" in text
    assert "stuck top_oil 1 234 2025-07-07 06:00 07/07/2025 09:30 left out top_oil: one" in text
    assert text.count("one value held.") == 1
    assert "short : " in text, "the others stay a list"
    assert "About the data" not in calm.text


def test_constants_are_told_given_assumed_and_learned(page: Page, calm: Page):
    text = page.text
    assert "What is known about this unit" in text
    assert "Top-oil rise at rated load 60.0 ± 3.0 K nameplate 45.12 ± 0.91 K" in text
    assert "Hot-spot gradient 22.0 ± 3.3 K table of the guide –" in text
    assert "through the model of IEC 60076-7; the answer is based on it" in text
    assert "a sensor inside the oil showed how far the heat equation is off" in text
    assert "What is known about this unit" not in calm.text, "a run of before has no constants"


def test_a_summary_of_before_there_were_constants_is_read(ending: ReportInputs):
    old = ending.summary.as_json()
    del old["constants"], old["settings"]["as_given"]
    read = Summary.model_validate_json(json.dumps(old), strict=True)
    assert read.constants == () and not read.settings.as_given
    assert known_unit(replace(ending, summary=read)).constants == ()


def test_a_run_that_learned_nothing_says_so(ending: ReportInputs):
    summary = ending.summary
    bare = tuple(
        part.model_copy(update={"learned": None, "learned_std": None}) for part in summary.constants
    )
    settings = summary.settings.model_copy(update={"as_given": True})
    given = summary.model_copy(update={"constants": bare, "settings": settings})
    known = known_unit(replace(ending, summary=given))
    assert known.sentence.startswith("Nothing was learned about this unit: nameplate and heat")
    assert "the heat equation was taken to be right" in known.oil
    short = summary.model_copy(update={"constants": bare})
    assert "the record is too short" in known_unit(replace(ending, summary=short)).sentence


def test_what_is_known_of_the_oil_inside_depends_on_what_was_measured(ending: ReportInputs):
    assert "has the temperature of the air, as the nameplate says" in known_unit(ending).oil
    oil = ending.nameplate.oil.model_copy(update={"bottom": None})
    unit = ending.nameplate.model_copy(update={"oil": oil})
    alone = replace(ending, nameplate=unit, profile=replace(ending.profile, interior={}))
    told = known_unit(alone).oil
    assert "as usual for its cooling, it is assumed to be warmer than the air by 65 ± 8 %" in told
    assert "Between bottom and top nothing was measured" in told and "about 20 %" in told
    measured = replace(alone.profile, bottom_oil=alone.profile.ambient + 10)
    assert "bottom was measured." in known_unit(replace(alone, profile=measured)).oil


def test_windows_of_a_long_record_are_told(page: Page, calm: Page):
    assert "in 3 windows that overlap" in page.text
    assert "windows" not in calm.text.split("The answer")[0]


def test_scores_and_settings_are_told(page: Page):
    for words in ("network.grid.width 7", "truth.rmse 0.125", "agewise 0.1.0", "quick True"):
        assert words in page.text


def test_without_training_there_is_no_figure_of_it(page: Page, calm: Page):
    assert [figure["id"] for figure in page.all("figure")] == [*NAMES, TRAINING.name]
    assert [figure["id"] for figure in calm.all("figure")] == NAMES


def test_beyond_the_horizon_insulation_is_not_the_limit(calm: Page):
    assert "not what limits this asset" in calm.text
    assert "in all 200 simulated courses of the coming years" in calm.text
    assert "In none of the 200 simulated courses" in calm.text
    assert "reach its end of life before 5 years from now." in calm.text


def test_a_window_in_minutes_is_told_in_minutes(calm: Page):
    assert "minute 0 to minute 720: 25 samples" in calm.text
    assert "minute 360" in calm.text
