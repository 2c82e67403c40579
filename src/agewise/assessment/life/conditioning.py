"""What is believed of a unit that runs today: draws of life and past, given that it does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from agewise.assessment.life.doubts import LIFE, PAST, USED
from agewise.transformer.prognostics.survival import EACH, Living, LogLikelihood, Pairs, living
from agewise.transformer.prognostics.unknowns import Draws, Unknown


@dataclass(frozen=True, eq=False)
class Believed:
    """Draws of all unknowns after it was considered that the unit lives."""

    draws: Draws
    """Draws of every unknown, by name."""
    unknowns: list[Unknown]
    """The unknowns, with the means of these draws."""
    rows: Int[np.ndarray, " draw"]
    """The draw before, whose temperatures each of them has."""
    used_before: Float[np.ndarray, " draw"]
    """Life used before the window [h]."""
    possible: float
    """Share of what was believed before in which the unit lives."""
    past_doubted: bool
    """Whether next to nothing of that was possible, so that the past was taken to be any."""

    def of(self, values: Float[np.ndarray, "draw ..."]) -> Float[np.ndarray, "draw ..."]:
        """Values of the draws before, for those that are believed; not copied where all are."""
        same = np.array_equal(self.rows, np.arange(len(values)))
        return values if same else values[self.rows]


@dataclass(frozen=True, eq=False)
class Before:
    """What is believed before it is considered that the unit lives."""

    unknowns: Sequence[Unknown]
    """Every number that is not known for sure."""
    draws: Draws
    """Draws of all of them, by name."""
    loss: Float[np.ndarray, " draw"]
    """Life used in the window [h]."""
    used_before: Float[np.ndarray, " draw"]
    """Life used before it [h]."""

    @property
    def all_alive(self) -> bool:
        """Whether every draw has some life left."""
        return bool((self.draws[LIFE] - self.used_before - self.loss > 0).all())

    def unchanged(self) -> Believed:
        """The same draws, where there is nothing to consider."""
        rows = np.arange(self.loss.size)
        return Believed(self.draws, list(self.unknowns), rows, self.used_before, 1.0, False)

    def given(self, log_likelihood: LogLikelihood, *, seed: int) -> Believed:
        """Draws given that the unit lives, and what was measured of its paper."""
        # The same numbers with samples and without, so that only the samples make a difference.
        rng = np.random.default_rng([seed, *b"alive"])
        lives = living(self.loss, self._pairs(rng), log_likelihood, rng=rng)
        # Each draw keeps its own temperatures: the same row in every unknown.
        draws = {name: values[lives.rows] for name, values in self.draws.items()}
        draws |= {LIFE: lives.life} | self._past(lives)
        # Means of what is believed now, about which each unknown is varied alone.
        means = [
            replace(unknown, mean=float(np.mean(draws[unknown.name]))) for unknown in self.unknowns
        ]
        return Believed(draws, means, lives.rows, lives.used, lives.possible, lives.past_doubted)

    def _pairs(self, rng: np.random.Generator) -> Pairs:
        """Lives and pasts for every draw; the first of each draw is its own."""
        shape = (self.loss.size, EACH)
        by_name = {unknown.name: unknown for unknown in self.unknowns}

        def several(name: str) -> Float[np.ndarray, "draw each"]:
            values = by_name[name].drawn(shape[0] * shape[1], rng=rng).reshape(shape)
            values[:, 0] = self.draws[name]
            return values

        # Where no past is in doubt, all pairs of a draw have the same one.
        used = np.broadcast_to(self.used_before[:, None], shape)
        if USED in by_name:
            used = several(USED)
        elif PAST in by_name:
            used = self._expected_past()[:, None] * several(PAST)
        return Pairs(several(LIFE), used)

    def _expected_past(self) -> Float[np.ndarray, " draw"]:
        return self.used_before / self.draws[PAST]

    def _past(self, lives: Living) -> dict[str, np.ndarray]:
        """The unknown that stands for the past, as the chosen draws have it."""
        if USED in self.draws:
            return {USED: lives.used}
        if PAST not in self.draws:
            return {}
        expected = self._expected_past()[lives.rows]
        # A unit without a past has none to be in doubt of.
        share = lives.used / np.where(expected > 0, expected, 1.0)
        return {PAST: np.where(expected > 0, share, self.draws[PAST][lives.rows])}
