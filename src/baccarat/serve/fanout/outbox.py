"""A client's outbox: messages wait here for one socket, and a client that does not read is disconnected.

Each socket has a bounded queue of its own. Kernel buffers hide a reader that has stalled while patches are small; the
protocol's own pings find one that is gone. A client that was disconnected may come back at any time and resume from the
last frame that it has.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from baccarat.serve.fanout.message import Bye, message
from baccarat.serve.ops.metrics import ServerCounters

MOST_WAITING = 256
"""How many messages may wait for one socket."""

Send = Callable[[str], Awaitable[None]]


class Outbox:
    """The messages that wait for one socket, in order."""

    def __init__(self, most: int = MOST_WAITING, counts: ServerCounters | None = None) -> None:
        self._waiting: deque[str] = deque()
        self._most = most
        self._more = asyncio.Event()
        self._ended = False
        self.is_too_slow = False
        self._counts = counts or ServerCounters()
        self.seen = 0
        """The last frame that the client says it has."""
        self._call_on_end: Callable[[], object] = lambda: None

    @property
    def is_ended(self) -> bool:
        """Whether nothing more is sent."""
        return self._ended

    def put(self, text: str) -> None:
        """Send a text when its turn comes; if too many wait already, the connection ends."""
        if self._ended:
            return
        if len(self._waiting) >= self._most:
            self.is_too_slow = True
            self._waiting.clear()  # a client that comes back gets what is missing
            self.end(Bye(why="too_slow", say="You did not read what was sent; join again to continue."))
            return
        self._waiting.append(text)
        self._more.set()

    def end(self, last: Bye | None = None) -> None:
        """End the connection after this message."""
        if self._ended:
            return
        if last is not None:
            self._waiting.append(message(last))
        self._ended = True
        self._more.set()
        self._call_on_end()

    def on_end(self, call: Callable[[], object]) -> None:
        """Call something when the connection ends, whether or not the client reads what is left."""
        self._call_on_end = call

    def drain(self) -> list[str]:
        """Take what waits, which `run` then does not send."""
        found = list(self._waiting)
        self._waiting.clear()
        return found

    async def run(self, send: Send) -> None:
        """Send what waits, until the connection ends."""
        while True:
            while self._waiting:
                await send(self._waiting.popleft())
                self._counts.frames += 1
            if self._ended:
                return
            self._more.clear()
            await self._more.wait()
