"""Runs in folders: arrays, JSON and the manifest that seals them, there whole or not at all."""

import errno
import fcntl
import glob
import hashlib
import json
import os
import platform
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from agewise.arrays import damaged, read_arrays
from agewise.errors import InputError
from agewise.files import prepare, write_text

FORMAT = 1
MANIFEST, POSTERIOR, FIELD, SUMMARY = "run.json", "posterior.npz", "field.nc", "summary.json"
PACKAGES = ("agewise", "numpy", "scipy", "jax")


@dataclass(frozen=True)
class Identity:
    """What a run answers: equal identities have one answer, which is worked out once.

    `inputs` holds the fingerprint of each input file by its role (profile, nameplate, truth).
    """

    method: str
    settings: dict[str, Any]
    seed: int
    inputs: dict[str, str]

    def __post_init__(self):
        # As JSON gives them back (a tuple is a list there); what JSON cannot hold is refused here.
        plain = json.loads(json.dumps(self.settings, allow_nan=False))
        object.__setattr__(self, "settings", plain)


@dataclass(frozen=True)
class Run:
    """A finished run; `files` holds the size and the SHA-256 of each of its files, by name."""

    directory: Path
    identity: Identity
    versions: dict[str, str]
    created: datetime
    files: dict[str, dict[str, int | str]]

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of the posterior."""
        return read_arrays(self.directory / POSTERIOR)


def versions() -> dict[str, str]:
    """of Python and of the packages that an answer may depend on"""
    return {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}


def fingerprint(path: Path) -> str:
    """The SHA-256 of a file's content, whatever its name and time."""
    if path.is_dir():
        raise InputError(f"{path} is a folder, not a file.", hint="name the file in it.")
    if not path.is_file():
        raise InputError(f"There is no file {path}.", hint="check the path.")
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def load_run(directory: Path) -> Run:
    """The finished run in a folder, after a look at every byte of its files."""
    if not (directory / MANIFEST).exists():
        state = f"holds no {MANIFEST}" if directory.is_dir() else "is not a folder"
        raise InputError(
            f"{directory} {state}, so it is not a finished run, and it is left as it is.",
            hint="choose another `directory`, or give the folder of a finished run.",
        )
    run = _sealed_run(directory)
    for name, record in run.files.items():
        path = directory / name
        if not path.is_file():
            raise damaged(path, "is missing")
        if _record(path) != record:
            raise damaged(path, "has changed since the run was finished")
    return run


def finished_run(directory: Path, identity: Identity) -> Run | None:
    """The run that already answers this; None where the place is free."""
    if not directory.exists() or (directory.is_dir() and not any(directory.iterdir())):
        return None
    run = load_run(directory)
    if run.identity != identity:
        raise InputError(
            f"{directory} holds another run: {_difference(run.identity, identity)}.",
            hint="choose another `directory`, or delete that folder.",
        )
    return run


@contextmanager
def writing_run(directory: Path, identity: Identity) -> Iterator[Path]:
    """Give a temporary folder; on success it is sealed and takes the place of `directory` at once.

    What cannot be replaced is refused before the block, so the long work belongs inside it. Of two
    writers the first to finish wins; the other's files are dropped if it agrees, else it is told.
    """
    finished_run(directory, identity)
    target = directory.resolve()
    if target.is_mount() or target == Path.cwd():
        raise InputError(
            f"{directory} is the root of a disk or the current folder, so it cannot be replaced.",
            hint=f"choose a folder inside it, such as {directory / 'run'}.",
        )
    temporary = target.with_name(f".{target.name}.writing-{secrets.token_hex(8)}")
    try:
        prepare(temporary)
        temporary.mkdir()
        with _held(temporary):
            yield temporary
            _seal(temporary, identity)
            try:
                temporary.rename(target)
            except OSError:
                if finished_run(target, identity) is None:
                    raise
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise InputError(
            f"The disk is full, so no run is written to {directory}.",
            hint="free some space, or choose a `directory` on another disk.",
        ) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    _sweep(target)


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write JSON that people and every reader can read."""
    text = json.dumps(content, sort_keys=True, indent=2, allow_nan=False, ensure_ascii=False)
    write_text(path, text + "\n")


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file."""
    if not path.is_file():
        raise damaged(path, "is missing")
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise damaged(path, "is not valid JSON") from None
    if not isinstance(content, dict):
        raise damaged(path, "does not hold a JSON object")
    return content


def _seal(folder: Path, identity: Identity) -> None:
    """Write the manifest, last, when every other file has reached the disk."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    for path in paths:
        with path.open("rb") as file:
            os.fsync(file.fileno())
    content = {
        "format": FORMAT,
        "identity": asdict(identity),
        "versions": versions(),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "files": {path.relative_to(folder).as_posix(): _record(path) for path in paths},
    }
    write_json(folder / MANIFEST, content | {"seal": _digest(content)})


def _sealed_run(directory: Path) -> Run:
    """The run as its manifest tells it, provided that the manifest is untouched."""
    path = directory / MANIFEST
    content = read_json(path)
    number = content.get("format")
    if isinstance(number, int) and number > FORMAT:
        raise InputError(
            f"{path} has format {number}, but this agewise reads format {FORMAT}.",
            hint="a newer agewise has written it: install that one, or choose another `directory`.",
        )
    if number != FORMAT or content.pop("seal", None) != _digest(content):
        raise damaged(path, "is not as a finished run has left it")
    try:
        return TypeAdapter(Run).validate_python(content | {"directory": directory})
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise damaged(path, f"has nothing usable at {place!r}") from None


def _record(path: Path) -> dict[str, int | str]:
    return {"size": path.stat().st_size, "sha256": fingerprint(path)}


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _difference(there: Identity, here: Identity) -> str:
    """What sets two identities apart: up to three things, and how many more there are."""
    old, new = dict(_facts(there)), dict(_facts(here))
    names = [name for name in old | new if old.get(name) != new.get(name)]
    told = [
        f"{n} is {old.get(n, 'absent'):.32} there, {new.get(n, 'absent'):.32} here" for n in names
    ]
    return "; ".join(told[:3]) + (f"; and {len(told) - 3} more" if len(told) > 3 else "")


def _facts(identity: Identity) -> Iterator[tuple[str, str]]:
    yield "method", identity.method
    yield "seed", str(identity.seed)
    yield from _leaves(identity.settings, "setting ")
    yield from ((f"sha256 of the {name}", digest) for name, digest in identity.inputs.items())


def _leaves(settings: dict[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    """Nested settings by dotted names, such as training.steps."""
    for name, value in settings.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", json.dumps(value)


@contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Hold a folder by a lock that ends with this process, however it ends; False if another does.

    A process number would not do: containers that share a disk number their processes alike.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    held = False
    try:
        with suppress(OSError):  # Held elsewhere, or a disk without locks: then nothing is swept.
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held = True
        yield held
    finally:
        os.close(descriptor)


def _sweep(target: Path) -> None:
    """Remove what killed writers of this run have left behind."""
    name = f".{glob.escape(target.name)}.writing-{'[0-9a-f]' * 16}"
    with suppress(OSError):
        for folder in target.parent.glob(name):
            with _held(folder) as abandoned:
                if abandoned:
                    shutil.rmtree(folder, ignore_errors=True)
