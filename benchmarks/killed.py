"""Kill `agewise assess` at random moments, resume it, and compare with a run left alone."""

import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from agewise.arrays import read_arrays
from agewise.twin.twin import TwinSettings, make_twin
from agewise.twin.twin_file import write_twin

AGEWISE = Path(sys.executable).with_name("agewise")


def command(folder: Path, out: str, method: str) -> list[str | Path]:
    """An assessment that goes on from checkpoints if there are any."""
    paths = [folder / "profile.csv", "--nameplate", folder / "nameplate.toml"]
    return [AGEWISE, "assess", *paths, "--out", folder / out, "--method", method, "--resume"]


def finished(arguments: list[str | Path]) -> float:
    """Run to the end; the seconds that it took."""
    start = time.monotonic()
    subprocess.run(arguments, check=True, capture_output=True)
    return time.monotonic() - start


def killed(arguments: list[str | Path], seconds: float) -> bool:
    """Start, and end it by SIGKILL; whether it was still at work."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def main() -> None:
    """Kill again and again, each time from where the last left off, and compare."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--method", default="vi")
    parser.add_argument("--days", type=float, default=1.0)
    chosen = parser.parse_args()
    rng = np.random.default_rng(0)
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_twin(make_twin(TwinSettings(seed=100, days=chosen.days)), folder)
        length = finished(command(folder, "alone", chosen.method))
        kills, chains = 0, 0
        while kills < chosen.kills:
            chains += 1
            out, worked = f"killed{chains}", True
            while worked and kills < chosen.kills:
                worked = killed(command(folder, out, chosen.method), rng.uniform(0.1, 1) * length)
                kills += worked
            finished(command(folder, out, chosen.method))
            one, other = (read_arrays(folder / n / "posterior.npz") for n in ("alone", out))
            assert one.keys() == other.keys()
            equal = all(np.array_equal(one[key], other[key]) for key in one)
            print(f"run {chains}: {kills} kills so far, equal to the bit: {equal}", flush=True)
            assert equal
    print(f"{kills} kills in {chains} runs of {length:.0f} s; every array equal to the bit")


if __name__ == "__main__":
    main()
