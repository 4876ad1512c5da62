"""Journals of houses in which a rule of the house, unknown to a table alone, refuses what is done at a table."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import baccarat.house.house as deciding
from acting import acting
from baccarat.house.cage import drop_box_of, tray_of
from baccarat.house.cage_act import CountDrop, CountTray
from baccarat.house.gaming_day import CloseDay
from baccarat.house.inventory import Inventory
from baccarat.house.stream import CAGE_STREAM, DAY_STREAM
from baccarat.law.rulebook import rulebook
from baccarat.money import MICRO
from baccarat.record.journal_file import JournalFile
from baccarat.table.base import Accepted
from baccarat.table.meters import CorrectMeter
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.step.calling import NoMoreBetsCalled
from house_books import ADMIN, DEALER_AND_FLOOR, TWO_COUNTERS, open_table, opened_house, taken
from journaled_house import JournaledHouse
from linked_floor import RANGE, Floor
from linked_round import until_closed

LINKED = rulebook("ma-midi-4-royal9", must_hit=RANGE, goodwill_limit="$0.40")


def raised_by_a_player(monkeypatch: pytest.MonkeyPatch, *, is_last: bool) -> list[bytes]:
    """The lines of a house whose floorperson raises a meter for which she plays at another table, as in version 2."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        with JournalFile(path, sync=False) as file:
            assert not list(file.open())
            floor = Floor.opened(LINKED, 8, JournaledHouse(LINKED, file))
            table = floor.tables["T1"]
            until_closed(floor, "T1")
            called = next(at for at, event in enumerate(table.log) if isinstance(event, NoMoreBetsCalled))
            meter = next(iter(table.state.meters.amounts))
            right = CorrectMeter(corrects=called, meter=meter, amount=25 * MICRO, reason="a sensor missed a wager")
            assert isinstance(floor.tables["T2"].do(Sit(seat=2, person="Ann")), Accepted)
            with monkeypatch.context() as older:
                older.setattr(deciding, "_refuse_own_meter", lambda *_: None)
                assert isinstance(table.do(right, acting(table, right, who="Ann", second="Flo")), Accepted)
            if not is_last:
                assert isinstance(table.do(BuyIn(seat=1, amount=10_000)), Accepted)
        return path.read_bytes().splitlines(keepends=True)


def day_closed() -> list[bytes]:
    """The lines of a house that closes its day, and then lets nobody sit down."""
    rules = rulebook("ma-midi-4")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        with JournalFile(path, sync=False) as file:
            assert not list(file.open())
            house = opened_house(rules, house=JournaledHouse(rules, file))
            table = open_table(house, rules)
            assert isinstance(table.do(Sit(seat=1, person="p1")), Accepted)
            assert isinstance(table.do(BuyIn(seat=1, amount=10_000)), Accepted)
            tray, drop = (house.state.ledger.cents(of("T1")) for of in (tray_of, drop_box_of))
            taken(
                house.do(
                    CountTray(table="T1", counted=Inventory({10_000: tray // 10_000})),
                    DEALER_AND_FLOOR,
                    stream=CAGE_STREAM,
                )
            )
            taken(house.do(CountDrop(table="T1", counted=drop), TWO_COUNTERS, stream=CAGE_STREAM))
            taken(house.do(CloseDay(), ADMIN, stream=DAY_STREAM))
            assert not isinstance(table.do(Sit(seat=2, person="late")), Accepted)
        return path.read_bytes().splitlines(keepends=True)
