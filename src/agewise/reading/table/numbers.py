"""Numbers as loggers and people write them: decimal commas, thousands, words for no value."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute
from jaxtyping import Bool, Float

from agewise.errors import InputError

pc: Any = pyarrow.compute  # its functions are made when it is imported

EMPTY = (
    *("", "-", "--", "---", "----", "?", "??", "???", "*", "***", "na", "n/a", "n.a.", "n.d."),
    *("nan", "-nan", "null", "none", "nil", "#n/a", "#na", "#null!", "void"),
    *("inf", "+inf", "-inf", "infinity", "1.#qnan", "-1.#ind", "1.#ind", "1.#inf", "-1.#inf"),
)
"""How programs write an empty cell, in small letters."""
STATUS = (
    *("bad", "bad data", "bad input", "bad quality", "err", "error", "err.", "fault", "fail"),
    *("failed", "no data", "no value", "nodata", "missing", "invalid", "off", "offline"),
    *("off-line", "timeout", "i/o timeout", "comm fail", "#value!", "#ref!", "#div/0!", "#num!"),
    "#name?",
)
"""Words that say why there is no value, in small letters."""
NO_VALUE = (*EMPTY, *STATUS)
"""Words that mean that there is no value, in small letters."""

SPELLINGS = sorted(
    {form for word in EMPTY for form in (word, word.upper(), word.title(), word.capitalize())}
    | {"NaN", "-NaN", "1.#QNAN"}
)
"""Common spellings of what is empty, for Arrow, which compares letter by letter. Columns with
status words come as text, so that these can be counted."""

NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
"""A number with a decimal point, as it is converted at last."""
SPACED = r"^[+-]?\d{1,3}([ '’\x{00a0}\x{2009}\x{202f}]\d{3})+([.,]\d+)?$"
"""A number whose thousands are separated by a space of some kind or an apostrophe."""
SPACES = r"[ '’\x{00a0}\x{2009}\x{202f}]"
"""These spaces and apostrophes alone."""


@dataclass(frozen=True)
class Mark:
    """How a number looks when a sign, point or comma, is the decimal one or groups thousands."""

    sign: str
    """The sign, `.` or `,`."""
    other: str
    """The other one of the two."""

    @property
    def decimal(self) -> str:
        """A number with one such sign, wherever it stands."""
        return rf"^[+-]?\d*[{self.sign}]\d+([eE][+-]?\d+)?$"

    @property
    def group(self) -> str:
        """A number that may be grouped by the sign: 1,234 (but not 0,234)."""
        return rf"^[+-]?[1-9]\d{{0,2}}([{self.sign}]\d{{3}})+$"

    @property
    def sure(self) -> str:
        """A number in which this sign can only be the decimal one."""
        grouped = rf"\d{{1,3}}([{self.other}]\d{{3}})+[{self.sign}]\d+"
        return rf"^[+-]?({grouped}|[1-9]\d{{0,2}}([{self.other}]\d{{3}}){{2,}})$"


POINT, COMMA = Mark(".", ","), Mark(",", ".")


@dataclass(frozen=True)
class Numbers:
    """A column as numbers; what is not one is NaN."""

    values: Float[np.ndarray, " row"]
    """The numbers, in the unit of the column; NaN where a cell holds none."""
    unreadable: Bool[np.ndarray, " row"]
    """Cells that hold something, but neither a number nor a word for no value."""
    status: Bool[np.ndarray, " row"]
    """Cells that hold a word which says why there is no value, as `Bad`."""


def numbers_of(column: pd.Series, *, decimal: str = "", where: str = "the table") -> Numbers:
    """A column as numbers.

    Args:
        column: Cells of a file, numbers already or text.
        decimal: Decimal sign that the rest of the file uses; empty where it is not known.
        where: What the file is called in errors.
    """
    # To pandas, booleans are numbers; TRUE in a file is not.
    if pd.api.types.is_numeric_dtype(column.dtype) and column.dtype != bool:
        values = column.to_numpy(dtype=float, na_value=np.nan)
        infinite = np.isinf(values)
        finite = np.where(infinite, np.nan, values) if infinite.any() else values
        return Numbers(finite, infinite, np.zeros(values.size, dtype=bool))
    return _text_numbers(text_array(column), decimal, f"{where}, column {column.name!r}")


def text_array(column: pd.Series) -> pa.Array:
    """A column as text without spaces around it."""
    plain = column.dtype == "str"
    cells = column if plain else column.astype(object).where(column.notna(), "").map(str)
    text = pa.array(cells, type=pa.string(), from_pandas=True)
    text = text.combine_chunks() if isinstance(text, pa.ChunkedArray) else text
    return pc.utf8_trim_whitespace(pc.fill_null(text, ""))


def own_decimal(text: pa.Array) -> str:
    """The decimal sign that the cells of a column or a sample can only have; empty if unsure."""
    comma, point = (_shows(text, mark) for mark in (COMMA, POINT))
    return "" if comma == point else "," if comma else "."


def decimal_sign(cells: Iterable[str]) -> str:
    """The decimal sign of a sample of cells; empty when they do not tell."""
    return own_decimal(pa.array([cell.strip() for cell in cells], type=pa.string()))


def _text_numbers(text: pa.Array, decimal: str, where: str) -> Numbers:
    # Some programs write the sign that typographers use.
    text = pc.replace_substring(text, "\N{MINUS SIGN}", "-")
    small = pc.utf8_lower(text)
    blank, status = (pc.is_in(small, value_set=pa.array(words)) for words in (NO_VALUE, STATUS))
    # Only where digits stand in threes: in other cells a space may part two numbers.
    spaced = pc.match_substring_regex(text, SPACED)
    text = pc.if_else(spaced, pc.replace_substring_regex(text, SPACES, ""), text)
    plain = _with_point(text, _column_decimal(text, decimal, where))
    number = pc.match_substring_regex(plain, NUMBER)
    values = pc.cast(pc.if_else(number, plain, None), pa.float64())
    bad = pc.and_not(pc.invert(number), blank)
    masks = (mask.to_numpy(zero_copy_only=False) for mask in (bad, status))
    return Numbers(values.to_numpy(zero_copy_only=False).astype(float), *masks)


def _column_decimal(text: pa.Array, decimal: str, where: str) -> str:
    """The decimal sign of a column: by its own cells, else by the rest of the file."""
    comma, point = _shows(text, COMMA), _shows(text, POINT)
    if comma and point:
        raise InputError(
            f"{where} has decimal commas ({_first(text, COMMA)!r}) and decimal points "
            f"({_first(text, POINT)!r}).",
            hint="write all its numbers in one way.",
        )
    # `1,234` alone can be either. `1.234` is not asked about: points are decimal by default.
    grouped = pc.filter(text, pc.match_substring_regex(text, COMMA.group))
    if not (comma or point or decimal) and len(grouped):
        cell = grouped[0].as_py()
        raise InputError(
            f"{where}: {cell!r} may be {cell.replace(',', '')} or {cell.replace(',', '.')}.",
            hint="export numbers with a decimal point and without signs between thousands.",
        )
    return "," if comma else "." if point else decimal or "."


def _with_point(text: pa.Array, decimal: str) -> pa.Array:
    """Numbers with a decimal point and no signs between thousands, the rest as it is."""
    mark = COMMA if decimal == "," else POINT
    thousands = rf"^[+-]?\d{{1,3}}([{mark.other}]\d{{3}})+([{mark.sign}]\d+)?$"
    grouped = pc.match_substring_regex(text, thousands)
    text = pc.if_else(grouped, pc.replace_substring(text, mark.other, ""), text)
    return text if decimal == "." else _comma_to_point(text)


def _comma_to_point(text: pa.Array) -> pa.Array:
    """Decimal commas as points; a cell that already holds a point is no number here."""
    with_point = pc.match_substring(text, ".")
    return pc.if_else(with_point, text, pc.replace_substring(text, ",", "."))


def _cells(text: pa.Array, mark: Mark) -> pa.Array:
    """Cells in which the sign can only be the decimal one."""
    single = pc.and_not(
        pc.match_substring_regex(text, mark.decimal), pc.match_substring_regex(text, mark.group)
    )
    return pc.or_(single, pc.match_substring_regex(text, mark.sure))


def _shows(text: pa.Array, mark: Mark) -> bool:
    return bool(pc.any(_cells(text, mark)).as_py())


def _first(text: pa.Array, mark: Mark) -> str:
    return pc.filter(text, _cells(text, mark))[0].as_py()
