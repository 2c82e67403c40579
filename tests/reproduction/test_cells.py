"""Cells are worked out once, kept whole, and known by their settings."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agewise.assessment.oil.settings import Settings
from agewise.engine.training import loop
from agewise.errors import InputError
from agewise.twin.twin import TwinSettings
from reproduction.cells import Cell, rounded
from reproduction.configuration import Configuration
from reproduction.families import BPINN, main
from reproduction.results import Results
from reproduction.runner import run_cells
from reproduction.scope import Scope

LINE = Configuration(
    "mine/line", Settings(method="line"), TwinSettings(seed=0, days=0.5), keeps_fields=True
)
TWO = Scope(repeats=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cells")
    run_cells([LINE], TWO, folder, jobs=1)
    return folder


def files(folder: Path) -> dict[str, int]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in found}


def test_only_the_first_repeat_keeps_its_fields(folder: Path):
    assert set(files(folder)) == {"mine/line/0.json", "mine/line/0.npz", "mine/line/1.json"}


def test_a_repeat_has_a_twin_and_a_seed_of_its_own(folder: Path):
    first, second = Results(folder, TWO).values(LINE, "scores.truth.rmse")
    assert first > 0.1
    assert second > 0.1
    assert first != second


def test_what_is_finished_is_not_done_again(folder: Path):
    before = files(folder)
    run_cells([LINE], TWO, folder, jobs=1)
    assert files(folder) == before


@pytest.mark.parametrize("lost", ["mine/line/1.json", "mine/line/0.npz"])
def test_a_killed_run_goes_on_with_what_is_missing(folder: Path, lost: str):
    before = files(folder)
    content = (folder / lost).read_bytes()
    (folder / lost).unlink()
    assert not Results(folder, TWO).complete([LINE])
    run_cells([LINE], TWO, folder, jobs=1)
    after = files(folder)
    changed = {name for name in after if after[name] != before[name]}
    assert {Path(name).stem for name in changed} == {Path(lost).stem}
    if lost.endswith("npz"):
        assert (folder / lost).read_bytes() == content  # one seed gives one answer


def test_what_was_stopped_by_hand_is_no_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    looks = []

    def pressed(*arguments, **options):
        """Ctrl-C at the second look, however fast the machine is."""
        looks.append(after_look(*arguments, **options))
        if len(looks) == 2:
            raise KeyboardInterrupt
        return looks[-1]

    after_look = loop._after_look
    monkeypatch.setattr(loop, "_after_look", pressed)
    short = replace(main(BPINN, "literal"), twin=TwinSettings(seed=0, days=0.5))
    with pytest.raises(KeyboardInterrupt):
        Cell(short, 0, quick=True).run(tmp_path)
    assert len(looks) == 2
    assert files(tmp_path) == {}


@pytest.mark.parametrize("fit", [LINE, main(BPINN, "literal")], ids=["line", "network"])
def test_a_quick_cell_is_quick_in_all_its_parts_and_no_other_is(fit: Configuration):
    assert Cell(fit, 0, quick=True).settings.quick
    assert not Cell(fit, 0).settings.quick


def test_other_settings_are_another_cell(folder: Path):
    assert Cell(LINE, 0).stored(folder) is not None
    louder = replace(LINE, twin=replace(LINE.twin, noise=2.0))
    looser = replace(LINE, settings=replace(LINE.settings, discrepancy=1.0))
    for other in (louder, looser):
        with pytest.raises(InputError, match="made with other settings"):
            Cell(other, 0).stored(folder)


def test_a_setting_that_came_later_counts_by_its_default():
    cell = Cell(main(BPINN, "default"), 0)
    kept = cell.identity()
    assert cell.agrees(kept)
    del kept["twin"]["load_noise"]
    assert cell.agrees(kept)
    del kept["settings"]["network"]["training"]["start"]["settle"]
    assert not cell.agrees(kept), "it settles now, and did not by default"
    assert not cell.agrees(None)
    assert not Cell(main(BPINN, "default"), 1).agrees(cell.identity())


def test_cells_with_other_settings_are_not_overwritten(folder: Path):
    before = files(folder)
    other = replace(LINE, twin=replace(LINE.twin, days=0.6))
    with pytest.raises(InputError, match="made with other settings"):
        run_cells([other], TWO, folder, jobs=1)
    assert files(folder) == before


def test_a_spoiled_cell_is_worked_out_again(folder: Path):
    path = folder / "mine/line/1.json"
    path.write_text(path.read_text("utf-8")[:100], "utf-8")
    run_cells([LINE], TWO, folder, jobs=1)
    assert json.loads(path.read_text("utf-8"))["seconds"]["all"] > 0


def test_numbers_are_rounded_and_nothing_else():
    assert rounded({"a": [1.23456789, 7], "b": None, "c": "x"}) == {
        "a": [1.23457, 7],
        "b": None,
        "c": "x",
    }
