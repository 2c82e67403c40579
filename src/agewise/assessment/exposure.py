"""What the paper at one height goes through: drawn oil, the winding's rise over it, ageing."""

from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.assessment.assess import Assessment
from agewise.assessment.doubts import BIAS, STEEPNESS, thermal_draws
from agewise.assessment.plain import at_instants, grid_instants
from agewise.data.nameplate import Nameplate
from agewise.data.profile import Profile
from agewise.inference.base import AbstractFields
from agewise.physics.iec60076 import ageing_rate, hot_spot_rise, loss_of_life
from agewise.physics.sampling import Hold, interval_load
from agewise.prognostics.unknowns import Draws
from agewise.units import SECONDS_PER_MINUTE

MANY_ROWS = 20_000
"""above which rows are gathered, for every one is worked out in every draw"""
GATHERED_MIN = 10.0
"""min of the rows that are gathered into one"""


class AbstractOil(ABC):
    """Oil of one place and time, in draws."""

    @abstractmethod
    def drawn(self, draws: Draws, varied: Collection[str]) -> Float[np.ndarray, "_ time"]:
        """°C; one row where nothing varies"""


@dataclass(frozen=True, eq=False)
class MeasuredOil(AbstractOil):
    """Oil of the window at one height, as the posterior knows it."""

    functions: Float[np.ndarray, "draw time"]
    mean: Float[np.ndarray, " time"]
    noise_std: Float[np.ndarray, " time"]
    seed: int

    def drawn(self, draws: Draws, varied: Collection[str]) -> Float[np.ndarray, "_ time"]:
        """Functions, or their mean; freed of the bias that all thermometers share.

        Noise of the readings does not heat the paper, so it is here only to be shown.
        """
        bias = draws[BIAS][:, None]
        oil = self.functions[: len(bias)] if "epistemic" in varied else self.mean[None]
        oil = oil - bias
        if "aleatoric" in varied:
            rng = np.random.default_rng([self.seed, *b"aleatoric"])
            oil = oil + self.noise_std * rng.standard_normal(oil.shape)
        return oil


@dataclass(frozen=True, eq=False)
class Exposure:
    """Load and oil over a stretch of time, ready to be followed into the paper."""

    nameplate: Nameplate
    hold: Hold
    seconds: Float[np.ndarray, " time"]
    load: Float[np.ndarray, " time"]
    oil: AbstractOil

    def hot_spot(self, draws: Draws, varied: Collection[str]) -> Float[np.ndarray, "_ time"]:
        """°C in every draw."""
        constants = thermal_draws(self.nameplate, draws)
        rise = [hot_spot_rise(one, self.seconds, self.load, hold=self.hold) for one in constants]
        return self.oil.drawn(draws, varied) + np.stack(rise)

    def rate(
        self, hot_spot: Float[np.ndarray, "_ time"], draws: Draws
    ) -> Float[np.ndarray, "draw time"]:
        """h of life an hour."""
        steepness = draws[STEEPNESS][:, None]
        return ageing_rate(hot_spot, self.nameplate.insulation.paper, doubling=steepness)

    def used(
        self, hot_spot: Float[np.ndarray, "_ time"], draws: Draws
    ) -> Float[np.ndarray, "draw time"]:
        """h of life since the start."""
        return loss_of_life(self.seconds, self.rate(hot_spot, draws), axis=1)


def exposures(
    assessment: Assessment, fields: AbstractFields, shares: dict[str, float]
) -> dict[str, Exposure]:
    """The window at several heights, given as fractions."""
    profile, nameplate = assessment.profile, assessment.nameplate
    rows = gathered(profile, nameplate.winding.exponent.mean, assessment.settings.hold)
    instants, hold = grid_instants(profile), assessment.settings.hold

    def along(values: np.ndarray) -> np.ndarray:
        return at_instants(rows.seconds, instants, values)

    def oil(share: float) -> MeasuredOil:
        height = np.array([share])
        told = assessment.predict(height, instants)
        drawn = assessment.drawn_oil(fields, height, instants)[:, :, 0]
        return MeasuredOil(
            along(drawn.T).T.astype(np.float32),
            along(told.mean)[:, 0],
            np.sqrt(along(told.aleatoric)[:, 0]),
            assessment.settings.seed,
        )

    return {
        name: Exposure(nameplate, hold, rows.seconds, rows.load, oil(share))
        for name, share in shares.items()
    }


@dataclass(frozen=True)
class Rows:
    """Instants and the load of the intervals between them."""

    seconds: Float[np.ndarray, " time"]
    load: Float[np.ndarray, " time"]


def gathered(profile: Profile, exponent: float, hold: Hold) -> Rows:
    """The rows of a profile, or of a long one every tenth minute, with the load of equal heating.

    Heating goes with a power of the load, so that power is averaged; the winding, which follows
    within a quarter of an hour, hardly tells the difference.
    """
    seconds = profile.seconds
    step = float(np.median(np.diff(seconds)))
    every = round(GATHERED_MIN * SECONDS_PER_MINUTE / step)
    if seconds.size <= MANY_ROWS or every < 2:
        return Rows(seconds, profile.load)
    heat = interval_load(profile.load, hold) ** exponent * np.diff(seconds)
    ends = np.append(np.arange(0, seconds.size - 1, every), seconds.size - 1)
    mean = np.add.reduceat(heat, ends[:-1]) / np.diff(seconds[ends])
    load = mean ** (1 / exponent)
    edge = load[:1] if hold == "backward" else load[-1:]
    parts = (edge, load) if hold == "backward" else (load, edge)
    return Rows(seconds[ends], np.concatenate(parts))
