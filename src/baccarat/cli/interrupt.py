"""Ctrl-C, or a polite end from outside, while something long runs: heard once, and nothing that is done is lost."""

from __future__ import annotations

import os
import signal
from time import monotonic
from types import FrameType
from typing import Any

from baccarat.cli.status import STOPPED

STOP_SECONDS = 5.0
"""Seconds that the program may take to let everything go after a stop."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """What is done with signals: the first stops the work; those after it change nothing until all is kept and shown.

    There may still be threads or a cluster to wait for. Whoever has waited too long is heard again: the program
    then ends at once, with the status of one that was stopped.
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
            # after a stop nobody is heard any more: the program's own end is not to be cut off with a trace
            signal.signal(each, signal.SIG_IGN if self.has_come else handler)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if self._ended_at is not None and monotonic() - self._ended_at > STOP_SECONDS:
            os._exit(STOPPED)
        if self._is_heard:
            self.has_come, self._is_heard = True, False
            raise KeyboardInterrupt

    def check(self) -> None:
        """Stop where a signal has come: Python drops what is raised while it clears something away."""
        if self.has_come:
            raise KeyboardInterrupt

    def ignore(self) -> None:
        """The work is done: what was found is kept and shown, whatever comes."""
        self._is_heard = False

    def end(self) -> None:
        """All is kept and shown."""
        if self.has_come:
            self._ended_at = monotonic()
