"""Knock-out: each rule, row, election and behaviour broken in turn; a test that bears its clause must go red."""

from __future__ import annotations

import gc
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest
import typer

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / folder) for folder in ("tools", "tests/support")]

from baccarat.law import edition as law  # noqa: E402
from behaviour import Behaviour, behaviours  # noqa: E402
from change_run import (  # noqa: E402
    GREEN,
    NOT_GREEN,
    ROOT,
    SURVIVORS,
    Outcome,
    Plugin,
    make_each,
    outcomes_of,
    run_parts,
    run_pytest,
)
from clause_marks import below, borne  # noqa: E402
from explained import EXPLAINED  # noqa: E402
from mutation import Mutation, mutated, mutations  # noqa: E402

Change = Mutation | Behaviour
SECONDS = 120
"""How long the tests of one change may take; a timeout is red."""


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


def knock_out(
    plugin: Plugin, session: pytest.Session, asked: Sequence[Change], *, jobs: int, bear: bool, though_red: bool
) -> list[Outcome[Change]]:
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

    def make_and_run(change: Change, items: Sequence[pytest.Item]) -> Any:
        signal.alarm(SECONDS)
        make(change)
        ran = plugin.run(session, items)
        return plugin.red, ran

    items_of = {name_of(change): items for change, items in wanted}
    return make_each(
        asked, lambda change: _in_order(plugin, change, items_of[name_of(change)]), make_and_run,
        title="knocking out", jobs=jobs,
    )  # fmt: skip


def _bearers(bearing: dict[str, list[pytest.Item]], change: Change) -> list[pytest.Item]:
    clauses = [clause for name in change.clauses for clause in below(name)]
    return list(dict.fromkeys(item for clause in clauses for item in bearing.get(clause, ())))


def _in_order(plugin: Plugin, change: Change, items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Those that name the edition first, then the quick before the slow."""
    name = change.edition if isinstance(change, Mutation) else ""
    return sorted(items, key=lambda item: (name not in item.nodeid, plugin.seconds.get(item.nodeid, 0.0)))


def _baseline(plugin: Plugin, session: pytest.Session, items: dict[str, pytest.Item], *, jobs: int) -> list[str]:
    """What is red without any change, which should be nothing; records how long each test takes."""

    def run_part(part: Sequence[pytest.Item]) -> Any:
        red = [item.nodeid for item in part if plugin.run(session, [item]) and _is_red(plugin)]
        return red, plugin.seconds

    red: list[str] = []
    for part_red, seconds in run_parts(run_part, list(items.values()), jobs=jobs):
        red += part_red
        plugin.seconds |= seconds
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
    law._load_shipped.cache_clear()
    run = partial(knock_out, asked=asked, jobs=jobs, bear=bear, though_red=though_red)
    with tempfile.TemporaryDirectory() as folder:
        outcomes = outcomes_of(asked, tests, run, folder)
        if outcomes is None:
            return NOT_GREEN
        survivors = [each for each in outcomes if each.red is None]
        if retry and law._load_shipped.cache_info().currsize:  # some edition was read while collecting
            survivors = [each for each in survivors if not _dies_alone(each, folder)]
    return _report(outcomes, survivors, whole=whole)


def _dies_alone(outcome: Outcome[Change], folder: str) -> bool:
    change = outcome.change
    if not isinstance(change, Mutation) or not outcome.ran or why(change) is not None:
        return False
    clauses = set(change.clauses)
    from baccarat.law.coverage import clause_tests  # noqa: PLC0415  only survivors are looked up

    tests = {test for clause in clauses for test in clause_tests().get(clause, ())}
    return alone(change, sorted(tests), folder) is not None


def _report(outcomes: list[Outcome[Change]], survivors: list[Outcome[Change]], *, whole: bool) -> int:
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
