"""A finished run: a folder, and the manifest that seals its files."""

import hashlib
import json
import platform
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import TypeAdapter, ValidationError

from agewise.arrays import damaged
from agewise.errors import InputError
from agewise.files import flush_to_disk
from agewise.store.identity import Identity, difference, fingerprint
from agewise.store.json_file import read_json, write_json

FORMAT = 1
"""Number of this layout of a run's folder; it grows when an older agewise could not read one."""
MANIFEST = "run.json"
"""Name of the file that makes a folder a finished run."""
PDF = "report.pdf"
"""Name of the answer on one page."""
UNSEALED = ("report.html", "figures", PDF)
"""Names at the top of a run's folder that are not under the seal.

They are made from the rest and nothing is read from them, so they may be deleted or redrawn.
"""
PACKAGES = ("agewise", "numpy", "scipy", "jax")
"""Packages whose versions an answer may depend on."""


@dataclass(frozen=True)
class Run:
    """A finished run."""

    directory: Path
    """The folder that holds it."""
    identity: Identity
    """What it answers."""
    versions: dict[str, str]
    """Versions of Python and of the packages that made it."""
    created: datetime
    """When it was finished (UTC)."""
    files: dict[str, dict[str, int | str]]
    """Size [bytes] and SHA-256 of each sealed file, by its path in the folder."""


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that an answer may depend on."""
    return {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}


def load_run(directory: Path) -> Run:
    """The finished run in a folder, after a look at every byte of its sealed files.

    An `InputError` says which file is missing or has changed.
    """
    if not (directory / MANIFEST).exists():
        state = f"holds no {MANIFEST}" if directory.is_dir() else "is not a folder"
        raise InputError(
            f"{directory} {state}, so it is not a finished run, and it is left as it is.",
            hint="choose another `directory`, or give the folder of a finished run.",
        )
    run = _sealed_run(directory)
    for name, record in run.files.items():
        path = directory / name
        if not _is_sealed(name):
            continue  # runs that were made before the report was left out of the seal
        if not path.is_file():
            raise damaged(path, "is missing")
        if _record(path) != record:
            raise damaged(path, "has changed since the run was finished")
    return run


def finished_run(directory: Path, identity: Identity) -> Run | None:
    """The run that already answers this; None where the place is free, as an empty folder is.

    An `InputError` where the folder holds anything else.
    """
    if not directory.exists() or (directory.is_dir() and not any(directory.iterdir())):
        return None
    run = load_run(directory)
    if run.identity != identity:
        raise InputError(
            f"{directory} holds another run: {difference(run.identity, identity)}.",
            hint="choose another `directory`, or delete that folder.",
        )
    return run


def seal(folder: Path, identity: Identity) -> None:
    """Write the manifest, last, when every other file has reached the disk."""
    # Paths with forward slashes, so that a run made on Windows can be read elsewhere.
    paths = {
        path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()
    }
    for path in paths.values():
        flush_to_disk(path)
    content = {
        "format": FORMAT,
        "identity": asdict(identity),
        "versions": versions(),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "files": {name: _record(path) for name, path in paths.items() if _is_sealed(name)},
    }
    write_json(folder / MANIFEST, content | {"seal": _digest(content)})


def _sealed_run(directory: Path) -> Run:
    """The run that the manifest describes, provided that the manifest is untouched."""
    path = directory / MANIFEST
    content = read_json(path)
    number = content.get("format")
    if isinstance(number, int) and number > FORMAT:
        raise InputError(
            f"{path} has format {number}, but this agewise reads format {FORMAT}.",
            hint="a newer agewise has written it: install that one, or choose another `directory`.",
        )
    # The seal is taken out of the content, for it is the digest of everything but itself.
    if number != FORMAT or content.pop("seal", None) != _digest(content):
        raise damaged(path, "is not as a finished run has left it")
    # Whoever edits a manifest can seal it anew, so its content is checked all the same.
    try:
        return TypeAdapter(Run).validate_python(content | {"directory": directory})
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise damaged(path, f"has nothing usable at {place!r}") from None


def _is_sealed(name: str) -> bool:
    """Whether a file of a run, by its path in the folder, is under the seal."""
    return PurePosixPath(name).parts[:1] not in [(top,) for top in UNSEALED]


def _record(path: Path) -> dict[str, int | str]:
    """Size [bytes] and SHA-256 of a file."""
    return {"size": path.stat().st_size, "sha256": fingerprint(path)}


def _digest(content: dict[str, Any]) -> str:
    """The SHA-256 of a manifest, which guards against accidents, not against intent."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
