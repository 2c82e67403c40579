"""What is wrong in a file moves the end of an assessment by no more than its interval."""

from pathlib import Path

import numpy as np
import pytest
from corruption import CASES, LIFE_SHARE, clean, text_of
from hypothesis import given
from hypothesis import strategies as st
from spoiling import spoiled_cell, spoiled_rows
from thorough import examples

from agewise.assessment.life.effort import Effort
from agewise.assessment.life.prognosis import Prognosis
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.settings import Settings
from agewise.errors import InputError
from agewise.reading.profile_file import read_profile

EFFORT = Effort(draws=60, split_draws=10)


def loss(profile_path: Path, name: str) -> tuple[np.ndarray, bool]:
    """Draws of the loss of life, and whether anything was said about the data."""
    unit = clean(name).nameplate
    profile = read_profile(profile_path, rated=unit.rated())
    assessment = assess(profile, unit, Settings(method="line"))
    prognosis = Prognosis(assessment, 1.0, None, EFFORT)
    expected = clean(name).during(profile).loss_of_life
    return prognosis.lives.loss / expected, bool(profile.findings)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("corrupted")


@given(st.sampled_from(sorted(CASES)), st.data())
@examples(40)
def test_the_interval_holds_the_clean_answer_whatever_was_spoiled(
    folder: Path, name: str, data: st.DataObject
):
    table = [list(row) for row in clean(name).table]
    if data.draw(st.booleans()):
        column, row = data.draw(st.integers(1, 3)), data.draw(st.integers(1, len(table) - 1))
        table[row][column] = data.draw(spoiled_cell(table[row][column]))
    else:
        table = data.draw(spoiled_rows(table))
    (folder / "profile.csv").write_text(text_of(table), encoding="utf-8")
    try:
        shares, told = loss(folder / "profile.csv", name)
    except InputError as error:
        assert error.hint and "\n" not in error.sentence
        return
    low, high = np.quantile(shares, [0.05, 0.95])
    assert np.isfinite(shares).all() and (shares > 0).all()
    assert low - LIFE_SHARE <= 1.0 <= high + LIFE_SHARE, (low, high, told)
