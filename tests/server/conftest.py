"""A small fleet with real runs, and a server that shows it."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fleets import MadeFleet, made_fleet, made_run
from serving import Served, served

from agewise.server.settings import ServerSettings, UploadLimits

LIMITS = UploadLimits(megabytes=2.0, rows=5000, seconds=120.0, waiting=3)
"""What an upload may cost in tests."""


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> MadeFleet:
    return made_run(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="session")
def fleet(made: MadeFleet, tmp_path_factory: pytest.TempPathFactory) -> MadeFleet:
    return made_fleet(made, tmp_path_factory.mktemp("fleet"), count=40)


@pytest.fixture(scope="session")
def server(fleet: MadeFleet) -> Iterator[Served]:
    with served(ServerSettings(fleet.directory, limits=LIMITS)) as server:
        yield server


@pytest.fixture(scope="session")
def client(server: Served) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


@pytest.fixture
def own(made: MadeFleet, tmp_path: Path) -> MadeFleet:
    """A fleet that a test may spoil."""
    return made_fleet(made, tmp_path / "fleet", count=8, folders=1)
