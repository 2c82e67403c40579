"""What stands in the documentation is what its cells say."""

from dataclasses import replace
from pathlib import Path

import pytest
from thorough import ALL

from agewise.engine.inference.published.settings import literal, paper
from agewise.engine.presets import SETTINGS
from reproduction import readings
from reproduction.families import BPINN, FAMILIES, Family
from reproduction.misfit import misfit
from reproduction.page import FOLDER, PAGE, finished, page_text
from reproduction.recipe_readings import CHOSEN, FINALISTS, READINGS
from reproduction.registry import EXPERIMENTS
from reproduction.results import Results
from reproduction.scope import Scope

ROOT = Path(__file__).parents[2]
DOCS, KEPT = ROOT / "docs", ROOT / "reproduction" / "cells"


def wanted(scope: Scope) -> set[str]:
    """Files of all cells."""
    cells = [
        cell
        for one in EXPERIMENTS.values()
        for configuration in one.configurations(scope)
        for cell in scope.cells(configuration)
    ]
    paths = [cell.path(Path()) for cell in cells]
    paths += [cell.path(Path()).with_suffix(".npz") for cell in cells if cell.keeps_fields]
    return set(map(str, paths))


def test_every_cell_is_kept_and_no_other():
    folder = KEPT
    kept = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert kept == wanted(Scope())


def test_a_quick_run_leaves_the_same_files():
    assert wanted(Scope(quick=True)) == wanted(Scope())


def test_the_readings_that_are_chosen_from_are_the_nearest_on_the_first_twin():
    results = Results(KEPT, Scope())
    distances = {
        each.name: misfit(results, replace(readings.screened(each), repeats=1), BPINN)
        for each in READINGS
    }
    nearest = sorted(distances, key=distances.__getitem__)
    assert tuple(nearest[: len(FINALISTS)]) == FINALISTS


def test_the_chosen_reading_is_the_nearest_of_them():
    results, finalists = Results(KEPT, Scope()), readings.finalists(Scope())
    totals = {each.name: readings.total(results, each) for each in finalists}
    assert min(totals, key=totals.__getitem__) == CHOSEN


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_preset_is_the_chosen_reading(family: Family):
    chosen = next(each for each in READINGS if each.name == CHOSEN)
    kind = (family.method, family.aleatoric)
    assert paper(*kind) == chosen.applied(literal(*kind))
    assert SETTINGS["paper"] is paper
    assert SETTINGS["paper-literal"] is literal


def test_the_page_is_what_its_cells_say():
    results = Results(KEPT, Scope())
    sections = finished(results)
    assert (DOCS / PAGE).read_text("utf-8") == page_text(results, sections)
    pictures = {f"{name}.png" for section in sections.values() for name in section.pictures}
    assert pictures == {path.name for path in (DOCS / FOLDER).glob("*.png")}
    for section in sections.values():
        shown = list(section.pictures.values())
        for picture in shown if ALL else shown[:1]:
            assert picture.figure().axes
