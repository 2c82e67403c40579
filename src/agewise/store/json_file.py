"""JSON files that people and every reader can read."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agewise.arrays import damaged
from agewise.files import write_text


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write an object as JSON, whole or not at all; a number that is not finite is refused."""
    # Sorted, so that equal content has equal bytes, in whichever order it was put together.
    text = json.dumps(content, sort_keys=True, indent=2, allow_nan=False, ensure_ascii=False)
    write_text(path, text + "\n")


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file that we have written; an `InputError` where there is none."""
    if not path.is_file():
        raise damaged(path, "is missing")
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):  # brackets nested too deep exhaust the parser
        raise damaged(path, "is not valid JSON") from None
    if not isinstance(content, dict):
        raise damaged(path, "does not hold a JSON object")
    return content
