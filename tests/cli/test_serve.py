"""`agewise serve` as a user meets it before anything is served."""

from pathlib import Path

import pytest
from commands import here


def test_a_token_is_printed_once_and_can_be_forgotten(tmp_path: Path):
    made = here("serve", tmp_path, "--new-token", "scada", "--role", "write")
    assert made.returncode == 0 and made.stdout.startswith("agw_")
    assert made.stdout.strip() not in (tmp_path / "tokens.json").read_text()
    assert here("serve", tmp_path, "--forget-token", "scada").returncode == 0
    assert here("serve", tmp_path, "--forget-token", "scada").returncode == 2


def test_it_refuses_to_be_open_to_all_and_a_folder_that_is_no_fleet(tmp_path: Path):
    refused = here("serve", tmp_path, "--host", "0.0.0.0")
    assert refused.returncode == 2 and "--new-token" in refused.stderr
    assert "not a folder" in here("serve", tmp_path / "none").stderr
    assert "catalogue" in here("serve", tmp_path).stderr


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("agewise.fleet.extra.find_spec", lambda name: None)
    refused = here("serve", tmp_path)
    assert refused.returncode == 2 and "pip install 'agewise[fleet]'" in refused.stderr
