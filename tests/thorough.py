"""How much is tried: a quarter of the random cases by `make test`, all by `make test-all`."""

import os

from hypothesis import settings

ALL = os.environ.get("AGEWISE_TESTS") == "all"
SHARE = 4


def examples(count: int) -> settings:
    """So many random cases, the same ones every time; by `make test` the first quarter of them."""
    tried = count if ALL else count // SHARE
    return settings(max_examples=tried, deadline=None, derandomize=True, database=None)
