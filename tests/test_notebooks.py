"""The notebooks of the documentation run, and show what their files keep."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.notebooks import NOTEBOOKS, executed, read


def kinds(cell: dict[str, Any]) -> list[str]:
    """What a code cell shows, by kind; numbers differ in their last digits between machines."""
    return [kind for output in cell["outputs"] for kind in output.get("data", {"stream": ""})]


def words(cell: dict[str, Any]) -> str:
    """What a code cell says, without its numbers and how they are aligned."""
    texts = [
        "".join(output.get("text", []) + output.get("data", {}).get("text/plain", []))
        for output in cell["outputs"]
    ]
    return " ".join(re.sub(r"[-+]?\d[\d.,:]*(e[-+]?\d+)?", "#", " ".join(texts)).split())


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_keeps(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    kept, code = read(path), 0
    for before, after in zip(kept["cells"], executed(kept)["cells"], strict=True):
        if before["cell_type"] == "code":
            code += 1
            assert before["execution_count"] == after["execution_count"] == code
            assert kinds(before) == kinds(after), "".join(before["source"])
            assert words(before) == words(after), "run `python -m tests.notebooks`"
    assert code > 5


def test_notebooks_are_small_and_name_their_cells():
    assert len(NOTEBOOKS) == 2
    for path in NOTEBOOKS:
        assert path.stat().st_size < 500_000
        names = [cell["id"] for cell in read(path)["cells"]]
        assert len(set(names)) == len(names)
