"""Speed of the house: postings compared with a ledger that copies every balance, and acts with those of a bare table.

Run: make bench, or .venv/bin/python bench/house.py

Seconds are processor time. Each pair is timed alternately in one run, so that other load on a shared machine slows both
alike; the ratio is the median over the turns.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import median

from baccarat.cards import Card, decks
from baccarat.house.cage_act import BringBankroll, OpenTray
from baccarat.house.filed_rules import file_rules
from baccarat.house.house import House
from baccarat.house.house_book import AddPit
from baccarat.house.inventory import Inventory
from baccarat.house.state import Decision
from baccarat.house.stream import CAGE_STREAM, HOUSE_STREAM, pit_stream
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.ledger import NEVER_ABOVE_ZERO, NEVER_BELOW_ZERO, Account, Ledger, Leg, Place, Posting
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor, Approval
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted, Command
from baccarat.table.machine import Table
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import KeyedCards
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.table_cards import TableCards

TURNS, POSTINGS = 9, 300
ACCOUNTS = (50, 500, 5_000, 50_000)


def copying(balances: dict[Account, int], posting: Posting) -> dict[Account, int]:
    """The balances after a posting, all of them copied: how the ledger worked before."""
    after = dict(balances)
    for leg in posting.legs:
        account, amount = leg.account, after.get(leg.account, 0) + leg.amount
        assert amount >= 0 or account.place not in NEVER_BELOW_ZERO
        assert amount <= 0 or account.place not in NEVER_ABOVE_ZERO
        after[account] = amount
        if not amount:
            del after[account]
    return after


def timed(act: Callable[[], object]) -> float:
    """The processor seconds of an act."""
    start = time.process_time()
    act()
    return time.process_time() - start


def ledgers(accounts: int) -> None:
    """Postings of two legs, one after another, into books with this many accounts."""
    tray = Account(Place.TRAY, "T1")
    seats = [Account(Place.CHIPS, f"T{number // 9}", number % 9 + 1) for number in range(accounts)]
    fresh = Ledger().post(*(Posting(what="buy-in", legs=(Leg(tray, -100), Leg(seat, 100))) for seat in seats))
    chance = random.Random(accounts)
    postings = [Posting(what="w", legs=(Leg(chance.choice(seats), 1), Leg(tray, -1))) for _ in range(POSTINGS)]

    def shared() -> Ledger:
        ledger = fresh
        for posting in postings:
            ledger = ledger.post(posting)
        return ledger

    def copied() -> dict[Account, int]:
        balances = fresh.balances
        for posting in postings:
            balances = copying(balances, posting)
        return balances

    assert shared().balances == copied()
    pairs = [(timed(shared), timed(copied)) for _ in range(TURNS)]
    rate = POSTINGS / min(new for new, _ in pairs)
    print(f"{accounts:>9,} {rate:>16,.0f} {median(old / new for new, old in pairs):>22.1f}")


def stack(number: int) -> list[Card]:
    """The cards of a shoe in a random order."""
    return random.Random(number).sample(decks(8), 416)


def recorded(rules: Rulebook) -> list[Command]:
    """The commands of one shoe with nine seats."""
    commands: list[Command] = []

    class Recorded(Table):
        def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
            commands.append(command)
            return super().do(command, actor)

    def company(table: Table) -> None:
        for seat in range(1, 10):
            table.do(
                PlaceWager(seat=seat, on=WagerKind.PLAYER if seat % 2 else WagerKind.BANKER, stake=2500 + 100 * seat)
            )

    table = Recorded(rules)
    for seat in range(1, 10):
        table.do(Sit(seat=seat, person=f"guest {seat}"))
        table.do(BuyIn(seat=seat, amount=10**9))
    run_until(table, KeyedCards(stack), stop=lambda table: table.state.shoe.number == 1, wagers=company)
    return commands


def opened(rules: Rulebook) -> House:
    """A house with one table."""
    house, who = House(rules), _person
    for act, actor, stream in (
        (AddPit(name="A"), who("admin"), HOUSE_STREAM),
        (BringBankroll(amount=10**12), who("admin", "cashier"), CAGE_STREAM),
        (
            OpenTable(table="T1", filed=file_rules(rules), effective=0, cards=TableCards.REAL),
            who("boss"),
            pit_stream("A"),
        ),
        (OpenTray(table="T1", chips=Inventory({100: 10**9})), who("floor", "cashier"), CAGE_STREAM),
    ):
        outcome = house.do(act, actor, stream=stream)
        assert isinstance(outcome, Decision), outcome
    return house


def _person(who: str, second: str = "") -> Actor:
    roles = {
        "admin": Role.ADMINISTRATOR, "cashier": Role.CAGE_CASHIER, "boss": Role.PIT_BOSS, "floor": Role.FLOORPERSON,
    }  # fmt: skip
    return Actor(who=who, role=roles[who], approvals=(Approval(second, roles[second]),) if second else ())


def acts(name: str) -> None:
    """A shoe at a table of a house, posted and counted, compared with the same shoe at a lone table."""
    rules = rulebook(name)
    commands = recorded(rules)

    def alone() -> None:
        table = Table(rules)
        for command in commands:
            table.do(command)

    def in_house() -> None:
        table = opened(rules).table("T1")
        for command in commands:
            table.do(command)

    pairs = [(timed(in_house), timed(alone)) for _ in range(3)]
    rate = len(commands) / min(house for house, _ in pairs)
    print(f"{name:<16} {rate:>10,.0f} {median(house / table for house, table in pairs):>16.2f}")


def main() -> None:
    """Print both tables."""
    print(f"{'accounts':>9} {'postings/second':>16} {'copying is slower by':>22}")
    for accounts in ACCOUNTS:
        ledgers(accounts)
    print(f"\n{'':<16} {'acts/second':>10} {'times a bare table':>18}")
    acts("ma-midi-4")


if __name__ == "__main__":
    main()
