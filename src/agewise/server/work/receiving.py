"""Files that a visitor sends are put into a folder of their own, under harmless names."""

import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from fastapi import File
from pydantic import Field, GetPydanticSchema, WithJsonSchema
from pydantic_core import core_schema
from starlette.datastructures import UploadFile

from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import AssetRow
from agewise.reading.files import SUFFIXES
from agewise.server.answers import ProblemError
from agewise.server.security.visitors import Visitor
from agewise.server.work.desk import Desk
from agewise.server.work.upload import NAMEPLATE, Upload, kept_name, new_id

SentFile = Annotated[
    UploadFile,
    # Of this class files really are; FastAPI would have us name a child of it, which they are not.
    GetPydanticSchema(lambda source, handler: core_schema.is_instance_schema(UploadFile)),
    WithJsonSchema({"type": "string", "format": "binary"}),
    File(),
]
"""A file of a form."""
AssetName = Annotated[str, Field(max_length=100)]
"""Name of an asset for people."""
AssetId = Annotated[str, Field(max_length=100)]
"""Id of an asset."""
Site = Annotated[str, Field(max_length=100)]
"""Where it stands."""
Criticality = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]
"""What its end would cost."""
Method = Literal["line", "solver", "exact"]
"""Inference methods that finish in minutes; networks are left to the command line."""


def received(
    desk: Desk,
    catalogue: Catalogue,
    visitor: Visitor,
    profile: UploadFile,
    nameplate: UploadFile,
    *,
    name: str = "",
    asset: str = "",
    site: str = "",
    criticality: float = 1.0,
    method: Method = "exact",
    quick: bool = True,
) -> Upload:
    """Keep the files of an upload and let it be worked on.

    Args:
        desk: Who works on it.
        catalogue: The catalogue of the fleet.
        visitor: Who sends it.
        profile: The record.
        nameplate: The nameplate.
        name: Name of a new asset; that of the file if empty.
        asset: Id of the asset that the record belongs to; a new one if empty.
        site: Where a new asset stands.
        criticality: What the end of a new asset would cost.
        method: Name of the inference method.
        quick: Whether a rougher answer is wanted, sooner.
    """
    desk.refuse_crowd()
    file = kept_name(profile.filename or "")
    if file is None:
        raise ProblemError(
            400,
            "The record is not a kind of file that can be read.",
            f"send {', '.join(SUFFIXES)}.",
        )
    asset_row = _asset_row(catalogue, asset) if asset else None
    shown = asset_row.name if asset_row else _clean(name) or Path(file).stem
    upload_id = new_id()
    upload = Upload(
        id=upload_id,
        asset=asset_row.id if asset_row else f"{_slug(shown)}-{upload_id[-6:]}",
        name=shown,
        site=asset_row.site if asset_row else _clean(site),
        criticality=asset_row.criticality if asset_row else criticality,
        files=[file, NAMEPLATE],
        method=method,
        quick=quick,
        sent=datetime.now(UTC),
        sent_by=visitor.name,
    )
    folder = desk.uploads / upload_id
    folder.mkdir(parents=True)
    _keep(profile, folder / file)
    _keep(nameplate, folder / NAMEPLATE)
    desk.take(upload, folder)
    return upload


def _asset_row(catalogue: Catalogue, asset_id: str) -> AssetRow:
    asset_row = {asset.id: asset for asset in catalogue.assets()}.get(asset_id)
    if asset_row is None:
        raise ProblemError(404, f"There is no asset {asset_id!r}.", "leave it out for a new one.")
    return asset_row


def _keep(sent: UploadFile, path: Path) -> None:
    # Copied in pieces; how much there is was bounded before it came here.
    with path.open("wb") as file:
        shutil.copyfileobj(sent.file, file)


def _clean(text: str) -> str:
    """Text in one line, without characters that are not shown."""
    return " ".join("".join(c for c in text if c.isprintable()).split())


def _slug(name: str) -> str:
    """The beginning of a new asset's id: letters and digits of its name."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "asset"
