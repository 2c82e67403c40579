"""The lower end of the oil: measured, stated to be the air, or assumed with its doubt."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.lower_end import lower_end
from agewise.plant.profile import profile_from
from agewise.twin.settings import TwinSettings
from agewise.twin.twin import Twin, make_twin

OFFSET = 0.4


@lru_cache
def warm() -> Twin:
    """A unit whose bottom oil is warmer than the air by 0.4 of the top's rise."""
    return make_twin(TwinSettings(seed=100, days=2.0, bottom_offset=OFFSET, bottom_oil=True))


def bottom_truth() -> np.ndarray:
    return warm().truth["oil_true"].to_numpy()[:, 0]


def test_measured_bottom_oil_is_the_lower_end():
    end = lower_end(warm().profile, warm().nameplate, "backward")
    assert end.measured and end.air is not None and end.share_std == 0.0
    assert np.abs(end.readings - bottom_truth()).mean() < 1.0
    oil = assess(warm().profile, warm().nameplate, method="solver")
    rows = slice(None, None, 60)
    told = oil.predict(np.zeros(1), warm().profile.seconds[rows])
    assert np.abs(told.mean[:, 0] - bottom_truth()[rows]).mean() < 0.2


def test_an_assumed_bottom_is_in_doubt():
    blind = replace(warm().profile, bottom_oil=None)
    end = lower_end(blind, warm().nameplate, "backward")
    share = warm().nameplate.bottom_share()
    assert (end.share, end.share_std) == (share.mean, share.std) and share.mean > 0.5
    oil = assess(blind, warm().nameplate, method="solver")
    rows = slice(None, None, 60)
    told = oil.predict(np.zeros(1), blind.seconds[rows])
    z = (told.mean[:, 0] - bottom_truth()[rows]) / np.sqrt(told.epistemic[:, 0])
    assert np.sqrt(np.mean(z**2)) < 2.5
    assert blind.top_oil is not None and share.std is not None
    rise = blind.top_oil[rows] - blind.ambient[rows]
    assert np.sqrt(told.epistemic[:, 0]).mean() > 0.5 * share.std * rise.mean()


def test_the_paper_says_that_the_bottom_is_the_air():
    plain = make_twin(TwinSettings(seed=100, days=1.0))
    end = lower_end(plain.profile, plain.nameplate, "backward")
    assert end.air is None and end.readings is plain.profile.ambient


def test_a_silent_bottom_is_stood_in_for():
    """Six hours without bottom oil: the fit goes on, less sure there."""
    values = np.asarray(warm().profile.bottom_oil).copy()
    values[900:1260] = np.nan
    holed = replace(warm().profile, bottom_oil=values)
    oil, whole = (
        assess(profile, warm().nameplate, method="solver", as_given=True)
        for profile in (holed, warm().profile)
    )
    inside = warm().profile.seconds[1000:1200:20]
    wide, narrow = (fit.predict(np.zeros(1), inside).epistemic.mean() for fit in (oil, whole))
    assert wide > 4 * narrow
    assert oil.predict(np.zeros(1), inside).mean == pytest.approx(
        bottom_truth()[1000:1200:20, None], abs=8.0
    )


@pytest.mark.parametrize("rows", [2, 4, 9, 200])
@pytest.mark.parametrize("minutes", [1, 2, 5])
def test_the_air_over_minutes_is_neither_late_nor_longer_than_its_rows(rows: int, minutes: int):
    """Air that rises steadily is its own mean, but for the last five minutes at either end."""
    rising = profile_from(warm().frame.iloc[: rows * minutes : minutes].reset_index(drop=True))
    rising = replace(rising, ambient=20.0 + rising.seconds / 3600)
    end = lower_end(rising, warm().nameplate, "backward")
    assert end.air is not None and end.air.size == rising.seconds.size
    inner = (rising.seconds >= 300) & (rising.seconds <= rising.seconds[-1] - 300)
    np.testing.assert_allclose(end.air[inner], rising.ambient[inner], atol=1e-9)
    assert end.air.min() >= 20.0 and end.air.max() <= rising.ambient.max()
