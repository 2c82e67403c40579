"""The pages on method and data as JSON."""

from typing import Any

from fastapi import APIRouter, Request

from agewise.server.security.roles import Reader
from agewise.server.state import TheSettings
from agewise.server.views.about import DataView, MethodView, data_view, method_view

router = APIRouter(tags=["about"])


@router.get("/openapi.json", include_in_schema=False)
def show_description(reader: Reader, request: Request) -> dict[str, Any]:
    """The description of this API in OpenAPI."""
    return request.app.openapi()


@router.get("/method")
def show_method(reader: Reader) -> MethodView:
    """How answers are made."""
    return method_view()


@router.get("/data")
def show_data(reader: Reader, settings: TheSettings) -> DataView:
    """Which data an answer needs, and what may be sent."""
    return data_view(settings.limits)
