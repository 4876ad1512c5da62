"""Faults of the tasks that live as long as the house, put in by chance of a seed, and a house in which each has work.

The witness is in this process and answers in virtual time, and so does the verification of history; every table of a
store that is opened again is checked in the background.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import random
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from baccarat.record.key import KeyKind, Signer
from baccarat.record.witness import Witness, WitnessAnswer
from baccarat.record.witness_folder import FolderMemory
from baccarat.serve.job import content_check as content_job
from baccarat.serve.job import cosigning, upkeep, verification
from baccarat.serve.job.verification_process import Report, StoreUnreadable, VerificationOrder, read_reports, verify
from baccarat.serve.ops.owned_tasks import OwnedTasks, OwnerClosed
from baccarat.serve.ops.supervisor import Start, SupervisedTask, Supervisor
from baccarat.serve.store import content_check
from baccarat.serve.store.base import StoreError, StoreUnavailable
from declared_tasks import kind_of

T = TypeVar("T")
HOUSE = Signer("example.org/house", KeyKind.LOG, bytes(range(32)))
WITNESS = Signer("example.org/surveillance", KeyKind.WITNESS, bytes(range(1, 33)))
NOW = 1_800_000_000
CANCELLED = 0.3
"""How many of the faults of tasks are cancellations."""


class InjectedFault(Exception):  # noqa: N818
    """A fault of a task that was put in."""


class TaskFaults:
    """Makes tasks fail, and notes which of them were started, failed, and were started again after that."""

    def __init__(self, seed: int, rate: float, is_disturbed: Callable[[], bool], *, most: int | None = None) -> None:
        """`rate` is how often each task fails, a second; `most` how often at most, of each supervisor."""
        self._most, self._fallen = most, list[tuple[Supervisor, str]]()
        self._chance = random.Random(f"{seed} task faults")
        self._rate, self._is_disturbed = rate, is_disturbed
        self._down: list[tuple[Supervisor, str]] = []
        self.started, self.failed, self.restarted = Counter[str](), Counter[str](), Counter[str]()
        """How often, by the name of the task; those of the last are kinds."""
        self.failed_short = Counter[str]()
        """The same of short tasks, which are not started again."""

    def failing(self, run_once: Callable[..., Any]) -> Callable[..., Any]:
        """What the supervisor calls to run a task: sometimes the task fails, at whatever it waits for just then."""

        async def run(supervisor: Supervisor, job: SupervisedTask, start: Start, **more: Any) -> Exception | None:
            name = job.name
            self._note_start(supervisor, name)
            # One that has not failed yet does so where it waits first: some are done soon after that.
            is_first = kind_of(name) not in map(kind_of, self.failed)
            wait = 0.0 if is_first else self._chance.expovariate(self._rate)

            async def fail_at_times() -> None:
                work = asyncio.ensure_future(start())
                work.add_done_callback(lambda done: done.cancelled() or done.exception())
                try:
                    await asyncio.wait({work}, timeout=wait)
                    if work.done() or not self._may_fail(supervisor, name):
                        await work
                        return
                finally:
                    await _end(work)
                if not work.cancelled():
                    await work  # it has just ended by itself
                    return
                self.failed[name] += 1
                self._down.append((supervisor, name))
                self._fallen.append((supervisor, name))
                if self._chance.random() < CANCELLED:
                    await work  # the task has waited for something that somebody else has cancelled
                raise InjectedFault(name)

            found: Exception | None = await run_once(supervisor, job, fail_at_times, **more)
            return found

        return run

    def failing_short(self, start: Callable[..., asyncio.Task[Any]]) -> Callable[..., asyncio.Task[Any]]:
        """What the owner of short tasks calls to start one: sometimes it fails, and whoever waits for it is told."""

        def begin(owner: OwnedTasks, work: Coroutine[Any, Any, Any], *, name: str) -> asyncio.Task[Any]:
            wait = self._chance.expovariate(self._rate) if name in self.failed_short else 0.0

            async def fail_at_times() -> Any:
                inner = asyncio.ensure_future(work)
                inner.add_done_callback(lambda done: done.cancelled() or done.exception())
                try:
                    await asyncio.wait({inner}, timeout=wait)
                    if inner.done() or not self._is_disturbed():
                        return await inner
                finally:
                    await _end(inner)
                if not inner.cancelled():
                    return await inner  # it has just ended by itself
                self.failed_short[name] += 1
                raise InjectedFault(name)

            try:
                return start(owner, fail_at_times(), name=name)
            except OwnerClosed:
                work.close()
                raise

        return begin

    def _may_fail(self, supervisor: Supervisor, name: str) -> bool:
        is_left = self._most is None or self._fallen.count((supervisor, name)) < self._most
        return is_left and self._is_disturbed()

    def _note_start(self, supervisor: Supervisor, name: str) -> None:
        self.started[name] += 1
        if (supervisor, name) in self._down:
            self._down.remove((supervisor, name))
            self.restarted[kind_of(name)] += 1


async def _end(work: asyncio.Future[None]) -> None:
    """End a task, even if whoever waits here is cancelled again meanwhile."""
    while not work.done():
        work.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait({work}, timeout=0.1)


# ------------------------------------------------------------------------------------- each of them has work


def settings_of_every_task(folder: Path) -> dict[str, Any]:
    """The settings of a house that signs, has a witness, and verifies its history."""
    key, witness = folder / "sign.key", folder / "witness.pub"
    key.write_text(HOUSE.secret)
    key.chmod(0o600)
    witness.write_text(f"{WITNESS.verifier} http://witness.test\n")
    return {"sign_key": str(key), "witness_keys": str(witness), "verify_share": 1.0}


def give_every_task_work(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let tasks that look seldom look often; none of them has a thread, a process or a network of its own."""
    (folder / "memory").mkdir(exist_ok=True)
    witness = Witness(WITNESS, {}, FolderMemory(folder / "memory", WITNESS.verifier), houses=[HOUSE.verifier])

    def ask(_address: str, request: bytes) -> WitnessAnswer:
        return witness.answer(request, now=NOW)

    patch.setattr(cosigning, "ask_over_http", ask)
    patch.setattr(cosigning, "in_own_thread", _in_virtual_thread)
    patch.setattr(upkeep.run_upkeep, "__kwdefaults__", {"every": 1.0})
    patch.setattr(cosigning.run_cosigning, "__kwdefaults__", {"every": 1.0})
    patch.setattr(verification, "run_process", _run_in_virtual_thread)
    patch.setattr(verification, "FIRST_SECONDS", 0.5)
    patch.setattr(verification.run_verification, "__kwdefaults__", {"every": 3.0})
    patch.setattr(content_check, "BEFORE_OPENING", 0)
    patch.setattr(content_job, "REST_SECONDS", 0.0)


async def _in_virtual_thread(ask: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(None, ask)


async def _run_in_virtual_thread(order: VerificationOrder) -> AsyncGenerator[Report, None]:
    answers = io.BytesIO()
    try:
        await _in_virtual_thread(lambda: verify(order, answers))
    except (StoreError, StoreUnavailable) as error:
        yield StoreUnreadable(str(error))
    answers.seek(0)
    for report in read_reports(answers):
        yield report
