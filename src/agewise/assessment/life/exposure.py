"""What the paper at one height goes through: drawn oil, the winding's rise over it, ageing."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from agewise.assessment.life.doubts import BIAS
from agewise.assessment.life.winding import Winding
from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.prognostics.life import recurrence
from agewise.transformer.prognostics.unknowns import Draws
from agewise.units import SECONDS_PER_HOUR

BATCH = 40
"""Draws that are worked on at a time. Their arrays stay in the cache of the processor and use the
same memory again, while every new array of all the draws costs more in page faults than in
arithmetic. A multiple of eight, so that matrix products add up as they would over all draws."""


def batches(count: int) -> Iterator[slice]:
    """Slices of `BATCH` draws each, which together cover `count` draws."""
    return (slice(first, first + BATCH) for first in range(0, count, BATCH))


class AbstractOil(ABC):
    """Oil of one place and time, in draws."""

    @abstractmethod
    def drawn(self, draws: Draws, varied: Collection[str]) -> Float[np.ndarray, "_ time"]:
        """Oil temperature [°C], one row a draw, or a single row where nothing varies.

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
    """Seed of the noise."""

    def drawn(self, draws: Draws, varied: Collection[str]) -> Float[np.ndarray, "_ time"]:
        """Drawn functions or their mean [°C], freed of the bias that all thermometers share.

        Noise of the readings does not heat the paper: it is added only where the split of the doubt
        asks what it would do.
        """
        bias = draws[BIAS][:, None]
        # Where there are fewer functions than draws, they take turns.
        turn = np.arange(len(bias)) % len(self.functions)
        rng = np.random.default_rng([self.seed, *b"aleatoric"])
        oil = np.empty((len(bias), self.mean.size))
        for rows in batches(len(bias)):
            known = self.functions[turn[rows]] if "epistemic" in varied else self.mean
            np.subtract(known, bias[rows], out=oil[rows])
            if "aleatoric" in varied:
                oil[rows] += self.noise_std * rng.standard_normal(oil[rows].shape)
        return oil


@dataclass(frozen=True, eq=False)
class Exposure:
    """Winding and oil over a stretch of time, ready to be followed into the paper."""

    winding: Winding
    """Rise of the winding over the oil."""
    oil: AbstractOil
    """Oil about the winding."""

    @property
    def seconds(self) -> Float[np.ndarray, " time"]:
        """Instants from the first one [s]."""
        return self.winding.seconds

    def hot_spot(self, draws: Draws, varied: Collection[str]) -> Float[np.ndarray, "_ time"]:
        """Hot-spot temperature [°C], one row a draw, or a single row where nothing varies."""
        oil = self.oil.drawn(draws, varied)
        rise = self.winding.rise(draws, varied)
        # A single row of oil cannot hold the rises of all draws.
        if len(oil) < len(rise):
            return oil + rise
        oil += rise  # in place: `drawn` has made this array for us alone
        return oil

    def rate(
        self, hot_spot: Float[np.ndarray, "_ time"], draws: Draws
    ) -> Float[np.ndarray, "draw time"]:
        """Relative ageing rate by the law of the paper, with its drawn parameters."""
        law = self.winding.nameplate.insulation.law
        # A column each, so that a parameter of a draw meets all instants of that draw.
        return law.rate(
            hot_spot, {unknown.name: draws[unknown.name][:, None] for unknown in law.unknowns()}
        )

    def used(
        self,
        hot_spot: Float[np.ndarray, "_ time"],
        draws: Draws,
        samples: Int[np.ndarray, " sample"] | None = None,
    ) -> Float[np.ndarray, "draw sample"]:
        """Life used since the start [h], at some `samples` or, where None, at all of them."""
        wanted = np.arange(self.seconds.size) if samples is None else samples
        used = np.empty((len(draws[BIAS]), wanted.size))
        for rows, rate in self._rates(hot_spot, draws):
            used[rows] = loss_of_life(self.seconds, rate, axis=1)[:, wanted]
        return used

    def loss(
        self, hot_spot: Float[np.ndarray, "_ time"], draws: Draws
    ) -> Float[np.ndarray, " draw"]:
        """Life used in all [h]: the last value of `used`, without those before it."""
        # The trapezoid as weights of the samples: one matrix product instead of cumulative sums.
        steps = np.diff(self.seconds) / (2 * SECONDS_PER_HOUR)
        weights = np.append(0.0, steps) + np.append(steps, 0.0)
        return np.concatenate([rate @ weights for _, rate in self._rates(hot_spot, draws)])

    def recurrence(
        self,
        hot_spot: Float[np.ndarray, "_ time"],
        draws: Draws,
        left: Float[np.ndarray, " draw"],
    ) -> Float[np.ndarray, " draw"]:
        """Life left at the end [h] by the paper's recurrence, of what was `left` at the start."""
        return np.concatenate(
            [
                recurrence(self.seconds, rate, left[rows])[:, -1]
                for rows, rate in self._rates(hot_spot, draws)
            ]
        )

    def _rates(
        self, hot_spot: Float[np.ndarray, "_ time"], draws: Draws
    ) -> Iterator[tuple[slice, Float[np.ndarray, "draw time"]]]:
        """The rates of each batch of draws; a hot spot in which nothing varies serves them all."""
        for rows in batches(len(draws[BIAS])):
            batch = {name: values[rows] for name, values in draws.items()}
            yield rows, self.rate(hot_spot if len(hot_spot) == 1 else hot_spot[rows], batch)
