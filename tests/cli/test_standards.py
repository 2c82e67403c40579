"""The loading guides on the command line: one is chosen, the other stands beside it."""

from pathlib import Path

import pandas as pd
import pytest

import agewise
from tests.commands import here


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plant")
    twin = agewise.make_twin(agewise.TwinSettings(seed=100, days=0.5, case="aged-substation"))
    agewise.write_twin(twin, folder, overwrite=True)
    return folder


def thermal(plant: Path, out: str, *words: str):
    files = plant / "profile.csv", "--nameplate", plant / "nameplate.toml"
    return here("thermal", *files, "--out", plant / out, *words)


def test_thermal_writes_the_chosen_and_prints_the_other(plant: Path):
    for standard, answer in (("iec", agewise.iec_answer), ("ieee", agewise.ieee_answer)):
        done = thermal(plant, f"{standard}.csv", "--standard", standard)
        assert done.returncode == 0, done.stderr
        assert "IEC 60076-7, normal paper" in done.stdout
        assert "IEEE C57.91, 55 °C rise" in done.stdout and "% of 180000 h" in done.stdout
        written = pd.read_csv(plant / f"{standard}.csv")
        plain = answer(plant / "profile.csv", plant / "nameplate.toml")
        assert written["hot_spot"].to_numpy() == pytest.approx(plain.hot_spot, abs=1e-4)


def test_a_nameplate_chooses_unless_the_flag_does(plant: Path):
    text = (plant / "nameplate.toml").read_text("utf-8").replace('standard = "iec"', "")
    (plant / "american.toml").write_text(f'standard = "ieee"\n{text}', "utf-8")
    files = plant / "profile.csv", "--nameplate", plant / "american.toml"
    for words, first in (((), "IEEE C57.91"), (("--standard", "iec"), "IEC 60076-7")):
        done = here("thermal", *files, "--out", plant / f"own{len(words)}.csv", *words)
        assert f"standard  {first}" in done.stdout, done.stderr


def test_what_ieee_has_not_is_refused_with_a_hint(plant: Path):
    done = thermal(plant, "no.csv", "--standard", "ieee", "--insulation", "upgraded")
    assert done.returncode == 2
    assert "average_winding_rise_k" in done.stderr
