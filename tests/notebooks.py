"""Notebooks of the documentation, executed: `python -m tests.notebooks` writes their outputs.

A kernel would take longer to start than our notebooks take to run, so their cells are executed here
in order, in one namespace, and what a notebook would show of the last line of each is kept.
"""

import ast
import base64
import contextlib
import io
import json
import os
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of its code cells, run in the present folder."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            shown = _outputs("".join(cell["source"]), namespace, count)
            cell = {**cell, "execution_count": count, "outputs": shown}
        cells.append(cell)
    return {**notebook, "cells": cells}


def _outputs(source: str, namespace: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """What a cell prints, and its last line where that is an expression."""
    tree, printed = ast.parse(source), io.StringIO()
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body.pop()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {count}", "exec"), namespace)
        value = None
        if isinstance(last, ast.Expr):
            code = compile(ast.Expression(last.value), f"cell {count}", "eval")
            value = eval(code, namespace)
    stream = {"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())}
    result = {"output_type": "execute_result", "metadata": {}, "execution_count": count}
    return [
        *([stream] if stream["text"] else []),
        *([{**result, "data": _data(value)}] if value is not None else []),
    ]


def _data(value: Any) -> dict[str, Any]:
    """A value in the forms that a notebook can show, by media type."""
    # The page of xarray brings its own scripts; its text says as much.
    own = type(value).__module__.split(".")[0] != "xarray"
    data: dict[str, Any] = {"text/plain": _lines(repr(value))}
    if own and (page := getattr(value, "_repr_html_", lambda: None)()):
        data["text/html"] = _lines(page)
    if picture := getattr(value, "_repr_png_", lambda: None)():
        data["image/png"] = base64.b64encode(picture).decode()
    return data


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def read(path: Path) -> dict[str, Any]:
    """The notebook in a file."""
    return json.loads(path.read_text("utf-8"))


def main() -> None:
    """Execute every notebook, and write it back with what it shows."""
    for path in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            done = executed(read(path))
        path.write_text(json.dumps(done, indent=1, ensure_ascii=False) + os.linesep, "utf-8")


if __name__ == "__main__":
    main()
