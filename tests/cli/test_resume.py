"""A training that is killed, interrupted, found unfinished and resumed, as a user meets it."""

import os
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
# shell mutes Ctrl-C for its children, so it is listened to again. Of a small network the report has
# one figure: drawing all takes longer than the training.
PROGRAM = """
import os, signal, sys
import pytest
from commands import one_figure
from soon import soon_trained
from agewise.cli import main
from agewise.engine.presets import SETTINGS
from agewise.engine.training.checkpoint import Keeper

signal.signal(signal.SIGINT, signal.default_int_handler)
number, keep = int(sys.argv.pop(1)), Keeper.keep
if sys.argv.pop(1) == "small":
    SETTINGS["default"] = soon_trained
    one_figure(pytest.MonkeyPatch())

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
    return [
        "assess",
        *map(str, inputs),
        "--out",
        str(plant / out),
        "--quick",
        "--jobs",
        "1",
        *words,
    ]


def assess(
    plant: Path, out: str, *words: str, send: int = 0, network: str = "whole"
) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    program = [sys.executable, "-c", PROGRAM, str(send), network, *command(plant, out, *words)]
    paths = os.pathsep.join(filter(None, sys.path))
    return subprocess.run(
        program,
        capture_output=True,
        text=True,
        timeout=1000,
        env=os.environ | {"PYTHONPATH": paths},
    )


def killed(plant: Path, out: str, network: str) -> None:
    """A run that ends right behind its first checkpoint, which a second command leaves alone."""
    done = assess(plant, out, "--method", "map", send=signal.SIGKILL, network=network)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert (plant / f"{out}.checkpoints" / "start.npz").exists()
    assert not (plant / out).exists()
    again = here(*command(plant, out, "--method", "map"))
    assert again.returncode == 2
    assert f"{out}.checkpoints holds the checkpoints of a training" in again.stderr
    assert "--resume" in again.stderr


def assert_same(plant: Path, alone: str, resumed: str) -> None:
    assert not (plant / f"{resumed}.checkpoints").exists()
    one, other = (read_arrays(plant / name / "posterior.npz") for name in (alone, resumed))
    assert one.keys() == other.keys()
    for name, array in one.items():
        np.testing.assert_array_equal(array, other[name])


def test_a_killed_training_is_kept_and_goes_on_to_the_same_answer(plant: Path):
    """All three are processes of their own: beside them, the last bits of this one may differ."""
    killed(plant, "run", "small")
    for out, words in (("alone", ()), ("run", ("--resume",))):
        done = assess(plant, out, "--method", "map", *words, network="small")
        assert done.returncode == 0, done.stderr
    assert_same(plant, "alone", "run")


@thorough
def test_a_whole_network_goes_on_to_the_same_answer_in_another_process(plant: Path):
    killed(plant, "large", "whole")
    for out, words in (("alone-large", ()), ("large", ("--resume",))):
        done = assess(plant, out, "--method", "map", *words)
        assert done.returncode == 0, done.stderr
    assert_same(plant, "alone-large", "large")


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
