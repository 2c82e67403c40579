"""How a package is built, in figures: length of files and functions, words, annotations, cycles.

    .venv/bin/python benchmarks/house.py src/agewise PATH_OF_ANOTHER_PACKAGE ...

prints a table in Markdown, a row a package. Tests inside a package are left out. Nothing is
imported or run: the source is read.
"""

import ast
import io
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import median

HEADER = (
    "package",
    "files",
    "lines",
    "median file",
    "longest file",
    "median function",
    "docstrings",
    "comments",
    "arguments annotated",
    "import cycle",
)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
NOT_ARGUMENTS = {"self", "cls"}


@dataclass(frozen=True)
class Module:
    """A file of a package: its dotted name, its lines and its syntax tree."""

    name: str
    text: str
    tree: ast.Module
    is_package: bool

    @property
    def lines(self) -> int:
        return len(self.text.splitlines())


def modules(root: Path) -> list[Module]:
    """Every file of a package but for tests."""
    found = []
    for path in sorted(root.rglob("*.py")):
        inside = path.relative_to(root.parent).with_suffix("").parts
        if {"tests", "test", "_tests"} & set(inside) or path.name.startswith("test_"):
            continue
        text = path.read_text("utf-8")
        name = ".".join(inside).removesuffix(".__init__")
        found.append(Module(name, text, ast.parse(text), path.name == "__init__.py"))
    return found


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method, also those inside others."""
    return (node for node in ast.walk(tree) if isinstance(node, DEFINITIONS))


def function_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function from `def` on, without its docstring."""
    lines = (node.end_lineno or 0) - node.lineno + 1
    if ast.get_docstring(node, clean=False) is None:
        return lines
    return lines - ((node.body[0].end_lineno or 0) - node.body[0].lineno + 1)


def docstring_lines(tree: ast.AST) -> int:
    """Lines of texts that stand for themselves: docstrings, and those below attributes."""
    return sum(
        (node.end_lineno or 0) - node.lineno + 1
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def comment_lines(text: str) -> int:
    """Lines that hold a comment for people; words to tools (`noqa`, `pyright:`) do not count."""
    tools = ("noqa", "type:", "pyright:", "pragma", "ruff:", "pylint:", "!")
    return len(
        {
            token.start[0]
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type == tokenize.COMMENT
            and not token.string.lstrip("# ").lower().startswith(tools)
        }
    )


def annotated(tree: ast.AST) -> tuple[int, int]:
    """Arguments with an annotation, and all arguments, of every function."""
    arguments = [
        argument
        for node in functions(tree)
        for argument in [
            *node.args.posonlyargs,
            *node.args.args,
            *node.args.kwonlyargs,
            *filter(None, (node.args.vararg, node.args.kwarg)),
        ]
        if argument.arg not in NOT_ARGUMENTS
    ]
    return sum(argument.annotation is not None for argument in arguments), len(arguments)


def run_at_import(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what lies below it, but neither bodies of functions nor `TYPE_CHECKING`."""
    yield node
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    if not isinstance(node, DEFINITIONS):
        for child in ast.iter_child_nodes(node):
            yield from run_at_import(child)


def imported(module: Module) -> Iterator[str]:
    """Dotted names that a module imports when it is imported itself."""
    parts = module.name.split(".")
    here = parts if module.is_package else parts[:-1]
    for node in run_at_import(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            below = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{below}.{alias.name}" for alias in node.names)


def cycle(package: list[Module]) -> int:
    """How many modules the first import cycle joins; 0 where there is none.

    `from . import name` counts as importing the module `name` where there is one, else the
    package itself; an `__init__` that gathers its own modules is not a cycle.
    """
    names = {module.name for module in package}
    graph: dict[str, set[str]] = {}
    for module in package:
        wanted = (name if name in names else name.rpartition(".")[0] for name in imported(module))
        graph[module.name] = {name for name in wanted if name in names and name != module.name}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return len(error.args[1]) - 1
    return 0


def row(root: Path) -> list[str]:
    """The figures of a package as cells of the table."""
    package = modules(root)
    lines = sum(module.lines for module in package)
    # A file that only gathers names says nothing about how long files are.
    files = [module.lines for module in package if not module.is_package or module.lines > 20]
    lengths = [function_lines(node) for module in package for node in functions(module.tree)]
    texts = sum(docstring_lines(module.tree) for module in package)
    comments = sum(comment_lines(module.text) for module in package)
    pairs = [annotated(module.tree) for module in package]
    with_type, arguments = (sum(column) for column in zip(*pairs, strict=True))
    joined = cycle(package)
    return [
        root.name,
        str(len(files)),
        str(lines),
        f"{median(files):.0f}",
        str(max(files)),
        f"{median(lengths):.0f}",
        f"{texts / lines:.0%}",
        f"{comments / lines:.1%}",
        f"{with_type / arguments:.0%}",
        f"of {joined}" if joined else "none",
    ]


def main(paths: list[str]) -> None:
    """Print the table of the packages at these paths."""
    print(f"| {' | '.join(HEADER)} |")
    print("|---" * len(HEADER) + "|")
    for path in paths:
        print(f"| {' | '.join(row(Path(path)))} |")


if __name__ == "__main__":
    main(sys.argv[1:] or ["src/agewise"])
