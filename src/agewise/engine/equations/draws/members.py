"""How members of an ensemble differ: what each has found, and by how much beside noise."""

from collections.abc import Sequence

import jax
import numpy as np
from jaxtyping import Float
from scipy.cluster.hierarchy import fcluster, linkage

from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.functions.unknown import gradients_at, values_at
from agewise.engine.equations.objective.collocation import box_of

APART = 0.1
"""Distance of two functions over their size from which they count as different solutions [1]."""
COMPARED = 200
"""Points at which members are compared."""


def groups_of(members: Sequence[Fitted]) -> np.ndarray:
    """The number of the solution that each member has found, from 1."""
    if len(members) < 2:
        return np.ones(len(members), dtype=int)
    values = _values(members)
    # Norm of a typical member over all points: distances are shares of it.
    size = float(np.sqrt(np.mean(values**2))) * np.sqrt(values.shape[1]) or 1.0
    # Single linkage: members joined by a row of near ones are one solution.
    return fcluster(linkage(values, "single"), APART * size, criterion="distance")


def narrowness(members: Sequence[Fitted]) -> Float[np.ndarray, " place"]:
    """By how much members differ, over the doubt that noise and equations leave to the first.

    Each is at its own best fit to the same readings, whose noise moves all of them alike: what
    they disagree on knows nothing of it.
    """
    return _values(members).std(axis=0) / _doubt(members[0])


def _values(members: Sequence[Fitted]) -> Float[np.ndarray, "member place"]:
    """All functions of every member at points of the box, each over its size."""
    points = _points(members[0])
    with jax.enable_x64(True):
        return np.stack(
            [
                np.concatenate(
                    [
                        # Over its size, so that functions in different units count alike.
                        np.asarray(values_at(m.unknown, m.numbers, n, points)) / float(f.size)
                        for n, f in m.unknown.functions.items()
                    ]
                )
                for m in members
            ]
        )


def _doubt(member: Fitted) -> Float[np.ndarray, " place"]:
    """Standard deviation that noise and equations leave to one member, as `_values` has places."""
    gaussian, points = member.gaussian(), _points(member)
    with jax.enable_x64(True):
        gradients = {
            n: np.asarray(gradients_at(member.unknown, member.numbers, n, points))
            for n in member.unknown.functions
        }
    sizes = {n: float(f.size) for n, f in member.unknown.functions.items()}
    return np.concatenate([np.sqrt(gaussian.variance(g)) / sizes[n] for n, g in gradients.items()])


def _points(member: Fitted) -> Float[np.ndarray, "point axis"]:
    """Points all over the box, the same for all members."""
    low, high = box_of(member.problem)
    return np.random.default_rng(0).uniform(low, high, (COMPARED, len(low)))
