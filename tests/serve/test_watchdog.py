"""The watchdog ends a process that does not do something in time, even one in which nothing can run any more."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest

from baccarat.serve.ops import watchdog as module
from baccarat.serve.ops.watchdog import GRACE_SECONDS, Watchdog, WatchdogProcess
from baccarat.serve.ops.watchdog_process import FROZEN_SECONDS, LOOK_SECONDS, Countdown, hung_line, is_stopped


class FakeTimer:
    """A timer that is due when the test says so."""

    made: list[FakeTimer]

    def __init__(self, seconds: float, _call: object, arguments: tuple[str]) -> None:
        self.seconds, self.what, self.is_cancelled, self.is_started = seconds, arguments[0], False, False
        self.made.append(self)

    def start(self) -> None:
        self.is_started = True

    def cancel(self) -> None:
        self.is_cancelled = True


class Behind(WatchdogProcess):
    """Notes what the process behind a watchdog would be told."""

    def __init__(self) -> None:
        self.sent = list[tuple[float | None, str]]()

    def send(self, seconds: float | None, what: str) -> None:
        self.sent.append((None if seconds is None else round(seconds), what))

    def close(self) -> None:
        self.sent.append((None, "closed"))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The steady clock of the watchdog: it stands still unless the test sets its `now`."""
    made = SimpleNamespace(now=1000.0)
    made.monotonic = lambda: made.now
    monkeypatch.setattr(module, "time", made)
    return made


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch, clock: SimpleNamespace) -> list[FakeTimer]:
    """The timers that are made, of which none is ever due."""
    FakeTimer.made = []
    monkeypatch.setattr(module, "Timer", FakeTimer)
    return FakeTimer.made


def going(timers: list[FakeTimer]) -> list[tuple[float, str]]:
    return [(each.seconds, each.what) for each in timers if each.is_started and not each.is_cancelled]


def test_what_was_not_done_in_time_is_reported_from_another_thread() -> None:
    due, said = Event(), list[str]()

    def on_due(what: str) -> None:
        said.append(what)
        due.set()

    watchdog = Watchdog(on_due)
    watchdog.arm("house", 0.0, "it was not closed")
    assert due.wait(60)
    assert said == ["it was not closed"]


def test_the_earliest_time_counts_and_each_thing_is_disarmed_by_itself(timers: list[FakeTimer]) -> None:
    watchdog = Watchdog(lambda _what: None)
    watchdog.arm("house", 50.0, "one")
    watchdog.arm("house", 90.0, "later")
    assert going(timers) == [(50.0, "one")]
    watchdog.arm("house", 20.0, "sooner")
    watchdog.arm("end", 70.0, "another thing")
    assert going(timers) == [(20.0, "sooner"), (70.0, "another thing")]
    watchdog.disarm("house")
    watchdog.disarm("house")
    assert going(timers) == [(70.0, "another thing")]
    assert watchdog.is_armed()
    watchdog.disarm("end")
    assert going(timers) == []
    assert not watchdog.is_armed()
    watchdog.arm("house", 60.0, "again")
    assert going(timers) == [(60.0, "again")], "what was disarmed can be armed again"
    watchdog.close()
    assert going(timers) == []


def test_the_process_behind_it_acts_a_second_later_and_by_the_earliest_time(timers: list[FakeTimer]) -> None:
    behind = Behind()
    with Watchdog(lambda _what: None, behind=behind) as watchdog:
        grace = round(GRACE_SECONDS)
        watchdog.expect_again("house", 100.0, "lease")
        assert not watchdog.is_armed(), "no thread ends the process while others are told"
        watchdog.expect_again("house", 200.0, "lease")
        watchdog.arm("end", 300.0, "end")
        watchdog.arm("house", 500.0, "lapsed")
        watchdog.expect_again("house", 900.0, "lease")
        watchdog.expect_no_more("house")
        watchdog.disarm("house")
        watchdog.disarm("end")
        watchdog.expect_again("house", 400.0, "lease")
        watchdog.expect_no_more("house")
    assert behind.sent == [
        (100 + grace, "lease"),
        (200 + grace, "lease"),
        (200 + grace, "lease"),
        (300 + grace, "end"),  # the other thing is due later by now
        (300 + grace, "end"),
        (None, ""),
        (400 + grace, "lease"),
        (None, ""),
        (None, "closed"),
    ]
    assert going(timers) == []


def test_a_time_that_is_over_is_not_granted_again_with_each_message(timers: list[FakeTimer]) -> None:
    behind = Behind()
    watchdog = Watchdog(lambda _what: None, behind=behind)
    watchdog.arm("house", -100.0, "house")
    watchdog.arm("end", 300.0, "end")
    assert behind.sent == [(0, "house")] * 2


def test_a_process_that_was_frozen_beyond_the_end_of_its_lease_has_all_its_time_to_close(
    timers: list[FakeTimer], clock: SimpleNamespace
) -> None:
    """A process that arms its watchdog runs: only for one in which nothing runs does the earlier time count."""
    behind = Behind()
    watchdog = Watchdog(lambda _what: None, behind=behind)
    watchdog.expect_again("house", 10.0, "lease")
    clock.now += 3600.0
    watchdog.arm("house", 5.0, "lapsed")
    grace = round(GRACE_SECONDS)
    assert behind.sent == [(10 + grace, "lease"), (5 + grace, "lapsed")]
    assert going(timers) == [(5.0, "lapsed")]


def test_where_no_thread_can_be_started_the_process_behind_acts(
    timers: list[FakeTimer], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_timer: FakeTimer) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(FakeTimer, "start", refuse)
    behind = Behind()
    Watchdog(lambda _what: None, behind=behind).arm("house", 50.0, "it was not closed")
    assert behind.sent == [(50 + round(GRACE_SECONDS), "it was not closed")]
    assert going(timers) == []


# ------------------------------------------------------------------------------------- counting in the process


def test_only_time_in_which_the_server_could_run_counts() -> None:
    countdown, now = Countdown(100.0), 100.0
    countdown.look(1e6, is_stopped=False)
    assert not countdown.is_over(), "nothing is expected yet"
    countdown = Countdown(now)
    countdown.set(1.0, "one")
    for _ in range(3):
        now += LOOK_SECONDS
        countdown.look(now, is_stopped=False)
        assert not countdown.is_over()
    for _ in range(40):
        now += LOOK_SECONDS
        countdown.look(now, is_stopped=True)
        assert not countdown.is_over(), "a server that is stopped can do nothing"
    now += 3600.0
    countdown.look(now, is_stopped=False)
    assert not countdown.is_over(), "nor can one that was frozen with this process"
    now += LOOK_SECONDS
    countdown.look(now, is_stopped=False)
    assert countdown.is_over()
    assert countdown.what == "one"
    countdown.set(None, "")
    countdown.look(now + 1.0, is_stopped=False)
    assert not countdown.is_over()


def test_a_look_that_is_a_little_late_counts() -> None:
    countdown = Countdown(0.0)
    countdown.set(1.0, "one")
    countdown.look(LOOK_SECONDS + FROZEN_SECONDS, is_stopped=False)
    assert countdown.is_over()


def test_a_line_of_the_log_is_as_the_server_writes_it() -> None:
    found = json.loads(hung_line("it was not closed", is_json=True))
    assert list(found) == ["say", "level", "time", "event"]
    assert (found["level"], found["event"]) == ("error", "hung")
    assert found["time"].endswith("Z")
    assert hung_line("it was not closed", is_json=False) == f"{found['say']}\n"


# --------------------------------------------------------------------------------------------- the processes


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """A process that does nothing."""
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


def test_a_process_that_is_stopped_is_seen(sleeper: subprocess.Popen[bytes]) -> None:
    assert not is_stopped(sleeper.pid)
    os.kill(sleeper.pid, signal.SIGSTOP)
    os.waitpid(sleeper.pid, os.WUNTRACED)
    assert is_stopped(sleeper.pid)
    os.kill(sleeper.pid, signal.SIGCONT)
    os.waitpid(sleeper.pid, os.WCONTINUED)
    assert not is_stopped(sleeper.pid)
    assert not is_stopped(2**22 + 1), "there is none of this number"


HOLDS_LOCK = """
import ctypes, sys
from baccarat.serve.ops.watchdog import Watchdog, WatchdogProcess, exit_by_signal

if sys.argv[2] == "status 3":
    exit_by_signal(3)
watchdog = Watchdog(lambda _what: None, behind=WatchdogProcess(is_json=sys.argv[1] == "json"))
getattr(watchdog, sys.argv[3])("house", 0.1, "it was not closed in time")
ctypes.PyDLL(None).sleep(600)
"""
"""A process in which no thread of Python runs any more."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("log", "how", "expects", "status"),
    [
        ("json", "status 3", "arm", 3),
        ("text", "status 3", "expect_again", 3),
        ("text", "the signal alone", "arm", -signal.SIGQUIT),
    ],
)
def test_a_process_whose_interpreter_is_held_is_ended_from_outside(
    log: str, how: str, expects: str, status: int
) -> None:
    words = [sys.executable, "-c", HOLDS_LOCK, log, how, expects]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == status, done.stderr
    (line,) = done.stderr.splitlines()
    say = json.loads(line)["say"] if log == "json" else line
    assert say == "it was not closed in time, and nothing in the process can run: it is ended from outside"


ENDS = """
import os
from baccarat.serve.ops.watchdog import WatchdogProcess

WatchdogProcess(is_json=True).send(600.0, "house")
os._exit(7)
"""


@pytest.mark.slow
def test_the_process_behind_ends_with_the_server_and_says_nothing() -> None:
    """It has the server's standard error: the end of that is the end of both."""
    done = subprocess.run([sys.executable, "-c", ENDS], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (7, "")


def ignored(process: int) -> set[signal.Signals]:
    """The signals that a process ignores."""
    status = Path(f"/proc/{process}/status").read_text()
    mask = int(next(line.split()[1] for line in status.splitlines() if line.startswith("SigIgn")), 16)
    return {each for each in signal.Signals if mask >> (each - 1) & 1}


@pytest.mark.slow
@pytest.mark.parametrize("how", ["killed", "does not read"])
def test_a_process_behind_that_is_lost_is_replaced(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = list[str]()
    monkeypatch.setattr(module, "PAUSE_SECONDS", 3600.0)  # however busy the machine is
    behind = WatchdogProcess(is_json=True, on_lost=lambda: lost.append("lost"))
    try:
        first = behind.pid()
        assert first is not None
        while not ignored(first) >= {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}:  # it has started
            time.sleep(0.01)
        if how == "killed":
            os.kill(first, signal.SIGKILL)
            os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
        else:
            os.kill(first, signal.SIGSTOP)
        for _ in range(10_000):
            behind.send(600.0, "house")
            if lost:
                break
        assert lost == ["lost"]
        assert behind.pid() is None, "not one after the other"
        monkeypatch.setattr(module, "PAUSE_SECONDS", 0.0)
        behind.send(600.0, "house")
        assert behind.pid() not in (None, first)
        assert lost == ["lost"]
    finally:
        behind.close()
    assert behind.pid() is None
