"""What is recorded is there, once, whoever else writes; on SQLite and PostgreSQL alike."""

import sqlite3
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from threading import Timer

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.orm import Session

import agewise.fleet.catalogue.migrations as migrations
from agewise.errors import InputError
from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.opening import FILE, NEWEST
from agewise.fleet.catalogue.tables import AssetRow, Base, RunRow

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def a_run(asset_id: str = "T1", **fields: object) -> RunRow:
    plain = {"status": "done", "started": NOON, "seconds": 1.5, "method": "solver", "seed": 0}
    hashes = {"input_hash": "a" * 64, "settings_hash": "b" * 64}
    parts = {"inputs": {}, "versions": {}, "findings": [], "quantities": {}}
    return RunRow(asset_id=asset_id, **(plain | hashes | parts | fields))


def with_assets(place: str, *names: str) -> Catalogue:
    catalogue = Catalogue(place)
    catalogue.register([AssetRow(id=name, name=f"Unit {name}") for name in names or ("T1",)])
    return catalogue


def test_a_run_comes_back_as_it_was_recorded(place: str):
    with with_assets(place) as catalogue:
        found = [{"kind": "gap", "text": "A gap of 3 h: 10 °C.", "rows": 12}]
        number = catalogue.record(a_run(chance=0.25, findings=found, cooling_alarm=True)).id
    with Catalogue(place, make=False) as again:
        run = again.run(number)
    assert (run.chance, run.findings, run.cooling_alarm) == (0.25, found, True)
    assert run.started == NOON
    assert run.years_left_median is None


def test_the_latest_run_of_every_asset_is_the_last_recorded(place: str):
    with with_assets(place, "T1", "T2", "T3") as catalogue:
        for asset_id, chance in (("T1", 0.1), ("T2", 0.2), ("T1", 0.3)):
            catalogue.record(a_run(asset_id, chance=chance))
        assert {n: run.chance for n, run in catalogue.latest_runs().items()} == {
            "T1": 0.3,
            "T2": 0.2,
        }
        assert [run.chance for run in catalogue.history("T1")] == [0.3, 0.1]


def test_an_asset_that_is_registered_again_keeps_its_runs(place: str):
    with with_assets(place) as catalogue:
        catalogue.record(a_run())
        catalogue.register([AssetRow(id="T1", name="Renamed", criticality=5.0)])
        assert catalogue.asset("T1").name == "Renamed"
        assert catalogue.asset("T1").criticality == 5.0
        assert len(catalogue.history("T1")) == 1


def test_instants_are_the_same_in_every_zone_and_need_one(place: str):
    with with_assets(place) as catalogue:
        madrid = NOON.astimezone(timezone(timedelta(hours=1)))
        assert catalogue.run(catalogue.record(a_run(started=madrid)).id).started == NOON
        with pytest.raises(StatementError, match="needs a time zone"):
            catalogue.record(a_run(started=NOON.replace(tzinfo=None)))


def test_a_run_needs_a_known_asset_and_a_known_status(place: str):
    with with_assets(place) as catalogue:
        for wrong in (a_run("nobody"), a_run(status="perhaps")):
            with pytest.raises(IntegrityError):
                catalogue.record(wrong)
        assert not catalogue.latest_runs()


def test_an_alert_stands_once_and_may_come_back(place: str):
    with with_assets(place) as catalogue:
        first = catalogue.raise_alert("T1", "cooling lost", "Too hot.", value=1.4, at=NOON)
        assert first is not None
        assert catalogue.raise_alert("T1", "cooling lost", "Still too hot.") is None
        assert catalogue.raise_alert("T1", "sensor gone", "Silent.") is not None
        assert catalogue.clear_alert("T1", "cooling lost", at=NOON + timedelta(hours=1))
        assert not catalogue.clear_alert("T1", "cooling lost")
        assert [alert.kind for alert in catalogue.alerts(standing=True)] == ["sensor gone"]
        assert catalogue.raise_alert("T1", "cooling lost", "Again.") is not None
        assert len(catalogue.alerts("T1")) == 3


def test_what_is_not_there_is_a_sentence(place: str):
    with with_assets(place) as catalogue:
        for ask in (lambda: catalogue.asset("T9"), lambda: catalogue.run(9)):
            with pytest.raises(InputError, match="The catalogue has no"):
                ask()
        with pytest.raises(InputError, match="no asset 'T9'"):
            catalogue.raise_alert("T9", "cooling lost", "Too hot.")


def test_migrations_make_the_tables_of_the_models(place: str):
    with Catalogue(place) as catalogue, catalogue.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
    assert ScriptDirectory(str(Path(migrations.__file__).parent)).get_heads() == [NEWEST]


def test_tables_of_a_newer_agewise_are_left_alone(place: str):
    with Catalogue(place) as catalogue, catalogue.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(InputError, match="not those that this agewise knows"):
        Catalogue(place)


WRITER = """
import sys
from datetime import UTC, datetime
from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import AssetRow, RunRow
with Catalogue(sys.argv[1]) as catalogue:
    catalogue.register([AssetRow(id="T1", name="Unit")])
    for number in range(25):
        catalogue.record(RunRow(asset_id="T1", status="done", started=datetime.now(UTC),
            seconds=number, method=sys.argv[2], seed=0, input_hash="a", settings_hash="b",
            inputs={}, versions={}, findings=[], quantities={}))
"""


def test_two_processes_that_begin_and_write_at_once_lose_nothing(place: str):
    """Neither finds a database, so both make the tables; then both write as fast as they can."""
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, place, name], stderr=subprocess.PIPE)
        for name in ("one", "two")
    ]
    assert [writer.communicate()[1] for writer in writers] == [b"", b""]
    with Catalogue(place, make=False) as catalogue:
        runs = catalogue.history("T1")
    for name in ("one", "two"):
        assert sorted(run.seconds for run in runs if run.method == name) == list(range(25))


def test_a_new_file_that_another_writer_holds_is_waited_for(tmp_path: Path):
    """SQLite refuses the switch to its log at once here, whatever the timeout says."""
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = Timer(0.3, other.rollback)
    release.start()
    with Catalogue(tmp_path) as catalogue:
        assert list(catalogue.assets()) == []
    release.join()
    other.close()


def test_assets_that_another_writer_registers_meanwhile_are_known_then(
    place: str, monkeypatch: pytest.MonkeyPatch
):
    """Neither had seen the asset when both set out to write it; the second begins anew."""
    merged, calls = Session.merge, []

    def late(session: Session, row: AssetRow) -> AssetRow:
        calls.append(row)
        if len(calls) == 1:
            raise IntegrityError("insert", {}, ValueError("the id is taken"))
        return merged(session, row)

    with Catalogue(place) as catalogue:
        monkeypatch.setattr(Session, "merge", late)
        catalogue.register(iter([AssetRow(id="T1", name="Unit")]))
        assert [asset.name for asset in catalogue.assets()] == ["Unit"]


def test_a_folder_that_is_no_fleet_is_refused_where_none_is_to_be_made(tmp_path: Path):
    with pytest.raises(InputError, match="is not the folder of a fleet"):
        Catalogue(tmp_path, make=False)


@pytest.mark.parametrize("url", ["mysql://me:secret@host/x", "postgresql://me:secret@nowhere/x"])
def test_no_refusal_repeats_a_password(url: str):
    with pytest.raises(InputError) as refusal:
        Catalogue(url)
    assert "secret" not in refusal.value.sentence + refusal.value.hint
