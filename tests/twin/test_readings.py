"""Sensors show the truth with noise of known size, and what is wrong with them, and no more."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agewise.reading.profile_file import read_profile
from agewise.transformer.iec60076 import hot_spot_rise
from agewise.twin.cases import CASES
from agewise.twin.twin import Twin, TwinSettings, make_twin
from agewise.twin.twin_file import write_twin

SHORT = TwinSettings(seed=0, days=1.0)


def true(twin: Twin, name: str) -> np.ndarray:
    return twin.truth[name].to_numpy().astype(float)


def test_the_winding_is_the_top_oil_and_the_rise_by_the_true_constants():
    twin = make_twin(replace(SHORT, winding=True, nameplate_error=1.0))
    seconds = twin.profile.seconds
    rise = hot_spot_rise(twin.true_nameplate.thermal_constants(), seconds, true(twin, "load_true"))
    hot_spot = true(twin, "oil_true")[:, -1] + rise
    assert np.abs(hot_spot - true(twin, "hot_spot_true")).max() < 1e-4
    error = np.asarray(twin.profile.winding) - hot_spot
    z = error / (0.05 + 0.012 * hot_spot)
    assert abs(z.mean()) < 4 / np.sqrt(z.size)
    assert z.std() == pytest.approx(1, abs=4 / np.sqrt(2 * z.size))
    # A sensor more moves no other.
    assert twin.frame.drop(columns="winding").equals(
        make_twin(replace(SHORT, nameplate_error=1.0)).frame
    )


@pytest.mark.parametrize("case", CASES)
def test_a_clean_winding_is_read_back_without_a_finding(tmp_path: Path, case: str):
    twin = make_twin(TwinSettings(seed=2, case=case, days=3.0, winding=True))
    write_twin(twin, tmp_path)
    profile = read_profile(tmp_path / "profile.csv")
    assert profile.findings == ()
    assert np.array_equal(np.asarray(profile.winding), twin.frame["winding"].to_numpy())
