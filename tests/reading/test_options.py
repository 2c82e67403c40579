"""What the user says about a file is understood, or refused by name."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from agewise.errors import InputError
from agewise.reading.options import DEFAULT_READING, Reading

TOML = """
timezone = "Europe/Madrid"
rated_load = 1587.7

[columns]
load = "I_sec"
"oil@0.25" = "T 3"

[units]
load = "A"

[thresholds]
stuck_min = 60.0
"""


def test_words_of_a_command_line_are_understood():
    reading = Reading.parse(
        "load=I_sec, ambient=Air, north,time=Date+Time",
        "load=a,ambient=degF,top_oil=K",
        "+01:00",
        "%d/%m/%Y",
        800.0,
        ["stuck_min=60", "lag=3"],
    )
    assert reading.columns == {"load": "I_sec", "ambient": "Air, north", "time": "Date+Time"}
    assert reading.units == {"load": "A", "ambient": "°F", "top_oil": "K"}
    assert reading.thresholds == {"stuck_min": 60.0, "lag": 3.0}
    assert (reading.timezone, reading.rated_load) == ("+01:00", 800.0)


def test_windings_have_a_rated_load_each():
    reading = Reading.parse(rated_load="251+1004.5+150")
    assert reading.rated_loads == (251.0, 1004.5, 150.0)
    assert Reading(**json.loads(json.dumps(asdict(reading)))) == reading
    assert Reading.parse(rated_load="1443").rated_load == 1443.0


@pytest.mark.parametrize("name", ["IST", "CST", "BST", "EDT", "SGT", "XST", "MXT"])
def test_an_abbreviation_is_never_taken_for_another_that_is_spelt_alike(name: str):
    with pytest.raises(InputError) as told:
        Reading(timezone=name)
    assert "/" in told.value.hint and "MST" not in told.value.hint


def test_nothing_said_is_the_default():
    assert Reading.parse() == DEFAULT_READING == Reading()


def test_the_command_line_wins_over_a_file(tmp_path: Path):
    path = tmp_path / "logger.toml"
    path.write_text(TOML, encoding="utf-8")
    said = {"units": "load=kA", "rated_load": 1.6, "thresholds": ["stuck_min=90"]}
    reading = Reading.parse(**said, mapping=path)
    assert reading.columns == {"load": "I_sec", "oil@0.25": "T 3"}
    assert reading.units == {"load": "kA"}
    assert (reading.timezone, reading.rated_load) == ("Europe/Madrid", 1.6)
    assert reading.thresholds == {"stuck_min": 90.0}
    assert Reading(**json.loads(json.dumps(asdict(reading)))) == reading


@pytest.mark.parametrize(
    ("said", "sentence", "hint"),
    [
        ({"columns": "laod=I"}, "'laod' is not a role", "'load'"),
        ({"columns": "oil@1.5=T"}, "not a role", "oil@0.25"),
        ({"columns": "I_sec"}, "does not say role=name", "`columns="),
        ({"columns": "load="}, "does not say role=name", "`columns="),
        ({"mapping": "nowhere.toml"}, "no file nowhere.toml", "path"),
        ({"columns": "logger.toml"}, "does not say role=name", '`mapping="logger.toml"`'),
        ({"rated_load": "251+x"}, "not a number", "251+1004+150"),
        ({"timezone": "IST"}, "no time zone 'IST'", "Asia/Kolkata"),
        ({"timezone": "madrid"}, "no time zone", "Europe/Madrid"),
        ({"timezone": "XST"}, "no time zone", "+01:00"),
        ({"units": "load=V"}, "'V' is not a unit of load", "MVA"),
        ({"units": "ambient=A"}, "'A' is not a unit of temperature", "°F"),
        ({"timezone": "Europe/Madird"}, "no time zone 'Europe/Madird'", "Europe/Madrid"),
        ({"timezone": "Europe"}, "no time zone", ""),
        ({"timezone": "+99:00"}, "no time zone", "+01:00"),
        ({"timezone": ""}, "no time zone", "+01:00"),
        ({"rated_load": 0.0}, "not a positive number", "1 p.u."),
        ({"rated_load": float("nan")}, "not a positive number", "1 p.u."),
        ({"thresholds": ["stuck_min"]}, "is not of the form name=number", "stuck_min=90"),
    ],
)
def test_refusals_say_what_to_do(said: dict, sentence: str, hint: str):
    with pytest.raises(InputError, match=sentence) as told:
        Reading.parse(**said)
    assert hint in told.value.hint and told.value.hint


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("zone = 'UTC'", "unknown key 'zone'"),
        ("timezone = 1", "'timezone' cannot be 1"),
        ("columns = 'load'", "'columns' cannot be 'load'"),
        ("[columns]\nload = 1", "'columns' cannot be"),
        ("[thresholds]\na = true", "'thresholds' cannot be"),
        ("rated_load = {a = 1}", "'rated_load' cannot be"),
        ("[units]\nload = 'kg'", "'kg' is not a unit"),
        ("[columns", "not valid TOML"),
    ],
)
def test_a_file_is_checked_too(tmp_path: Path, text: str, sentence: str):
    path = tmp_path / "logger.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=sentence) as told:
        Reading.parse(mapping=path)
    assert told.value.hint
