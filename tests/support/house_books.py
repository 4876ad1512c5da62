"""Books kept beside a table: every event posted and counted, and compared with the table's own state."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from baccarat.cards import Card, decks
from baccarat.house.cage import Inventory, bankroll, open_tray, tray_of
from baccarat.house.posting import MOVES, MUST_HIT, ROYAL9, postings_of, seeds_of
from baccarat.house.win import Tally, WagerPrices, count, count_cage
from baccarat.law.rulebook import Rulebook
from baccarat.ledger import Account, Ledger, Movement, Place, Posting
from baccarat.money import MICRO
from baccarat.play.refusal import Refused
from baccarat.play.wager import Kind
from baccarat.play.wager.royal9 import progressive
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted, Command, Event
from baccarat.table.invariant import layout
from baccarat.table.machine import Table, evolve
from baccarat.table.owing import ExceptionReported, VigorishDocumented
from baccarat.table.people import BuyIn, Leave, Sit, VigorishCollected
from baccarat.table.role import Role
from baccarat.table.source import KeyedCards
from baccarat.table.state import State
from baccarat.table.step.wagering import (
    ChangeWager,
    ConfirmWager,
    PlaceWager,
    RequestFreeHand,
    SpeakWager,
    WithdrawWager,
)

TABLE, OPENING = "T1", 10**9


class Books(Table):
    """A table with its ledger and its tally, which stops the test as soon as they disagree."""

    def __init__(self, rules: Rulebook, prices: WagerPrices | None = None) -> None:
        super().__init__(rules)
        self.prices, self.brought = prices, 0
        self.ledger, self.tally = Ledger().post(*bankroll(2 * OPENING)), Tally(table=TABLE)
        tray = open_tray(rules, self.ledger, table=TABLE, tray=Inventory({100: OPENING // 100}))
        assert not isinstance(tray, Refused)
        progress = progressive(rules)
        self.seeds = sum(meter.seed for meter in progress.meters) if progress else 0
        self.post((*tray, *seeds_of(rules, table=TABLE)))
        self.agrees(self.state)

    def post(self, postings: tuple[Posting, ...]) -> None:
        """Acts of the cage."""
        self.ledger = self.ledger.post(*postings)
        self.tally = count_cage(self.tally, postings)
        self.brought += sum(posting.amount(tray_of(TABLE)) for posting in postings)

    def do(self, command: Command) -> Accepted | Refused:
        """Do a command, and keep the books of it."""
        state = self.state
        outcome = super().do(command)
        if isinstance(outcome, Accepted):
            for event in outcome.events:
                state = self.enter(state, event)
        return outcome

    def enter(self, state: State, event: Event) -> State:
        """Post one event, and compare."""
        made = postings_of(self.ledger, event, table=TABLE)
        assert not made or type(event) in MOVES
        held = self.ledger.in_issue
        self.ledger = self.ledger.post(*made)
        if all(posting.movement is Movement.WITHIN for posting in made):
            assert self.ledger.in_issue == held, "nothing is made or lost"
        self.tally = count(self.tally, event, made, self.prices)
        after = evolve(state, event)
        settled = isinstance(event, VigorishCollected | VigorishDocumented | ExceptionReported)
        kept = all(after.money.markers.get(seat, 0) >= owed for seat, owed in state.money.markers.items())
        assert settled or kept, "a marker stays until its debt is paid or written up"
        if type(event) in MOVES:
            self.agrees(after)
        else:
            assert money_of(after) == money_of(state), f"{event} moves money and is not posted"
        return after

    def at(self, place: Place, seat: int = 0, name: str = "") -> int:
        """What lies in an account of this table, in micro-cents."""
        return self.ledger.balance(Account(place, TABLE, seat, name))

    def agrees(self, state: State) -> None:
        """Account by account, the ledger is the state."""
        for seat, person in enumerate(state.seats.participants, start=1):
            assert self.at(Place.CHIPS, seat) == (person.chips if person else 0) * MICRO
            assert self.at(Place.PAYABLE, seat) == state.money.payable.get(seat, 0) * MICRO
            marked = state.money.markers.get(seat, 0)
            assert self.at(Place.MARKER, seat) == marked * MICRO
            assert self.at(Place.DEBT, seat) == -marked * MICRO
        for patron, owing in state.money.receivables.items():
            assert self.at(Place.RECEIVABLE, name=patron) == owing * MICRO
            assert self.at(Place.DEBT, name=patron) == -owing * MICRO
        assert self.ledger.total(Place.LAYOUT, TABLE) == layout(state) * MICRO
        assert self.at(Place.TRAY) + self.at(Place.DROP) == self.brought + state.money.bank * MICRO
        assert {name: self.at(Place.POOL, name=name) for name in state.meters.amounts} == state.meters.amounts
        assert self.at(Place.POOL, name=MUST_HIT) == state.meters.must_hit * MICRO
        assert self.at(Place.RESERVE) == state.meters.reserve
        assert self.at(Place.FUNDING, name=ROYAL9) == -state.meters.contributed
        assert self.at(Place.SEEDING, name=ROYAL9) == -(state.meters.seeded + self.seeds)
        assert self.at(Place.FORM) == -self.at(Place.COMPLIMENTARY) == state.money.complimentary * MICRO


def money_of(state: State) -> tuple[object, ...]:
    """Everything in a state that is money."""
    chips = tuple(person.chips if person else 0 for person in state.seats.participants)
    debts = (state.money.markers, state.money.receivables, state.money.payable, state.money.complimentary)
    pools = (
        state.meters.amounts,
        state.meters.reserve,
        state.meters.contributed,
        state.meters.seeded,
        state.meters.must_hit,
    )
    return chips, layout(state), state.money.bank, debts, pools


def stacks(rules: Rulebook, seed: str) -> KeyedCards:
    """Real cards in an order that comes from words."""

    def order(number: int) -> list[Card]:
        cards = decks(rules.elections.decks or 8)
        return random.Random(f"{seed} {number}").sample(cards, len(cards))

    return KeyedCards(order)


def seated(books: Books, seats: Iterable[int], amount: int = 10**7) -> None:
    """Participants with chips."""
    for seat in seats:
        assert isinstance(books.do(Sit(seat=seat, who=f"p{seat}")), Accepted)
        assert isinstance(books.do(BuyIn(seat=seat, amount=amount)), Accepted)


def wagering(chance: random.Random) -> Callable[[Table], None]:
    """A company that wagers, changes its mind, speaks, leaves and comes back."""

    def wager(table: Table) -> None:
        rules, state = table.rules, table.state
        if not rules.elections.ez and chance.random() < 0.05:
            table.do(RequestFreeHand(seat=chance.choice(state.occupied)))
        for seat in list(state.occupied):
            main = chance.choice((Kind.PLAYER, Kind.BANKER, Kind.BANKER))
            table.do(PlaceWager(seat=seat, on=main, stake=2500 + 100 * chance.randrange(60)))
            for kind in chance.sample(tuple(Kind), 4):
                table.do(PlaceWager(seat=seat, on=kind, stake=500 + 100 * chance.randrange(5)))
            if chance.random() < 0.2:
                table.do(ChangeWager(seat=seat, on=main, stake=2500 + 100 * chance.randrange(90)))
            if chance.random() < 0.1:
                table.do(WithdrawWager(seat=seat, on=chance.choice(tuple(Kind))))
            if chance.random() < 0.05 and seat not in (table.state.seats.curator, table.state.seats.curator_right):
                table.do(Leave(seat=seat))
                table.do(Sit(seat=seat, who="another"))
                table.do(BuyIn(seat=seat, amount=500_000))
            if chance.random() < 0.2:
                spoken = chance.choice((Kind.TIE, Kind.PLAYER))
                table.do(SpeakWager(seat=seat, on=spoken, stake=5000, cash=True))
                for by in (Role.DEALER, Role.CASINO_SUPERVISOR):
                    table.do(ConfirmWager(seat=seat, on=spoken, by=by))
        if not table.state.round.wagers and table.state.round.kind.value == "wagered":
            table.do(PlaceWager(seat=table.state.occupied[0], on=Kind.PLAYER, stake=2500))

    return wager


def play_shoe(books: Books, seed: str, *, shoes: int = 1) -> None:
    """Whole shoes by automation."""
    chance, last = random.Random(seed), books.state.shoe.number + shoes
    run_until(
        books,
        stacks(books.rules, seed),
        stop=lambda table: table.state.shoe.number >= last or bool(table.state.stopped),
        wagers=wagering(chance),
    )
