"""How late a machine is: what a test may add to a bound in seconds where others keep the processors busy."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Self

NAP = 0.01


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
