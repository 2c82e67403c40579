"""Long tables: a tag, a time and a value in each row, as historians export them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from agewise.errors import InputError
from agewise.plant.notes import listed
from agewise.reading.heading import Heading, is_unit
from agewise.reading.synonyms import words_of
from agewise.reading.table.foreign import Sheet, TableSheet, sheet_of

TAGS = (
    *("tag", "tagname", "point", "pointname", "signal", "signalname", "channel", "variable"),
    *("parameter", "measurement", "series", "sensor", "item", "name", "metric", "objectname"),
    *("kanal", "messstelle", "datenpunkt", "etiqueta", "senal", "variabile", "segnale"),
)
"""Headers of the column that says what a row measures, the likeliest first."""
VALUES = ("value", "val", "wert", "messwert", "valor", "valeur", "valore", "reading", "pointvalue")
"""Headers of the column that has the number."""
UNITS = ("unit", "units", "uom", "egu", "einheit", "unidad", "unite", "unita")
"""Headers of the column that has its unit."""
SHARED = 0.5
"""Share of times that two tags have in common from which on they stand in one table."""
MOST_TAGS = 2000
"""Most different tags; beyond, the column holds something else, such as numbers of rows."""


@dataclass(frozen=True)
class LongNames:
    """Columns of a long table."""

    times: tuple[str, ...]
    """The time, or a date and a time of day."""
    tag: str
    """Name of the column that says what a row measures."""
    value: str
    """Name of the column that has the number."""
    unit: str | None
    """Name of the column that has the unit of the number; None where there is no such column."""


def sheets_of(path: Path) -> list[Sheet]:
    """The sheets of a file: one, or for a long table one for all tags that share their times."""
    sheet = sheet_of(path)
    names = long_names(sheet.names)
    return [sheet] if names is None else _wide(sheet, names, str(path))


def long_names(names: Sequence[str]) -> LongNames | None:
    """The columns of a long table by their names; None for any other table."""
    compact = {name: "".join(words_of(name)) for name in names}
    tag, value, unit = (_first(compact, words) for words in (TAGS, VALUES, UNITS))
    meanings = {name: Heading(name).meaning for name in names if name not in (tag, value)}
    times = tuple(name for name, what in meanings.items() if what in ("stamp", "date", "clock"))
    measured = {*meanings.values()} & {"load", "ambient", "top_oil"}
    if tag is None or value is None or not times or measured:
        return None
    return LongNames(times[:2], tag, value, unit)


def _first(compact: dict[str, str], words: Sequence[str]) -> str | None:
    matches = [(words.index(word), name) for name, word in compact.items() if word in words]
    return min(matches)[1] if matches else None


@dataclass(frozen=True, eq=False)
class LongTable:
    """Rows of a long table, with a number for each tag and each time."""

    frame: pd.DataFrame
    """Time, tag, value and unit of every row."""
    names: LongNames
    """What its columns are called."""
    tags: list[str]
    """The different tags."""
    tag: np.ndarray
    """Number of each row's tag."""
    moment: np.ndarray
    """Number of each row's time; a tag that has a time twice has two numbers for it."""

    @classmethod
    def of(cls, frame: pd.DataFrame, names: LongNames) -> "LongTable":
        """The rows with tags and times numbered."""
        tag, tags = pd.factorize(frame[names.tag].astype(str).str.strip())
        # A tag may have two rows of one time, which must not become one unseen.
        keys = frame[list(names.times)].assign(tag=tag)
        again = keys.groupby(list(keys), sort=False).cumcount()
        moments = pd.MultiIndex.from_frame(keys.drop(columns="tag").assign(again=again))
        return cls(frame, names, [str(each) for each in tags], tag, pd.factorize(moments)[0])

    def groups(self) -> list[list[int]]:
        """Numbers of the tags that share most of their times, together."""
        groups: list[tuple[set[int], list[int]]] = []
        for tag in range(len(self.tags)):
            own = set(self.moment[self.tag == tag].tolist())
            home = next((each for each in groups if _shared(own, each[0])), None)
            if home is None:
                groups.append((own, [tag]))
            else:
                home[1].append(tag)
        return [tags for _, tags in groups]

    def units(self) -> dict[str, str]:
        """The unit of each tag, where a column says it; a word that is no unit is passed over."""
        if self.names.unit is None:
            return {}
        stated = self.frame[self.names.unit].astype(str).str.strip().to_numpy()
        # The first row of a tag tells its unit.
        firsts = {name: stated[(self.tag == n).argmax()] for n, name in enumerate(self.tags)}
        return {name: str(unit) for name, unit in firsts.items() if is_unit(str(unit))}

    def wide(self, tags: Sequence[int]) -> tuple[pd.DataFrame, np.ndarray]:
        """Some tags as columns, and the row of this table in which each time first stands."""
        rows = np.flatnonzero(np.isin(self.tag, tags))
        place, first = np.unique(self.moment[rows], return_index=True)
        # In the order of the file, which clock changes are told by.
        order = np.argsort(first)
        # The inverse of that order: for each time, its row in the wide table.
        number = np.empty(place.size, dtype=int)
        number[order] = np.arange(place.size)
        target = number[np.searchsorted(place, self.moment[rows])]
        firsts = rows[first[order]]
        table = self.frame.iloc[firsts][list(self.names.times)].reset_index(drop=True)
        values = self.frame[self.names.value]
        for tag in tags:
            here = self.tag[rows] == tag
            own = values.iloc[rows[here]].set_axis(target[here])
            # Text stays text, and an empty cell is no value in either.
            table[self.tags[tag]] = own.reindex(range(place.size))
        return table, firsts


def _shared(own: set[int], others: set[int]) -> bool:
    return len(own & others) > SHARED * min(len(own), len(others))


def _wide(sheet: Sheet, names: LongNames, where: str) -> list[Sheet]:
    """A sheet for each group of tags that share their times."""
    texts = (*names.times, names.tag, *([names.unit] if names.unit else []))
    cells = sheet.cells(texts, [names.value])
    table = LongTable.of(cells.frame.reset_index(drop=True), names)
    if len(table.tags) > MOST_TAGS:
        raise InputError(
            f"{where} seems to be a long table with {len(table.tags)} different tags, first "
            f"{listed(table.tags[:3])}.",
            hint="export fewer tags, or one column for each.",
        )
    units, start = table.units(), sheet.line(0)
    sheets: list[Sheet] = []
    for tags in table.groups():
        wide, rows = table.wide(tags)
        wide_units = {name: unit for name, unit in units.items() if name in wide}
        sheets.append(TableSheet(wide, wide_units, start, cells.decimal, (rows + start).tolist()))
    return sheets
