"""`agewise rating` as a user meets it."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from commands import here, one_figure

from agewise.cli.day_ahead import day_lines, hour_names
from agewise.cli.rating import rating


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from agewise.assessment.grid import Grid
    from agewise.assessment.oil.settings import Settings
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
    rating(finished, hours=2.0, risk=0.1, table=True)
    told = capsys.readouterr().out
    rows = dict(line.split("  ", 1) for line in told.split("\n\n")[0].splitlines())
    names = list(map(str.strip, rows))
    # The findings of the run stand before the rating that rests on them.
    found = [finding["text"] for finding in summary(finished)["findings"]]
    assert found and [rows[name].strip() for name in rows if "finding" in name] == found
    assert names[len(found) :] == ["permitted", "risk", "ambient", "limits", "cooling"]
    assert "the highest of the profile's last 24 h" in rows["ambient"]
    assert " p.u. (1.65 MVA) for 2 h: " in rows["permitted"]


def test_the_table_is_printed_on_demand(finished: Path, capsys: pytest.CaptureFixture[str]):
    rating(finished, hours=2.0)
    told = capsys.readouterr().out
    assert "p.u. at °C" not in told and "--table" in told


def test_a_load_that_is_named_is_answered_by_yes_or_no(finished: Path):
    words = ("--from", "6", "--hours", 2, "--ambient", 20)
    little, much = (here("rating", finished, "--mva", mva, *words) for mva in (0.3, 2.1))
    assert (little.returncode, much.returncode) == (0, 0), little.stderr + much.stderr
    rows = [
        dict(line.split("  ", 1) for line in done.stdout.splitlines()) for done in (little, much)
    ]
    yes, no = (row["answer".ljust(min(map(len, row)))].strip() for row in rows)
    assert yes.startswith("yes: a limit of normal cyclic loading is passed with a chance of")
    assert no.startswith("no: 1.91 p.u. is above 1.5 p.u., the guide's limit of the current")
    assert "that the hot spot passes 160 °C" in much.stdout and "6.0 h after" in much.stdout
    told = json.loads(here("rating", finished, "--pu", 0.27, *words, "--format", "json").stdout)
    assert told["allowed"] and told["asked"]["starts_h"] == 6.0 and told["findings"]


def test_what_a_rating_itself_finds_is_told_beside_the_run_s_findings(
    finished: Path, monkeypatch: pytest.MonkeyPatch
):
    """That all stages of the cooling must be on was lost beside a yes."""
    from agewise.assessment.decision.finding import Finding
    from agewise.assessment.rating import carried_load

    found = Finding("stages", "All stages must be on.")
    monkeypatch.setattr(carried_load, "all_stages", lambda nameplate: [found])
    words = ("rating", finished, "--pu", 0.2)
    told = json.loads(here(*words, "--format", "json").stdout)["findings"]
    texts = [finding["text"] for finding in summary(finished)["findings"]] + [found.text]
    assert [finding["text"] for finding in told] == texts
    assert f"finding {len(texts)}" in (text := here(*words).stdout) and found.text in text


@pytest.mark.parametrize(
    ("chance", "risk", "said"),
    [(0.054, 0.05, "5.4 %"), (0.05, 0.05, "5 %"), (0.12, 0.05, "12 %"), (0.007, 0.005, "0.7 %")],
)
def test_a_chance_above_the_accepted_one_does_not_look_like_it(
    chance: float, risk: float, said: str
):
    from agewise.cli.asked_load import chance_words

    assert chance_words(chance, beside=risk) == said


def test_forecasts_say_what_comes_before_a_load_that_is_named(finished: Path, tmp_path: Path):
    given = forecasts(tmp_path, finished)
    done = here("rating", finished, "--pu", 0.5, "--from", 1, "--hours", 2, *given)
    assert done.returncode == 0, done.stderr
    assert "load as forecast" in done.stdout and "25.0 °C, as forecast" in done.stdout
    late = here("rating", finished, "--pu", 0.5, "--from", 2, "--hours", 2, *given)
    assert late.returncode == 2 and "The forecast ends 3.0 h after the record" in late.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--mva", 1, "--pu", 1), "twice: --mva and --pu"),
        (("--amperes", 1), "cannot be turned into p.u."),
        (("--from", "Thu"), "--from is the beginning of a load, but none is named"),
        (("--mva", 1, "--from", "Thu"), "counts minutes"),
        (("--pu", 1, "--out", "hours.csv"), "nothing to write"),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused(
    finished: Path, words: tuple, said: str, monkeypatch: pytest.MonkeyPatch
):
    from agewise.cli.rated_run import RatedRun

    if "Thu" in words:
        monkeypatch.setattr(RatedRun, "end", None)
    done = here("rating", finished, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and "hint: " in done.stderr


def summary(run: Path) -> dict:
    return json.loads((run / "summary.json").read_text("utf-8"))


def test_nothing_is_permitted_where_the_run_cannot_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Ambient and top oil exchanged: the oil is cooler than the air."""
    one_figure(monkeypatch)
    import pandas as pd

    from agewise.twin.twin import TwinSettings, make_twin
    from agewise.twin.twin_file import write_twin

    write_twin(make_twin(TwinSettings(seed=100, days=1.0)), tmp_path)
    frame = pd.read_csv(tmp_path / "profile.csv")
    frame = frame.rename(columns={"ambient": "top_oil", "top_oil": "ambient"})
    frame.iloc[::10].to_csv(tmp_path / "swapped.csv", index=False)
    files = (tmp_path / "swapped.csv", "--nameplate", tmp_path / "nameplate.toml")
    options = ("--out", tmp_path / "run", "--method", "line", "--quick", "--grid", "5x60")
    done = here("assess", *files, *options)
    assert done.returncode == 0, done.stderr
    lines = dict(line.split("  ", 1) for line in done.stdout.splitlines())
    names = {name.strip() for name in lines}
    assert not {"hot spot", "life used", "life left"} & names
    assert lines["decision"].strip().startswith("cannot tell. ")
    assert "ambient and top_oil" in lines["to mend"]
    told = summary(tmp_path / "run")
    assert told["decision"]["action"] == "cannot tell" and told["decision"]["mend"]
    assert told["findings"][0]["undermines"]
    page = (tmp_path / "run" / "report.html").read_text("utf-8")
    assert "Cannot tell" in page and "What to mend" in page
    refused = here("rating", tmp_path / "run")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "No load can be permitted" in refused.stderr and "hint: " in refused.stderr


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


def forecasts(folder: Path, run: Path) -> list[object]:
    """Flags with forecasts of three hours from the end of a run on, load and air apart."""
    import pandas as pd

    from agewise.reading.profile_file import stored_profile

    last = pd.Timestamp(stored_profile(run / "profile.parquet").timeline.labels.iloc[-1])
    hours = [(last + pd.Timedelta(hours=n)).isoformat() for n in range(4)]
    pd.DataFrame({"time": hours, "load": 0.6}).to_csv(folder / "load.csv", index=False)
    pd.DataFrame({"time": hours, "ambient": 25.0}).to_csv(folder / "air.csv", index=False)
    return ["--load", folder / "load.csv", "--weather", folder / "air.csv"]


def test_forecasts_are_rated_hour_by_hour(finished: Path, tmp_path: Path):
    import pandas as pd

    files = ["--out", tmp_path / "hours.csv", "--figure", tmp_path / "hours.png"]
    done = here("rating", finished, *forecasts(tmp_path, finished), *files, "--after-trip", 2.5)
    assert done.returncode == 0, done.stderr
    names = [line.split("  ")[0].strip() for line in done.stdout.splitlines()]
    assert {"forecast", "permitted", "risk", "after trip", "limits", "cooling"} <= set(names)
    # The hours are in the file, and in the terminal on demand.
    assert "one hour" not in done.stdout
    assert "2.5 times the load" in done.stdout
    table = pd.read_csv(tmp_path / "hours.csv")
    assert len(table) == 4 and (table["forecast_pu"] == 0.6).all()
    loads = ("permitted", "permitted_in_this_hour_alone", "long_emergency")
    for name in loads:
        assert table[f"{name}_mva"].to_numpy() == pytest.approx(1.1 * table[f"{name}_pu"], abs=1e-3)
    # Hours that may all be used permit no more than one that follows the forecast.
    permitted, alone, longer = (table[f"{name}_pu"] for name in loads)
    assert (permitted <= alone + 1e-3).all() and (alone <= longer + 1e-9).all()
    assert (tmp_path / "hours.png").read_bytes().startswith(b"\x89PNG")
    again = here("rating", finished, *forecasts(tmp_path, finished), *files)
    assert again.returncode == 2 and "exists already" in again.stderr


def test_one_forecast_alone_and_a_file_without_any_are_refused(finished: Path, tmp_path: Path):
    given = forecasts(tmp_path, finished)
    for words in (given[:2], given[2:], ["--out", tmp_path / "hours.csv"]):
        done = here("rating", finished, *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert "--load" in done.stderr and "--weather" in done.stderr


def test_an_hour_that_permits_nothing_says_so_in_words():
    row = {"air_c": 40.0, "forecast_pu": 1.4, "after_trip_min_to_long_emergency": 5.0}
    loads = ("permitted", "permitted_in_this_hour_alone", "long_emergency")
    row |= {f"{name}_pu": 0.0 for name in loads} | {"short_emergency_30_min_pu": 0.31}
    day: Any = SimpleNamespace(
        table=lambda: pd.DataFrame([row]),
        ceiling=SimpleNamespace(load=1.5),
        after_trip=SimpleNamespace(factor=2.0),
        times=[0.0],
    )
    _, only, *notes = day_lines(day)
    assert only.split() == ["hour", "0", "40", "1.40", *["none"] * 3, "0.31", "5", "min"]
    assert any(note.startswith("none") and "without load" in note for note in notes)


@pytest.mark.parametrize("days", [1, 2, 7, 8, 10])
def test_no_two_hours_of_a_forecast_have_one_name(days: int):
    begin = pd.Timestamp("2025-06-12 14:00", tz="Europe/Madrid")
    times = [begin + pd.Timedelta(hours=hour) for hour in range(24 * days)]
    day: Any = SimpleNamespace(times=times)
    names = hour_names(day)
    assert len({*names}) == len(names)
