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
    from agewise.transformer.between_samples import Hold


MOST_JOBS = 1000
"""Largest number of processes side by side, more than any machine has cores."""
LONGEST = 2000
"""Largest number of characters of a text that is printed.

More than any of our sentences has, but a file may put anything into one.
"""


def fail(sentence: str, hint: str) -> NoReturn:
    """One sentence, one hint, exit code 2."""
    print(f"error: {printable(sentence)}\nhint: {printable(hint)}", file=sys.stderr)
    sys.exit(2)


def printable(text: str) -> str:
    """Text in one line that a terminal shows as it is, whoever wrote the files that it comes from.

    Characters that move the cursor, change colours or turn the direction of writing are shown by
    their numbers. Of a very long text the two ends are kept.
    """
    shown = "".join(letter if letter.isprintable() else _number(letter) for letter in text)
    if len(shown) <= LONGEST:
        return shown
    return f"{shown[: LONGEST // 2]} ... {shown[-LONGEST // 2 :]}"


def _number(letter: str) -> str:
    """A character as Python escapes it in a literal."""
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def watched() -> bool:
    """Whether stderr is a terminal, where somebody sees a spinner or a bar."""
    return sys.stderr.isatty()


@contextmanager
def stage(text: str, *, spinner: bool = True) -> Iterator[None]:
    """Show what is going on while the block runs: a spinner, or a line where nobody watches.

    Without the spinner there is room for a bar of the block's own.
    """
    text = printable(text)
    if not watched() or not spinner:
        print(f"{text} ...", file=sys.stderr, flush=True)
        yield
        return
    from rich.console import Console
    from rich.text import Text

    # As Text, since rich takes square brackets in a string for its own marks.
    with Console(stderr=True).status(Text(text)):
        yield


def answer(rows: dict[str, str]) -> None:
    """Aligned lines that a person can read."""
    width = max(len(printable(name)) for name in rows)
    for name, text in rows.items():
        print(f"{printable(name):<{width}}  {printable(text)}")


def duration(hours: float) -> str:
    """Hours, or minutes where hours would be a small fraction; seconds below a minute."""
    if 0 < hours < 1 / 60:
        return f"{3600 * hours:.3g} s"
    return f"{hours:.1f} h" if hours >= 2 else f"{60 * hours:.1f} min"


def refuse_beyond(flag: str, value: int, most: int) -> None:
    """Refuse a number of things that is not between one and the largest that makes sense."""
    if not 1 <= value <= most:
        raise typer.BadParameter(f"{flag} {value} is not 1 to {most}.")


def parsed_grid(text: str) -> tuple[int, float]:
    """Heights and minutes of a field, from `51x10`."""
    # At most nine digits, so that no number is too long to be read as one.
    match = re.fullmatch(r"(\d{1,9})x(\d{1,9}(?:\.\d{1,9})?)", text)
    if match is None:
        raise typer.BadParameter(f"--grid {text!r} is not HEIGHTSxMINUTES, as 51x10.")
    return int(match[1]), float(match[2])


def top_oil_source(profile: "Profile") -> str:
    """Where the temperature of the top oil comes from, in a word."""
    return "modelled" if profile.top_oil is None else "measured"


def profile_rows(unit: "Nameplate", profile: "Profile", hold: "Hold") -> dict[str, str]:
    """What a command was given: unit and samples, findings about them, and what is not used."""
    from agewise.assessment.decision.plausibility import plausibility
    from agewise.plant.cost import by_cost
    from agewise.plant.joined_findings import joined_findings
    from agewise.plant.notes import listed
    from agewise.units import SECONDS_PER_HOUR

    hours = profile.seconds / SECONDS_PER_HOUR
    rows = {"unit": f"{unit.name}, {hours.size} samples over {duration(hours[-1])}"}
    found = (*joined_findings(profile.findings), *plausibility(profile, unit, hold))
    for number, finding in enumerate(by_cost(found), start=1):
        rows[f"finding {number}"] = finding.text
    if profile.ignored:
        rows["ignored"] = f"columns {listed(profile.ignored)}"
    if profile.interior:
        rows["not used"] = f"{len(profile.interior)} sensors inside the oil"
    return rows
