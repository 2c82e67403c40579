"""The header of a foreign table: below what loggers write first, above a row of units or data."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from agewise.plant.measures import UNITS, unit_word
from agewise.reading.heading import grouped_name, stated_unit
from agewise.reading.table.numbers import NO_VALUE

VALUE = re.compile(r"[+\-−]?[.,]?\d")
"""How a number or a date begins."""
UNIT_WORDS = {word for kinds in UNITS.values() for words in kinds.values() for word in words}
"""Every spelling of every unit that is known."""
TIME_WORDS = {"ts", "rn", "time", "date", "datetime", "utc", "gmt", "local", "iso8601"}
"""What a row of units may say below a time or a counter; `ts` and `rn` are those of TOA5."""
TIME_LETTERS = set("ymdhsjatnz")
"""Letters of patterns such as yyyy-mm-dd hh:mm and TT.MM.JJJJ."""


@dataclass(frozen=True)
class Row:
    """Cells of a line that is not empty, and the number of lines up to and with it."""

    cells: tuple[str, ...]
    """Texts of the cells."""
    line: int
    """Line of the file in which the row ends, counted from 1."""


@dataclass(frozen=True)
class Header:
    """Names and units of the columns, and where the data begin."""

    names: tuple[str, ...]
    """Names of the columns of the data, in order; empty where the header has none."""
    units: tuple[str, ...]
    """Units from a row below the names; empty where it says nothing."""
    data: int
    """Place of the first row of data among the rows, from 0."""
    regular: float
    """Share of the rows of data that have as many cells as most."""
    rows: int = 0
    """Rows of data among those that were looked at."""


def header_of(rows: Sequence[Row]) -> Header | str:
    """The header of a table by its first rows, or what is wrong with them as half a sentence."""
    counts = Counter(len(row.cells) for row in rows if len(row.cells) > 1)
    if not counts:
        return "no line has two cells"
    # Most rows are data. Of equally frequent widths the larger one: titles have few cells.
    width = max(counts, key=lambda count: (counts[count], count))
    columns = _value_columns([row.cells for row in rows if len(row.cells) == width])
    data = next((n for n, row in enumerate(rows) if _is_data(row, width, columns)), None)
    if data is None:  # a header above nothing, to be refused later for its lack of rows
        names = next(n for n, row in enumerate(rows) if len(row.cells) == width)
        header = numbered(_names(rows[names].cells, width))
        return Header(header, ("",) * width, len(rows), 1.0)
    names, units = _places(rows, data)
    if names is None:
        return f"line {rows[data].line} is the first that looks like data, and has no header above"
    # Empty cells at the end do not count: some programs end their rows with a separator and their
    # header not, others the reverse.
    given = _trimmed(_with_groups(rows, names))
    used = max(len(_trimmed(row.cells)) for row in rows[data:] if len(row.cells) == width)
    if len(given) > width or used > max(len(rows[names].cells), len(given)):
        return f"the header (line {rows[names].line}) has {len(given)} names, the rows {used} cells"
    regular = sum(len(row.cells) == width for row in rows[data:]) / len(rows[data:])
    below = _names(rows[units].cells, width) if units is not None else ("",) * width
    return Header(numbered(_names(given, width)), below, data, regular, len(rows) - data)


def _value_columns(rows: Sequence[Sequence[str]]) -> list[int]:
    """Columns that hold values in most of the lower rows, where there is no header any more."""
    lower = rows[len(rows) // 2 :]
    shares = [sum(map(_is_value, cells)) / len(lower) for cells in zip(*lower, strict=True)]
    filled = [any(cell.strip() for cell in cells) for cells in zip(*lower, strict=True)]
    return [n for n, share in enumerate(shares) if filled[n] and share > 0.5]


def _is_data(row: Row, width: int, columns: Sequence[int]) -> bool:
    """Whether most cells, or most of those columns, begin as numbers, dates or `Bad` do."""
    filled = [n for n, cell in enumerate(row.cells) if cell.strip()]
    values = {n for n in filled if _is_value(row.cells[n])}
    most = len(filled) > 1 and 2 * len(values) > len(filled)
    return len(row.cells) == width and (most or 2 * len(values & {*columns}) > len(columns) > 0)


def _is_value(cell: str) -> bool:
    return VALUE.match(cell.strip()) is not None or cell.strip().lower() in NO_VALUE


def _places(rows: Sequence[Row], data: int) -> tuple[int | None, int | None]:
    """Places of the rows of names and of units, None where there is none.

    Between units and data there may be one more row, as in the TOA5 files of Campbell loggers.
    """
    for units in (data - 1, data - 2):
        if units > 0 and _are_units(rows[units].cells) and _are_names(rows[units - 1].cells):
            return units - 1, units
    above = data - 1
    return (above if above >= 0 and _are_names(rows[above].cells) else None), None


def _are_names(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell.strip()]
    return len(filled) > 1


def _are_units(cells: Sequence[str]) -> bool:
    """Whether all cells name units or patterns of time, and one of them a unit for certain."""
    # A dash below a name says that it has no unit.
    words = [unit_word(cell) for cell in cells if cell.strip(" -")]
    return any(word in UNIT_WORDS for word in words) and all(map(_is_unit, words))


def _is_unit(word: str) -> bool:
    return word in UNIT_WORDS | TIME_WORDS or (len(word) > 3 and set(word) <= TIME_LETTERS)


def _trimmed(cells: Sequence[str]) -> tuple[str, ...]:
    """Cells without the empty ones at the end."""
    last = max((n for n, cell in enumerate(cells, 1) if cell.strip()), default=0)
    return tuple(cells[:last])


def _names(cells: Sequence[str], width: int) -> tuple[str, ...]:
    """As many names as there are columns; the mark of a comment is not part of a name."""
    names = [" ".join(cell.split()) for cell in cells[:width]]
    names[0] = names[0].lstrip("# ")
    return (*names, *("" for _ in range(width - len(names))))


def _with_groups(rows: Sequence[Row], names: int) -> Sequence[str]:
    """The names, completed by a row of groups right above them, as merged cells of Excel leave it.

    A merged cell has its text in its first column, and the others are empty.
    """
    lower = rows[names].cells
    if not _are_groups(rows, names):
        return lower
    upper = rows[names - 1].cells
    groups = [""] * len(lower)
    for place, cell in enumerate(upper):
        groups[place] = cell.strip() or (groups[place - 1] if place else "")
    # Below the text of a group an empty cell has that for its name, and only right there.
    return [
        grouped_name(groups[place], cell) if cell.strip() else upper[place].strip()
        for place, cell in enumerate(lower)
    ]


def _are_groups(rows: Sequence[Row], names: int) -> bool:
    """Whether the row above the names belongs to them: a title of the file does not.

    It does where it names columns that the lower row leaves empty, tells repeated names apart, or
    has their units in brackets.
    """
    if not names or rows[names - 1].line != rows[names].line - 1:
        return False
    upper, lower = rows[names - 1].cells, rows[names].cells
    filled = [cell for cell in upper if cell.strip()]
    if len(upper) != len(lower) or len(filled) < 2 or any(map(_is_value, filled)):
        return False
    named = [cell.strip() for cell in lower if cell.strip()]
    completes = any(u.strip() and not w.strip() for u, w in zip(upper, lower, strict=True))
    return completes or len(set(named)) < len(named) or any(stated_unit(cell) for cell in filled)


def numbered(names: Sequence[str]) -> tuple[str, ...]:
    """Names that differ: of three columns `Temp` the second is `Temp #2`, the third `Temp #3`."""
    seen: Counter[str] = Counter()
    different = []
    for name in names:
        seen[name] += 1
        different.append(name if seen[name] == 1 or not name else f"{name} #{seen[name]}")
    return tuple(different)
