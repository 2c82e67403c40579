"""The page stands alone and says what the numbers say."""

import re
from html.parser import HTMLParser

import pytest
from jinja2 import UndefinedError

from agewise.report.figures.catalogue import CATALOGUE, TRAINING, figures
from agewise.report.inputs import ReportInputs
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
    assert order[:3] == ["answer", "findings", "limits"]
    assert order[-2:] == ["figures", "settings"]
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
    assert "come to its end before 5 years from now." in calm.text


def test_a_window_in_minutes_is_told_in_minutes(calm: Page):
    assert "minute 0 to minute 720: 25 samples" in calm.text
    assert "minute 360" in calm.text
