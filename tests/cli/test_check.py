"""`agewise check` as a user meets it: a plant's own file, and what becomes of it."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import here
from matplotlib.image import imread
from scada import write_scada

SAID = ("--timezone", "Europe/Madrid", "--rated", 1443)
REPAIRED = {"unsorted", "duplicates", "missing", "sentinel", "range", "spikes", "gap", "stuck"}


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four days of a Spanish SCADA: local time, amperes, °F, decimal commas, Latin letters."""
    minutes, random = np.arange(0, 5760, 5), np.random.default_rng(1)
    wave = np.sin(2 * np.pi * minutes / 1440)
    times = pd.Timestamp("2025-07-07") + pd.to_timedelta(minutes, "min")
    noisy = 0.3 * random.standard_normal((3, minutes.size))
    load = 1000 + 300 * wave + 20 * noisy[0]
    air, oil = 75 + 9 * wave + noisy[1], 140 + 36 * wave + noisy[2]
    oil[[50, 90]] = -999.0
    oil[300] += 60
    rows = [
        f"{time:%d/%m/%Y %H:%M};{a:.1f};{b:.1f};{c:.1f};OK".replace(".", ",")
        for time, a, b, c in zip(times, load, air, oil, strict=True)
    ]
    rows[10:10] = rows[9:10]  # twice
    del rows[400:430]  # two and a half hours
    head = ["Subestación Norte;;;;", "Fecha;I_sec [A];T_amb [°F];T_aceite_sup [°F];Estado"]
    path = tmp_path_factory.mktemp("export") / "scada.csv"
    path.write_text("\n".join([*head, *rows]), encoding="latin-1")
    return path


def test_a_foreign_file_is_told_cleaned_and_drawn(export: Path):
    clean, picture = export.with_name("clean.csv"), export.with_name("check.png")
    told = here("check", export, *SAID, "--out", clean, "--picture", picture)
    assert told.returncode == 0, told.stderr
    for words in (
        "1152 rows, 5.0 min apart",
        "2025-07-07T00:00:00+02:00 to 2025-07-10T23:55:00+02:00 (Europe/Madrid)",
        "divided by 1443 A",
        "columns Estado",
        "duplicates: ",
        "range: top_oil",
        "spikes: top_oil",
        "gap: ",
    ):
        assert words in told.stdout
    assert imread(picture).shape[1] == 1300
    frame = pd.read_csv(clean)
    assert len(frame) == 1152
    assert frame["load"].between(0.4, 1.1).all()
    assert frame["top_oil"].dropna().between(38, 82).all()
    again = here("check", clean, "--format", "json")
    assert again.returncode == 0, again.stderr
    kinds = {each["kind"] for each in json.loads(again.stdout)["findings"]}
    assert not kinds & REPAIRED - {"missing"}, "holes stay holes, the rest is mended"


def test_the_page_about_data_shows_what_check_prints(tmp_path: Path):
    page = (Path(__file__).parents[2] / "docs" / "data.md").read_text("utf-8")
    write_scada(tmp_path)
    words = ("check", "scada.csv", "--nameplate", "nameplate.toml")
    asked = here(*words, cwd=tmp_path)
    told = here(*words, "--timezone", "Europe/Madrid", cwd=tmp_path)
    assert (asked.returncode, told.returncode) == (2, 0), told.stderr
    assert asked.stderr.partition("\n")[2] in page and told.stdout in page
    head = (tmp_path / "scada.csv").read_text("latin-1").splitlines()[:5]
    assert "\n".join(head) in page


def test_json_lists_every_stretch(export: Path):
    told = here("check", export, *SAID, "--format", "json")
    assert told.returncode == 0, told.stderr
    summary = json.loads(told.stdout)
    assert summary["rows"] == 1152
    assert summary["columns"] == ["load", "ambient", "top_oil", "load_std"]
    assert summary["ignored"] == ["Estado"]
    (codes,) = (each for each in summary["findings"] if each["kind"] == "range")
    assert codes["column"] == "top_oil"
    assert codes["stretches"] == [[51, 51], [91, 91]]
    assert codes["done"] == "left out"


@pytest.mark.parametrize(
    ("words", "sentence", "hint"),
    [
        ((), "has no time zone", "--timezone"),
        (SAID[:2], "the rated load in A is not known", "rated"),
    ],
    ids=["no zone", "no rated load"],
)
def test_what_cannot_be_used_is_one_sentence_and_a_hint(
    export: Path, words: tuple[str, ...], sentence: str, hint: str
):
    told = here("check", export, *words)
    assert told.returncode == 2
    assert told.stdout == ""
    *_, error, advice = told.stderr.splitlines()
    assert error.startswith("error: ")
    assert sentence in error
    assert advice.startswith("hint: ")
    assert hint in advice


def test_what_was_said_and_found_is_kept_and_reused(export: Path, tmp_path: Path):
    mapping = tmp_path / "scada.toml"
    first = here("check", export, *SAID, "--mapping", mapping)
    assert first.returncode == 0, first.stderr
    assert str(mapping) in first.stdout
    written = mapping.read_text("utf-8")
    again = here("check", export, "--mapping", mapping, "--format", "json")
    assert again.returncode == 0, again.stderr
    kinds = [each["kind"] for each in json.loads(again.stdout)["findings"]]
    assert "guess" not in kinds and "converted" in kinds
    assert mapping.read_text("utf-8") == written, "a mapping that is there is read, not replaced"
    absent = here("thermal", export, "--nameplate", "x", "--out", "y", "--mapping", "none.toml")
    assert absent.returncode == 2 and "no file none.toml" in absent.stderr


def test_files_of_a_folder_are_checked_together_and_kept_apart_from_outputs(
    export: Path, tmp_path: Path
):
    head, *rows = export.read_text("latin-1").splitlines()[1:]
    for n, part in enumerate((rows[500:], rows[:600])):
        (tmp_path / f"{n}.csv").write_text("\n".join([head, *part]), encoding="latin-1")
    told = here("check", tmp_path, *SAID)
    assert told.returncode == 0, told.stderr
    assert "0.csv and 1.csv, 1152 rows, 5.0 min apart" in told.stdout
    assert "are joined by their times" in told.stdout
    inside = here("check", tmp_path, *SAID, "--out", tmp_path / "clean.csv")
    assert inside.returncode == 2 and "read as a whole" in inside.stderr
