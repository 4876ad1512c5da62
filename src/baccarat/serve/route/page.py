"""Pages: plain files that come with the program; nothing is fetched from elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litestar import get
from litestar.connection import ASGIConnection
from litestar.exceptions import NotFoundException
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath
from litestar.response import File
from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler

PAGES = Path(__file__).parent.parent / "page"
FILES = frozenset(path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*") if path.is_file())
"""What pages are made of: nothing else is looked for on the disk, whatever somebody asks for."""


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


def is_a_file_of_ours(connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
    """There is nothing at an address that names no file of the pages."""
    if str(connection.path_params["file_path"]).lstrip("/") not in FILES:
        raise NotFoundException


def page_routes() -> list[ControllerRouterHandler]:
    """The pages, and what they are made of."""
    return [
        lobby,
        table,
        sign_on,
        create_static_files_router(
            path="/page", directories=[PAGES], include_in_schema=False, guards=[is_a_file_of_ours]
        ),
    ]
