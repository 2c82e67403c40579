"""The list of the fleet, and its alerts."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse

from agewise.fleet.plan import CHANCE_YEARS
from agewise.server.security.roles import Reader
from agewise.server.state import TheCatalogue, TheTemplates
from agewise.server.views.asset import alert_line
from agewise.server.views.asset_line import MEANINGS, STATE_TONES
from agewise.server.views.fleet import FleetQuery, fleet_view

router = APIRouter()
ORDERS = {
    "risk": "Risk",
    "life": "Years left",
    "chance": "Chance of end of life",
    "hot_spot": "Hot spot",
    "load": "Load",
    "state": "Advice",
    "name": "Name",
    "site": "Site",
    "power": "Rated power",
    "alerts": "Alerts",
    "assessed": "Time of the assessment",
}
"""What the list can be sorted by, in words."""


@router.get("/")
def fleet_page(
    request: Request,
    reader: Reader,
    catalogue: TheCatalogue,
    templates: TheTemplates,
    query: Annotated[FleetQuery, Query()],
) -> HTMLResponse:
    """The list of the fleet."""
    view = fleet_view(catalogue, query)
    root = request.scope.get("root_path", "")

    def address(**changes: object) -> str:
        """This page with something else asked for."""
        return f"{root}/?{query_text(query.model_copy(update=changes))}"

    horizons = {f"{line.horizon_years:g}" for line in view.assets if line.horizon_years}
    return templates.page(
        request,
        "fleet.html",
        view=view,
        query=query,
        address=address,
        query_text=query_text(query),
        orders=ORDERS,
        tones=STATE_TONES,
        meanings=MEANINGS,
        horizon=" or ".join(sorted(horizons)) or f"{CHANCE_YEARS:g}",
    )


def query_text(query: FleetQuery) -> str:
    """A query as an address has it, without what is usual."""
    return urlencode(query.model_dump(exclude_defaults=True))


@router.get("/alerts")
def alerts_page(
    request: Request,
    reader: Reader,
    catalogue: TheCatalogue,
    templates: TheTemplates,
    standing: bool = True,
) -> HTMLResponse:
    """Alerts of the whole fleet."""
    alerts = [alert_line(alert) for alert in catalogue.alerts(standing=standing)]
    return templates.page(request, "alerts.html", alerts=alerts, standing=standing)
