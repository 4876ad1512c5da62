"""Pages: plain files that come with the program; nothing is fetched from elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.connection import ASGIConnection
from litestar.exceptions import NotFoundException
from litestar.handlers import BaseRouteHandler
from litestar.response import File
from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler

from baccarat.serve.problem import answer_http

PAGES = Path(__file__).parent.parent / "page"
FILES = frozenset(path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*") if path.is_file())
"""What pages are made of: nothing else is looked for on the disk, whatever somebody asks for."""


ADDRESSES = {
    "/": "lobby",
    "/dealer": "dealer-tables",
    "/dealer/{name:str}": "dealer",
    "/floor": "floor",
    "/office": "office",
    "/password": "password",
    "/sign-on": "sign-on",
    "/table/{name:str}": "table",
    "/watch": "watch-tables",
    "/watch/{name:str}": "watch",
    "/round/{name:str}/{shoe:int}/{number:int}": "round",
    "/drill": "drill",
    "/rules": "rules",
    "/odds": "odds",
    "/odds/{name:str}": "odds",
}
"""Every page by its address. A page is the same file for everybody: what it shows, it asks the house for."""


NOTHING = "nothing.html"
"""The page at every address that is not among them."""


def _page(address: str, name: str) -> ControllerRouterHandler:
    @get(address, include_in_schema=False, name=f"page {address}")
    async def page() -> File:
        return File(PAGES / f"{name}.html", media_type="text/html", content_disposition_type="inline")

    return page


def answer_nothing(request: Request[Any, Any, Any], error: NotFoundException) -> Response[Any]:
    """The answer where there is nothing: a page for whoever looks with a browser, a problem for programs."""
    wants_page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
    if not wants_page:
        return answer_http(request, error)
    text = (PAGES / NOTHING).read_bytes()
    return Response(text, status_code=404, media_type="text/html", headers={"Cache-Control": "no-store"})


def is_a_file_of_ours(connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
    """There is nothing at an address that names no file of the pages."""
    if str(connection.path_params["file_path"]).lstrip("/") not in FILES:
        raise NotFoundException


def page_routes() -> list[ControllerRouterHandler]:
    """The pages, and what they are made of."""
    return [
        *(_page(address, name) for address, name in ADDRESSES.items()),
        create_static_files_router(
            path="/page", directories=[PAGES], include_in_schema=False, guards=[is_a_file_of_ours]
        ),
    ]
