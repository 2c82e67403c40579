"""A small fleet through a scheduler and two workers: every asset ends, and none is done twice."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pytest
from commands import here
from fleet.dask_processes import scheduler, worker

from agewise import __version__
from agewise.assessment.oil.settings import Settings
from agewise.fleet.assess import answers, assess_fleet
from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import RunRow
from agewise.fleet.engine.cluster import Engine
from agewise.fleet.inventory.inventory import assets_of
from agewise.fleet.plan import Plan, resolved, work_of
from agewise.fleet.task import assessed
from agewise.fleet.work import Work
from agewise.twin.fleet.fleet_folder import write_fleet
from agewise.twin.fleet.settings import FleetSettings

pytestmark = pytest.mark.xdist_group("fleet")
CHOSEN = ("--method", "line", "--quick")
NUMBERS = [c.name for c in RunRow.__table__.columns if c.name not in ("id", "started", "seconds")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three units, of which one has an empty file."""
    folder = tmp_path_factory.mktemp("fleet")
    settings = FleetSettings(seed=100, assets=3, days=2.0, dirty=0.0, hopeless=0.0, incidents=0.0)
    write_fleet(settings, folder / "made")
    (folder / "made" / "T0002" / "profile.csv").write_bytes(b"")
    return folder


@pytest.fixture(scope="module")
def fleet(folder: Path) -> Path:
    """The units, assessed by two workers that were started as processes of their own."""
    with scheduler(folder) as (address, _), worker(address), worker(address):
        asked = ("--engine", "dask", "--scheduler", address)
        done = here("fleet", "assess", folder / "made", "--out", folder / "out", *CHOSEN, *asked)
    assert done.returncode == 0, done.stderr
    assert "assessed   2" in done.stdout
    assert "refused 1  T0002: " in done.stdout
    return folder


def plan(directory: Path) -> Plan:
    return Plan(directory.resolve(), Settings(method="line", quick=True))


def work(folder: Path, number: int, chosen: Plan) -> Work:
    asset = assets_of(folder / "made", plates=folder)[number]
    return work_of(resolved(asset), chosen, version=__version__)


def test_one_bad_file_stops_nobody(fleet: Path):
    with Catalogue(fleet / "out", make=False) as catalogue:
        runs = catalogue.latest_runs()
    assert {name: run.status for name, run in runs.items()} == {
        "T0001": "done",
        "T0002": "refused",
        "T0003": "done",
    }
    assert runs["T0002"].sentence and runs["T0002"].hint and runs["T0002"].folder is None
    assert (fleet / "out" / (runs["T0001"].folder or "") / "summary.json").is_file()


def test_the_table_for_analysts_has_every_asset(fleet: Path):
    table = pd.read_parquet(fleet / "out" / "fleet.parquet").set_index("id")
    assert list(table["status"]) == ["done", "refused", "done"]
    assert table["hot_spot_mean"].dtype == float
    assert table["years_left_median"].isna()["T0002"]
    assert "T0003 done" in (fleet / "out" / "fleet.log").read_text()


def test_another_process_gives_the_same_numbers_to_the_last_digit(fleet: Path, tmp_path: Path):
    outcome = assessed(work(fleet, 0, plan(tmp_path)), plan(tmp_path))
    with Catalogue(fleet / "out", make=False) as catalogue:
        run = catalogue.latest_runs()["T0001"]
    again = RunRow(**outcome.columns())
    assert {n: getattr(again, n) for n in NUMBERS} == {n: getattr(run, n) for n in NUMBERS}


def test_a_second_time_only_what_changed_is_assessed(fleet: Path):
    out, chosen = fleet / "out", plan(fleet / "out")
    again = here("fleet", "assess", fleet / "made", "--out", out, *CHOSEN)
    assert "assessed   0" in again.stdout
    assert "unchanged  2" in again.stdout
    with Catalogue(out, make=False) as catalogue:
        run = catalogue.latest_runs()["T0001"]
    same = work(fleet, 0, chosen)
    assert answers(run, same, out)
    others = Plan(chosen.directory, Settings(method="line", quick=True, seed=1))
    assert not answers(run, work(fleet, 0, others), out)
    plate = fleet / "made" / "T0001" / "nameplate.toml"
    plate.write_text(plate.read_text("utf-8") + "\n# touched\n", "utf-8")
    assert not answers(run, work(fleet, 0, chosen), out)


def test_ranking_names_every_asset(fleet: Path):
    ranked = here("fleet", "rank", fleet / "out", "--budget", "1")
    assert ranked.returncode == 0, ranked.stderr
    assert "T0001" in ranked.stdout and "T0003" in ranked.stdout
    assert "not ranked: T0002, refused" in ranked.stdout


@contextmanager
def no_room(size: int) -> Iterator[None]:
    """Let this process write no file longer than so many bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_fails_one_run_and_leaves_nothing_half_written(fleet: Path, tmp_path: Path):
    chosen = plan(tmp_path)
    with no_room(10_000):
        outcome = assessed(work(fleet, 2, chosen), chosen)
    assert (outcome.status, outcome.sentence) == ("failed", "The disk is full.")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    with Catalogue(tmp_path) as catalogue:
        # In this process, since there is no work for another: the run is made, then found.
        assert assessed(work(fleet, 2, chosen), chosen).status == "done"
        assert not answers(RunRow(**outcome.columns()), outcome.work, tmp_path)
        tally = assess_fleet([], chosen, Engine(), catalogue)
    assert tally.done == [] and (tmp_path / "fleet.parquet").exists()
