"""A house with one table whose books are compared with the table after every single event."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from baccarat.cards import Card, decks
from baccarat.house.book import Aggregate, Context, HouseCommand, decode, encode
from baccarat.house.cage_act import BringBankroll, OpenTray
from baccarat.house.filed_rules import file_rules
from baccarat.house.form import FormBook, MissingForm
from baccarat.house.house import House, HouseTable, decide_in_book
from baccarat.house.house_book import AddPit
from baccarat.house.invariant import broken_invariants
from baccarat.house.inventory import Inventory
from baccarat.house.notice import Notice
from baccarat.house.pit_book import GiveNotice
from baccarat.house.posting import POSTINGS_BY_EVENT
from baccarat.house.rule import HOUSE, HOUSE_RULES
from baccarat.house.state import Decision, HouseState, PricesByRulebook, apply_decision
from baccarat.house.stream import CAGE_STREAM, HOUSE_STREAM, Stream, pit_stream, table_stream
from baccarat.house.table_opening import OpenTable
from baccarat.house.win import WagerPrices, WinTally
from baccarat.law.rulebook import Rulebook
from baccarat.ledger import Account, Ledger, Place
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor, Approval
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted, Command
from baccarat.table.exception_report import ExceptionReported
from baccarat.table.invariant import layout
from baccarat.table.machine import Table
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit, VigorishCollected
from baccarat.table.source import KeyedCards
from baccarat.table.state import TableState
from baccarat.table.step.free_hand import RequestFreeHand
from baccarat.table.step.spoken_wager import ConfirmWager, SpeakWager
from baccarat.table.step.wagering import ChangeWager, PlaceWager, WithdrawWager
from baccarat.table.table_cards import StatedCards, TableCards
from baccarat.table.vigorish_debt import VigorishDocumented
from book_acts import in_pit
from triggers import FirstWager

S = TypeVar("S")
TABLE, OPENING, PIT_NAME = "T1", 10**9, "A"


def actor(role: Role, who: str = "", *approvals: tuple[str, Role]) -> Actor:
    """Somebody in a capacity, with those who approve."""
    return Actor(who=who or role.value, role=role, approvals=tuple(Approval(name, each) for name, each in approvals))


def decided(book: Aggregate[S], context: Context, state: S, command: HouseCommand) -> S | Refused:
    """The book after an act, or its refusal; on the way everything that holds of every book is checked."""
    outcome = book.decide(context, state, command)
    again = decode(encode(command), type(command))
    assert again == command, "a command reads back"
    if isinstance(outcome, Refused):
        assert outcome.say, "a refusal says why"
        assert outcome.cites, "and cites a clause or a house rule"
        assert {cite.paragraph for cite in outcome.cites if cite.edition == HOUSE} <= set(HOUSE_RULES)
        return outcome
    after = state
    for event in outcome.events:
        read = decode(encode(event), type(event))
        assert read == event, "an event reads back"
        assert book.tell(event).endswith("."), "an event is told in a sentence"
        assert event.cites, "with the clauses behind it"
        after = book.evolve(after, read)
        assert decode(encode(after), book.state) == after, "a book reads back"
    assert after == outcome.state, "replaying the events gives the book"
    return outcome.state


BOSS = actor(Role.PIT_BOSS, "boss")
BOSS_AND_ADMIN = actor(Role.PIT_BOSS, "boss", ("admin", Role.ADMINISTRATOR))
"""Where a goodwill limit is filed."""
ADMIN = actor(Role.ADMINISTRATOR, "admin")
ADMIN_AND_CASHIER = actor(Role.ADMINISTRATOR, "admin", ("cashier", Role.CAGE_CASHIER))
ADMIN_AND_SUPERVISOR = actor(Role.ADMINISTRATOR, "admin", ("supervisor", Role.CASINO_SUPERVISOR))
FLOOR_AND_CASHIER = actor(Role.FLOORPERSON, "floor", ("cashier", Role.CAGE_CASHIER))
DEALER_AND_FLOOR = actor(Role.DEALER, "dealer", ("floor", Role.FLOORPERSON))
TWO_COUNTERS = actor(Role.CAGE_CASHIER, "cashier", ("another cashier", Role.CAGE_CASHIER))


def taken(outcome: Decision | Refused) -> Decision:
    """An act that is to be taken."""
    assert isinstance(outcome, Decision), outcome
    return outcome


def opened_house(
    rules: Rulebook, *, prices: WagerPrices | None = None, bankroll: int = 2 * OPENING, house: House | None = None
) -> House:
    """A house with a pit and money in the cage."""
    house = house or House(rules, prices={rules.hash: prices} if prices else None)
    taken(house.do(AddPit(name=PIT_NAME), ADMIN, stream=HOUSE_STREAM))
    taken(house.do(BringBankroll(amount=bankroll), ADMIN_AND_CASHIER, stream=CAGE_STREAM))
    return house


def open_table(
    house: House, rules: Rulebook, table: str = TABLE, tray: int = OPENING, cards: StatedCards = TableCards.REAL
) -> HouseTable:
    """A table with everything announced, and chips in its tray."""
    for law in rules.edition.notices:
        for option in law.options:
            for whom in law.to:
                notice = Notice(to=whom, pit=PIT_NAME, option=option, value=rules.elects(option), sent=-999_999)
                in_pit(house, PIT_NAME, GiveNotice(notice=notice), BOSS)
    opening = OpenTable(table=table, filed=file_rules(rules), effective=0, cards=cards)
    if cards is UNSET:  # as version 1 opened tables
        pit = pit_stream(PIT_NAME)
        taken(house.append_decision(decide_in_book(house.state, rules, opening, BOSS, stream=pit, behaviour=1)))
    else:
        taken(in_pit(house, PIT_NAME, opening, BOSS_AND_ADMIN if rules.elections.goodwill_limit else BOSS))
    large = 10_000_000  # few enough chips for any tray
    chips = Inventory({large: tray // large, 100: tray % large // 100})
    taken(house.do(OpenTray(table=table, chips=chips), FLOOR_AND_CASHIER, stream=CAGE_STREAM))
    return house.table(table)


class Books(HouseTable):
    """A table of a house, which stops the test as soon as the books and the table disagree."""

    def __init__(
        self, rules: Rulebook, prices: WagerPrices | None = None, cards: StatedCards = TableCards.REAL
    ) -> None:
        house = opened_house(rules, prices=prices)
        open_table(house, rules, cards=cards)
        super().__init__(house, TABLE)
        assert broken_invariants(house.state) == []

    @property
    def ledger(self) -> Ledger:
        """The house's ledger."""
        return self.house.state.ledger

    @property
    def tally(self) -> WinTally:
        """The table's figures."""
        return self.house.state.tallies[TABLE]

    def act(self, command: HouseCommand, who: Actor, stream: Stream = CAGE_STREAM) -> None:
        """An act of the cage, or of another book."""
        taken(self.house.do(command, who, stream=stream))
        assert broken_invariants(self.house.state) == []

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Do a command, and compare the books with the table after each of its events."""
        before = self.house.state
        outcome = super().do(command, actor)
        if isinstance(outcome, Refused):
            assert self.house.state is before, "a refusal changes nothing"
        else:
            first, *others = self.house.journal[-1].appended
            assert first.stream == table_stream(TABLE)
            for index, event in enumerate(first.events):
                is_last = index == len(first.events) - 1
                one = replace(first, after=first.after + index, events=(event,))
                after = apply_decision(before, Decision((one, *others) if is_last else (one,)), self.house.prices)
                self.compare(before.tables[TABLE], after.tables[TABLE], type(event))
                if type(event) in POSTINGS_BY_EVENT and (is_last or not others):
                    assert broken_invariants(after) == [], event
                before = after
            assert before == self.house.state
        return outcome

    def compare(self, before: TableState, after: TableState, event: type) -> None:
        """Only events that are posted move money, and a marker stays until its debt is paid or written up."""
        if event not in POSTINGS_BY_EVENT:
            assert money_of(after) == money_of(before), f"{event} moves money and is not posted"
        settled = issubclass(event, VigorishCollected | VigorishDocumented | ExceptionReported)
        kept = all(after.money.markers.get(seat, 0) >= owed for seat, owed in before.money.markers.items())
        assert settled or kept, "a marker stays until its debt is paid or written up"

    def at(self, place: Place, seat: int = 0, name: str = "") -> int:
        """What lies in an account of this table, in micro-cents."""
        return self.ledger.balance(Account(place, TABLE, seat, name))


def money_of(state: TableState) -> tuple[object, ...]:
    """Everything in a state that is money."""
    chips = tuple(person.chips if person else 0 for person in state.seats.participants)
    money, meters = state.money, state.meters
    debts = (money.markers, money.receivables, money.payable, money.complimentary)
    pools = (meters.amounts, meters.reserve, meters.contributed, meters.seeded, meters.must_hit)
    return chips, layout(state), money.bank, debts, pools


def stacks(rules: Rulebook, seed: str) -> KeyedCards:
    """Real cards in an order that comes from words."""

    def order(number: int) -> list[Card]:
        cards = decks(rules.elections.decks or 8)
        return random.Random(f"{seed} {number}").sample(cards, len(cards))

    return KeyedCards(order, triggers=FirstWager(rules))


def seated(books: Books, seats: Iterable[int], amount: int = 10**7) -> None:
    """Participants with chips."""
    for seat in seats:
        assert isinstance(books.do(Sit(seat=seat, person=f"p{seat}")), Accepted)
        assert isinstance(books.do(BuyIn(seat=seat, amount=amount)), Accepted)


def wagering(chance: random.Random) -> Callable[[Table], None]:
    """A company that wagers, changes its mind, speaks, leaves and comes back."""

    def wager(table: Table) -> None:
        rules, state = table.rules, table.state
        if not rules.elections.ez and chance.random() < 0.05:
            table.do(RequestFreeHand(seat=chance.choice(state.occupied)))
        for seat in list(state.occupied):
            main = chance.choice((WagerKind.PLAYER, WagerKind.BANKER, WagerKind.BANKER))
            table.do(PlaceWager(seat=seat, on=main, stake=2500 + 100 * chance.randrange(60)))
            for kind in chance.sample(tuple(WagerKind), 4):
                table.do(PlaceWager(seat=seat, on=kind, stake=500 + 100 * chance.randrange(5)))
            if chance.random() < 0.2:
                table.do(ChangeWager(seat=seat, on=main, stake=2500 + 100 * chance.randrange(90)))
            if chance.random() < 0.1:
                table.do(WithdrawWager(seat=seat, on=chance.choice(tuple(WagerKind))))
            if chance.random() < 0.05 and seat not in (table.state.seats.curator, table.state.seats.curator_right):
                table.do(Leave(seat=seat))
                table.do(Sit(seat=seat, person="another"))
                table.do(BuyIn(seat=seat, amount=500_000))
            if chance.random() < 0.2:
                spoken = chance.choice((WagerKind.TIE, WagerKind.PLAYER))
                table.do(SpeakWager(seat=seat, on=spoken, stake=5000, cash=True))
                for by in (Role.DEALER, Role.CASINO_SUPERVISOR):
                    confirm = ConfirmWager(seat=seat, on=spoken)
                    table.do(confirm, table.usual_actor(confirm, by=by))
        if not table.state.round.wagers and table.state.round.kind.value == "wagered":
            table.do(PlaceWager(seat=table.state.occupied[0], on=WagerKind.PLAYER, stake=2500))

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


def replay_house(decisions: Iterable[Decision], prices: PricesByRulebook | None = None) -> HouseState:
    """The house that decisions lead to, from nothing."""
    state = HouseState()
    for decision in decisions:
        state = apply_decision(state, decision, prices)
    return state


def missing_forms(book: FormBook) -> dict[int, MissingForm]:
    """The numbers reported missing."""
    return {serial: paper for serial, paper in book.all_papers() if isinstance(paper, MissingForm)}
