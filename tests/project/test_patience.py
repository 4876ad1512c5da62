"""Waits of tests: they say what they waited for, and end sooner where the machine does nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from baccarat.serve.ops import log
from patience import LEAST_QUIET, Patience, WaitTimeoutError, finish, machine_time
from served import run_for, soon


class Machine:
    """A clock that a test moves, and a machine that works as much as the test says."""

    def __init__(self, share: float) -> None:
        self.now, self.work, self.share = 1000.0, 0.0, share

    def pass_seconds(self, seconds: int) -> Iterator[int]:
        """Second by second."""
        for number in range(1, seconds + 1):
            self.now += 1
            self.work += self.share
            yield number

    def clock(self) -> float:
        """The time."""
        return self.now

    def used(self) -> float | None:
        """How long the processors have worked."""
        return self.work if self.share >= 0 else None


@pytest.mark.parametrize(
    ("share", "seconds", "over"),
    [(0.1, 300, 100), (0.6, 300, 300), (16.0, 300, 300), (-1.0, 300, 300), (0.1, 120, LEAST_QUIET), (0.1, 20, 20)],
)
def test_a_wait_ends_sooner_where_the_machine_does_nothing(share: float, seconds: float, over: float) -> None:
    machine = Machine(share)
    patience = Patience(seconds, clock=machine.clock, machine=machine.used)
    ended = next(number for number in machine.pass_seconds(400) if patience.is_over())
    assert ended == over
    assert patience.waited == over


def test_seconds_of_work_do_not_count_as_rest() -> None:
    machine = Machine(2.0)
    patience = Patience(300, clock=machine.clock, machine=machine.used)
    assert not [number for number in machine.pass_seconds(150) if patience.is_over()]
    machine.share = 0.0
    ended = next(number for number in machine.pass_seconds(400) if patience.is_over())
    assert ended == 100


def test_the_machine_says_how_long_it_has_worked() -> None:
    before = machine_time()
    if before is None:  # a machine without /proc: every wait is as long as it may be
        assert not Patience(300).is_over()
        return
    after = machine_time()
    assert after is not None
    assert after >= before > 0


class NoTime(Patience):
    """Patience that is used up."""

    def is_over(self) -> bool:
        """At once."""
        return True


def test_a_test_that_does_not_end_says_at_which_lines_it_and_its_tasks_wait() -> None:
    left = list[str]()

    async def helper() -> None:
        await asyncio.Event().wait()

    async def inner() -> None:
        try:
            await asyncio.gather(helper(), asyncio.sleep(3600))
        finally:
            left.append("inner")

    async def work() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(helper(), name="a helper")
            await inner()

    with pytest.raises(WaitTimeoutError) as caught:
        asyncio.run(finish(work(), NoTime(300)))
    said = str(caught.value)
    assert "after 0 s" in said
    lines = said.splitlines()
    place = lines.index("the test waits at")
    assert lines[place + 1].startswith("  tests/project/test_patience.py:")
    assert lines[place + 1].endswith("await inner()")
    assert lines[place + 2].endswith("await asyncio.gather(helper(), asyncio.sleep(3600))")
    assert any(line.startswith("a helper waits at ") and "locks.py" in line for line in lines), said
    assert left == ["inner"], "and it is ended as it would have been"


def test_what_a_test_raises_comes_out_as_it_is() -> None:
    async def work() -> None:
        await asyncio.sleep(0)
        raise ValueError("its own")

    with pytest.raises(ValueError, match="its own"):
        run_for(work())


def test_a_wait_without_a_reason_says_the_line_that_waits() -> None:
    async def work() -> None:
        await soon(lambda: log is None, within=0.0)

    async def reasoned() -> None:
        await soon(lambda: False, "the seal is missing", within=0.0)

    with pytest.raises(WaitTimeoutError, match=r"test_patience\.py:\d+ await soon\(lambda: log is None, within=0\.0\)"):
        run_for(work())
    with pytest.raises(WaitTimeoutError, match=r"the seal is missing \(after 0 s\)"):
        run_for(reasoned())
