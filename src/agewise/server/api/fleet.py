"""The list of the fleet and its alerts as JSON, and the list as CSV."""

import csv
import io
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from agewise.server.security.roles import Reader
from agewise.server.state import TheCatalogue
from agewise.server.views.asset import AlertLine, alert_line
from agewise.server.views.asset_line import AssetLine
from agewise.server.views.fleet import FleetQuery, FleetView, fleet_view

router = APIRouter(tags=["fleet"])
CSV_FIELDS = (
    "id", "name", "site", "criticality", "state", "reason", "rated_power_kva", "horizon_years",
    "risk", "load_peak", "cooling_alarm", "findings", "alerts", "window_end", "assessed",
)  # fmt: skip
"""Fields of the list that are columns as they are."""


@router.get("/assets")
def list_assets(
    reader: Reader, catalogue: TheCatalogue, query: Annotated[FleetQuery, Query()]
) -> FleetView:
    """The fleet: sorted, filtered, searched, and counted by what is advised."""
    return fleet_view(catalogue, query)


@router.get(
    "/assets.csv",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}, "description": "The list as CSV."}},
)
def list_assets_as_csv(
    reader: Reader, catalogue: TheCatalogue, query: Annotated[FleetQuery, Query()]
) -> Response:
    """The same list as a table for a spreadsheet."""
    return Response(
        fleet_csv(fleet_view(catalogue, query).assets),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="fleet.csv"'},
    )


@router.get("/alerts")
def list_alerts(reader: Reader, catalogue: TheCatalogue, standing: bool = False) -> list[AlertLine]:
    """Alerts of the whole fleet, the latest first; `standing` leaves out what was cleared."""
    return [alert_line(alert) for alert in catalogue.alerts(standing=standing)]


def fleet_csv(assets: list[AssetLine]) -> str:
    """Assets as a table; intervals have a column for each end."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    spreads = ("hot_spot", "chance", "years_left")
    ends = [f"{name}_{end}" for name in spreads for end in ("middle", "low", "high")]
    table.writerow([*CSV_FIELDS, *ends])
    for asset in assets:
        fields = asset.model_dump(mode="json")
        cells = [fields[name] for name in CSV_FIELDS]
        for name in spreads:
            cells += list((fields[name] or {"middle": None, "low": None, "high": None}).values())
        table.writerow([_harmless(cell) for cell in cells])
    return out.getvalue()


def _harmless(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula, whoever named the asset."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t\r" and cell else cell
