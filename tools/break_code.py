"""Broken code: functions of every layer broken one slip at a time; a test that runs the broken line must go red."""

from __future__ import annotations

import ast
import gc
import importlib
import math
import os
import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Annotated, Any

import coverage
import pytest
import typer

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / folder) for folder in ("tools", "tests/support")]

from change_run import (  # noqa: E402
    GREEN,
    NOT_GREEN,
    ROOT,
    SURVIVORS,
    Outcome,
    Plugin,
    choose_changes,
    choose_quickest,
    green_items,
    make_each,
    outcomes_of,
    run_parts,
    survivors_of,
)
from code_change import (  # noqa: E402
    SOURCE,
    CodeChange,
    changed_tree,
    code_changes,
    files_below,
    functions_by_file,
    make_code_change,
)
from explained import SAME_BEHAVIOUR  # noqa: E402
from knockout import forget_all  # noqa: E402

SECONDS = 90
"""How long the tests of one change may take by their usual times; the quickest run first."""
LEAST_SECONDS = 10
"""How long the tests of one change may take at least, however quick they usually are."""
LEAST_PROCESSOR_SECONDS = 3
"""The same in processor time, which an endless loop uses up however busy the machine is.

To this come twice the processor seconds of the tests under the tracer, which makes them several times slower.
"""
PROGRAM = "cli"
"""The layer that tests also run as a program of its own, where no trace shows which lines they reach."""

Lines = dict[str, dict[int, list[str]]]
Functions = dict[str, list[FunctionType]]


def is_same(change: CodeChange) -> str | None:
    """The reviewed reason why a change changes nothing."""
    key = f"{change.module}.{change.function}: {change.what}"
    return SAME_BEHAVIOUR.get(key)


# ------------------------------------------------------------------------------ which tests run which lines


def _traced(plugin: Plugin, session: pytest.Session, items: Sequence[pytest.Item]) -> Any:
    """Run tests under a tracer: which are red already, how long each takes, and the lines that each reaches."""
    tracer = coverage.Coverage(data_file=None, source=[str(SOURCE / "baccarat")], config_file=False)
    tracer.set_option("run:disable_warnings", ["module-not-measured", "already-imported", "no-data-collected"])
    tracer.start()
    red = []
    processor_seconds = {}
    for item in items:
        tracer.switch_context(item.nodeid)
        begin = time.process_time()
        plugin.run(session, [item])
        processor_seconds[item.nodeid] = time.process_time() - begin
        if plugin.red is not None:
            red.append(item.nodeid)
            plugin.red = None
    tracer.stop()
    data = tracer.get_data()
    lines = {
        str(Path(file).relative_to(ROOT)): data.contexts_by_lineno(file)
        for file in data.measured_files()
        if Path(file).is_relative_to(ROOT)
    }
    return red, plugin.seconds, processor_seconds, lines


def trace(plugin: Plugin, session: pytest.Session, *, jobs: int) -> tuple[list[str], Lines]:
    """Every test once, divided among processes."""
    red: list[str] = []
    reached: Lines = defaultdict(lambda: defaultdict(list))
    for part_red, seconds, processor_seconds, lines_by_file in run_parts(
        partial(_traced, plugin, session), session.items, jobs=jobs
    ):
        red += part_red
        plugin.seconds |= seconds
        plugin.processor_seconds |= processor_seconds
        for file, lines in lines_by_file.items():
            for line, tests in lines.items():
                reached[file][int(line)] += [test for test in tests if test]
    return red, reached


def bearers(
    plugin: Plugin, change: CodeChange, reached: Lines, items: dict[str, pytest.Item], span: range
) -> list[pytest.Item]:
    """The tests that reach the broken line, else its function; quick ones first, as many as the time allows."""
    lines = reached.get(change.file, {})
    names = list(lines.get(change.line, ())) or [name for line in span for name in lines.get(line, ())]
    if change.module.startswith(PROGRAM):
        names += [name for name in items if name.startswith("tests/cli/")]
    return choose_quickest(plugin, names, items, seconds=SECONDS)


def _span(change: CodeChange) -> range:
    """The lines around a change: a few, since the tracer names the first line of what it runs."""
    return range(max(1, change.line - 6), change.line + 3)


# ---------------------------------------------------------------------------------------- break and run


def linked_but_for(file: Path, source: Path, copy: Path) -> Path:
    """A folder that links to the original except for one file, which is missing; returns its path."""
    copy.mkdir()
    first, *others = file.parts
    for each in source.iterdir():
        if each.name not in (first, "__pycache__") and each.suffix != ".egg-info":
            (copy / each.name).symlink_to(each)
    if not others:
        return copy / first
    return linked_but_for(Path(*others), source / first, copy / first)


def break_and_run(
    plugin: Plugin, session: pytest.Session, functions: Functions, change: CodeChange, items: Sequence[pytest.Item]
) -> Any:
    """In a child: make the change here and in the copy that programs started from here import, then run tests."""
    usual = sum(plugin.seconds.get(item.nodeid, 0.0) for item in items)
    signal.alarm(LEAST_SECONDS + math.ceil(5 * usual))  # an endless loop turns red soon
    traced = sum(plugin.processor_seconds.get(item.nodeid, 0.0) for item in items)
    signal.setitimer(signal.ITIMER_PROF, LEAST_PROCESSOR_SECONDS + 2 * traced)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        broken = linked_but_for(Path(change.file).relative_to("src"), SOURCE, copy)
        broken.write_text(ast.unparse(changed_tree(change)), encoding="utf-8")
        os.environ["PYTHONPATH"] = str(copy)
        make_code_change(change, functions)
        forget_all()
        ran = plugin.run(session, items)
    return plugin.red, ran


def break_all(
    plugin: Plugin, session: pytest.Session, asked: Sequence[CodeChange], *, jobs: int, though_red: bool
) -> list[Outcome[CodeChange]]:
    """Each change in a child of its own."""
    already, reached = trace(plugin, session, jobs=jobs)
    items = green_items(plugin, session, already, though_red=though_red)
    if items is None:
        return []
    for file in {change.file for change in asked}:
        importlib.import_module(".".join(Path(file).with_suffix("").parts[1:]).removesuffix(".__init__"))
    gc.collect()
    functions = functions_by_file()
    gc.freeze()
    return make_each(
        asked, lambda change: bearers(plugin, change, reached, items, _span(change)),
        partial(break_and_run, plugin, session, functions), title="breaking code", jobs=jobs,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------- the tool

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(  # noqa: PLR0913  one argument per option
    *,
    within: Annotated[list[str] | None, typer.Option(help="only this module or package, such as table.step")] = None,
    only: Annotated[list[str] | None, typer.Option(help="only the change of this name, as the report gives it")] = None,
    tests: Annotated[list[str] | None, typer.Option(help="only these tests; by default all")] = None,
    sample: Annotated[int, typer.Option(help="how many of them, chosen by the seed; 0 for all")] = 0,
    seed: Annotated[int, typer.Option(help="which sample")] = 1,
    jobs: Annotated[int, typer.Option(help="processes at a time")] = os.cpu_count() or 1,
    though_red: Annotated[bool, typer.Option("--though-red", help="leave out tests that are red already")] = False,
    names: Annotated[bool, typer.Option(help="print the names of the changes, and make none")] = False,
) -> None:
    """Break each function in turn and run the tests that reach the broken line: at least one must go red."""
    files = [file for module in within or [""] for file in files_below(module)]
    asked = [change for file in files for change in code_changes(file) if not only or str(change) in only]
    asked = choose_changes(asked, sample=sample, seed=seed, names=names)
    raise typer.Exit(_run(asked, tests or ["tests"], jobs=jobs, though_red=though_red))


def _run(asked: list[CodeChange], tests: Sequence[str], *, jobs: int, though_red: bool) -> int:
    with tempfile.TemporaryDirectory() as folder:
        run = partial(break_all, asked=asked, jobs=jobs, though_red=though_red)
        outcomes = outcomes_of(asked, tests, run, folder)
    if outcomes is None:
        return NOT_GREEN
    reviewed = sum(each.red is None and is_same(each.change) is not None for each in outcomes)
    unexplained = survivors_of((each for each in outcomes if is_same(each.change) is None), unreached="no test reaches")
    dead = len(outcomes) - reviewed - len(unexplained)
    print(f"{len(outcomes)} changes: {dead} went red, {reviewed} change nothing, {len(unexplained)} survive")
    return SURVIVORS if unexplained else GREEN


if __name__ == "__main__":
    app()
