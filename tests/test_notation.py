"""The page of notation is true: names stand in the modules beside them, fields in the nameplate."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

import agewise
from agewise.plant.nameplate import Nameplate

PAGE = (Path(__file__).parents[1] / "docs/notation.md").read_text("utf-8")
SOURCE = Path(agewise.__file__).parent
CODE = re.compile(r"`([^`]+)`")


def rows() -> list[dict[str, str]]:
    """The rows of every table that maps a symbol to a name and a place, by their headings."""
    found: list[dict[str, str]] = []
    heading: list[str] = []
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if "where" in cells:
            heading = cells
        elif not cells:
            heading = []
        elif heading and not line.startswith("|---"):
            found.append(dict(zip(heading, cells, strict=True)))
    return found


ROWS = rows()


def test_no_table_is_overlooked():
    assert len(ROWS) == sum(line.startswith("|") and ".py`" in line for line in PAGE.splitlines())
    assert len(ROWS) > 40


@pytest.mark.parametrize("row", ROWS, ids=[row["name in code"] for row in ROWS])
def test_names_stand_where_the_page_says(row: dict[str, str]):
    modules = [SOURCE / place for place in CODE.findall(row["where"])]
    assert modules
    names = CODE.findall(row["name in code"])
    assert names
    for module in modules:
        text = module.read_text("utf-8")
        words = set(re.findall(r"\w+", text))
        for name in names:
            assert set(name.split(".")) <= words, f"{name} is not in {module}"


def test_fields_are_those_of_the_nameplate():
    fields = [name for row in ROWS for name in CODE.findall(row.get("field of the nameplate", ""))]
    assert len(fields) > 15
    for name in fields:
        section: type[BaseModel] = Nameplate
        *sections, last = name.split(".")
        for part in sections:
            kind = section.model_fields[part].annotation
            assert isinstance(kind, type) and issubclass(kind, BaseModel)
            section = kind
        assert last in section.model_fields, name
