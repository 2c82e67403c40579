"""Forms that only our own pages can send: each carries a text that we signed for its visitor."""

import secrets

from starlette.requests import HTTPConnection
from starlette.responses import Response

from agewise.server.answers import ProblemError
from agewise.server.security.visitors import Doorkeeper

COOKIE, FIELD = "agewise_form", "form_token"
"""Name of the cookie that tells visitors apart, and of the hidden field of every form."""
SECONDS = 12 * 3600.0
"""How long a form may lie open before it is sent [s]."""


def visitor_mark(request: HTTPConnection) -> str:
    """What tells this visitor's browser apart from others; made once, kept in a cookie."""
    mark = request.cookies.get(COOKIE) or getattr(request.state, "form_mark", None)
    if mark is None:
        mark = request.state.form_mark = secrets.token_urlsafe(16)
    return mark


def form_token(doorkeeper: Doorkeeper, request: HTTPConnection) -> str:
    """The hidden text of a form on a page for this visitor."""
    return doorkeeper.signer.signed(FIELD, visitor_mark(request), seconds=SECONDS)


def refuse_foreign_form(doorkeeper: Doorkeeper, request: HTTPConnection, token: str) -> None:
    """Refuse a form that does not come from a page that this visitor was shown."""
    mark = doorkeeper.signer.text(FIELD, token)
    if mark is None or not secrets.compare_digest(
        mark.encode(), request.cookies.get(COOKIE, "").encode()
    ):
        raise ProblemError(
            403,
            "This form was not sent from a page of yours, or it is too old.",
            "reload the page and send it again.",
        )


def set_mark(request: HTTPConnection, response: Response, *, secure: bool) -> None:
    """Let the browser keep the mark that a page has just used."""
    mark = getattr(request.state, "form_mark", None)
    if mark is not None:
        response.set_cookie(COOKIE, mark, httponly=True, samesite="strict", secure=secure)
