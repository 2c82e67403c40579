"""Files of a run: the answer, the field over time and height, the record, the report."""

import io
from typing import Any

import pandas as pd
from fastapi import APIRouter
from starlette.responses import FileResponse, Response

from agewise.assessment.stored import FIELD, PROFILE, SUMMARY
from agewise.report.page.page import PAGE
from agewise.server.security.roles import Reader
from agewise.server.state import TheCatalogue, TheShelf
from agewise.server.views.asset import run_folder

router = APIRouter(tags=["files"])
REPORT_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"
"""Content security policy of a report, which carries its own style and needs nothing else."""


def _file(media: str, description: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"content": {media: {}}, "description": description}}


@router.get(
    "/assets/{asset_id}/summary.json",
    response_class=Response,
    responses=_file("application/json", "The answer, as agewise assess writes it."),
)
def summary_file(
    reader: Reader, catalogue: TheCatalogue, shelf: TheShelf, asset_id: str
) -> Response:
    """`summary.json` of the latest run."""
    path = shelf.file(run_folder(catalogue, asset_id), SUMMARY)
    return FileResponse(path, media_type="application/json", filename=f"{asset_id}-{SUMMARY}")


@router.get(
    "/assets/{asset_id}/field.nc",
    response_class=Response,
    responses=_file("application/x-netcdf", "Oil, winding and ageing over time and height."),
)
def field_file(reader: Reader, catalogue: TheCatalogue, shelf: TheShelf, asset_id: str) -> Response:
    """NetCDF of the latest run: oil, winding and ageing over time and height."""
    path = shelf.file(run_folder(catalogue, asset_id), FIELD)
    return FileResponse(path, media_type="application/x-netcdf", filename=f"{asset_id}-{FIELD}")


@router.get(
    "/assets/{asset_id}/profile.csv",
    response_class=Response,
    responses=_file("text/csv", "The record as it was assessed, after repairs."),
)
def profile_file(
    reader: Reader, catalogue: TheCatalogue, shelf: TheShelf, asset_id: str
) -> Response:
    """The record of the latest run as CSV."""
    path = shelf.file(run_folder(catalogue, asset_id), PROFILE)
    out = io.StringIO()
    pd.read_parquet(path).to_csv(out, index=False)
    headers = {"Content-Disposition": _attachment(f"{asset_id}-profile.csv")}
    return Response(out.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


@router.get(
    "/assets/{asset_id}/report.html",
    response_class=Response,
    responses=_file("text/html", "The report with its figures, which stands alone."),
)
def report_file(
    reader: Reader, catalogue: TheCatalogue, shelf: TheShelf, asset_id: str
) -> Response:
    """The report of the latest run, as a page that stands alone."""
    path = shelf.file(run_folder(catalogue, asset_id), PAGE)
    return FileResponse(
        path, media_type="text/html", headers={"Content-Security-Policy": REPORT_POLICY}
    )


def _attachment(name: str) -> str:
    """The header that gives a download its name, in letters that every header can hold."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
    return f'attachment; filename="{plain}"'
