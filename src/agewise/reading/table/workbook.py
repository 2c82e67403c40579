"""Excel workbooks (.xlsx): the first sheet that holds a table."""

import io
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from agewise.errors import InputError
from agewise.reading.table.encoding import MOST_UNPACKED, too_large_inside
from agewise.reading.table.header import Header, Row, header_of

EXCEL, OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
"""How files of Excel begin, since 2007 and before."""
SAMPLE_ROWS = 400
"""Number of rows at the beginning by which the header is found."""
MOST_CELLS = 30_000_000
"""Most cells of a sheet that is read: all of Excel's million rows in thirty columns."""


def read_workbook(path: Path, data: bytes) -> tuple[pd.DataFrame, dict[str, str], int]:
    """The table of a workbook.

    Args:
        path: The file, for errors.
        data: Its bytes.

    Returns:
        The table, its units by name, and the line of its first row of data.
    """
    if data.startswith(OLD_EXCEL):
        raise InputError(
            f"{path} is an Excel file of before 2007.", hint="save it as .xlsx or as CSV."
        )
    complaint = "it has no sheet with two columns"
    for cells in _sheets(path, data):
        texts = [(n, _texts(row)) for n, row in enumerate(cells, 1)]
        rows = [Row(row, n) for n, row in texts if any(row)]
        header = header_of(rows[:SAMPLE_ROWS])
        if isinstance(header, Header):
            lines = [row.line for row in rows[header.data :]]
            # Empty rows within the data are kept here, so that rows and lines go together.
            values = cells[lines[0] - 1 :] if lines else []
            return _table(header, values), _units(header), lines[0] if lines else 2
        complaint = header if rows else complaint  # an empty sheet says nothing of the file
    raise InputError(
        f"{path} cannot be read as a table: {complaint}.",
        hint="put one header line above the values, on the first sheet.",
    )


def _sheets(path: Path, data: bytes) -> Iterator[list[tuple[Any, ...]]]:
    """Cells of each sheet in turn, so that sheets behind the table are never read."""
    try:
        import openpyxl  # an extra, which few need
    except ImportError:
        raise InputError(
            f"{path} is an Excel file, and openpyxl is not installed.",
            hint="pip install 'agewise[excel]', or save it as CSV.",
        ) from None
    with _one_sentence(path):
        _refuse_large(path, data)
        # Values of formulas as Excel last saved them: openpyxl computes none.
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    for sheet in book.worksheets:
        with _one_sentence(path):
            rows = _rows(path, sheet)
        yield rows  # outside, so that warnings are silent only while openpyxl reads


@contextmanager
def _one_sentence(path: Path) -> Iterator[None]:
    """Turn whatever openpyxl says about a damaged file into one sentence."""
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    except InputError:
        raise
    except Exception as error:  # its exceptions on damaged XML are documented nowhere
        complaint = " ".join(str(error).split())[:120].rstrip(". ") or type(error).__name__
        raise InputError(
            f"{path} cannot be read as an Excel file: {complaint}.",
            hint="is it cut or damaged, or another kind of archive? Save it as .xlsx or CSV again.",
        ) from None


def _refuse_large(path: Path, data: bytes) -> None:
    """Refuse an archive by the sizes that it declares; no reader gives more than those."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(part.file_size for part in archive.infolist()) > MOST_UNPACKED:
            raise too_large_inside(str(path))


def _rows(path: Path, sheet: Any) -> list[tuple[Any, ...]]:
    """The rows of a sheet, each as wide as the sheet says it is."""
    rows, cells = [], 0
    for row in sheet.iter_rows(values_only=True):
        rows.append(row)
        cells += len(row)
        # One cell in the last row and column makes a sheet of 17 thousand million cells.
        if cells > MOST_CELLS:
            raise InputError(
                f"{path} has more than {MOST_CELLS / 1e6:g} million cells in one sheet.",
                hint="delete empty rows and columns behind the table, or save it as CSV.",
            )
    return rows


def _texts(row: Sequence[Any]) -> tuple[str, ...]:
    return tuple(_text(cell) for cell in row)


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell)


def _table(header: Header, rows: Sequence[Sequence[Any]]) -> pd.DataFrame:
    # By place, since names may repeat; `sources` refuses that with a sentence of its own.
    named = {n: name for n, name in enumerate(header.names) if name}
    cells = {n: [row[n] if n < len(row) else None for row in rows] for n in named}
    columns = pd.DataFrame({n: _column(column) for n, column in cells.items()})
    return columns.set_axis(list(named.values()), axis=1)


def _column(cells: Sequence[Any]) -> pd.Series:
    """Numbers as numbers, anything else as text."""
    # By exact type: a boolean is an int by inheritance, and no number here.
    if all(type(cell) in (int, float, type(None)) for cell in cells):
        return pd.Series(cells, dtype=float)
    return pd.Series([_text(cell) for cell in cells], dtype="str")


def _units(header: Header) -> dict[str, str]:
    return {name: unit for name, unit in zip(header.names, header.units, strict=True) if unit}
