"""The watchdog: it ends the process when something was not done by its time, whatever the process is doing then.

A thread does it, which logs why and does not depend on the event loop. Behind it is a process of its own
(`watchdog_process.py`) for when no thread can run, which ends this one a second later.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer
from types import TracebackType
from typing import NamedTuple, Self

from baccarat.serve.ops import watchdog_process

OnDue = Callable[[str], None]
"""Called in the thread of the watchdog with what was not done in time."""
GRACE_SECONDS = 1.0
"""How much later than the thread the process behind it acts."""
PAUSE_SECONDS = 10.0
"""How long after one process behind it was lost another may be started."""


class Expectation(NamedTuple):
    """Something that must be done by a time of the steady clock."""

    due: float
    what: str
    timer: Timer | None
    """None if only the process behind the watchdog is to act."""


class Watchdog:
    """What must be done by a time: several things, each under a key, and for each key the earliest time counts."""

    def __init__(self, on_due: OnDue, *, behind: WatchdogProcess | None = None) -> None:
        """`behind` acts when `on_due` cannot be called."""
        self._on_due, self._behind, self._lock = on_due, behind, Lock()
        self._expected: dict[Hashable, Expectation] = {}

    def is_armed(self) -> bool:
        """Whether the thread is to end the process, unless something is done in time."""
        return any(each.timer is not None for each in self._expected.values())

    def arm(self, key: Hashable, seconds: float, what: str) -> None:
        """Expect something to be done within some seconds, unless the same is expected sooner."""
        due = time.monotonic() + seconds
        with self._lock:
            before = self._expected.get(key)
            if before is not None and before.timer is not None:
                if before.due <= due:
                    return
                before.timer.cancel()
            timer = Timer(seconds, self._on_due, (what,))
            timer.daemon = True
            self._expected[key] = Expectation(due, what, timer)  # a caller that was frozen is not late: it runs now
            self._pass_on()
            with suppress(RuntimeError):  # no thread can be started any more: the process behind acts
                timer.start()

    def expect_again(self, key: Hashable, seconds: float, what: str) -> None:
        """Require another call within some seconds, or a disarm: otherwise no thread runs any more.

        Once something is armed under the same key, that counts.
        """
        due = time.monotonic() + seconds
        with self._lock:
            before = self._expected.get(key)
            if before is None or before.timer is None:
                self._expected[key] = Expectation(due, what, None)
                self._pass_on()

    def expect_no_more(self, key: Hashable) -> None:
        """Require no further call, without that being a fault; what is armed under the same key stays."""
        with self._lock:
            before = self._expected.get(key)
            if before is not None and before.timer is None:
                del self._expected[key]
                self._pass_on()

    def disarm(self, key: Hashable) -> None:
        """It was done."""
        with self._lock:
            before = self._expected.pop(key, None)
            if before is None:
                return
            if before.timer is not None:
                before.timer.cancel()
            self._pass_on()

    def close(self) -> None:
        """Expect nothing more."""
        with self._lock:
            for each in self._expected.values():
                if each.timer is not None:
                    each.timer.cancel()
            self._expected.clear()
            if self._behind is not None:
                self._behind.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _pass_on(self) -> None:
        if self._behind is None:
            return
        first = min(self._expected.values(), key=lambda each: each.due, default=None)
        if first is None:
            self._behind.send(None, "")
        else:
            self._behind.send(max(0.0, first.due + GRACE_SECONDS - time.monotonic()), first.what)


class WatchdogProcess:
    """The process behind a watchdog; restarted if it is lost. Its owner lets one thread at a time use it."""

    def __init__(self, *, is_json: bool, on_lost: Callable[[], None] = lambda: None) -> None:
        """`is_json` says how its line of the log is written; `on_lost` is called when it was lost."""
        self._is_json, self._on_lost = is_json, on_lost
        self._started_at = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._start()

    def pid(self) -> int | None:
        """Its number; None while there is none."""
        return None if self._process is None else self._process.pid

    def _start(self) -> None:
        self._started_at = time.monotonic()
        log = "json" if self._is_json else "text"
        command = [sys.executable, "-I", "-S", str(Path(watchdog_process.__file__)), log]
        with suppress(OSError):  # no more processes or files: then there is the thread alone
            self._process = subprocess.Popen(  # noqa: S603  this program itself; no signal of the terminal reaches it
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True
            )
            assert self._process.stdin is not None, "it is a pipe"
            if hasattr(os, "set_blocking"):  # it may be stopped, and nobody here waits for it
                os.set_blocking(self._process.stdin.fileno(), False)

    def send(self, seconds: float | None, what: str) -> None:
        """Let it end this process in some seconds; None for never."""
        line = json.dumps({"seconds": seconds, "what": what}).encode() + b"\n"
        if self._write(line):
            return
        if self._process is not None:
            self._end()
            self._on_lost()
        if time.monotonic() - self._started_at >= PAUSE_SECONDS:
            self._start()
            self._write(line)

    def _write(self, line: bytes) -> bool:
        """Whether a line was sent: as a whole, since it is short."""
        if self._process is None or self._process.stdin is None:
            return False
        try:
            os.write(self._process.stdin.fileno(), line)
        except OSError:  # it has ended, or does not read
            return False
        return True

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            process.kill()
            process.stdin.close()
            process.wait()

    def close(self) -> None:
        """End it."""
        self._end()


def exit_by_signal(status: int) -> None:
    """Let the process behind the watchdog end this one with an exit status, without Python and without a core file.

    The system itself calls `_exit` with the number of the signal, so that it must be the status. Where this is not
    possible, the signal ends the process as it usually does.
    """
    number = int(watchdog_process.END_SIGNAL)
    if number != status:
        return
    with suppress(ImportError, MemoryError, OSError, AttributeError, TypeError):
        import ctypes  # noqa: PLC0415  a system that allows no writable code may refuse it

        system = ctypes.CDLL(None)
        system.signal.restype, system.signal.argtypes = ctypes.c_void_p, (ctypes.c_int, ctypes.c_void_p)
        system.signal(signal.Signals(number), ctypes.cast(system._exit, ctypes.c_void_p))
