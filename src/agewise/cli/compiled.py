"""Compiled code that is kept from one command to the next, in the user's cache folder."""

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DIRECTORY = "jax_compilation_cache_dir"
"""Name of the setting by which JAX is given the folder."""
MAX_BYTES = 256 * 2**20
"""Size of the folder beyond which JAX deletes what was used longest ago [bytes]."""


@contextmanager
def compiled_code_kept() -> Iterator[None]:
    """Let JAX find what an earlier command has compiled, and keep what this one compiles.

    Compiling takes longer than most fits. A folder that the user has set for JAX, such as by
    `JAX_COMPILATION_CACHE_DIR`, stays in use; where none can be written, nothing is kept.
    """
    # Loading JAX takes a while, and `--help` does without.
    import jax
    from jax.experimental.compilation_cache import compilation_cache

    folder = None if getattr(jax.config, DIRECTORY) else _folder()
    if folder is None:
        yield
        return
    wanted = {
        DIRECTORY: str(folder),
        "jax_compilation_cache_max_size": MAX_BYTES,
        # Many small functions are compiled for a fit: none takes a second, together they do.
        "jax_persistent_cache_min_compile_time_secs": 0.0,
    }
    before = {name: getattr(jax.config, name) for name in wanted}
    _configure(wanted)
    try:
        yield
    finally:
        _configure(before)
        # JAX holds on to the folder that it has opened until it is told to forget it.
        compilation_cache.reset_cache()


def compiled_code_environment() -> dict[str, str]:
    """Variables by which processes that are started here keep compiled code in the same folder."""
    folder = None if os.environ.get(DIRECTORY.upper()) else _folder()
    if folder is None:
        return {}
    return {
        DIRECTORY.upper(): str(folder),
        "JAX_COMPILATION_CACHE_MAX_SIZE": str(MAX_BYTES),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    }


def _configure(values: dict[str, object]) -> None:
    import jax

    for name, value in values.items():
        jax.config.update(name, value)


def _folder() -> Path | None:
    """The folder of this computer; None where it cannot be made or written.

    A home that several computers share has one for each: code compiled for one processor may not
    run on another.
    """
    from platformdirs import user_cache_path

    folder = user_cache_path("agewise", appauthor=False) / "compiled" / (platform.node() or "here")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None
