"""The watchdog: a thread that ends the process at a set time, unless it is disarmed before.

It does not depend on the event loop, which may be the reason why something does not end.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, Timer

OnDue = Callable[[str], None]
"""Called in the thread of the watchdog with what was not done in time."""


class Watchdog:
    """Something that must be done by a time; one at a time, and the earliest time counts."""

    def __init__(self, on_due: OnDue) -> None:
        self._on_due, self._lock = on_due, Lock()
        self._timer: Timer | None = None

    def arm(self, seconds: float, what: str) -> None:
        """Expect something to be done within a number of seconds; without effect while something else is expected."""
        with self._lock:
            if self._timer is None:
                self._timer = Timer(seconds, self._on_due, (what,))
                self._timer.daemon = True
                self._timer.start()

    def disarm(self) -> None:
        """It was done."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
