"""The parts of a fleet are an extra: without them plain agewise works, and a sentence says how."""

import subprocess
import sys

import pytest

from agewise.errors import InputError
from agewise.fleet.extra import PARTS, refuse_missing_parts

LOADED = """
import sys
import agewise.cli
from agewise.cli import commands_by_name
commands_by_name()
print(sorted({name.partition(".")[0] for name in sys.modules}))
"""


def test_commands_are_listed_without_loading_what_a_fleet_needs():
    shown = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    for heavy in (*PARTS, "dask", "fastapi", "jax", "pandas"):
        assert repr(heavy) not in shown.stdout


def test_a_missing_part_is_a_sentence_with_the_way_to_get_it():
    refuse_missing_parts()
    with pytest.raises(InputError, match="package nowhere_at_all") as refusal:
        refuse_missing_parts("nowhere_at_all")
    assert refusal.value.hint == "pip install 'agewise[fleet]'."
