"""A miniature of every experiment: two values of each factor, and hardly any training."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from thorough import thorough

from reproduction.page import CELLS, FOLDER, write_page
from reproduction.registry import EXPERIMENTS
from reproduction.results import Results
from reproduction.runner import run_cells
from reproduction.scope import Scope

pytestmark = pytest.mark.xdist_group("miniature")
MINIATURE = Scope(repeats=1, preset="paper", quick=True, corners=True)
BOTH_PRESETS = replace(MINIATURE, preset=None)
"""What the comparison of both needs besides is one network more."""


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("reproduced")
    wanted = EXPERIMENTS["head-to-head"].configurations(BOTH_PRESETS)
    wanted += [c for one in EXPERIMENTS.values() for c in one.configurations(MINIATURE)]
    # Beside other tests one process is best, which compiles nothing twice.
    run_cells(list({c.name: c for c in wanted}.values()), MINIATURE, out / FOLDER / CELLS, jobs=1)
    return out


@pytest.fixture(scope="module")
def page(out: Path) -> str:
    return write_page(MINIATURE, out).read_text("utf-8")


@thorough
def test_every_experiment_is_on_the_page_with_its_pictures(page: str, out: Path):
    assert "Not run yet" not in page
    parts = dict(re.findall(r"\n## (.+)\n\n`agewise reproduce (\S+)`", page))
    assert parts == {one.title: one.name for one in EXPERIMENTS.values()}
    linked = re.findall(rf"\]\(({FOLDER}/\S+\.png)\)", page)
    drawn = {str(path.relative_to(out)) for path in (out / FOLDER).glob("*.png")}
    assert len(linked) == len(set(linked)) >= 18
    assert set(linked) == drawn


@thorough
def test_every_claim_has_a_verdict(page: str):
    verdicts = page.split("## Verdicts")[1].split("\n## ")[0]
    rows = [line for line in verdicts.splitlines() if line.startswith("|")][2:]
    assert len(rows) > 20
    for row in rows:
        claim, _, status, numbers = row.strip("| ").split(" | ")
        assert status.startswith("**"), claim
        assert numbers.startswith("paper: "), claim


@thorough
def test_both_presets_are_compared(tmp_path: Path):
    """Every family of networks trains, under either preset."""
    run_cells(
        EXPERIMENTS["head-to-head"].configurations(BOTH_PRESETS), BOTH_PRESETS, tmp_path, jobs=1
    )
    results = Results(tmp_path, BOTH_PRESETS)
    compared = EXPERIMENTS["head-to-head"].section(results)
    assert "| RMSE to the truth [K] |" in compared.text


def test_what_was_not_run_is_named(tmp_path: Path):
    told = write_page(BOTH_PRESETS, tmp_path).read_text("utf-8")
    assert told.count("Not run yet") == len(EXPERIMENTS)
