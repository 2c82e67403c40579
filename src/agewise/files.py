"""Every file appears whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agewise.errors import InputError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside `path`; on success it takes the place of `path` at once.

    When the block raises, the temporary file is removed and what stood at `path` is untouched.
    The temporary name keeps the suffix, because writers choose a format by it.
    """
    prepare(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        _flush_to_disk(temporary)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path`, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def prepare(path: Path, *, inputs: tuple[Path, ...] = ()) -> None:
    """Make the folder of an output file; refuse early what must not be replaced by it."""
    if path.resolve() in {given.resolve() for given in inputs}:
        raise InputError(
            f"{path} is an input, and would be overwritten.", hint="choose another path."
        )
    if path.exists() and not path.is_file():
        raise InputError(
            f"{path} is not a regular file, so it is not replaced.", hint="choose another path."
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise InputError(
            f"{path.parent} is a file, but a folder is needed there.",
            hint="choose another path, or move that file away.",
        ) from None


def _flush_to_disk(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _umask() -> int:
    # The umask can only be read by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return mask
