"""All addresses under `/api/v1`."""

from fastapi import APIRouter

from agewise.server.answers import PROBLEMS
from agewise.server.api import about, assets, files, fleet, uploads

api_router = APIRouter(responses={status: PROBLEMS[status] for status in (401, 403, 404, 422)})
for module in (fleet, files, assets, uploads, about):
    api_router.include_router(module.router)
