"""Every file appears whole or not at all."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agewise.errors import InputError
from agewise.files import replacing, write_text


def test_a_failed_block_leaves_what_was_there(tmp_path: Path):
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with pytest.raises(RuntimeError), replacing(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_folders_are_made_and_permissions_are_ordinary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path, plain = tmp_path / "deep" / "er" / "a.txt", tmp_path / "plain.txt"
    monkeypatch.delattr(os, "umask")  # to read it is to change it, for every thread
    write_text(path, "new")
    plain.touch()
    assert path.read_text() == "new"
    assert path.stat().st_mode == plain.stat().st_mode


def test_a_long_name_leaves_room_for_the_temporary_one(tmp_path: Path):
    path = tmp_path / ("a" * 250 + ".txt")
    write_text(path, "new")
    assert path.read_text() == "new"


def test_nothing_but_regular_files_is_replaced(tmp_path: Path):
    with pytest.raises(InputError, match="not a regular file"):
        write_text(tmp_path, "folder")
    with pytest.raises(InputError, match="not a regular file"):
        write_text(Path("/dev/null"), "device")


def test_a_file_in_the_place_of_a_folder_is_named(tmp_path: Path):
    (tmp_path / "a").write_text("")
    with pytest.raises(InputError, match="a folder is needed"):
        write_text(tmp_path / "a" / "b.txt", "text")


def test_a_killed_writer_leaves_the_old_file(tmp_path: Path):
    path = tmp_path / "a.txt"
    write_text(path, "old")
    program = (
        "import sys, time; from pathlib import Path; from agewise.files import replacing\n"
        "with replacing(Path(sys.argv[1])) as t: t.write_text('half'); print('x', flush=True); "
        "time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert path.read_text() == "old"
