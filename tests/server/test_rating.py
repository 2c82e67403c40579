"""The rating calculator: what cannot be rated is told in a sentence, as the command tells it."""

import json
from pathlib import Path

import httpx
import pytest
from fleets import MadeFleet

from agewise.server.work import rating_child

pytestmark = pytest.mark.xdist_group("server")
ORDER = {"hours": 8.0, "risk": 0.05, "ambient": None, "limit": "normal cyclic", "megabytes": 1}


def test_fields_that_cannot_be_used_are_named(client: httpx.Client):
    assert client.get("/rating").status_code == 200
    for query, name in (("hours=abc", "hours"), ("risk=0.9", "risk"), ("ambient=nan", "ambient")):
        page = client.get(f"/rating?asset=T1&{query}")
        assert page.status_code == 422 and f"{name}&#39; cannot be used" in page.text
    assert "There is no asset" in client.get("/rating?asset=nobody&hours=4").text
    assert client.get("/api/v1/assets/T1/rating?hours=-1").status_code == 422


def test_nothing_is_permitted_where_nothing_can_be_told(
    fleet: MadeFleet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rating_child, "bound_memory", lambda megabytes: None)
    rating_child.main([json.dumps(ORDER | {"run": str(fleet.directory / "runs/T5")})])
    found = json.loads((tmp_path / "rating.json").read_text())
    assert found["error"].startswith("No load can be permitted") and "thermometer" in found["hint"]
