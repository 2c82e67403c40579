"""Every file appears whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agewise.errors import InputError

LONGEST_STEM = 40
"""Number of characters of a file's name that its temporary name repeats.

A name has at most 255 bytes, and the temporary one is longer by its mark.
"""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside `path`; on success it takes the place of `path` at once.

    When the block raises, the temporary file is removed and what stood at `path` is untouched.
    The temporary name keeps the suffix, because writers choose a format by it.
    """
    prepare(path)
    stem, mark = path.stem[:LONGEST_STEM], secrets.token_hex(8)
    # In the same folder, since a file takes another's place at once on one file system only.
    temporary = path.with_name(f".{stem}-{mark}{path.suffix}")
    # Made here with the permissions of any new file, since writers may fail before they open it:
    # the system itself takes the umask off, which could only be read by changing it.
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        yield temporary
        # Before the new name: a power cut after it could leave that name with an empty file.
        flush_to_disk(temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` in UTF-8 with the same line ends everywhere, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def prepare(path: Path) -> None:
    """Make the folder of an output file; refuse early what cannot be replaced by a file."""
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


def same_file(first: Path, second: Path) -> bool:
    """Whether two paths lead to one file: by links, by letter case, or because both are new."""
    if first.exists() and second.exists():
        return first.samefile(second)
    # A disk may take both cases of a name for one: then the second file would replace the first.
    return str(first.resolve()).casefold() == str(second.resolve()).casefold()


def flush_to_disk(path: Path) -> None:
    """Wait until the content of a file has reached the disk."""
    # Windows flushes only what is open for writing.
    with path.open("rb+") as file:
        os.fsync(file.fileno())
