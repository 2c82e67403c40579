"""All addresses that answer with pages."""

from fastapi import APIRouter

from agewise.server.pages import about, assets, door, fleet, uploads

page_router = APIRouter()
for module in (fleet, assets, uploads, about, door):
    page_router.include_router(module.router)
