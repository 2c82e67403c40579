"""How much is tried: a quarter of the random cases by `make test`, all by `make test-all`."""

import os

import pytest
from hypothesis import settings

ALL = os.environ.get("AGEWISE_TESTS") == "all"
SHARE = 4
thorough = pytest.mark.skipif(not ALL, reason="long, and its truth is tested small: make test-all")


def examples(count: int) -> settings:
    """So many random cases, the same ones every time; by `make test` the first quarter of them."""
    tried = count if ALL else count // SHARE
    return settings(max_examples=tried, deadline=None, derandomize=True, database=None)
