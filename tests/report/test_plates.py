"""Every figure is drawn, also where there is little to draw."""

from io import BytesIO

import numpy as np
import pytest
from matplotlib.image import imread

from agewise.report.heights import instants
from agewise.report.inputs import ReportInputs
from agewise.report.plates import PLATES, TRAINING, Plate


@pytest.mark.parametrize("plate", PLATES, ids=[plate.name for plate in PLATES])
def test_a_day_in_minutes_without_doubt_or_end_is_drawn(plate: Plate, lasting: ReportInputs):
    picture = imread(BytesIO(plate.png(lasting)))
    assert picture.shape[1] == 1300
    assert picture.shape[0] > 200
    assert np.ptp(picture[..., :3]) > 0.5


def test_the_same_run_gives_the_same_picture(ending: ReportInputs):
    assert TRAINING.png(ending) == TRAINING.png(ending)


def test_the_chosen_instants_are_what_they_are_called(ending: ReportInputs):
    named = {name: row for row, name in instants(ending).items()}
    assert list(named.values()) == sorted(named.values())
    assert len(named) == 6
    hottest = ending.field["winding_mean"].max("height")
    assert float(hottest[named["hottest winding"]]) == float(hottest.max())
    top = ending.field["oil_mean"].isel(height=-1)
    assert float(top[named["coolest top oil"]]) == float(top.min())
