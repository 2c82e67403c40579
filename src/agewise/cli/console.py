"""How commands speak: answers to stdout, progress and errors to stderr."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


def fail(sentence: str, hint: str) -> NoReturn:
    """One sentence, one hint, exit code 2."""
    print(f"error: {sentence}\nhint: {hint}", file=sys.stderr)
    sys.exit(2)


@contextmanager
def stage(text: str) -> Iterator[None]:
    """Show what is going on while the block runs: a spinner, or a line where nobody watches."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        print(f"{text} ...", file=sys.stderr, flush=True)
        yield
        return
    with console.status(text):
        yield


def answer(rows: dict[str, str]) -> None:
    """Aligned lines that a person can read."""
    width = max(map(len, rows))
    for name, text in rows.items():
        print(f"{name:<{width}}  {text}")


def duration(hours: float) -> str:
    """Hours, or minutes where hours would be a small fraction."""
    return f"{hours:.1f} h" if hours >= 2 else f"{60 * hours:.1f} min"
