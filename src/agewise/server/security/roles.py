"""Dependencies of addresses: who must be asking."""

from typing import Annotated

from fastapi import Depends, Request

from agewise.server.answers import ProblemError
from agewise.server.security.visitors import Doorkeeper, Visitor


def doorkeeper_of(request: Request) -> Doorkeeper:
    """Who knows the visitors of this application."""
    return request.app.state.doorkeeper


def reader(request: Request) -> Visitor:
    """Whoever asks, provided that they may read."""
    visitor = doorkeeper_of(request).visitor(request)
    if visitor is None:
        raise ProblemError(
            401, "Who are you?", "log in with a token, or send it as Authorization: Bearer."
        )
    request.state.visitor = visitor
    return visitor


def writer(request: Request) -> Visitor:
    """Whoever asks, provided that they may write."""
    visitor = reader(request)
    if not visitor.writes:
        raise ProblemError(
            403, f"{visitor.name} may read, not write.", "use a token whose role is write."
        )
    return visitor


Reader = Annotated[Visitor, Depends(reader)]
"""A visitor who may read."""
Writer = Annotated[Visitor, Depends(writer)]
"""A visitor who may write."""
