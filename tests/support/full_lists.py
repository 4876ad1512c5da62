"""A house in which every list of the interface has several pages, and each of which can grow by one more."""

from __future__ import annotations

from typing import Any

from access_house import CHEAP
from baccarat.house.cage_act import BringBankroll, CashOut
from baccarat.house.gaming_day import CloseDay, OpenDay
from baccarat.house.notice import Notice
from baccarat.house.pit_book import GiveNotice
from baccarat.house.stream import Stream, pit_stream
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.person import add_person
from baccarat.serve.live import HouseServer
from baccarat.table.actor import Actor, Approval, Envelope
from baccarat.table.role import Role
from floor_house import LONG_AGO, open_pit, play_until

TABLE = "east 1"
DAYS = 3
SHOES = 2
PEOPLE = 3


def enter(live: HouseServer, stream: Stream, command: Any, role: Role, *, is_refused: bool = False) -> None:
    """An act in a book, approved where it takes two; done, or refused where that is wanted."""
    second = Approval("somebody at the cage", Role.CAGE_CASHIER, command.__struct_config__.tag)
    entered = live.house.enter(stream, command, Envelope(actor=Actor(who="somebody", role=role, approvals=(second,))))
    assert (entered.refused is not None) is is_refused, entered


async def fill_lists(live: HouseServer) -> None:
    """Rounds of several shoes at a table, days, notices of two pits, slips with refusals between them, people."""
    for number in range(1, DAYS + 1):
        enter(live, Stream("day"), CloseDay(), Role.CASINO_SUPERVISOR)
        enter(live, Stream("day"), OpenDay(name=f"day {number}"), Role.CASINO_SUPERVISOR)
    await open_pit(live, "east", **{TABLE: "ma-midi-4"})
    await open_pit(live, "west")
    for _ in range(3):
        grow_slips(live)
    await play_until(live, TABLE, lambda at: at.state.shoe.number == SHOES, patron="Pat Patron")
    at = live.house.table(TABLE)
    assert at.state.shoe.number == SHOES
    await grow_round(live)
    for number in range(PEOPLE):
        await grow_people(live, f"Somebody {number}")
    await live.house.writer.wait_until_flushed()


async def grow(live: HouseServer) -> None:
    """One more of everything that is listed, but for days: this one does not close while a round is in play."""
    given = len(live.house.state.pits["west"].notices)
    notice = Notice(to="surveillance", pit="west", option="decks", value=6, sent=LONG_AGO + 60 * given)
    enter(live, pit_stream("west"), GiveNotice(notice=notice), Role.PIT_BOSS)
    grow_slips(live)
    await grow_round(live)
    await grow_people(live, f"Somebody else {given}")
    await live.house.writer.wait_until_flushed()


def grow_slips(live: HouseServer) -> None:
    """A slip of the cage, and two acts that the cage refuses: they are on record and are no slips."""
    enter(live, Stream("cage"), BringBankroll(amount=1_000_00), Role.ADMINISTRATOR)
    for _ in range(2):
        enter(live, Stream("cage"), CashOut(amount=10_000_000_00), Role.CAGE_CASHIER, is_refused=True)


async def grow_round(live: HouseServer) -> None:
    """One more round."""
    number = live.house.table(TABLE).state.round.number
    await play_until(live, TABLE, lambda at: at.state.round.number > number, patron="Pat Patron")


async def grow_people(live: HouseServer, name: str) -> None:
    """One more person, and with that a line in the access log."""
    hashed = CHEAP.hash("correct horse battery")
    made = await live.desk.change(
        lambda reads, now: add_person(reads, live.store.id, name=name, roles={Role.DEALER}, now=now, password=hashed)
    )
    assert not isinstance(made, Denied), made
