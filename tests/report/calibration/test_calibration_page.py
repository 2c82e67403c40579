"""The page of a calibration stands alone, and shows prior beside posterior."""

import re
from dataclasses import replace

import calibrated
import numpy as np
import pytest

from agewise.report.calibration.figures import oil_figure
from agewise.report.calibration.page import calibration_page
from agewise.transformer.calibration.disturbance import steps_between


@pytest.fixture(scope="module")
def page() -> str:
    return calibration_page(calibrated.check())


def test_nothing_is_fetched_and_texts_are_escaped(page: str):
    assert not re.search(r"https?://|url\(|@import|<script|<link", page)
    assert page.count("data:image/png;base64,") == 2
    assert "<b>Forty-five" not in page and "&lt;b&gt;Forty-five" in page


def test_prior_stands_beside_posterior(page: str):
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert re.search(r"Top-oil rise at rated load 60 ± 18 K table of the guide 4\d\.\d ± ", text)
    assert re.search(r"Oil exponent 0\.80 ± 0\.10 nameplate 0\.", text)
    assert "misses the measured top oil by" in text
    assert "7 July 2025, 00:00 to 10 July 2025, 23:45" in text


def test_a_long_record_is_drawn_by_days():
    check = calibrated.check()
    seconds = 20 * check.seconds
    record = replace(check.record, seconds=seconds, steps=steps_between(seconds))
    timeline = replace(check.profile.timeline, seconds=20 * check.profile.seconds)
    profile = replace(check.profile, timeline=timeline)
    drawn = oil_figure(replace(check, record=record, profile=profile))
    assert [axes.get_ylabel() for axes in drawn.axes][1] == "top oil [°C]"
    lines = drawn.axes[1].get_lines()
    assert {np.asarray(line.get_xdata()).size for line in lines} == {80}
