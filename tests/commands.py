"""Commands run in the process of the tests, for all but what only a process of its own can show."""

import io
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from agewise.cli import main


def here(*words: object, cwd: Path | None = None) -> CompletedProcess[str]:
    """`agewise` with these words: its exit code and what it printed.

    Two seconds sooner than a process, which would have to load everything anew; so would the
    one that draws the report of an assessment, unless a number of jobs is given.
    """
    alone = ("--jobs", 1) if words[:1] == ("assess",) and "--jobs" not in words else ()
    out, err, arguments = io.StringIO(), io.StringIO(), ["agewise", *map(str, (*words, *alone))]
    streams = redirect_stdout(out), redirect_stderr(err)
    with _arguments(arguments), chdir(cwd or Path.cwd()), streams[0], streams[1]:
        try:
            main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
    return CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


def refusal(*words: object, cwd: Path) -> str:
    """What `agewise` says to words that it refuses before it writes anything into a folder."""
    done = here(*words, cwd=cwd)
    assert done.returncode == 2
    assert not any(cwd.iterdir())
    return done.stderr


def one_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reports show one figure: that all are drawn is tested in `report`, and takes seconds."""
    from agewise.report.figures import catalogue
    from agewise.report.page import page

    monkeypatch.setattr(catalogue, "OF_FIELD", {})
    monkeypatch.setattr(page, "figures", lambda inputs: catalogue.CATALOGUE[1:2])


@contextmanager
def _arguments(words: list[str]) -> Iterator[None]:
    before, sys.argv = sys.argv, words
    try:
        yield
    finally:
        sys.argv = before
