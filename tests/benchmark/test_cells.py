"""Cells are kept whole, worked out once, and end in a sentence where they have no numbers."""

import json
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from agewise.benchmark import cells
from agewise.benchmark.cells import Cell, Exercise, rounded, worked_out
from agewise.benchmark.judging import judged as judging
from agewise.benchmark.page.table import csv_text, markdown_table
from agewise.benchmark.processes import within_limit
from agewise.benchmark.results import Results
from agewise.benchmark.runner import all_cells, pieces, run_cells

POISSON = Exercise("poisson", 0.1)


def nap(seconds: float, file: Path) -> None:
    """What a process does below: sleep, end suddenly, or leave a file."""
    if seconds < 0:
        os._exit(1)
    time.sleep(seconds)
    file.write_text("done")


def test_a_cell_has_its_numbers_and_is_not_worked_out_again(tmp_path: Path):
    cell = Cell(POISSON, "exact", 0)
    assert cell.wanted(tmp_path, 60)
    worked_out([cell], tmp_path)
    content = cell.stored(tmp_path)
    assert content is not None and content["outcome"] == "done"
    assert 0 < content["functions"]["u"]["relative_l2"] < 1
    assert len(content["versions"]["code"]) == 8
    assert content["seconds"] > 0 and content["processor_seconds"] > 0
    assert not cell.wanted(tmp_path, 60)
    assert run_cells([cell], tmp_path, jobs=1, limit=60) == 0


def test_a_method_that_does_not_serve_is_a_cell_with_its_sentence(tmp_path: Path):
    worked_out([Cell(Exercise("poisson-inverse"), "exact", 0)], tmp_path)
    (row,) = Results(tmp_path).rows.values()
    assert row.cells[0]["outcome"] == "refused"
    assert "is not linear" in markdown_table(Results(tmp_path), "poisson-inverse")
    assert "is not linear" in csv_text(Results(tmp_path))


def test_an_error_is_a_cell_with_its_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def broken(*_, **__):
        raise FloatingPointError("overflow\nand a page of other words")

    monkeypatch.setattr(judging, "judged", broken)
    worked_out([Cell(POISSON, "map", 0)], tmp_path)
    content = Cell(POISSON, "map", 0).stored(tmp_path)
    assert content is not None
    assert (content["outcome"], content["sentence"]) == ("failed", "FloatingPointError: overflow")


def test_a_file_that_was_cut_short_is_no_cell(tmp_path: Path):
    cell = Cell(POISSON, "map", 0)
    cell.path(tmp_path).parent.mkdir(parents=True)
    cell.path(tmp_path).write_text('{"outcome": "do')
    assert cell.wanted(tmp_path, 60)
    # Under its temporary name even a whole one is none: its process was killed before it was done.
    cell.write(tmp_path, "done")
    cell.path(tmp_path).rename(cell.path(tmp_path).with_name(".0-1234.json"))
    assert not Results(tmp_path).rows


def test_what_did_not_finish_is_tried_again_with_more_time_alone(tmp_path: Path):
    cell = Cell(POISSON, "map", 0)
    # Loading JAX alone takes a thousand times longer.
    assert run_cells([cell], tmp_path, jobs=1, limit=1e-3) == 1
    content = cell.stored(tmp_path)
    assert content is not None
    assert (content["outcome"], content["sentence"]) == ("unfinished", "Not done within 0.001 s.")
    assert not cell.wanted(tmp_path, 1e-3)
    assert cell.wanted(tmp_path, 1.0)


def test_a_process_that_is_late_or_dies_takes_no_other_with_it(tmp_path: Path):
    calls = [(-1.0, tmp_path / "died"), (60.0, tmp_path / "late"), (0.0, tmp_path / "done")]
    ended = dict(within_limit(nap, calls, jobs=2, limit=5.0))
    assert [ended[call] for call in calls] == ["died", "late", "done"]
    assert [path.name for path in tmp_path.iterdir()] == ["done"]


def note(file: Path) -> None:
    """Who works."""
    file.write_text(str(os.getpid()))


def test_a_process_that_dies_while_it_has_nothing_to_do_is_replaced(tmp_path: Path):
    def calls() -> Iterator[tuple[Path]]:
        yield (tmp_path / "first",)
        # Asked for only now that the first is done and its process idle.
        idle = int((tmp_path / "first").read_text())
        os.kill(idle, signal.SIGKILL)
        while any(child.pid == idle for child in multiprocessing.active_children()):
            time.sleep(0.01)
        yield (tmp_path / "second",)

    assert [how for _, how in within_limit(note, calls(), jobs=1, limit=60.0)] == ["done", "done"]
    assert (tmp_path / "first").read_text() != (tmp_path / "second").read_text()


def test_methods_that_share_a_fit_are_one_piece_of_work():
    names = ["map", "laplace", "vi", "exact", "vi+conformal", "laplace+local", "map+attention"]
    work = pieces(all_cells([POISSON], names, draws=2))
    assert [[cell.method for cell in piece] for piece in work] == 2 * [
        ["map", "laplace", "vi"],
        ["exact"],
        ["vi+conformal", "laplace+local"],
        ["map+attention"],
    ]
    assert [piece[0].seed for piece in work] == [0, 0, 0, 0, 1, 1, 1, 1]


def test_numbers_in_files_are_finite_and_short():
    assert rounded({"a": [1 / 3, float("inf"), float("nan")], "b": True}) == {
        "a": [0.333333, None, None],
        "b": True,
    }
    assert json.loads(json.dumps(rounded(0.1 + 0.2))) == 0.3


CODE = '''
"""A module."""
SIZE: float = 1.0
"""A constant."""

@property
def value(self, x=None):
    """A function."""
    return f"{x:.3f}" if x else "zero"  # never negative
'''


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("A module.", "Another.", True),
        ('"""A constant."""', "", True),
        ('    """A function."""', "    # A function.", True),
        ("  # never negative", "", True),
        ("SIZE: float = 1.0", "SIZE: float = 1.5", False),
        ("SIZE", "LENGTH", False),
        (":.3f", ":.4f", False),
        ('"zero"', '"none"', False),
        ("x=None", "x", False),
        ("@property\n", "", False),
    ],
)
def test_what_a_comment_says_is_no_other_state_of_the_code(
    old: str, new: str, same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    assert CODE.count(old) == 1
    monkeypatch.setattr(cells, "ROOT", tmp_path)
    (tmp_path / "engine").mkdir()
    states = []
    for code in (CODE, CODE.replace(old, new)):
        (tmp_path / "engine" / "module.py").write_text(code)
        states.append(cells.fingerprint.__wrapped__())
    assert (states[0] == states[1]) is same
    (tmp_path / "engine" / "module.py").rename(tmp_path / "engine" / "moved.py")
    assert cells.fingerprint.__wrapped__() != states[1]
