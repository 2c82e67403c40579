"""Every test of the catalogue runs on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from postgresql import binaries, server

NUMBERS = count()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    if binaries() is None:
        pytest.skip("there is no PostgreSQL server here: apt-get install postgresql")
    with server() as url:
        yield url


@pytest.fixture(
    params=["sqlite", pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql"))]
)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new, empty catalogue goes."""
    if request.param == "sqlite":
        return str(tmp_path)
    url, name = request.getfixturevalue("postgresql"), f"catalogue_{next(NUMBERS)}"
    with psycopg.connect(url.format(name="postgres"), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    return url.format(name=name)
