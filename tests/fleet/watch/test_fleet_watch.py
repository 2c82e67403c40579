"""A watched fleet: each alert once, life that adds up, and a warm start that is the cold answer."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import here

from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import AssetRow
from agewise.fleet.watch.fleet_watch import FOLDER, watch_round
from agewise.fleet.watch.outbox import posted
from agewise.fleet.watch.unit_state import read_state, write_state
from agewise.plant.nameplate_file import write_nameplate
from agewise.plant.tables import write_table
from agewise.twin.fleet.fleet_folder import readings
from agewise.twin.fleet.incidents import Incident
from agewise.twin.fleet.settings import FleetSettings
from agewise.twin.fleet.unit import drawn_unit, window

pytestmark = pytest.mark.xdist_group("watch")
"""One after the other in one process: each test goes on from the days of the one before."""

SETTINGS = FleetSettings(seed=104, days=14.0, step_min=30)
BASE, ONSET = 6, 8.0
"""Days before the first round, and the day of the incidents."""
INCIDENTS = {
    "fan": Incident("cooling lost", 0.4, ONSET),
    "probe": Incident("sensor gone", 0.0, ONSET, "top_oil"),
}


class Plant:
    """A fleet whose files grow."""

    def __init__(self, folder: Path):
        self.folder, self.frames = folder, {}
        rows = []
        for name, incident in INCIDENTS.items():
            unit = replace(drawn_unit(SETTINGS, 3), incident=incident)
            self.frames[name] = readings(SETTINGS, unit, window(SETTINGS, unit))
            write_nameplate(unit.sheets.printed, folder / f"{name}.toml")
            data, nameplate = str(folder / f"{name}.csv"), str(folder / f"{name}.toml")
            rows.append(AssetRow(id=name, name=name, data=data, nameplate=nameplate))
        self.catalogue = Catalogue(folder)
        self.catalogue.register(rows)

    def grow(self, days: float) -> None:
        for name, frame in self.frames.items():
            rows = round(days * 48)
            text = frame.iloc[:rows].copy()
            text["top_oil"] = text["top_oil"].map(lambda v: "" if np.isnan(v) else f"{v:.2f}")
            write_table(text, self.folder / f"{name}.csv")


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plant]:
    made = Plant(tmp_path_factory.mktemp("fleet"))
    yield made
    made.catalogue.close()


def test_each_incident_is_told_once_and_its_end_too(plant: Plant):
    plant.grow(BASE)
    first = watch_round(plant.folder, plant.catalogue)
    assert first.looked == ["fan", "probe"] and not first.raised and not first.left_out
    for day in range(BASE + 1, 15):
        plant.grow(day)
        watch_round(plant.folder, plant.catalogue)
    again = watch_round(plant.folder, plant.catalogue)
    assert again.still == ["fan", "probe"] and not again.raised
    told = {(alert.asset_id, alert.kind): alert for alert in plant.catalogue.alerts()}
    assert len(told) == len(plant.catalogue.alerts())  # none of them twice
    assert {("fan", "cooling lost"), ("probe", "sensor gone")} <= set(told)
    assert not {("probe", "cooling lost"), ("fan", "sensor gone")} & set(told)
    start = plant.frames["fan"]["time"].iloc[0]
    delay = (pd.Timestamp(told["fan", "cooling lost"].raised) - start) / pd.Timedelta(days=1)
    assert ONSET < delay < ONSET + 2.1
    assert "fans, pumps and radiators" in told["fan", "cooling lost"].reason
    assert "top-oil temperature has not been read" in told["probe", "sensor gone"].reason
    # The share that is lost is that of the incident: a rise of 1/(1 - 0.4).
    factor = told["fan", "cooling lost"].value
    assert factor is not None and 1.3 < factor < 1.8


def test_life_used_adds_up_day_by_day(plant: Plant):
    table = pd.read_csv(plant.folder / FOLDER / "fan.csv")
    days, total = table["day_used_h"].to_numpy()[1:], table["life_used_h"].to_numpy()
    assert np.allclose(np.diff(total), days, rtol=1e-3, atol=1e-3 * total[-1])
    assert len(table) == len(table["time"].unique()) == 15 - BASE


def test_a_thermometer_that_reads_again_clears_its_alert(plant: Plant):
    frame = plant.frames["probe"]
    gone = frame["top_oil"].isna()
    healthy = replace(drawn_unit(SETTINGS, 3), incident=Incident())
    back = readings(SETTINGS, healthy, window(SETTINGS, healthy))["top_oil"]
    frame.loc[gone & (np.arange(len(frame)) > 11 * 48), "top_oil"] = back
    longer = frame.copy()
    longer["time"] += pd.Timedelta(days=14)
    for name in plant.frames:
        parts = [plant.frames[name], longer.iloc[: 3 * 48]]
        plant.frames[name] = pd.concat(parts, ignore_index=True)
    plant.grow(17)
    done = watch_round(plant.folder, plant.catalogue)
    assert not done.left_out
    kinds = {alert.kind for alert in plant.catalogue.alerts("probe", standing=True)}
    assert "sensor gone" not in kinds
    # The fan runs again too: these are the readings of a sound unit.
    kinds = {alert.kind for alert in plant.catalogue.alerts("fan", standing=True)}
    assert "cooling lost" not in kinds


def test_what_is_kept_comes_back_as_it_was(plant: Plant):
    path = plant.folder / FOLDER / "fan.npz"
    state = read_state(path)
    assert state is not None and state.memory.sound_looks > 3
    write_state(state, plant.folder / "again.npz")
    assert (plant.folder / "again.npz").read_bytes() == path.read_bytes()
    assert read_state(plant.folder / "nothing.npz") is None


def test_one_bad_file_stops_nobody(plant: Plant):
    bad = AssetRow(id="bad", name="bad", data="missing.csv", nameplate="missing.toml")
    plant.catalogue.register([bad])
    done = watch_round(plant.folder, plant.catalogue)
    assert list(done.left_out) == ["bad"] and done.still == ["fan", "probe"]


@contextmanager
def receiver(status: int) -> Iterator[tuple[str, list[dict]]]:
    """A server of this machine that keeps what is posted to it, and answers with a status."""
    taken: list[dict] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            taken.append(json.loads(body) | {"key": self.headers["Idempotency-Key"]})
            self.send_response(status)
            self.end_headers()

        def log_message(self, format, *args):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/alerts", taken
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_alerts_are_posted_once_and_again_where_that_fails(plant: Plant):
    standing = plant.catalogue.alerts(standing=True)
    words, told = (plant.folder, plant.catalogue), []
    done = watch_round(*words, post="http://127.0.0.1:9/", notify=told.append)
    assert done.posted == 0 and "tried again" in told[0]

    def again(url: str) -> int:
        """What the end of a round does, without a look at the units."""
        folder = plant.folder / FOLDER
        return posted(plant.catalogue.alerts(), url, folder, notify=told.append)

    with receiver(500) as (url, taken):
        assert again(url) == 0 and len(taken) == 1
    with receiver(204) as (url, taken):
        assert again(url) == len(standing) == len(taken)
        assert {(m["asset"], m["kind"]) for m in taken} == {
            (alert.asset_id, alert.kind) for alert in standing
        }
        assert all(m["event"] == "raised" and m["reason"] for m in taken)
        assert again(url) == 0
        plant.catalogue.clear_alert("fan", "limit passed")
        plant.catalogue.raise_alert("bad", "sensor gone", "a test")
        assert watch_round(*words, post=url).posted >= 1
    keys = [message["key"] for message in taken]
    assert len(keys) == len(set(keys))


def test_the_command_makes_one_round_and_refuses_what_it_cannot_use(plant: Plant, tmp_path: Path):
    done = here("watch", plant.folder)
    assert done.returncode == 0 and "0 units with new readings, 2 without" in done.stdout
    for words, said in {
        (plant.folder, "--every", "soon"): "no time between two rounds",
        (plant.folder, "--post", "ftp://host"): "begin with http",
        (tmp_path,): "holds no catalogue.sqlite",
    }.items():
        refused = here("watch", *words)
        assert refused.returncode == 2 and said in refused.stderr
