"""Power cuts under the store itself: everything that was answered before must be there when it is opened again."""

from __future__ import annotations

import random
import shutil
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from baccarat.serve.store import sqlite, sqlite_open
from baccarat.serve.store.base import StoreError, StoreUnavailable
from baccarat.serve.store.sqlite import SqliteStore
from failing_disk import Disk, PowerCut
from store_model import Chance, Model, differences

STEPS = 40
AS_IT_IS = "as it is"
"""How the store itself waits for the disk; anything else is a planted fault."""


class Cut(msgspec.Struct, frozen=True):
    """What came of one power cut."""

    seed: int
    step: str
    act: str
    lost: tuple[str, ...] = ()
    """What is not as it was answered; empty if all is well."""


def prepare(folder: Path) -> None:
    """An empty store, from which every run starts."""
    SqliteStore.open(folder / "house.db").close()


def cut_power(seed: int, empty: Path, folder: Path, *, synchronous: str = AS_IT_IS) -> Cut:
    """Do steps by chance until the power is cut at some write or sync, look at what is left, go on, and cut again.

    It is a copy that is looked at, so that the second run begins with what the first cut left, recovery included.
    """
    chance = random.Random(seed)
    folders = [folder / f"{seed} {synchronous} {number}" for number in range(3)]
    shutil.copytree(empty, folders[0])
    found, cut = Model(), Cut(seed, "nothing", "")
    for before, after in pairwise(folders):
        after.mkdir()
        cut, answered, doing = _run(chance, before, after, found, seed, synchronous)
        shutil.copytree(after, looked := folder / f"{after.name} looked at")
        lost, found = judge(looked, answered, doing)
        shutil.rmtree(looked)
        if lost:
            cut = replace(cut, lost=tuple(lost[:3]))
            break
    for each in folders:
        shutil.rmtree(each, ignore_errors=True)
    return cut


def _run(
    chance: random.Random, before: Path, after: Path, model: Model, seed: int, synchronous: str
) -> tuple[Cut, Model, Model]:
    """One run up to its cut: where that fell, what had been answered, and what was being done."""
    last_act = chance.randrange(1, 400)
    cut_at = [""]

    def on_act(disk: Disk, what: str) -> None:
        if disk.acts == last_act:
            disk.after_cut(after, chance)
            cut_at[0] = what
        if disk.acts >= last_act:
            raise PowerCut

    disk = Disk(before, on_act)
    answered, doing, what = model, model, "opening"
    with pytest.MonkeyPatch.context() as patch:
        if synchronous != AS_IT_IS:
            patch.setattr(sqlite_open, "SYNCHRONOUS", synchronous)
        patch.setattr(sqlite, "LONG_LOG", 30)  # written back often, since a cut in the middle of that is the hardest
        try:
            store = SqliteStore.open(before / "house.db", vfs=disk.name)
            for step in Chance(seed, after=model).steps(STEPS):
                doing, what = step.after, step.what
                step.act(store)
                answered = doing
                what = "rest"
                store.do_idle_work()
            what = "closing"
            store.close()
            what = "closed"
            disk.after_cut(after, chance)
        except (StoreUnavailable, StoreError, PowerCut):
            assert cut_at[0], "nothing but the cut goes wrong"
    return Cut(seed, what, cut_at[0]), answered, doing


def look(folder: Path, answered: Model, doing: Model) -> list[str]:
    """What is missing of what was answered; what was being done is there whole, or not at all."""
    return judge(folder, answered, doing)[0]


def judge(folder: Path, answered: Model, doing: Model) -> tuple[list[str], Model]:
    """What is missing of what was answered, and what the store holds if nothing is."""
    try:
        store = SqliteStore.open(folder / "house.db")
    except StoreError as fault:
        return [str(fault)], answered
    try:
        if not differences(store, doing):
            return [], doing
        return differences(store, answered, dropped=doing), _with_drops(store, answered)
    except (StoreError, StoreUnavailable) as fault:
        return [str(fault)], answered
    finally:
        store.close()


def _with_drops(store: SqliteStore, model: Model) -> Model:
    """The model with what a drop that was cut off had let go of by then."""
    found = model.copy()
    for name, entries in found.streams.items():
        stored = store.entries(name, limit=1)
        found.first[name] = stored[0].seq if stored else len(entries)
    return found
