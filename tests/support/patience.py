"""How long a test waits: long on a busy machine, shorter on one that does nothing, and it says what it waited for."""

from __future__ import annotations

import asyncio
import linecache
import os
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
MOST_TASKS = 20
LEAST_QUIET = 45.0
"""For how many seconds of a machine that does nothing a test waits at least: leases end after 20 or 30."""


def machine_time() -> float | None:
    """For how many seconds the machine's processors have worked, or waited for disks; none where it does not say."""
    try:
        with Path("/proc/stat").open(encoding="ascii") as file:
            user, nice, system, _idle, waits, *others = (int(each) for each in file.readline().split()[1:9])
    except (OSError, ValueError):
        return None
    return (user + nice + system + waits + sum(others)) / os.sysconf("SC_CLK_TCK")


class Patience:
    """What is left of a wait: `seconds` in all, and at most a third of them, or `LEAST_QUIET`, while the machine rests.

    Where less than half a processor is at work on the whole machine, nothing that a test waits for is late because the
    machine is busy.
    """

    def __init__(
        self,
        seconds: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        machine: Callable[[], float | None] = machine_time,
    ) -> None:
        self.clock, self.machine = clock, machine
        self.seconds, self.quiet, self.quiet_for = seconds, max(seconds / 3, LEAST_QUIET), 0.0
        self.began = self.looked = clock()
        self.known = machine()

    @property
    def waited(self) -> float:
        """For how many seconds."""
        return self.clock() - self.began

    def is_over(self) -> bool:
        """Whether to wait no longer; asked again and again."""
        now = self.clock()
        if now - self.looked >= 1:
            self._look(now)
        return now - self.began >= self.seconds or self.quiet_for >= self.quiet

    def _look(self, now: float) -> None:
        before, self.known = self.known, self.machine()
        elapsed, self.looked = now - self.looked, now
        if before is None or self.known is None:
            return
        if self.known - before < elapsed / 2:
            self.quiet_for += elapsed


class WaitTimeoutError(AssertionError):
    """A wait that did not end, with what was waited for."""


async def finish(work: Coroutine[Any, Any, None], patience: Patience) -> None:
    """Run a test's work; where it does not end, fail with the lines at which it and every other task wait."""
    others = asyncio.all_tasks()
    task = asyncio.create_task(work, name="the test")
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=0.25)
            if not task.done() and patience.is_over():
                raise WaitTimeoutError(f"after {patience.waited:.0f} s\n{waiting(task, others)}")
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=10)
    task.result()


def waiting(task: asyncio.Task[Any], others: set[asyncio.Task[Any]]) -> str:
    """At which lines a test waits, and at which each task that it started."""
    started = sorted(asyncio.all_tasks() - others - {task}, key=asyncio.Task.get_name)
    lines = ["the test waits at", *(f"  {line}" for line in _way(task, tests_only=True))]
    lines += [f"{each.get_name()} waits at {next(_way(each, tests_only=False), '?')}" for each in started[:MOST_TASKS]]
    if len(started) > MOST_TASKS:
        lines.append(f"and {len(started) - MOST_TASKS} more tasks")
    return "\n".join(lines)


def _way(task: asyncio.Task[Any], *, tests_only: bool) -> Iterator[str]:
    """The lines at which a task and what it awaits stand: a test's own from the outermost, otherwise the innermost."""
    found = [*_frames(task.get_coro())]
    own = [each for each in found if Path(each[0].co_filename).is_relative_to(TESTS)]
    chosen = own if tests_only and own else found[-1:]
    return (line_of(code, number) for code, number in chosen)


def _frames(awaited: Any) -> Iterator[tuple[CodeType, int]]:
    """The frames of a coroutine, or of anything else that can be awaited, and of what that awaits, outermost first."""
    while awaited is not None:
        frame = next((getattr(awaited, name, None) for name in ("cr_frame", "gi_frame", "ag_frame")
                      if getattr(awaited, name, None) is not None), None)  # fmt: skip
        if frame is not None:
            yield frame.f_code, frame.f_lineno
        awaited = next((getattr(awaited, name) for name in ("cr_await", "gi_yieldfrom", "ag_await")
                        if hasattr(awaited, name)), None)  # fmt: skip


def line_of(code: CodeType, number: int) -> str:
    """A line of code and where it stands."""
    path = Path(code.co_filename)
    shown = path.relative_to(TESTS.parent) if path.is_relative_to(TESTS.parent) else path
    return f"{shown}:{number} {linecache.getline(code.co_filename, number).strip()}"


def caller_line(frame: FrameType | None) -> str:
    """The line of code that called."""
    return line_of(frame.f_code, frame.f_lineno) if frame is not None else "it does not come about"
