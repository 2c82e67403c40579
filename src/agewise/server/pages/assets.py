"""One asset, two assets, and the rating calculator."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse

from agewise.errors import InputError
from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.report.figures.catalogue import CATALOGUE
from agewise.report.page.headlines import OIL_ONLY
from agewise.server.answers import ProblemError
from agewise.server.pages.fields import filled
from agewise.server.security.roles import Reader
from agewise.server.state import TheCatalogue, TheRatings, TheShelf, TheTemplates
from agewise.server.views.asset import AssetView, asset_view, run_folder
from agewise.server.views.comparison import comparison
from agewise.server.views.ratings import RatingQuery, rating_view
from agewise.server.views.shelf import Shelf
from agewise.transformer.cooling_defaults import LIMITS

router = APIRouter()
_WORDS = {figure.name: figure.title for figure in CATALOGUE}
CHART_TITLES = {
    "temperatures": _WORDS["temperatures"],
    "life": _WORDS["remaining_life"],
    "heights": _WORDS["heights"],
    "map": _WORDS["winding"],
}
"""Headings of the charts, those of the report."""


@router.get("/assets/{asset_id}")
def asset_page(
    request: Request,
    reader: Reader,
    catalogue: TheCatalogue,
    shelf: TheShelf,
    templates: TheTemplates,
    asset_id: str,
) -> HTMLResponse:
    """One asset."""
    view = asset_view(catalogue, shelf, asset_id)
    return templates.page(
        request,
        "asset.html",
        view=view,
        line=view.asset,
        standing=[alert for alert in view.alerts if alert.cleared is None],
        chart_titles=CHART_TITLES,
        oil_only=OIL_ONLY,
        # The report's own templates show these by name.
        **(vars(view.sections) if view.sections else {}),
    )


@router.get("/compare")
def compare_page(
    request: Request,
    reader: Reader,
    catalogue: TheCatalogue,
    shelf: TheShelf,
    templates: TheTemplates,
    asset: Annotated[list[str] | None, Query()] = None,
) -> HTMLResponse:
    """Two assets side by side."""
    ids = [asset_id for asset_id in asset or () if asset_id]
    view, sentence = None, ""
    if len(ids) == 2:
        first, second = _views(catalogue, shelf, ids)
        view = comparison(first, second)
    elif len(ids) > 2:
        sentence = f"{len(ids)} assets were chosen; two can be compared."
    return templates.page(
        request,
        "compare.html",
        view=view,
        chosen=[*ids, "", ""][:2],
        names=_names(catalogue),
        sentence=sentence,
        chart_titles=CHART_TITLES,
    )


def _views(catalogue: Catalogue, shelf: Shelf, ids: list[str]) -> list[AssetView]:
    return [asset_view(catalogue, shelf, asset_id) for asset_id in ids]


def _names(catalogue: Catalogue) -> dict[str, str]:
    """Names of all assets by their ids, for fields that propose them."""
    return {asset.id: asset.name for asset in catalogue.assets()}


@router.get("/rating")
def rating_page(
    request: Request,
    reader: Reader,
    catalogue: TheCatalogue,
    shelf: TheShelf,
    ratings: TheRatings,
    templates: TheTemplates,
) -> HTMLResponse:
    """The rating calculator; works out a rating once an asset is named and the form was sent."""
    given = dict(request.query_params)
    chosen = given.pop("asset", "")
    view, sentence, hint, query = None, "", "", RatingQuery()
    try:
        query = filled(RatingQuery, given)
        if chosen and given:
            folder = shelf.folder(run_folder(catalogue, chosen))
            view = rating_view(chosen, ratings.rating(folder, query.request()))
    except (InputError, ProblemError) as error:
        sentence, hint = error.sentence, error.hint
    return templates.page(
        request,
        "rating.html",
        status=422 if sentence else 200,
        view=view,
        query=query,
        query_text="&".join(f"{k}={v}" for k, v in query.model_dump(exclude_none=True).items()),
        chosen=chosen,
        names=_names(catalogue),
        limits=list(LIMITS),
        sentence=sentence,
        hint=hint,
    )
