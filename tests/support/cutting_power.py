"""Power cuts under the store itself: everything that was answered before must be there when it is opened again."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import msgspec
import pytest

from baccarat.serve.store import sqlite, sqlite_open
from baccarat.serve.store.base import StoreFault, StoreStopped
from baccarat.serve.store.sqlite import SqliteStore
from failing_disk import Disk, PowerCut
from store_model import Chance, Model, differences

STEPS = 40


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


def cut_power(seed: int, empty: Path, folder: Path, *, synchronous: str = "FULL") -> Cut:
    """Do steps by chance until the power is cut at some write or sync, and look at what is left."""
    chance = random.Random(seed)
    before, after = folder / f"{seed}-{synchronous}", folder / f"{seed}-{synchronous}-after"
    shutil.copytree(empty, before)
    after.mkdir()
    last_act = chance.randrange(1, 400)
    cut_at = [""]

    def on_act(disk: Disk, what: str) -> None:
        if disk.acts == last_act:
            disk.after_cut(after, chance)
            cut_at[0] = what
        if disk.acts >= last_act:
            raise PowerCut

    disk = Disk(before, on_act)
    answered, doing, what = Model(), Model(), "opening"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite_open, "SYNCHRONOUS", synchronous)
        patch.setattr(sqlite, "LONG_LOG", 30)  # written back often, since a cut in the middle of that is the hardest
        try:
            store = SqliteStore.open(before / "house.db", vfs=disk.name)
            for step in Chance(seed).steps(STEPS):
                doing, what = step.after, step.what
                step.act(store)
                answered = doing
                what = "rest"
                store.rest()
            what = "closing"
            store.close()
            what = "closed"
            disk.after_cut(after, chance)
        except (StoreStopped, StoreFault, PowerCut):
            assert cut_at[0], "nothing but the cut goes wrong"
    lost = look(after, answered, doing)
    shutil.rmtree(before)
    shutil.rmtree(after)
    return Cut(seed, what, cut_at[0], tuple(lost[:3]))


def look(folder: Path, answered: Model, doing: Model) -> list[str]:
    """What is missing of what was answered; what was being done is there whole, or not at all."""
    try:
        store = SqliteStore.open(folder / "house.db")
    except StoreFault as fault:
        return [str(fault)]
    try:
        wrong = differences(store, answered, dropped=doing)
        return wrong if wrong and differences(store, doing) else []
    except (StoreFault, StoreStopped) as fault:
        return [str(fault)]
    finally:
        store.close()
