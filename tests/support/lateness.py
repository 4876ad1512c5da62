"""How late a machine is, and how long a process sleeps: what a test bounds where others keep the processors busy."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

NAP = 0.01


def busy_seconds(process: int) -> float:
    """For how long the main thread of a process has run or waited for a processor; 0 if the system does not say."""
    try:
        ran, waited, _ = Path(f"/proc/{process}/task/{process}/schedstat").read_text(encoding="ascii").split()
    except OSError:
        return 0.0
    return (int(ran) + int(waited)) / 1e9


class Stopwatch:
    """Seconds since it was made: all of them, or those in which a process had nothing to do.

    Who waits for a limit that is too long does nothing meanwhile; who takes long because others keep the processors
    busy would go on.
    """

    def __init__(self, asleep: int | None = None) -> None:
        """`asleep` is the process whose main thread must have had nothing to do."""
        self._asleep, self._begun = asleep, 0.0
        self._begun = self.seconds()

    def seconds(self) -> float:
        """So many until now."""
        busy = 0.0 if self._asleep is None else busy_seconds(self._asleep)
        return time.monotonic() - busy - self._begun


class Lateness:
    """Sleeps again and again for a hundredth of a second while a block runs, and notes how late it woke at worst."""

    def __init__(self) -> None:
        self.worst = 0.0
        """By how many seconds: a thousandth on a machine that has nothing else to do."""
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while not self._is_over.is_set():
            begun = time.monotonic()
            time.sleep(NAP)
            self.worst = max(self.worst, time.monotonic() - begun - NAP)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._thread.join()
