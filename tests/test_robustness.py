"""Two thousand corruptions of a clean file: refused, told, or without effect on the answer."""

from pathlib import Path

import pytest
import tomli_w
from corruption import CASES, Table, clean, text_of, verdict
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.xdist_group("robustness")

NAMES = st.sampled_from(sorted(CASES))
WORDS = st.sampled_from(
    ["", "NaN", "nan", "NULL", "Bad", "--", "inf", "-inf", "1e999", "abc", "?", "on", "TRUE", "°C"]
)
WILD = st.sampled_from(
    [-1e30, -9999.0, -999.0, -127.0, -40.0, -1.0, 0.0, 1e-300, 85.0, 100.0, 999.9, 32767.0, 1e9]
)


def examples(count: int):
    return settings(max_examples=count, deadline=None, derandomize=True, database=None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("corrupted")


def copied(name: str) -> Table:
    return [list(row) for row in clean(name).table]


@st.composite
def spoiled_bytes(draw: st.DrawFn, data: bytes) -> bytes:
    place = draw(st.integers(0, len(data) - 1))
    kind = draw(st.sampled_from(["flip", "cut", "begin", "junk", "lost", "encoding", "ends"]))
    if kind == "flip":
        changed = bytearray(data)
        for _ in range(draw(st.integers(1, 5))):
            changed[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
        return bytes(changed)
    if kind == "cut":
        return data[:place]
    if kind == "begin":
        return data[place:]
    if kind == "junk":
        return data[:place] + draw(st.binary(min_size=1, max_size=40)) + data[place:]
    if kind == "lost":
        return data[:place] + data[place + draw(st.integers(1, 2000)) :]
    if kind == "ends":
        return data.replace(b"\n", draw(st.sampled_from([b"\r", b"\r\n", b"\n\n", b"\0", b" "])))
    codec = draw(st.sampled_from(["utf-16", "utf-16-be", "utf-8-sig", "utf-32", "cp500", "utf-7"]))
    return data.decode().encode(codec)


@given(NAMES, st.data())
@examples(400)
def test_bytes(folder: Path, name: str, data: st.DataObject):
    whole = text_of(clean(name).table).encode()
    verdict(name, data.draw(spoiled_bytes(whole)), folder=folder)


@given(NAMES, st.data())
@examples(100)
def test_bytes_of_the_nameplate(folder: Path, name: str, data: st.DataObject):
    whole = tomli_w.dumps(clean(name).fields).encode()
    cut = data.draw(st.integers(0, len(whole)))
    junk = data.draw(st.sampled_from([b"", b"\0", b"\xff", b"=", b"[oil]\n", b"nan", b"1e400"]))
    verdict(name, nameplate=whole[:cut] + junk, folder=folder)


@st.composite
def spoiled_cell(draw: st.DrawFn, cell: str) -> str:
    kind = draw(st.sampled_from(["word", "wild", "comma", "unit", "shifted", "near", "text", "sign"]))
    if kind == "word":
        return draw(WORDS)
    if kind == "wild":
        return str(draw(WILD))
    if kind == "comma":
        return f'"{cell.replace(".", ",")}"'
    if kind == "unit":
        return cell + draw(st.sampled_from([" °C", "A", " %", " p.u.", "C", "K"]))
    if kind == "text":
        return draw(st.text(st.characters(exclude_characters=',"\n\r'), max_size=8))
    if kind == "sign":
        return f"-{cell}"
    number = float(cell)
    if kind == "shifted":
        return f"{number * 10.0 ** draw(st.sampled_from([-3, -2, -1, 1, 2, 3])):.6g}"
    return f"{number + draw(st.floats(-3, 3)) * (0.02 if number < 2 else 1):.4f}"


@given(NAMES, st.data())
@examples(400)
def test_cells(folder: Path, name: str, data: st.DataObject):
    table = copied(name)
    column = data.draw(st.integers(1, 3))
    rows = data.draw(st.lists(st.integers(1, len(table) - 1), min_size=1, max_size=12, unique=True))
    for row in rows:
        table[row][column] = data.draw(spoiled_cell(table[row][column]))
    verdict(name, text_of(table), folder=folder)


@st.composite
def spoiled_rows(draw: st.DrawFn, table: Table) -> Table:
    header, rows = table[0], table[1:]
    first, count = draw(st.integers(0, len(rows) - 1)), draw(st.integers(1, 100))
    before, block, behind = rows[:first], rows[first : first + count], rows[first + count :]
    kind = draw(
        st.sampled_from(
            ["dropped", "doubled", "shuffled", "moved", "reversed", "pasted", "footer", "header"]
        )
    )
    if kind == "dropped":
        return [header, *before, *behind]
    if kind == "doubled":
        return [header, *before, *[row for row in block for _ in range(2)], *behind]
    if kind == "shuffled":
        return [header, *before, *draw(st.permutations(block)), *behind]
    if kind == "moved":
        return [header, *before, *behind, *block]
    if kind == "reversed":
        return [header, *before, *block[::-1], *behind]
    if kind == "pasted":
        return [header, *before, *block, *block, *behind]
    if kind == "header":
        return [header, *before, header, *block, *behind]
    total = draw(st.sampled_from(["Total", "Mean", "", "END"]))
    return [header, *rows, [total, "123.4", "5000", "9000"]]


@given(NAMES, st.data())
@examples(300)
def test_rows(folder: Path, name: str, data: st.DataObject):
    verdict(name, text_of(data.draw(spoiled_rows(copied(name)))), folder=folder)


@st.composite
def spoiled_columns(draw: st.DrawFn, table: Table) -> Table:
    kind = draw(st.sampled_from(["renamed", "dropped", "swapped", "doubled", "extra", "moved"]))
    one, other = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    names = ["Load", "I", "load [A]", "T", "ambient", "Top Oil", "time", "", "TOT", "x", "oil@0.5"]
    if kind == "renamed":
        table[0][one] = draw(st.sampled_from(names))
    elif kind == "dropped":
        table = [row[:one] + row[one + 1 :] for row in table]
    elif kind == "swapped":
        for row in table[1:]:
            row[one], row[other] = row[other], row[one]
    elif kind == "doubled":
        table = [[*row, row[one]] for row in table]
        table[0][-1] = draw(st.sampled_from([table[0][one], *names]))
    elif kind == "extra":
        cell = draw(st.sampled_from(["", "0", "ok", "20", "2025-01-01"]))
        table = [[*row[:one], cell, *row[one:]] for row in table]
        table[0][one] = draw(st.sampled_from(names))
    else:
        for row in table:
            row[one], row[other] = row[other], row[one]
    return table


@given(NAMES, st.data())
@examples(200)
def test_columns(folder: Path, name: str, data: st.DataObject):
    verdict(name, text_of(data.draw(spoiled_columns(copied(name)))), folder=folder)
