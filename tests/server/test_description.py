"""The API is what its description says: any request ends in a described answer."""

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from serving import Served

from agewise.server.pages.templates import NAVIGATION

pytestmark = pytest.mark.xdist_group("server")
TWINS = {
    "/": "/api/v1/assets",
    "/alerts": "/api/v1/alerts",
    "/compare": "/api/v1/compare",
    "/rating": "/api/v1/assets/{asset_id}/rating",
    "/upload": "/api/v1/uploads",
    "/method": "/api/v1/method",
    "/data": "/api/v1/data",
    "/api": None,  # it shows the description itself
}
"""The JSON of each page."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = 3
"""Requests an address; `benchmarks/pages.py` sends hundreds."""


def test_every_page_has_a_json_twin(client: httpx.Client):
    described = client.get("/api/v1/openapi.json").json()["paths"]
    assert set(TWINS) == set(NAVIGATION)
    assert {twin for twin in TWINS.values() if twin} <= set(described)
    assert "/api/v1/assets/{asset_id}" in described
    page = client.get("/api").text
    assert all(path in page for path in described)


def test_any_request_ends_in_a_described_answer(server: Served):
    schema = schemathesis.openapi.from_url(f"{server.address}/api/v1/openapi.json")
    seen = 0
    for operation in schema.get_all_operations():
        found = operation.ok()

        @settings(
            max_examples=EXAMPLES,
            phases=[Phase.generate],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @_given(found)
        def asked(case):
            case.call_and_validate(checks=CHECKS)

        asked()
        seen += 1
    assert seen == len([1 for path in server.app.openapi()["paths"].values() for _ in path])


def _given(operation):
    from hypothesis import given

    return given(operation.as_strategy())
