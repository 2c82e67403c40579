"""Uploads as JSON: send a record and a nameplate, and ask how far they are."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form

from agewise.server.answers import PROBLEMS
from agewise.server.security.roles import Reader, Writer, writer
from agewise.server.state import TheCatalogue, TheDesk
from agewise.server.work.receiving import (
    AssetId,
    AssetName,
    Criticality,
    Method,
    SentFile,
    Site,
    received,
)
from agewise.server.work.upload import Upload

router = APIRouter(tags=["uploads"])


@router.get("/uploads")
def list_uploads(reader: Reader, desk: TheDesk) -> list[Upload]:
    """Every upload, the latest first."""
    return desk.all()


@router.post(
    "/uploads",
    status_code=202,
    responses={status: PROBLEMS[status] for status in (400, 413, 503)},
    dependencies=[Depends(writer)],
)
def send_upload(
    visitor: Writer,
    desk: TheDesk,
    catalogue: TheCatalogue,
    profile: SentFile,
    nameplate: SentFile,
    name: Annotated[AssetName, Form()] = "",
    asset: Annotated[AssetId, Form()] = "",
    site: Annotated[Site, Form()] = "",
    criticality: Annotated[Criticality, Form()] = 1.0,
    method: Annotated[Method, Form()] = "exact",
    quick: Annotated[bool, Form()] = True,
) -> Upload:
    """Send a record (CSV, Parquet, .xlsx) and a nameplate (TOML); then ask how far they are."""
    return received(
        desk, catalogue, visitor, profile, nameplate, name=name, asset=asset, site=site,
        criticality=criticality, method=method, quick=quick,
    )  # fmt: skip


@router.get("/uploads/{upload_id}")
def show_upload(reader: Reader, desk: TheDesk, upload_id: str) -> Upload:
    """How far an upload is."""
    return desk.upload(upload_id)
