"""Small made-up runs: two dated days with a training, and one day in minutes that ends nothing."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from agewise.assessment.answer.base import Spread
from agewise.assessment.answer.life import EndBefore, Life, RemainingYears, Source, UsedBefore
from agewise.assessment.answer.scores import (
    MeasuredScores,
    Range,
    ScoresSection,
    SplitScores,
    TruthScores,
)
from agewise.assessment.answer.summary import (
    ChosenSettings,
    Constant,
    Cooling,
    DataFinding,
    Decision,
    Finding,
    HotSpot,
    Limit,
    LossAtHeight,
    LossOfLife,
    RecordWindow,
    Summary,
)
from agewise.plant.field import field_dataset
from agewise.plant.profile import Profile, profile_from
from agewise.report.inputs import ReportInputs
from agewise.transformer.cooling_defaults import LIMITS
from agewise.twin.cases import CASES

NAMEPLATE = CASES["aged-substation"].nameplate()
HOSTILE = "<script>alert('x')</script> & \"so on\""
"""A text that would become markup if it were not escaped."""

STUCK = DataFinding(
    kind="stuck",
    text="top_oil: one value held.",
    column="top_oil",
    rows=1234,
    start="2025-07-07T06:00:00+02:00",
    end="07/07/2025 09:30",
    done="left out",
)
"""A finding about the data."""


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


def summary(measured: Profile, *, ends: bool) -> Summary:
    """An answer of made-up numbers, of a quick run where the insulation ends."""
    loss = LossAtHeight(
        height=1.0, mean=46.0, std=6.0, interval_50=(42.0, 50.0), interval_90=(37.0, 57.0),
        field_mean=45.6, field_std=0.14,
        field_interval_50=(45.9, 46.1), field_interval_90=(45.8, 46.2),
    )  # fmt: skip
    labels = measured.timeline.labels
    return Summary(
        method="vi",
        seed=0,
        settings=ChosenSettings(
            preset="default", aleatoric="heteroscedastic", discrepancy=0.005, hold="backward",
            ignore_interior=False, quick=ends, window_days=None, network={"grid": {"width": 7}},
        ),
        seconds=3.6,
        versions={"agewise": "0.1.0"},
        window=RecordWindow(
            start=str(labels.iloc[0]),
            end=str(labels.iloc[-1]),
            hours=float(measured.seconds[-1] / 3600),
            samples=measured.seconds.size,
            pieces=3 if ends else 1,
        ),
        findings=(Finding(kind="short", text=HOSTILE), STUCK) if ends else (),
        hot_spot=HotSpot(
            mean=117.0, std=1.4, interval_50=(116.0, 118.0), interval_90=(114.7, 119.3),
            epistemic_std=0.13, height=1.0, iec=119.2,
            time="2025-07-07T06:00:00+02:00" if ends else 360.0,
        ),
        loss_of_life=LossOfLife.model_validate(
            {"worst": loss, "0.5 H": loss, "0.8 H": loss, "1 H": loss, "iec": 46.5}
        ),
        constants=constants() if ends else (),
        limits=limits(passed=ends),
        cooling=Cooling(factor=1.02 if ends else None, std=0.05, alarm=ends, since=None,
                        text="The top oil runs as the model explains."),
        life=life(ends=ends),
        decision=Decision(action="act" if ends else "load on", reason="Because of this.",
                          narrow_by="A heat-run report would narrow this most."),
        scores=scores() if ends else None,
    )  # fmt: skip


def constants() -> tuple[Constant, ...]:
    """One constant that was learned, and one that a table gives."""
    return (
        Constant(name="oil.top_oil_rise_k", origin="given", before=60.0, before_std=3.0,
                 learned=45.12, learned_std=0.91),
        Constant(name="winding.gradient_k", origin="assumed", before=22.0, before_std=3.3,
                 learned=None, learned_std=None),
    )  # fmt: skip


def limits(*, passed: bool) -> tuple[Limit, ...]:
    """Every limit of the guide, passed at some moment or never."""
    chance = float(passed)
    return tuple(
        limit
        for name, both in LIMITS.items()
        for limit in (
            Limit(name=name, quantity="hot spot", limit=both.hot_spot, probability=chance,
                  hours=0.5, iec=passed),
            Limit(name=name, quantity="top oil", limit=both.top_oil, probability=chance,
                  hours=0.5, iec=passed),
        )
    )  # fmt: skip


def scores() -> ScoresSection:
    """Scores of which only one can be told from the others."""
    ratio = Range(median=1.0, p05=0.9, p95=1.1)
    truth = TruthScores(rmse=0.125, epistemic_crps=0.0, total_crps=0.0, total_nll=0.0)
    return ScoresSection(
        measured=MeasuredScores(
            crps=0.0, nll=0.0, oracle_crps=0.0, oracle_nll=0.0, crps_ratio=1.0, miscalibration=0.0,
            miscalibration_by_height=(0.0,), miscalibration_by_hour=(0.0,), coverage=(0.5,),
            sharpness=0.0, interval_score_90=0.0,
        ),
        truth=truth,
        split=SplitScores(
            aleatoric_ratio_boundary=ratio, aleatoric_ratio_inside=ratio,
            aleatoric_rank_correlation=1.0, epistemic_z=1.0, rms_ratio=1.0,
        ),
        instants={"total": truth},
    )  # fmt: skip


def life(*, ends: bool) -> Life:
    """Life that ends within the horizon in most simulated courses, or in none."""
    shares: dict[Source, float] = {"epistemic": 0.001, "nameplate": 0.4, "ageing law": 0.599}
    hours = Spread(
        mean=68000.0, std=15000.0, interval_50=(58000.0, 78000.0), interval_90=(41000.0, 95000.0)
    )
    return Life(
        basis="observed days",
        horizon_years=60,
        used_before=UsedBefore(mean=195000.0, std=15000.0, source="nameplate")
        if ends
        else UsedBefore(mean=0.0, std=0.0, source="unknown"),
        remaining_hours=hours,
        recurrence_hours=68000.0,
        yearly_loss_hours=hours,
        remaining_years=RemainingYears(
            median=21.0, interval_50=(12.0, 40.0), interval_90=(4.2, None), beyond_horizon=0.1,
            iec=7.4,
        )
        if ends
        else RemainingYears(
            median=None, interval_50=(None, None), interval_90=(None, None), beyond_horizon=1.0,
            iec=None,
        ),
        end_before=(
            EndBefore(
                years=5,
                date="2030-01-01" if ends else None,
                probability=0.06 if ends else 0.0,
            ),
        ),
        sources=shares,
        loss_sources=shares,
        quantities={"insulation.life_hours": 0.599, "winding.gradient_k": 0.4},
        draws=400,
        futures=200,
    )  # fmt: skip


def inputs(*, ends: bool, days: int = 2) -> ReportInputs:
    """A run whose insulation ends, or one where it outlasts the horizon and little is measured."""
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
