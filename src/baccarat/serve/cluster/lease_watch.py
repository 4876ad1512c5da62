"""The watch over a lease: a thread that acts when the lease has lapsed, whatever the event loop does.

The event loop checks the lease before every answer, but it may be waiting itself, and then nobody is answered at all.
"""

from __future__ import annotations

from threading import Event, Thread

from baccarat.serve.cluster.lease import Lease
from baccarat.serve.live import LeaseListener
from baccarat.serve.store.connection_group import ConnectionGroup

MOST_WAIT = 0.25
"""The most seconds between two looks: the clock of a lease runs while the machine sleeps, that of a wait does not."""


class LeaseWatch:
    """Cuts the connections of a node to the database when its lease has lapsed, so that nothing waits for it."""

    def __init__(self, lease: Lease, group: ConnectionGroup, listener: LeaseListener) -> None:
        self._lease, self._group, self._listener = lease, group, listener
        self._is_over = Event()
        self._thread = Thread(target=self._run, name="lease watch", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def _run(self) -> None:
        while left := self._lease.seconds_left:
            self._listener.on_held(left)
            if self._is_over.wait(min(left, MOST_WAIT)):
                return
        if not self._is_over.is_set():
            self._group.cut()
            self._listener.on_lapsed(self._lease.lapse("it was not renewed in time"))

    def stop(self) -> None:
        """End the watch; it does nothing any more when this returns."""
        self._is_over.set()
        self._thread.join()
        self._listener.on_released()
