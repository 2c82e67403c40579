"""Laws are searched alike on every machine, however busy; nothing is compiled twice."""

import gc
import os
from pathlib import Path

import checked_shapes
import pytest
from hypothesis import settings
from thorough import ALL

# What is imported and collected stays: to search it for garbage again and again finds none.
gc.disable()

settings.register_profile("agewise", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("agewise")

# Compiled code is kept between runs, and shared by workers and the processes that tests start.
# Bounded, because a bounded cache is also a locked one: nobody reads what another is writing.
os.environ.setdefault(
    "JAX_COMPILATION_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "compiled")
)
os.environ.setdefault("JAX_COMPILATION_CACHE_MAX_SIZE", str(2**30))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.3")
# One worker a core: threads of their own would only wait for each other, and idle ones spin.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Most of what is compiled here runs for less time than XLA would take to make it fast; `make
# test-all` lets it be compiled as it is for users.
AS_FOR_USERS = "--xla_cpu_multi_thread_eigen=false"
SOON = (
    "--xla_backend_optimization_level=0 --xla_cpu_use_fusion_emitters=false"
    " --xla_cpu_parallel_codegen_split_count=1"
)
os.environ.setdefault("XLA_FLAGS", AS_FOR_USERS if ALL else f"{AS_FOR_USERS} {SOON}")
# After the settings above, which JAX reads once, when it is loaded.
checked_shapes.install()


LONG = (
    "networks, any equation",
    "networks",
    "chains",
    "waves, any equation",
    "fleet",
    "server",
    "watch",
    "tests/cli/test_resume.py",
    "tests/cli/test_cli.py",
    "tests/test_face.py",
    "api",
    "equations",
    "tests/transformer/calibration/test_learning.py",
    "tests/fleet/engine/test_deaths.py",
    "tests/benchmark/test_cells.py",
    "tests/engine/inference/test_methods.py",
    "tests/engine/equations/fitting/test_another.py",
    "tests/assessment/oil/test_windows.py",
    "tests/assessment/life/test_prognosis.py",
    "tests/cli/test_rating.py",
)
"""Groups that take five seconds or more, which begin first: no process is left alone with one."""


# Before the plugin that shares tests out reads the groups.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one file share a process, and so what they fit, unless they say otherwise."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
    # Tests of a group keep their order, on which fixtures of a module rest.
    items.sort(key=lambda item: LONG.index(of) if (of := group(item)) in LONG else len(LONG))


def group(item: pytest.Item) -> str:
    """The tests with which a test shares a process."""
    marker = item.get_closest_marker("xdist_group")
    return marker.args[0] if marker else ""


def pytest_collection_finish() -> None:
    """What was loaded stays to the end: the search for garbage need not go through it each time."""
    gc.collect()
    gc.freeze()
    gc.enable()
