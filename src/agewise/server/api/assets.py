"""One asset, two assets and the rating calculator as JSON."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from agewise.server.answers import PROBLEMS, missing
from agewise.server.charts.catalogue import ChartName
from agewise.server.charts.series import Chart
from agewise.server.security.roles import Reader
from agewise.server.state import TheCatalogue, TheRatings, TheShelf
from agewise.server.views.asset import AssetView, asset_view, run_folder
from agewise.server.views.comparison import Comparison, comparison
from agewise.server.views.ratings import RatingQuery, RatingView, rating_view

router = APIRouter(tags=["assets"])


@router.get("/assets/{asset_id}")
def show_asset(
    reader: Reader, catalogue: TheCatalogue, shelf: TheShelf, asset_id: str
) -> AssetView:
    """All that is known of an asset: answer, findings, runs and alerts."""
    return asset_view(catalogue, shelf, asset_id)


@router.get("/assets/{asset_id}/charts/{chart}", response_model=Chart)
def show_chart(
    reader: Reader, catalogue: TheCatalogue, shelf: TheShelf, asset_id: str, chart: ChartName
) -> Response:
    """The numbers of a chart."""
    charts = shelf.run(run_folder(catalogue, asset_id)).charts
    if chart not in charts:
        raise missing(f"chart {chart!r} of {asset_id!r}", "there is no answer for this asset.")
    # As it was encoded when the run was read: checking it anew would cost as much as making it.
    return Response(charts[chart], media_type="application/json")


@router.get("/compare")
def compare_assets(
    reader: Reader, catalogue: TheCatalogue, shelf: TheShelf, first: str, second: str
) -> Comparison:
    """Two assets side by side."""
    return comparison(asset_view(catalogue, shelf, first), asset_view(catalogue, shelf, second))


@router.get("/assets/{asset_id}/rating", responses={503: PROBLEMS[503]})
def rate_asset(
    reader: Reader,
    catalogue: TheCatalogue,
    shelf: TheShelf,
    ratings: TheRatings,
    asset_id: str,
    query: Annotated[RatingQuery, Query()],
) -> RatingView:
    """The load that the hours after the record permit at a stated risk; takes some seconds."""
    folder = shelf.folder(run_folder(catalogue, asset_id))
    return rating_view(asset_id, ratings.rating(folder, query.request()))
