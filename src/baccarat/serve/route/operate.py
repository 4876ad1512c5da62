"""For the operator: whether the process is alive, whether it accepts commands, and its metrics."""

from __future__ import annotations

import hmac
from http import HTTPStatus

from litestar import Response, get
from litestar.types import ControllerRouterHandler

from baccarat.serve.http.problem import ProblemResponse
from baccarat.serve.ops.metrics import CONTENT_TYPE
from baccarat.serve.route.requester import HttpRequest, live_of

ALWAYS_ANSWERED = frozenset({"/metrics"})
"""Paths that are answered even by a house that may not answer anything else."""
CLOSING_SECONDS = 5
"""When to try again at a house that is closing: another one may be there by then."""
NO_STORE = {"Cache-Control": "no-store"}


@get("/healthz", summary="Whether the process is alive", media_type="text/plain")
async def healthz() -> Response[str]:
    """Alive: the event loop runs, and the house may answer; the shield answers 503 for a house that may not."""
    return Response("ok\n", media_type="text/plain", headers=NO_STORE)


@get("/readyz", summary="Whether commands are accepted, and what is not well", media_type="text/plain")
async def readyz(request: HttpRequest) -> Response[str]:
    """Ready: the store can be written, the lease is held, and the house is not closing; otherwise a problem says why.

    A house with a table that has stopped is ready for all others: 200, and what is not well, one line each. The last
    line says how far the history of the house was verified; nothing here waits for that.
    """
    ready = live_of(request).readiness
    lines = [f"not well: {each}" for each in ready.what_is_unwell()]
    lines += [ready.history_text] if ready.history_text else []
    if why := ready.why_not_ready():
        wait = {"Retry-After": str(CLOSING_SECONDS if ready.is_draining else 1)}
        say = f"No command is accepted now: {why}."
        raise ProblemResponse(HTTPStatus.SERVICE_UNAVAILABLE, say, code="not_now", faults=tuple(lines), headers=wait)
    return Response("".join(f"{line}\n" for line in ("ok", *lines)), media_type="text/plain", headers=NO_STORE)


@get("/metrics", summary="Metrics for Prometheus", media_type="text/plain", include_in_schema=False)
async def metrics(request: HttpRequest) -> Response[bytes]:
    """Metrics of this process, only for the operator, because they reveal how busy the house is."""
    if not _has_token(request):
        raise ProblemResponse(HTTPStatus.NOT_FOUND, "Not Found")
    return Response(live_of(request).metrics.page(), media_type=CONTENT_TYPE, headers=NO_STORE)


def _has_token(request: HttpRequest) -> bool:
    """Whether a request states the token of the operator."""
    token: bytes = request.app.state.metrics_token
    return bool(token) and hmac.compare_digest(request.headers.get("authorization", "").encode(), b"Bearer " + token)


def operate_routes() -> list[ControllerRouterHandler]:
    """The routes for the operator."""
    return [healthz, readyz, metrics]
