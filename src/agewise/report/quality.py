"""What a file holds and what was left of it, column by column."""

from pathlib import Path

from agewise.data.profile import Profile
from agewise.data.record import Record


def write_quality(record: Record, clean: Profile, path: Path) -> None:
    """Draw it."""
    raise NotImplementedError
