"""Whether chains agree on functions and constants: R-hat and effective draws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.engine.equations.functions.unknown import Unknown, drawn_values
from agewise.engine.equations.objective.collocation import box_of
from agewise.engine.equations.posterior.check import Check
from agewise.engine.problems.base import AbstractProblem

WATCHED = 20
"""Points at which functions are watched."""
AGREE, APART = 1.01, 1.1
"""R-hat from which a reader is told, and from which the answer is not sound [1] (Vehtari et al.
2021; Gelman and Rubin 1992)."""
ENOUGH, FEW = 100.0, 20.0
"""Effective draws below which a reader is told, and below which the answer is not sound."""
DIVERGENT = 0.01
"""Share of divergent paths from which a reader is told [1]."""

Chains = Float[np.ndarray, "chain draw number"]
"""States of several chains of one length."""


@dataclass(frozen=True, eq=False)
class Mixing:
    """How well chains agree, for every function at points and for every constant, by its name."""

    points: Float[np.ndarray, "point axis"]
    """Points at which functions are watched."""
    rhat: Mapping[str, Float[np.ndarray, " place"]]
    """Rank-normalised split R-hat [1]; 1 where all chains tell the same."""
    effective: Mapping[str, Float[np.ndarray, " place"]]
    """Independent draws that would be worth as much: the fewer of those for the middle and for
    the tails."""

    @property
    def worst(self) -> tuple[str, float]:
        """The function or constant on which chains agree least, with its R-hat; inf for none."""
        # No number comes of chains that stand still: the worst that can be said.
        sizes = {n: float(np.nan_to_num(r, nan=np.inf).max()) for n, r in self.rhat.items()}
        return max(sizes.items(), key=lambda item: item[1])

    @property
    def fewest(self) -> tuple[str, float]:
        """The function or constant with the fewest effective draws, and how many; 0 for none."""
        sizes = {n: float(np.nan_to_num(e, nan=0.0).min()) for n, e in self.effective.items()}
        return min(sizes.items(), key=lambda item: item[1])

    def record(self) -> dict[str, np.ndarray]:
        """All of it, for the record of a posterior."""
        parts = {"mixing_points": self.points}
        parts |= {f"rhat_{name}": values for name, values in self.rhat.items()}
        return parts | {f"effective_{name}": values for name, values in self.effective.items()}

    def judged(self, check: Check) -> Check:
        """The check, with a word where chains agree poorly."""
        (least, rhat), (rarest, count) = self.worst, self.fewest
        words = f"R-hat {rhat:.3g} of {least!r}, {count:.0f} effective draws of {rarest!r}"
        if rhat > APART or count < FEW:
            return check.with_findings(
                f"The chains do not agree ({words}): they have not seen all that is possible, so "
                "the bands mean nothing. Draw longer chains, or compare `ensemble`."
            )
        if rhat > AGREE or count < ENOUGH:
            remark = f"The chains agree roughly ({words}): draw longer ones for finer bands."
            return check.with_remarks(remark)
        return check


def mixing(problem: AbstractProblem, unknown: Unknown, chains: Chains) -> Mixing:
    """How well chains agree on the functions and constants of a problem."""
    points = _watched(problem)
    count, length, numbers = chains.shape
    # Chain outer, draw inner, so that the way back below is a plain reshape.
    flat = chains.reshape(-1, numbers)
    with jax.enable_x64(True):
        values = {n: np.asarray(drawn_values(unknown, flat, n, points)) for n in unknown.functions}
        # A constant has one place, where functions have one for each point.
        values |= {n: v[:, None] for n, v in unknown.drawn_constants(flat).items()}
        # At all places at once: every number of them is a program of its own, which takes longer to
        # compile than to run.
        places = [v.reshape(count, length, -1) for v in values.values()]
        found = [np.atleast_1d(each) for each in _diagnosed(np.concatenate(places, axis=2))]
    ends = np.cumsum([own.shape[2] for own in places])[:-1]
    rhat, effective = (dict(zip(values, np.split(each, ends), strict=True)) for each in found)
    return Mixing(points, rhat, effective)


def lesser_remark(behind: Sequence[float], tried: int) -> str | None:
    """A word on solutions in which fits from afar ended, and which are too unlikely to count.

    Args:
        behind: By how much less likely each of them is [nats of evidence].
        tried: How many fits set out from afar.
    """
    if not behind:
        return None
    return (
        f"{len(behind)} of {tried} fits from afar end in another solution, less likely by "
        f"{min(behind):.0f} nats of evidence or more: the chains leave it out."
    )


def divergence_remarks(divergent: Float[np.ndarray, " draw"]) -> tuple[str, ...]:
    """A word on paths that left the density behind, where there are many."""
    share = float(np.mean(divergent))
    if share <= DIVERGENT:
        return ()
    return (f"{share:.1%} of the paths diverged: narrow parts of what is possible may be missing.",)


@jax.jit
def _diagnosed(values: Float[Array, "chain draw place"]) -> tuple[Array, Array]:
    """R-hat and effective draws at every place; BlackJAX drops the axis of a single one."""
    # As one program: step by step, BlackJAX's are three hundred, which take longer than the chains.
    # Imported here, since most fits draw no chain.
    from blackjax.diagnostics import ess_bulk, ess_tail, rhat

    return rhat(values), jnp.minimum(ess_bulk(values), ess_tail(values))


def _watched(problem: AbstractProblem) -> Float[np.ndarray, "point axis"]:
    """Points all over the box, its ends included where it is a line."""
    low, high = box_of(problem)
    if len(low) == 1:
        return np.linspace(low, high, WATCHED)
    # The same ones always, so that two fits can be compared.
    return np.random.default_rng(0).uniform(low, high, (WATCHED, len(low)))
