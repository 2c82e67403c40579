"""Which files are meant: one, several, all of a folder, or all that a pattern names."""

from collections.abc import Sequence
from pathlib import Path

from agewise.errors import InputError
from agewise.plant.notes import and_text, listed
from agewise.reading.table.dialect import SAMPLE_BYTES, dialect_of
from agewise.reading.table.encoding import utf8

Files = str | Path | Sequence[str | Path]
"""A file, a folder, a pattern such as `2025-*.csv`, or several of these."""

SUFFIXES = (".csv", ".tsv", ".txt", ".dat", ".gz", ".parquet", ".pq", ".xlsx")
"""Endings of the files in a folder that are read; others are passed over."""
PROSE = ".txt"
"""Ending of files that may be tables, and are as often a letter or what a plate says."""
DOCUMENTS = (".pdf", ".doc", ".docx", ".odt", ".rtf", ".eml", ".msg", ".xls", ".ods", ".zip", ".7z")
"""Endings of files in a folder that are not read, and may hold what a person counts on."""
WILD = "*?["
"""Signs of a pattern, which some shells leave to the program."""
MOST_NAMED = 3
"""Most files that a sentence names one by one."""


def given_files(given: Files) -> tuple[Path, ...]:
    """The files that were given, in the order of their names within a folder or a pattern.

    Raises `InputError` where a folder or a pattern has none, or a file is named twice.
    """
    alone = isinstance(given, str | Path)
    paths = [path for each in ([given] if alone else given) for path in _files(Path(each))]
    if not paths:
        raise InputError("No file is given.", hint="name one, or a folder of them.")
    # Resolved, so that two spellings of one path are found.
    places = [path.resolve() for path in paths]
    twice = [path for path, place in zip(paths, places, strict=True) if places.count(place) > 1]
    if twice:
        raise InputError(f"{twice[0]} is given twice.", hint="name each file once.")
    return tuple(paths)


def left_out(given: Files) -> tuple[Path, ...]:
    """Files of the given folders that hold no table that is read here, and that a sentence names.

    Text without a table, such as a mail, and documents; our own TOML files, pictures and the like
    are passed over in silence.
    """
    places = [given] if isinstance(given, str | Path) else given
    inside = [path for each in places if Path(each).is_dir() for path in _shown(Path(each))]
    return tuple(path for path in inside if path.suffix.lower() in DOCUMENTS or is_prose(path))


def is_prose(path: Path) -> bool:
    """Whether a text file has no line that looks like the data of a table."""
    if path.suffix.lower() != PROSE or not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(SAMPLE_BYTES)
    try:
        text = utf8(head, str(path))
    except InputError:  # no text at all, which is said when it is read
        return False
    try:
        return dialect_of(text, str(path)).header.rows == 0
    except InputError as error:
        # Prose has no line of two cells; any other complaint is about a table.
        return "two cells" in error.sentence


def named(paths: Sequence[Path]) -> str:
    """What files are called in sentences: by name, or by the first, the last and their number."""
    if len(paths) == 1:
        return str(paths[0])
    names = [path.name for path in paths]
    if len(names) <= MOST_NAMED:
        return and_text(names)
    return f"{len(names)} files ({names[0]} to {names[-1]})"


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return _folder(path)
    # A file that is really called so is no pattern.
    if not path.exists() and any(sign in str(path) for sign in WILD):
        matches = [file for file in sorted(path.parent.glob(path.name)) if _is_shown(file)]
        if not matches:
            raise InputError(
                f"No file is called {path}.",
                hint="check the path; wildcards such as * work in names of files, not of folders.",
            )
        return matches
    return [path]


def _folder(folder: Path) -> list[Path]:
    inside = _shown(folder)
    tables = [path for path in inside if path.suffix.lower() in SUFFIXES and not is_prose(path)]
    if not tables:
        others = listed([path.name for path in inside])
        raise InputError(
            f"{folder} is a folder without a table in it.",
            hint=f"it has: {others or 'no files'}; name a file, or a folder with CSV, Parquet or "
            ".xlsx files.",
        )
    return tables


def _shown(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.iterdir()) if _is_shown(path)]


def _is_shown(path: Path) -> bool:
    """Whether a path is a file that a person sees in its folder."""
    # Excel locks an open workbook by a file ~$name beside it; dots hide files of the system.
    return path.is_file() and not path.name.startswith(("~$", "."))
