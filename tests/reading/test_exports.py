"""Every export that engineers bring is read, asked about one fact, or refused with a hint."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from dialects import clean
from export_table import EXPORTS, Export, page

from agewise.errors import InputError
from agewise.plant.record import Record
from agewise.reading.profile_file import read_profile
from agewise.reading.record_file import read_record

LOST = 8
"""Most readings of a column that an export holds no number for."""
PAGE = Path(__file__).parents[2] / "docs" / "exports.md"


def refuses(export: Export, folder: Path) -> None:
    given = export.write(folder)
    with pytest.raises(InputError) as told:
        read_record(given, export.first, rated=export.rated)
    assert re.search(export.sentence, told.value.sentence), told.value.sentence
    assert re.search(export.hint, told.value.hint), told.value.hint
    assert "\n" not in told.value.sentence + told.value.hint


def agrees(record: Record, export: Export) -> None:
    """What was read is what was written: each cell at its own instant, none lost unsaid."""
    truth, timed = clean(), np.isfinite(record.seconds)
    assert record.start is not None
    times = record.start + pd.to_timedelta(record.seconds[timed] + 86400 * export.earlier, "s")
    minutes = np.rint((times - truth["time"].iloc[0]).total_seconds() / 60).astype(int)
    for name in ("load", "ambient", "top_oil"):
        values = record.columns[name][timed]
        known = np.isfinite(values)
        expected = truth[name].to_numpy()[minutes[known]]
        assert np.abs(values[known] - expected).max() < 1e-9, name
        assert len({*minutes[known].tolist()}) >= len(truth) // export.step - LOST, name


ASKED = [name for name, export in EXPORTS.items() if export.asks or export.refused]
READ = [name for name, export in EXPORTS.items() if not export.refused]
READ.remove("contradicting")  # its rows are compared when they are checked, below


@pytest.mark.parametrize("name", ASKED)
def test_what_cannot_be_read_at_once_says_what_it_lacks(tmp_path: Path, name: str):
    refuses(EXPORTS[name], tmp_path)


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_what_was_written(tmp_path: Path, name: str):
    export = EXPORTS[name]
    record = read_record(export.write(tmp_path), export.answer, rated=export.rated)
    agrees(record, export)
    texts = " ".join(finding.text for finding in record.notes)
    assert re.search(export.note, texts), texts


def test_what_files_say_differently_is_left_out_and_the_rest_kept(tmp_path: Path):
    export = EXPORTS["contradicting"]
    profile = read_profile(export.write(tmp_path), export.answer)
    texts = " ".join(finding.text for finding in profile.findings)
    assert re.search(export.note, texts), texts
    assert profile.seconds.size == len(clean())
    off = np.flatnonzero(np.abs(profile.load - clean()["load"].to_numpy()) > 1e-9)
    assert {*off.tolist()} <= {370, 371, 372}, "bridged by a straight line, not by either file"


def test_the_page_says_what_becomes_of_each():
    assert page() in PAGE.read_text("utf-8"), "write export_table.page() there"
    assert f"{len(EXPORTS)} files" in PAGE.read_text("utf-8")
