"""What an assessment says of the oil and the winding, over time and height."""

from itertools import islice

import numpy as np
import xarray as xr
from jaxtyping import Float

from agewise.assessment.life.winding import Winding
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.plain import DEFAULT_GRID, Grid, grid_instants
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.engine.uncertainty.scores import Scores, Truth, scores
from agewise.plant.field import field_dataset
from agewise.transformer.ageing.law import AbstractAgeingLaw
from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.iec60076 import hot_spot_rise

DRAWS, LONG_DRAWS = 200, 50
"""Functions behind the spread of the loss of life, of a record in one window or in several."""
AT_ONCE = 720
"""Instants whose draws are held in memory at once: five days."""
SPREAD_HEIGHTS = 11
"""at which the spread of the life used is worked out; it is smooth between them"""
NODES = 9
"""of the quadrature over a normal temperature: ageing within 10 K of spread to 1 %"""
SCORED_STEP = 600.0
"""s between the instants at which a field is scored against a truth."""


def oil_field(assessment: Assessment, *, grid: Grid = DEFAULT_GRID) -> xr.Dataset:
    """Oil, winding, ageing and loss of life over time and height, each with its uncertainty.

    Ageing adds up along drawn functions; the noise of a sensor does not age paper, so it enters
    only `ageing_std`, the spread that a reading of the winding would show.
    """
    profile, nameplate = assessment.profile, assessment.nameplate
    top, seconds = nameplate.oil_tank().height, grid_instants(profile, grid)
    shares = np.linspace(0.0, 1.0, grid.heights)
    oil = assessment.predict(shares, seconds)
    rise = np.interp(seconds, profile.seconds, _rise(assessment))
    rises = _drawn_rises(assessment, seconds)
    winding = oil.epistemic + rises.var(axis=0)[:, None]
    variables = {
        "oil_mean": oil.mean,
        "oil_epistemic": oil.epistemic,
        "oil_aleatoric": oil.aleatoric,
        "winding_mean": oil.mean + rise[:, None],
        "winding_epistemic": winding,
        "winding_aleatoric": oil.aleatoric,
    }
    aged = _aged(assessment, shares, seconds, oil, rises)
    return field_dataset(profile.timeline, seconds, top * shares, variables | aged)


def _aged(
    assessment: Assessment,
    shares: Float[np.ndarray, " height"],
    seconds: Float[np.ndarray, " time"],
    oil: Prediction,
    rises: Float[np.ndarray, "draw time"],
) -> dict[str, Float[np.ndarray, "time height"]]:
    """Ageing at each point by its own distribution; what it adds up to, by drawn functions."""
    rise = np.interp(seconds, assessment.profile.seconds, _rise(assessment))
    winding, law = oil.mean + rise[:, None], assessment.nameplate.insulation.law
    doubt = rises.var(axis=0)[:, None]
    mean, std = _ageing_moments(winding, np.sqrt(oil.epistemic + doubt), law)
    between = _between(assessment, seconds, oil.mean[:, -1])
    used = np.zeros_like(mean)
    steps = np.diff(loss_of_life(seconds, mean, axis=0), axis=0)
    used[1:] = np.cumsum(steps * between[:, None], axis=0)
    return {
        "ageing_mean": mean,
        "ageing_std": _ageing_moments(winding, np.sqrt(oil.total + doubt), law)[1],
        "ageing_epistemic_std": std,
        "loss_of_life_mean": used,
        "loss_of_life_std": _loss_std(assessment, shares, seconds, rises, between),
    }


def _ageing_moments(
    winding: Float[np.ndarray, "time height"],
    std: Float[np.ndarray, "time height"],
    law: AbstractAgeingLaw,
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of the ageing rate of a normal temperature."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    weights = weights / weights.sum()
    rates = [law.rate(winding + node * std) for node in nodes]
    mean = sum(weight * rate for weight, rate in zip(weights, rates, strict=True))
    squares = sum(w * (rate - mean) ** 2 for w, rate in zip(weights, rates, strict=True))
    return np.asarray(mean), np.sqrt(squares)


def _loss_std(
    assessment: Assessment,
    shares: Float[np.ndarray, " height"],
    seconds: Float[np.ndarray, " time"],
    rises: Float[np.ndarray, "draw time"],
    between: Float[np.ndarray, " interval"],
) -> Float[np.ndarray, "time height"]:
    """h: the spread of the life used over whole functions, at some heights, some days at a time."""
    law = assessment.nameplate.insulation.law
    count = DRAWS if len(assessment.windows) == 1 else LONG_DRAWS
    functions = assessment.draw(count, key=assessment.key)
    some = np.linspace(0.0, 1.0, min(SPREAD_HEIGHTS, shares.size))
    spread = np.zeros((seconds.size, some.size))
    before = np.zeros((count, some.size))
    for first in range(0, seconds.size - 1, AT_ONCE):
        now = slice(first, first + AT_ONCE + 1)
        rise = rises[np.arange(count) % len(rises), now]
        rate = law.rate(functions.oil(some, seconds[now]) + rise[:, :, None])
        used = loss_of_life(seconds[now], rate, axis=1)
        steps = np.diff(used, axis=1) * between[first : first + AT_ONCE, None]
        used[:, 1:] = np.cumsum(steps, axis=1)
        used += before[:, None]
        before = used[:, -1].copy()
        spread[now] = used.std(axis=0)
    return np.stack([np.interp(shares, some, row) for row in spread])


def scored(assessment: Assessment, truth: Truth) -> Scores:
    """The scores of an assessment against a twin's truth."""
    every = max(1, round(SCORED_STEP / float(np.median(np.diff(truth.seconds)))))
    rows = np.arange(0, truth.seconds.size, every)
    grid = assessment.predict(truth.heights, truth.seconds[rows])
    sensors = assessment.predict(truth.sensor_heights, truth.seconds)
    return scores(grid, truth, sensors, rows=rows)


def _between(
    assessment: Assessment, seconds: Float[np.ndarray, " time"], top: Float[np.ndarray, " time"]
) -> Float[np.ndarray, " interval"]:
    """How much more life is used than the ageing at the instants says, for what the winding does
    between them, as it is at the top on average."""
    profile, law = assessment.profile, assessment.nameplate.insulation.law
    rise = _rise(assessment)
    fine = law.rate(np.interp(profile.seconds, seconds, top) + rise)
    coarse = law.rate(top + np.interp(seconds, profile.seconds, rise))
    every = np.interp(seconds, profile.seconds, loss_of_life(profile.seconds, fine, axis=0))
    steps = np.diff(loss_of_life(seconds, coarse, axis=0))
    told = steps > 0  # in deep cold a step is lost in the sum before it
    return np.where(told, np.diff(every) / np.where(told, steps, 1.0), 1.0)


def _drawn_rises(
    assessment: Assessment, seconds: Float[np.ndarray, " time"]
) -> Float[np.ndarray, "draw time"]:
    """K: the winding over the oil; several where loads that were filled in leave it open."""
    profile, hold = assessment.profile, assessment.settings.hold
    if profile.load_std is None:
        return np.interp(seconds, profile.seconds, _rise(assessment))[None]
    series = (profile.seconds, profile.load, profile.load_std)
    loads = Winding(assessment.nameplate, hold, *series).loads(True)
    constants = assessment.nameplate.thermal_constants()
    rises = (
        hot_spot_rise(constants, profile.seconds, load, hold=hold)
        for load in islice(loads, LONG_DRAWS)
    )
    return np.stack([np.interp(seconds, profile.seconds, rise) for rise in rises])


def _rise(assessment: Assessment) -> Float[np.ndarray, " time"]:
    profile = assessment.profile
    constants = assessment.nameplate.thermal_constants()
    return hot_spot_rise(constants, profile.seconds, profile.load, hold=assessment.settings.hold)
