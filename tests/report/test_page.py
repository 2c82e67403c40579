"""The page stands alone and says what the numbers say."""

import base64
import re
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import pytest
from matplotlib.image import imread

from agewise.report.inputs import ReportInputs
from agewise.report.plates import PLATES, TRAINING, plates

pytestmark = pytest.mark.xdist_group("report")

NAMES = [plate.name for plate in PLATES]


class Page(HTMLParser):
    """Elements with their attributes, and the text between them."""

    def __init__(self, path: Path):
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.source = path.read_text("utf-8")
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
def page(ending_report: Path) -> Page:
    return Page(ending_report / "report.html")


@pytest.fixture(scope="module")
def calm(lasting_report: Path) -> Page:
    return Page(lasting_report / "report.html")


def test_nothing_is_fetched(page: Page):
    assert not re.search(r"https?://|url\(|@import", page.source)
    assert not {"script", "link", "iframe", "object", "embed"} & {tag for tag, _ in page.elements}
    assert all(str(image["src"]).startswith("data:image/png;base64,") for image in page.all("img"))


def test_every_figure_is_a_png_file_and_stands_on_the_page(page: Page, ending_report: Path):
    embedded = [base64.b64decode(str(image["src"]).partition(",")[2]) for image in page.all("img")]
    written = [ending_report / "figures" / f"{name}.png" for name in [*NAMES, TRAINING.name]]
    assert embedded == [path.read_bytes() for path in written]
    assert {path.name for path in (ending_report / "figures").iterdir()} == {
        p.name for p in written
    }
    for content in embedded:
        height, width = imread(BytesIO(content)).shape[:2]
        assert width == 1300
        assert height > 200


def test_every_figure_has_words(page: Page):
    assert all(image["alt"] for image in page.all("img"))
    captions = [plate.caption for plate in (*PLATES, TRAINING)]
    assert all(" ".join(caption.split()) in page.text for caption in captions)


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


def test_a_quick_run_says_so(page: Page, calm: Page):
    assert "This was a quick run" in page.text
    assert "Nothing speaks against the answer." in calm.text


def test_scores_and_settings_are_told(page: Page):
    for words in ("grid.heights 7", "truth.rmse 0.1", "agewise 0.1.0"):
        assert words in page.text


def test_without_training_there_is_no_figure_of_it(calm: Page, lasting_report: Path):
    assert [str(figure["id"]) for figure in calm.all("figure")] == NAMES
    assert not (lasting_report / "figures" / "training.png").exists()


def test_beyond_the_horizon_insulation_is_not_the_limit(calm: Page):
    assert "not what limits this asset" in calm.text
    assert "in all 200 futures" in calm.text
    assert "In none of the 200 futures does it end before 5 years from now." in calm.text


def test_a_window_in_minutes_is_told_in_minutes(calm: Page):
    assert "minute 0 to minute 720: 25 samples" in calm.text
    assert "minute 360" in calm.text


def test_the_same_run_gives_the_same_picture(ending: ReportInputs, ending_report: Path):
    plate = plates(ending)[-1]
    written = ending_report / "figures" / f"{plate.name}.png"
    assert plate.png(ending) == written.read_bytes()


def test_nothing_is_left_beside_the_report(ending_report: Path):
    assert {path.name for path in ending_report.iterdir()} == {"report.html", "figures"}
