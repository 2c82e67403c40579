"""What stands on the page of methods is what its cells say."""

from pathlib import Path

from agewise.benchmark.page.figures import pictures
from agewise.benchmark.page.page import page_text, with_overview
from agewise.benchmark.results import Results

ROOT = Path(__file__).parents[2]
RESULTS = Results(ROOT / "benchmarks" / "cells" / "library")
PAGE = ROOT / "docs" / "benchmark.md"


def test_the_page_is_what_its_cells_say():
    assert PAGE.read_text("utf-8") == page_text(RESULTS, "benchmark/")
    kept = {path.stem for path in PAGE.with_suffix("").glob("*.png")}
    assert kept == set(pictures(RESULTS))


def test_every_cell_tells_its_own_place():
    for (problem, method), row in RESULTS.rows.items():
        for cell in row.cells:
            path = RESULTS.folder / problem / method / f"{cell['seed']}.json"
            assert path.exists(), path
            assert cell["outcome"] == "done" or cell["sentence"]


def test_the_page_of_choices_has_the_lines_of_the_cells():
    text = (ROOT / "docs" / "choose.md").read_text("utf-8")
    assert with_overview(text, RESULTS) == text
