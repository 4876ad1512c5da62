"""Sockets without a network: messages take their time, lines break, readers stall; all of it by chance of a seed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Generator
from types import TracebackType
from typing import Any, Self

from litestar.exceptions import WebSocketDisconnect
from websockets.exceptions import ConnectionClosedError

MOST_ON_THE_WAY = 64
"""So many messages fit into the buffers of a line; then whoever sends waits."""


class Line:
    """One connection: the server's end and the client's, and what is on the way between them."""

    client = None
    """There is no address: the people of a simulation pay for what they ask by session."""

    def __init__(self, chance: random.Random, on_send: Callable[[str], int], on_taken: Callable[[int], None]) -> None:
        self._chance = chance
        self._on_send, self._on_taken = on_send, on_taken
        self.is_broken = self.is_stalled = False
        self._moved = asyncio.Event()
        self._to_server: list[tuple[float, str]] = []
        self._to_client: list[tuple[float, str, int]] = []
        self._last = [0.0, 0.0]
        self._taken = -1

    def cut(self) -> None:
        """The line breaks: what is on the way is lost."""
        self.is_broken = True
        self._moved.set()

    def stall(self, *, stalled: bool) -> None:
        """The client stops reading, or goes on."""
        self.is_stalled = stalled
        self._moved.set()

    def _arrives(self, direction: int) -> float:
        """When a message that is sent now arrives: never before one that was sent before it."""
        now = asyncio.get_running_loop().time()
        slow = self._chance.random() < 0.05
        self._last[direction] = max(self._last[direction], now + self._chance.expovariate(1 / (0.2 if slow else 0.004)))
        return self._last[direction]

    async def _wait(self) -> None:
        self._moved.clear()
        await self._moved.wait()

    # ---------------------------------------------------------------------------------- the server's end

    async def accept(self) -> None:
        """The server takes the connection."""

    async def receive_text(self) -> str:
        """The next message of the client."""
        while True:
            if self.is_broken:
                raise WebSocketDisconnect(detail="the line is broken")
            if self._to_server:
                at, text = self._to_server[0]
                wait = at - asyncio.get_running_loop().time()
                if wait <= 0:
                    self._to_server.pop(0)
                    return text
                await asyncio.sleep(wait)
            else:
                await self._wait()

    async def send_text(self, text: str) -> None:
        """Send to the client; who does not read lets the server wait."""
        while len(self._to_client) >= MOST_ON_THE_WAY and not self.is_broken:
            await self._wait()
        if self.is_broken:
            raise WebSocketDisconnect(detail="the line is broken")
        self._to_client.append((self._arrives(1), text, self._on_send(text)))
        self._moved.set()

    async def close(self) -> None:
        """The server hangs up, after what it has sent."""
        self._to_client.append((self._arrives(1), "", -1))
        self._moved.set()

    # ---------------------------------------------------------------------------------- the client's end

    def __await__(self) -> Generator[None, None, Self]:
        """As a connection of websockets is waited for; here it is there at once."""
        yield from ()
        return self

    @property
    def transport(self) -> Self:
        """What a connection is made of, which may be cut off by force."""
        return self

    def abort(self) -> None:
        """Cut off, without a word to the other end."""
        self.cut()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()

    async def send(self, text: str) -> None:
        """Send to the server."""
        if self.is_broken:
            raise ConnectionClosedError(None, None)
        self._to_server.append((self._arrives(0), text))
        self._moved.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        if self._taken >= 0:
            self._on_taken(self._taken)
            self._taken = -1
        while True:
            if self.is_broken:
                raise ConnectionClosedError(None, None)
            if self._to_client and not self.is_stalled:
                at, text, mark = self._to_client[0]
                wait = at - asyncio.get_running_loop().time()
                if wait <= 0:
                    self._to_client.pop(0)
                    self._moved.set()
                    if not text:
                        self.cut()
                        raise StopAsyncIteration
                    self._taken = mark
                    return text
                await asyncio.sleep(wait)
            else:
                await self._wait()
