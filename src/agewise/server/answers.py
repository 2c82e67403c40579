"""Answers that are no page of their own: a sentence about what went wrong, as HTML or as JSON."""

from html import escape
from typing import Any

from pydantic import BaseModel
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, Response

API = "/api/v1"
"""Where the JSON twins of the pages begin."""


class Problem(BaseModel):
    """What went wrong, and what to do about it."""

    error: str
    """What was asked and why it cannot be answered, in a sentence."""
    hint: str
    """What to do about it."""


class ProblemError(Exception):
    """Ends a request with a sentence."""

    def __init__(self, status: int, sentence: str, hint: str):
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.hint = hint


def missing(what: str, hint: str = "the list of the fleet has them all.") -> ProblemError:
    """What is asked for is not there."""
    return ProblemError(404, f"There is no {what}.", hint)


def is_api(request: HTTPConnection) -> bool:
    """Whether a program asks, not a person."""
    root = request.scope.get("root_path", "")
    return request.url.path.removeprefix(root).startswith(API)


def problem_answer(
    request: HTTPConnection, status: int, sentence: str, hint: str, **headers: str
) -> Response:
    """The sentence in the form that was asked for."""
    if is_api(request):
        content = Problem(error=sentence, hint=hint).model_dump()
        return JSONResponse(content, status, headers=headers)
    shown = request.app.state.templates if "app" in request.scope else None
    if shown is None:  # before the application was reached
        text = f"<!DOCTYPE html><title>agewise</title>{escape(sentence)} {escape(hint)}"
        return HTMLResponse(text, status, headers=headers)
    page = shown.page(request, "problem.html", status=status, sentence=sentence, hint=hint)
    page.headers.update(headers)
    return page


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": description}
    for status, description in {
        400: "What was given cannot be used.",
        401: "The visitor is not logged in.",
        403: "The visitor is not allowed to do this.",
        404: "It does not exist.",
        413: "The files are too large.",
        422: "What was given cannot be used.",
        503: "Too much is waiting already.",
    }.items()
}
"""Answers that every address may give, for OpenAPI."""
