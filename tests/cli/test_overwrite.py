"""No input, no finished run and no stranger's file is overwritten, by any command."""

import os
import sys
from pathlib import Path

import pytest

from agewise.cli import commands_by_name, main
from agewise.cli.overwrite import refuse_inside_run, refuse_taken
from agewise.errors import InputError

PLATE = "rated_power_kva = 1100.0\nno_load_losses_w = 842.0\nload_losses_w = 9800.0\n"
READ = ("profile.csv", "--nameplate", "plate.toml")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder, with inputs, a finished run and a file that is none of ours."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "profile.csv").write_text("time,load,ambient\n0,1,20\n10,1,20\n20,1,20\n")
    (tmp_path / "plate.toml").write_text(PLATE)
    (tmp_path / "columns.toml").write_text('[columns]\nload = "load"\n')
    (tmp_path / "points.csv").write_text("time,height\n0,0.5\n")
    (tmp_path / "own.txt").write_text("mine")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text('{"seal": "abc"}')
    (tmp_path / "run" / "field.nc").write_text("sealed")
    return tmp_path


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The sentence with which a command ends."""
    sys.argv = ["agewise", *words]
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    *_, error, hint = capsys.readouterr().err.splitlines()
    assert hint.startswith("hint: ")
    return error.removeprefix("error: ")


COMMANDS = {
    "check --out": ("check", "profile.csv", "--out"),
    "check --picture": ("check", "profile.csv", "--picture"),
    "thermal --out": ("thermal", *READ, "--mapping", "columns.toml", "--out"),
    "solve --out": ("solve", *READ, "--out"),
    "solve --picture": ("solve", *READ, "--out", "new.nc", "--picture"),
    "predict --out": ("predict", "run", "--at", "points.csv", "--out"),
    "compare --out": ("compare", "--out"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_file_that_exists_is_kept(name: str, folder: Path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", [])
    (folder / "own.png").write_text("mine")
    before = contents(folder)
    own = "own.png" if "picture" in name else "own.txt"
    assert refused(capsys, *COMMANDS[name], own) == f"{own} exists already."
    assert "lies in the finished run" in refused(capsys, *COMMANDS[name], "run/new.png")
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("check --out", "profile.csv"),
        ("thermal --out", "plate.toml"),
        ("thermal --out", "columns.toml"),
        ("solve --out", "profile.csv"),
        ("predict --out", "points.csv"),
    ],
)
def test_an_input_is_kept_even_if_asked_otherwise(
    name: str, given: str, folder: Path, capsys, monkeypatch
):
    monkeypatch.setattr(sys, "argv", [])
    (folder / "sub").mkdir()
    (folder / "sub" / "link").symlink_to(folder / given)
    os.link(folder / given, folder / "sub" / "hard")
    before = contents(folder)
    for path in (given, f"sub/../{given}", "sub/link", "sub/hard"):
        error = refused(capsys, *COMMANDS[name], path, "--overwrite")
        assert error == f"{Path(path)} is an input, and would be overwritten."
    assert contents(folder) == before


@pytest.mark.parametrize("name", ["profile.csv", "nameplate.toml", "faults.json", "scenario.csv"])
def test_a_twin_is_not_written_over_files_of_a_user(name: str, tmp_path: Path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", [])
    (tmp_path / name).write_text("mine")
    assert "exists already" in refused(capsys, "twin", "--out", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_fleet_replaces_nothing(tmp_path: Path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", [])
    fleet = ("twin", "--out", str(tmp_path / "fleet"), "--fleet", "2")
    told = refused(capsys, *fleet, "--overwrite")
    assert "--overwrite replaces the files of one plant" in told and "differ" not in told
    assert "the units of a fleet differ in it" in refused(capsys, *fleet, "--noise", "2")
    assert not (tmp_path / "fleet").exists()


def test_a_strange_page_is_not_replaced_by_the_reproduction(tmp_path: Path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", [])
    page = tmp_path / "reproduction.md"
    page.write_text("# My notes\n")
    words = ("reproduce", "inputs", "--quick", "--out", str(tmp_path))
    assert "did not write" in refused(capsys, *words)
    page.unlink()
    (tmp_path / "reproduction").mkdir()
    (tmp_path / "reproduction" / "inputs.png").write_text("mine")
    assert "did not write" in refused(capsys, *words)


def test_an_assessment_is_not_put_inside_a_finished_run(folder: Path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", [])
    error = refused(capsys, "assess", *READ, "--out", "run/again")
    assert "lies in the finished run" in error


def test_two_outputs_need_two_names(tmp_path: Path):
    with pytest.raises(InputError, match="the same file"):
        refuse_taken([tmp_path / "a.png", tmp_path / "." / "A.png"])
    refuse_taken([tmp_path / "a.png", tmp_path / "b.png"])


def test_what_exists_is_replaced_when_asked(tmp_path: Path):
    (tmp_path / "a").write_text("")
    refuse_taken([tmp_path / "a"], overwrite=True)
    (tmp_path / "nowhere").symlink_to(tmp_path / "none")
    with pytest.raises(InputError, match="exists already"):
        refuse_taken([tmp_path / "nowhere"])
    with pytest.raises(InputError, match="is a folder"):
        refuse_taken([tmp_path], overwrite=True)


def test_a_run_json_of_another_program_does_not_matter(tmp_path: Path):
    (tmp_path / "run.json").write_text("{}")
    refuse_inside_run(tmp_path / "out.csv")


def test_every_command_that_writes_files_asks_before_it_overwrites():
    for name, command in commands_by_name().items():
        names = {parameter.name for parameter in command.params}
        # The folder of a run is never replaced: it is found again, or refused.
        if "out" in names and name not in ("assess", "fleet assess"):
            assert "overwrite" in names
