"""Runs are written where the rules of Windows hold, as far as they can be simulated here."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agewise.store.identity import Identity
from agewise.store.run import load_run
from agewise.store.writing import writing_run

IDENTITY = Identity(method="line", settings={}, seed=0, inputs={})


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is renamed onto what exists or while a file in it is open; only what was opened for
    writing is flushed; folders are not opened at all."""
    rename, fsync, open_ = os.rename, os.fsync, os.open

    def held_open(folder: str) -> bool:
        links = Path("/proc/self/fd").iterdir()
        return any(str(link.readlink()).startswith(f"{folder}/") for link in links if link.exists())

    def windows_rename(source: Path, target: Path) -> None:
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, "Cannot create a file when it already exists")
        if held_open(os.fspath(source)):
            raise PermissionError(errno.EACCES, "The process cannot access the file")
        rename(source, target)

    def windows_fsync(descriptor: int) -> None:
        flags = Path(f"/proc/self/fdinfo/{descriptor}").read_text().split("flags:")[1].split()[0]
        if int(flags, 8) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, "Bad file descriptor")
        fsync(descriptor)

    def windows_open(path: str, flags: int, *rest: int, **more: int) -> int:
        if Path(path).is_dir():
            raise PermissionError(errno.EACCES, "Permission denied")
        return open_(path, flags, *rest, **more)

    monkeypatch.setattr(os, "rename", windows_rename)
    monkeypatch.setattr(os, "fsync", windows_fsync)
    monkeypatch.setattr(os, "open", windows_open)
    monkeypatch.setattr(shutil, "_use_fd_functions", False)  # as rmtree goes about it there


@pytest.mark.skipif(not Path("/proc/self/fdinfo").exists(), reason="looks into /proc")
@pytest.mark.parametrize("there", [False, True], ids=["no folder", "an empty folder"])
def test_a_run_is_written_by_the_rules_of_windows(windows: None, tmp_path: Path, there: bool):
    out = tmp_path / "out"
    if there:
        out.mkdir()
    left = tmp_path / f".out.writing-{'0' * 16}"
    left.mkdir()
    with writing_run(out, IDENTITY) as folder:
        (folder / "field.nc").write_text("field")
    assert load_run(out).identity == IDENTITY
    with writing_run(out, IDENTITY):
        pass
    assert (out / "field.nc").read_text() == "field", "the first writer wins there too"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_nothing_needs_what_only_unix_has(tmp_path: Path):
    """Neither the modules nor the functions that Python lacks on Windows."""
    program = f"""
import os, sys, errno
for name in ("fcntl", "pwd", "grp", "resource", "termios"):
    sys.modules[name] = None
for name in ("fork", "getuid", "geteuid", "fchmod", "fchown", "mkfifo"):
    if hasattr(os, name):
        delattr(os, name)
del errno.EDQUOT
from pathlib import Path
from agewise.store.identity import Identity
from agewise.store.run import load_run
from agewise.store.writing import writing_run
identity = Identity(method="line", settings={{}}, seed=0, inputs={{}})
out = Path({str(tmp_path / "out")!r})
with writing_run(out, identity) as folder:
    (folder / "field.nc").write_text("field")
assert load_run(out).identity == identity
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
