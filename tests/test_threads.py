"""Processes side by side: one thread each, and none that outlives the one that started it."""

import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from agewise import threads
from agewise.errors import InputError
from agewise.threads import ONE_THREAD_VARIABLES, XLA_ONE_THREAD, in_step, side_by_side

PARENT = """
import os, sys, time
from agewise.threads import side_by_side

def work(number):
    print(os.getpid(), flush=True)
    time.sleep(600)

if __name__ == "__main__":
    list(side_by_side(work, ((number,) for number in range(2)), jobs=2))
"""
PATIENCE = 60.0
"""Seconds after which a worker that is still there is one that stays."""


def surroundings(number: int) -> tuple[int, int, dict[str, str]]:
    return number, os.getpid(), dict(os.environ)


def refusing(number: int) -> int:
    if number == 1:
        raise InputError("One is refused.", hint="choose another.")
    return number


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def pool_of_xla(size: int) -> int:
    """Number of threads in XLA's pool after some work [1]."""
    import jax.numpy as jnp

    jnp.linalg.inv(jnp.eye(size)).block_until_ready()
    names = (path.read_text() for path in Path("/proc/self/task").glob("*/comm"))
    return sum(name.startswith("tf_XLAEigen") for name in names)


@pytest.mark.skipif(sys.platform != "linux", reason="threads are named in /proc")
def test_xla_has_a_pool_of_one_thread_in_a_worker():
    assert list(side_by_side(pool_of_xla, [(50,), (50,)], jobs=2)) == [1, 1]


def test_workers_have_one_thread_and_this_process_keeps_its_own():
    import joblib  # noqa: F401  # sets a variable of its own when it is imported

    before = dict(os.environ)
    results = list(side_by_side(surroundings, ((number,) for number in range(3)), jobs=2))
    assert dict(os.environ) == before
    assert [number for number, _, _ in results] == [0, 1, 2]
    for _, process, environment in results:
        assert process != os.getpid()
        assert all(environment[name] == "1" for name in ONE_THREAD_VARIABLES)
        assert XLA_ONE_THREAD in environment["XLA_FLAGS"]


def test_one_job_is_done_here():
    (result,) = side_by_side(surroundings, [(0,)], jobs=1)
    assert result == (0, os.getpid(), dict(os.environ))


def test_errors_arrive_whole():
    with pytest.raises(InputError, match="One is refused") as refused:
        list(side_by_side(refusing, [(0,), (1,)], jobs=2, ordered=False))
    assert refused.value.hint == "choose another."


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL; its workers wait for a handle")
def test_questions_of_a_turn_are_answered_together():
    turns = []

    def squares(numbers: list[int]) -> list[int]:
        turns.append(numbers)
        return [number**2 for number in numbers]

    def seeker(count: int):
        return lambda ask: [ask(count * 10 + number) for number in range(count)]

    assert in_step(squares, [seeker(1), seeker(3)]) == [[100], [900, 961, 1024]]
    assert turns == [[10, 30], [31], [32]]


def test_whoever_asks_hears_of_errors():
    def unanswered(questions: list[int]) -> list[int]:
        raise OSError(f"{len(questions)} questions")

    with pytest.raises(OSError, match="2 questions"):
        in_step(unanswered, [lambda ask: ask(1), lambda ask: ask(2)])
    with pytest.raises(ZeroDivisionError):
        in_step(lambda numbers: numbers, [lambda ask: ask(1) / 0, lambda ask: ask(2)])


def test_workers_end_when_their_parent_is_killed(tmp_path):
    program = tmp_path / "parent.py"
    program.write_text(PARENT)
    parent = subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    workers = [int(parent.stdout.readline()) for _ in range(2)]
    assert all(map(alive, workers))
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + PATIENCE
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, workers))
    parent.stdout.close()


def test_on_windows_a_worker_waits_for_its_parent(monkeypatch: pytest.MonkeyPatch):
    done: list[str] = []
    system = SimpleNamespace(name="nt", _exit=lambda code: done.append(f"ended with {code}"))
    parent = SimpleNamespace(join=lambda: done.append("waited"))
    monkeypatch.setattr(threads, "os", system)
    monkeypatch.setattr(threads.multiprocessing, "parent_process", lambda: parent)
    threads._end_with(1)
    assert done == ["waited", "ended with 1"]
