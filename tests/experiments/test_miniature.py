"""A miniature of every experiment: two values of each factor, and hardly any training."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from agewise.experiments.page import CELLS, FOLDER, PAGE, write_page
from agewise.experiments.registry import EXPERIMENTS
from agewise.experiments.runner import run_cells
from agewise.experiments.scope import Scope

MINIATURE = Scope(repeats=1, preset="paper", quick=True, corners=True)
BOTH_PRESETS = replace(MINIATURE, preset=None)
"""What the comparison of both needs besides is one network more."""


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("reproduced")
    wanted = [c for one in EXPERIMENTS.values() for c in one.configurations(MINIATURE)]
    wanted += EXPERIMENTS["head-to-head"].configurations(BOTH_PRESETS)
    run_cells(list({c.name: c for c in wanted}.values()), MINIATURE, out / FOLDER / CELLS, jobs=2)
    return out


def text(page: Path) -> str:
    return page.read_text("utf-8")


def test_every_experiment_is_on_the_page_with_its_pictures(out: Path):
    told = text(write_page(MINIATURE, out))
    assert "Not run yet" not in told
    parts = dict(re.findall(r"\n## (.+)\n\n`agewise reproduce (\S+)`", told))
    assert parts == {one.title: one.name for one in EXPERIMENTS.values()}
    linked = re.findall(rf"\]\(({FOLDER}/\S+\.png)\)", told)
    drawn = {str(path.relative_to(out)) for path in (out / FOLDER).glob("*.png")}
    assert len(linked) == len(set(linked)) > 20
    assert set(linked) == drawn


def test_every_claim_has_a_verdict_for_every_preset(out: Path):
    told = text(write_page(MINIATURE, out))
    claims = told.split("## Verdicts")[1].split("\n## ")[0].strip().splitlines()[2:]
    assert len(claims) > 20
    for row in claims:
        claim, _, status, numbers = row.strip("| ").split(" | ")
        assert status.startswith("**"), claim
        assert "paper, best weight: " in numbers, claim


def test_what_was_not_run_is_named(out: Path):
    told = text(write_page(BOTH_PRESETS, out))
    unfinished = told.split("## Five configurations")[1].split("\n## ")[0]
    compared = told.split("## Default against the best")[1].split("\n## ")[0]
    assert "Not run yet" in unfinished
    assert "| RMSE to the truth [K] |" in compared


def test_a_page_is_rebuilt_to_the_letter(out: Path):
    before = text(write_page(MINIATURE, out))
    (out / PAGE).unlink()
    assert text(write_page(MINIATURE, out)) == before
