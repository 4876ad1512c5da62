"""Disk full, and errors of writing, syncing and reading, wherever they can come: the store stops for good."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from baccarat.house.stream import Stream
from baccarat.serve.store import sqlite
from baccarat.serve.store.base import Batch, Store, StoreUnavailable
from baccarat.serve.store.sqlite import SqliteStore
from cutting_power import look, prepare
from failing_disk import Disk
from store_model import Chance, Model

STEPS, SEED = 8, 52
"""So many steps that come by chance from this number: they are of every kind."""


def fails_at(number: int, kind: str, error: type[apsw.Error], acts: list[str]) -> Callable[[Disk, str], None]:
    """A disk on which the nth act of a kind fails; whatever is asked of it afterwards is noted."""
    seen = [0]

    def on_act(_disk: Disk, what: str) -> None:
        if seen[0] == number:
            acts.append(what)
        elif what == kind:
            seen[0] += 1
            if seen[0] == number:
                raise error

    return on_act


def run(store: SqliteStore) -> tuple[Model, Model, bool]:
    """What was answered, what was being done last, and whether the store came to the end of all steps."""
    answered = doing = Model()
    try:
        for step in Chance(SEED).steps(STEPS):
            doing = step.after
            step.act(store)
            answered = doing
            store.do_idle_work()
        store.close()
    except StoreUnavailable:
        return answered, doing, False
    return answered, doing, True


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "error"),
    [("write", apsw.FullError), ("write", apsw.IOError), ("sync", apsw.IOError), ("truncate", apsw.IOError)],
)
def test_after_an_error_nothing_is_tried_again_and_nothing_that_was_answered_is_lost(
    kind: str, error: type[apsw.Error], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {step.what.split()[0] for step in Chance(SEED).steps(STEPS)} >= {"a", "archive", "drop"}
    monkeypatch.setattr(sqlite, "LONG_LOG", 20)
    empty = tmp_path / "empty"
    empty.mkdir()
    prepare(empty)
    for number in range(1, 10_000):
        folder, acts = tmp_path / f"{kind} {number}", list[str]()
        shutil.copytree(empty, folder)
        disk = Disk(folder, fails_at(number, kind, error, acts))
        store = SqliteStore.open(folder / "house.db", vfs=disk.name)
        answered, doing, is_done = run(store)
        if is_done:
            assert number > 1, f"there was no {kind} at all"
            return
        check_stopped(store)
        store.close()
        assert acts == [], "a disk that has failed is left alone"
        assert look(folder, answered, doing) == []
        shutil.rmtree(folder)
    raise AssertionError("the run never came to its end")


def check_stopped(store: Store) -> None:
    """Every call is refused."""
    calls: list[Callable[[], object]] = [
        lambda: store.append(Batch()),
        store.heads,
        lambda: store.entries(Stream("cage")),
        lambda: store.answer("1", "p1"),
        store.latest_snapshot,
        store.do_idle_work,
        lambda: store.archive(Stream("cage"), 0),
        lambda: store.drop_before(Stream("cage"), 1),
        lambda: store.erase(["p1"]),
        lambda: store.read("select 1"),
    ]
    for call in calls:
        with pytest.raises(StoreUnavailable, match="storage error"):
            call()


def test_an_error_of_reading_stops_the_store(tmp_path: Path) -> None:
    prepare(tmp_path)
    store = SqliteStore.open(tmp_path / "house.db")
    run(store)
    broken = [False]

    class BadFile(apsw.VFSFile):
        def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
            if broken[0]:
                raise apsw.IOError
            return super().xRead(amount, offset)

    class BadDisk(apsw.VFS):
        def __init__(self) -> None:
            super().__init__("bad to read", base="")

        def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
            return BadFile("", name, flags)

    disk = BadDisk()
    store = SqliteStore.open(tmp_path / "house.db", vfs="bad to read")
    reader = store.reader()
    broken[0] = True
    for reads in (store, reader):
        with pytest.raises(StoreUnavailable, match="storage error"):
            reads.entries(Stream("table 1"), limit=10**6)
        with pytest.raises(StoreUnavailable, match="storage error"):
            reads.heads()
    broken[0] = False
    with pytest.raises(StoreUnavailable):
        store.append(Batch())
    store.close()
    disk.unregister()
