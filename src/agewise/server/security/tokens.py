"""Tokens: shown once when they are made, kept as hashes."""

import hashlib
import hmac
import json
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from agewise.arrays import damaged
from agewise.errors import InputError
from agewise.files import replacing

Role = Literal["read", "write"]
"""What a visitor may do: look at everything, or also upload."""
PREFIX = "agw_"
"""How every token begins, so that one that leaked into a file can be searched for."""
RANDOM_BYTES = 32
"""Random bytes of a token. So many cannot be guessed, which is why one round of SHA-256 guards them
as well as a slow hash would; that would be needed for passwords, which people choose."""
NAME = r"[A-Za-z0-9][A-Za-z0-9._@ -]{0,59}"
"""What a token may be called."""


@dataclass(frozen=True)
class Token:
    """A token as it is kept."""

    name: str
    """Who or what it was made for."""
    role: Role
    """What it allows."""
    sha256: str
    """SHA-256 of the token itself, which is kept nowhere."""


def read_tokens(path: Path) -> tuple[Token, ...]:
    """The tokens in a file; none where there is no file."""
    if not path.exists():
        return ()
    try:
        return tuple(TypeAdapter(list[Token]).validate_json(path.read_bytes()))
    except ValidationError:
        raise damaged(path, "holds no tokens") from None


def new_token(path: Path, name: str, role: Role) -> str:
    """Make a token and keep its hash; what is returned can never be shown again."""
    if not re.fullmatch(NAME, name):
        raise InputError(
            f"{name!r} cannot name a token.", hint="use letters, digits, dots and dashes."
        )
    tokens = read_tokens(path)
    if any(token.name == name for token in tokens):
        raise InputError(
            f"There is a token named {name!r} already.",
            hint="choose another name, or forget that one first with `forget_token`.",
        )
    text = PREFIX + secrets.token_urlsafe(RANDOM_BYTES)
    _write(path, (*tokens, Token(name, role, _digest(text))))
    return text


def forget_token(path: Path, name: str) -> None:
    """Let a token open nothing from now on."""
    tokens = read_tokens(path)
    kept = tuple(token for token in tokens if token.name != name)
    if len(kept) == len(tokens):
        names = ", ".join(token.name for token in tokens) or "none"
        raise InputError(f"There is no token named {name!r}.", hint=f"known tokens: {names}.")
    _write(path, kept)


def matching(tokens: tuple[Token, ...], text: str) -> Token | None:
    """The token that a visitor shows, if it is one of these."""
    digest = _digest(text)
    # All are compared, in constant time each, so that the time taken tells nothing.
    matches = [token for token in tokens if hmac.compare_digest(token.sha256, digest)]
    return matches[0] if matches else None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _write(path: Path, tokens: tuple[Token, ...]) -> None:
    content = [{"name": t.name, "role": t.role, "sha256": t.sha256} for t in tokens]
    with replacing(path) as temporary:
        temporary.chmod(0o600)  # before anything is in it
        temporary.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
