"""What every test run shares: repeatable examples, marks that name real clauses, and the list of what shows what."""

from __future__ import annotations

import os

# before numpy is imported, here and in the programs that tests start: the workers keep all processors busy, and threads
# of BLAS that wait for one another would take time from them
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gc
import random
import signal
from collections.abc import Generator, Sequence
from functools import cache
from pathlib import Path

import msgspec
import pytest
import typer.testing
from hypothesis import settings
from typer.main import get_command

import forked
from baccarat.law.error import UnknownClause
from campaign import CAMPAIGN
from clause_marks import SHOWN, resolve, shown_by
from paths import ROOT, TESTS

settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("repeatable")

# a shell that starts the tests in the background has programs ignore these signals, and theirs would inherit that
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN:
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)

# the runner would build the commands of all verbs anew for every run: twenty milliseconds, thousands of times
typer.testing._get_command = cache(get_command)  # type: ignore[attr-defined]

NARROWING = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf", "last_failed")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--write-shown` rewrites that list: `pytest --collect-only -q --write-shown` runs no test."""
    parser.addoption("--write-shown", action="store_true", help="write law/shown.json from the marks of all tests")
    parser.addoption("--file-order", type=int, metavar="SEED", help="run the files in a random order, given by a seed")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Nothing of what is collected is garbage: it is not looked through, now or while the tests run.

    They run with the thresholds of a house that is served: collecting more often took every thirtieth second.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 20, 100)
        gc.enable()


def pytest_itemcollected(item: pytest.Item) -> None:
    """A mark that names no clause stops the run."""
    for mark in item.iter_markers("clause"):
        if not mark.args or mark.kwargs:
            raise pytest.UsageError(f"{item.nodeid}: a clause mark names clauses, and nothing else")
        for name in mark.args:
            try:
                resolve(name)
            except UnknownClause as error:
                raise pytest.UsageError(f"{item.nodeid}: {error}") from None


def pytest_collection_finish(session: pytest.Session) -> None:
    """Write the list when asked to, which takes the whole suite."""
    if not session.config.getoption("--write-shown"):
        return
    why = why_not_whole(session)
    if why is not None:
        raise pytest.UsageError(f"--write-shown takes the whole suite: {why}")
    SHOWN.write_bytes(as_file(session))


def as_file(session: pytest.Session) -> bytes:
    """The list of what shows what, as it is shipped."""
    return msgspec.json.format(msgspec.json.encode(shown_by(session.items)), indent=1) + b"\n"


LEFT_OUT = {"pages": not os.environ.get("BACCARAT_PAGES"), "deep": CAMPAIGN == 1}
"""Marks of long tests, and whether they are left to `make pages` or `make deep`, which set these variables."""


LONGEST_FIRST = ("verifier", "pages", "serve", "sim", "project", "cli", "odds", "report", "audit", "house", "table")
"""Folders whose tests take longest, which run first: at the end of a run every worker then has something left to do."""


def _turn(item: pytest.Item) -> int:
    folder = item.path.relative_to(TESTS).parts[0]
    return LONGEST_FIRST.index(folder) if folder in LONGEST_FIRST else len(LONGEST_FIRST)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long tests are not selected unless the run is theirs; then the order of the files, which no test may rely on."""
    marks = [mark for mark, is_left_out in LEFT_OUT.items() if is_left_out]
    selected: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        (left_out if any(map(item.get_closest_marker, marks)) else selected).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = selected
    items.sort(key=_turn)
    seed = config.getoption("--file-order")
    if seed is not None:
        files = sorted({item.path for item in items})
        random.Random(seed).shuffle(files)
        turns = {path: turn for turn, path in enumerate(files)}
        items.sort(key=lambda item: turns[item.path])


LONG = pytest.StashKey[set[str]]()
"""Files with tests that are left to a longer run, such as `make pages`."""


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Remember the files of tests that are left to a longer run."""
    for item in items:
        item.config.stash.setdefault(LONG, set()).add(str(item.path.relative_to(TESTS)))


def why_not_whole(session: pytest.Session) -> str | None:
    """What the command line left out of this run; None if nothing, and then every test file is in it."""
    config = session.config
    if Path(config.invocation_params.dir) != ROOT or config.args != config.getini("testpaths"):
        return f"only {' '.join(config.args)} was asked for"
    narrowed = [name for name in NARROWING if config.getoption(name, default=None)]
    if narrowed:
        return f"narrowed by {', '.join(narrowed)}"
    there = {str(path.relative_to(TESTS)) for path in TESTS.rglob("test_*.py")}
    long = config.stash.get(LONG, set())
    found = {str(item.path.relative_to(TESTS)) for item in session.items} | long
    assert found == there, f"test files that hold no test, or lie elsewhere: {sorted(there ^ found)}"
    return None


@pytest.fixture
def written_down(request: pytest.FixtureRequest) -> bytes:
    """The list of what shows what, of this very run; a narrowed run cannot know it."""
    why = why_not_whole(request.session)
    if why is not None:
        pytest.skip(f"the whole suite is needed: {why}")
    return as_file(request.session)


# ------------------------------------------------------------------- processor time, by folder of tests


def _processor_seconds() -> float:
    """The processor time of this process and of the programs that it started and waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


class _Clock:
    """How much processor time each folder of tests has used, over all workers."""

    def __init__(self) -> None:
        self.last = _processor_seconds()
        self.folders: dict[str, float] = {}


CLOCK = _Clock()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note with each report what was used since the last; it travels from a worker with the report."""
    report = yield
    used = _processor_seconds()
    since = used - CLOCK.last + forked.newly_used()
    report.user_properties = [("processor seconds", since)]  # one entry a phase, or sums would count twice
    CLOCK.last = used
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add to the folder's sum; where there are workers, only the process that prints has the terminal."""
    folder = report.nodeid.split("/")[1]
    CLOCK.folders[folder] = CLOCK.folders.get(folder, 0.0) + sum(
        used for name, used in report.user_properties if name == "processor seconds" and isinstance(used, float)
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say where the time went."""
    if CLOCK.folders:
        terminalreporter.section("processor minutes by folder")
        for folder, seconds in sorted(CLOCK.folders.items(), key=lambda each: -each[1]):
            terminalreporter.line(f"{seconds / 60:6.2f}  tests/{folder}")
