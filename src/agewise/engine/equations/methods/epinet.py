"""`epinet`: the most probable functions stay, and a small net says how they might differ."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from agewise.engine.equations.draws.drawn import draws_checked
from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.functions.indexed import Indexed, indexed
from agewise.engine.equations.functions.unknown import Unknown, perceptrons, values_at
from agewise.engine.equations.methods.base import AbstractMethod, posterior_of
from agewise.engine.equations.objective.averaged import AbstractAveraged, parts_of
from agewise.engine.equations.objective.collocation import box_of
from agewise.engine.equations.objective.rows import EquationObjective
from agewise.engine.equations.posterior.check import Check
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.engine.equations.posterior.weights import IndexedWeights
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Monitor, Stage
from agewise.types import Key

PRIOR_DRAWS = 50
"""Functions of a prior by which its size is taken."""
PRIOR = "prior of constants"
"""Name under which constants have their directions."""
PRIOR_POINTS = 200
"""Points at which the size of a prior is taken."""


class EpinetObjective(AbstractAveraged):
    """Readings and residuals of functions with random indices; the learnable nets are trained."""

    constants: Float[np.ndarray, " constant"]
    """Most probable numbers of the constants."""
    prior: Float[np.ndarray, "constant index"]
    """How these numbers follow the index beforehand: each by one standard deviation."""
    directions: dict[str, Float[np.ndarray, "row index"]]
    """How every reading is moved with the index, over its noise; empty where none is."""

    @property
    def ridge(self) -> float:
        """Functions follow the index over the root of its length, and each of them, not all of the
        nets' numbers together, departs from the prior as it would by itself."""
        return 1.0 / self.prior.shape[1]

    def chances(self, count: int, *, key: Key):
        """Indices from the standard normal distribution."""
        return jax.random.normal(key, (count, self.prior.shape[1]), dtype=float)

    def numbers(self, params, chance):
        """The learnable nets with this index, and the constants that follow it."""
        parts, start = [], 0
        for function in self.inner.unknown.functions.values():
            # An indexed network's numbers end with the index itself, which is not trained.
            own = function.network.size - len(chance)
            parts += [params[start : start + own], chance]
            start += own
        # Over the root of the index, as the nets divide theirs.
        learned = jnp.reshape(params[start:], self.prior.shape) / np.sqrt(len(chance))
        shift = self.prior + learned
        # Linear in the index: `_weights` relies on it.
        return jnp.concatenate([*parts, self.constants + shift @ chance])

    def moved(self, name: str, count: int):
        """Each row by its own direction of the index."""
        return self.directions.get(name)


@dataclass(frozen=True)
class Epinet(AbstractMethod):
    """A small net, fed with an index, trained about the most probable functions; a draw is an
    index.

    The fixed net is as large as the prior of the frozen network, whose gains were learned by the
    evidence of the readings: where nothing was read, the spread is what was assumed beforehand, and
    no truth has a say. Readings are moved by their noise, each along a direction of the index of
    its own, as Osband's epinets do: otherwise the spread would vanish wherever something was read,
    however noisily.
    """

    name: ClassVar[str] = "epinet"
    summary: ClassVar[str] = (
        "A small net about the fit says how it might differ, for up to a minute more than "
        "`map`; on Yang's inverse problem rather too sure (95 % bands hold 0.87). Where equations "
        "are exact its draws are no solutions and bands too wide, as its check says."
    )

    def fit(self, problem: AbstractProblem, *, key: Key, monitor: Monitor) -> EquationPosterior:
        """The fit, and the nets about it."""
        fitted = self.fitted(problem, key=key, monitor=monitor)
        widened = self.widened(fitted)
        weights, check = self.weights(widened, key=key)
        return posterior_of(self, widened, weights, check)

    def widened(self, fitted: Fitted) -> Fitted:
        """The same fit, of functions with an index that is zero."""
        chosen, key = self.settings, fitted.stages.key_of("epinet's prior")
        rng = np.random.default_rng(np.asarray(jax.random.key_data(key)))
        wider = indexed(fitted.unknown, chosen.index_width, chosen.index)
        gains, parts = {}, []
        for (name, function), own in zip(
            fitted.unknown.functions.items(), parts_of(fitted.unknown), strict=True
        ):
            base, net = function.network, wider.functions[name].network
            assert isinstance(net, Indexed)
            # Gains go into the frozen numbers, since the base inside has gains of one.
            plain = fitted.numbers[own] * np.asarray(base.kept)[base.groups]  # type: ignore
            # Trained numbers, a random net, and its scale, one for now: the order of `fixed`.
            gains[name] = np.concatenate([plain, rng.standard_normal(net.prior_size), [1.0]])
            parts.append(np.zeros(net.size))
        wider = wider.with_gains(gains)
        # In two passes: the size of what the net adds is known only once it can be evaluated.
        gains = {name: _scaled(fitted, wider, name, array, rng) for name, array in gains.items()}
        places = len(fitted.unknown.constants)
        numbers = np.concatenate([*parts, fitted.numbers[len(fitted.numbers) - places :]])
        return replace(fitted, unknown=wider.with_gains(gains), numbers=numbers)

    def weights(self, fitted: Fitted, *, key: Key) -> tuple[IndexedWeights, Check]:
        """The learnable nets, trained, and how constants follow the index."""
        objective = self._objective(fitted)
        stage = Stage("gauss-newton", self.settings.index_steps, rate=1.0, look=10)
        nets = [f.network for f in fitted.unknown.functions.values()]
        silent = [net.silent() for net in nets if isinstance(net, Indexed)]
        # Nothing comes out of silent nets: training starts from the fit and the prior alone.
        start = np.concatenate([*silent, np.zeros(objective.prior.size)])
        end = fitted.stages.run("epinet", stage, objective, start, fitted.variances)
        weights = _weights(objective, np.asarray(end.params))
        return weights, draws_checked(fitted, weights)

    def _objective(self, fitted: Fitted) -> EpinetObjective:
        key = fitted.stages.key_of("epinet's directions")
        rng = np.random.default_rng(np.asarray(jax.random.key_data(key)))
        count, places = self.settings.index, len(fitted.unknown.constants)
        inner = EquationObjective.of(
            fitted.problem, fitted.unknown, fitted.loosened, fitted.sensors
        )
        rows = inner.rows(fitted.variances, key=key) if self.settings.index_noise else {}
        counts = {name: len(jax.tree.leaves(items)[0]) for name, (_, items) in rows.items()}
        equations = {name: n for name, n in counts.items() if name in inner.points}
        readings = {name: n for name, n in counts.items() if name not in inner.points}
        # Apart, since equations have so many rows that readings would not be as if by themselves.
        directions = _directions(readings | {PRIOR: places}, count, rng)
        prior = directions.pop(PRIOR)
        directions |= _directions(equations, count, rng)
        constants = fitted.numbers[len(fitted.numbers) - places :]
        return EpinetObjective(inner, constants, prior, directions)

    @classmethod
    def unknown(cls, problem: AbstractProblem, settings: EquationSettings, sizes) -> Unknown:
        """Networks with an index."""
        base = perceptrons(problem, settings.hidden, settings.stretch, sizes)
        return indexed(base, settings.index_width, settings.index)


def _directions(
    counts: dict[str, int], index: int, rng: np.random.Generator
) -> dict[str, Float[np.ndarray, "row index"]]:
    """A direction for every row of every group, of length one in the mean.

    They are as far from each other as so many can be: at right angles where there are no more of
    them than the index is long. What is independent then stays so in few indices.
    """
    total = sum(counts.values())
    drawn = rng.standard_normal((max(total, index), min(total, index)))
    frame = np.linalg.qr(drawn)[0]
    # Orthonormal rows where there are few; else orthonormal columns, lengthened to one a row.
    rows = frame.T if total < index else frame * np.sqrt(total / index)
    ends = np.cumsum([0, *counts.values()])
    return {n: rows[a:b] for n, (a, b) in zip(counts, pairwise(ends), strict=True)}


def _scaled(
    fitted: Fitted, wider: Unknown, name: str, kept: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """What is kept of a function, with the fixed net as large as the prior of the frozen one."""
    low, high = box_of(fitted.problem)
    points = rng.uniform(low, high, (PRIOR_POINTS, len(low)))
    priors = rng.standard_normal((PRIOR_DRAWS, fitted.unknown.size))
    nets = np.zeros((PRIOR_DRAWS, wider.size))
    for function, own in zip(wider.functions.values(), parts_of(wider), strict=True):
        net = function.network
        assert isinstance(net, Indexed)
        # The index stands last among a function's numbers; the learnable net stays at zero.
        nets[:, own.stop - net.index : own.stop] = rng.standard_normal((PRIOR_DRAWS, net.index))
    with jax.enable_x64(True):
        ours, theirs = (
            np.stack([np.asarray(values_at(unknown, numbers, name, points)) for numbers in drawn])
            for unknown, drawn in ((fitted.unknown, priors), (wider, nets))
        )
    # About the mean over draws, since the frozen function is in all of the second.
    ratio = np.median(ours.std(axis=0)) / np.median(theirs.std(axis=0))
    return np.append(kept[:-1], kept[-1] * ratio)


def _weights(objective: EpinetObjective, params: Float[np.ndarray, " param"]) -> IndexedWeights:
    """The numbers that follow an index, as the training left them."""
    count = objective.prior.shape[1]
    with jax.enable_x64(True):
        centre, *ends = (
            np.asarray(objective.numbers(params, index))
            # A linear map is known by where zero and the unit vectors go.
            for index in (np.zeros(count), *np.eye(count))
        )
    return IndexedWeights(centre, np.stack([end - centre for end in ends], axis=1))
