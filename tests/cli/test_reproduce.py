"""`agewise reproduce` as a user meets it; the experiments themselves have tests of their own."""

import subprocess
import sys
from pathlib import Path

import pytest
from commands import here, refusal

from reproduction.registry import EXPERIMENTS

AGEWISE = Path(sys.executable).with_name("agewise")


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [str(AGEWISE), "reproduce", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=cwd)


def test_experiments_are_listed(tmp_path: Path):
    done = here("reproduce", "--list", cwd=tmp_path)
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(EXPERIMENTS)
    assert not any(tmp_path.iterdir())


def test_one_experiment_leaves_its_cells_and_the_page_and_goes_on(tmp_path: Path):
    words = ("inputs", "--seeds", "1", "--quick", "--jobs", "1")
    first, page = run(*words, cwd=tmp_path), tmp_path / "reproduced-quick" / "reproduction.md"
    assert first.returncode == 0, first.stderr
    assert "reproduced-quick/reproduction.md" in first.stdout
    told = page.read_text("utf-8")
    assert "numbers mean nothing" in told
    assert (page.parent / "reproduction" / "inputs.png").stat().st_size > 10_000
    cell = page.parent / "reproduction" / "cells" / "main" / "yardstick" / "exact" / "0.json"
    before = cell.stat().st_mtime_ns
    assert here("reproduce", *words, cwd=tmp_path).returncode == 0
    assert cell.stat().st_mtime_ns == before
    assert page.read_text("utf-8") == told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("everything",), "error: There is no experiment 'everything'."),
        (("all", "--preset", "untempered"), "--preset 'untempered' is neither paper nor default."),
        (("all", "--seeds", "0"), "--seeds 0 is not 1 to 100."),
        (("all", "--jobs", "0"), "--jobs 0 is not 1 to 1000."),
    ],
)
def test_a_mistake_is_told_before_anything_is_done(
    words: tuple[str, ...], said: str, tmp_path: Path
):
    assert said in refusal("reproduce", *words, cwd=tmp_path)
