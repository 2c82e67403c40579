"""Processes of a cluster of our own, as they are started."""

from pathlib import Path

import pytest
from fleet.dask_processes import HERE
from fleet.errands import errands, telling

from agewise.fleet.engine.cluster import RETURNED_BYTES, Engine
from agewise.fleet.engine.dispatch import outcomes


def test_workers_keep_freed_memory_for_the_next_array(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Dask's own choice, to give it back at once, took a third of the processor's time."""
    monkeypatch.delenv("MALLOC_TRIM_THRESHOLD_", raising=False)
    (told,) = outcomes(errands(tmp_path, 1), telling, Engine(1, None, HERE), notify=print)
    assert told.sentence == str(RETURNED_BYTES)
