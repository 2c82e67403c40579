"""Cells, header, units and numbers are found in every way of writing a table."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agewise.errors import InputError
from agewise.reading.table.encoding import unpacked, utf8
from agewise.reading.table.foreign import TextSheet
from agewise.reading.table.numbers import numbers_of

ROWS = [["12.06.2025 08:00", "0,51", "20,5"], ["12.06.2025 08:01", "0,52", "20,6"]]


def sheet(text: str, encoding: str = "utf-8") -> TextSheet:
    return TextSheet.of(utf8(text.encode(encoding), "file"), "file")


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_all_ways_to_write_cells_give_the_same_cells(
    delimiter: str, end: str, encoding: str, quote: str
):
    table = [["Größe", "load", "T °C"], *ROWS]
    lines = [delimiter.join(f"{quote}{cell}{quote}" for cell in row) for row in table]
    found = sheet(end.join([*lines, "", ""]), encoding)
    assert found.names == ("Größe", "load", "T °C")
    cells = found.cells(["Größe"], ["load", "T °C"])
    assert cells.frame["load"].tolist() == [0.51, 0.52]
    assert cells.frame["Größe"].tolist() == [row[0] for row in ROWS]
    assert found.line(1) == 3


@pytest.mark.parametrize(
    ("text", "names", "units", "first"),
    [
        ("a,b\n1,2\n", ("a", "b"), {}, 2),
        ("sep=;\na;b\n1;2\n", ("a", "b"), {}, 3),
        ("# x, y\n#\n# a,b\n1,2\n", ("a", "b"), {}, 4),
        ("Site;North;;\nFrom;1.1.2025;;\n\na;b;c;\n1;2;3;\n", ("a", "b", "c"), {}, 5),
        ("a;b\n[A];[°C]\n1;2\n", ("a", "b"), {"a": "[A]", "b": "[°C]"}, 3),
        ("a;b\nTT.MM.JJJJ hh:mm;%\n1;2\n", ("a", "b"), {"a": "TT.MM.JJJJ hh:mm", "b": "%"}, 3),
        (
            '"TOA5","CR1000"\n"TS","T"\n"TS","Deg C"\n"","Avg"\n"2025-01-01 00:00",2\n',
            ("TS", "T"),
            {"TS": "TS", "T": "Deg C"},
            5,
        ),
        ("a;b\n1;2;\n3;4;\n", ("a", "b"), {}, 2),
        ("a;b;;\n1;2\n3;4\n", ("a", "b"), {}, 2),
        ('a,"b, in\n°C"\n1,2\n', ("a", "b, in °C"), {}, 3),
        (",a,b\n0,1,2\n1,3,4\n", ("a", "b"), {}, 2),
        ("a,b\nBad,2\nn/a,--\n", ("a", "b"), {}, 2),
        ("w,x,y,z,a\nN,ok,ok,ok,1\nN,ok,ok,ok,2\n", ("w", "x", "y", "z", "a"), {}, 2),
        ('"a", "b"\n"1", "2"\n', ("a", "b"), {}, 2),
    ],
)
def test_the_header_is_found_below_what_loggers_write(text, names, units, first):
    found = sheet(text)
    assert (found.names, dict(found.units), found.line(0)) == (names, units, first)


def test_quotes_shield_separators():
    found = sheet('a,b,note\n1,"1,234.5","x, y"\n2,"20.5","say ""so"""\n')
    cells = found.cells(["note"], ["a", "b"])
    assert cells.frame["note"].tolist() == ["x, y", 'say "so"']
    assert numbers_of(cells.frame["b"], decimal=cells.decimal).values.tolist() == [1234.5, 20.5]


def test_decimals_that_a_sample_does_not_show_are_found_later():
    rows = [f"{n};1.234;20" for n in range(500)] + ["500;1.234;20,5"]
    cells = sheet("\n".join(["a;b;c", *rows])).cells([], ["a", "b", "c"])
    assert cells.decimal == ","
    assert set(numbers_of(cells.frame["b"], decimal=",").values) == {1234.0}
    assert cells.frame["c"].iloc[-1] == 20.5


@pytest.mark.parametrize(
    ("cells", "decimal", "values"),
    [
        (["1.234,5", "-20,5"], "", [1234.5, -20.5]),
        (["1,234.5", "+20.5"], "", [1234.5, 20.5]),
        (["1 234,5", "1'234,5", "1\N{NARROW NO-BREAK SPACE}234"], "", [1234.5, 1234.5, 1234.0]),
        (["1,234", "12,345"], ".", [1234.0, 12345.0]),
        (["1,234", "12,345"], ",", [1.234, 12.345]),
        (["1.234"], ",", [1234.0]),
        (["1.234"], "", [1.234]),
        (["0.234", "1.234"], ",", [0.234, 1.234]),
        (["1.234.567"], "", [1234567.0]),
        (["\N{MINUS SIGN}3", "1e-3", ".5", "5."], "", [-3.0, 1e-3, 0.5, 5.0]),
        (["nan", "NaN", "BAD", " no data ", "?", "", "#n/a", "Null"], "", [math.nan] * 8),
    ],
)
def test_numbers_are_read_as_they_are_meant(cells: list[str], decimal: str, values: list[float]):
    found = numbers_of(pd.Series(cells, name="x"), decimal=decimal)
    assert np.array_equal(found.values, values, equal_nan=True)
    assert not found.unreadable.any()


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=5))
def test_a_decimal_comma_changes_no_number(values: list[float]):
    text = pd.Series([f"{value:.6f}".replace(".", ",") for value in values], name="x")
    expected = [float(f"{value:.6f}") for value in values]
    assert numbers_of(text).values.tolist() == expected


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("a;b\n1;°".encode()[:-1], "inside a letter"),
        ("a;b\n1;2\n".encode("utf-16")[:-1], "inside a letter"),
        (b"a;b\n1;2\n\x07\x08", "bytes that are not text"),
        (b"a\nb\nc\n", "no line has two cells"),
        (b"1;2\n3;4\n", "no header"),
        (b'a;b\n1;2\n3;"4\n5;6\n', "a quote in it is not closed"),
    ],
)
def test_what_is_no_table_is_refused(data: bytes, sentence: str):
    with pytest.raises(InputError, match=sentence) as told:
        TextSheet.of(utf8(data, "file"), "file")
    assert told.value.hint


@given(st.binary(max_size=300))
def test_no_bytes_end_in_a_traceback(data: bytes):
    try:
        found = TextSheet.of(utf8(unpacked(data, "file"), "file"), "file")
        found.cells(found.names[:1], found.names[1:])
    except InputError as told:
        assert told.hint and "\n" not in told.sentence


@pytest.mark.parametrize("cells", [["20,5", "20.5"], ["1,234", "2,345"]])
def test_numbers_of_two_minds_are_refused(cells: list[str]):
    with pytest.raises(InputError, match=r"decimal commas|may be") as told:
        numbers_of(pd.Series(cells, name="x"))
    assert told.value.hint
