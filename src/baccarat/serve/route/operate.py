"""For whoever runs the house: whether it lives, whether it takes commands, and its figures."""

from __future__ import annotations

from http import HTTPStatus
from ipaddress import ip_address

from litestar import Response, get
from litestar.types import ControllerRouterHandler

from baccarat.serve.http.problem import ProblemResponse
from baccarat.serve.ops.metrics import CONTENT_TYPE
from baccarat.serve.route.requester import HttpRequest, address_of, live_of

FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
"""A proxy that passes somebody else's request on says so in one of these."""
OPERATING_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
"""What is answered also by a house that may not answer anything else."""
NO_STORE = {"Cache-Control": "no-store"}


@get("/healthz", summary="Whether the process lives", media_type="text/plain")
async def healthz() -> Response[str]:
    """Alive: the event loop goes round. It says nothing of the store."""
    return Response("ok\n", media_type="text/plain", headers=NO_STORE)


@get("/readyz", summary="Whether commands are taken", media_type="text/plain")
async def readyz(request: HttpRequest) -> Response[str]:
    """Ready: the store can be written, the lease is held, and the house is not closing; otherwise 503, and why."""
    why = live_of(request).readiness.why_not_ready()
    status = HTTPStatus.SERVICE_UNAVAILABLE if why else HTTPStatus.OK
    return Response(f"{why or 'ok'}\n", status_code=status, media_type="text/plain", headers=NO_STORE)


@get("/metrics", summary="Figures for Prometheus", media_type="text/plain", include_in_schema=False)
async def metrics(request: HttpRequest) -> Response[bytes]:
    """Figures of this process, to programs on the same machine alone: they tell how busy each moment is."""
    if not _is_from_here(request):
        raise ProblemResponse(HTTPStatus.NOT_FOUND, "Not Found")
    return Response(live_of(request).metrics.page(), media_type=CONTENT_TYPE, headers=NO_STORE)


def _is_from_here(request: HttpRequest) -> bool:
    """Whether a program on this machine asks for itself, and not a proxy for somebody else."""
    if any(request.headers.get(name) for name in FORWARDED):
        return False
    try:
        return ip_address(address_of(request)).is_loopback
    except ValueError:
        return False


def operate_routes() -> list[ControllerRouterHandler]:
    """The routes for whoever runs the house."""
    return [healthz, readyz, metrics]
