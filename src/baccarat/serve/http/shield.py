"""The shield: middleware around the whole application, so that it covers errors and static files too.

It adds the security headers to every answer, refuses requests of other origins that would change something, bounds the
size of a body, and has each request paid for (`access/budget.py`). It knows no routes but where files of pages are.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from baccarat.serve.access.budget import ACTING, LOADING, READING, Budgets
from baccarat.serve.store.read_pool import asking_payer

AsgiScope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
AsgiSend = Callable[[Message], Awaitable[None]]
App = Callable[[AsgiScope, Receive, AsgiSend], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; manifest-src 'self'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
MOST_BODY = 65_536
"""The most bytes of a request's body."""
SAY_LENGTH = f"A request's body may have at most {MOST_BODY:,} bytes."
SAY_HOST = (
    "This practice house is not known under the name in the address. Use localhost or a numeric address, or start the "
    "house with the setting origin (BACCARAT_ORIGIN) and this address."
)
MOST_TAKEN, TAKEN_SECONDS = 8 * MOST_BODY, 1.0
"""How much of a refused body is read, and for how long."""

FREE_OF_CHARGE = frozenset({401, 421, 423, 429})
"""Statuses that are no refusals: nobody is signed on, another node serves it, a console is locked, a limit was met."""

PAGE_FILES = "/page/"
"""Where the scripts and styles of the pages are, of which each page loads many."""
PROBLEM_PAGE = "/docs/problem"
"""The page that explains every code of a problem."""


class Rejection(NamedTuple):
    """Why a request is rejected."""

    status: int
    code: str
    say: str
    headers: tuple[tuple[bytes, bytes], ...] = ()


class OpenRequests:
    """The requests that wait for an answer: none of them waits for a store that does not answer any more."""

    def __init__(self) -> None:
        self._waits = set[asyncio.Timeout]()

    @contextlib.asynccontextmanager
    async def waiting(self) -> AsyncIterator[None]:
        """While a request is handled; `TimeoutError` if it is ended."""
        async with asyncio.timeout(None) as wait:
            self._waits.add(wait)
            try:
                yield
            finally:
                self._waits.discard(wait)

    def end_all(self) -> None:
        """End every wait: the house may not answer any more."""
        for wait in self._waits:
            if wait.when() is None:  # otherwise it is ending already
                wait.reschedule(0.0)


class EdgeMiddleware:
    """An application behind its shield."""

    def __init__(  # noqa: PLR0913  what a request is checked against
        self,
        app: App,
        *,
        origins: frozenset[str],
        budgets: Budgets,
        secure: bool,
        may_answer: Callable[[], bool] = lambda: True,
        always: frozenset[str] = frozenset(),
        names: frozenset[str] = frozenset(),
        any_host: bool = True,
    ) -> None:
        """`always` are paths that are answered even if `may_answer` is false: they reveal nothing of the house.

        `names` are those of this machine, for when no origin is set. Without `any_host`, a request under another name
        is refused: its owner could have pointed that name at this machine, to read the answers in a visitor's browser.
        """
        self.why_not: Callable[[], str] = lambda: ""
        """What is wrong while `may_answer` is false."""
        self.open_requests = OpenRequests()
        self.app, self.origins, self.budgets, self.may_answer = app, origins, budgets, may_answer
        self.always, self.names, self.any_host = always, names, any_host
        self.headers = (*HEADERS, *(((b"strict-transport-security", b"max-age=63072000"),) if secure else ()))

    async def __call__(self, scope: AsgiScope, receive: Receive, send: AsgiSend) -> None:
        """Check a request before the application sees it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        found = dict(scope["headers"])  # the last of a kind counts
        fault = self._fault(scope, found)
        asking_payer.set(self._payer(scope, found))  # each request runs in a context of its own
        if not self._may_answer(scope):
            fault = self._not_now()
        if scope["type"] == "websocket":
            if fault is not None:
                await _refuse_socket(scope, receive, send, fault)
                return
            await self.app(scope, receive, send)
            return

        is_begun = False

        async def with_headers(message: Message) -> None:
            nonlocal is_begun
            if message["type"] == "http.response.start":
                is_begun = True
                if _is_refusal(scope["method"], message["status"]):  # known by now, if it had a session
                    self.budgets.charge(self._payer(scope, found))
                message["headers"] = [*message.get("headers", ()), *self.headers]
            await send(message)

        async def while_it_may(message: Message) -> None:
            if not self._may_answer(scope):  # the answer may be wrong by now
                raise ConnectionAbortedError("this node may not answer any more")
            await with_headers(message)

        if fault is not None:
            if b"expect" not in found:  # with Expect, the client has not sent the body
                await _drain_body(receive)
            await _refuse(with_headers, fault, scope["path"])  # this reveals nothing of the house
            return
        try:
            async with self.open_requests.waiting():
                await self.app(scope, _limit_body(receive), while_it_may)
        except Exception as error:
            if self._may_answer(scope):
                raise
            if is_begun:
                raise ConnectionAbortedError("this node may not answer any more") from error
            await _refuse(with_headers, self._not_now(), scope["path"])

    def end_unanswerable(self) -> None:
        """Answer 503 to everybody who waits, if nothing may be answered any more."""
        if not self.may_answer():
            self.open_requests.end_all()

    def close(self) -> None:
        """Answer nothing more: the house is closed."""
        self.may_answer = lambda: False
        self.open_requests.end_all()

    def _may_answer(self, scope: AsgiScope) -> bool:
        return scope["path"] in self.always or self.may_answer()

    def _not_now(self) -> Rejection:
        """The response of a house that may not answer at the moment."""
        say = f"The house cannot answer at the moment: {self.why_not() or 'it is not open'}. Try again."
        return Rejection(503, "not_now", say, ((b"retry-after", b"1"),))

    def _fault(self, scope: AsgiScope, headers: dict[bytes, bytes]) -> Rejection | None:
        """Why a request is rejected."""
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        reading = LOADING if scope["path"].startswith(PAGE_FILES) else READING
        wait = self.budgets.wait(self._payer(scope, headers), ACTING if changes else reading)
        if wait:
            say = "Too many requests, or too many refused ones; try again shortly."
            return Rejection(429, "too_many_requests", say, ((b"retry-after", str(int(wait) + 1).encode()),))
        if not self.any_host and not self._is_own_host(headers.get(b"host", b"").decode("latin-1")):
            return Rejection(400, "unknown_host", SAY_HOST)
        origin = headers.get(b"origin", b"").decode("latin-1")
        if changes and origin and not self._is_ours(origin, headers):
            return Rejection(403, "other_site", "The request comes from another site.")
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > MOST_BODY:
            return Rejection(413, "body_too_long", SAY_LENGTH)
        if changes and scope["type"] == "http" and _has_body(headers) and not _is_json(headers):
            say = "A request's body must be JSON, with the Content-Type application/json."
            return Rejection(415, "not_json", say)
        return None

    def _payer(self, scope: AsgiScope, headers: dict[bytes, bytes]) -> str:
        """Who pays for a request: the person, once the session has been looked up; until then the address."""
        client = scope.get("client")
        return self.budgets.payer_of_request(headers, client[0] if client else "", now=time.time_ns() // 1000)

    def _is_ours(self, origin: str, headers: dict[bytes, bytes]) -> bool:
        """Whether a page of this origin may change something here.

        The configured origin; or, if none is set, the host of the request, if nobody else could have pointed that name
        at this machine: a foreign site whose name resolves to us is requested under its own name.
        """
        if self.origins:
            return origin in self.origins
        try:
            asked, name = urlsplit(origin), urlsplit(origin).hostname or ""
        except ValueError:
            return False
        under = headers.get(b"host", b"").decode("latin-1")
        return bool(name) and asked.netloc.lower() == under.lower() and self._is_of_this_machine(name)

    def _is_own_host(self, under: str) -> bool:
        """Whether a request came under a name of this house; no browser leaves its name out."""
        try:
            name = urlsplit(f"//{under}").hostname or ""
        except ValueError:
            return False
        return not under or self._is_of_this_machine(name.removesuffix("."))

    def _is_of_this_machine(self, name: str) -> bool:
        return name in self.names or name == "localhost" or name.endswith(".localhost") or _is_number(name)


def _is_refusal(method: str, status: int) -> bool:
    """Whether an answer refuses what was asked for: an act, or what somebody may not see, which is logged."""
    is_refused = HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR and status not in FREE_OF_CHARGE
    return is_refused and (method not in SAFE_METHODS or status == HTTPStatus.FORBIDDEN)


def _is_number(name: str) -> bool:
    """Whether this is a numeric address, which needs no name lookup."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _has_body(headers: dict[bytes, bytes]) -> bool:
    return headers.get(b"content-length", b"0").strip(b"0") != b"" or b"transfer-encoding" in headers


def _is_json(headers: dict[bytes, bytes]) -> bool:
    """Whether a body is declared as JSON: a form of another site could send other types without a preflight."""
    return headers.get(b"content-type", b"").split(b";")[0].strip().lower() == b"application/json"


class BodyTooLong(Exception):  # noqa: N818
    """A body that is longer than allowed."""


def _limit_body(receive: Receive) -> Receive:
    """Stop a body without a stated length when it becomes too long."""
    taken = 0

    async def bounded() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > MOST_BODY:
                raise BodyTooLong(SAY_LENGTH)
        return message

    return bounded


async def _drain_body(receive: Receive) -> None:
    """Read a refused body for a while: a client that is still sending when we close never reads the reason."""
    taken = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(TAKEN_SECONDS):
            while taken < MOST_TAKEN:
                message = await receive()
                taken += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body", False):
                    return


async def _refuse(send: AsgiSend, fault: Rejection, path: str) -> None:
    told = {
        "type": f"{PROBLEM_PAGE}#{fault.code}",
        "title": HTTPStatus(fault.status).phrase,
        "status": fault.status,
        "detail": fault.say,
        "instance": path,
        "code": fault.code,
    }
    await send({
        "type": "http.response.start",
        "status": fault.status,
        "headers": [(b"content-type", b"application/problem+json"), (b"cache-control", b"no-store"), *fault.headers],
    })  # fmt: skip
    await send({"type": "http.response.body", "body": json.dumps(told).encode()})


async def _refuse_socket(scope: AsgiScope, receive: Receive, send: AsgiSend, fault: Rejection) -> None:
    await receive()
    if fault.status != HTTPStatus.SERVICE_UNAVAILABLE or "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 4000 + fault.status % 1000})
        return

    async def answer(message: Message) -> None:
        await send({**message, "type": f"websocket.{message['type']}"})

    await _refuse(answer, fault, scope["path"])
