"""`agewise rating` as a user meets it."""

import json
from pathlib import Path

import pytest
from commands import here

from agewise.cli.rating import rating


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from agewise.assessment.oil.settings import Settings
    from agewise.assessment.plain_answers import Grid
    from agewise.assessment.runs import assessed_run
    from agewise.twin.twin import TwinSettings, make_twin
    from agewise.twin.twin_file import write_twin

    plant = tmp_path_factory.mktemp("plant")
    write_twin(make_twin(TwinSettings(seed=100, days=0.6)), plant)
    inputs = (plant / "profile.csv", plant / "nameplate.toml")
    quick = Settings(method="line", quick=True)
    assessed_run(*inputs, plant / "run", quick, grid=Grid(5, 60.0))
    return plant / "run"


def test_a_run_is_rated_for_people(finished: Path, capsys: pytest.CaptureFixture[str]):
    rating(finished, hours=2.0, risk=0.1)
    told = capsys.readouterr().out
    rows = dict(line.split("  ", 1) for line in told.split("\n\n")[0].splitlines())
    assert list(map(str.strip, rows)) == ["permitted", "risk", "ambient", "limits", "cooling"]
    assert "the highest of the profile's last 24 h" in rows["ambient"]
    assert " p.u. for 2 h: " in rows["permitted"]


def test_and_for_programs(finished: Path, capsys: pytest.CaptureFixture[str]):
    rating(finished, ambient=30.0, limit="long emergency", format="json")
    answer = json.loads(capsys.readouterr().out)
    assert answer["limits"] == {"top_oil": 115.0, "hot_spot": 140.0, "load": 1.8}
    row, column = (answer["table"][name].index(at) for name, at in (("ambient", 30), ("hours", 4)))
    assert answer["load"] == answer["table"]["load"][row][column]
    assert answer["cooling"]["alarm"] is False


def test_a_mistake_ends_with_a_sentence_and_a_hint(finished: Path):
    done = here("rating", finished, "--limit", "none")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-2:] == [
        "error: There is no limit 'none'.",
        "hint: limits: normal cyclic, long emergency, short emergency.",
    ]
