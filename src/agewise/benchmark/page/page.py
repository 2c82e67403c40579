"""The page of the benchmark, built from kept cells alone: verdicts, pictures and the table."""

from collections import Counter, defaultdict
from pathlib import Path

from agewise.benchmark.page.figures import pictures
from agewise.benchmark.page.overview import overview
from agewise.benchmark.page.table import csv_text, markdown_table
from agewise.benchmark.page.wording import (
    CAPTIONS,
    GLANCE,
    HEADING,
    INTRODUCTION,
    JUDGED,
    LEFT,
    MADE,
    NO_CLAIM,
    READ,
    STATES,
)
from agewise.benchmark.results import Results
from agewise.benchmark.verdicts.claims import claims
from agewise.files import replacing, write_text
from agewise.report.drawing.style import png

PAGE, TABLE, CELLS = "table.md", "table.csv", "cells"
"""Names of the page, of the table for programs, and of the folder of cells."""
DOCUMENT, CHOICES = "benchmark", "choose.md"
"""Names of the page and its folder of pictures in the documentation, and of that of choices."""
OVERVIEW, OVERVIEW_END = "<!-- overview -->", "<!-- end -->"
"""Marks between which the page of choices has one line for each method."""


def write_page(results: Results, out: Path) -> Path:
    """Write page, table and pictures into a folder; returns the path of the page."""
    for name, draw in pictures(results).items():
        _write_picture(out / f"{name}.png", png(draw()))
    write_text(out / TABLE, csv_text(results))
    write_text(out / PAGE, page_text(results))
    return out / PAGE


def write_documents(results: Results, docs: Path) -> None:
    """Write the page of the documentation with its pictures, and its lines on that of choices."""
    for name, draw in pictures(results).items():
        _write_picture(docs / DOCUMENT / f"{name}.png", png(draw()))
    write_text(docs / f"{DOCUMENT}.md", page_text(results, f"{DOCUMENT}/"))
    choices = docs / CHOICES
    write_text(choices, with_overview(choices.read_text("utf-8"), results))


def with_overview(text: str, results: Results) -> str:
    """A text with one line for each method between two marks, in place of what stood there."""
    # The marks stay, so that the next page finds them.
    before, _, rest = text.partition(OVERVIEW)
    _, _, after = rest.partition(OVERVIEW_END)
    return f"{before}{OVERVIEW}\n\n{overview(results)}\n\n{OVERVIEW_END}{after}"


def _write_picture(path: Path, content: bytes) -> None:
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def is_free(out: Path) -> bool:
    """Whether a page can be written to a folder: nothing is in its place but an earlier one."""
    page = out / PAGE
    # By its first line: somebody else's file of the same name is left alone.
    return not page.exists() or page.read_text("utf-8", errors="replace").startswith(HEADING)


def page_text(results: Results, folder: str = "") -> str:
    """The page without its pictures, which lie in a folder beside it."""
    drawn = pictures(results)
    shown = [
        f"![{text}]({folder}{name}.png)\n\n{text}"
        for name, text in CAPTIONS.items()
        if name in drawn
    ]
    tables = [f"### {name}\n\n{markdown_table(results, name)}" for name in results.problems]
    judged = f"{JUDGED}\n\n{verdicts(results)}"
    glance = f"{GLANCE}\n\n{overview(results)}"
    parts = [HEADING, INTRODUCTION, commands(results), glance, *shown, judged, READ, *tables]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def commands(results: Results) -> str:
    """The commands that make these cells anew."""
    wanted: dict[tuple[tuple[str, ...], int], list[str]] = defaultdict(list)
    for problem in results.problems:
        rows = [row for (name, _), row in results.rows.items() if name == problem]
        # Methods with as many draws are one command.
        for draws in dict.fromkeys(len(row.cells) for row in rows):
            methods = tuple(row.method for row in rows if len(row.cells) == draws)
            # Problems that were tried alike share a command.
            wanted[methods, draws].append(problem)
    lines = []
    for (methods, draws), problems in wanted.items():
        options = f"--methods {','.join(methods)} --draws {draws}"
        lines.append(f"    agewise benchmark {' '.join(problems)} {options} --out DIR")
    return "\n\n".join([MADE, "\n".join(lines), states(results)])


def states(results: Results) -> str:
    """How many cells were made by which state of the code."""
    counts = Counter(
        cell.get("versions", {}).get("code", "an earlier one")
        for row in results.rows.values()
        for cell in row.done
    )
    parts = [f"{count} by {state}" for state, count in sorted(counts.items())]
    return f"{STATES} {', '.join(parts)}." if parts else ""


def verdicts(results: Results) -> str:
    """Every claim about what was run, with our numbers and the verdict; the others by name."""
    lines = ["| system | problem | published | ours | verdict |", "|---|---|---|---|---|"]
    left: dict[str, None] = {}
    for claim in claims():
        ruled, quote = claim.rule(results), f"{claim.published} ({claim.source})"
        if not ruled.ran:
            left[f"{claim.system} on {claim.problem}"] = None
            continue
        lines.append(
            f"| {claim.system} | {claim.problem} | {quote} | {ruled.ours} | **{ruled.verdict}** |"
        )
    table = "\n".join(lines) if len(lines) > 2 else NO_CLAIM
    return f"{table}\n\n{LEFT} {', '.join(left)}." if left else table
