"""The page takes whatever cells there are."""

import json
from pathlib import Path

from agewise.benchmark.page.fields import errors
from agewise.benchmark.page.page import verdicts, write_page
from agewise.benchmark.results import Results

KEPT = Path(__file__).parents[2] / "benchmarks" / "cells" / "library" / "poisson-inverse@0.1"


def test_a_method_with_intervals_of_constants_alone_has_its_line(tmp_path: Path):
    whole = json.loads((KEPT / "laplace" / "0.json").read_text("utf-8"))
    alone = {name: part for name, part in whole.items() if name not in ("functions", "profiles")}
    alone |= {"method": "vi+simulated"}
    for cell in (whole, alone):
        path = tmp_path / "cells" / cell["problem"] / cell["method"] / "0.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(cell), "utf-8")
    results = Results(tmp_path / "cells")
    row = results.row("poisson-inverse@0.1", "vi+simulated")
    assert row.errors == row.crps == row.coverage("0.95") == []
    assert row.held("0.95") == results.row("poisson-inverse@0.1", "laplace").held("0.95") == [True]
    page = write_page(results, tmp_path).read_text("utf-8")
    assert page.count("| `vi+simulated` | 1 |  |  |  | 0 of 1 |") == 1


def test_a_fit_that_is_far_off_and_calls_itself_sound_is_counted(tmp_path: Path):
    whole = json.loads((KEPT / "laplace" / "0.json").read_text("utf-8"))
    # Right, far off and sound, far off and said so.
    for seed, (z, findings) in enumerate([(1.0, []), (4.0, []), (4.0, ["no solution"])]):
        functions = {name: of | {"z": z} for name, of in whole["functions"].items()}
        cell = whole | {"seed": seed, "functions": functions, "findings": findings}
        path = tmp_path / "cells" / cell["problem"] / cell["method"] / f"{seed}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(cell), "utf-8")
    results = Results(tmp_path / "cells")
    assert results.row("poisson-inverse@0.1", "laplace").unsaid == 1
    page = write_page(results, tmp_path)
    assert "| 1 of 3 |" in page.read_text("utf-8")
    assert "![Error over stated doubt" in page.read_text("utf-8")
    assert (tmp_path / "doubts.png").exists()


def test_verdicts_are_about_what_was_run(tmp_path: Path):
    assert "| **" not in verdicts(Results(tmp_path))
    cell = json.loads((KEPT / "laplace" / "0.json").read_text("utf-8"))
    path = tmp_path / "poisson-inverse@0.1" / "map" / "0.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(cell | {"method": "map"}), "utf-8")
    table, _, left = verdicts(Results(tmp_path)).partition("Claims about")
    assert [row.split("|")[1] for row in table.splitlines()[2:] if row] == [" PINN (`map`) "]
    assert "(`map`) on poisson-inverse," in left and "poisson-inverse@0.1" in left


def test_a_picture_compares_methods_over_the_draws_that_all_have(tmp_path: Path):
    whole = json.loads((KEPT / "laplace" / "0.json").read_text("utf-8"))
    # The second draw is hard, and one method alone was tried on it.
    for method, seed, error in (("laplace", 0, 0.1), ("laplace", 1, 0.9), ("vi", 0, 0.1)):
        functions = {name: of | {"relative_l2": error} for name, of in whole["functions"].items()}
        cell = whole | {"method": method, "seed": seed, "functions": functions}
        path = tmp_path / cell["problem"] / method / f"{seed}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(cell), "utf-8")
    shown = [text.get_text() for text in errors(Results(tmp_path)).axes[0].texts]
    assert shown == ["0.1", "0.1"]
