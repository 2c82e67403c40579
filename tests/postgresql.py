"""A PostgreSQL of its own for tests, from the binaries that the system has."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PLACES = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True), Path("/usr/pgsql/bin")]
"""Where distributions put the server, which they keep out of the path."""


def binaries() -> Path | None:
    """The folder of `initdb` and `postgres`; None where there is no server."""
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else PLACES
    return next((place for place in places if (place / "postgres").exists()), None)


@contextmanager
def server() -> Iterator[str]:
    """Start a server that listens on a socket in a folder of its own; give its URL without name."""
    place = binaries()
    assert place is not None
    # PostgreSQL refuses to run as root, so there it runs as the user that its package made.
    user = {"user": "postgres"} if os.getuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="agewise-pg-"))
    if user:
        shutil.chown(folder, "postgres")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **user}
    data = ["-D", str(folder / "data")]
    subprocess.run(
        [place / "initdb", *data, "-U", "tests", "-A", "trust", "-N"], check=True, **quiet
    )
    options = f"-k {folder} -c listen_addresses='' -c fsync=off"
    subprocess.run([place / "pg_ctl", *data, "-w", "-o", options, "start"], check=True, **quiet)
    try:
        yield f"postgresql://tests@/{{name}}?host={folder}"
    finally:
        subprocess.run([place / "pg_ctl", *data, "-m", "immediate", "stop"], check=True, **quiet)
        shutil.rmtree(folder, ignore_errors=True)
