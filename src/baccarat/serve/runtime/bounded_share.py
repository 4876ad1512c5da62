"""A bounded share of a processor: work that is done in short pieces, with rests in between, or at low priority."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

PIECE_SECONDS = 0.005
"""How long work continues before it pauses; a commit that needs the processor meanwhile waits no longer than that."""
CLOCK_EVERY = 8
"""After how many steps the clock is read."""


class BoundedShare:
    """Lets the work of this process use no more than a share of one processor, on average."""

    def __init__(
        self,
        share: float,
        *,
        used: Callable[[], float] = time.process_time,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """`share` is above 0 and at most 1; `used` returns the processor time used so far, in seconds."""
        assert 0 < share <= 1, "a share is above 0 and at most 1"
        self._share, self._used, self._sleep = share, used, sleep
        self._since, self._steps = used(), 0

    def step(self) -> None:
        """Call after each small step of the work; rests when it is time to."""
        self._steps += 1
        if self._steps % CLOCK_EVERY:
            return
        worked = self._used() - self._since
        if worked >= PIECE_SECONDS:
            if self._share < 1:
                self._sleep(worked * (1 - self._share) / self._share)
            self._since = self._used()


def lower_priority() -> None:
    """Give every other process priority, as far as the system allows."""
    with suppress(AttributeError, OSError):
        os.nice(19)
    with suppress(AttributeError, OSError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


LATER = 10
"""The niceness of work that a person waits for, but a table does not."""


@contextmanager
def patient() -> Iterator[None]:
    """Let a house on this machine go first, where threads have priorities of their own; afterwards as before."""
    thread = threading.get_native_id()
    if not sys.platform.startswith("linux"):  # elsewhere the whole process would be lowered
        yield
        return
    before = os.getpriority(os.PRIO_PROCESS, thread)
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, thread, max(before, LATER))
    try:
        yield
    finally:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, thread, before)
