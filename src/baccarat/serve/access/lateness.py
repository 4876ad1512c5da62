"""Lateness: how far the server is behind with its work, and a clock that stands still meanwhile.

In a rush every turn of the event loop takes seconds, and a client that was in time is read late. So what a client has a
limited time for is measured by this clock: the server's own delay is never the client's.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from baccarat.serve.access.base import ONE_SECOND
from baccarat.serve.access.denial import Denial, Denied, make_denial

BEAT_SECONDS = 0.25
"""How often the loop is asked whether it keeps up."""
BEAT, SLACK = ONE_SECOND // 4, ONE_SECOND // 2
"""The same in microseconds, and how late a beat may be before the loop is behind."""
LATELY = 120 * ONE_SECOND
"""How long past delays are remembered."""
TOO_LATE = 3 * ONE_SECOND
"""How far the server may be behind when somebody asks for a ticket."""
LONGEST_WAIT = 10
"""The longest time, in seconds, after which a client is asked to retry."""


class Lateness:
    """How far one event loop is behind."""

    def __init__(self, steady: Callable[[], int]) -> None:
        """`steady` are microseconds that no change of the time of day touches."""
        self._steady = steady
        self._beat_at: int | None = None
        """When the loop kept up last; None while nobody asks, so that nothing is known to be late."""
        self._delays = deque[tuple[int, int]]()
        """The last delays, each with its end and its length."""
        self._lost = 0
        self._last = 0

    async def run(self) -> None:
        """Watch the loop for as long as the house is open."""
        try:
            while True:
                self.beat()
                await asyncio.sleep(BEAT_SECONDS)
        finally:
            self._beat_at = None

    def beat(self) -> None:
        """Record one turn of the event loop."""
        now = self._steady()
        self._last = self._running_delay(now)
        if self._last:
            self._lost += self._last
            self._delays.append((now, self._last))
        while self._delays and now - self._delays[0][0] > LATELY:
            self._delays.popleft()
        self._beat_at = now

    def kept_up(self) -> int:
        """Microseconds on a clock that stands still while the server is behind."""
        now = self._steady()
        return now - self._lost - self._running_delay(now)

    def lately(self) -> int:
        """For how many microseconds the server was behind lately."""
        now = self._steady()
        return self._running_delay(now) + sum(length for end, length in self._delays if now - end <= LATELY)

    def denial(self) -> Denied | None:
        """Why nobody new is let in now: the server is too far behind; it says when to try again."""
        late = max(self._last, self._running_delay(self._steady()))
        if late < TOO_LATE:
            return None
        return make_denial(Denial.BEHIND, wait_seconds=min(LONGEST_WAIT, 1 + late // ONE_SECOND))

    def _running_delay(self, now: int) -> int:
        """By how much the next beat is too late."""
        return 0 if self._beat_at is None else max(0, now - self._beat_at - BEAT - SLACK)
