"""A run of many changes: tests are collected once, and each change is made in a child that runs some of them."""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import pytest
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

ROOT = Path(__file__).resolve().parent.parent
Change = TypeVar("Change")
GREEN, SURVIVORS, NOT_GREEN = 0, 1, 2
"""Exit statuses: every change was noticed, some survive, the tests are red without any change."""


class Outcome(NamedTuple, Generic[Change]):
    """The result of one change: the test that went red, if any, and how many ran."""

    change: Change
    red: str | None
    ran: int


class Plugin:
    """The part of the tool inside pytest: it collects once, and instead of running all, breaks and runs."""

    def __init__(self, loop: Callable[[Plugin, pytest.Session], None]) -> None:
        self.loop = loop
        self.broken: list[str] = []
        self.red: str | None = None
        self.seconds: dict[str, float] = {}
        self.processor_seconds: dict[str, float] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Failures are only counted, so they need not be shrunk."""
        from hypothesis import Phase, settings  # noqa: PLC0415  pytest wants to be there first

        settings.register_profile("knockout", derandomize=True, deadline=None, phases=(Phase.explicit, Phase.generate))
        settings.load_profile("knockout")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A test file that cannot be read."""
        if report.failed:
            self.broken.append(f"{report.nodeid}: {report.longreprtext}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what went red, and how long it took."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.red = report.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of running everything once."""
        self.loop(self, session)
        return True

    def run(self, session: pytest.Session, items: Sequence[pytest.Item]) -> int:
        """Run tests until one goes red; returns how many ran."""
        for place, item in enumerate(items):
            following = items[place + 1] if place + 1 < len(items) else None
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.red is not None:
                return place + 1
        return len(items)


def run_pytest(plugin: Plugin, folder: str, *paths: str) -> int:
    """Collect these tests with the plugin, which then decides what to run."""
    os.chdir(ROOT)
    plugins = [word for name in ("terminal", "cacheprovider", "schemathesis") for word in ("-p", f"no:{name}")]
    words = ["--assert=plain", *plugins, "--basetemp", f"{folder}/t{os.getpid()}"]
    return int(pytest.main([*words, "-o", "addopts=--import-mode=importlib", *paths], plugins=[plugin]))


def outcomes_of(
    asked: Sequence[Change],
    tests: Sequence[str],
    break_all: Callable[[Plugin, pytest.Session], Sequence[Outcome[Change]]],
    folder: str,
) -> list[Outcome[Change]] | None:
    """The result of every change, once the tests are collected; None, with what stands in the way printed, if not."""
    outcomes: list[Outcome[Change]] = []

    def loop(plugin: Plugin, session: pytest.Session) -> None:
        if not plugin.broken:
            outcomes.extend(break_all(plugin, session))

    plugin = Plugin(loop)
    status = run_pytest(plugin, folder, *tests)
    if not plugin.broken and len(outcomes) == len(asked):
        return outcomes
    print("\n".join(plugin.broken) or f"pytest ended with status {status}")
    return None


def survivors_of(outcomes: Iterable[Outcome[Change]], *, unreached: str) -> list[Outcome[Change]]:
    """The changes that no test noticed, each printed; of one that no test runs it is said that it is `unreached`."""
    found = sorted((each for each in outcomes if each.red is None), key=lambda each: str(each.change))
    for each in found:
        print(f"survives: {each.change}  ({each.ran} tests ran)" if each.ran else f"{unreached}: {each.change}")
    return found


def green_items(
    plugin: Plugin, session: pytest.Session, red: Iterable[str], *, though_red: bool
) -> dict[str, pytest.Item] | None:
    """The tests that are green without any change, by name; None if some are red and may not be."""
    already = frozenset(red)
    if already and not though_red:
        plugin.broken += [f"red before anything is broken: {each}" for each in sorted(already)]
        return None
    return {item.nodeid: item for item in session.items if item.nodeid not in already}


def choose_changes(asked: list[Change], *, sample: int, seed: int, names: bool) -> list[Change]:
    """The changes to make: all, or a sample; exits with their names if only these are asked for, or if none is left."""
    if sample:
        asked = random.Random(seed).sample(asked, min(sample, len(asked)))
    if names or not asked:
        print("\n".join(map(str, asked)) or "no such change")
        raise typer.Exit(GREEN if asked else NOT_GREEN)
    return asked


# ------------------------------------------------------------------------------------ many, by forking


def in_child(task: Callable[[], Any]) -> tuple[int, int]:
    """Do a task in a silent forked process; returns its pid, and the descriptor of its answer."""
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        return child, reader
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silent, stream)
    try:
        answer = json.dumps(task()).encode()
        while answer:
            answer = answer[os.write(writer, answer) :]
        os._exit(0)
    finally:
        os._exit(1)


def answer_of(reader: int) -> Any:
    """What a child answered; None if it ended without an answer."""
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read()
    return json.loads(text) if text else None


def run_parts(task: Callable[[Sequence[pytest.Item]], Any], items: Sequence[pytest.Item], *, jobs: int) -> list[Any]:
    """The answers of a task that several children do, each for its part of the tests."""
    answers = []
    for child, reader in [in_child(partial(task, items[job::jobs])) for job in range(jobs)]:
        answer = answer_of(reader)
        os.waitpid(child, 0)
        assert answer is not None, "the tests ended their process"
        answers.append(answer)
    return answers


def choose_quickest(
    plugin: Plugin, names: Iterable[str], items: dict[str, pytest.Item], *, seconds: float
) -> list[pytest.Item]:
    """Those of the tests that can be run, quick ones first, as many as the time allows by their usual times."""
    left, chosen = seconds, list[pytest.Item]()
    for name in sorted(set(names), key=lambda name: plugin.seconds.get(name, 0.0)):
        left -= plugin.seconds.get(name, 0.0)
        if left < 0 and chosen:
            break
        if name in items:
            chosen.append(items[name])
    return chosen


def make_each(
    asked: Sequence[Change],
    choose: Callable[[Change], Sequence[pytest.Item]],
    make_and_run: Callable[[Change, Sequence[pytest.Item]], Any],
    *,
    title: str,
    jobs: int,
) -> list[Outcome[Change]]:
    """Make each change in a child of its own, which runs the tests chosen for it; `jobs` children at a time."""
    outcomes: list[Outcome[Change]] = []
    running: dict[int, tuple[Change, int, int]] = {}
    waiting = list(asked)[::-1]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, auto_refresh=False, disable=not sys.stdout.isatty()) as progress:
        bar = progress.add_task(title, total=len(asked))
        while waiting or running:
            while waiting and len(running) < jobs:
                change = waiting.pop()
                items = choose(change)
                child, reader = in_child(partial(make_and_run, change, items))
                running[child] = (change, reader, len(items))
            child, _ = os.wait()
            change, reader, count = running.pop(child)
            red, ran = answer_of(reader) or ("did not end, or ended the process", count)
            outcomes.append(Outcome(change, red, ran))
            progress.update(bar, advance=1, refresh=True)
    return outcomes
