"""Connections: how long each may take for a request or an answer, and how many may be open, of one address and in all.

The server beneath limits none of this: a client that sends half a request, or does not read its answer, would hold a
connection for ever. A request that was begun and is late is answered with 408, and a client that comes when all places
are taken with 503; a moment later the connection is cut off, whether the answer was read or not. A client that has sent
nothing, or holds too many connections already, gets no answer.
"""

from __future__ import annotations

import asyncio
import ipaddress
import resource
from collections import Counter
from http import HTTPStatus
from typing import Any, cast

import msgspec
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from baccarat.serve.access.throttle import address_key
from baccarat.serve.http.shield import PROBLEM_PAGE

REQUEST_SECONDS = 15.0
"""How long after its first byte a request must be complete, and how long after connecting it must have begun."""
READ_SECONDS = 20.0
"""How long a client may read nothing of an answer."""
LINGER_SECONDS = 1.0
"""How long a rejected connection stays half open: closed immediately, the answer could be lost on its way."""
SPARE_FILES = 256
"""How many files a server may open besides its connections: the store's, and those that readers of journals need."""
MOST_TURNED_AWAY = 100
"""How many connections may be turned away with an answer at a time; further ones are closed without one."""


def raw_problem(status: HTTPStatus, detail: str, code: str, *more: str) -> bytes:
    """A complete problem answer, after which the connection is closed."""
    problem = {
        "type": f"{PROBLEM_PAGE}#{code}",
        "title": status.phrase,
        "status": status,
        "detail": detail,
        "code": code,
    }
    body = msgspec.json.encode(problem)
    lines = (
        f"HTTP/1.1 {status.value} {status.phrase}",
        "Content-Type: application/problem+json",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
        "Connection: close",
        *more,
    )
    return "\r\n".join((*lines, "", "")).encode() + body


def timeout_answer() -> bytes:
    """The answer to a request that was not complete in time."""
    say = f"The request was not complete after {REQUEST_SECONDS:g} seconds; send it again."
    return raw_problem(HTTPStatus.REQUEST_TIMEOUT, say, "late")


FULL_ANSWER = raw_problem(
    HTTPStatus.SERVICE_UNAVAILABLE, "Too many are connected at the moment; try again.", "full", "Retry-After: 5"
)


def most_connections(wanted: int) -> int:
    """How many connections can be open: as many as are wanted, or as the system allows files for.

    The limit of open files is raised as far as the system lets this program.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(hard, needed)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else max(1, min(wanted, soft - SPARE_FILES))


Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def _network(text: str) -> Network | None:
    """A network, or a single address; None if the text is neither. All forms of an IPv4 address are the same."""
    try:
        found = ipaddress.ip_network(text.partition("%")[0], strict=False)
    except ValueError:
        return None
    mapped = found.network_address.ipv4_mapped if isinstance(found, ipaddress.IPv6Network) else None
    return ipaddress.ip_network(mapped) if mapped is not None else found


class Connections:
    """Counts connections by address; those of our own proxies stand for many people, and count only in the total."""

    def __init__(self, most: int, *, in_all: int = 1_000_000, uncounted: frozenset[str] = frozenset()) -> None:
        self.most, self.in_all = most, in_all
        self.count = 0
        """How many are open, including those of proxies."""
        self._all_uncounted = "*" in uncounted
        self._uncounted = [network for each in uncounted if (network := _network(each)) is not None]
        self._open = Counter[str]()

    def acquire(self, address: str) -> str | None:
        """Count a connection; returns the key for `release`, or None if the address holds too many already."""
        key = "" if self._is_uncounted(address) else address_key(address)
        if key and self._open[key] >= self.most:
            return None
        self.count += 1
        if key:
            self._open[key] += 1
        return key

    def _is_uncounted(self, address: str) -> bool:
        found = _network(address) if self._uncounted else None
        return self._all_uncounted or (
            found is not None and any(found.network_address in network for network in self._uncounted)
        )

    def release(self, key: str) -> None:
        """Uncount a connection that is over."""
        self.count -= 1
        if not key:
            return
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]

    def __len__(self) -> int:
        return self._open.total()


class CountedConnection(asyncio.Protocol):
    """A connection that is counted until it is lost, and cut off if the client does not read what is sent."""

    places: Connections
    transport: asyncio.Transport
    _place: str | None = None
    _unread: asyncio.TimerHandle | None = None

    def acquire_place(self, transport: asyncio.BaseTransport) -> bool:
        """Whether there is a place for this connection; it is cut off if there is none."""
        peer = transport.get_extra_info("peername")
        self._place = self.places.acquire(str(peer[0]) if peer else "")
        if self._place is None:
            cast(asyncio.Transport, transport).abort()
        return self._place is not None

    def release_place(self) -> None:
        """The connection is lost, or continues as a socket."""
        self.stop_read_timer()
        if self._place is not None:
            self.places.release(self._place)
            self._place = None

    def pause_writing(self) -> None:
        """The client does not read as fast as we send: what was sent must be read in time."""
        super().pause_writing()
        if self._unread is None:
            self._unread = asyncio.get_running_loop().call_later(READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has read what waited."""
        self.stop_read_timer()
        super().resume_writing()

    def stop_read_timer(self) -> None:
        """What was sent has been read."""
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class RequestConnection(CountedConnection, H11Protocol):
    """A connection on which requests come."""

    _late: asyncio.TimerHandle | None = None
    _has_begun = False
    """Whether some bytes of an unanswered request have come."""
    _is_turned_away = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected."""
        super().connection_made(transport)
        places = self.places
        if not self.acquire_place(transport):
            return
        if places.count > places.in_all + MOST_TURNED_AWAY:
            transport.abort()
        elif places.count > places.in_all:
            self._turn_away(FULL_ANSWER)
        else:
            self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        self._request_is_whole()
        self.release_place()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes of a request: the time for it runs from the first of them, however slowly others follow."""
        if self._place is None or self._is_turned_away:
            return
        self._has_begun = True
        self._expect_request()
        super().data_received(data)
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete and not cycle.more_body:
            self._request_is_whole()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """From here on messages come; their own protocol counts the connection itself."""
        self._request_is_whole()
        self.release_place()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """An answer has been sent: the next request has its own time, from its first byte on."""
        self._has_begun = bool(self.cycle.more_body)
        super().on_response_complete()
        if self.cycle.more_body:
            self._expect_request()  # a body that is not complete, though it may have been answered already
        else:
            self._request_is_whole()

    def _expect_request(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(REQUEST_SECONDS, self._is_late)

    def _is_late(self) -> None:
        """Answer a client that has begun a request and has no answer yet; the others are cut off."""
        cycle: RequestResponseCycle | None = self.cycle
        was_told = cycle is not None and cycle.response_started and cycle.more_body
        if self._has_begun and not was_told and not self.transport.is_closing():
            self._turn_away(timeout_answer())
        else:
            self.transport.abort()

    def _turn_away(self, answer: bytes) -> None:
        """Send an answer and nothing more; whatever the client still sends is not read."""
        self._is_turned_away = True
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete:  # the handler learns that no body comes
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.write(answer)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._request_is_whole()
        self._late = self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def _request_is_whole(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class SocketConnection(CountedConnection, WebSocketsSansIOProtocol):
    """A connection on which messages come; their reader decides who must join when, and how much may wait."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A connection continues as a socket."""
        super().connection_made(transport)
        self.acquire_place(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is closed."""
        self.release_place()
        super().connection_lost(exc)


def protocols(places: Connections) -> tuple[type[RequestConnection], type[SocketConnection]]:
    """The protocols of one server, whose connections are counted together."""
    return type("Requests", (RequestConnection,), {"places": places}), type(
        "Sockets", (SocketConnection,), {"places": places}
    )
