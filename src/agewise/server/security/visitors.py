"""Who is asking: a token, a session after a login, or what a reverse proxy says."""

import json
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from agewise.server.security.signing import Signer
from agewise.server.security.tokens import Role, Token, matching, read_tokens
from agewise.server.settings import ServerSettings

SESSION, SESSION_SECONDS = "agewise_session", 12 * 3600.0
"""Name of the cookie after a login, and how long it opens the door [s]: a working day."""
LONGEST_NAME = 100
"""Most characters of a visitor's name that are kept."""


@dataclass(frozen=True)
class Visitor:
    """Somebody who may read, and perhaps write."""

    name: str
    """Who it is, as the token or the proxy names them."""
    role: Role
    """What they may do."""

    @property
    def writes(self) -> bool:
        """Whether they may upload."""
        return self.role == "write"


LOCAL_VISITOR = Visitor("this machine", "write")
"""Whoever asks from this machine while there is neither a token nor a proxy."""


@dataclass
class Doorkeeper:
    """Knows who is asking."""

    settings: ServerSettings
    """Where, and through which proxy, people come."""
    signer: Signer = field(default_factory=Signer)
    """Signs sessions."""

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of now: one that was forgotten opens nothing at the next request."""
        return read_tokens(self.settings.tokens_file)

    @property
    def is_open(self) -> bool:
        """Whether nobody is asked who they are, as on one's own machine."""
        return not self.settings.user_header and not self.tokens and self.settings.is_local

    def visitor(self, request: HTTPConnection) -> Visitor | None:
        """Who is asking; None if nobody knows."""
        if self.is_open:
            return LOCAL_VISITOR
        return self._by_proxy(request) or self._by_token(request) or self._by_session(request)

    def session(self, token: Token) -> str:
        """The cookie of whoever has shown this token."""
        # The hash is in it, so that forgetting a token ends its sessions too.
        content = json.dumps([token.name, token.sha256])
        return self.signer.signed(SESSION, content, seconds=SESSION_SECONDS)

    def is_proxy(self, request: HTTPConnection) -> bool:
        """Whether a reverse proxy of ours asks, whose headers are believed."""
        return request.client is not None and request.client.host in self.settings.proxies

    def _by_proxy(self, request: HTTPConnection) -> Visitor | None:
        header = self.settings.user_header
        name = request.headers.get(header, "") if header else ""
        if not name or not self.is_proxy(request):
            return None
        writes = request.headers.get(self.settings.role_header) == "write"
        return Visitor(name[:LONGEST_NAME], "write" if writes else "read")

    def _by_token(self, request: HTTPConnection) -> Visitor | None:
        scheme, _, text = request.headers.get("authorization", "").partition(" ")
        token = matching(self.tokens, text.strip()) if scheme.lower() == "bearer" else None
        return None if token is None else Visitor(token.name, token.role)

    def _by_session(self, request: HTTPConnection) -> Visitor | None:
        signed = self.signer.text(SESSION, request.cookies.get(SESSION, ""))
        if signed is None:
            return None
        name, digest = json.loads(signed)
        same = [t for t in self.tokens if (t.name, t.sha256) == (name, digest)]
        return Visitor(name, same[0].role) if same else None
