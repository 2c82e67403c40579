"""A folder of checkpoints is ours only while nothing else lies in it."""

from pathlib import Path

import numpy as np
import pytest

from agewise.engine.training.checkpoint import Keeper, refuse_strange_files, remove_checkpoints
from agewise.engine.training.monitor import Monitor
from agewise.errors import InputError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("start", "window-0000/start"):
        keeper = Keeper(Monitor(tmp_path / "run.checkpoints"), name, ())
        keeper.keep(lambda: {"state": np.ones(2)}, now=True)
    return tmp_path / "run.checkpoints"


def test_checkpoints_are_removed_whole_or_cut_short(folder: Path):
    (folder / ".start-0011223344556677.npz").write_bytes(b"PK")
    refuse_strange_files(folder)
    remove_checkpoints(folder)
    assert not folder.exists()


@pytest.mark.parametrize("name", ["notes.txt", "window-0000/arrays.npz"])
def test_what_others_put_there_is_refused_and_kept(name: str, folder: Path):
    np.savez((folder / name).with_suffix(".npz"), mine=np.ones(2))
    (folder / name).with_suffix(".npz").rename(folder / name)
    with pytest.raises(InputError, match="is not a checkpoint"):
        refuse_strange_files(folder)


def test_what_appears_later_stays(folder: Path):
    (folder / "notes.txt").write_text("mine")
    remove_checkpoints(folder)
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]


def test_nothing_there_is_nothing_strange(tmp_path: Path):
    refuse_strange_files(tmp_path / "none")
    remove_checkpoints(tmp_path / "none")
