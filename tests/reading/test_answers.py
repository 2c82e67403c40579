"""One answer, whatever dialect and clock a file is written in."""

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from dialects import MADRID, RATED, WRITERS, clean, twin

from agewise.assessment.field import oil_field
from agewise.assessment.grid import Grid
from agewise.assessment.life.effort import Effort
from agewise.assessment.life.prognosis import Prognosis
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.settings import Settings
from agewise.assessment.plain_answers import iec_answer
from agewise.plant.profile import Profile
from agewise.plant.tables import write_table
from agewise.reading.options import Reading
from agewise.reading.profile_file import read_profile

MEASURED = ["time", "load", "ambient", "top_oil"]
"""What all dialects write."""
RELATIVE = 1e-6
"""Files are written to 15 digits, and temperatures in °F and K come back with a rounding."""
GRID = Grid(heights=6, minutes=60.0)


def summary(profile: Profile) -> dict[str, np.ndarray]:
    """The numbers of a run."""
    assessment = assess(profile, twin().nameplate, Settings(method="solver"))
    lives = Prognosis(assessment, 1.0, None, Effort(50, 10)).lives
    field = oil_field(assessment, grid=GRID)
    means = {"loss of life": lives.loss.mean(), "hot spot": lives.hot_spot.mean()}
    return {name: np.asarray(value) for name, value in means.items()} | {
        str(name): field[name].to_numpy() for name in field if str(name).endswith("_mean")
    }


@cache
def expected(folder: Path) -> dict[str, np.ndarray]:
    write_table(clean()[MEASURED], folder / "clean.csv")
    return summary(read_profile(folder / "clean.csv"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("answers")


@pytest.mark.parametrize("write", WRITERS)
def test_a_foreign_file_gives_the_answer_of_the_clean_one(
    folder: Path, write: Callable[[Path], Path]
):
    found = summary(read_profile(write(folder), MADRID, rated=RATED))
    for name, values in expected(folder).items():
        assert np.allclose(found[name], values, rtol=RELATIVE, atol=1e-9), name


def measured(start: str, minutes: int) -> pd.DataFrame:
    """A day from midnight to midnight in Madrid, both included."""
    first = pd.Timestamp(start, tz="Europe/Madrid")
    times = pd.date_range(first, first + pd.DateOffset(days=1), freq=f"{minutes}min")
    hours = (times - first).total_seconds().to_numpy() / 3600
    rng = np.random.default_rng(minutes)
    load = 0.8 + 0.3 * np.sin(hours / 4) + 0.02 * rng.normal(size=hours.size)
    air = 20 + 5 * np.sin(hours / 4 - 1) + 0.2 * rng.normal(size=hours.size)
    oil = air + 30 + 12 * np.sin(hours / 4 - 0.5) + 0.2 * rng.normal(size=hours.size)
    columns = {"load": load, "ambient": air, "top_oil": oil}
    return pd.DataFrame({"time": times} | {name: v.round(4) for name, v in columns.items()})


@pytest.mark.parametrize("minutes", [1, 15, 60])
@pytest.mark.parametrize(("start", "hours"), [("2025-03-30", 23), ("2025-10-26", 25)])
def test_days_of_clock_changes_are_as_long_as_they_are(
    tmp_path: Path, start: str, hours: int, minutes: int
):
    frame = measured(start, minutes)
    utc = frame["time"].dt.tz_convert("UTC").dt.strftime("%Y-%m-%dT%H:%M:%SZ")
    local = frame["time"].dt.tz_localize(None).dt.strftime("%d/%m/%Y %H:%M")
    profiles = []
    for name, times in (("utc", utc), ("local", local)):
        frame.assign(time=times).to_csv(tmp_path / f"{name}.csv", index=False)
        reading = Reading(timezone="Europe/Madrid") if name == "local" else Reading()
        profiles.append(read_profile(tmp_path / f"{name}.csv", reading))
    instants, walls = profiles
    assert walls.seconds[-1] == hours * 3600
    assert walls.seconds.size == hours * 60 // minutes + 1
    assert not walls.findings
    assert np.array_equal(walls.seconds, instants.seconds)
    lost, same = (iec_answer(one, twin().nameplate).loss_of_life[-1] for one in profiles)
    assert math.isclose(lost, same, rel_tol=1e-12)
