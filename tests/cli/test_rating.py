"""`agewise rating` as a user meets it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

AGEWISE = Path(sys.executable).with_name("agewise")


def run(*words: object) -> subprocess.CompletedProcess[str]:
    command = [str(AGEWISE), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from agewise.assessment.assess import Settings
    from agewise.assessment.plain import Grid
    from agewise.assessment.runs import assessed_run
    from agewise.data.twin import TwinSettings, make_twin, write_twin

    plant = tmp_path_factory.mktemp("plant")
    write_twin(make_twin(TwinSettings(seed=100, days=0.6)), plant)
    inputs = (plant / "profile.csv", plant / "nameplate.toml")
    assessed_run(*inputs, plant / "run", Settings(method="line"), grid=Grid(5, 60.0))
    return plant / "run"


def test_a_run_is_rated_for_people_and_for_programs(finished: Path):
    told = run("rating", finished, "--hours", 2, "--risk", 0.1)
    assert told.returncode == 0, told.stderr
    rows = dict(line.split("  ", 1) for line in told.stdout.split("\n\n")[0].splitlines())
    assert list(rows) == ["permitted", "risk", "ambient", "limits", "cooling"]
    assert "the highest of the profile's last 24 h" in rows["ambient"]
    given = ("--ambient", 30, "--limit", "long emergency", "--format", "json")
    programs = run("rating", finished, *given)
    answer = json.loads(programs.stdout)
    assert answer["limits"] == {"top_oil": 115.0, "hot_spot": 140.0, "load": 1.8}
    row, column = (answer["table"][name].index(at) for name, at in (("ambient", 30), ("hours", 4)))
    assert answer["load"] == answer["table"]["load"][row][column]
    assert answer["cooling"]["alarm"] is False


def test_mistakes_end_with_a_sentence_and_a_hint(finished: Path):
    for words, sentence in (
        (("--hours", -1), "-1 hours ahead"),
        (("--risk", 0.7), "risk of 0.7"),
        (("--limit", "none"), "no limit 'none'"),
        (("--ambient", 200), "ambient of 200"),
    ):
        done = run("rating", finished, *words)
        assert (done.returncode, done.stdout) == (2, "")
        error, hint = done.stderr.splitlines()[-2:]
        assert error.startswith("error: ") and sentence in error
        assert hint.startswith("hint: ")
