"""`agewise init` writes a nameplate that is accepted, whatever of it is taken in later."""

import re
from pathlib import Path

import pytest
from commands import here

from agewise.cli import app
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import nameplate_from, read_nameplate
from agewise.plant.nameplate_text import ENTRIES, commented_nameplate

GIVEN = {"rated_power_kva": 25000.0, "no_load_losses_w": 12000.0, "load_losses_w": 90000.0}
FLAGS = ("--rated-power", "25 MVA", "--no-load-losses", "12 kW", "--load-losses", "90000")
LEFT_OUT = re.compile(r"^#(?=[a-z_0-9]+ = )", re.MULTILINE)
"""The sign before a field that is left out; comments have a space behind it."""
WRITTEN_BY_US = {"learned", "from_table", "cooling_printed", "oil.bottom", "iec"}
"""Fields that agewise writes, and the one that stands against `oil.bottom_rise_k`."""
SECTIONS = {"oil", "winding", "tank", "insulation", "history", "evidence", "site", "ieee"}
TABLES = {"cooling_stages", "taps", "rated_windings"}
"""Lists of tables, which the head of the file mentions."""


@pytest.mark.parametrize("cooling", ["ONAN", "OFAF", "ONAN/ONAF", "ODWF"])
def test_what_stands_behind_the_signs_is_what_holds_without(cooling: str):
    text = commented_nameplate(GIVEN | {"cooling": cooling})
    unit = nameplate_from(text)
    assert unit == nameplate_from(
        commented_nameplate(GIVEN | {"cooling": unit.cooling})
    ).model_copy(update={"cooling_printed": unit.cooling_printed})
    # Sections that the guide and the tank fill in: all numbers taken in change nothing.
    closed = re.split(r"\n(?=\[insulation\])", text)[0]
    taken = nameplate_from(LEFT_OUT.sub("", closed).replace("bottom_rise_k", "#bottom_rise_k"))
    assert taken.thermal_constants() == unit.thermal_constants()
    assert taken.oil_tank().time_constant == pytest.approx(unit.oil_tank().time_constant, rel=1e-3)


def test_every_field_can_be_taken_in_by_itself():
    text = commented_nameplate(GIVEN)
    places = [match.start() for match in LEFT_OUT.finditer(text)]
    assert len(places) > 25
    for place in places:
        nameplate_from(text[:place] + text[place + 1 :], where=text[place:].split("\n")[0])


def test_every_field_of_a_nameplate_has_its_comment():
    known = set()
    for name, field in Nameplate.model_fields.items():
        fields = getattr(field.annotation, "model_fields", None)
        inner = name in SECTIONS
        known |= {f"{name}.{part}" for part in fields} if inner and fields else {name}
    described = {entry.name for entry in ENTRIES}
    assert known - WRITTEN_BY_US - TABLES - described == set()
    assert all(name in commented_nameplate(GIVEN) for name in TABLES)


def test_flags_are_enough_and_nothing_is_replaced(tmp_path: Path):
    words = ("init", *FLAGS, "--cooling", "onan/onaf", "--commissioned", "1998", "--yes")
    made = here(*words, cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    unit = read_nameplate(tmp_path / "nameplate.toml")
    assert (unit.rated_power_kva.mean, unit.no_load_losses_w.mean) == (25000.0, 12000.0)
    assert unit.cooling == "ONAF" and unit.history.commissioned is not None
    assert "oil.top_oil_rise_k" in unit.assumed, "what is left out counts as assumed"
    before = (tmp_path / "nameplate.toml").read_text()
    again = here(*words, cwd=tmp_path)
    assert again.returncode == 2 and "exists already" in again.stderr
    assert (tmp_path / "nameplate.toml").read_text() == before


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--rated-power", "25 MVA"), "--no-load-losses, --load-losses"),
        ((*FLAGS, "--gradient", "warm"), "--gradient cannot be 'warm'"),
        ((*FLAGS, "--cooling", "fans"), "'cooling' is 'fans'"),
        ((*FLAGS, "--rated-current", "110/20 kV"), "as '110 kV'"),
        ((*FLAGS, "--rated-current", "many"), "(A, kA), or a voltage"),
        ((*FLAGS, "--latitude", "-33.9 N"), "33.9 S"),
        ((*FLAGS[:4], "--load-losses", "90"), "as if they were swapped"),
    ],
)
def test_what_cannot_be_used_is_refused_and_nothing_is_written(tmp_path, words, sentence: str):
    refused = here("init", "--yes", *words, cwd=tmp_path)
    assert refused.returncode == 2 and sentence in refused.stderr
    assert not list(tmp_path.iterdir())


def asked(out: Path, answers: list[str]):
    from typer.testing import CliRunner

    return CliRunner().invoke(app, ["init", "--out", str(out)], input="\n".join(answers) + "\n")


def test_a_plate_is_answered_as_it_is_printed(tmp_path: Path):
    """Voltages of both sides for the current, a year, a hemisphere; then the input ends."""
    begun = ["T 7", "1100 kVA", "842 W", "9800 W", "ONAN"]
    run = asked(
        tmp_path / "a.toml",
        [*begun, "20/0.4 kV", "both", "20 kV", "45 K", "", "", "Year 2014", "33.9 S"],
    )
    assert run.exit_code == 0, run.output
    unit = read_nameplate(tmp_path / "a.toml")
    # Three phases: S = sqrt(3) U I.
    assert unit.rated().of("A") == pytest.approx(1100e3 / (3**0.5 * 20e3))
    assert unit.site.latitude == -33.9
    assert str(unit.history.commissioned) == "2014-07-01" in run.output
    # The input ends behind what is needed: what was answered is written all the same.
    run = asked(tmp_path / "b.toml", [*begun, "400 V"])
    assert run.exit_code == 0, run.output
    low = read_nameplate(tmp_path / "b.toml").rated().of("A")
    assert low == pytest.approx(1100e3 / (3**0.5 * 400))
    # It ends before: nothing is written, and what lacks is named.
    run = asked(tmp_path / "c.toml", begun[:2])
    assert run.exit_code != 0 and not (tmp_path / "c.toml").exists()


def test_questions_are_asked_again_until_the_answer_can_be_read(tmp_path: Path):
    from typer.testing import CliRunner

    answers = ["T 1", "", "lots", "25 MVA", "12kW", "90 kW", "OFAF", "", "52,5", *[""] * 4]
    out = tmp_path / "n.toml"
    run = CliRunner().invoke(app, ["init", "--out", str(out)], input="\n".join(answers) + "\n")
    assert run.exit_code == 0, run.output
    assert "a number is needed" in run.output and "This is needed" in run.output
    unit = read_nameplate(out)
    assert (unit.name, unit.cooling, unit.oil.top_oil_rise_k.mean) == ("T 1", "OF", 52.5)
