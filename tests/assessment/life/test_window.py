"""One calculation of life: what the field holds at a height is what the summary says of it."""

from dataclasses import replace

import numpy as np
import pytest

from agewise.assessment.conclusion import Conclusion, conclusion
from agewise.assessment.field import oil_field
from agewise.assessment.grid import Grid
from agewise.assessment.life.doubts import unknowns
from agewise.assessment.life.effort import FULL, LONG, QUICK, Effort, usual_effort
from agewise.assessment.life.window import NODES, REPORTED, DrawnWindow
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.settings import Settings
from agewise.twin.twin import TwinSettings, make_twin

SMALL = Effort(draws=60, split_draws=10)


@pytest.fixture(scope="module")
def fitted() -> Assessment:
    twin = make_twin(TwinSettings(seed=100, days=0.5, case="aged-substation"))
    return assess(twin.profile, twin.nameplate, Settings(method="solver", quick=True))


@pytest.fixture(scope="module", params=["measured", "filled load"])
def said(request: pytest.FixtureRequest, fitted: Assessment) -> Conclusion:
    load = fitted.profile.load
    filled = replace(fitted.profile, load_std=np.where(np.arange(load.size) > 400, 0.1, 0.0))
    profile = filled if request.param == "filled load" else fitted.profile
    return conclusion(replace(fitted, profile=profile), grid=Grid(21, 30.0))


def test_field_and_summary_tell_the_same_loss_of_life(said: Conclusion):
    used = said.summary.loss_of_life.model_dump(by_alias=True)
    for name in ("worst", "0.5 H", "0.8 H", "1 H"):
        row = said.field.sel(height=used[name]["height"], method="nearest").isel(time=-1)
        assert float(row["loss_of_life_mean"]) == pytest.approx(used[name]["field_mean"], rel=1e-6)
        assert float(row["loss_of_life_std"]) == pytest.approx(used[name]["field_std"], rel=1e-5)


@pytest.mark.parametrize(("as_given", "close"), [(True, 3e-3), (False, 5e-2)])
def test_between_its_nodes_the_field_is_what_functions_give_there(
    fitted: Assessment, as_given: bool, close: float
):
    if as_given:
        settings = replace(fitted.settings, as_given=True)
        fitted = assess(fitted.profile, fitted.nameplate.as_given(), settings)
    window, height = DrawnWindow(fitted, SMALL), 0.4
    assert height not in NODES
    field = oil_field(fitted, grid=Grid(6, 30.0), drawn=window)
    exposure = window.exposures([height])[height]
    means = {one.name: np.full(60, one.mean) for one in unknowns(fitted.nameplate)}
    used = exposure.used(exposure.hot_spot(means, {"epistemic"}), means)[:, -1]
    there = field.sel(height=height).isel(time=-1)
    assert float(there["loss_of_life_mean"]) == pytest.approx(used.mean(), rel=close)
    assert float(there["loss_of_life_std"]) == pytest.approx(used.std(), rel=10 * close)


def test_life_used_grows_from_nothing(said: Conclusion):
    used = said.field["loss_of_life_mean"].to_numpy()
    assert (used[0] == 0).all() and (np.diff(used, axis=0) > 0).all()
    assert (said.field["loss_of_life_std"].to_numpy()[1:] > 0).all()


def test_reported_heights_are_nodes_and_drawn_once(fitted: Assessment):
    assert set(REPORTED) <= set(NODES)
    window = DrawnWindow(fitted, SMALL)
    first = window.exposures(REPORTED)
    assert all(window.exposures([height])[height] is first[height] for height in REPORTED)
    assert window.exposures([0.3])[0.3].winding is first[1.0].winding


def test_long_records_and_quick_answers_are_drawn_less(fitted: Assessment):
    full = replace(fitted, settings=replace(fitted.settings, quick=False))
    assert usual_effort(full) is FULL
    assert usual_effort(fitted) is QUICK
    assert usual_effort(replace(full, windows=2 * full.windows)) is LONG
    assert LONG.functions(1) == 400 and LONG.functions(2) == 100
