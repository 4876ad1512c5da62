"""Knock-out: each rule, row, election and behaviour broken in turn; a test that bears its clause must go red."""

from __future__ import annotations

import gc
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import pytest
import typer
from rich.progress import Progress

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests" / "support")]

from baccarat.law import edition as law  # noqa: E402
from behaviour import Behaviour, behaviours  # noqa: E402
from clause_marks import below, borne  # noqa: E402
from explained import EXPLAINED  # noqa: E402
from mutation import Mutation, mutated, mutations  # noqa: E402

Change = Mutation | Behaviour
SECONDS = 120
"""How long the tests of one change may take; a timeout is red."""
GREEN, SURVIVORS, NOT_GREEN = 0, 1, 2


class Outcome(NamedTuple):
    """The result of one change: the test that went red, if any, and how many ran."""

    change: Change
    red: str | None
    ran: int


def changes() -> list[Change]:
    """Every change there is: of the data of each edition, then of the behaviours."""
    found: list[Change] = []
    for name in law.shipped_editions():
        edition = law.load_edition(name)
        found += mutations(edition.table, edition.clauses)
    return [*found, *behaviours()]


def name_of(change: Change) -> str:
    """The name by which a change is selected and reported."""
    group = "" if isinstance(change, Mutation) else f" [{', '.join(change.clauses)}]"
    return f"{change}{group}"


def why(change: Change) -> str | None:
    """The reviewed reason why a change may go unnoticed."""
    return next((reason for pattern, reason in EXPLAINED.items() if _fits(change, pattern)), None)


def _fits(change: Change, pattern: str) -> bool:
    """Whether a change has this name; a star stands for anything, and nothing else is special."""
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), name_of(change)) is not None


def make(change: Change) -> None:
    """Make the change in this process, and clear all caches."""
    if isinstance(change, Behaviour):
        change.patch()
    else:
        original, table = law.read_table, mutated(law.load_edition(change.edition).table, change)
        law.read_table = lambda name: table if name == change.edition else original(name)
    forget_all()


def forget_all() -> None:
    """Empty every cache of the package and of the tests."""
    for module in list(sys.modules.values()):
        if _is_ours(module):
            for value in list(vars(module).values()):
                clear = getattr(value, "cache_clear", None)
                if callable(clear):
                    clear()


def _is_ours(module: Any) -> bool:
    file = str(getattr(module, "__file__", None) or "")
    return file.startswith((str(ROOT / "src"), str(ROOT / "tests")))


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


def knock_out(
    plugin: Plugin, session: pytest.Session, asked: Sequence[Change], *, jobs: int, bear: bool, though_red: bool
) -> list[Outcome]:
    """Make each change in a child of its own, and run there the tests that bear its clauses."""
    bearing: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in session.items:
        for clause in borne(item) if bear else ():
            bearing[clause].append(item)
    wanted = [(change, _bearers(bearing, change)) for change in asked]
    already = _baseline(plugin, session, {item.nodeid: item for _, items in wanted for item in items}, jobs=jobs)
    if already and not though_red:
        plugin.broken += [f"red before anything is knocked out: {each}" for each in already]
        return []
    print("".join(f"left out, red already: {each}\n" for each in already), end="")
    wanted = [(change, [item for item in items if item.nodeid not in already]) for change, items in wanted]
    gc.collect()
    gc.freeze()
    outcomes: list[Outcome] = []
    running: dict[int, tuple[Change, int, int]] = {}
    waiting = wanted[::-1]
    with Progress(auto_refresh=False, disable=not sys.stdout.isatty()) as progress:
        bar = progress.add_task("knocking out", total=len(asked))
        while waiting or running:
            while waiting and len(running) < jobs:
                change, items = waiting.pop()
                items = _in_order(plugin, change, items)

                def task(change: Change = change, items: Sequence[pytest.Item] = items) -> Any:
                    signal.alarm(SECONDS)
                    make(change)
                    ran = plugin.run(session, items)
                    return plugin.red, ran

                child, reader = in_child(task)
                running[child] = (change, reader, len(items))
            child, _ = os.wait()
            change, reader, count = running.pop(child)
            red, ran = answer_of(reader) or ("did not end, or ended the process", count)
            outcomes.append(Outcome(change, red, ran))
            progress.update(bar, advance=1, refresh=True)
    return outcomes


def _bearers(bearing: dict[str, list[pytest.Item]], change: Change) -> list[pytest.Item]:
    clauses = [clause for name in change.clauses for clause in below(name)]
    return list(dict.fromkeys(item for clause in clauses for item in bearing.get(clause, ())))


def _in_order(plugin: Plugin, change: Change, items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Those that name the edition first, then the quick before the slow."""
    name = change.edition if isinstance(change, Mutation) else ""
    return sorted(items, key=lambda item: (name not in item.nodeid, plugin.seconds.get(item.nodeid, 0.0)))


def _baseline(plugin: Plugin, session: pytest.Session, items: dict[str, pytest.Item], *, jobs: int) -> list[str]:
    """What is red without any change, which should be nothing; records how long each test takes."""

    def task(part: list[pytest.Item]) -> Any:
        red = [item.nodeid for item in part if plugin.run(session, [item]) and _is_red(plugin)]
        return red, plugin.seconds

    every = list(items.values())
    children = [in_child(partial(task, every[job::jobs])) for job in range(jobs)]
    red: list[str] = []
    for child, reader in children:
        part = answer_of(reader)
        os.waitpid(child, 0)
        assert part is not None, "the tests ended their process"
        red += part[0]
        plugin.seconds |= part[1]
    return red


def _is_red(plugin: Plugin) -> bool:
    red, plugin.red = plugin.red, None
    return red is not None


# ------------------------------------------------------------------------- one, in a process of its own


def alone(change: Mutation, tests: Sequence[str], folder: str) -> str | None:
    """The same in a fresh process: tests that read an edition while they are collected see the change too."""
    told = Path(folder) / "alone.json"
    told.write_bytes(msgspec.json.encode({"change": change, "tests": sorted({t.partition("::")[0] for t in tests})}))
    done = subprocess.run(
        [sys.executable, __file__, "--alone", str(told)], cwd=ROOT, capture_output=True, text=True, timeout=600,
        check=False,
    )  # fmt: skip
    return (done.stdout.strip().splitlines() or ["a test file cannot be read"])[-1] if done.returncode else None


def _alone(told: Path) -> int:
    table = msgspec.json.decode(told.read_bytes())
    change = msgspec.convert(table["change"], Mutation)

    def loop(plugin: Plugin, session: pytest.Session) -> None:
        clauses = set(change.clauses)
        plugin.run(session, [item for item in session.items if clauses & borne(item)])

    plugin = Plugin(loop)
    make(change)
    with tempfile.TemporaryDirectory() as folder:
        run_pytest(plugin, folder, *table["tests"])
    if plugin.red or plugin.broken:
        print(plugin.red or plugin.broken[0].splitlines()[0])
        return 1
    return 0


# ------------------------------------------------------------------------------------------- the tool


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(  # noqa: PLR0913  one argument per option
    *,
    edition: Annotated[str | None, typer.Option(help="only this edition's data, no behaviours")] = None,
    place: Annotated[str, typer.Option(help="only places that begin with this, such as wager.tie or admit.")] = "",
    only: Annotated[list[str] | None, typer.Option(help="only the change of this name, as the report gives it")] = None,
    tests: Annotated[list[str] | None, typer.Option(help="only these tests; all without it")] = None,
    sample: Annotated[int, typer.Option(help="how many of them, chosen by the seed")] = 0,
    seed: Annotated[int, typer.Option(help="which sample")] = 1,
    jobs: Annotated[int, typer.Option(help="processes at a time")] = os.cpu_count() or 1,
    bear: Annotated[bool, typer.Option(help="--no-bear: as if no test bore any clause; all must survive")] = True,
    retry: Annotated[bool, typer.Option(help="--no-retry: survivors are not tried again alone")] = True,
    though_red: Annotated[bool, typer.Option("--though-red", help="leave out tests that are red already")] = False,
    names: Annotated[bool, typer.Option(help="print the names of the changes, and make none")] = False,
    told: Annotated[Path | None, typer.Option("--alone", hidden=True)] = None,
) -> None:
    """Break each rule in turn and run the tests that bear its clause: at least one must go red."""
    if told is not None:
        raise typer.Exit(_alone(told))
    asked = [change for change in changes() if _is_asked(change, edition, place, only)]
    if sample:
        asked = random.Random(seed).sample(asked, min(sample, len(asked)))
    if names or not asked:
        print("\n".join(map(name_of, asked)) or "no such change")
        raise typer.Exit(GREEN if asked else NOT_GREEN)
    whole = not (edition or place or only or tests or sample)
    run = partial(_run, asked, tests or ["tests"], jobs=jobs, bear=bear, retry=retry and bear)
    raise typer.Exit(run(though_red=though_red, whole=whole))


def _is_asked(change: Change, edition: str | None, place: str, only: list[str] | None) -> bool:
    if only:
        return name_of(change) in only
    if edition is not None and (isinstance(change, Behaviour) or change.edition != edition):
        return False
    return change.place.startswith(place)


def _run(
    asked: list[Change], tests: Sequence[str], *, jobs: int, bear: bool, retry: bool, though_red: bool, whole: bool
) -> int:
    outcomes: list[Outcome] = []

    def loop(plugin: Plugin, session: pytest.Session) -> None:
        if not plugin.broken:
            outcomes.extend(knock_out(plugin, session, asked, jobs=jobs, bear=bear, though_red=though_red))

    law._load_shipped.cache_clear()
    plugin = Plugin(loop)
    with tempfile.TemporaryDirectory() as folder:
        status = run_pytest(plugin, folder, *tests)
        if plugin.broken or len(outcomes) != len(asked):
            print("\n".join(plugin.broken) or f"pytest ended with status {status}")
            return NOT_GREEN
        survivors = [each for each in outcomes if each.red is None]
        if retry and law._load_shipped.cache_info().currsize:  # some edition was read while collecting
            survivors = [each for each in survivors if not _dies_alone(each, folder)]
    return _report(outcomes, survivors, whole=whole)


def _dies_alone(outcome: Outcome, folder: str) -> bool:
    change = outcome.change
    if not isinstance(change, Mutation) or not outcome.ran or why(change) is not None:
        return False
    clauses = set(change.clauses)
    from baccarat.law.coverage import clause_tests  # noqa: PLC0415  only survivors are looked up

    tests = {test for clause in clauses for test in clause_tests().get(clause, ())}
    return alone(change, sorted(tests), folder) is not None


def _report(outcomes: list[Outcome], survivors: list[Outcome], *, whole: bool) -> int:
    unexplained = [each for each in survivors if why(each.change) is None]
    for each in sorted(unexplained, key=lambda each: (each.change.place, name_of(each.change))):
        tests = f"{each.ran} tests ran" if each.ran else "no test bears it"
        clauses = ", ".join(each.change.clauses)
        print(f"survives: {each.change}  [{clauses}]  {tests}")
    dead = len(outcomes) - len(survivors)
    said = f"{dead} went red, {len(survivors) - len(unexplained)} survive for a reviewed reason"
    print(f"{len(outcomes)} changes: {said}, {len(unexplained)} survive")
    idle = {pattern for pattern in EXPLAINED if not any(_fits(each.change, pattern) for each in survivors)}
    if whole and idle:
        print("\n".join(f"reviewed, but nothing survives that way: {pattern}" for pattern in sorted(idle)))
        return SURVIVORS
    return SURVIVORS if unexplained else GREEN


if __name__ == "__main__":
    app()
