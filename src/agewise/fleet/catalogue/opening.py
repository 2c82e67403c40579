"""Where a catalogue is kept: a file of SQLite in the fleet's folder, or a PostgreSQL by its URL."""

import sqlite3
import time
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError

from agewise.errors import InputError
from agewise.fleet.extra import refuse_missing_parts

FILE = "catalogue.sqlite"
"""Name of the catalogue in the folder of a fleet."""
NEWEST = "0001"
"""Revision of the tables that this agewise reads and writes, the last in `migrations/versions`."""
BUSY_SECONDS = 60.0
"""Time that a writer waits for another one before it gives up [s]."""
BUSY_PAUSE_S = 0.02
"""Time between two attempts to switch a new file of SQLite to its write-ahead log [s]."""
WRITES = "agewise_writes"
"""Option of a connection that is going to write."""


def opened(place: str | Path, *, make: bool = True) -> Engine:
    """The database of a catalogue, with its tables as this agewise knows them.

    Args:
        place: Folder of the fleet, or the URL of a database, as `postgresql://user@host/fleet`.
        make: Whether a folder without a catalogue gets one; else it is refused.
    """
    url = _url(place, make=make)
    engine = _engine(url)
    try:
        _bring_up_to_date(engine)
    except OperationalError as error:
        engine.dispose()
        raise InputError(
            f"The catalogue {url.render_as_string(hide_password=True)} cannot be opened: "
            f"{str(error.orig).strip().splitlines()[0]}.",
            hint="check that the database runs, and its URL, user and disk.",
        ) from None
    except BaseException:
        engine.dispose()
        raise
    return engine


def _url(place: str | Path, *, make: bool) -> URL:
    if isinstance(place, str) and "://" in place:
        return _given_url(place)
    folder = Path(place)
    if not make and not (folder / FILE).is_file():
        raise InputError(
            f"{folder} holds no {FILE}, so it is not the folder of a fleet.",
            hint="make one by agewise fleet assess, or name the folder that it wrote.",
        )
    folder.mkdir(parents=True, exist_ok=True)
    return URL.create("sqlite", database=str(folder.resolve() / FILE))


def _given_url(text: str) -> URL:
    try:
        url = make_url(text)
    except ArgumentError:
        raise _unusable("a URL that cannot be read") from None
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername == "postgresql+psycopg":
        refuse_missing_parts("psycopg", extra="fleet,postgresql")
    elif url.drivername != "sqlite":
        raise _unusable(f"{url.drivername}://")
    return url


def _unusable(what: str) -> InputError:
    # The text itself is not repeated: it may hold a password.
    return InputError(
        f"A catalogue cannot be kept in {what}.",
        hint="give postgresql://user@host/name, sqlite:///path, or leave it out.",
    )


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True)
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, record: object) -> None:
    """Readers go on while one writes; Python's own begins and commits are switched off."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {1000 * BUSY_SECONDS:.0f}")
    _write_ahead(cursor)
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _write_ahead(cursor: Any) -> None:
    """Keep what is written in a log beside the file, so that readers need not wait.

    SQLite refuses this switch at once while another connection makes the same one, whatever its
    timeout says; so the waiting is done here.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
        time.sleep(BUSY_PAUSE_S)


def _begin_sqlite(connection: Connection) -> None:
    # A writer asks for the lock at once: one that has read before could not wait for another.
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def revision(connection: Connection) -> str | None:
    """The revision of the tables of a database; None where there are none yet."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _bring_up_to_date(engine: Engine) -> None:
    """Make the tables, or change those of an older agewise; Alembic is loaded only for that."""
    with engine.connect() as connection:
        if revision(connection) == NEWEST:
            return
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", "agewise.fleet.catalogue:migrations")
    try:
        with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except (CommandError, SQLAlchemyError) as error:
        if isinstance(error, OperationalError):
            raise
        raise InputError(
            "The tables of this catalogue are not those that this agewise knows.",
            hint="a newer agewise has made them: install that one.",
        ) from error
