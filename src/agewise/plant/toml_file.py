"""TOML files, read with one sentence for whatever is wrong with them."""

import re
import tomllib
from pathlib import Path
from typing import Any

from agewise.errors import InputError

MOST_BYTES = 1_000_000
"""Largest file that is parsed [bytes]: a nameplate has about a thousand."""
SHORT_DATE = re.compile(r"=\s*(\d{4}-\d{2})\s*(?:#.*)?$", re.MULTILINE)
"""A month without its day, which TOML does not know."""


def read_toml(path: str | Path, *, example: str) -> dict[str, Any]:
    """The keys and tables of a TOML file.

    Args:
        path: The file.
        example: Hint for a file that cannot be used, saying where a good one is shown.
    """
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder, not a file.", hint="name the file in it.")
    if not path.is_file():
        raise InputError(f"There is no file {path}.", hint="check the path.")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path} is too large to be a settings file in TOML.", hint=example)
        # Editors of Windows put a byte-order mark first, which the parser refuses.
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path} is not a text file.", hint=example) from None
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror or error}.", hint="check its permissions."
        ) from None
    return parsed_toml(text, where=str(path), example=example)


def parsed_toml(text: str, *, where: str, example: str) -> dict[str, Any]:
    """The keys and tables of a TOML text; `where` names it in errors."""
    try:
        return tomllib.loads(text)
    except RecursionError:  # the parser calls itself for each bracket
        complaint = "its brackets are nested too deeply"
    except ValueError as error:  # also integers of thousands of digits
        complaint = " ".join(str(error).split())[:160].rstrip(".")
    short = SHORT_DATE.search(text)
    if short is not None:
        example = f"write a date in full: {short[1]}-01 instead of {short[1]}."
    raise InputError(f"{where} is not valid TOML: {complaint}.", hint=example)
