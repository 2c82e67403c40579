"""The parts of a fleet are an extra: where one is missing, a sentence says how to get it."""

from importlib.util import find_spec

from agewise.errors import InputError

PARTS = ("sqlalchemy", "alembic", "distributed")
"""Packages that the extra `fleet` installs for work on a fleet; pages need more of them."""


def refuse_missing_parts(*parts: str, extra: str = "fleet") -> None:
    """Refuse to begin without the packages of an extra.

    Args:
        parts: Names of the packages to look for; those of a fleet unless given.
        extra: Name of the extra that brings them.
    """
    missing = [name for name in parts or PARTS if find_spec(name) is None]
    if missing:
        raise InputError(
            f"This needs the Python package {missing[0]}, which is not installed.",
            hint=f"pip install 'agewise[{extra}]'.",
        )
