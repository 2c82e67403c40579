"""The library's problems by agewise and by DeepXDE, one after the other: errors and seconds.

    .venv/bin/python benchmarks/library_side_by_side.py                 # what is missing, table
    .venv/bin/python benchmarks/library_side_by_side.py --table --docs  # kept cells, into docs

Both are point estimates of seed 0 on one thread: `map` with its defaults, and DeepXDE as
`library_deepxde.py` runs it. Each fit has a process of its own, and the two of a problem follow on
each other, so that they have the same machine. Errors are taken at the same kind of random points;
seconds are the processor's, compilation included.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from marked import write_between_marks

from agewise.files import write_text
from agewise.library import CLASSES

HERE = Path(__file__).parent
CELLS = HERE / "cells" / "side_by_side"
"""Where both numbers of each problem are kept."""
PAGE = HERE.parent / "docs" / "problems.md"
"""Where the table stands."""
PEER = HERE.parent / "build" / "bench-deepxde" / "bin" / "python"
"""The interpreter of DeepXDE's environment."""
LIMIT = 60
"""Seconds of the processor that DeepXDE has."""
LEFT_OUT = ("transformer-heat",)
"""Problems without a statement for DeepXDE: what `agewise assess` solves; `peers.py` times it."""
HEAD = ("problem", "agewise: relative L2", "processor s", "DeepXDE: relative L2", "processor s")

Row = dict[str, Any]


def main() -> None:
    """Fill in what is missing and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--problems", default=",".join(n for n in CLASSES if n not in LEFT_OUT))
    parser.add_argument("--table", action="store_true", help="of kept cells alone")
    parser.add_argument("--docs", action="store_true", help=f"write the table into {PAGE.name}")
    asked = parser.parse_args()
    names = asked.problems.split(",")
    for name in [] if asked.table else names:
        path = CELLS / f"{name}.json"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, json.dumps(both(name), indent=1) + "\n")
            print(name, file=sys.stderr, flush=True)
    kept = {name: CELLS / f"{name}.json" for name in names}
    rows = {name: json.loads(path.read_text()) for name, path in kept.items() if path.exists()}
    text = table(rows)
    print(text)
    if asked.docs:
        write_between_marks(PAGE, "side by side", text)


def both(name: str) -> Row:
    """What each of the two reaches on a problem."""
    with TemporaryDirectory() as folder:
        return {"agewise": ours(name, Path(folder)), "deepxde": theirs(name, Path(folder))}


def ours(name: str, folder: Path) -> Row:
    """Error by function, and seconds, of `map`."""
    command = Path(sys.executable).with_name("agewise"), "benchmark", name
    wanted = ["--methods", "map", "--draws", "1", "--jobs", "1"]
    places = ["--out", folder / "page", "--cells", folder / "cells"]
    subprocess.run([*command, *wanted, *places], check=True, capture_output=True)
    cell = json.loads((folder / "cells" / name / "map" / "0.json").read_text())
    errors = {key: each["relative_l2"] for key, each in cell["functions"].items()}
    return {"relative_l2": errors, "seconds": cell["processor_seconds"]}


def theirs(name: str, folder: Path) -> Row:
    """Error by function, and seconds, of DeepXDE."""
    truth = folder / "library.npz"
    subprocess.run([sys.executable, HERE / "library_truth.py", truth], check=True)
    command = [PEER, HERE / "library_deepxde.py", truth, "--names", name, "--limit", str(LIMIT)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # DeepXDE greets on the same channel before the script prints its one object.
    result = json.loads(said[said.index("{\n") :])[name]
    return {key: result[key] for key in ("relative_l2", "seconds")}


def table(rows: dict[str, Row]) -> str:
    """A line for each problem, and who is ahead on how many."""
    lines = [f"| {' | '.join(HEAD)} |", "|" + "---|" * len(HEAD)]
    for name, row in rows.items():
        cells = [cell for peer in ("agewise", "deepxde") for cell in told(row[peer])]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    behind = [name for name, row in rows.items() if not ahead(row)]
    others = ", ".join(f"`{name}`" for name in behind) or "none"
    lines += ["", f"agewise has the smaller error on {len(rows) - len(behind)} of {len(rows)}."]
    return "\n".join(lines) + f" DeepXDE is ahead on: {others}."


def told(result: Row) -> list[str]:
    """Errors, named where there are several functions, and seconds."""
    errors = result["relative_l2"]
    named = ", ".join(f"{key} {error:.2g}" for key, error in errors.items())
    text = named if len(errors) > 1 else f"{next(iter(errors.values())):.2g}"
    return [text, f"{result['seconds']:.0f}"]


def ahead(row: Row) -> bool:
    """Whether our worst error of a problem's functions is below theirs."""
    worst = {peer: max(row[peer]["relative_l2"].values()) for peer in ("agewise", "deepxde")}
    return worst["agewise"] < worst["deepxde"]


if __name__ == "__main__":
    main()
