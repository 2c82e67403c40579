"""A process that helps: it does what it is given, tells what went wrong, and never stays behind."""

import os
import time

import pytest

from agewise.errors import InputError
from agewise.second_process import OtherProcess, second_process

SLOW = 600.0
"""Seconds of work that nobody waits for."""


def process_of(words: str) -> tuple[int, str]:
    return os.getpid(), words


def refused(words: str) -> None:
    raise InputError(words, hint="give another.")


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_another_process_does_one_thing_after_the_other_and_ends_with_the_block():
    with second_process(jobs=2, loads="json") as other:
        other.begin(process_of, "first")
        process, words = other.result()
        assert (process != os.getpid(), words) == (True, "first")
        # Larger than the buffer of a pipe, both ways.
        other.begin(process_of, "x" * 10**6)
        assert other.result() == (process, "x" * 10**6)
        other.begin(time.sleep, SLOW)
    assert not is_alive(process)


def test_what_went_wrong_there_is_raised_here_and_does_not_end_the_helper():
    with second_process(jobs=2, loads="json") as other:
        other.begin(refused, "No.")
        with pytest.raises(InputError, match=r"No\.") as error:
            other.result()
        assert error.value.hint == "give another."
        other.begin(process_of, "still there")
        assert other.result()[1] == "still there"


def test_a_helper_that_is_gone_is_not_waited_for():
    with second_process(jobs=2, loads="json") as other:
        other.begin(os._exit, 1)
        with pytest.raises(EOFError):
            other.result()


def test_it_is_gone_after_an_error_here_too():
    seen: list[int] = []

    def failing() -> None:
        with second_process(jobs=2, loads="json") as other:
            other.begin(process_of, "")
            seen.append(other.result()[0])
            other.begin(time.sleep, SLOW)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        failing()
    assert not is_alive(seen[0])


def test_one_job_is_done_here_when_it_is_asked_for():
    with second_process(jobs=1, loads="no.such.module") as here:
        assert not isinstance(here, OtherProcess)
        here.begin(process_of, "here")
        assert here.result() == (os.getpid(), "here")
        here.begin(refused, "No.")
        with pytest.raises(InputError):
            here.result()
