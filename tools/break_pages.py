"""Broken pages: scripts of the pages broken one slip at a time; a test that loads the broken script must go red."""

from __future__ import annotations

import math
import os
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from playwright.async_api import expect

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / folder) for folder in ("tools", "tests/support")]

from break_code import linked_but_for  # noqa: E402
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
from script_change import (  # noqa: E402
    SCRIPTS,
    ScriptChange,
    broken_script,
    names_read,
    script_changes,
    scripts_below,
    with_all_imports,
)

SOURCE = ROOT / "src"
SECONDS = 120
"""How long the tests of one change may take by their usual times; the quickest run first."""
PATIENCE = 10_000
"""How many milliseconds a test waits for a broken page, which may never show what it waits for."""
LEAST_SECONDS = 30
"""How long the tests of one change may take at least, however quick they usually are."""

Reached = dict[str, list[str]]
"""By script, the tests that load it."""


def _watched(plugin: Plugin, session: pytest.Session, items: Sequence[pytest.Item]) -> Any:
    """Run each test once: which are red already, how long each takes, and which scripts each loads."""
    import page_script  # noqa: PLC0415  pytest wants to be there first
    from baccarat.serve.route import page  # noqa: PLC0415

    loaded: set[str] = set()
    read, run = page._read, page_script.run_page_script

    def read_and_note(name: str, changed_at: int) -> page.PageFile:
        loaded.add(name.removeprefix("js/"))
        return read(name, changed_at)

    def run_and_note(script: str) -> Any:
        loaded.update(with_all_imports(list(names_read(script))))
        return run(script)

    vars(page).update(_read=read_and_note)
    for module in {sys.modules[item.module.__name__] for item in items if isinstance(item, pytest.Function)}:
        if hasattr(module, "run_page_script"):
            vars(module).update(run_page_script=run_and_note)
    red, reached = list[str](), defaultdict[str, list[str]](list)
    for item in items:
        loaded.clear()
        plugin.run(session, [item])
        for name in loaded:
            reached[name].append(item.nodeid)
        if plugin.red is not None:
            red.append(item.nodeid)
            plugin.red = None
    return red, plugin.seconds, reached


def watch(plugin: Plugin, session: pytest.Session, *, jobs: int) -> tuple[list[str], Reached]:
    """Every test once, divided among processes."""
    red, reached = list[str](), defaultdict[str, list[str]](list)
    for part_red, seconds, scripts in run_parts(partial(_watched, plugin, session), session.items, jobs=jobs):
        red += part_red
        plugin.seconds |= seconds
        for name, found in scripts.items():
            reached[name] += found
    return red, reached


def break_and_run(plugin: Plugin, session: pytest.Session, change: ScriptChange, items: Sequence[pytest.Item]) -> Any:
    """In a child: serve the pages from a copy in which one script is broken, and run tests."""
    import browser  # noqa: PLC0415  pytest wants to be there first
    import page_script  # noqa: PLC0415
    from baccarat.serve.route import page  # noqa: PLC0415

    usual = sum(plugin.seconds.get(item.nodeid, 0.0) for item in items)
    signal.alarm(LEAST_SECONDS + math.ceil(5 * usual + PATIENCE / 1000))
    vars(browser).update(PATIENCE=PATIENCE)
    expect.set_options(timeout=PATIENCE)
    path = SCRIPTS / change.file
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        broken = linked_but_for(path.relative_to(SOURCE), SOURCE, copy)
        broken.write_text(broken_script(path.read_text(encoding="utf-8"), change), encoding="utf-8")
        os.environ["PYTHONPATH"] = str(copy)
        pages = copy / page.PAGES.relative_to(SOURCE)
        for module in (page, page_script):
            vars(module).update(PAGES=pages)
        ran = plugin.run(session, items)
    return plugin.red, ran


def break_all(
    plugin: Plugin, session: pytest.Session, asked: Sequence[ScriptChange], *, jobs: int, though_red: bool
) -> list[Outcome[ScriptChange]]:
    """Each change in a child of its own."""
    already, reached = watch(plugin, session, jobs=jobs)
    items = green_items(plugin, session, already, though_red=though_red)
    if items is None:
        return []
    return make_each(
        asked, lambda change: choose_quickest(plugin, reached.get(change.file, ()), items, seconds=SECONDS),
        partial(break_and_run, plugin, session), title="breaking pages", jobs=jobs,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------- the tool

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(  # noqa: PLR0913  one argument per option
    *,
    within: Annotated[list[str] | None, typer.Option(help="only this script or folder, such as table/fold")] = None,
    only: Annotated[list[str] | None, typer.Option(help="only the change of this name, as the report gives it")] = None,
    tests: Annotated[list[str] | None, typer.Option(help="only these tests; by default those of the pages")] = None,
    sample: Annotated[int, typer.Option(help="how many of them, chosen by the seed; 0 for all")] = 0,
    seed: Annotated[int, typer.Option(help="which sample")] = 1,
    jobs: Annotated[int, typer.Option(help="processes at a time")] = os.cpu_count() or 1,
    though_red: Annotated[bool, typer.Option("--though-red", help="leave out tests that are red already")] = False,
    names: Annotated[bool, typer.Option(help="print the names of the changes, and make none")] = False,
) -> None:
    """Break scripts of the pages in turn and run the tests that load the broken one: at least one must go red."""
    files = [file for name in within or [""] for file in scripts_below(name)]
    asked = [change for file in files for change in script_changes(file) if not only or str(change) in only]
    asked = choose_changes(asked, sample=sample, seed=seed, names=names)
    raise typer.Exit(_run(asked, tests or ["tests/pages"], jobs=jobs, though_red=though_red))


def _run(asked: list[ScriptChange], tests: Sequence[str], *, jobs: int, though_red: bool) -> int:
    with tempfile.TemporaryDirectory() as folder:
        run = partial(break_all, asked=asked, jobs=jobs, though_red=though_red)
        outcomes = outcomes_of(asked, tests, run, folder)
    if outcomes is None:
        return NOT_GREEN
    survivors = survivors_of(outcomes, unreached="no test loads")
    print(f"{len(outcomes)} changes: {len(outcomes) - len(survivors)} went red, {len(survivors)} survive")
    return SURVIVORS if survivors else GREEN


if __name__ == "__main__":
    app()
