"""The commands' work as Python functions: fields agree with the series they are made of."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from agewise.assessment.grid import Grid
from agewise.assessment.oil.assess import assess
from agewise.assessment.plain_answers import iec_answer, reference_field
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile, profile_from
from agewise.twin.cases import CASES
from agewise.twin.twin import TwinSettings, make_twin

NAMEPLATE = CASES["aged-substation"].nameplate()
WARM = NAMEPLATE.model_copy(update={"oil": NAMEPLATE.oil.model_copy(update={"bottom": None})})
"""The same unit, whose bottom is warmer than the air."""


def profile(minutes: int = 1, *, measured: bool = True) -> Profile:
    times = pd.date_range("2025-07-07", periods=1 + 720 // minutes, freq=f"{minutes}min", tz="UTC")
    hours = np.arange(times.size) * minutes / 60
    columns = {"time": times, "load": 0.9, "ambient": 25 + hours, "top_oil": 70 + 2 * hours}
    return profile_from(pd.DataFrame(columns if measured else columns | {"top_oil": None})
                        .dropna(axis=1, how="all"))  # fmt: skip


def test_the_top_of_the_field_is_the_plain_answer():
    measured = profile()
    field, plain = reference_field(measured, NAMEPLATE), iec_answer(measured, NAMEPLATE)
    top = field.isel(height=-1)
    assert np.allclose(top["oil_mean"][:-1], plain.top_oil[:-1:10], atol=1e-4)
    assert np.allclose(top["winding_mean"][:-1], plain.hot_spot[:-1:10], atol=1e-4)
    assert float(top["loss_of_life_mean"][-1]) == pytest.approx(plain.loss_of_life[-1], rel=1e-5)


def test_the_bottom_of_the_field_is_the_ambient():
    field = reference_field(profile(), NAMEPLATE, grid=Grid(11, 30.0))
    assert field.sizes == {"time": 25, "height": 11}
    assert np.allclose(field["oil_mean"].isel(height=0), 25 + np.arange(25) / 2, atol=1e-4)


def test_a_bottom_that_is_not_the_air_is_the_lower_end_of_the_field():
    """As assumed by the nameplate, and as measured, with what stands in where nobody read it."""
    share = WARM.bottom_share().mean
    assert share > 0.5
    cold, grid = profile(), Grid(11, 30.0)
    rows = slice(None, None, 30)
    expected = (1 - share) * cold.ambient + share * np.asarray(cold.top_oil)
    assumed = reference_field(cold, WARM, grid=grid)["oil_mean"]
    np.testing.assert_allclose(assumed[:, 0], expected[rows], atol=1e-4)
    read = np.where(cold.seconds < 6 * 3600, 50.0, np.nan)
    measured = reference_field(replace(cold, bottom_oil=read), WARM, grid=grid)["oil_mean"]
    np.testing.assert_allclose(
        measured[:, 0], np.where(np.isnan(read), expected, read)[rows], atol=1e-4
    )
    np.testing.assert_allclose(measured[:, -1], assumed[:, -1])


def test_the_field_is_the_mean_that_an_assessment_finds():
    """Over a warm bottom too: the same ends, the same equation."""
    twin = make_twin(TwinSettings(seed=100, days=1.0, bottom_offset=0.4, bottom_oil=True))
    field = reference_field(twin.profile, twin.nameplate, grid=Grid(6, 60.0))["oil_mean"]
    found = assess(twin.profile, twin.nameplate, method="solver", as_given=True)
    told = found.predict(np.linspace(0, 1, 6), np.arange(0, 86400, 3600.0)).mean
    assert np.abs(field[: len(told)] - told).mean() < 0.5


def test_slower_sampling_of_the_same_day_gives_the_same_field():
    fine, coarse = (reference_field(profile(m), NAMEPLATE, grid=Grid(51, 30.0)) for m in (1, 15))
    assert float(abs(fine["oil_mean"] - coarse["oil_mean"]).max()) < 0.01


def test_without_measured_top_oil_the_model_supplies_it():
    missing = profile(measured=False)
    assert missing.top_oil is None
    field, plain = reference_field(missing, NAMEPLATE), iec_answer(missing, NAMEPLATE)
    last = float(field["oil_mean"].isel(time=-1, height=-1))
    assert last == pytest.approx(plain.top_oil[-1], abs=1e-3)


@pytest.mark.parametrize("given", [{"moisture_percent": 3.0}, {"breathing": "free-breathing"}])
def test_water_and_air_age_the_plain_answer_and_the_field_alike(given: dict):
    """Rate constants of annex A, relative to those of dry paper without air."""
    unit = Nameplate.model_validate(NAMEPLATE.model_dump() | {
        "insulation": NAMEPLATE.insulation.model_dump() | given})  # fmt: skip
    dry, plain = iec_answer(profile(), NAMEPLATE), iec_answer(profile(), unit)
    field = reference_field(profile(), unit)["loss_of_life_mean"]
    np.testing.assert_array_equal(plain.hot_spot, dry.hot_spot)
    assert plain.loss_of_life[-1] > 2 * dry.loss_of_life[-1]
    assert float(field[-1, -1]) == pytest.approx(plain.loss_of_life[-1], rel=1e-4)


def test_upgraded_paper_ages_slower_at_the_same_heat():
    normal, upgraded = (iec_answer(profile(), NAMEPLATE, paper=p) for p in ("normal", "upgraded"))
    assert upgraded.loss_of_life[-1] < normal.loss_of_life[-1]
    assert np.array_equal(normal.hot_spot, upgraded.hot_spot)
