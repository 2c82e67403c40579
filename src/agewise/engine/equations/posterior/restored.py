"""The way back: the posterior that a file holds, of the problem that it belongs to."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from agewise.arrays import damaged, read_arrays
from agewise.engine.equations.objective.noise import Noise
from agewise.engine.equations.posterior.check import Check
from agewise.engine.equations.posterior.posterior import EquationPosterior, problem_names
from agewise.engine.equations.posterior.weights import restored_weights
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.errors import InputError

NOISE_PARTS = ("kind", "weights", "box", "spread", "bounds", "axis", "knots")
"""Names of the arrays of a law of the noise."""


def restored_posterior(
    path: str | Path, problem: AbstractProblem, unknown_of: Mapping[str, Any]
) -> EquationPosterior:
    """The posterior that `save` wrote, of the same problem.

    Args:
        path: The file.
        problem: The problem that was fitted.
        unknown_of: By method, what makes its functions of problem, settings and sizes.
    """
    arrays = read_arrays(Path(path))
    try:
        content = json.loads(bytes(arrays["content"]))
        # Names alone are compared: equations are functions, which no file of arrays holds.
        fits = content["unknowns"] == problem_names(problem)
        # JSON knows lists alone, and settings must be hashable.
        settings = content["settings"] | {"hidden": tuple(content["settings"]["hidden"])}
        chosen = EquationSettings(**settings)
        weights = restored_weights(content["kind"], _part(arrays, "weights_"))
        noises = {
            sensor: Noise.restored({n: arrays[f"noise_{n}_{sensor}"] for n in NOISE_PARTS})
            for sensor in content["unknowns"]["sensors"]
        }
        check = Check.from_json(content["check"])
        method, readers = content["method"], content["readers"]
        sizes = {name: tuple(content["sizes"][name]) for name in content["unknowns"]["functions"]}
        made = unknown_of[method]
    # Whatever is missing or of another type, the reader hears one sentence.
    except (KeyError, TypeError, ValueError):
        raise damaged(Path(path), "is no posterior of agewise") from None
    if not fits:
        raise InputError(
            f"{path} belongs to another problem: it has {content['unknowns']}.",
            hint="give the problem that was fitted.",
        )
    # Gains were learned, so a network made of settings alone lacks them.
    unknown = made(problem, chosen, sizes).with_gains(_part(arrays, "gains_"))
    record = _part(arrays, "record_")
    return EquationPosterior(
        problem, method, chosen, unknown, weights, noises, readers, check, record
    )


def _part(arrays: Mapping[str, np.ndarray], beginning: str) -> dict[str, np.ndarray]:
    """Arrays whose names begin so, by the rest of their names."""
    return {n.removeprefix(beginning): a for n, a in arrays.items() if n.startswith(beginning)}
