"""What stands in the documentation is what its cells say."""

from pathlib import Path

import numpy as np
import pytest

from agewise.experiments.families import FAMILIES, Family
from agewise.experiments.page import CELLS, FOLDER, PAGE, finished, page_text
from agewise.experiments.registry import EXPERIMENTS
from agewise.experiments.residual_weight import WEIGHTS, at_weight
from agewise.experiments.results import Results
from agewise.experiments.scope import Scope

DOCS = Path(__file__).parents[2] / "docs"


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
    folder = DOCS / FOLDER / CELLS
    kept = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert kept == wanted(Scope())


def test_a_quick_run_leaves_the_same_files():
    assert wanted(Scope(quick=True)) == wanted(Scope())


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_frozen_weights_are_the_best_on_tuning_twins(family: Family):
    results = Results(DOCS / FOLDER / CELLS, Scope())
    errors = [results.mean(at_weight(family, w), "scores.truth.rmse") for w in WEIGHTS]
    assert family.best_weight == WEIGHTS[int(np.argmin(errors))]


def test_the_page_is_what_its_cells_say():
    results = Results(DOCS / FOLDER / CELLS, Scope())
    sections = finished(results)
    assert (DOCS / PAGE).read_text("utf-8") == page_text(results, sections)
    pictures = {f"{name}.png" for section in sections.values() for name in section.pictures}
    assert pictures == {path.name for path in (DOCS / FOLDER).glob("*.png")}
