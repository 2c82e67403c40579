"""Cells: one method on one draw of one problem, worked out once and kept as a small file."""

import ast
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from agewise.files import write_text

# Nothing here loads JAX at the top: a process sets its threads first.

ROOT, ROOMS = Path(__file__).parents[1], ("engine", "library")
"""The package, and its rooms that decide what a cell holds."""
DIGITS = 6
"""Number of significant digits of a number in a cell."""
LONGEST = 300
"""Number of characters of an error that are kept."""
Outcome = Literal["done", "refused", "failed", "unfinished"]
"""How a cell ended: with numbers; a method that says why it does not serve this problem; an error;
or not within the limit of time."""


@dataclass(frozen=True)
class Exercise:
    """A problem of the library, perhaps at another level of noise than its own."""

    problem: str
    """Name of the problem in the library."""
    noise: float | None = None
    """Standard deviation of the noise in the unit of its readings; None for the problem's own."""

    @property
    def name(self) -> str:
        """The text that stands for it: `poisson-inverse@0.1` with another noise."""
        return self.problem if self.noise is None else f"{self.problem}@{self.noise:g}"

    def made(self, seed: int) -> Any:
        """The problem with readings of this seed."""
        from agewise.library import KNOWN

        # Not every problem takes a noise, so that none is passed unless one is asked for.
        given = {} if self.noise is None else {"noise": self.noise}
        return KNOWN[self.problem](seed=seed, **given)


@dataclass(frozen=True)
class Cell:
    """One method on one draw of a problem."""

    exercise: Exercise
    """Problem that is fitted, with its noise."""
    method: str
    """Name of the method, perhaps with what makes its bands, as `vi+conformal`."""
    seed: int
    """Seed of readings and fit."""

    def path(self, folder: Path) -> Path:
        """Its file."""
        return folder / self.exercise.name / self.method / f"{self.seed}.json"

    def stored(self, folder: Path) -> dict[str, Any] | None:
        """Its content in a folder; None where there is none, or it was cut short."""
        try:
            content = json.loads(self.path(folder).read_text("utf-8"))
        except (OSError, ValueError):
            return None
        # A file may be valid JSON and yet not a cell.
        return content if isinstance(content, dict) and "outcome" in content else None

    def wanted(self, folder: Path, limit: float) -> bool:
        """Whether it has still to be worked out: one that did not finish, once there is more time.

        Args:
            folder: Folder of the cells.
            limit: Time that it may take [s].
        """
        content = self.stored(folder)
        if content is None:
            return True
        # Refusals and failures are answers too, and are not tried again.
        return content["outcome"] == "unfinished" and content["limit"] < limit

    def write(self, folder: Path, outcome: Outcome, **content: Any) -> None:
        """Keep how it ended, whole or not at all."""
        head = {
            "problem": self.exercise.name,
            "method": self.method,
            "seed": self.seed,
            "outcome": outcome,
        }
        # No NaN: `rounded` has made them None, and another reader's JSON would not take them.
        text = json.dumps(head | rounded(content), indent=1, allow_nan=False, ensure_ascii=False)
        write_text(self.path(folder), text + "\n")


def worked_out(cells: Sequence[Cell], folder: Path) -> int:
    """Fit and judge cells of one draw of one problem, keep them, and return how many.

    One that is refused or fails is kept as such, with its sentence.
    """
    # Here, after the process has set its threads.
    import warnings

    import jax

    from agewise.benchmark.judging.judged import judged
    from agewise.errors import InputError
    from agewise.store.run import versions

    # One draw of one problem: every cell of a piece has the same.
    first, methods = cells[0], [cell.method for cell in cells]
    outcome, sentence, scores = "done", "", {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a check that fails stands in its cell
            scores = judged(first.exercise.made(first.seed), methods, seed=first.seed)
    except InputError as error:
        outcome, sentence = "refused", error.sentence
    except MemoryError:
        outcome, sentence = "failed", "There was not enough memory."
    except Exception as error:  # whatever a method stumbles over is an entry of the table
        # The texts of JAX's errors go on for pages.
        first = next(iter(str(error).splitlines()), "")[:LONGEST]
        outcome, sentence = "failed", f"{type(error).__name__}: {first}"
    finally:
        # Programs compiled for one problem are of no use to the next, and memory runs short.
        jax.clear_caches()
    for cell in cells:
        # One sentence for all: a shared fit that fails does so for each of its methods.
        if outcome == "done":
            code_versions = versions() | {"code": fingerprint()}
            cell.write(folder, "done", versions=code_versions, **scores[cell.method])
        else:
            cell.write(folder, outcome, sentence=sentence)
    return len(cells)


@cache
def fingerprint() -> str:
    """Eight letters that change with the code of engine and library, by which cells of an earlier
    state are told; not with its comments and docstrings."""
    code = sha256()
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        # The path too, so that a file that was moved counts as another state.
        code.update(path.relative_to(ROOT).as_posix().encode())
        code.update(_syntax(ast.parse(path.read_bytes())).encode())
    return code.hexdigest()[:8]


def _syntax(part: Any) -> str:
    """What a part of a syntax tree does, in words: where it stands and what it says of itself left
    out."""
    if isinstance(part, list):
        # A text that stands alone does nothing: a docstring, of a field too.
        return f"[{','.join(_syntax(item) for item in part if not _is_remark(item))}]"
    if isinstance(part, ast.Constant):
        return repr(part.value)
    if not isinstance(part, ast.AST):
        return repr(part)
    # Not `ast.dump`: fields that are empty are shown by some versions of Python and not by others.
    told = [(name, value) for name, value in ast.iter_fields(part) if value not in (None, [])]
    return f"{type(part).__name__}({','.join(f'{name}={_syntax(v)}' for name, v in told)})"


def _is_remark(part: Any) -> bool:
    if not isinstance(part, ast.Expr) or not isinstance(part.value, ast.Constant):
        return False
    return isinstance(part.value.value, str)


def rounded(value: Any) -> Any:
    """Numbers with as many digits as anybody reads; None for what is no number."""
    if isinstance(value, dict):
        return {name: rounded(item) for name, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if not isinstance(value, float):
        return value
    # JSON has no infinities.
    return float(f"{value:.{DIGITS}g}") if abs(value) < float("inf") else None
