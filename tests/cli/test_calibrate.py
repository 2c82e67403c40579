"""`agewise calibrate` as a user meets it."""

from pathlib import Path

import calibrated
import inside_twin
import pytest
from commands import here

from agewise.plant.nameplate_file import read_nameplate
from agewise.twin.twin_file import write_twin


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plant")
    calibrated.table().to_csv(folder / "profile.csv", index=False)
    text = calibrated.PLATE.format("").replace("<b>Forty-five</b>", "Forty-five")
    (folder / "nameplate.toml").write_text(text)
    return folder


def words(plant: Path) -> tuple[object, ...]:
    return ("calibrate", plant / "profile.csv", "--nameplate", plant / "nameplate.toml")


def test_constants_are_written_and_told(plant: Path):
    out, page = plant / "learned.toml", plant / "learned.html"
    done = here(*words(plant), "--out", out, "--report", page)
    assert done.returncode == 0, done.stderr
    rows = {line[:14].strip(): line[14:].strip() for line in done.stdout.splitlines()}
    assert rows["unit"].startswith("Forty-five, 384 samples")
    assert rows["rise"].endswith("K (table 60 ± 18, assumed)")
    assert rows["learned from"].startswith("384 readings of top oil in 3.99 days, 2025-07-07")
    for name in ("oil lag", "exponent", "air", "unexplained", "error"):
        assert rows[name]
    assert rows["written"] == f"{out}, {page}"
    rise = read_nameplate(out).oil.top_oil_rise_k
    assert rise.std is not None and abs(rise.mean - 45) < 3 * rise.std
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")
    again = here(*words(plant), "--out", out)
    assert again.returncode == 2 and "exists already" in again.stderr
    taken = here(*words(plant), "--out", plant / "nameplate.toml", "--overwrite")
    assert taken.returncode == 2 and "is an input" in taken.stderr


def test_too_little_to_learn_from_writes_nothing(plant: Path):
    short, out = plant / "short.csv", plant / "none.toml"
    calibrated.table(0.4).to_csv(short, index=False)
    done = here("calibrate", short, *words(plant)[2:], "--out", out)
    assert (done.returncode, done.stdout) == (2, "")
    assert "too few to learn from" in done.stderr and not out.exists()
    calibrated.table().drop(columns="top_oil").to_csv(short, index=False)
    done = here("calibrate", short, *words(plant)[2:], "--out", out)
    assert done.returncode == 2 and "has no top_oil" in done.stderr and not out.exists()


def test_a_report_is_a_page(plant: Path):
    done = here(*words(plant), "--out", plant / "n.toml", "--report", plant / "n.pdf")
    assert done.returncode == 2 and "does not end in .html" in done.stderr


def test_sensors_inside_teach_the_tank(tmp_path: Path):
    twin = inside_twin.twin(factor=1.5)
    write_twin(twin, tmp_path / "twin")
    given = ("calibrate", tmp_path / "twin/profile.csv", "--nameplate")
    plate, out = tmp_path / "twin/nameplate.toml", tmp_path / "learned.toml"
    alone = here(*given, plate, "--out", out, "--volume")
    assert alone.returncode == 2 and "--tank" in alone.stderr and not out.exists()
    other = here(*given, plate, "--out", out, "--tank", "--method", "guess")
    assert other.returncode == 2 and "choose from exact, laplace, vi" in other.stderr
    done = here(*given, plate, "--out", out, "--tank")
    assert done.returncode == 0, done.stderr
    assert "not used" not in done.stdout and "W/(m K), 90 % " in done.stdout
    learned = read_nameplate(out)
    found = learned.tank.conductivity_w_per_mk
    assert found.std is not None and abs(found.mean - 15) < 4 * found.std < 1
    assert learned.as_given().tank == read_nameplate(plate).tank
