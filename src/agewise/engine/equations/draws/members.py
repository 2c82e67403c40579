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
LESSER = 20.0
"""Evidence by which a solution is behind another [nats] for its share to be nothing, e^-20 or
2e-9. One member in ten that ended there would count for a tenth, and a chain that began there,
which would never leave it, as much as all others."""
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


def likely(members: Sequence[Fitted]) -> tuple[list[Fitted], list[float]]:
    """Members whose solution readings leave likely; and by how much less likely each of the others
    is [nats of evidence].

    Where nothing is read all solutions of an equation are as good: every member stays.
    """
    groups = groups_of(members)
    if not members[0].sensors or groups.max() == 1:
        return list(members), []
    evidence = np.array([member.log_evidence for member in members])
    # By the best of each solution: one that stopped short of it has the same solution.
    best = np.array([evidence[groups == group].max() for group in groups])
    gaps = best.max() - best
    kept = [member for member, gap in zip(members, gaps, strict=True) if gap <= LESSER]
    return kept, [float(gap) for gap in gaps if gap > LESSER]


def narrowness(members: Sequence[Fitted]) -> Float[np.ndarray, " place"]:
    """By how much members of the commonest solution differ, over the doubt that noise and equations
    leave to the first of them.

    Each is at its own best fit to the same readings, whose noise moves all of them alike: what
    they disagree on knows nothing of it. Of one solution, since one member in another would make
    all of them look far apart.
    """
    groups = groups_of(members)
    common = [m for m, g in zip(members, groups, strict=True) if g == np.bincount(groups).argmax()]
    return _values(common).std(axis=0) / _doubt(common[0])


def _values(members: Sequence[Fitted]) -> Float[np.ndarray, "member place"]:
    """All functions of every member at points of the box, each over its size for the first one:
    where nothing states sizes, members may have found others."""
    points, functions = _points(members[0]), members[0].unknown.functions
    with jax.enable_x64(True):
        return np.stack(
            [
                np.concatenate(
                    [
                        # Over its size, so that functions in different units count alike.
                        np.asarray(values_at(m.unknown, m.numbers, n, points)) / float(f.size)
                        for n, f in functions.items()
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
