"""What a conclusion gives to a notebook: tables of pandas, pictures and a card."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import agewise
from agewise.report.figures.catalogue import CATALOGUE

PNG = b"\x89PNG"


@pytest.fixture(scope="module")
def outcome() -> agewise.Conclusion:
    twin = agewise.make_twin(agewise.TwinSettings(seed=100, days=0.5))
    fitted = agewise.assess(twin.profile, twin.nameplate, method="line", quick=True)
    return agewise.conclusion(fitted, grid=agewise.Grid(11, 30.0))


def test_a_figure_is_drawn_by_its_name_and_saved(outcome: agewise.Conclusion, tmp_path: Path):
    picture = outcome.plot("heights")
    assert picture._repr_png_().startswith(PNG)  # pyright: ignore[reportPrivateUsage]
    picture.save(tmp_path / "heights.png")
    assert (tmp_path / "heights.png").read_bytes() == picture.png
    assert picture.figure.axes and picture.caption.endswith(".")


def test_a_strange_name_is_refused_with_all_that_there_are(outcome: agewise.Conclusion):
    with pytest.raises(agewise.InputError, match="no figure 'nonsense'") as refusal:
        outcome.plot("nonsense")
    assert all(repr(figure.name) in refusal.value.hint for figure in CATALOGUE)


def test_the_frame_is_the_field_where_the_paper_ages_fastest(outcome: agewise.Conclusion):
    frame, used = outcome.frame(), outcome.field["loss_of_life_mean"]
    assert list(frame) == list(outcome.field.data_vars)
    np.testing.assert_array_equal(frame["loss_of_life_mean"], used.max("height"))
    start = outcome.assessment.profile.timeline.start
    assert frame.index[0] == start
    assert isinstance(frame.index, pd.DatetimeIndex) and frame.index.tz is not None
    assert str(frame.index[0].utcoffset()) == str(start and start.utcoffset())


def test_draws_are_a_table_with_a_row_a_draw(outcome: agewise.Conclusion):
    table = outcome.draws_frame()
    assert table["hot_spot"].mean() == pytest.approx(outcome.summary.hot_spot.mean)
    assert list(table) == list(outcome.draws)


def test_a_notebook_shows_the_answer(outcome: agewise.Conclusion):
    html = outcome._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert outcome.summary.decision.reason.split(".")[0][:20] in html
    assert outcome.assessment.nameplate.name in html
