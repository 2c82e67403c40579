"""TOML files, read with one sentence for whatever is wrong with them."""

import tomllib
from pathlib import Path
from typing import Any

from agewise.errors import InputError

MOST_BYTES = 1_000_000
"""Size of the largest file that is parsed: a nameplate has about a thousand bytes."""


def read_toml(path: str | Path, *, example: str) -> dict[str, Any]:
    """The keys and tables of a TOML file; `example` is the hint that says where one is shown."""
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder, not a file.", hint="name the file in it.")
    if not path.is_file():
        raise InputError(f"There is no file {path}.", hint="check the path.")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path} is too large to be a settings file in TOML.", hint=example)
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
    except RecursionError:
        complaint = "its brackets are nested too deeply"
    except ValueError as error:  # also integers of thousands of digits
        complaint = " ".join(str(error).split())[:160].rstrip(".")
    raise InputError(f"{where} is not valid TOML: {complaint}.", hint=example)
