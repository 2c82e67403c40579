"""Functions are told apart by what they do, and known again in every process."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import agewise
from agewise.engine.training import Monitor
from agewise.engine.training.checkpoint import Keeper
from agewise.engine.training.functions import described, functions_in
from agewise.errors import InputError

GIVEN = """
speed = {speed}
def outer(a, b={default}):
    def equation(u, p):
        # {comment}
        inner = lambda v: v {sign} 2.0 * a
        return inner(u) {sign} b + speed + jnp.sin(p)
    return equation
equation = outer({closed})
"""
SAME = {"speed": 3.0, "default": 1, "comment": "", "sign": "+", "closed": "1.0"}


def equation(**changes):
    """One function, with something changed in its source."""
    made: dict[str, Any] = {"jax": jax, "jnp": jnp, "np": np}
    exec(GIVEN.format(**(SAME | changes)), made)
    return made["equation"]


def test_the_same_source_is_the_same_function():
    assert described(equation()) == described(equation())
    assert described(equation(comment="to be done")) == described(equation())
    assert described(equation(closed="np.ones(3)")) == described(equation(closed="np.ones(3)"))


@pytest.mark.parametrize(
    "changes",
    [
        {"speed": 4.0},
        {"default": 2},
        {"sign": "-"},
        {"closed": "2.0"},
        {"closed": "np.ones(3)"},
        {"closed": "lambda: 1"},
        {"closed": "jax.random.key(0)"},
        {"closed": "(1.0, {'k': 2})"},
    ],
    ids=str,
)
def test_whatever_changes_the_answer_makes_another_function(changes: dict):
    assert described(equation(**changes)) != described(equation())


def test_functions_are_found_behind_what_wraps_them():
    one, other = equation(), equation(sign="-")
    assert described(partial(one, 1)) != described(partial(other, 1))
    assert described(jax.jit(one)) == described(one) != described(jax.jit(other))
    assert list(functions_in({"a": (1, [one]), "b": other})) == [one, other]


def test_a_function_that_calls_itself_comes_to_an_end():
    def falling(n):
        return falling(n - 1) if n else 0

    assert "itself" in described(falling)


def test_a_function_is_known_again_in_another_process():
    """Also one with a set of words, whose order is another in every process."""
    source = (
        "from agewise.engine.training.functions import described\n"
        "from jax.numpy import sin\n"
        "print(described(lambda u, k=sin, o=object(): k(u) if u in {'a', 'b', 'c', 'd'} else o))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", source],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


def test_the_checkpoint_of_another_equation_is_refused(tmp_path: Path):
    def stated(equation) -> agewise.Problem:
        return agewise.Problem(equations={"inside": equation}, coordinates={"x": (0.0, 1.0)})

    # One name for all: on one line and in one function.
    growing, falling = ((lambda u, p: u(p) - 1.0), (lambda u, p: u(p) + 1.0))
    monitor = Monitor(tmp_path, resume=True)
    Keeper(monitor, "fit", stated(growing)).keep(lambda: {"state": np.ones(2)}, now=True)
    kept = Keeper(monitor, "fit", stated(growing)).kept()
    assert kept is not None and list(kept) == ["state"]
    with pytest.raises(InputError, match="belongs to another training"):
        Keeper(monitor, "fit", stated(falling)).kept()
