"""What is turned away before any page sees it: strange hosts, other sites, bodies too large."""

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agewise.server.answers import problem_answer
from agewise.server.security.visitors import Doorkeeper
from agewise.server.settings import MEGABYTE, UploadLimits

SAFE = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""
OURSELVES = ("localhost", "127.0.0.1", "[::1]")
"""Names of this machine for itself."""
PATIENCE = 20
"""How many times the largest upload is read and dropped, so that its sender gets to read why it was
refused; beyond that the connection is simply closed."""


class Gate:
    """Turns away what no page should see."""

    def __init__(self, app: ASGIApp, doorkeeper: Doorkeeper):
        self.app = app
        self.doorkeeper = doorkeeper
        self.limits = doorkeeper.settings.limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        refusal = self._refusal(request, scope["method"])
        if refusal is not None:
            await problem_answer(request, 403, *refusal)(scope, receive, send)
            return
        declared = request.headers.get("content-length", "")
        if declared.isdigit() and int(declared) > self.limits.bytes:
            await self._refuse_large(scope, receive, send, received=0)
            return
        await self._counted(scope, receive, send)

    def _refusal(self, request: HTTPConnection, method: str) -> tuple[str, str] | None:
        """Why a request is turned away, and what to do; None where it is not."""
        host = request.headers.get("host", "")
        # A foreign page can give its own name this machine's address, and would then be our equal.
        if self.doorkeeper.is_open and _without_port(host) not in OURSELVES:
            return (
                "This server answers to the name of this machine only.",
                "open http://localhost, or make a token and name the host.",
            )
        if method not in SAFE and not _same_origin(request, host):
            return (
                "This was sent by a page of another site.",
                "send it from a page of this server, or from a program.",
            )
        return None

    async def _counted(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on while its body stays below the limit, whatever its header says."""
        received, begun, over = 0, False, False

        async def counting() -> Message:
            nonlocal received, over
            message = await receive()
            received += len(message.get("body", b""))
            over = over or received > self.limits.bytes
            # To the application it looks as if the sender had gone.
            return {"type": "http.disconnect"} if over else message

        async def sending(message: Message) -> None:
            nonlocal begun
            if begun or not over:
                begun = True
                await send(message)

        try:
            await self.app(scope, counting, sending)
        except Exception:
            if not over:
                raise
        if over and not begun:
            await self._refuse_large(scope, receive, send, received=received)

    async def _refuse_large(
        self, scope: Scope, receive: Receive, send: Send, *, received: int
    ) -> None:
        """Drop the rest of a body that is too large, then say so."""
        # A browser that is still sending when the answer comes reports a broken connection instead.
        while received < PATIENCE * self.limits.bytes:
            message = await receive()
            received += len(message.get("body", b""))
            if message["type"] != "http.request" or not message.get("more_body", False):
                break
        answer = problem_answer(HTTPConnection(scope), 413, *too_large(self.limits))
        await answer(scope, receive, send)


def too_large(limits: UploadLimits) -> tuple[str, str]:
    """What is said of an upload that is too large, and what to do."""
    return (
        f"The files are larger than {limits.bytes / MEGABYTE:g} MB together.",
        "send a shorter record, a Parquet file, or a gzipped CSV; or assess it with agewise "
        "assess, which has no such limit.",
    )


def _same_origin(request: HTTPConnection, host: str) -> bool:
    """Whether a browser says that one of our own pages asks; programs say nothing of it."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == host


def _without_port(host: str) -> str:
    name, _, port = host.rpartition(":")
    return (name if name and port.isdigit() else host).lower()
