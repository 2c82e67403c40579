"""A report that a second process writes is the one that is written here."""

import subprocess
import sys
from pathlib import Path

import pytest

from agewise.assessment.conclusion import Conclusion, conclusion
from agewise.assessment.grid import Grid
from agewise.assessment.oil.assess import assess
from agewise.report.beside import report_beside
from agewise.report.figures.catalogue import CATALOGUE, OF_FIELD
from agewise.report.page.page import FIGURES, PAGE
from agewise.report.run import write_report
from agewise.twin.twin import TwinSettings, make_twin


@pytest.fixture(scope="module")
def concluded() -> Conclusion:
    twin = make_twin(TwinSettings(seed=0, days=0.5))
    fitted = assess(twin.profile, twin.nameplate, method="line", quick=True)
    return conclusion(fitted, grid=Grid(5, 60.0))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_page_and_figures_are_the_same_to_the_byte(concluded: Conclusion, tmp_path: Path):
    write_report(concluded, tmp_path / "here")
    with report_beside(jobs=2) as report:
        report.begin(concluded.assessment.profile, concluded.field)
        report.go_on(concluded, tmp_path / "beside")
        report.finish()
    beside = files(tmp_path / "beside")
    assert beside == files(tmp_path / "here")
    assert beside.keys() == {PAGE, *(f"{figure.name}.png" for figure in CATALOGUE)}
    assert (tmp_path / "beside" / FIGURES).is_dir()


def test_temperatures_are_known_before_life(concluded: Conclusion):
    known = []
    again = conclusion(concluded.assessment, grid=Grid(5, 60.0), temperatures_known=known.append)
    assert len(known) == 1
    life = ["loss_of_life_mean", "loss_of_life_std"]
    assert known[0].identical(again.field.drop_vars(life))


def test_the_catalogue_shows_the_figures_of_the_field():
    shown = {figure.name: figure.drawing for figure in CATALOGUE}
    assert OF_FIELD.items() < shown.items()


def test_the_helper_loads_nothing_of_the_assessment():
    """JAX takes a second to load, and whoever draws does not need it."""
    loaded = (
        "import sys, agewise.report.errands, agewise.report.page.page; print('jax' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", loaded], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
