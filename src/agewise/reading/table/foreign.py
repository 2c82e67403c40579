"""A sheet: the table of any file that is read here, before its columns mean anything."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv

from agewise.errors import InputError
from agewise.plant.notes import counted
from agewise.plant.tables import PARQUET_SUFFIXES, read_parquet
from agewise.reading.table.dialect import Dialect, dialect_of
from agewise.reading.table.encoding import unpacked, utf8
from agewise.reading.table.numbers import SPELLINGS, own_decimal, text_array
from agewise.reading.table.workbook import EXCEL, OLD_EXCEL, read_workbook

PARQUET, PDF = b"PAR1", b"%PDF"
"""How files of these kinds begin."""
SHORT_HINT = "was the file cut? Remove or complete that line, or export the file again."

OTHER_KINDS = {
    "a web page": (
        (b"<!doctype html", b"<html", b"<head", b"<body"),
        "the download failed or asks for a login; open the file in a browser to see what it says.",
    ),
    "XML": ((b"<?xml",), "export it as CSV, Parquet or .xlsx."),
    "a PDF": ((b"%pdf",), "ask for the numbers as CSV, Parquet or .xlsx."),
    "JSON": ((b'{"', b"[{", b"[[", b"{\n"), "export it as CSV, Parquet or .xlsx."),
}
"""Kinds of text that are often saved under the name of a table: how they begin, and a hint."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Columns of a sheet, and the decimal sign in them."""

    frame: pd.DataFrame
    """The columns that were asked for, by name."""
    decimal: str = ""
    """Decimal sign, point or comma; empty when nothing tells."""


@dataclass(frozen=True, eq=False)
class TableSheet:
    """A table that is already in memory."""

    table: pd.DataFrame
    """All columns of the file."""
    units: Mapping[str, str] = field(default_factory=dict)
    """Units from a row below the header, by name."""
    first_line: int = 2
    """Line of the file in which the first row stands."""
    decimal: str = ""
    """Decimal sign of cells that are text; empty where nothing tells."""
    lines: Sequence[int] | None = None
    """Line of the file in which each row stands; None where they follow each other."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(map(str, self.table.columns))

    def cells(self, texts: Sequence[str], numbers: Sequence[str]) -> Cells:
        """The columns `texts` and `numbers`, as they are in memory."""
        # A table of pandas may have numbers for names, and is asked by text.
        chosen = self.table.set_axis(list(self.names), axis=1)[[*texts, *numbers]]
        return Cells(_without_empty_end(chosen.reset_index(drop=True)), self.decimal)

    def line(self, row: int) -> int:
        """The line of a row; in Parquet, which has none, as if the header were line 1."""
        return row + self.first_line if self.lines is None else int(self.lines[row])


@dataclass(frozen=True, eq=False)
class TextSheet:
    """A text table; cells are read when it is known which are needed."""

    data: bytes = field(repr=False)
    """The text in UTF-8."""
    dialect: Dialect
    """How the text is written: separators, decimal signs, header."""
    where: str
    """What the file is called in errors."""

    @classmethod
    def of(cls, data: bytes, where: str) -> "TextSheet":
        """The sheet in a text in UTF-8."""
        dialect = dialect_of(data, where)
        # Arrow takes a quote behind a space for a letter, so such spaces are removed first.
        spaced = f'{dialect.delimiter} "'.encode()
        if dialect.delimiter != "\t" and spaced in data:
            data = data.replace(spaced, f'{dialect.delimiter}"'.encode())
            dialect = dialect_of(data, where)
        # An open quote would make one cell of all lines behind it.
        if data.count(b'"', dialect.offset) % 2:
            raise InputError(
                f"{where} cannot be read as a table: a quote in it is not closed.", hint=SHORT_HINT
            )
        return cls(data, dialect, where)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns that have one."""
        return tuple(name for name in self.dialect.header.names if name)

    @property
    def units(self) -> Mapping[str, str]:
        """Units from a row below the header, by name of the column."""
        header = self.dialect.header
        return {name: unit for name, unit in zip(header.names, header.units, strict=True) if unit}

    def cells(self, texts: Sequence[str], numbers: Sequence[str]) -> Cells:
        """The columns `texts` as text, and `numbers` as numbers where no words are among them."""
        decimal = self.dialect.decimal
        table = self._table(texts, numbers, decimal or ".")
        if decimal != "," and any(_has_commas(table[name]) for name in numbers):
            # The sample did not show it: then points in other columns are no decimal signs.
            decimal = ","
            table = self._table(texts, numbers, decimal)
        return Cells(_without_empty_end(table.to_pandas(ignore_metadata=True)), decimal)

    def line(self, row: int) -> int:
        """The line of a row; lines without cells are counted too."""
        # Asked only for the few rows that a sentence names, so the text is searched each time.
        lines = self.data[self.dialect.offset :].splitlines()
        filled = (n for n, text in enumerate(lines) if text.strip() and not _is_remark(text))
        return next(islice(filled, row, None), row) + self.dialect.lines + 1

    def _table(self, texts: Sequence[str], numbers: Sequence[str], decimal: str) -> pa.Table:
        # Columns without a name get one that no header can have: text with zero bytes is refused.
        names = [name or f"\0{n}" for n, name in enumerate(self.dialect.header.names)]
        wrong: list[pa_csv.InvalidRow] = []
        parse = pa_csv.ParseOptions(
            delimiter=self.dialect.delimiter,
            newlines_in_values=b'"' in self.data,  # it slows Arrow down, and needs quotes
            invalid_row_handler=lambda row: _judged(row, wrong),
        )
        convert = pa_csv.ConvertOptions(
            column_types={name: pa.string() for name in texts},
            include_columns=[*texts, *numbers],
            null_values=SPELLINGS,
            strings_can_be_null=False,
            decimal_point=decimal,
        )
        if self.dialect.offset == len(self.data):  # a header alone, which Arrow refuses
            return pa.table({name: pa.array([], pa.string()) for name in (*texts, *numbers)})
        stream = pa.BufferReader(pa.py_buffer(self.data)[self.dialect.offset :])
        read = pa_csv.ReadOptions(column_names=names)
        try:
            return pa_csv.read_csv(stream, read, parse, convert)
        except pa.ArrowInvalid as error:
            raise self._refusal(error, wrong) from None

    def _refusal(self, error: Exception, wrong: Sequence[pa_csv.InvalidRow]) -> InputError:
        """Why Arrow gave up, with the first line that has too few or too many cells."""
        if not wrong:
            complaint = "".join(letter if letter.isprintable() else "?" for letter in str(error))[
                :160
            ]
            return InputError(
                f"{self.where} cannot be read as a table: {complaint.rstrip('. ')}.",
                hint=SHORT_HINT,
            )
        row = wrong[0]
        place = self.data.find(row.text.encode(), self.dialect.offset)
        line = len(self.data[: max(place, 0)].splitlines()) + 1
        return InputError(
            f"{self.where} cannot be read as a table: line {line} has "
            f"{counted(row.actual_columns, 'cell')}, where others have {row.expected_columns}.",
            hint=SHORT_HINT
            if row.actual_columns < row.expected_columns
            else "quote text with separators in it, and write decimal points between commas.",
        )


Sheet = TableSheet | TextSheet
"""The table of a file. Both have `names`, `units` by name, `cells(texts, numbers)`, `line(row)`."""


def sheet_of(path: Path) -> Sheet:
    """The sheet in a file, whatever kind of file it is."""
    if path.is_dir():
        raise InputError(f"{path} is a folder, not a file.", hint="name the file in it.")
    if not path.is_file():
        raise InputError(f"There is no file {path}.", hint="check the path.")
    data = path.read_bytes()
    if not data:
        raise InputError(
            f"{path} is empty (0 bytes).", hint="export it again; was the disk full, or a copy cut?"
        )
    # By content rather than by name. A PDF is refused here, before its bytes are taken for text.
    if data.startswith(PDF):
        _refuse_other_kinds(PDF.lower(), str(path))
    if data.startswith(PARQUET) or path.suffix.lower() in PARQUET_SUFFIXES:
        return TableSheet(read_parquet(path))
    if data.startswith((EXCEL, OLD_EXCEL)):
        return TableSheet(*read_workbook(path, data))
    text = utf8(unpacked(data, str(path)), str(path))
    _refuse_other_kinds(text[:100].lstrip().lower(), str(path))
    return TextSheet.of(text, str(path))


def _refuse_other_kinds(begins: bytes, where: str) -> None:
    """Refuse text that is no table at all by what it is, not by what it lacks."""
    for kind, (marks, hint) in OTHER_KINDS.items():
        if begins.startswith(marks):
            raise InputError(f"{where} is {kind}, not a table.", hint=hint)


def _without_empty_end(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows up to the last that holds anything."""
    # From the end, so that a file of a million rows is not searched.
    last = len(frame)
    while last and all(pd.isna(cell) or str(cell).strip() == "" for cell in frame.iloc[last - 1]):
        last -= 1
    return frame.iloc[:last]


def _has_commas(column: pa.ChunkedArray) -> bool:
    """Whether a column came as text because its numbers have decimal commas."""
    if not pa.types.is_string(column.type):
        return False
    return own_decimal(text_array(column.to_pandas())) == ","


def _judged(row: pa_csv.InvalidRow, wrong: list[pa_csv.InvalidRow]) -> str:
    """Skip remarks between the rows; anything else that is too short or long ends the reading."""
    if not row.text.strip() or _is_remark(row.text.encode()):
        return "skip"
    wrong.append(row)
    return "error"


def _is_remark(text: bytes) -> bool:
    return text.lstrip().startswith(b"#")
