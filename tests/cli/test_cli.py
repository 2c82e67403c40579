"""The command line as a user meets it: real files, and a real process for each command once."""

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import xarray as xr
from commands import here, one_figure

AGEWISE = Path(sys.executable).with_name("agewise")
README = Path(__file__).parents[2] / "README.md"


def run(*words: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [str(AGEWISE), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=600)


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plant")
    made = run("twin", "--out", folder, "--days", 0.5, "--seed", 3, "--interior")
    assert made.returncode == 0, made.stderr
    assert "wrong by" in made.stdout
    return folder


def test_a_twin_can_be_wrong_in_many_ways_at_once(tmp_path: Path):
    words = ("--nameplate-error", 1, "--leave-out", "oil.k11", "--leave-out", "winding.gradient_k")
    words += ("--bottom-offset", 0.5, "--bottom-oil", "--conductivity-factor", 2)
    words += ("--stratification", 0.5, "--air-bias", 1, "--sunlit-air", 4, "--winding")
    made = here("twin", "--out", tmp_path, "--days", 0.5, *words)
    assert made.returncode == 0, made.stderr
    columns = ["time", "load", "ambient", "top_oil", "bottom_oil", "winding"]
    assert list(pd.read_csv(tmp_path / "profile.csv")) == columns
    assert "k11" not in (tmp_path / "nameplate.toml").read_text()
    checked = here("check", tmp_path / "profile.csv")
    assert "bottom_oil" in checked.stdout and "winding" in checked.stdout


def inputs(plant: Path) -> tuple[object, ...]:
    return (plant / "profile.csv", "--nameplate", plant / "nameplate.toml")


def test_help_is_instant_and_imports_nothing_heavy():
    heavy = ("jax", "numpy", "pandas", "scipy", "xarray", "matplotlib", "pyarrow")
    program = (
        "import sys; sys.argv = ['agewise', 'solve', '--help']\n"
        "from agewise.cli import main\n"
        "try: main()\n"
        f"finally: assert not set({heavy!r}) & set(sys.modules)"
    )
    helped = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert helped.returncode == 0, helped.stderr
    assert "--picture" in helped.stdout


def test_the_guides_answer_needs_no_jax():
    program = (
        "import sys\n"
        "from agewise.assessment.plain_answers import iec_answer\n"
        "from agewise.assessment.decision.plausibility import plausibility\n"
        "from agewise.twin.summary import twin_summary\n"
        "assert not {'jax', 'scipy.signal', 'scipy.stats', 'matplotlib'} & set(sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert loaded.returncode == 0, loaded.stderr


def test_version_is_the_installed_one():
    from importlib.metadata import version

    assert run("--version").stdout.strip() == version("agewise")


def test_thermal_writes_the_stated_columns_with_the_times_as_given(plant: Path):
    out = plant / "thermal.csv"
    done = run("thermal", *inputs(plant), "--out", out)
    assert done.returncode == 0, done.stderr
    table, profile = pd.read_csv(out), pd.read_csv(plant / "profile.csv")
    assert list(table) == ["time", "top_oil", "hot_spot", "ageing_rate", "loss_of_life"]
    assert table["time"].equals(profile["time"])
    assert table["top_oil"].equals(profile["top_oil"])
    assert "measured" in done.stdout


def test_thermal_takes_a_start_and_another_paper(plant: Path):
    bare = plant / "bare.parquet"
    pd.read_csv(plant / "profile.csv").drop(columns="top_oil").to_parquet(bare)
    out = plant / "started.csv"
    words = ("--start-top-oil", 38.3, "--start-hot-spot-rise", 0, "--insulation", "upgraded")
    done = here("thermal", bare, *inputs(plant)[1:], "--out", out, *words)
    assert done.returncode == 0, done.stderr
    first = pd.read_csv(out).iloc[0]
    assert (first["top_oil"], first["hot_spot"]) == (38.3, 38.3)


def test_solve_writes_a_field_and_a_picture(plant: Path):
    out, picture = plant / "field.nc", plant / "overview.png"
    done = run("solve", *inputs(plant), "--out", out, "--grid", "21x30", "--picture", picture)
    assert done.returncode == 0, done.stderr
    field = xr.load_dataset(out)
    assert field.sizes == {"time": 25, "height": 21}
    assert set(field) == {"oil_mean", "winding_mean", "ageing_mean", "loss_of_life_mean"}
    assert field["oil_mean"].attrs["units"] == "degC"
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_profile_in_minutes_gives_a_field_in_minutes(plant: Path):
    (plant / "minutes.csv").write_text("time,load,ambient\n0,1,20\n10,1,20\n25,1,20\n")
    words = (plant / "minutes.csv", *inputs(plant)[1:], "--out", plant / "minutes.nc")
    done = here("solve", *words, "--picture", plant / "minutes.png")
    assert done.returncode == 0, done.stderr
    assert xr.load_dataset(plant / "minutes.nc")["time"].to_numpy().tolist() == [0, 10, 20, 25]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("thermal", "none.csv", "--nameplate", "n.toml", "--out", "o.csv"), "no file n.toml"),
        (("thermal", "none.csv"), "Missing option"),
        (("thermal", "--bogus"), "No such option"),
        (("bogus",), "No such command"),
        (("twin", "--out", "x", "--case", "none"), "no bundled case 'none'"),
        (("twin", "--out", "x", "--faults", "none"), "no fault of the kind 'none'"),
        (("twin", "--out", "x", "--days", "many"), "--days"),
        (("twin", "--out", "x", "--air-file", "none.csv"), "no file none.csv"),
        (("twin", "--out", "x", "--leave-out", "oil.rise"), "cannot leave out 'oil.rise'"),
        (("twin", "--out", "x", "--bottom-offset", "1"), "the twin's bottom_offset"),
        (("solve", "p.csv", "--nameplate", "n", "--out", "o", "--grid", "9"), "HEIGHTSxMINUTES"),
    ],
)
def test_mistakes_end_with_a_sentence_a_hint_and_code_2(tmp_path: Path, words, sentence: str):
    done = here(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    error, hint = done.stderr.splitlines()[-2:]
    assert error.startswith("error: ")
    assert sentence in error
    assert hint.startswith("hint: ")
    assert list(tmp_path.iterdir()) == []


def test_an_output_that_cannot_be_written_is_a_sentence(plant: Path):
    done = here("thermal", *inputs(plant), "--out", "/proc/nowhere/out.csv")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("hint: ")


def test_a_long_difference_step_is_refused(plant: Path):
    (plant / "slow.csv").write_text("time,load,ambient\n0,1,20\n10,1,20\n")
    words = (plant / "slow.csv", *inputs(plant)[1:], "--out", plant / "slow_out.csv")
    done = here("thermal", *words, "--scheme", "difference")
    assert done.returncode == 2
    assert "half the winding time constant" in done.stderr
    assert not (plant / "slow_out.csv").exists()


def test_an_input_is_never_overwritten(plant: Path):
    before = (plant / "profile.csv").read_bytes()
    done = here("thermal", *inputs(plant), "--out", plant / "profile.csv")
    assert done.returncode == 2
    assert "is an input" in done.stderr
    assert (plant / "profile.csv").read_bytes() == before


def test_gaps_foreign_columns_and_unused_sensors_are_said(plant: Path):
    table = pd.read_csv(plant / "profile.csv").assign(remark="x").drop(index=range(100, 300))
    table.drop(columns="top_oil").to_csv(plant / "holed.csv", index=False)
    for command, out in (("thermal", "holed_out.csv"), ("solve", "holed.nc")):
        done = here(command, plant / "holed.csv", *inputs(plant)[1:], "--out", plant / out)
        assert done.returncode == 0, done.stderr
        for word in (
            "rows are missing",
            "3.33 h",
            "columns remark",
            "4 sensors inside",
            "modelled",
        ):
            assert word in done.stdout


def test_no_command_is_help():
    assert run().stdout.startswith("Usage: agewise")


@pytest.mark.parametrize("words", [("--start-top-oil", "nan"), ("--start-hot-spot-rise", "-500")])
def test_impossible_starts_are_refused(plant: Path, words: tuple[str, str]):
    done = here("thermal", *inputs(plant), "--out", plant / "x.csv", *words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_run_is_made_found_again_asked_and_scored(plant: Path):
    out, truth = plant / "run", plant / "truth.nc"
    words = ("assess", *inputs(plant), "--out", out, "--method", "solver", "--truth", truth)
    made, found = run(*words, "--grid", "5x60"), here(*words, "--grid", "5x60")
    assert made.returncode == 0, made.stderr
    lines, again = (
        [line for line in done.stdout.splitlines() if not line.startswith("run ")]
        for done in (made, found)
    )
    assert lines == again
    assert "found as it was made" in found.stdout
    assert "to truth" in made.stdout
    names = [line.split("  ")[0] for line in made.stdout.splitlines()[-8:]]
    answered = ["hot spot", "life used", "life left", "decision", "to change", "to narrow"]
    assert names == [*answered, "run", "report"]
    assert (out / "report.html").stat().st_size < 8e6
    as_json = here(*words, "--grid", "5x60", "--format", "json")
    assert json.loads(as_json.stdout) == json.loads((out / "summary.json").read_text())
    other = here("assess", *inputs(plant), "--out", out, "--method", "line")
    assert other.returncode == 2
    assert "another run: method is solver there, line here" in other.stderr
    (plant / "points.csv").write_text("time,height\n2025-06-12T06:00:00+02:00,0.5\n")
    asked = here("predict", out, "--at", plant / "points.csv")
    assert asked.stdout.splitlines()[0] == "time,height,oil,epistemic_std,aleatoric_std,total_std"
    scored = here("score", out, "--truth", truth)
    assert json.loads(scored.stdout)["truth"]["rmse"] < 0.2
    (out / "field.nc").write_bytes(b"")
    damaged = here("predict", out, "--at", plant / "points.csv")
    assert damaged.returncode == 2
    assert "field.nc has changed" in damaged.stderr


def test_methods_are_compared_over_twins(plant: Path):
    out = plant / "compared.json"
    words = ("--methods", "line,solver", "--twin-seeds", "100,101", "--days", 0.5, "--out", out)
    done = here("compare", *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 4
    assert len(json.loads(out.read_text())["line"]["truth.rmse"]["values"]) == 2
    refused = here("compare", "--twin-seeds", "many")
    assert refused.returncode == 2


def labels(answer: str) -> set[str]:
    """What the lines of an answer are called; one finding stands for all of them."""
    named = (line.partition("  ")[0] for line in answer.splitlines())
    return {"finding" if name.startswith("finding") else name for name in named}


def test_days_to_come_are_lived_through_and_measured_ones_refused(
    plant: Path, monkeypatch: pytest.MonkeyPatch
):
    one_figure(monkeypatch)
    words = ("assess", *inputs(plant), "--method", "line", "--grid", "5x120", "--quick")
    made = here(*words, "--out", plant / "ahead", "--scenario", plant / "scenario.csv")
    assert made.returncode == 0, made.stderr
    summary = json.loads((plant / "ahead" / "summary.json").read_text())
    assert summary["life"]["basis"] == "scenario"
    kinds = {finding["kind"] for finding in summary["findings"]}
    assert "quick" in kinds
    assert "A quick answer: " in (plant / "ahead" / "report.html").read_text("utf-8")
    assert "short record" not in kinds
    # The page that everybody reads first shows every line that such an answer has.
    shown = README.read_text("utf-8").partition("agewise assess")[2].partition("```")[0]
    assert labels(made.stdout) <= labels(shown)
    refused = here(*words, "--out", plant / "past", "--scenario", plant / "profile.csv")
    assert refused.returncode == 2
    assert "days that were not measured yet" in refused.stderr
    assert not (plant / "past").exists()
