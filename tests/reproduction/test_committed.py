"""What stands in the documentation is what its cells say."""

from pathlib import Path

import numpy as np
import pytest

from reproduction.families import FAMILIES, Family
from reproduction.page import FOLDER, PAGE, finished, page_text
from reproduction.registry import EXPERIMENTS
from reproduction.residual_weight import WEIGHTS, at_weight
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


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_frozen_weights_are_the_best_on_tuning_twins(family: Family):
    results = Results(KEPT, Scope())
    errors = [results.mean(at_weight(family, w), "scores.truth.rmse") for w in WEIGHTS]
    assert family.best_weight == WEIGHTS[int(np.argmin(errors))]


def test_the_page_is_what_its_cells_say():
    results = Results(KEPT, Scope())
    sections = finished(results)
    assert (DOCS / PAGE).read_text("utf-8") == page_text(results, sections)
    pictures = {f"{name}.png" for section in sections.values() for name in section.pictures}
    assert pictures == {path.name for path in (DOCS / FOLDER).glob("*.png")}
