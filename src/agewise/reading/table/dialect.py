"""The dialect of a text table: what separates its cells, where its data begin, its decimals."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from agewise.errors import InputError
from agewise.reading.table.header import Header, Row, header_of
from agewise.reading.table.numbers import decimal_sign

DELIMITERS = ("\t", ";", "|", ",")
"""Characters that separate cells, the likeliest first: commas are also decimal signs."""
SAMPLE_BYTES, SAMPLE_ROWS = 1 << 18, 400
"""Bytes and rows at the beginning of a file by which its dialect is judged."""
LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$")
"""A line with its end, of Unix, Windows or an old Macintosh."""
DECLARED = re.compile(r'"?sep=(?P<delimiter>.)"?\s*', re.IGNORECASE)
"""A first line `sep=;`, by which Excel says what separates cells."""


@dataclass(frozen=True)
class Dialect:
    """How a text table is written."""

    delimiter: str
    """The character between two cells."""
    header: Header
    """Names and units of the columns."""
    lines: int
    """Lines of the file before the first row of data."""
    offset: int
    """Bytes of the file before the first row of data."""
    decimal: str
    """Decimal sign, point or comma; empty when the sample shows none."""


def dialect_of(data: bytes, where: str) -> Dialect:
    """The dialect of a text table, judged by its beginning.

    Each separator is tried. The one that gives the most rows with equally many cells wins.

    Args:
        data: The text in UTF-8.
        where: What the file is called in errors.
    """
    lines = _lines(data)
    declared = DECLARED.fullmatch(lines[0]) if lines else None
    delimiters = (declared["delimiter"],) if declared else _present(lines)
    tables = [(delimiter, _rows(lines, delimiter)) for delimiter in delimiters]
    headers = [(delimiter, rows, header_of(rows)) for delimiter, rows in tables]
    dialects = [
        (header.regular, _dialect(delimiter, rows, header, lines))
        for delimiter, rows, header in headers
        if isinstance(header, Header)
    ]
    if not dialects:
        _refuse([header for *_, header in headers if isinstance(header, str)], where)
    # Rounded, so that a few ragged rows do not decide. Of equals `max` takes the first, which is
    # the likelier one in `DELIMITERS`.
    return max(dialects, key=lambda pair: round(pair[0], 1))[1]


def _present(lines: Sequence[str]) -> list[str]:
    """The delimiters that occur at all: trying each takes as long as reading the file."""
    present = {letter for line in lines[:SAMPLE_ROWS] for letter in DELIMITERS if letter in line}
    return [delimiter for delimiter in DELIMITERS if delimiter in present]


def _lines(data: bytes) -> list[str]:
    """The first lines with their ends, without a last one that the sample cuts."""
    head = data[:SAMPLE_BYTES]
    # A sample may end within a letter.
    lines = LINE.findall(head.decode("utf-8", "ignore"))
    return lines if len(head) == len(data) else lines[:-1]


def _rows(lines: Sequence[str], delimiter: str) -> list[Row]:
    """The first rows that hold anything; a quoted cell may run over several lines."""
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=delimiter != "\t")
    try:
        read = [Row(tuple(cells), reader.line_num) for cells in islice(reader, SAMPLE_ROWS)]
    except csv.Error:  # no table with this separator; another may do
        return []
    return [row for row in read if any(cell.strip() for cell in row.cells) and not _declares(row)]


def _declares(row: Row) -> bool:
    """Whether a row is Excel's `sep=;`, which is no data."""
    return row.line == 1 and DECLARED.fullmatch("".join(row.cells)) is not None


def _dialect(delimiter: str, rows: Sequence[Row], header: Header, lines: Sequence[str]) -> Dialect:
    """The dialect for one separator; rows may run over several of the `lines`."""
    data = rows[header.data :]
    above = rows[header.data - 1].line
    cells = [cell for row in data for cell in row.cells]
    # Programs separate by semicolons where commas are decimal signs.
    decimal = decimal_sign(cells) or ("," if delimiter == ";" and _no_points(cells) else "")
    # Bytes and not letters, since the data are cut there.
    offset = sum(len(line.encode()) for line in lines[:above])
    return Dialect(delimiter, header, above, offset, decimal)


def _no_points(cells: Sequence[str]) -> bool:
    return not any(re.fullmatch(r"[+-]?\d+\.\d+", cell.strip()) for cell in cells)


def _refuse(complaints: Sequence[str], where: str) -> None:
    # The separator that does split lines says more than those that do not.
    telling = [complaint for complaint in complaints if "two cells" not in complaint]
    complaint = (*telling, "no line has two cells")[0]
    raise InputError(
        f"{where} cannot be read as a table: {complaint}.",
        hint="it should have one header line and cells separated by semicolons, tabs, bars or "
        "commas (then with decimal points); Parquet and Excel's .xlsx are read too.",
    )
