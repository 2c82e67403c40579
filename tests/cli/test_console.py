"""What commands print, and how they end when what they were given makes no sense."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from agewise.cli import main
from agewise.cli.console import LONGEST, answer, printable

PLATE = "rated_power_kva = 1100.0\nno_load_losses_w = 842.0\nload_losses_w = 9800.0\n"
READ = ("profile.csv", "--nameplate", "plate.toml")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{10 * row},1,20,50\n" for row in range(20))
    (tmp_path / "profile.csv").write_text(f"time,load,ambient,top_oil\n{rows}")
    (tmp_path / "plate.toml").write_text(PLATE)
    (tmp_path / "unreadable.nc").write_text("no")
    return tmp_path


def ended(capsys, monkeypatch, *words: str) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["agewise", *words])
    with pytest.raises(SystemExit) as end:
        main()
    assert isinstance(end.value.code, int)
    return end.value.code, capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        *(f"twin --out new --seed {seed}" for seed in ("-1", "1e3", "99999999999999999999")),
        *(f"twin --out new --days {days}" for days in ("nan", "inf", "-1", "0", "1e308")),
        *(f"twin --out new --start {date}" for date in ("9999-12-31", "0001-01-01", "2262-01-01")),
        *(f"twin --out new --noise {noise}" for noise in ("nan", "-1", "1e308")),
        *(f"twin --out new --{name} x" for name in ("case", "noise-law", "faults", "mismatch")),
        "twin --out profile.csv",
        "check none.csv",
        "check profile.csv --out .",
        "check profile.csv --picture profile.jpg",
        "check profile.csv --nameplate profile.csv",
        "check profile.csv --nameplate .",
        *(f"check profile.csv --threshold {text}" for text in ("stuck_min=nan", "x=1", "x")),
        *(f"check profile.csv --timezone {zone}" for zone in ("x", "+99:99", "../../etc/passwd")),
        *(f"check profile.csv --time-format {form}" for form in ("%Y%Y", "%", "%Q")),
        *(f"check profile.csv --rated {rated}" for rated in ("nan", "-1", "inf", "0")),
        "check profile.csv --columns none.toml",
        "check profile.csv --columns load",
        "check profile.csv --units load=parsec",
        *(f"solve P --out new.nc --grid {grid}" for grid in ("x", "1x1", "51x0", "2001x0.00001")),
        f"solve P --out new.nc --grid 51x{'9' * 5000}",
        *(f"assess P --out new --seed {seed}" for seed in ("-1", "99999999999999999999")),
        *(f"assess P --out new --window {days}" for days in ("nan", "0", "inf")),
        *(f"assess P --out new --discrepancy {value}" for value in ("nan", "-1", "inf")),
        *(f"assess P --out new --jobs {jobs}" for jobs in ("0", "-1", "x")),
        "assess P --out new --threshold stuck_min=inf",
        "assess P --out new --method x",
        "assess P --out new --truth unreadable.nc",
        "assess P --out new --scenario unreadable.nc",
        "assess P --out profile.csv",
        "predict none --at profile.csv",
        "rating none",
        "rating none --hours nan",
        "score none --truth unreadable.nc",
        *(f"compare --twin-seeds {seeds}" for seeds in ("-1", "x", "0-999999999", "5-3", "9" * 99)),
        *(f"compare --jobs {jobs}" for jobs in ("0", "-1", "9" * 20)),
        *(f"compare --methods {text}" for text in ("x", "vi/x", "exact/paper", ",")),
        "compare --days nan",
        "compare --discrepancy nan",
        "reproduce x",
        "reproduce all --seeds 0",
        "bogus",
    ],
    ids=lambda line: line[:60],
)
def test_nonsense_ends_with_a_sentence_a_hint_and_code_2(
    line: str, folder: Path, capsys, monkeypatch
):
    before = sorted(folder.rglob("*"))
    words = line.replace(" P ", f" {' '.join(READ)} ").split()
    code, said = ended(capsys, monkeypatch, *words)
    *_, error, hint = said.splitlines()
    assert code == 2
    assert error.startswith("error: ")
    assert hint.startswith("hint: ")
    assert max(len(error), len(hint)) < LONGEST + 20
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("strange", ["\x1b[31m", "\n", "\r", "\x9b", "\u202e", "\u2066", "\0"])
def test_a_name_cannot_play_with_the_terminal(strange: str, capsys):
    answer({"unit": f"name{strange}of", strange: "text"})
    shown = capsys.readouterr().out
    assert strange not in shown.rstrip("\n") or strange == "\n"
    assert shown.count("\n") == 2
    assert "name" in shown


def test_ordinary_text_is_printed_as_it_is():
    text = "Transformador nº 3, 98.5 °C ± 1 K, 変圧器"
    assert printable(text) == text


def test_of_a_very_long_text_both_ends_are_kept():
    shown = printable("a" * 10 * LONGEST + "b")
    assert len(shown) < LONGEST + 10
    assert (shown[0], shown[-1]) == ("a", "b")


def test_a_terminal_without_the_degree_sign_gets_an_escape(monkeypatch: pytest.MonkeyPatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    monkeypatch.setattr(sys, "argv", ["agewise", "--version"])
    with pytest.raises(SystemExit):
        main()
    print("98 °C", flush=True)
    assert "98 \\xb0C" in raw.getvalue().decode("ascii")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full disk")
def test_a_full_disk_behind_the_output_is_a_sentence():
    program = [sys.executable, "-c", "from agewise.cli import main; main()", "--version"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, text=True)
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_memory_that_runs_out_is_a_sentence(folder: Path, capsys, monkeypatch):
    def without_memory(*given: object, **named: object) -> None:
        raise MemoryError

    monkeypatch.setattr("agewise.cli.overwrite.refuse_taken", without_memory)
    code, said = ended(capsys, monkeypatch, "check", "profile.csv")
    assert code == 2
    assert "not enough memory" in said


def test_streams_that_are_no_files_are_left_alone(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["agewise", "--version"])
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code
