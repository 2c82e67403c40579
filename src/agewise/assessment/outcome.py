"""What an assessment says of the oil and the winding, over time and height."""

import numpy as np
import xarray as xr
from jaxtyping import Float

from agewise.assessment.assess import Assessment
from agewise.assessment.plain import DEFAULT_GRID, Grid, grid_instants
from agewise.data.field import field_dataset
from agewise.physics.iec60076 import ageing_rate, hot_spot_rise, loss_of_life
from agewise.uncertainty.scores import Scores, Truth, scores

DRAWS = 200
"""Functions behind ageing and loss of life."""
SCORED_STEP = 600.0
"""s between the instants at which a field is scored against a truth."""


def oil_field(assessment: Assessment, *, grid: Grid = DEFAULT_GRID) -> xr.Dataset:
    """Oil, winding, ageing and loss of life over time and height, each with its uncertainty.

    Ageing and loss of life come from drawn functions; the noise of a sensor does not age paper, so
    it enters only `ageing_std`, the spread that a reading of the winding would show.
    """
    profile, nameplate = assessment.profile, assessment.nameplate
    top, seconds = nameplate.oil_tank().height, grid_instants(profile, grid)
    shares = np.linspace(0.0, 1.0, grid.heights)
    oil = assessment.predict(shares, seconds)
    rise = np.interp(seconds, profile.seconds, _rise(assessment))
    drawn = assessment.drawn_oil(
        assessment.posterior.draw(DRAWS, key=assessment.key), shares, seconds
    )
    paper = nameplate.insulation.paper
    winding = drawn + rise[:, None]
    rate = ageing_rate(winding, paper)
    used = _between(loss_of_life(seconds, rate, axis=1), assessment, seconds, oil.mean[:, -1])
    noise = np.random.default_rng(assessment.settings.seed).standard_normal(winding.shape)
    read = ageing_rate(winding + np.sqrt(oil.aleatoric) * noise, paper)
    variables = {
        "oil_mean": oil.mean,
        "oil_epistemic": oil.epistemic,
        "oil_aleatoric": oil.aleatoric,
        "winding_mean": oil.mean + rise[:, None],
        "winding_epistemic": oil.epistemic,
        "winding_aleatoric": oil.aleatoric,
        "ageing_mean": rate.mean(axis=0),
        "ageing_std": read.std(axis=0),
        "ageing_epistemic_std": rate.std(axis=0),
        "loss_of_life_mean": used.mean(axis=0),
        "loss_of_life_std": used.std(axis=0),
    }
    return field_dataset(profile.timeline, seconds, top * shares, variables)


def scored(assessment: Assessment, truth: Truth) -> Scores:
    """The scores of an assessment against a twin's truth."""
    every = max(1, round(SCORED_STEP / float(np.median(np.diff(truth.seconds)))))
    rows = np.arange(0, truth.seconds.size, every)
    grid = assessment.predict(truth.heights, truth.seconds[rows])
    sensors = assessment.predict(truth.sensor_heights, truth.seconds)
    return scores(grid, truth, sensors, rows=rows)


def _between(
    used: Float[np.ndarray, "draw time height"],
    assessment: Assessment,
    seconds: Float[np.ndarray, " time"],
    top: Float[np.ndarray, " time"],
) -> Float[np.ndarray, "draw time height"]:
    """The life used with what the winding does between instants, as it is at the top on average."""
    profile, paper = assessment.profile, assessment.nameplate.insulation.paper
    rise = _rise(assessment)
    fine = ageing_rate(np.interp(profile.seconds, seconds, top) + rise, paper)
    coarse = ageing_rate(top + np.interp(seconds, profile.seconds, rise), paper)
    every = np.interp(seconds, profile.seconds, loss_of_life(profile.seconds, fine, axis=0))
    share = np.diff(every) / np.diff(loss_of_life(seconds, coarse, axis=0))
    used[:, 1:] = np.cumsum(np.diff(used, axis=1) * share[:, None], axis=1)
    return used


def _rise(assessment: Assessment) -> Float[np.ndarray, " time"]:
    profile = assessment.profile
    constants = assessment.nameplate.thermal_constants()
    return hot_spot_rise(constants, profile.seconds, profile.load, hold=assessment.settings.hold)
