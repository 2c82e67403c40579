"""Files of posteriors that lack something are refused in a sentence."""

import json
from pathlib import Path

import numpy as np
import pytest

import agewise
from agewise.arrays import read_arrays, write_arrays
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.errors import InputError

CONTENT = ("method", "settings", "sizes", "unknowns", "kind", "readers", "check")
"""All that a file says in words."""


@pytest.fixture(scope="module")
def posterior() -> EquationPosterior:
    problem = agewise.Problem(
        equations={"level": lambda u, p: agewise.partial(u, 0)(p), "start": lambda u, p: u(p)},
        coordinates={"x": (0.0, 1.0)},
        places={"start": [{"x": 0.0}]},
        scales={"level": 1.0, "start": 1.0},
    )
    return agewise.fit(problem, method="exact")


def changed(posterior: EquationPosterior, path: Path, change) -> None:
    """Its file, with other words."""
    posterior.save(path)
    arrays = read_arrays(path)
    content = json.loads(bytes(arrays["content"]))
    change(content)
    text = np.frombuffer(json.dumps(content).encode(), dtype=np.uint8)
    write_arrays(path, arrays | {"content": text})


def test_the_file_as_it_was_written_is_read(posterior: EquationPosterior, tmp_path: Path):
    changed(posterior, tmp_path / "whole.npz", lambda content: None)
    assert agewise.load(tmp_path / "whole.npz", posterior.problem).method == "exact"


@pytest.mark.parametrize("name", CONTENT)
def test_what_is_missing_is_an_error_in_a_sentence(
    posterior: EquationPosterior, tmp_path: Path, name: str
):
    changed(posterior, tmp_path / "cut.npz", lambda content: content.pop(name))
    with pytest.raises(InputError, match="is no posterior of agewise"):
        agewise.load(tmp_path / "cut.npz", posterior.problem)


@pytest.mark.parametrize(
    "words", [{"method": "magic"}, {"sizes": {}}, {"sizes": []}, {"sizes": {"u": 1.0}}], ids=str
)
def test_what_nobody_knows_is_an_error_in_a_sentence(
    posterior: EquationPosterior, tmp_path: Path, words: dict
):
    changed(posterior, tmp_path / "odd.npz", lambda content: content.update(words))
    with pytest.raises(InputError, match="is no posterior of agewise"):
        agewise.load(tmp_path / "odd.npz", posterior.problem)
