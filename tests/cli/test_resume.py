"""A training that is killed, interrupted, found unfinished and resumed, as a user meets it."""

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from commands import here
from thorough import thorough

from agewise.arrays import read_arrays
from agewise.twin.twin import TwinSettings, make_twin
from agewise.twin.twin_file import write_twin

# The command itself, which sends itself a signal right behind its first checkpoint: a signal from
# outside would come before it or after the end, as the machine happens to be busy. A background
# shell mutes Ctrl-C for its children, so it is listened to again.
PROGRAM = """
import os, signal, sys
from agewise.cli import main
from agewise.engine.training.checkpoint import Keeper

signal.signal(signal.SIGINT, signal.default_int_handler)
number, keep = int(sys.argv.pop(1)), Keeper.keep

def keep_and_signal(self, state, **how):
    Keeper.keep = keep
    keep(self, state, now=True)
    os.kill(os.getpid(), number)

if number:
    Keeper.keep = keep_and_signal
main()
"""


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plant")
    write_twin(make_twin(TwinSettings(seed=3, days=0.5)), folder)
    return folder


def command(plant: Path, out: str, *words: str) -> list[str]:
    inputs = (plant / "profile.csv", "--nameplate", plant / "nameplate.toml")
    return ["assess", *map(str, inputs), "--out", str(plant / out), "--quick", *words]


def assess(plant: Path, out: str, *words: str, send: int = 0) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", PROGRAM, str(send), *command(plant, out, *words)]
    return subprocess.run(program, capture_output=True, text=True, timeout=1000)


def test_a_killed_training_is_kept_and_goes_on_to_the_same_answer(plant: Path):
    killed = assess(plant, "run", "--method", "map", send=signal.SIGKILL)
    assert killed.returncode == -signal.SIGKILL
    assert (plant / "run.checkpoints" / "start.npz").exists()
    assert not (plant / "run").exists()
    again = here(*command(plant, "run", "--method", "map"))
    assert again.returncode == 2
    assert "run.checkpoints holds the checkpoints of a training" in again.stderr
    assert "--resume" in again.stderr
    for out, words in (("alone", ()), ("run", ("--resume",))):
        done = assess(plant, out, "--method", "map", *words)
        assert done.returncode == 0, done.stderr
    assert not (plant / "run.checkpoints").exists()
    alone, resumed = (read_arrays(plant / name / "posterior.npz") for name in ("alone", "run"))
    assert alone.keys() == resumed.keys()
    for name, array in alone.items():
        np.testing.assert_array_equal(array, resumed[name])


@thorough
def test_ctrl_c_keeps_the_best_so_far_and_says_so(plant: Path):
    done = assess(plant, "stopped", "--method", "map", send=signal.SIGINT)
    assert done.returncode == 0, done.stderr
    assert "stopped by hand" in done.stdout
    assert (plant / "stopped" / "run.json").exists()
    assert not (plant / "stopped.checkpoints").exists()


def test_yardsticks_have_no_presets(plant: Path):
    done = here(*command(plant, "none", "--method", "exact", "--preset", "paper"))
    assert done.returncode == 2
    assert "'exact' has neither presets nor a choice of noise" in done.stderr
