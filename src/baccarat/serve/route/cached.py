"""Answers that a client may have cached: under a tag, and for ever if the resource never changes."""

from __future__ import annotations

import gzip
import hashlib
from functools import lru_cache
from typing import Any, TypeVar

from litestar import Response

from baccarat.serve.route.requester import HttpRequest

T = TypeVar("T")

NEVER_CHANGES = "private, max-age=31536000, immutable"
MAY_CHANGE = "private, no-cache"


def tag_of(*parts: object) -> str:
    """The tag of an answer that depends only on these parts. None is secret: who knows the others can try one."""
    text = "\n".join(map(str, parts))
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def client_has(request: HttpRequest, tag: str) -> bool:
    """Whether the client has the answer of this tag already."""
    given = request.headers.get("if-none-match", "")
    return given.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in given.split(","))


def response_with_etag(content: T, tag: str, *, for_ever: bool, media_type: str | None = None) -> Response[T]:
    """An answer under its tag."""
    return Response(content, headers=_headers(tag, for_ever=for_ever), media_type=media_type)


def not_modified(tag: str, *, for_ever: bool) -> Response[Any]:
    """The answer to a client that has it already."""
    return Response(None, status_code=304, headers=_headers(tag, for_ever=for_ever))


def compressed_response(
    request: HttpRequest, content: bytes, tag: str, *, media_type: str, control: str | None = None
) -> Response[bytes]:
    """An answer that is the same for everybody, under its tag: compressed if the client accepts that, or 304."""
    headers = {"ETag": tag, "Vary": "Accept-Encoding"} | ({} if control is None else {"Cache-Control": control})
    if client_has(request, tag):
        return Response(b"", status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(_compress(content), media_type=media_type, headers=headers | {"Content-Encoding": "gzip"})
    return Response(content, media_type=media_type, headers=headers)


@lru_cache(maxsize=512)
def _compress(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def _headers(tag: str, *, for_ever: bool) -> dict[str, str]:
    control = NEVER_CHANGES if for_ever else MAY_CHANGE
    return {"ETag": tag, "Cache-Control": control, "Vary": "Cookie, Authorization"}
