"""The application: pages, their JSON twins, and what stands before both."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from agewise import __version__
from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.server.answers import API
from agewise.server.api.routes import api_router
from agewise.server.faults import answer_faults
from agewise.server.pages.routes import page_router
from agewise.server.pages.templates import Templates
from agewise.server.security.gate import Gate
from agewise.server.security.headers import SecurityHeaders
from agewise.server.security.visitors import Doorkeeper
from agewise.server.settings import ServerSettings
from agewise.server.static_files import static_routes
from agewise.server.views.shelf import Shelf
from agewise.server.work.accepted import Registrar
from agewise.server.work.desk import Desk
from agewise.server.work.ratings import Ratings

DESCRIPTION = """How fast the insulation of a fleet's transformers ages, how long it will live, and
how sure that is: every page of `agewise serve` as JSON, and the files behind it."""


def application(settings: ServerSettings) -> FastAPI:
    """The application that serves the folder of a fleet."""
    catalogue = Catalogue(settings.catalogue or settings.directory, make=False)
    doorkeeper = Doorkeeper(settings)
    desk = Desk(settings.uploads, settings.limits, Registrar(catalogue, settings.directory))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        desk.close()
        catalogue.close()

    app = FastAPI(
        title="agewise",
        version=__version__,
        description=DESCRIPTION,
        # Ours is in `api/about.py`, for those who may read. FastAPI's own pages fetch their scripts
        # from elsewhere; ours is at /api.
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        root_path=settings.root_path,
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.catalogue = catalogue
    app.state.doorkeeper = doorkeeper
    app.state.desk = desk
    app.state.shelf = Shelf(settings.directory)
    app.state.ratings = Ratings()
    app.state.templates = Templates(doorkeeper, settings)
    answer_faults(app)
    app.include_router(api_router, prefix=API)
    app.include_router(page_router, include_in_schema=False)
    app.router.routes.extend(static_routes())
    app.add_middleware(Gate, doorkeeper=doorkeeper)
    app.add_middleware(SecurityHeaders)  # added last, so that it is outermost
    return app
