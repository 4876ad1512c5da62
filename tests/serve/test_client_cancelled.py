"""A client that is cancelled, or that leaves, at any moment: nothing of it stays behind, no task and no connection."""

from __future__ import annotations

import asyncio
import json
import selectors
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import pytest
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol

from baccarat.client import Client
from baccarat.client import seat as seat_module
from campaign import CAMPAIGN
from served import soon

pytestmark = pytest.mark.slow

VIEW = {"type": "view", "run": "r", "seq": 1, "view": {"state": {}}}
BYE = {"type": "bye", "why": "closing"}
MOST_TURNS = 400
"""More turns of the loop than anything here takes."""
SECONDS = 20.0
"""So long a connection is waited for that ought to be closed."""


class BareHouse:
    """A house with nothing behind it: it gives tickets, says what it is given to say, and never hangs up first."""

    def __init__(self, *says: dict[str, Any], is_silent: bool = False, is_deaf: bool = False) -> None:
        self._says = says
        self._is_silent, self._is_deaf = is_silent, is_deaf
        """Whether it takes connections and never answers; whether it does not heed that a socket is closed."""
        self.address = ""
        self._open = 0
        self.is_asked = False

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Serve; at the end the client has hung up everywhere, and nothing goes on."""
        server = await asyncio.start_server(self._visited, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with server:
            yield
            await soon(lambda: not self._open, "the client has not hung up", SECONDS)
        own = asyncio.current_task()
        await soon(lambda: asyncio.all_tasks() == {own}, "something goes on", SECONDS)

    async def _visited(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open += 1
        with suppress(OSError, asyncio.IncompleteReadError):
            if not self._is_silent:
                await self._answers(reader, writer)
            while await reader.read(1000):
                self.is_asked = True
        writer.close()
        self._open -= 1

    async def _answers(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            if head.startswith(b"GET "):
                return await self._speaks(head, reader, writer)
            sizes = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
            await reader.readexactly(int(sizes[0].partition(b":")[2]))
            ticket = json.dumps({"ticket": "t", "socket": "/socket"}).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(ticket), ticket))

    async def _speaks(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Be the other end of a socket: every command is done."""
        protocol, data = ServerProtocol(), head
        while data:
            protocol.receive_data(data)
            for event in protocol.events_received():
                if isinstance(event, Request):
                    protocol.send_response(protocol.accept(event))
                    for said in self._says:
                        protocol.send_text(json.dumps(said).encode())
                elif isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                    heard = json.loads(bytes(event.data))
                    if heard["type"] == "do":
                        protocol.send_text(json.dumps({"type": "done", "id": heard["id"], "seq": 2}).encode())
                elif isinstance(event, Frame) and event.opcode is Opcode.CLOSE and self._is_deaf:
                    return
            for answer in protocol.data_to_send():
                writer.write(answer) if answer else writer.write_eof()
            data = await reader.read(1000)


class Turns(selectors.DefaultSelector):
    """Counts the turns of its loop, and does something at one of them: before the loop waits there, or when it has."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self._at: int | None = None
        self._do: Callable[[], object] = lambda: None

    def after(self, halves: int, do: Callable[[], object]) -> None:
        """Do something so many half turns from now."""
        self._at, self._do = self.count + halves, do

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        is_done = self._half()
        found = super().select(0 if is_done else timeout)
        self._half()
        return found

    def _half(self) -> bool:
        self.count += 1
        if self.count == self._at:
            self._do()
        return self.count == self._at


def at_each_turn(work: Callable[[Turns, int], Coroutine[Any, Any, bool]]) -> None:
    """Do the same work with an interruption that comes later every time, until it is the last.

    A short run takes every third half turn, whole ones and halves in turn; a long campaign takes them all.
    """
    for half in range(1, MOST_TURNS, 3 if CAMPAIGN == 1 else 1):
        turns = Turns()
        with asyncio.Runner(loop_factory=partial(asyncio.SelectorEventLoop, turns)) as runner:
            if runner.run(work(turns, half)):
                return
    raise AssertionError("it does not come to its end")


async def sits(house: BareHouse) -> None:
    """One visit, from coming in to leaving."""
    async with Client(house.address) as client, client.table("x") as table:
        assert (await table.do("sit", seat=2)).is_done


async def is_whole(task: asyncio.Task[None]) -> bool:
    """Wait for a task's end: whether it came to its own, and was not cancelled."""
    await asyncio.wait([task])
    if not task.cancelled():
        await task
    return not task.cancelled()


def nobody_is_left() -> None:
    """Nothing of a client goes on; the house may need a moment to see that."""
    names = [getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()]
    assert not [name for name in names if name.startswith(("TableClient.", "Client."))]


@pytest.mark.parametrize("is_deaf", [False, True], ids=["answered", "not answered"])
def test_cancelled_at_any_turn_a_client_leaves_neither_task_nor_connection(
    is_deaf: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the house answers its farewell or not."""
    monkeypatch.setattr(seat_module, "CLOSE_SECONDS", 0.02)

    async def work(turns: Turns, turn: int) -> bool:
        house = BareHouse(VIEW, is_deaf=is_deaf)
        async with house.serving():
            task = asyncio.create_task(sits(house))
            turns.after(turn, task.cancel)
            found = await is_whole(task)
            nobody_is_left()
        return found

    at_each_turn(work)


def test_cancelled_at_any_turn_before_a_house_that_does_not_answer() -> None:
    async def work(turns: Turns, turn: int) -> bool:
        house = BareHouse(is_silent=True)
        async with house.serving():
            task = asyncio.create_task(sits(house))
            turns.after(turn, task.cancel)
            while not (task.done() or house.is_asked):
                await asyncio.sleep(0.001)
            await asyncio.sleep(0.001)
            is_late = task.cancel()  # it waits for the answer
            await is_whole(task)
            nobody_is_left()
        return is_late

    at_each_turn(work)


@pytest.mark.parametrize("is_deaf", [False, True], ids=["answered", "not answered"])
def test_who_leaves_at_any_turn_while_the_socket_is_made_anew_hangs_up(
    is_deaf: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The house says farewell at once, again and again: the client leaves while it closes, waits, asks or connects."""
    monkeypatch.setattr(seat_module, "FIRST_WAIT", 0.0)
    monkeypatch.setattr(seat_module, "CLOSE_SECONDS", 0.02)

    async def work(turns: Turns, turn: int) -> bool:
        house = BareHouse(VIEW, BYE, is_deaf=is_deaf)
        enough = asyncio.Event()
        async with house.serving(), Client(house.address) as client, client.table("x") as table:
            turns.after(turn, enough.set)
            await enough.wait()
            rounds = table.joins
        return rounds == 3  # the whole way was gone twice

    at_each_turn(work)


def test_cancelled_while_it_hangs_up_a_client_hangs_up_everywhere() -> None:
    async def asks_thrice_at_once(house: BareHouse) -> None:
        async with Client(house.address) as client:
            await asyncio.gather(*(client.ticket("x") for _ in range(3)))

    async def work(turns: Turns, turn: int) -> bool:
        house = BareHouse()
        async with house.serving():
            task = asyncio.create_task(asks_thrice_at_once(house))
            turns.after(turn, task.cancel)
            found = await is_whole(task)
            nobody_is_left()
        return found

    at_each_turn(work)
