"""A training that is killed, interrupted, found unfinished and resumed, as a user meets it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from agewise.arrays import read_arrays
from agewise.twin.twin import TwinSettings, make_twin, write_twin

AGEWISE = Path(sys.executable).with_name("agewise")
# A background shell mutes Ctrl-C for its children; a fork of JAX's own process may not set it.
LISTENING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
# Beside other tests each process is best kept to one core.
ONE = {"OPENBLAS_NUM_THREADS": "1", "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false"}


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plant")
    write_twin(make_twin(TwinSettings(seed=3, days=0.5)), folder)
    return folder


def started(plant: Path, out: str, *words: str) -> subprocess.Popen[str]:
    inputs = [
        plant / "profile.csv",
        "--nameplate",
        plant / "nameplate.toml",
        "--method",
        "map",
        "--quick",
    ]
    command = [AGEWISE, "assess", *inputs, "--out", plant / out, *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", LISTENING, *map(str, command)],
        stdout=pipe,
        stderr=pipe,
        text=True,
        env=os.environ | ONE,
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=180)
    return process.returncode, out, err


def signalled_in_training(plant: Path, out: str, number: signal.Signals) -> subprocess.Popen[str]:
    process, checkpoint = started(plant, out), plant / f"{out}.checkpoints" / "start.npz"
    while not checkpoint.exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(number)
    return process


def test_a_killed_training_is_kept_and_goes_on_to_the_same_answer(plant: Path):
    alone, killed = started(plant, "alone"), signalled_in_training(plant, "run", signal.SIGKILL)
    assert ended(killed)[0] == -signal.SIGKILL
    assert not (plant / "run").exists()
    code, _, error = ended(started(plant, "run"))
    assert code == 2
    assert "run.checkpoints holds the checkpoints of a training" in error
    assert "--resume" in error
    assert ended(alone)[0] == 0
    code, _, error = ended(started(plant, "run", "--resume"))
    assert code == 0, error
    assert not (plant / "run.checkpoints").exists()
    one, other = (read_arrays(plant / name / "posterior.npz") for name in ("alone", "run"))
    assert one.keys() == other.keys()
    for name, array in one.items():
        np.testing.assert_array_equal(array, other[name])


def test_ctrl_c_keeps_the_best_so_far_and_says_so(plant: Path):
    code, told, error = ended(signalled_in_training(plant, "stopped", signal.SIGINT))
    assert code == 0, error
    assert "stopped by hand" in told
    assert (plant / "stopped" / "run.json").exists()
    assert not (plant / "stopped.checkpoints").exists()


def test_yardsticks_have_no_presets(plant: Path):
    process = started(plant, "none", "--method", "exact", "--preset", "paper")
    code, _, error = ended(process)
    assert code == 2
    assert "'exact' has neither presets nor a choice of noise" in error
