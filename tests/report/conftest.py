"""Small made-up runs: two dated days with a training, and one day in minutes that ends nothing."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from agewise.plant.field import field_dataset
from agewise.plant.profile import Profile, profile_from
from agewise.report.inputs import ReportInputs
from agewise.transformer.cooling import LIMITS
from agewise.twin.cases import CASES

NAMEPLATE = CASES["aged-substation"].nameplate()
HOSTILE = "<script>alert('x')</script> & \"so on\""
"""A text that would become markup if it were not escaped."""

STUCK = {
    "kind": "stuck",
    "column": "top_oil",
    "rows": 1234,
    "start": "2025-07-07T06:00:00+02:00",
    "end": "07/07/2025 09:30",
    "done": "left out",
    "text": "top_oil: one value held.",
}
"""About the data."""


def profile(*, dated: bool, days: int = 2) -> Profile:
    minutes = np.arange(0, days * 1440 + 1 if dated else 721, 30)
    wave = np.sin(2 * np.pi * minutes / 1440)
    columns = {"load": 0.8 + 0.3 * wave, "ambient": 20 + 5 * wave}
    start = pd.Timestamp("2025-07-07", tz="Europe/Berlin")
    times = start + pd.to_timedelta(minutes, "min") if dated else minutes
    measured = {"top_oil": 70 + 25 * wave, "oil@0.5": 60 + 20 * wave} if dated else {}
    return profile_from(pd.DataFrame({"time": times} | columns | measured))


def field(measured: Profile, *, known: bool) -> xr.Dataset:
    seconds, heights = measured.seconds, np.linspace(0.0, 1.0, 7)
    wave = np.sin(2 * np.pi * seconds / 86400)[:, None]
    oil = 25 + (45 + 25 * wave) * heights
    flat = np.ones_like(oil)
    ageing = 2 ** ((oil + 22 - 98) / 6)
    doubt = (0.0 if known else 0.02) * flat * (1 + heights)
    noise = 0.5 * (1.2 + wave) * (0.5 + heights)
    used = np.cumsum(ageing, axis=0) * 0.5
    return field_dataset(
        measured.timeline,
        seconds,
        heights,
        {
            "oil_mean": oil,
            "oil_epistemic": doubt,
            "oil_aleatoric": noise,
            "winding_mean": oil + 22,
            "winding_epistemic": doubt,
            "winding_aleatoric": noise,
            "ageing_mean": ageing,
            "ageing_std": 0.1 * ageing,
            "ageing_epistemic_std": 0.1 * doubt * ageing,
            "loss_of_life_mean": used,
            "loss_of_life_std": 0.01 * used,
        },
    )


def summary(measured: Profile, *, ends: bool) -> dict[str, Any]:
    used = {
        "height": 1.0, "mean": 46.0, "std": 6.0, "field_mean": 45.6, "field_std": 0.14,
        "interval_50": [42.0, 50.0],
        "interval_90": [37.0, 57.0], "field_interval_90": [45.8, 46.2],
    }  # fmt: skip
    spread = {"mean": 68000.0, "std": 15000.0, "interval_90": [41000.0, 95000.0]}
    return {
        "method": "vi",
        "seed": 0,
        "seconds": 3.6,
        "settings": {"aleatoric": "heteroscedastic", "grid": {"heights": 7}},
        "versions": {"agewise": "0.1.0"},
        "quick": ends,
        "findings": [{"kind": "short", "text": HOSTILE}, STUCK] if ends else [],
        "window": {
            "start": str(measured.timeline.labels.iloc[0]),
            "end": str(measured.timeline.labels.iloc[-1]),
            "hours": float(measured.seconds[-1] / 3600),
            "samples": measured.seconds.size,
            "pieces": 3 if ends else 1,
        },
        "hot_spot": {
            "mean": 117.0, "epistemic_std": 0.13, "std": 1.4, "height": 1.0, "iec": 119.2,
            "time": "2025-07-07T06:00:00+02:00" if ends else 360.0,
        },
        "loss_of_life": {"worst": used, "0.5 H": used, "iec": 46.5},
        "limits": [
            {"name": name, "quantity": quantity, "limit": limit, "probability": float(ends),
             "hours": 0.5, "iec": ends}
            for name, both in LIMITS.items()
            for quantity, limit in (("hot spot", both.hot_spot), ("top oil", both.top_oil))
        ],
        "cooling": {"factor": 1.02 if ends else None, "std": 0.05, "alarm": ends, "since": None,
                    "text": "The top oil runs as the model explains."},
        "life": life(spread, ends=ends),
        "decision": {"action": "act" if ends else "load on", "reason": "Because of this.",
                     "narrow_by": "A heat-run report would narrow this most."},
        "scores": {"truth": {"rmse": 0.1, "curve": [1, 2]}} if ends else None,
    }  # fmt: skip


def life(spread: dict[str, Any], *, ends: bool) -> dict[str, Any]:
    shares = {"epistemic": 0.001, "nameplate": 0.4, "ageing law": 0.599}
    date = "2030-01-01" if ends else None
    return {
        "basis": "observed days",
        "horizon_years": 60,
        "used_before": {"mean": 195000.0, "std": 15000.0, "source": "nameplate"}
        if ends
        else {"mean": 0.0, "std": 0.0, "source": "unknown"},
        "remaining_hours": spread,
        "remaining_years": {
            "median": 21.0 if ends else None,
            "interval_50": [12.0, 40.0] if ends else [None, None],
            "interval_90": [4.2, None] if ends else [None, None],
            "beyond_horizon": 0.1 if ends else 1.0,
            "iec": 7.4 if ends else None,
        },
        "end_before": [{"years": 5, "date": date, "probability": 0.06 if ends else 0.0}],
        "sources": shares,
        "loss_sources": shares,
        "quantities": {"insulation.life_hours": 0.599, "winding.gradient_k": 0.4},
        "draws": 400,
        "futures": 200,
    }


def inputs(*, ends: bool, days: int = 2) -> ReportInputs:
    """A run whose insulation ends, or one where no future does and little is measured."""
    measured, random = profile(dated=ends, days=days), np.random.default_rng(0)
    years = 20 * np.exp(0.8 * random.standard_normal(200))
    steps = np.arange(1.0, 30.0)
    terms = {"step": 10 * steps, "total": 1 / steps, "readings": 0.5 / steps}
    return ReportInputs(
        measured,
        NAMEPLATE.model_copy(update={"name": HOSTILE}),
        field(measured, known=not ends),
        summary(measured, ends=ends),
        {
            "loss_of_life": 46 + 6 * random.standard_normal(200),
            "loss_of_life_field": 46 + (0.14 if ends else 0.0) * random.standard_normal(100),
            "remaining_years": np.where(years < 60, years, np.inf)
            if ends
            else np.full(200, np.inf),
        },
        {f"own/{name}": values for name, values in terms.items()} if ends else {},
    )


@pytest.fixture(scope="session")
def ending() -> ReportInputs:
    return inputs(ends=True)


@pytest.fixture(scope="session")
def long() -> ReportInputs:
    """A season, with a hole in the air and a load that was filled in."""
    made = inputs(ends=True, days=90)
    air, std = made.profile.ambient.copy(), np.zeros(made.profile.seconds.size)
    air[1000:1100], std[2000:2050] = np.nan, 0.1
    return replace(made, profile=replace(made.profile, ambient=air, load_std=std))


@pytest.fixture(scope="session")
def lasting() -> ReportInputs:
    return inputs(ends=False)
