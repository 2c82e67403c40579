"""Two thousand corruptions of a clean file (five hundred by `make test`): refused, told, or without
effect on the answer."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jaxtyping
import pytest
import tomli_w
from corruption import CASES, Table, clean, text_of, verdict
from hypothesis import given
from hypothesis import strategies as st
from spoiling import spoiled_bytes, spoiled_cell, spoiled_columns, spoiled_rows, spoiled_times
from thorough import examples

from agewise.reading.options import Reading

pytestmark = pytest.mark.xdist_group("robustness")

NAMES = st.sampled_from(sorted(CASES))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where files go; types are checked by all other tests, and would take most of the time."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield tmp_path_factory.mktemp("corrupted")
    jaxtyping.config.update("jaxtyping_disable", False)


def copied(name: str) -> Table:
    return [list(row) for row in clean(name).table]


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


@given(NAMES, st.data())
@examples(400)
def test_cells(folder: Path, name: str, data: st.DataObject):
    table = copied(name)
    column = data.draw(st.integers(1, 3))
    first = data.draw(st.integers(1, len(table) - 1))
    for row in range(first, min(first + data.draw(st.sampled_from([1, 1, 2, 5])), len(table))):
        table[row][column] = data.draw(spoiled_cell(table[row][column]))
    verdict(name, text_of(table), folder=folder)


@given(NAMES, st.data())
@examples(300)
def test_rows(folder: Path, name: str, data: st.DataObject):
    verdict(name, text_of(data.draw(spoiled_rows(copied(name)))), folder=folder)


@given(NAMES, st.data())
@examples(200)
def test_columns(folder: Path, name: str, data: st.DataObject):
    verdict(name, text_of(data.draw(spoiled_columns(copied(name)))), folder=folder)


@given(NAMES, st.data())
@examples(300)
def test_times(folder: Path, name: str, data: st.DataObject):
    table = data.draw(spoiled_times(copied(name)))
    zone = data.draw(st.sampled_from([None, "Europe/Madrid", "+01:00"]))
    verdict(name, text_of(table), folder=folder, reading=Reading(timezone=zone))


UNITS = {
    "load": {"%": (100.0, 0.0), "A": (1587.7, 0.0), "kVA": (1100.0, 0.0)},
    "temperature": {"°F": (1.8, 32.0), "K": (1.0, 273.15)},
}


@given(NAMES, st.data())
@examples(100)
def test_units(folder: Path, name: str, data: st.DataObject):
    table = copied(name)
    header, form = table[0][:], data.draw(st.sampled_from(["", " [{}]", "_{}", " ({})", " {}"]))
    for column in data.draw(st.sampled_from([[1], [2], [3], [2, 3], [1, 2, 3]])):
        known = UNITS["load" if column == 1 else "temperature"]
        unit = data.draw(st.sampled_from(sorted(known)))
        factor, zero = known[unit]
        for row in table[1:]:
            row[column] = f"{float(row[column]) * factor + zero:.4f}"
        header[column] += form.format(unit)
    verdict(name, text_of([header, *table[1:]]), folder=folder)


FIELDS = [
    *("rated_power_kva", "no_load_losses_w", "load_losses_w", "cooling", "name"),
    *("oil.time_constant_min", "oil.top_oil_rise_k", "oil.exponent", "oil.k11"),
    *("winding.time_constant_min", "winding.gradient_k", "winding.exponent"),
    *("winding.k21", "winding.k22", "insulation.paper", "insulation.life_hours", "tank.height_m"),
]
MAGNITUDES = [1e-6, 1e-3, 1e-2, 0.1, 1 / 60, -1.0, 0.0, 10.0, 60.0, 100.0, 1e3, 1e6]


@given(NAMES, st.data())
@examples(200)
def test_fields_of_the_nameplate(folder: Path, name: str, data: st.DataObject):
    fields: dict[str, Any] = {
        key: dict(own) if isinstance(own, dict) else own for key, own in clean(name).fields.items()
    }
    section, _, key = data.draw(st.sampled_from(FIELDS)).rpartition(".")
    where = fields[section] if section else fields
    kind = data.draw(st.sampled_from(["missing", "type", "magnitude", "misspelt", "section"]))
    if kind == "missing":
        del where[key]
    elif kind == "type":
        wrong = ["15", True, [1.0], {"mean": "x"}, {"std": 1.0}, "", float("nan"), float("inf")]
        where[key] = data.draw(st.sampled_from(wrong))
    elif kind == "magnitude" and isinstance(value := where[key], float):
        where[key] = value * data.draw(st.sampled_from(MAGNITUDES))
    elif kind == "misspelt":
        where[key[:-1]] = where.pop(key)
    elif section:
        fields[section] = data.draw(st.sampled_from([1.0, "x", {}, [where]]))
    verdict(name, nameplate=tomli_w.dumps(fields), folder=folder)
