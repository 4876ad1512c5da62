"""Pages: plain files that come with the program; nothing is fetched from elsewhere."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from litestar import Response, get, route
from litestar.enums import HttpMethod
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import File
from litestar.types import ControllerRouterHandler

from baccarat.serve.http.problem import answer_http
from baccarat.serve.route.cached import compressed_response, tag_of
from baccarat.serve.route.page_head import load_page_heads
from baccarat.serve.route.requester import HttpRequest

PAGES = Path(__file__).parent.parent / "page"
FILES = frozenset(path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*") if path.is_file())
"""The files of the pages: nothing else is read from the disk, whatever is requested."""

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""Media types by the suffix of a file; machines differ in their own tables."""

HEADS = load_page_heads(PAGES)
ADDRESSES = {address: head.file for head in HEADS for address in head.addresses}
"""Every page by its address. A page is the same file for everybody: what it shows, it asks the house for."""
PAGE_ROLES = {link.name: link.roles for link in sorted(head.link for head in HEADS if head.link is not None)}
"""To whom each page is of use, in the order of the bar on top."""

COMMENTS = re.compile(rb"^[ \t]*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)[ \t]*$", re.MULTILINE | re.DOTALL)
"""Lines of a script that are only comments."""

NOT_FOUND_PAGE = "nothing.html"
"""The page at every other address."""


def _page(address: str, name: str) -> ControllerRouterHandler:
    @get(address, include_in_schema=False, name=f"page {address}")
    async def page() -> File:
        return File(PAGES / f"{name}.html", media_type="text/html", content_disposition_type="inline")

    return page


def answer_nothing(request: HttpRequest, error: NotFoundException) -> Response[Any]:
    """The answer at an unknown address: a page for browsers, a problem for programs."""
    wants_page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
    if not wants_page:
        return answer_http(request, error)
    text = (PAGES / NOT_FOUND_PAGE).read_bytes()
    return Response(text, status_code=404, media_type="text/html", headers={"Cache-Control": "no-store"})


class PageFile(NamedTuple):
    """A file of the pages, as it is sent."""

    content: bytes
    tag: str
    media_type: str


def without_comments(script: bytes) -> bytes:
    """A script as browsers need it: types and comments are a fifth of it. Every other line keeps its number."""
    return COMMENTS.sub(lambda found: b"\n" * found[0].count(b"\n"), script)


@lru_cache(maxsize=512)
def _read(name: str, changed_at: int) -> PageFile:
    """A file of the pages; the time of its last change is an argument, so that no outdated one is cached."""
    path = PAGES / name
    content, media_type = path.read_bytes(), MEDIA_TYPES[path.suffix]
    if path.suffix == ".js":  # the verifier is sent as it is: people keep it
        content = without_comments(content)
    return PageFile(content, tag_of(name, changed_at, len(content)), media_type)


@route("/page/{path:path}", http_method=[HttpMethod.GET, HttpMethod.HEAD], include_in_schema=False, name="page file")
async def page_file(request: HttpRequest, path: FromPath[Path]) -> Response[bytes]:
    """A file of the pages; not found if there is none."""
    name = path.as_posix().lstrip("/")
    if name not in FILES:
        raise NotFoundException
    found = _read(name, (PAGES / name).stat().st_mtime_ns)
    return compressed_response(request, found.content, found.tag, media_type=found.media_type)


def page_routes() -> list[ControllerRouterHandler]:
    """The pages and their files."""
    return [*(_page(address, name) for address, name in ADDRESSES.items()), page_file]
