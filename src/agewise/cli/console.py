"""How commands speak: answers to stdout, progress and errors to stderr."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from agewise.plant.nameplate import Nameplate
    from agewise.plant.profile import Profile
    from agewise.transformer.sampling import Hold


def fail(sentence: str, hint: str) -> NoReturn:
    """One sentence, one hint, exit code 2."""
    print(f"error: {sentence}\nhint: {hint}", file=sys.stderr)
    sys.exit(2)


def watched() -> bool:
    """Whether somebody sees stderr."""
    return sys.stderr.isatty()


@contextmanager
def stage(text: str, *, spinner: bool = True) -> Iterator[None]:
    """Show what is going on while the block runs: a spinner, or a line where nobody watches.

    Without the spinner there is room for a bar of the block's own.
    """
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal or not spinner:
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
    """Hours, or minutes where hours would be a small fraction; seconds below a minute."""
    if 0 < hours < 1 / 60:
        return f"{3600 * hours:.3g} s"
    return f"{hours:.1f} h" if hours >= 2 else f"{60 * hours:.1f} min"


def parsed_grid(text: str) -> tuple[int, float]:
    """Heights and minutes of a field, from `51x10`."""
    match = re.fullmatch(r"(\d+)x(\d+(?:\.\d+)?)", text)
    heights, minutes = (int(match[1]), float(match[2])) if match else (0, 0.0)
    if not (2 <= heights <= 2001 and minutes > 0):
        raise typer.BadParameter(f"--grid {text!r} is not HEIGHTSxMINUTES, as 51x10.")
    return heights, minutes


def profile_rows(unit: "Nameplate", profile: "Profile", hold: "Hold") -> dict[str, str]:
    """What a command was given: unit and samples, what was found in them, what was not used."""
    from agewise.assessment.decision.plausibility import plausibility
    from agewise.plant.notes import listed
    from agewise.units import SECONDS_PER_HOUR

    hours = profile.seconds / SECONDS_PER_HOUR
    rows = {"unit": f"{unit.name}, {hours.size} samples over {duration(hours[-1])}"}
    found = (*profile.findings, *plausibility(profile, unit, hold))
    for number, finding in enumerate(found, start=1):
        rows[f"finding {number}"] = finding.text
    if profile.ignored:
        rows["ignored"] = f"columns {listed(profile.ignored)}"
    if profile.interior:
        rows["not used"] = f"{len(profile.interior)} sensors inside the oil"
    return rows
