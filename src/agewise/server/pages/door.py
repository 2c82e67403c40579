"""Logging in and out by a token."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from agewise.server.pages.templates import is_secure
from agewise.server.security.forms import FIELD, refuse_foreign_form
from agewise.server.security.roles import doorkeeper_of
from agewise.server.security.tokens import matching
from agewise.server.security.visitors import SESSION, SESSION_SECONDS
from agewise.server.state import TheTemplates

router = APIRouter()


@router.get("/login")
def login_page(request: Request, templates: TheTemplates) -> Response:
    """The form for a token."""
    return templates.page(request, "login.html", wrong=False)


@router.post("/login")
def log_in(
    request: Request,
    templates: TheTemplates,
    token: Annotated[str, Form()] = "",
    form_token: Annotated[str, Form(alias=FIELD)] = "",
) -> Response:
    """Keep a session for whoever shows a token."""
    doorkeeper = doorkeeper_of(request)
    refuse_foreign_form(doorkeeper, request, form_token)
    shown_token = matching(doorkeeper.tokens, token.strip())
    if shown_token is None:
        return templates.page(request, "login.html", status=401, wrong=True)
    answer = RedirectResponse(f"{request.scope.get('root_path', '')}/", 303)
    answer.set_cookie(
        SESSION,
        doorkeeper.session(shown_token),
        max_age=int(SESSION_SECONDS),
        httponly=True,
        samesite="strict",
        secure=is_secure(doorkeeper, request),
    )
    return answer


@router.post("/logout")
def log_out(request: Request, form_token: Annotated[str, Form(alias=FIELD)] = "") -> Response:
    """Forget the session."""
    refuse_foreign_form(doorkeeper_of(request), request, form_token)
    answer = RedirectResponse(f"{request.scope.get('root_path', '')}/login", 303)
    answer.delete_cookie(SESSION)
    return answer
