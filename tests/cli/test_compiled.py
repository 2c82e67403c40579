"""Compiled code is found again by the next command, and nothing of that is left behind."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import jax
from agewise.cli.compiled import compiled_code_kept

with compiled_code_kept():
    inside = jax.config.jax_compilation_cache_dir
    jax.jit(lambda x: x + 1)(1.0)
print(inside, jax.config.jax_compilation_cache_dir)
"""


def run(home: Path, **chosen: str) -> list[str]:
    """Where code is kept within the block and after it, in a process of its own."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("JAX_")}
    own |= {"XDG_CACHE_HOME": str(home), "LOCALAPPDATA": str(home), "HOME": str(home)} | chosen
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        env=own, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout.split()


def test_what_was_compiled_is_kept_within_the_block_only(tmp_path: Path):
    inside, after = run(tmp_path)
    assert tmp_path in Path(inside).parents
    assert any(Path(inside).iterdir())
    assert after == "None"


def test_a_folder_that_the_user_has_set_stays(tmp_path: Path):
    chosen = str(tmp_path / "chosen")
    assert run(tmp_path / "home", JAX_COMPILATION_CACHE_DIR=chosen) == [chosen, chosen]
    assert not (tmp_path / "home").exists()


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path):
    taken = tmp_path / "taken"
    taken.write_text("a file where the folder should be")
    assert run(taken) == ["None", "None"]
