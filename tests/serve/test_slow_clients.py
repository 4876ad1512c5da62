"""Clients that are slow on purpose: half a request, a body that trickles, an answer unread; none is waited for."""

from __future__ import annotations

import asyncio
import contextlib
import re
import resource
import socket as sockets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import websockets

from baccarat.client import Client
from baccarat.serve.http import connection
from baccarat.serve.http.connection import Connections
from baccarat.serve.store.base import StoreReader
from house_of_roles import Asked, sign_everybody_on
from pool_places import places_taken
from served import run_for, served, soon


def in_house(work: Any, tmp_path: Path, **settings: Any) -> None:
    """Ask a practice house."""

    async def inner() -> None:
        async with served(tmp_path, **settings) as (live, address):
            await work(await sign_everybody_on(live, address))

    run_for(inner())


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch) -> list[Connections]:
    """Who holds connections to the house that is served."""
    made = list[Connections]()

    class Remembered(Connections):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            made.append(self)

    monkeypatch.setattr("baccarat.serve.run.Connections", Remembered)
    return made


async def connect(house: Asked) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to a house."""
    host, port = house.address.removeprefix("http://").split(":")
    return await asyncio.open_connection(host, int(port))


async def answer_to(reading: asyncio.StreamReader) -> None:
    """One whole answer, however many pieces it comes in: that the request was a good one."""
    head = await reading.readuntil(b"\r\n\r\n")
    assert b"200 OK" in head
    (length,) = re.findall(rb"(?i)content-length: (\d+)", head)
    await reading.readexactly(int(length))


async def ends(reading: asyncio.StreamReader, within: float) -> bytes:
    """All that is sent until the connection ends, which it does in time."""
    found = b""
    with contextlib.suppress(ConnectionError):
        async with asyncio.timeout(within):
            while more := await reading.read(65_536):
                found += more
    return found


HALVES = {
    "nothing": b"",
    "half a line": b"GET /api/tab",
    "half the headers": b"GET /api/tables HTTP/1.1\r\nHost: localhost\r\nX-Long: ",
    "half a body": b"POST /api/tickets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 50\r\n\r\n{",
    "half a body in pieces": b"POST /api/tickets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
}
WHOLE = b"GET /api/tables HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.slow
@pytest.mark.parametrize("trickles", [False, True], ids=["stops", "trickles"])
@pytest.mark.parametrize("first", [b"", WHOLE], ids=["at once", "after a request"])
def test_half_a_request_is_not_waited_for(
    first: bytes, trickles: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "REQUEST_SECONDS", 0.5)

    async def half(house: Asked, name: str, sent: bytes) -> None:
        reading, writing = await connect(house)
        if first:
            writing.write(first)
            await answer_to(reading)
        begun = time.monotonic()
        writing.write(sent)
        ending = asyncio.create_task(ends(reading, 30.0))
        while trickles and sent and not ending.done() and not writing.is_closing():
            writing.write(b"1\r\n1\r\n" if "pieces" in name else b"1")
            await asyncio.sleep(0.1)
        found = await ending
        assert time.monotonic() - begun < 20.0, name
        if sent:
            assert found.startswith(b"HTTP/1.1 408 Request Timeout\r\n"), (name, found)
            assert found.count(b"HTTP/1.1 ") == 1
            assert b'"code":"late"' in found
        else:
            assert found == b"", "who has asked for nothing is told nothing"
        writing.close()

    async def work(house: Asked) -> None:
        await asyncio.gather(*(half(house, name, sent) for name, sent in HALVES.items()))
        assert (await house.get("/api/tables")).status == 200
        assert house.live.metrics.counts.faults == 0

    in_house(work, tmp_path)


@pytest.mark.slow
def test_a_request_that_is_whole_may_take_its_time_and_a_socket_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "REQUEST_SECONDS", 0.3)

    async def work(house: Asked) -> None:
        let_go = asyncio.Event()
        room, ask = house.live.reading, house.live.reading.ask

        async def slowly(question: Any) -> Any:
            await let_go.wait()
            return await ask(question)

        monkeypatch.setattr(room, "ask", slowly)
        asked = asyncio.create_task(house.get("/api/streams"))
        async with Client(house.address) as client:
            await client.visit()
            _, where = await client.ticket("ma-midi-4")
            async with websockets.connect(where) as socket:
                await asyncio.sleep(1.0)
                let_go.set()
                assert (await asked).status == 200
                await socket.ping()

    in_house(work, tmp_path)


@pytest.mark.slow
def test_an_answer_that_nobody_reads_is_ended_and_its_place_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "READ_SECONDS", 0.5)

    def endless(_reads: StoreReader) -> Iterator[bytes]:
        while True:
            yield b"x" * 65_536

    monkeypatch.setattr("baccarat.serve.route.journal.stream_journal", lambda reads, _name: endless(reads))

    async def work(house: Asked) -> None:
        held = list[sockets.socket]()
        host, port = house.address.removeprefix("http://").split(":")
        for _ in range(8):
            made = sockets.create_connection((host, int(port)))
            made.sendall(b"GET /api/streams/house/journal HTTP/1.1\r\nHost: localhost\r\n\r\n")
            held.append(made)
        while not places_taken(house.live.reading):
            await asyncio.sleep(0.01)
        await soon(lambda: not places_taken(house.live.reading))
        for made in held:
            made.close()

    in_house(work, tmp_path)


@pytest.mark.slow
def test_one_address_holds_so_many_connections_and_sockets_count(tmp_path: Path, places: list[Connections]) -> None:
    async def work(house: Asked) -> None:
        async with Client(house.address) as client:
            await client.visit()
            _, where = await client.ticket("ma-midi-4")
        await soon(lambda: not places[0].count, "the places of those who left are not given back")
        held = [await websockets.connect(where) for _ in range(3)]
        held_too = [await connect(house) for _ in range(3)]
        reading, writing = await connect(house)
        assert await ends(reading, 20.0) == b""
        writing.close()
        await held.pop().close()
        held_too.pop()[1].close()
        await soon(lambda: places[0].count <= 4, "the places of those who left are not given back")
        assert (await house.get("/api/tables")).status == 200
        for socket in held:
            await socket.close()
        for _, other in held_too:
            other.close()
        await soon(lambda: not places[0].count, "the places of those who left are not given back")
        for _ in range(20):
            assert (await house.get("/api/tables")).status == 200

    in_house(work, tmp_path, connections_at_once=6)


@pytest.mark.slow
def test_all_addresses_together_hold_so_many_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: list[Connections]
) -> None:
    """Those of a proxy, too; whoever comes too late reads why, and those who are in are not disturbed."""
    monkeypatch.setattr(connection, "LINGER_SECONDS", 30.0)

    async def work(house: Asked) -> None:
        held = [await connect(house) for _ in range(5)]
        for _, writing in held:
            writing.write(WHOLE)
        for reading, _ in held:
            assert b"200 OK" in await reading.read(65_536)
        reading, late = await connect(house)
        late.write(WHOLE)
        found = await ends(reading, 20.0)
        assert found.startswith(b"HTTP/1.1 503 Service Unavailable\r\n"), found
        assert b'"code":"full"' in found
        assert b"Retry-After: 5" in found
        late.close()
        crowd = [await connect(house) for _ in range(connection.MOST_TURNED_AWAY + 20)]
        told = await asyncio.gather(*(ends(each, 20.0) for each, _ in crowd))
        assert sum(not each for each in told) > 10, "so many at once are not even told"
        for _, writing in crowd:
            writing.close()
        held[0][1].write(WHOLE)
        assert b"200 OK" in await held[0][0].read(65_536)
        for _, writing in held:
            writing.close()
        await soon(lambda: not places[0].count, "the places of those who left are not given back")
        assert (await house.get("/api/tables")).status == 200

    in_house(work, tmp_path, connections_in_all=5, proxy="127.0.0.1")


def test_no_more_connections_are_taken_than_there_are_files_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[int, int]]()
    monkeypatch.setattr(resource, "setrlimit", lambda _what, limits: asked.append(limits))
    for limits, wanted, most in (
        ((1024, 4096), 20_000, 3840),
        ((1024, 65_536), 20_000, 20_000),
        ((1024, 1024), 500, 500),
    ):
        monkeypatch.setattr(resource, "getrlimit", lambda _what, limits=limits: limits)
        assert connection.most_connections(wanted) == most
    assert asked == [(4096, 4096), (20_256, 65_536)]


def test_connections_are_counted_by_network_and_those_of_a_proxy_are_not() -> None:
    places = Connections(2, uncounted=frozenset({"127.0.0.1"}))
    assert all(places.acquire("127.0.0.1") == "" for _ in range(10))
    keys = [places.acquire(f"2001:db8::{number}") for number in range(3)]
    assert keys[0] == keys[1] is not None
    assert keys[2] is None
    assert places.acquire("2001:db8:0:1::1") is not None
    places.release(str(keys[0]))
    assert places.acquire("2001:db8::9") is not None
    assert len(places) == 3


@pytest.mark.parametrize("proxy", ["10.0.0.0/8", "*", "::ffff:10.1.2.3", "10.1.2.3"])
def test_a_proxy_may_be_named_by_its_network(proxy: str) -> None:
    places = Connections(1, uncounted=frozenset({proxy, "no address"}))
    assert all(places.acquire("10.1.2.3") == "" for _ in range(5))
    assert len(places) == 0
