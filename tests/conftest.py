"""What every test run shares: repeatable examples, marks that name real clauses, and the list of what shows what."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import settings

from baccarat.law.error import UnknownClause
from clause_marks import SHOWN, resolve, shown_by

settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("repeatable")

HERE = Path(__file__).parent
NARROWING = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf", "last_failed")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that writes the list anew; `pytest --collect-only -q --write-shown` runs no test."""
    parser.addoption("--write-shown", action="store_true", help="write law/shown.json from the marks of all tests")


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


def why_not_whole(session: pytest.Session) -> str | None:
    """What the command line left out of this run; None if nothing, and then every test file is in it."""
    config = session.config
    if Path(config.invocation_params.dir) != HERE.parent or config.args != config.getini("testpaths"):
        return f"only {' '.join(config.args)} was asked for"
    narrowed = [name for name in NARROWING if config.getoption(name, default=None)]
    if narrowed:
        return f"narrowed by {', '.join(narrowed)}"
    there = {path.name for path in HERE.glob("test_*.py")}
    found = {item.path.name for item in session.items}
    assert found == there, f"test files that hold no test, or lie elsewhere: {sorted(there ^ found)}"
    return None


@pytest.fixture
def written_down(request: pytest.FixtureRequest) -> bytes:
    """The list of what shows what, of this very run; a narrowed run cannot know it."""
    why = why_not_whole(request.session)
    if why is not None:
        pytest.skip(f"the whole suite is needed: {why}")
    return as_file(request.session)
