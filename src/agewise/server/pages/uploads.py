"""The form of an upload, and how far one is."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from agewise.server.security.forms import FIELD, refuse_foreign_form
from agewise.server.security.roles import Reader, Writer, doorkeeper_of
from agewise.server.state import TheCatalogue, TheDesk, TheSettings, TheTemplates
from agewise.server.views.about import data_view
from agewise.server.views.asset import asset_line
from agewise.server.work.receiving import (
    AssetId,
    AssetName,
    Criticality,
    Method,
    SentFile,
    Site,
    received,
)

router = APIRouter()
MOST_LISTED = 20
"""Uploads that are listed below the form."""


@router.get("/upload")
def upload_page(
    request: Request,
    reader: Reader,
    catalogue: TheCatalogue,
    desk: TheDesk,
    settings: TheSettings,
    templates: TheTemplates,
    asset: str = "",
) -> HTMLResponse:
    """The form of an upload, and those that were sent."""
    return templates.page(
        request,
        "upload.html",
        data=data_view(settings.limits),
        most_bytes=settings.limits.bytes,
        known=asset_line(catalogue, asset) if asset else None,
        uploads=desk.all()[:MOST_LISTED],
    )


@router.post("/upload")
def send_page(
    request: Request,
    visitor: Writer,
    catalogue: TheCatalogue,
    desk: TheDesk,
    profile: SentFile,
    nameplate: SentFile,
    form_token: Annotated[str, Form(alias=FIELD)] = "",
    name: Annotated[AssetName, Form()] = "",
    asset: Annotated[AssetId, Form()] = "",
    site: Annotated[Site, Form()] = "",
    criticality: Annotated[Criticality, Form()] = 1.0,
    method: Annotated[Method, Form()] = "exact",
    quick: Annotated[bool, Form()] = False,
) -> Response:
    """Take an upload and lead to the page that shows how far it is."""
    refuse_foreign_form(doorkeeper_of(request), request, form_token)
    upload = received(
        desk, catalogue, visitor, profile, nameplate, name=name, asset=asset, site=site,
        criticality=criticality, method=method, quick=quick,
    )  # fmt: skip
    root = request.scope.get("root_path", "")
    return RedirectResponse(f"{root}/uploads/{upload.id}", 303)


@router.get("/uploads/{upload_id}")
def progress_page(
    request: Request, reader: Reader, desk: TheDesk, templates: TheTemplates, upload_id: str
) -> HTMLResponse:
    """How far an upload is."""
    return templates.page(request, "progress.html", upload=desk.upload(upload_id))
