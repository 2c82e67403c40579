"""What a run answers, by which it is found again, and what sets two of them apart."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agewise.errors import InputError

MOST_DIFFERENCES = 3
"""Number of differences between two runs that an error names; more would not be read."""


@dataclass(frozen=True)
class Identity:
    """What a run answers: equal identities have one answer, which is worked out once."""

    method: str
    """Name of the inference method."""
    settings: dict[str, Any]
    """Every other setting, as JSON gives them back."""
    seed: int
    """Seed of the random numbers."""
    inputs: dict[str, str]
    """SHA-256 of each input file by its role (profile, nameplate, truth, scenario)."""

    def __post_init__(self):
        # As JSON gives them back (a tuple is a list there); what JSON cannot hold is refused here.
        plain = json.loads(json.dumps(self.settings, allow_nan=False))
        object.__setattr__(self, "settings", plain)  # the only way in a frozen dataclass


def fingerprint(path: Path | Sequence[Path]) -> str:
    """The SHA-256 of a file's content, or of several files in any order, whatever their names."""
    if not isinstance(path, Path):
        prints = sorted(fingerprint(each) for each in path)
        # One file is known by its own content, however it was given.
        return (
            prints[0] if len(prints) == 1 else hashlib.sha256("".join(prints).encode()).hexdigest()
        )
    if path.is_dir():
        raise InputError(f"{path} is a folder, not a file.", hint="name the file in it.")
    if not path.is_file():
        raise InputError(f"There is no file {path}.", hint="check the path.")
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def difference(there: Identity, here: Identity) -> str:
    """What sets two identities apart: up to three things, and how many more there are.

    Args:
        there: The identity of the run that was found in a folder.
        here: The identity that is asked for.
    """
    old, new = dict(_facts(there)), dict(_facts(here))
    names = [name for name in old | new if old.get(name) != new.get(name)]
    # Cut to 32 characters: half a SHA-256 tells two files apart, and a long list stays readable.
    phrases = [
        f"{name} is {old.get(name, 'absent'):.32} there, {new.get(name, 'absent'):.32} here"
        for name in names[:MOST_DIFFERENCES]
    ]
    more = len(names) - MOST_DIFFERENCES
    return "; ".join(phrases) + (f"; and {more} more" if more > 0 else "")


def _facts(identity: Identity) -> Iterator[tuple[str, str]]:
    """Everything that an identity says, by a name for people."""
    yield "method", identity.method
    yield "seed", str(identity.seed)
    yield from _leaves(identity.settings, "setting ")
    yield from ((f"sha256 of the {name}", digest) for name, digest in identity.inputs.items())


def _leaves(settings: dict[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    """Nested settings by dotted names, such as training.steps."""
    for name, value in settings.items():
        # An empty mapping has no leaves, but there or not there, it sets two identities apart.
        if isinstance(value, dict) and value:
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", json.dumps(value)
