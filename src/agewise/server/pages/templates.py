"""Templates of the pages, which share their words with the report of a run."""

from functools import partial
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from agewise import __version__
from agewise.server.security.forms import FIELD, form_token, set_mark
from agewise.server.security.visitors import Doorkeeper
from agewise.server.settings import ServerSettings
from agewise.server.static_files import static_version

NAVIGATION = {
    "/": "Fleet",
    "/alerts": "Alerts",
    "/compare": "Compare",
    "/rating": "Rating",
    "/upload": "Upload",
    "/method": "Method",
    "/data": "Data",
    "/api": "API",
}
"""Pages that every page links to."""


class Templates:
    """Makes pages from templates."""

    def __init__(self, doorkeeper: Doorkeeper, settings: ServerSettings):
        self._doorkeeper = doorkeeper
        self._root = settings.root_path.rstrip("/")
        # The report's templates come second: its answer and sections are included as they are.
        loader = ChoiceLoader(
            [PackageLoader("agewise.server"), PackageLoader("agewise.report.page")]
        )
        self._environment = Environment(
            loader=loader,
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals |= {
            "root": self._root,
            "navigation": NAVIGATION,
            "static": self._static,
            "version": __version__,
            "form_field": FIELD,
        }

    def page(
        self, request: HTTPConnection, template: str, *, status: int = 200, **shown: Any
    ) -> HTMLResponse:
        """A page for a visitor.

        Args:
            request: What was asked.
            template: Name of the template.
            status: Number of the answer.
            shown: What the template shows.
        """
        context = {
            "visitor": getattr(request.state, "visitor", None),
            "open": self._doorkeeper.is_open,
            "here": request.url.path.removeprefix(self._root) or "/",
            "form_token": partial(form_token, self._doorkeeper, request),
        }
        text = self._environment.get_template(template).render(context | shown)
        answer = HTMLResponse(text, status)
        set_mark(request, answer, secure=is_secure(self._doorkeeper, request))
        return answer

    def _static(self, name: str) -> str:
        """Address of a static file."""
        return f"{self._root}/static/{name}?v={static_version()}"


def is_secure(doorkeeper: Doorkeeper, request: HTTPConnection) -> bool:
    """Whether the browser's connection is encrypted, at the latest by a reverse proxy of ours."""
    forwarded = request.headers.get("x-forwarded-proto", "")
    return request.url.scheme == "https" or (forwarded == "https" and doorkeeper.is_proxy(request))
