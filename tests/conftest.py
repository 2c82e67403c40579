"""Laws are searched alike on every machine, however busy; nothing is compiled twice."""

import os
from tempfile import TemporaryDirectory

from hypothesis import settings

settings.register_profile("agewise", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("agewise")

# Workers and the processes that tests start share what any of them has compiled in this run.
if "JAX_COMPILATION_CACHE_DIR" not in os.environ:
    _compiled = TemporaryDirectory(prefix="agewise-compiled-")
    os.environ["JAX_COMPILATION_CACHE_DIR"] = _compiled.name
    os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0.3"
