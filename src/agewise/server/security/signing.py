"""Texts that come back from a browser unchanged, or not at all."""

import base64
import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass, field

SECRET_BYTES = 32
"""Length of the key; it lives as long as the process, so a restart ends every session."""


@dataclass(frozen=True)
class Signer:
    """Signs texts with a key of its own, and knows them again until they expire."""

    key: bytes = field(default_factory=lambda: secrets.token_bytes(SECRET_BYTES), repr=False)
    """The secret key."""

    def signed(self, purpose: str, text: str, *, seconds: float) -> str:
        """The text with its time of expiry and a signature, fit for a cookie or a form."""
        until = int(time.time() + seconds)
        body = base64.urlsafe_b64encode(f"{until}:{text}".encode()).decode().rstrip("=")
        return f"{body}.{self._signature(purpose, body)}"

    def text(self, purpose: str, signed: str) -> str | None:
        """The text that was signed for this purpose; None if it was not, or has expired."""
        body, _, signature = signed.partition(".")
        expected = self._signature(purpose, body)
        if not hmac.compare_digest(signature.encode(), expected.encode()):
            return None
        decoded = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)).decode()
        until, _, text = decoded.partition(":")
        return text if int(until) > time.time() else None

    def _signature(self, purpose: str, body: str) -> str:
        # The purpose is part of what is signed: a form's token is no session.
        return hmac.new(self.key, f"{purpose}:{body}".encode(), hashlib.sha256).hexdigest()
