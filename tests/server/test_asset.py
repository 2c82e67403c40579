"""An asset's page says what the report of its run says, and looks like an answer only if it is."""

import json
import re
import shutil
from html import unescape

import httpx
import numpy as np
import pandas as pd
import pytest
from fleets import MadeFleet
from serving import served

from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.report.page.answer import answer
from agewise.report.stored import stored_inputs
from agewise.server.settings import ServerSettings
from agewise.store.run import load_run

pytestmark = pytest.mark.xdist_group("server")


def shown(page: str) -> str:
    """The text of a page as a reader sees it."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def test_every_headline_of_the_report_is_on_the_page(client: httpx.Client, fleet: MadeFleet):
    said = answer(stored_inputs(load_run(fleet.directory / "runs/T1")))
    text = shown(client.get("/assets/T1").text)
    for row in said.headlines:
        for words in (row.name, row.value, row.interval, row.plain):
            assert " ".join(words.split()) in text
    assert said.reason in text and said.outlook in text
    twin = client.get("/api/v1/assets/T1").json()
    assert [row["value"] for row in twin["sections"]["answer"]["headlines"]] == [
        row.value for row in said.headlines
    ]


def test_an_answer_that_cannot_be_told_shows_what_to_mend_and_no_life(client: httpx.Client):
    page = client.get("/assets/T5").text
    assert 'class="untold"' in page and "Check the thermometer." in shown(page)
    text = shown(page)
    assert "Remaining life" not in text and "Limits in this window" not in text
    twin = client.get("/api/v1/assets/T5").json()
    assert twin["sections"]["answer"]["headlines"] == [] == twin["sections"]["limits"]
    assert "life" not in twin["charts"] and "temperatures" in twin["charts"]
    assert client.get("/api/v1/assets/T5/charts/life").status_code == 404


def test_a_refusal_is_shown_with_its_sentence_and_what_to_do(client: httpx.Client):
    text = shown(client.get("/assets/T37").text)
    assert "It was refused." in text and "mend the file." in text and "Charts" not in text
    assert "has not been assessed yet" in client.get("/assets/T39").text


def test_alerts_stand_on_the_page_until_they_are_cleared(client: httpx.Client):
    assert "Alerts that are active" in client.get("/assets/T1").text
    cleared = client.get("/assets/T2").text
    assert "Alerts that are active" not in cleared and "limit passed" in cleared
    assert [a["kind"] for a in client.get("/api/v1/alerts?standing=true").json()] == [
        "cooling lost"
    ]


def test_charts_have_the_numbers_of_the_run(client: httpx.Client, fleet: MadeFleet):
    inputs = stored_inputs(load_run(fleet.directory / "runs/T1"))
    life = client.get("/api/v1/assets/T1/charts/life").json()
    within = 100 * inputs.ends.size / inputs.courses
    assert life["series"][0]["y"][-1] == pytest.approx(within, abs=0.01)
    assert sum(life["bars"]["y"]) == pytest.approx(within, abs=0.1)
    winding = client.get("/api/v1/assets/T1/charts/temperatures").json()["series"][1]
    assert max(winding["y"]) == pytest.approx(float(inputs.field["winding_mean"].max()), abs=0.01)
    low, mean, high = (np.array(winding[name]) for name in ("low", "y", "high"))
    assert (low < mean).all() and (mean < high).all()
    heights = client.get("/api/v1/assets/T1/charts/heights").json()
    assert 1 <= len(heights["series"]) <= 6


def test_files_are_those_of_the_run(client: httpx.Client, fleet: MadeFleet):
    run = fleet.directory / "runs/T1"
    for name in ("field.nc", "summary.json"):
        assert client.get(f"/api/v1/assets/T1/{name}").content == (run / name).read_bytes()
    sent = client.get("/api/v1/assets/T1/profile.csv").content.decode()
    kept = pd.read_parquet(run / "profile.parquet")
    assert len(sent.splitlines()) == len(kept) + 1
    report = client.get("/api/v1/assets/T1/report.html")
    assert "sandbox" in report.headers["content-security-policy"]


def test_two_assets_stand_side_by_side(client: httpx.Client):
    page = client.get("/compare?asset=T1&asset=T2").text
    assert page.count("data-chart=") == 4
    twin = client.get("/api/v1/compare?first=T1&second=T2").json()
    (life,) = [row for row in twin["rows"] if row["name"].startswith("Remaining life")]
    assert life["first"] == life["second"]  # both were made from one run
    assert "two can be compared" in client.get("/compare?asset=a&asset=b&asset=c").text


def test_no_path_of_the_catalogue_leaves_the_folder_and_a_damaged_run_is_told(own: MadeFleet):
    outside = own.directory.parent / "outside"
    shutil.copytree(own.directory / "runs/T0", outside)
    with Catalogue(own.directory) as catalogue:
        first, *_ = catalogue.history("T0")
        for folder in ("../outside", str(outside)):
            with catalogue.writing() as session:
                session.merge(first).folder = folder
            with served(ServerSettings(own.directory)) as server, server.client() as client:
                assert client.get("/assets/T0").status_code == 404
                assert client.get("/api/v1/assets/T0/field.nc").status_code == 404
        with catalogue.writing() as session:
            session.merge(first).folder = "runs/T0"
    summary = own.directory / "runs/T0/summary.json"
    summary.write_text(json.dumps(json.loads(summary.read_text()) | {"method": "other"}))
    with served(ServerSettings(own.directory)) as server, server.client() as client:
        page = client.get("/assets/T0")
        assert page.status_code == 200
        assert "has changed since the run was finished" in shown(page.text)
        assert str(own.directory) not in page.text
