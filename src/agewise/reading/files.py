"""Which files are meant: one, several, all of a folder, or all that a pattern names."""

from collections.abc import Sequence
from pathlib import Path

from agewise.errors import InputError
from agewise.plant.notes import and_text, listed

Files = str | Path | Sequence[str | Path]
"""A file, a folder, a pattern such as `2025-*.csv`, or several of these."""

SUFFIXES = (".csv", ".tsv", ".txt", ".dat", ".gz", ".parquet", ".pq", ".xlsx")
"""Endings of the files in a folder that are read; others are passed over."""
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
    places = [path.resolve() for path in paths]
    twice = [path for path, place in zip(paths, places, strict=True) if places.count(place) > 1]
    if twice:
        raise InputError(f"{twice[0]} is given twice.", hint="name each file once.")
    return tuple(paths)


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
    if not path.exists() and any(sign in str(path) for sign in WILD):
        found = [file for file in sorted(path.parent.glob(path.name)) if _is_shown(file)]
        if not found:
            raise InputError(
                f"No file is called {path}.",
                hint="check the path; signs such as * work in the name, not in folders.",
            )
        return found
    return [path]


def _folder(folder: Path) -> list[Path]:
    inside = [path for path in sorted(folder.iterdir()) if _is_shown(path)]
    tables = [path for path in inside if path.suffix.lower() in SUFFIXES]
    if not tables:
        others = listed([path.name for path in inside])
        raise InputError(
            f"{folder} is a folder without a table in it.",
            hint=f"it has: {others or 'no files'}; name a file, or a folder with CSV, Parquet or "
            ".xlsx files.",
        )
    return tables


def _is_shown(path: Path) -> bool:
    """Whether a path is a file that a person sees in its folder."""
    # Excel locks an open workbook by a file ~$name beside it; dots hide files of the system.
    return path.is_file() and not path.name.startswith(("~$", "."))
