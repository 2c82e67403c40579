"""Every figure is drawn, also where there is little to draw."""

from io import BytesIO

import numpy as np
import pytest
from matplotlib.image import imread

from agewise.report.figures.catalogue import CATALOGUE, TRAINING, ReportFigure, figures
from agewise.report.figures.heights import instants
from agewise.report.figures.maps import oil_map
from agewise.report.figures.temperatures import temperatures
from agewise.report.inputs import ReportInputs

SEASONAL = [f for f in CATALOGUE if f.name in ("temperatures", "oil", "winding", "ageing")]


@pytest.mark.parametrize("figure", CATALOGUE, ids=[figure.name for figure in CATALOGUE])
def test_a_short_day_without_end_is_drawn(figure: ReportFigure, lasting: ReportInputs):
    picture = imread(BytesIO(figure.png(lasting)))
    assert picture.shape[1] == 1300
    assert picture.shape[0] > 200
    assert np.ptp(picture[..., :3]) > 0.5


@pytest.mark.parametrize("figure", SEASONAL, ids=[figure.name for figure in SEASONAL])
def test_a_season_is_drawn(figure: ReportFigure, long: ReportInputs):
    assert imread(BytesIO(figure.png(long))).shape[1] == 1300


def test_a_long_record_is_shown_by_days(long: ReportInputs, ending: ReportInputs):
    """Not by samples, which would be a blot; and the caption says so."""
    load, *_ = temperatures(long).axes
    assert max(np.asarray(line.get_xdata()).size for line in load.lines) == 91
    (mesh,) = oil_map(long).axes[0].collections
    shown = np.asarray(mesh.get_array())
    assert shown.shape[1] == 91
    day = long.field["oil_mean"].isel(time=slice(48, 96)).mean("time")
    assert shown[:, 1] == pytest.approx(day.to_numpy())
    assert "By days" in figures(long)[0].caption
    assert "By days" not in figures(ending)[0].caption


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
