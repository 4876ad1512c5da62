"""The process behind the watchdog: it ends the server even if no thread of the server can run any more.

A call into C that holds the interpreter's lock, and never returns, stops every thread of Python, the watchdog's own
among them. So another process counts the time. It is run as a program of its own and needs nothing but the standard
library: a line on its input sets the time within which it must be sent another, and the end of the input ends it.

Time in which the server was stopped, as by SIGSTOP, or in which this process was not run either, as when a container
is frozen, does not count: the server could not have done anything in it.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from math import inf
from pathlib import Path

LOOK_SECONDS = 0.25
"""How often the time is looked at."""
FROZEN_SECONDS = 1.0
"""A look that is late by more than this was delayed by something that has probably delayed the server too."""
LOG_SECONDS, END_SECONDS = 1.0, 1.0
"""How long to wait for a log that may be stuck, and for the server to end by the first signal."""
END_SIGNAL = getattr(signal, "SIGQUIT", signal.SIGTERM)
"""Ends the server with the status 3 (`exit_by_signal`); where that could not be set up, it ends it all the same."""
SAY = "{}, and nothing in the process can run: it is ended from outside"


class Countdown:
    """The time within which the server must send a line."""

    def __init__(self, now: float) -> None:
        self._seen, self._due = now, inf
        self.what = ""
        """What was not done when the time is over."""

    def set(self, seconds: float | None, what: str) -> None:
        """Restart the count from the last look; None stops counting."""
        self._due, self.what = inf if seconds is None else self._seen + seconds, what

    def look(self, now: float, *, is_stopped: bool) -> None:
        """Count the time since the last look, unless the server `is_stopped`."""
        passed, self._seen = now - self._seen, now
        if is_stopped or passed > LOOK_SECONDS + FROZEN_SECONDS:
            self._due += passed

    def is_over(self) -> bool:
        """Whether the time was over at the last look."""
        return self._seen >= self._due


def is_stopped(process: int) -> bool:
    """Whether a process is stopped by a signal or a debugger; False where the system does not say."""
    with suppress(OSError, IndexError):
        return Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[0] in "Tt"
    return False


def hung_line(what: str, *, is_json: bool) -> str:
    """The line of the log, as the server would write it."""
    say = SAY.format(what)
    if not is_json:
        return f"{say}\n"
    now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    return f"{json.dumps({'say': say, 'level': 'error', 'time': now, 'event': 'hung'})}\n"


def _read(lines: queue.SimpleQueue[str]) -> None:
    for line in sys.stdin:
        lines.put(line)
    lines.put("")


def _has_ended(lines: queue.SimpleQueue[str], seconds: float) -> bool:
    """Whether the server ends within some seconds: then its lines end."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        with suppress(queue.Empty):
            if not lines.get(timeout=left):
                return True
    return False


def _aside(work: Callable[[], object], seconds: float) -> None:
    """Do something that may get stuck, and wait some seconds for it."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)


def main() -> None:
    """Watch the process that has started this one."""
    server, is_json = os.getppid(), sys.argv[1] == "json"
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # it ends with the server, which still has to close
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(lines,), daemon=True).start()
    countdown = Countdown(time.monotonic())
    while not countdown.is_over():
        line = None
        with suppress(queue.Empty):
            line = lines.get(timeout=LOOK_SECONDS)
        if line == "":
            return
        countdown.look(time.monotonic(), is_stopped=is_stopped(server))
        if line is not None:
            order = json.loads(line)
            countdown.set(order["seconds"], order["what"])

    def write() -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(hung_line(countdown.what, is_json=is_json))
            sys.stderr.flush()

    _aside(write, LOG_SECONDS)
    for number in (END_SIGNAL, getattr(signal, "SIGKILL", signal.SIGTERM)):
        if os.getppid() == server:
            os.kill(server, number)
        if _has_ended(lines, END_SECONDS):
            return


if __name__ == "__main__":
    main()
