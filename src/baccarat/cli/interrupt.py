"""Ctrl-C or SIGTERM during a long run: it stops the work once, and no finished work is lost."""

from __future__ import annotations

import os
import signal
from time import monotonic
from types import FrameType
from typing import Any

from baccarat.cli.status import STOPPED

STOP_SECONDS = 5.0
"""Seconds that the program may take to shut down after a stop."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """Signal handling: the first signal stops the work; later ones do nothing until all is stored and shown.

    There may still be threads or a cluster to wait for. If that takes too long, a signal counts again: the program
    then exits immediately, with the status of a stopped run.
    """

    def __init__(self) -> None:
        self.has_come = False
        self._is_heard = True
        self._ended_at: float | None = None
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interrupts:
        for each in SIGNALS:
            self._before[each] = signal.signal(each, self._on_signal)
        return self

    def __exit__(self, *_error: object) -> None:
        for each, handler in self._before.items():
            # after a stop signals are ignored, so that the program's own end is not cut off with a traceback
            signal.signal(each, signal.SIG_IGN if self.has_come else handler)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if self._ended_at is not None and monotonic() - self._ended_at > STOP_SECONDS:
            os._exit(STOPPED)
        if self._is_heard:
            self.has_come, self._is_heard = True, False
            raise KeyboardInterrupt

    def check(self) -> None:
        """Stop if a signal has arrived: Python drops an exception that is raised during garbage collection."""
        if self.has_come:
            raise KeyboardInterrupt

    def ignore(self) -> None:
        """Ignore signals from now on: the work is done, and its results are stored and shown regardless."""
        self._is_heard = False

    def end(self) -> None:
        """All results are stored and shown."""
        if self.has_come:
            self._ended_at = monotonic()
