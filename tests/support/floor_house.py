"""A production house with pits, tables and money in the cage, as if its people had opened it some days ago."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from access_house import CHEAP, PASSWORD
from baccarat import BANKER
from baccarat.cards import Card, decks
from baccarat.house.cage_act import BringBankroll, OpenTray
from baccarat.house.filed_rules import file_rules
from baccarat.house.house_book import AddPit
from baccarat.house.inventory import Inventory
from baccarat.house.notice import Notice
from baccarat.house.pit_book import GiveNotice
from baccarat.house.stream import Stream, pit_stream
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.person import add_person
from baccarat.serve.access.session import open_session
from baccarat.serve.live import HouseServer
from baccarat.serve.route.requester import COOKIE
from baccarat.serve.runtime.house import EngineTable
from baccarat.table.actor import Actor, Approval, Envelope
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.machine import Table
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import KeyedCards
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.table_cards import TableCards

LONG_AGO = -86_400


def _enter(live: HouseServer, stream: Stream, command: Any, role: Role, *approvals: Approval) -> None:
    actor = Actor(who=role.value, role=role, approvals=approvals)
    kept = live.house.enter(stream, command, Envelope(actor=actor))
    assert kept.refused is None, kept.refused


async def open_pit(live: HouseServer, pit: str, **tables: str | Rulebook) -> None:
    """A pit with tables by name, each under a Submission or rules made of one, all of it announced long ago."""
    _enter(live, Stream("house"), AddPit(name=pit), Role.ADMINISTRATOR)
    for name, submission in tables.items():
        rules = submission if isinstance(submission, Rulebook) else rulebook(submission)
        for law in rules.edition.notices:
            for option in law.options:
                for to in law.to:
                    notice = Notice(to=to, pit=pit, option=option, value=rules.elects(option), sent=LONG_AGO)
                    if notice not in live.house.state.pits[pit].notices:
                        _enter(live, pit_stream(pit), GiveNotice(notice=notice), Role.PIT_BOSS)
        opening = OpenTable(table=name, filed=file_rules(rules), effective=0, cards=TableCards.REAL)
        limit = Approval("somebody at the cage", Role.CAGE_CASHIER, "open_table")
        _enter(live, pit_stream(pit), opening, Role.PIT_BOSS, *((limit,) if rules.elections.goodwill_limit else ()))
    await live.house.writer.wait_until_flushed()


async def fill_cage(live: HouseServer, *tables: str) -> None:
    """A bankroll, and an open tray at each table."""
    second = Approval("somebody at the cage", Role.CAGE_CASHIER)
    bankroll = BringBankroll(amount=1_000_000_00)
    _enter(live, Stream("cage"), bankroll, Role.ADMINISTRATOR, Approval(second.who, second.role, "bring_bankroll"))
    for table in tables:
        chips = Inventory({25: 400, 1_00: 500, 5_00: 400, 25_00: 400, 100_00: 300})
        _enter(
            live, Stream("cage"), OpenTray(table=table, chips=chips), Role.FLOORPERSON,
            Approval(second.who, second.role, "open_tray"),
        )  # fmt: skip
    await live.house.writer.wait_until_flushed()


async def add_named(live: HouseServer, name: str, role: Role) -> str:
    """Somebody of a name and a role, with the password of all; who it is."""
    hashed = CHEAP.hash(PASSWORD)
    made = await live.desk.change(
        lambda reads, now: add_person(reads, live.store.id, name=name, roles={role}, now=now, password=hashed)
    )
    assert not isinstance(made, Denied), made
    person: str = made.id
    return person


async def sign_on_as(live: HouseServer, page: Any, address: str, name: str, role: Role) -> str:
    """Somebody of a name and a role is signed on in a browser's page; who it is."""
    person = await add_named(live, name, role)
    issued = await live.desk.change(
        lambda reads, now: open_session(reads, person=person, role=role, now=now, lifetimes=live.desk.lifetimes)
    )
    assert not isinstance(issued, Denied), issued
    token = issued.token.reveal()
    await page.context.add_cookies([{"name": COOKIE, "value": token, "url": address, "httpOnly": True}])
    return person


async def owe_vigorish(live: HouseServer, table: str, *, patron: str, seat: int = 3) -> int:
    """A patron plays on Banker until vigorish is marked for the seat, and a new round has begun; how much, in cents."""
    at = await play_until(
        live, table, lambda at: bool(at.state.money.markers.get(seat)) and at.state.step == "wager",
        patron=patron, seat=seat,
    )  # fmt: skip
    return int(at.state.money.markers[seat])


async def play_until(
    live: HouseServer,
    table: str,
    stop: Callable[[Table], bool],
    *,
    patron: str,
    seat: int = 3,
    first: Sequence[Card] = (),
) -> EngineTable:
    """A patron plays $100.00 a round on Banker, with real cards of which some come first, until something is so."""
    at, chance = live.house.table(table), random.Random(11)
    at.do(Sit(seat=seat, person=patron))
    at.do(BuyIn(seat=seat, amount=10_000_00))

    def stack(_number: int) -> list[Card]:
        cards = list(decks(at.rules.elections.decks or 0))
        for card in first:
            cards.remove(card)
        chance.shuffle(cards)
        return [*first, *cards]

    run_until(
        at,
        KeyedCards(stack),
        stop=stop,
        wagers=lambda table: accept(table.do(PlaceWager(seat=seat, on=BANKER, stake=100_00))),
    )
    await live.house.writer.wait_until_flushed()
    return at


async def foul_shoe(live: HouseServer, table: str) -> None:
    """Every ace of spades that the shoe holds is seen, and one more comes: the floorperson confirms it."""
    ace = Card.parse("As")
    size = live.house.state.rules(table).elections.decks or 0

    def is_to_be_turned(at: Table) -> bool:
        return at.state.shoe.seen.get(str(ace)) == size and any(due.act == "turn_card" for due in at.expected)

    at = await play_until(live, table, is_to_be_turned, patron="Pat Patron", first=[ace] * size)
    position = next(due.position for due in at.expected if due.act == "turn_card")
    assert position is not None
    confirm = ConfirmCard(position=position, card=ace)
    approved = (Approval("Casey Supervisor", Role.CASINO_SUPERVISOR, confirm.name),)
    accept(at.do(confirm, Actor(who="Flora Floor", role=Role.FLOORPERSON, approvals=approved)))
    await live.house.writer.wait_until_flushed()
    assert at.state.stopped


def accept(outcome: Any) -> None:
    """An act that must be taken."""
    assert isinstance(outcome, Accepted), outcome
