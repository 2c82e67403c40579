"""What is answered when something goes wrong: always a sentence, never a traceback."""

import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from agewise.errors import InputError
from agewise.server.answers import ProblemError, is_api, problem_answer

SENTENCES = {
    404: "There is no such page.",
    405: "This address does not accept this kind of request.",
}
"""What is said of requests that reach none of our functions."""
log = logging.getLogger("agewise.server")


def answer_faults(app: FastAPI) -> None:
    """Let an application answer every fault with a sentence."""
    app.add_exception_handler(ProblemError, _problem)
    app.add_exception_handler(InputError, _input)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, ProblemError)
    if error.status == 401 and not is_api(request):
        root = request.scope.get("root_path", "")
        return RedirectResponse(f"{root}/login", 303)
    headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
    return problem_answer(request, error.status, error.sentence, error.hint, **headers)


def _input(request: Request, error: Exception) -> Response:
    assert isinstance(error, InputError)
    sentences = (
        request.app.state.shelf.without_place(text) for text in (error.sentence, error.hint)
    )
    return problem_answer(request, 422, *sentences)


def _validation(request: Request, error: Exception) -> Response:
    """What does not fit is named; what was sent is not repeated, for it may be a secret."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    name = " ".join(str(part) for part in first["loc"][1:]) or "request"
    return problem_answer(
        request, 422, f"{name!r} cannot be used: {first['msg']}.", "see the API's description."
    )


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = SENTENCES.get(error.status_code, f"{error.detail}.")
    headers = dict(error.headers or {})
    return problem_answer(request, error.status_code, sentence, "check the address.", **headers)


def _unexpected(request: Request, error: Exception) -> Response:
    """A fault of ours: the reason goes to the log, not to the visitor."""
    log.error("%s %s", request.method, request.url.path, exc_info=error)
    return problem_answer(
        request, 500, "Something went wrong here; this is an error of agewise.", "try again later."
    )
