"""What an assessment says: the field with its uncertainties, findings and the headline."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from jaxtyping import Float

from agewise.assessment.assess import Assessment
from agewise.assessment.plain import DEFAULT_GRID, Grid, grid_instants
from agewise.data.field import field_dataset
from agewise.inference.base import AbstractPosterior
from agewise.inference.exact import ExactPosterior
from agewise.inference.laplace import LaplacePosterior
from agewise.inference.trained import NetworkPosterior
from agewise.physics.iec60076 import ageing_rate, hot_spot_rise, loss_of_life, top_oil
from agewise.uncertainty.calibration import rms
from agewise.uncertainty.scores import Scores, Truth, scores

DRAWS = 200
"""Functions behind ageing and loss of life."""
MISFIT_Z = 1.15
"""Root mean square of readings in units of their predicted spread, above which the physics does not
fit. A calibrated prediction of a thousand readings stays below 1.05."""
NAMEPLATE_RMS = 4.0
"""K rms between measured and modelled top oil, above which nameplate or cooling are in doubt; the
model itself is good to 2 K."""
MISFIT_FACTOR = 3.0
"""Learned over declared discrepancy, above which it is worth a word."""
SCORED_STEP = 600.0
"""s between the instants at which a field is scored against a truth."""


@dataclass(frozen=True)
class Finding:
    """Something that a person should know before believing the answer."""

    kind: str
    text: str


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
    used = loss_of_life(seconds, rate, axis=1)
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


def headline(field: xr.Dataset) -> dict[str, Any]:
    """The hottest winding, and the life used at the worst height and at two others."""
    winding, used = field["winding_mean"], field["loss_of_life_mean"].isel(time=-1)
    spread = field["loss_of_life_std"].isel(time=-1)
    hottest = winding.argmax(("time", "height"))
    top = float(field["height"][-1])
    heights = {"worst": float(used.idxmax("height"))} | {
        f"{share:g} H": share * top for share in (0.5, 0.8, 1.0)
    }
    return {
        "hot_spot": {
            "mean": float(winding[hottest]),
            "epistemic_std": float(np.sqrt(field["winding_epistemic"][hottest])),
            "time": _local(winding[hottest]["time"]),
            "height": float(winding[hottest]["height"]),
        },
        "loss_of_life": {
            name: {
                "height": height,
                "mean": float(used.interp(height=height)),
                "std": float(spread.interp(height=height)),
            }
            for name, height in heights.items()
        },
    }


def _local(instant: xr.DataArray) -> str | float:
    """ISO 8601 in the profile's zone; minutes when the profile counts minutes."""
    zone = instant.attrs.get("timezone")
    if zone is None:
        return float(instant)
    return pd.Timestamp(str(instant.to_numpy()), tz="UTC").tz_convert(zone).isoformat()


def findings(assessment: Assessment) -> list[Finding]:
    """Where nameplate, physics and sensors disagree, and whether training came to its end."""
    found, interior = _nameplate_doubt(assessment), assessment.profile.interior
    found += _unfinished(assessment.posterior)
    for height, values in interior.items():
        at = np.full(values.size, height)
        told = assessment.predict_at(at, assessment.profile.seconds)
        z = rms((values - told.mean) / np.sqrt(told.total))
        if z > MISFIT_Z:
            error = rms(values - told.mean)
            text = (
                f"The sensor at {height:g} of the height is off by {error:.2g} K rms, {z:.1f} "
                f"times what the answer expects: the physics does not fit there."
            )
            found.append(Finding("misfit", text))
    posterior = assessment.posterior
    factor = posterior.discrepancy_factor if isinstance(posterior, ExactPosterior) else 1.0
    if factor > MISFIT_FACTOR:
        learned = factor * assessment.settings.discrepancy
        text = (
            f"The sensors inside say that the heat equation is wrong by {learned:.2g} K/h, "
            f"{factor:.0f} times the declared discrepancy; the answer takes that into account."
        )
        found.append(Finding("misfit", text))
    return found


def _unfinished(posterior: AbstractPosterior) -> list[Finding]:
    """Whether somebody stopped the training by hand."""
    if not isinstance(posterior, NetworkPosterior | LaplacePosterior):
        return []
    if not posterior.record["interrupted"]:
        return []
    text = "Training was stopped by hand: this is the best answer up to then, not the final one."
    return [Finding("training", text)]


def _nameplate_doubt(assessment: Assessment) -> list[Finding]:
    """Whether the top oil runs as the nameplate says it should, by IEC 60076-7."""
    profile, nameplate = assessment.profile, assessment.nameplate
    measured = profile.top_oil
    modelled = top_oil(
        nameplate.thermal_constants(),
        profile.seconds,
        profile.load,
        profile.ambient,
        hold=assessment.settings.hold,
    )
    if measured is None or rms(measured - modelled) <= NAMEPLATE_RMS:
        return []
    text = (
        f"By the nameplate the top oil should run up to {modelled.max():.0f} °C, but it was "
        f"measured up to {measured.max():.0f} °C: is oil.top_oil_rise_k = "
        f"{nameplate.oil.top_oil_rise_k.mean:g} right, and the cooling sound? The uncertainty "
        f"given here holds only if they are."
    )
    return [Finding("nameplate", text)]


def scored(assessment: Assessment, truth: Truth) -> Scores:
    """The scores of an assessment against a twin's truth."""
    every = max(1, round(SCORED_STEP / float(np.median(np.diff(truth.seconds)))))
    rows = np.arange(0, truth.seconds.size, every)
    grid = assessment.predict(truth.heights, truth.seconds[rows])
    sensors = assessment.predict(truth.sensor_heights, truth.seconds)
    return scores(grid, truth, sensors, rows=rows)


def summary(
    assessment: Assessment, field: xr.Dataset, seconds: float, truth: Truth | None
) -> dict[str, Any]:
    """`summary.json`: what was done, what was found, what came out."""
    settings = asdict(assessment.settings)
    return {
        "method": settings.pop("method"),
        "seed": settings.pop("seed"),
        "settings": settings,
        "seconds": seconds,
        "findings": [asdict(finding) for finding in findings(assessment)],
        **headline(field),
        "scores": None if truth is None else scored(assessment, truth).as_dict(),
    }


def _rise(assessment: Assessment) -> Float[np.ndarray, " time"]:
    profile = assessment.profile
    constants = assessment.nameplate.thermal_constants()
    return hot_spot_rise(constants, profile.seconds, profile.load, hold=assessment.settings.hold)
