"""Pages: plain files that come with the program; nothing is fetched from elsewhere."""

from __future__ import annotations

from pathlib import Path

from litestar import get
from litestar.params import FromPath
from litestar.response import File
from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler

PAGES = Path(__file__).parent.parent / "page"


@get("/", include_in_schema=False)
async def lobby() -> File:
    """The lobby."""
    return File(PAGES / "lobby.html", media_type="text/html", content_disposition_type="inline")


@get("/table/{name:str}", include_in_schema=False)
async def table(name: FromPath[str]) -> File:
    """A table."""
    del name
    return File(PAGES / "table.html", media_type="text/html", content_disposition_type="inline")


@get("/sign-on", include_in_schema=False)
async def sign_on() -> File:
    """Where people of the house sign on, and where its first administrator is made."""
    return File(PAGES / "sign-on.html", media_type="text/html", content_disposition_type="inline")


def page_routes() -> list[ControllerRouterHandler]:
    """The pages, and what they are made of."""
    return [
        lobby,
        table,
        sign_on,
        create_static_files_router(path="/page", directories=[PAGES], include_in_schema=False),
    ]
