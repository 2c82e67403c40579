"""What every address needs of the application, as dependencies."""

from typing import Annotated

from fastapi import Depends, Request

from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.server.pages.templates import Templates
from agewise.server.settings import ServerSettings
from agewise.server.views.shelf import Shelf
from agewise.server.work.desk import Desk
from agewise.server.work.ratings import Ratings


def _catalogue(request: Request) -> Catalogue:
    return request.app.state.catalogue


def _shelf(request: Request) -> Shelf:
    return request.app.state.shelf


def _desk(request: Request) -> Desk:
    return request.app.state.desk


def _ratings(request: Request) -> Ratings:
    return request.app.state.ratings


def _templates(request: Request) -> Templates:
    return request.app.state.templates


def _settings(request: Request) -> ServerSettings:
    return request.app.state.settings


TheCatalogue = Annotated[Catalogue, Depends(_catalogue)]
"""The catalogue of the fleet."""
TheShelf = Annotated[Shelf, Depends(_shelf)]
"""Its runs."""
TheDesk = Annotated[Desk, Depends(_desk)]
"""Its uploads."""
TheRatings = Annotated[Ratings, Depends(_ratings)]
"""Permitted loads."""
TheTemplates = Annotated[Templates, Depends(_templates)]
"""The templates of the pages."""
TheSettings = Annotated[ServerSettings, Depends(_settings)]
"""What is served, where and to whom."""
