"""Journals of houses: three linked tables, played by chance, with cage, pit and link; and one with a form book."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from acting import acting
from baccarat.law.rulebook import rulebook
from baccarat.record.journal_file import JournalFile
from baccarat.table.base import Accepted
from baccarat.table.vigorish_form import ReceiveForms, VoidForm
from house_books import open_table, opened_house
from journaled_house import JournaledHouse
from linked_floor import NAMES, RANGE, Floor

RULES, NEW_JERSEY = rulebook("ma-midi-4-royal9", must_hit=RANGE), rulebook("nj-punto-banco")


@cache
def house_bytes(acts: int = 240) -> bytes:
    """The file of such a house after so many acts."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        with JournalFile(path, sync=False) as file:
            assert not list(file.open())
            floor = Floor.opened(RULES, 3, JournaledHouse(RULES, file))
            for act in range(acts):
                floor.act(NAMES[act * 7 % 5 % 3], check=False)
            assert floor.linked.royal9.contributed
        return path.read_bytes()


@cache
def form_journal() -> list[bytes]:
    """The lines of a house with one table, which takes forms and voids one."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        with JournalFile(path, sync=False) as file:
            assert not list(file.open())
            table = open_table(opened_house(NEW_JERSEY, house=JournaledHouse(NEW_JERSEY, file)), NEW_JERSEY)
            for command in (ReceiveForms(first=1, last=5), VoidForm(serial=1)):
                assert isinstance(table.do(command, acting(table, command, who="clerk", second="boss")), Accepted)
        return path.read_bytes().splitlines(keepends=True)


def house_journal(acts: int = 240) -> list[bytes]:
    """Its lines."""
    return house_bytes(acts).splitlines(keepends=True)
