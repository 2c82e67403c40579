"""Pages on method, data and the API."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from agewise.server.security.roles import Reader
from agewise.server.state import TheSettings, TheTemplates
from agewise.server.views.about import data_view, method_view
from agewise.server.views.asset_line import STATE_TONES

router = APIRouter()


@dataclass(frozen=True)
class Address:
    """An address of the API."""

    address: str
    """Path with its parameters in braces."""
    method: str
    """GET or POST."""
    text: str
    """What it gives, in a sentence."""


@router.get("/method")
def method_page(request: Request, reader: Reader, templates: TheTemplates) -> HTMLResponse:
    """How answers are made."""
    return templates.page(request, "method.html", view=method_view(), tones=STATE_TONES)


@router.get("/data")
def data_page(
    request: Request, reader: Reader, settings: TheSettings, templates: TheTemplates
) -> HTMLResponse:
    """Which data an answer needs."""
    return templates.page(request, "data.html", view=data_view(settings.limits))


@router.get("/api")
def api_page(request: Request, reader: Reader, templates: TheTemplates) -> HTMLResponse:
    """All addresses for programs, from the same description that programs read."""
    paths = request.app.openapi()["paths"]
    rows = [
        Address(path, method.upper(), operation.get("description", ""))
        for path, methods in paths.items()
        for method, operation in methods.items()
    ]
    return templates.page(request, "api.html", rows=rows)
