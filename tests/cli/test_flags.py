"""Hints name arguments as Python does below the command line, and flags on it."""

import ast
import re
from pathlib import Path

import pytest

import agewise
import reproduction.registry
from agewise.cli import commands_by_name
from agewise.cli.flags import ELSEWHERE, with_flags

COMMANDS = commands_by_name()
FLAG = re.compile(r"(?<![\w-])--[a-z]")
SOURCE, EXPERIMENTS = Path(agewise.__file__).parent, Path(reproduction.registry.__file__).parent
BELOW = [p for p in (*SOURCE.rglob("*.py"), *EXPERIMENTS.glob("*.py")) if "cli" not in p.parts]


def error_texts(path: Path) -> list[str]:
    """Every string inside what makes an error or a hint."""
    tree = ast.parse(path.read_text("utf-8"))
    makers = [
        node
        for node in ast.walk(tree)
        if (isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("InputError", "note"))
        or (isinstance(node, ast.Assign) and "hint" in ast.unparse(node.targets[0]).lower())
    ]
    parts = (part for maker in makers for part in ast.walk(maker) if isinstance(part, ast.Constant))
    return [part.value for part in parts if isinstance(part.value, str)]


def test_no_error_below_the_command_line_names_a_flag():
    texts = {text: path for path in BELOW for text in error_texts(path)}
    assert len(texts) > 200
    assert not [(path, text) for text, path in texts.items() if FLAG.search(text)]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_of_a_command_is_written_as_its_flag(name: str):
    for parameter in COMMANDS[name].params:
        written = with_flags(f"give `{parameter.name}`, or not.", COMMANDS[name].params)
        positional = parameter.param_type_name == "argument"
        expected = parameter.name.upper() if positional else parameter.opts[0]
        assert written == f"give {expected}, or not."


@pytest.mark.parametrize(
    ("command", "python", "typed"),
    [
        ("assess", "`resume=True`", "--resume"),
        ("assess", '`method="vi"`', "--method vi"),
        ("assess", "`directory`", "--out"),
        ("assess", "`window_days=8`", "--window 8"),
        ("assess", '`units={"load": "A", "ambient": "F"}`', "--units load=A,ambient=F"),
        ("check", '`columns={"time": "Date, UTC"}`', "--columns 'time=Date, UTC'"),
        ("check", '`time_format="%d/%m/%Y %H:%M"`', "--time-format '%d/%m/%Y %H:%M'"),
        ("thermal", "`rated_load=1443`", "--rated 1443"),
        ("thermal", '`thresholds={"stuck_min": 90}`', "--threshold stuck_min=90"),
        ("predict", "`directory`", "RUN"),
        ("compare", "`seed=3`", "--twin-seeds 3"),
        ("score", "`resume=True`", "resume=True"),
        ("score", "`make demo`", "`make demo`"),
        ("solve", "`grid=Grid(51, 10)`", "--grid"),
    ],
)
def test_values_are_written_as_a_user_types_them(command: str, python: str, typed: str):
    assert with_flags(f"Say {python}.", COMMANDS[command].params) == f"Say {typed}."


def test_other_names_stand_for_parameters_that_exist():
    known = {parameter.name for command in COMMANDS.values() for parameter in command.params}
    assert {name for names in ELSEWHERE.values() for name in names} <= known
