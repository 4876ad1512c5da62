"""One table over a socket: a view that follows the table, and commands that take effect at most once."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Self

import msgspec
import websockets
from websockets.asyncio.client import ClientConnection

from baccarat.client.identity import command_id
from baccarat.table.json_difference import apply_difference
from baccarat.table.patch import apply_patch

FIRST_WAIT, LONGEST_WAIT = 0.05, 3.0
CLOSE_SECONDS = 1.0
"""How long a closing handshake may take; the library's ten seconds would delay a takeover."""
PING_SECONDS = 2.0
"""How long a node may be silent before the client looks for another: a frozen node closes no connection."""
SEEN_EVERY = 32
"""The client acknowledges what it has read once in this many frames."""
MOST_EVENTS = 2_000
"""How many events wait to be read; the oldest of more are dropped."""

TicketFor = Callable[[str], Awaitable[tuple[str, str]]]


class Lost(ConnectionError):  # noqa: N818  what happened
    """The house does not answer, or does not let us in."""


class AdmissionDenied(Lost):
    """The house does not let us in, and waiting will not change that."""


class SeatAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The table's answer to a command."""

    is_done: bool
    seq: int = 0
    code: str = ""
    say: str = ""
    cites: tuple[str, ...] = ()
    is_repeat: bool = False


class TableClient:
    """A table that this client has joined."""

    def __init__(self, name: str, ticket_for: TicketFor, *, words: str = "") -> None:
        """`words` is what else is followed: the "moment" of the table, or its "work"."""
        self.name = name
        self._ticket_for, self._kind = ticket_for, words
        self.view: dict[str, Any] = {}
        self.words: dict[str, Any] = {}
        """What REST answers to a GET of the moment, or of the work."""
        self.joins = 0
        """How often the table was joined, the first time included."""
        self.seq, self._run, self._words_seq = -1, "", 0
        self._socket: ClientConnection | None = None
        self._unanswered: dict[str, tuple[str, asyncio.Future[SeatAnswer]]] = {}
        self._changed = asyncio.Condition()
        self._events: deque[dict[str, Any]] = deque(maxlen=MOST_EVENTS)
        self._task: asyncio.Task[None] | None = None
        self._first: asyncio.Future[None] | None = None
        self._shut: AdmissionDenied | None = None

    async def __aenter__(self) -> Self:
        self._first = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._stay_connected())
        try:
            await self._first
        except BaseException:
            await self._leave(self._task)  # `__aexit__` does not run if we are cancelled here
            raise
        return self

    async def __aexit__(self, *_error: object) -> None:
        if self._task is not None:
            await self._leave(self._task)

    async def _leave(self, task: asyncio.Task[None]) -> None:
        """Close the connection and cancel the commands that are still waiting."""
        task.cancel()
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()  # now without waiting for the closing handshake
            await asyncio.wait([task])
            raise
        finally:
            for _, answer in self._unanswered.values():
                answer.cancel()
        if not task.cancelled():
            task.result()

    @property
    def state(self) -> dict[str, Any]:
        """The table as this client may see it."""
        found: dict[str, Any] = self.view["state"]
        return found

    async def do(self, act: str, /, *, id: str = "", **fields: Any) -> SeatAnswer:  # noqa: A002
        """Send a command; the answer comes once it is stored. A broken connection is restored meanwhile.

        `ValueError` if another command with this id is still unanswered.
        """
        made = id or command_id()
        text = json.dumps({"type": "do", "id": made, "command": {"do": act, **fields}})
        if self._shut is not None:
            raise self._shut
        asked = self._unanswered.get(made)
        if asked is not None:
            if asked[0] != text:
                raise ValueError(f"the id {made} waits for the answer to another command")
            return await asyncio.shield(asked[1])
        answer: asyncio.Future[SeatAnswer] = asyncio.get_running_loop().create_future()
        self._unanswered[made] = (text, answer)
        try:
            if self._socket is not None:
                with contextlib.suppress(websockets.ConnectionClosed):
                    await self._socket.send(text)
            return await answer
        finally:
            self._unanswered.pop(made, None)

    async def until(self, holds: Callable[[dict[str, Any]], bool]) -> None:
        """Wait until something is true of the view."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._is_open() and bool(self.view) and holds(self.view))

    async def later_than(self, seq: int) -> None:
        """Wait until there is a later frame than this one; returns immediately if there is one already."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._is_open() and self.seq != seq)

    def events(self) -> list[dict[str, Any]]:
        """The events since the last call, as far as this client may see them: the last 2,000, if there are more."""
        found = list(self._events)
        self._events.clear()
        return found

    # -------------------------------------------------------------------------------------- the connection

    async def _stay_connected(self) -> None:
        wait = FIRST_WAIT
        while True:
            try:
                await self._run_connection()
                wait = FIRST_WAIT
            except AdmissionDenied as error:
                await self._end(error)
                return
            except (OSError, websockets.WebSocketException, TimeoutError) as error:
                if isinstance(error, Lost) and self._first is not None and not self._first.done():
                    self._first.set_exception(error)
                    return
            finally:
                self._socket = None
            await asyncio.sleep(wait * (0.5 + random.random()))  # noqa: S311  so that not all reconnect together
            wait = min(LONGEST_WAIT, wait * 2)

    async def _end(self, error: AdmissionDenied) -> None:
        """Nothing more will come: fail everything that is waiting."""
        self._shut = error
        for _, answer in self._unanswered.values():
            if not answer.done():
                answer.set_exception(error)
        if self._first is not None and not self._first.done():
            self._first.set_exception(error)
        async with self._changed:
            self._changed.notify_all()

    def _is_open(self) -> bool:
        if self._shut is not None:
            raise self._shut
        return True

    async def _run_connection(self) -> None:
        ticket, address = await self._ticket_for(self.name)
        async with _open_socket(address) as socket:
            where: dict[str, Any] = {"run": self._run, "after": self.seq} if self.seq >= 0 else {}
            if self._kind:
                where["words"] = self._kind
            await socket.send(json.dumps({"type": "join", "ticket": ticket, **where}))
            self.joins += 1
            self._socket = socket
            for text, _ in list(self._unanswered.values()):
                await socket.send(text)
            read = 0
            async for message in socket:
                if not await self._handle_message(json.loads(message)):
                    return
                read += 1
                if read % SEEN_EVERY == 0:
                    await socket.send(json.dumps({"type": "seen", "seq": max(0, self.seq)}))

    async def _handle_message(self, said: dict[str, Any]) -> bool:
        """Handle one message of the table; false if the connection must be reopened."""
        match said["type"]:
            case "view":
                self._run, self.seq, self.view = said["run"], said["seq"], said["view"]
                self._take_words(said.get("words"))
                await self._notify_change()
            case "patch" | "words":
                if said.get("from", said["seq"]) != self.seq or not self._take_words(said.get("words")):
                    self.seq, self._run = -1, ""  # something is missing: ask for the whole view
                    return False
                if said["type"] == "patch":
                    apply_patch(self.view, said)
                self.seq = said["seq"]
                self._events += said.get("events", ())
                await self._notify_change()
            case "done":
                self._answer(said, SeatAnswer(is_done=True, seq=said["seq"], is_repeat=said.get("repeat", False)))
            case "refused":
                cites = tuple(said.get("cites", ()))
                found = SeatAnswer(
                    is_done=False, seq=said.get("seq", 0), code=said["code"], say=said["say"], cites=cites,
                    is_repeat=said.get("repeat", False),
                )  # fmt: skip
                self._answer(said, found)
            case "problem" if said.get("again"):
                return True  # the house is closing: the command is sent again after reconnecting
            case "problem":
                self._answer(said, SeatAnswer(is_done=False, code="problem", say=said["say"]))
            case "bye":
                return False
        return True

    def _take_words(self, words: dict[str, Any] | None) -> bool:
        """Follow the words; false if a change of them is missing."""
        if words is None:
            return True
        if "from" not in words:
            self.words = {}
        elif words["from"] != self._words_seq:
            return False
        apply_difference(self.words, words)
        self._words_seq = words["seq"]
        return True

    async def _notify_change(self) -> None:
        if self._first is not None and not self._first.done():
            self._first.set_result(None)
        async with self._changed:
            self._changed.notify_all()

    def _answer(self, said: dict[str, Any], answer: SeatAnswer) -> None:
        waiting = self._unanswered.get(said.get("id", ""))
        if waiting is not None and not waiting[1].done():
            waiting[1].set_result(answer)


@contextlib.asynccontextmanager
async def _open_socket(address: str) -> AsyncIterator[ClientConnection]:
    """A socket that is closed at the end of the block, by force if the closing handshake is interrupted."""
    socket = await websockets.connect(
        address, max_size=2**22, close_timeout=CLOSE_SECONDS, ping_interval=PING_SECONDS, ping_timeout=PING_SECONDS
    )
    try:
        async with socket:
            yield socket
    finally:
        socket.transport.abort()
