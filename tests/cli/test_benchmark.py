"""`agewise benchmark` as a user meets it."""

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import here, refusal
from thorough import thorough

AGEWISE = Path(sys.executable).with_name("agewise")
WORDS = ("poisson", "--methods", "exact", "--draws", "3", "--jobs", "1", "--out", "out")


def numbers(table: Path) -> list[dict[str, str]]:
    """The table without what hangs on the machine."""
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    costs = [name for name in rows[0] if "seconds" in name or "mib" in name]
    return [{name: row[name] for name in row if name not in costs} for row in rows]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the command was killed after its first cell."""
    folder = tmp_path_factory.mktemp("killed")
    command = [str(AGEWISE), "benchmark", *WORDS]
    with subprocess.Popen(command, cwd=folder, start_new_session=True) as process:
        end = time.monotonic() + 300
        while not any(folder.rglob("[0-9].json")) and time.monotonic() < end:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
    return folder


@thorough
def test_a_killed_run_goes_on_to_the_table_of_an_unbroken_one(killed: Path, tmp_path: Path):
    kept = {path: path.stat().st_mtime_ns for path in killed.rglob("[0-9].json")}
    assert len(kept) < 3
    again, whole = here("benchmark", *WORDS, cwd=killed), here("benchmark", *WORDS, cwd=tmp_path)
    assert again.returncode == whole.returncode == 0, again.stderr + whole.stderr
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())
    assert numbers(killed / "out/table.csv") == numbers(tmp_path / "out/table.csv")
    assert "cells  3, 3 of them new" in whole.stdout
    out = tmp_path / "out"
    assert {path.name for path in out.iterdir()} >= {"cells", "table.csv", "errors.png"}
    page = (out / "table.md").read_text("utf-8")
    assert "agewise benchmark poisson --methods exact --draws 3 --out DIR" in page
    assert "**cannot be told**" in page
    assert "0 of them new" in here("benchmark", *WORDS, cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("navier-stokes",), "There is no problem 'navier-stokes'."),
        (("poisson@loud",), "There is no problem 'poisson@loud'."),
        (("bratu@0.1",), "asks for a noise, and that problem has none to be changed"),
        (("poisson", "--methods", "magic"), "There is no method 'magic'."),
        (("poisson", "--methods", "vi+magic"), "each also with +conformal, +local, +simulated"),
        (("poisson", "--draws", "0"), "--draws 0 is not 1 to 1000."),
        (("poisson", "--jobs", "0"), "--jobs 0 is not 1 to 1000."),
        (("poisson", "--limit", "0"), "--limit 0 is not above zero."),
    ],
)
def test_a_mistake_is_told_before_anything_is_done(
    words: tuple[str, ...], said: str, tmp_path: Path
):
    assert said in refusal("benchmark", *words, cwd=tmp_path)


def test_a_page_of_somebody_else_is_not_replaced(tmp_path: Path):
    page = tmp_path / "table.md"
    page.write_text("# My tables\n")
    refused = here("benchmark", "poisson", "--out", str(tmp_path))
    assert refused.returncode == 2
    assert "did not write" in refused.stderr
    assert page.read_text() == "# My tables\n"
