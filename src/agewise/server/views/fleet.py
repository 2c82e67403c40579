"""The list of the fleet: sorted, filtered, searched, and counted by what is advised."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field
from sqlalchemy import func, select

from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import AssetRow
from agewise.server.views.asset_line import STATES, AssetLine, State
from agewise.server.views.latest import ORDERS, counts_by_state, latest, line, matched

Order = Literal[
    "risk", "life", "chance", "hot_spot", "load", "state", "name", "site", "power", "alerts",
    "assessed",
]  # fmt: skip
"""What the list can be sorted by."""
FALLING = {"risk", "chance", "hot_spot", "load", "power", "alerts", "assessed"}
"""Of which the largest come first unless asked otherwise."""
MOST_LINES = 1000
"""Most assets on a page."""
MOST_PAGES = 1_000_000
"""Largest number of a page: more than any fleet has."""


class FleetQuery(BaseModel):
    """Which assets are wanted, in which order."""

    q: Annotated[str, Field(max_length=200)] = ""
    """Words that id, name or site contain."""
    state: State | Literal[""] = ""
    """What is advised, or why nothing is; any if empty."""
    site: Annotated[str, Field(max_length=200)] = ""
    """Where they stand; anywhere if empty."""
    sort: Order = "risk"
    """What they are sorted by."""
    direction: Literal["", "up", "down"] = ""
    """Smallest or largest first; what is natural for the order if empty."""
    page: Annotated[int, Field(ge=1, le=MOST_PAGES)] = 1
    """Number of the page, from 1."""
    per_page: Annotated[int, Field(ge=1, le=MOST_LINES)] = 300
    """Assets on a page."""

    @property
    def falls(self) -> bool:
        """Whether the largest come first."""
        return self.direction == "down" or (not self.direction and self.sort in FALLING)


class FleetView(BaseModel):
    """The list of the fleet."""

    total: int
    """Number of assets in the fleet."""
    counts: dict[State, int]
    """Number of assets by state, over the whole fleet."""
    matched: int
    """Number of assets that were looked for."""
    page: int
    """Number of this page, from 1."""
    pages: int
    """Number of pages."""
    sites: list[str]
    """All sites of the fleet."""
    assets: list[AssetLine]
    """The assets of this page, in order."""


def fleet_view(catalogue: Catalogue, query: FleetQuery) -> FleetView:
    """The part of the fleet that a visitor looks for."""
    wanted = matched(latest(), search=query.q, state=query.state, site=query.site)
    key = ORDERS[query.sort]
    # What is not known comes last, whichever way the rest goes; equals go by their id.
    placed = wanted.order_by(key.is_(None), key.desc() if query.falls else key.asc(), AssetRow.id)
    shown = placed.limit(query.per_page).offset((query.page - 1) * query.per_page)
    with catalogue.reading() as session:
        counted = {row.state: row.number for row in session.execute(counts_by_state())}
        # Of the whole fleet the states tell the number already.
        count_query = wanted.with_only_columns(func.count()).order_by(None)
        searched = query.q.strip() or query.state or query.site
        count = (session.scalar(count_query) or 0) if searched else sum(counted.values())
        sites = session.scalars(select(AssetRow.site).distinct().order_by(AssetRow.site)).all()
        lines = [line(row) for row in session.execute(shown)]
    return FleetView(
        total=sum(counted.values()),
        counts={state: counted.get(state, 0) for state in STATES},
        matched=count,
        page=query.page,
        pages=max(1, -(-count // query.per_page)),
        sites=[site for site in sites if site],
        assets=lines,
    )
