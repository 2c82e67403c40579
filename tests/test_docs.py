"""The documentation is true: its code runs, and what it names is there."""

import ast
import re
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from soon import soon_trained

import agewise
from agewise.cli import commands_by_name
from agewise.engine import presets
from agewise.engine.equations import settings
from agewise.twin.twin import TwinSettings, make_twin
from agewise.twin.twin_file import write_twin

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")]


SNIPPETS = ["model", "bpinn", "api", "problems", "equations", "fleet", "watch"]
"""Pages whose code runs."""


@pytest.mark.parametrize(
    "page",
    [pytest.param(f"docs/{name}.md", marks=pytest.mark.xdist_group(name)) for name in SNIPPETS],
)
def test_python_snippets_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    snippets = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
    assert snippets
    write_twin(make_twin(TwinSettings(seed=0, days=0.5)), tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    # Fewer starts and units: pages show how to ask, not how well it is found.
    monkeypatch.setattr(settings, "STARTS", {})
    monkeypatch.setattr(settings, "HIDDEN", {1: (10, 10)})
    monkeypatch.setitem(presets.SETTINGS, "default", soon_trained)
    for snippet in snippets:
        exec(compile(snippet, page, "exec"), {})


def test_the_start_page_raises_the_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The same air under more load, and a forecast that goes on where the record ends."""
    monkeypatch.chdir(tmp_path)
    times = pd.Series(pd.date_range("2025-06-12", periods=100, freq="h", tz="Europe/Madrid"))
    made = pd.DataFrame({"time": times.map(pd.Timestamp.isoformat), "load": 0.5, "ambient": 20.0})
    made.assign(top_oil=40.0).to_csv("clean.csv", index=False)
    (snippet,) = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs/start.md").read_text("utf-8"), re.DOTALL
    )
    exec(compile(snippet, "docs/start.md", "exec"), {})
    more = agewise.read_profile("more.csv")
    assert np.allclose(more.load, 0.6) and more.top_oil is None
    tomorrow = pd.to_datetime(pd.read_csv("tomorrow.csv")["time"])
    assert len(tomorrow) == 48 and tomorrow[0] == times.iloc[-1] + pd.Timedelta("1h")


def test_links_and_pictures_are_there():
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_commands_on_the_pages_have_the_options_that_they_are_given():
    known = {
        name: {text for option in command.params for text in option.opts}
        for name, command in commands_by_name().items()
    }
    shown = 0
    for page in {*PAGES} - {ROOT / "CHANGELOG.md"}:
        shape = r"agewise ((?:fleet )?[a-z]+)((?: [^`\n]*)?)"
        for name, rest in re.findall(shape, page.read_text("utf-8")):
            options = re.findall(r"(?<= )--[a-z-]+", rest)
            shown += len(options)
            if options:
                assert set(options) <= known[name] | {"--help"}, f"{page.name}: {name}{rest}"
    assert shown > 30


def test_addresses_elsewhere_are_well_formed():
    for page in PAGES:
        for address in re.findall(r"\]\((https?:[^)]*)\)", page.read_text("utf-8")):
            assert re.fullmatch(r"https://[\w.-]+\.[a-z]+(/[^\s]*)?", address), address


def test_places_that_the_pages_for_contributors_name_are_there():
    pages = ("CONTRIBUTING.md", "docs/rooms.md", "docs/extending.md")
    text = "\n".join((ROOT / page).read_text("utf-8") for page in pages)
    places = re.findall(r"`((?:src|tests|docs|benchmarks|reproduction)/[\w./-]*)`", text)
    assert len(places) > 80
    missing = [place for place in places if not (ROOT / place).exists()]
    assert not missing
    # "`folder/` (`one.py`, `other.py`)" names files in that folder.
    for folder, files in re.findall(r"`([\w/]+/)` \(((?:`\w+\.py`(?:, )?)+)\)", text):
        for file in re.findall(r"`(\w+\.py)`", files):
            assert (ROOT / folder / file).exists(), f"{folder}{file}"


def test_modules_that_pages_name_are_there():
    homes = [ROOT, ROOT / "src/agewise", ROOT / "benchmarks"]
    for page in PAGES:
        for place in re.findall(r"`([\w/]+\.py)`", page.read_text("utf-8")):
            if "/" in place:
                assert any((home / place).exists() for home in homes), f"{page.name}: {place}"


def test_the_tree_of_the_rooms_is_the_house():
    tree = (ROOT / "docs/rooms.md").read_text("utf-8").split("    src/agewise/\n")[1]
    drawn = set(re.findall(r"^      ([a-z]+)/", tree.split("\n    reproduction/")[0], re.MULTILINE))
    source = ROOT / "src/agewise"
    rooms = {path.name for path in source.iterdir() if (path / "__init__.py").exists()}
    assert drawn == rooms


def test_every_public_name_is_on_the_page_of_reference():
    shown = re.findall(r"^::: agewise\.(\w+)$", (ROOT / "docs/reference.md").read_text(), re.M)
    assert sorted(shown) == sorted(set(dir(agewise)) - {"__version__"})


def test_one_version_everywhere():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert re.search(rf"^version: {version}$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M)
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert newest and newest[1] == version


def test_the_glossary_has_every_word_that_the_report_explains():
    from agewise.report.page.glossary import GLOSSARY

    text = (ROOT / "docs/glossary.md").read_text("utf-8")
    assert all(f"| {word} | {meaning} |" in text for word, meaning in GLOSSARY.items())


def test_the_glossary_has_every_word_once_in_the_order_of_the_alphabet():
    text = (ROOT / "docs/glossary.md").read_text("utf-8")
    words = re.findall(r"^\| ([^|]+?) \|", text, re.M)[1:]
    assert len(set(words)) == len(words)
    assert words == sorted(words, key=lambda word: (not word[0].isdigit(), word.lower()))


OUR_WORDS = re.compile(
    r"\b(ends within|from the oil alone|tells of|told|anew|nobody knows|mean nothing here)\b"
)
"""Words of our own that an engineer stumbles over in a sentence of the program."""


def test_no_sentence_of_the_program_has_words_of_our_own():
    """What users read: help and texts in the code, but no docstrings of functions."""
    for room in ("cli", "assessment", "quality", "reading", "plant", "report", "server", "fleet"):
        for path in (ROOT / "src/agewise" / room).rglob("*.py"):
            tree = ast.parse(path.read_text("utf-8"))
            notes = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
            for text in ast.walk(tree):
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    found = OUR_WORDS.search(text.value)
                    assert id(text) in notes or not found, f"{path.name}: {text.value}"


def test_the_list_of_commands_is_not_cut_off():
    for name, command in commands_by_name().items():
        assert not command.get_short_help_str(68).endswith("..."), name


def test_the_page_of_problems_has_every_one_of_them():
    from agewise.library import ABOUT

    text = (ROOT / "docs/problems.md").read_text("utf-8")
    for name, told in ABOUT.items():
        _, equation, unknown, noisy, source = told
        assert f"| `{name}` | `{equation}` | {unknown} | {noisy} | {source} |" in text
