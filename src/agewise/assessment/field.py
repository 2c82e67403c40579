"""What an assessment says of the oil and the winding, over time and height."""

from itertools import islice

import numpy as np
import xarray as xr
from jaxtyping import Float
from scipy.interpolate import CubicSpline, PchipInterpolator

from agewise.assessment.grid import DEFAULT_GRID, Grid, at_instants, grid_instants
from agewise.assessment.life.effort import usual_effort
from agewise.assessment.life.winding import Winding
from agewise.assessment.life.window import NODES, DrawnWindow
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.lower_stages import stages_on
from agewise.engine.uncertainty.scores import Scores, Truth, scores
from agewise.plant.field import DIMENSIONS, field_dataset, with_units
from agewise.plant.staged_unit import stage_constants
from agewise.transformer.ageing.law import AbstractAgeingLaw
from agewise.transformer.staged import rise_over_oil

LOADS = 50
"""Drawn loads behind the spread of a winding whose load was filled in."""
TINY = np.finfo(float).tiny
"""Least number that has a logarithm: in deep cold the life of a step may be lost in rounding."""
QUADRATURE = 9
"""Points of the quadrature over a normal temperature: ageing within 10 K of spread to 1 %."""
SCORED_STEP = 600.0
"""Time between the instants at which a field is scored against a truth [s]."""


def oil_field(
    assessment: Assessment,
    *,
    grid: Grid = DEFAULT_GRID,
    drawn: DrawnWindow | None = None,
    temperatures: xr.Dataset | None = None,
) -> xr.Dataset:
    """Oil, winding, ageing and loss of life over time and height, each with its uncertainty.

    Ageing adds up along drawn functions; the noise of a sensor does not age paper, so it enters
    only `ageing_std`, the spread that a reading of the winding would show.

    Args:
        assessment: The fitted profile.
        grid: Heights and minutes at which the field is given.
        drawn: Functions of the oil that were drawn before; drawn here unless given, and the same.
        temperatures: What `temperature_field` returned for this grid; worked out unless given.

    Returns:
        Over `time` and `height` [m]: means of oil and winding [°C], their epistemic and aleatoric
        variances [K²], ageing rate [1] and loss of life [h] with their standard deviations.

    Examples:
        >>> import agewise
        >>> fitted = agewise.assess("demo/profile.csv", "demo/nameplate.toml", method="line")
        >>> field = agewise.oil_field(fitted, grid=agewise.Grid(heights=5, minutes=60.0))
        >>> bool((field["oil_epistemic"] >= 0).all())
        True
    """
    if temperatures is None:
        temperatures = temperature_field(assessment, grid)
    drawn = drawn or DrawnWindow(assessment, usual_effort(assessment))
    used, spread = _life_used(drawn, _shares(grid), grid_instants(assessment.profile, grid))
    life = {"loss_of_life_mean": used, "loss_of_life_std": spread}
    return with_units(temperatures.assign({name: (DIMENSIONS, life[name]) for name in life}))


def temperature_field(assessment: Assessment, grid: Grid = DEFAULT_GRID) -> xr.Dataset:
    """Oil, winding and ageing rate over time and height: all of a field but the life used.

    The rate at a point follows from the distribution of the temperature there, and is soon known.
    """
    profile, nameplate = assessment.profile, assessment.nameplate
    top, seconds, shares = nameplate.oil_tank().height, grid_instants(profile, grid), _shares(grid)
    oil = assessment.predict(shares, seconds)
    # Followed from row to row and read off afterwards: a winding moves within minutes.
    rise = np.interp(seconds, profile.seconds, _rise(assessment, assessment.profile.load))
    # Errors of the oil and of a load that was filled in are independent, so variances add up.
    doubt = _drawn_rises(assessment, seconds).var(axis=0)[:, None]
    winding, law = oil.mean + rise[:, None], nameplate.ageing_law
    # Without the noise of a reading, which does not age paper.
    ageing, std = _ageing_moments(winding, np.sqrt(oil.epistemic + doubt), law)
    variables = {
        "oil_mean": oil.mean,
        "oil_epistemic": oil.epistemic,
        "oil_aleatoric": oil.aleatoric,
        "winding_mean": winding,
        "winding_epistemic": oil.epistemic + doubt,
        "winding_aleatoric": oil.aleatoric,
        "ageing_mean": ageing,
        "ageing_std": _ageing_moments(winding, np.sqrt(oil.total + doubt), law)[1],
        "ageing_epistemic_std": std,
    }
    return field_dataset(profile.timeline, seconds, top * shares, variables)


def _shares(grid: Grid) -> Float[np.ndarray, " height"]:
    """Heights of a grid as fractions of the tank's."""
    return np.linspace(0.0, 1.0, grid.heights)


def _ageing_moments(
    winding: Float[np.ndarray, "time height"],
    std: Float[np.ndarray, "time height"],
    law: AbstractAgeingLaw,
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of the ageing rate where the temperature is normal.

    Ageing is far from linear over the spread of a temperature, so this is by quadrature.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(QUADRATURE)
    weights = weights / weights.sum()  # from the integral of exp(-x²/2) to a mean
    rates = [law.rate(winding + node * std) for node in nodes]
    mean = sum(weight * rate for weight, rate in zip(weights, rates, strict=True))
    squares = sum(w * (rate - mean) ** 2 for w, rate in zip(weights, rates, strict=True))
    return np.asarray(mean), np.sqrt(squares)


def _life_used(
    window: DrawnWindow, shares: Float[np.ndarray, " height"], seconds: Float[np.ndarray, " time"]
) -> tuple[Float[np.ndarray, "time height"], Float[np.ndarray, "time height"]]:
    """Mean and spread of the life used [h], interpolated between `NODES` over height.

    Over height, the life used between two instants is nearly exponential, so its logarithm is
    interpolated; steps that stay positive keep the sum growing. The spread is interpolated as a
    share of the mean.
    """
    used = window.life_used(seconds)
    mean, std = (at_instants(seconds, used.seconds, values) for values in (used.mean, used.std))
    steps = over_height(shares, np.diff(mean, axis=0))
    total = np.append(np.zeros((1, shares.size)), np.cumsum(steps, axis=0), axis=0)
    # At the first instant nothing is used yet, and a share of nothing has no logarithm.
    spread = np.zeros_like(total)
    # A method without doubt has no spread at the ends, whose logarithm a spline would overshoot.
    relative = std[1:] / np.maximum(mean[1:], TINY)
    spread[1:] = total[1:] * over_height(shares, relative, PchipInterpolator)
    return total, spread


def over_height(
    shares: Float[np.ndarray, " height"],
    values: Float[np.ndarray, "time node"],
    interpolator: type[CubicSpline] | type[PchipInterpolator] = CubicSpline,
) -> Float[np.ndarray, "time height"]:
    """Positive values at `NODES`, interpolated in their logarithm.

    Args:
        shares: Heights as fractions of the tank's.
        values: Values at `NODES`.
        interpolator: A smooth spline; or one that never leaves the range of its neighbours.
    """
    return np.exp(interpolator(NODES, np.log(np.maximum(values, TINY)), axis=1)(shares))


def scored(assessment: Assessment, truth: Truth) -> Scores:
    """The scores of an assessment against a twin's truth."""
    # Over height a truth is scored every ten minutes only; readings count one by one.
    stride = max(1, round(SCORED_STEP / float(np.median(np.diff(truth.seconds)))))
    rows = np.arange(0, truth.seconds.size, stride)
    grid = assessment.predict(truth.heights, truth.seconds[rows])
    sensors = assessment.predict(truth.sensor_heights, truth.seconds)
    return scores(grid, truth, sensors, rows=rows)


def _drawn_rises(
    assessment: Assessment, seconds: Float[np.ndarray, " time"]
) -> Float[np.ndarray, "draw time"]:
    """Rise of the winding over the oil [K]: a single row, or draws where loads were filled in."""
    profile, hold = assessment.profile, assessment.settings.hold
    if profile.load_std is None:
        # A row by itself, so that its variance over the draws is zero.
        return np.interp(seconds, profile.seconds, _rise(assessment, profile.load))[None]
    series = (profile.seconds, profile.load, profile.load_std)
    loads = Winding(assessment.nameplate, hold, *series).loads(True)
    # The loads are an endless series of draws.
    rises = (_rise(assessment, load) for load in islice(loads, LOADS))
    return np.stack([np.interp(seconds, profile.seconds, rise) for rise in rises])


def _rise(assessment: Assessment, load: Float[np.ndarray, " time"]) -> Float[np.ndarray, " time"]:
    """Expected rise of the winding over the oil at every row of the profile, for a load [K]."""
    profile, unit, hold = assessment.profile, assessment.nameplate, assessment.settings.hold
    stage = stages_on(profile, unit, hold)
    return rise_over_oil(stage_constants(unit), stage, profile.seconds, load, hold=hold)
