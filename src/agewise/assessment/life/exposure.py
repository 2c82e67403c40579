"""What the paper at one height goes through: drawn oil, the winding's rise over it, ageing."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from agewise.assessment.life.doubts import BIAS, oil_readings
from agewise.assessment.life.winding import Winding
from agewise.transformer.ageing.loss import loss_of_life_at
from agewise.transformer.prognostics.life import recurrence
from agewise.transformer.prognostics.unknowns import Draws
from agewise.units import SECONDS_PER_HOUR

BATCH = 40
"""Draws that are worked on at a time. Their arrays stay in the cache of the processor and use the
same memory again, while every new array of all the draws costs more in page faults than in
arithmetic. A multiple of eight, so that matrix products add up as they would over all draws."""


Batches = Iterator[tuple[slice, Float[np.ndarray, "_ time"]]]
"""Temperatures of one batch of draws after the other, with the draws that it stands for; a single
row where nothing varies. So the arrays of all draws need never be there at once."""


def batches(count: int) -> Iterator[slice]:
    """Slices of `BATCH` draws each, which together cover `count` draws."""
    return (slice(first, first + BATCH) for first in range(0, count, BATCH))


def in_batches(temperatures: Float[np.ndarray, "_ time"], count: int) -> Batches:
    """Temperatures of `count` draws that are there already; a single row serves every batch."""
    return (
        (rows, temperatures if len(temperatures) == 1 else temperatures[rows])
        for rows in batches(count)
    )


def all_draws(batches: Batches, shape: tuple[int, int]) -> Float[np.ndarray, "draw time"]:
    """The temperatures of all draws at once, in an array of the `shape` (draws, instants)."""
    temperatures = np.empty(shape)
    for rows, batch in batches:
        temperatures[rows] = batch
    return temperatures


class AbstractOil(ABC):
    """Oil of one place and time, in draws."""

    @abstractmethod
    def batches(self, draws: Draws, varied: Collection[str]) -> Batches:
        """Oil temperature [°C] of each batch of draws, in arrays that the caller may change.

        Args:
            draws: Draws of all unknowns, by name.
            varied: Sources of doubt and names of unknowns that vary.
        """


@dataclass(frozen=True, eq=False)
class MeasuredOil(AbstractOil):
    """Oil of the window at one height, as the posterior knows it."""

    functions: Float[np.ndarray, "draw time"]
    """Functions drawn from the posterior [°C]; there may be fewer than draws."""
    mean: Float[np.ndarray, " time"]
    """Mean of the posterior [°C]."""
    noise_std: Float[np.ndarray, " time"]
    """Standard deviation of the readings' noise [K]."""
    seed: int
    """Seed of the readings' noise, which is drawn only where it is asked for."""

    def batches(self, draws: Draws, varied: Collection[str]) -> Batches:
        """Drawn functions or their mean [°C], freed of the bias that all thermometers share and
        of what the oil's own reads too much.

        Noise of the readings does not heat the paper: it is added only where the split of the doubt
        asks what it would do.
        """
        bias = (draws[BIAS] + oil_readings(draws))[:, None]
        if not {"epistemic", "aleatoric"} & set(varied) and (bias == bias[0]).all():
            # Each batch gets a single row for itself, which the caller may change.
            yield from ((rows, self.mean - bias[:1]) for rows in batches(len(bias)))
            return
        # Where there are fewer functions than draws, they take turns.
        turn = np.arange(len(bias)) % len(self.functions)
        # Anew in every call, so that every height and every line of the split has the same noise.
        rng = np.random.default_rng([self.seed, *b"aleatoric"])
        for rows in batches(len(bias)):
            modelled = self.functions[turn[rows]] if "epistemic" in varied else self.mean
            oil = modelled - bias[rows]
            if "aleatoric" in varied:
                oil += self.noise_std * rng.standard_normal(oil.shape)
            yield rows, oil


@dataclass(frozen=True, eq=False)
class Passed:
    """What the paper passed through in every draw."""

    hottest: Float[np.ndarray, " draw"]
    """Highest hot-spot temperature [°C]."""
    used: Float[np.ndarray, "draw sample"]
    """Life used since the start, at the samples that were asked for [h]."""


@dataclass(frozen=True, eq=False)
class Exposure:
    """Winding and oil over a stretch of time, ready to be followed into the paper."""

    winding: Winding
    """Rise of the winding over the oil."""
    oil: AbstractOil
    """Oil about the winding, in draws."""

    @property
    def seconds(self) -> Float[np.ndarray, " time"]:
        """Instants from the first one [s]."""
        return self.winding.seconds

    def hot_spots(self, draws: Draws, varied: Collection[str]) -> Batches:
        """Hot-spot temperature [°C] of each batch of draws."""
        rise = self.winding.rise(draws, varied)
        for rows, oil in self.oil.batches(draws, varied):
            own = rise if len(rise) == 1 else rise[rows]
            # A single row of oil cannot hold the rises of all draws.
            if len(oil) < len(own):
                yield rows, oil + own
            else:
                oil += own  # in place: the batch was made for us alone
                yield rows, oil

    def hot_spot(self, draws: Draws, varied: Collection[str]) -> Float[np.ndarray, "draw time"]:
        """Hot-spot temperature [°C] of all draws at once."""
        return all_draws(self.hot_spots(draws, varied), (len(draws[BIAS]), self.seconds.size))

    def drawn_oil(self, draws: Draws, varied: Collection[str]) -> Float[np.ndarray, "draw time"]:
        """Oil temperature [°C] of all draws at once."""
        return all_draws(self.oil.batches(draws, varied), (len(draws[BIAS]), self.seconds.size))

    def rate(
        self, hot_spot: Float[np.ndarray, "_ time"], draws: Draws
    ) -> Float[np.ndarray, "draw time"]:
        """Relative ageing rate by the law of the paper, with its drawn parameters."""
        law = self.winding.nameplate.ageing_law
        # A column each, so that a parameter of a draw meets all instants of that draw.
        return law.rate(
            hot_spot, {unknown.name: draws[unknown.name][:, None] for unknown in law.unknowns()}
        )

    def used(
        self, hot_spot: Float[np.ndarray, "_ time"], draws: Draws
    ) -> Float[np.ndarray, "draw time"]:
        """Life used since the start [h], at every instant."""
        batches = in_batches(hot_spot, len(draws[BIAS]))
        return self.passed(batches, draws, np.arange(self.seconds.size)).used

    def passed(
        self, hot_spots: Batches, draws: Draws, samples: Int[np.ndarray, " sample"]
    ) -> Passed:
        """Highest temperature, and the life used up to some of the instants."""
        hottest = np.empty(len(draws[BIAS]))
        used = np.empty((hottest.size, samples.size))
        law_varies = self._law_varies(draws)
        for rows, hot_spot in hot_spots:
            hottest[rows] = hot_spot.max(axis=1)
            # Where neither the hot spot nor the law varies, one rate serves all draws.
            first = len(hot_spot) == 1 and not law_varies
            rate = self._rate_of(slice(1) if first else rows, hot_spot, draws)
            used[rows] = loss_of_life_at(self.seconds, rate, samples)
        return Passed(hottest, used)

    def loss(self, hot_spots: Batches, draws: Draws) -> Float[np.ndarray, " draw"]:
        """Life used in all [h]: the last value of `used`, without those before it."""
        # The trapezoid as weights of the samples: one matrix product instead of cumulative sums.
        steps = np.diff(self.seconds) / (2 * SECONDS_PER_HOUR)
        weights = np.append(0.0, steps) + np.append(steps, 0.0)
        return np.concatenate(
            [self._rate_of(rows, hot_spot, draws) @ weights for rows, hot_spot in hot_spots]
        )

    def recurrence(
        self, hot_spots: Batches, draws: Draws, left: Float[np.ndarray, " draw"]
    ) -> Float[np.ndarray, " draw"]:
        """Life left at the end [h] by the paper's recurrence, of what was `left` at the start."""
        return np.concatenate(
            [
                recurrence(self.seconds, self._rate_of(rows, hot_spot, draws), left[rows])[:, -1]
                for rows, hot_spot in hot_spots
            ]
        )

    def _rate_of(
        self, rows: slice, hot_spot: Float[np.ndarray, "_ time"], draws: Draws
    ) -> Float[np.ndarray, "batch time"]:
        """Ageing rate of one batch; a hot spot in which nothing varies serves all its draws."""
        return self.rate(hot_spot, {name: values[rows] for name, values in draws.items()})

    def _law_varies(self, draws: Draws) -> bool:
        laws = (draws[unknown.name] for unknown in self.winding.nameplate.ageing_law.unknowns())
        return any((values != values[0]).any() for values in laws)
