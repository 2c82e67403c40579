"""The picture of a check: every column, every finding, and no axis squashed by a code."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.image import imread

from agewise.plant.profile import Profile
from agewise.plant.record import Record
from agewise.quality.quality import checked
from agewise.report.drawing.daily import daily, noons
from agewise.report.quality.lanes import CONSEQUENCES, consequence
from agewise.report.quality.picture import quality, write_quality
from agewise.report.quality.readings import label, readings

START = pd.Timestamp("2025-07-07", tz="Europe/Madrid")
WILD = -999.0


def record(*, days: float = 2.0, minutes: float = 5.0, dated: bool = True) -> Record:
    """A file with four columns and nothing wrong in it."""
    seconds = np.arange(0.0, days * 86400, 60 * minutes)
    wave, noise = np.sin(2 * np.pi * seconds / 86400), np.random.default_rng(0)
    columns = {
        "load": 0.7 + 0.2 * wave + 0.01 * noise.standard_normal(seconds.size),
        "ambient": 20 + 5 * wave + 0.2 * noise.standard_normal(seconds.size),
        "top_oil": 60 + 20 * wave + 0.3 * noise.standard_normal(seconds.size),
        "oil@0.5": 50 + 15 * wave + 0.3 * noise.standard_normal(seconds.size),
    }
    dates = START + pd.to_timedelta(seconds, "s")
    labels = pd.Series(dates).astype(str) if dated else pd.Series(seconds / 60)
    return Record(labels, seconds, START if dated else None, columns)


def spoiled(base: Record) -> Record:
    """The same with a code, missing cells, a hole in the load, a gap and a row written twice."""
    columns = {name: values.copy() for name, values in base.columns.items()}
    columns["top_oil"][100] = WILD
    columns["ambient"][[40, 41, 90]] = np.nan
    columns["load"][200:260] = np.nan
    rows = np.concatenate([np.arange(300), [299], np.arange(360, base.seconds.size)])
    return Record(
        base.labels.iloc[rows].reset_index(drop=True),
        base.seconds[rows],
        base.start,
        {name: values[rows] for name, values in columns.items()},
    )


@pytest.fixture(scope="module")
def broken() -> tuple[Record, Profile]:
    made = spoiled(record())
    return made, checked(made)


@pytest.fixture(scope="module")
def figure(broken: tuple[Record, Profile]) -> Figure:
    return quality(*broken)


def panels(figure: Figure, names: list[str]) -> dict[str, Axes]:
    named = {axes.get_ylabel(): axes for axes in figure.axes}
    return {name: named[label(name)] for name in names}


def lanes_of(figure: Figure) -> list[tuple[str, LineCollection]]:
    """Every lane of the figure: its kind, and its bars."""
    return [
        (text.get_text(), bars)
        for axes in figure.axes
        if (made := [one for one in axes.collections if isinstance(one, LineCollection)])
        for text, bars in zip(axes.get_yticklabels(), made, strict=True)
    ]


def test_there_is_a_panel_a_column(figure: Figure, broken: tuple[Record, Profile]):
    made = panels(figure, list(broken[0].columns))
    assert len(made) == 4
    limits = {axes.get_xlim() for axes in figure.axes}
    assert len(limits) == 1, "one time axis for all"


def test_every_finding_is_marked_where_it_lies_and_listed(
    figure: Figure, broken: tuple[Record, Profile]
):
    found = broken[1].findings
    assert {each.kind for each in found} >= {"sentinel", "missing", "gap", "duplicates"}
    marked = sorted((kind, len(bars.get_segments())) for kind, bars in lanes_of(figure))
    assert marked == sorted((each.kind, len(each.stretches)) for each in found)
    words = [text.get_text() for text in figure.texts]
    assert all(each.text in " ".join(words) for each in found)


def test_colours_say_what_became_of_it(figure: Figure, broken: tuple[Record, Profile]):
    became = {each.kind: consequence(each) for each in broken[1].findings}
    assert became["sentinel"] == "left out"
    assert became["duplicates"] == "mended"
    for kind, bars in lanes_of(figure):
        assert tuple(np.atleast_2d(bars.get_colors())[0]) == to_rgba(CONSEQUENCES[became[kind]])


def test_a_wild_value_changes_no_limits_and_is_marked_at_the_edge(
    figure: Figure, broken: tuple[Record, Profile]
):
    made, clean = broken
    columns = {name: values.copy() for name, values in made.columns.items()}
    columns["top_oil"][100] = np.nan
    tame = Record(made.labels, made.seconds, made.start, columns)
    assert readings(made, clean, "top_oil").limits == readings(tame, clean, "top_oil").limits
    axes = panels(figure, ["top_oil"])["top_oil"]
    low, high = axes.get_ylim()
    assert low > 30
    edge = [one for one in axes.collections if isinstance(one, PathCollection)]
    ((_, y),) = np.asarray(edge[0].get_offsets())
    assert low < y < low + 0.05 * (high - low)


def test_filled_loads_have_a_band(broken: tuple[Record, Profile]):
    one = readings(*broken, "load")
    filled = one.std > 0
    assert filled.any()
    low, high = one.band
    assert (low[filled] < one.clean[filled]).all()
    assert (high[filled] > one.clean[filled]).all()
    assert np.array_equal(low[~filled], high[~filled], equal_nan=True)


def test_what_is_not_used_is_told_from_what_is_left(broken: tuple[Record, Profile]):
    one = readings(*broken, "top_oil")
    assert one.written[~one.kept & ~np.isnan(one.written)].tolist() == [WILD]


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(record(days=0.5, minutes=1.0), id="half a day"),
        pytest.param(record(days=365.0, minutes=60.0), id="a year"),
        pytest.param(spoiled(record(dated=False)), id="minutes from the start"),
    ],
)
def test_it_is_written(made: Record, tmp_path: Path):
    write_quality(made, checked(made), tmp_path / "check.png")
    picture = imread(tmp_path / "check.png")
    assert picture.shape[1] == 1300
    assert np.ptp(picture[..., :3]) > 0.5
    assert (picture[-3:, :, :3] == 1).all(), "nothing is cut off at the foot"


def test_a_day_has_its_range():
    hours = np.arange(48.0)
    each = daily(hours, np.where(hours == 30, 7.0, hours % 24 / 24))
    assert each.times.tolist() == [12.0, 36.0]
    assert each.low.tolist() == [0.0, 0.0]
    assert each.high.tolist() == [23 / 24, 7.0]
    noon = noons(np.array(["2025-07-07"], dtype="datetime64[D]"))
    assert noon[0] == np.datetime64("2025-07-07T12")
