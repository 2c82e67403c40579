"""The house stands in storeys: lower never imports higher, neighbours do not import each other."""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from itertools import chain
from pathlib import Path

import pytest

import agewise

ROOT = Path(agewise.__file__).parent
STOREYS = [
    {"without_dask"},
    {"types", "files", "errors", "units", "threads", "second_process", "arrays"},
    {"engine.networks", "engine.uncertainty", "engine.training"},
    {"engine.problems"},
    {"engine.posterior"},
    {"engine.splines"},
    {"engine.objective", "engine.equations.functions"},
    {"engine.equations.settings", "engine.equations.objective"},
    {"engine.equations.statement"},
    {"engine.equations.posterior"},
    {"engine.equations.fitting"},
    {"engine.equations.draws"},
    {"engine.equations.methods"},
    {"engine.equations", "engine.inference"},
    {"engine.presets", "engine.fit", "engine.conformal_constants"},
    {"engine"},
    {"transformer"},
    {"plant", "library"},
    {"quality", "twin"},
    {"reading"},
    {"store"},
    {"assessment"},
    {"report"},
    {"benchmark"},
    {"fleet"},
    {"server"},
    {"cli"},
]
NEIGHBOURS_ALLOWED = {("files", "errors"), ("arrays", "errors"), ("arrays", "files")}
MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


@cache
def trees() -> dict[Path, ast.Module]:
    """Every module, read once, and only by the process whose tests look into them."""
    return {path: ast.parse(path.read_text("utf-8")) for path in MODULES}


def part_of(names: list[str]) -> str:
    """The part of the package that a module belongs to; the engine counts by its rooms, and the
    room for any equation by its own."""
    depth = 3 if names[:2] == ["engine", "equations"] else 2 if names[0] == "engine" else 1
    return ".".join(names[:depth])


def part(path: Path) -> str:
    inside = path.relative_to(ROOT).with_suffix("").parts
    return part_of([name for name in inside if name != "__init__"])


def storey(part: str) -> int:
    (level,) = (n for n, parts in enumerate(STOREYS) if part in parts)
    return level


def imported(tree: ast.AST) -> Iterator[str]:
    """The parts of this package that a module imports, also inside its functions."""
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        ours = (name.split(".") for name in names)
        yield from (part_of(name[1:]) for name in ours if name[0] == "agewise" and len(name) > 1)


def test_lower_never_imports_higher():
    for path, tree in trees().items():
        here = part(path)
        for there in set(imported(tree)) - {"__version__", here}:
            allowed = storey(there) < storey(here) or (here, there) in NEIGHBOURS_ALLOWED
            assert allowed, f"{path}: {here} imports {there}"


def test_the_transformer_knows_of_the_engine_what_a_method_and_a_problem_are():
    """It offers a problem and one method; how networks are built is not its business."""
    known = {"problems", "posterior", "splines", "training", "uncertainty"}
    for path in (ROOT / "transformer").rglob("*.py"):
        parts = set(imported(trees()[path]))
        rooms = {name.split(".")[1] for name in parts if name.startswith("engine.")}
        assert rooms <= known, f"{path.name} imports {rooms - known}"


def test_no_module_imports_itself_by_way_of_others():
    names = {".".join(("agewise", *p.relative_to(ROOT).with_suffix("").parts)): p for p in MODULES}
    sorter = TopologicalSorter({name: set() for name in names})
    for name, path in names.items():
        for node in ast.walk(trees()[path]):
            if isinstance(node, ast.ImportFrom) and node.module:
                below = (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
                sorter.add(name, *(other for other in below if other in names))
    sorter.prepare()  # raises CycleError, which names the circle


def test_every_part_has_a_storey():
    known = set(chain(*STOREYS))
    assert {part(path) for path in MODULES} <= known


def test_an_unknown_part_is_refused():
    with pytest.raises(ValueError, match="not enough values"):
        storey("utils")


def run_at_import(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what lies below it, but not the bodies of functions."""
    yield node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        for child in ast.iter_child_nodes(node):
            yield from run_at_import(child)


def from_import(tree: ast.AST, *modules: str) -> set[str]:
    """Names that are imported from some modules when this one is."""
    found = (node for node in run_at_import(tree) if isinstance(node, ast.ImportFrom))
    return {alias.name for node in found if node.module in modules for alias in node.names}


def test_importing_changes_no_global_switch_of_jax():
    for path, tree in trees().items():
        assert "config" not in from_import(tree, "jax", "jax.config"), path
        for node in run_at_import(tree):
            attribute = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
            assert not attribute.startswith("jax.config"), path


def test_annotations_are_seen_at_run_time():
    for path, tree in trees().items():
        assert "annotations" not in from_import(tree, "__future__"), path
