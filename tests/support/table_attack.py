"""An attack: a table driven by chance alone, with corrections after every act that moves money, foul shoes and links.

Every command goes through `Walk`, whose auditor keeps books of its own. At any moment `way_out` asks whether the table
is stuck: doing only what is expected, the shoe must close, and everybody must be able to leave with what is theirs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from acting import acting
from baccarat.cards import DECK, Card
from baccarat.house.link import LINK, LinkState, display_command, join
from baccarat.house.link_entry import follow
from baccarat.law.error import InvalidSubmission
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play.hand import Side
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor
from baccarat.table.automation import command_for, perform
from baccarat.table.base import Accepted, Command, Event
from baccarat.table.card_correction import CorrectCard
from baccarat.table.correctable_event import AT_A_SEAT, CARDS, METERS
from baccarat.table.correction import Correction
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.invariant import broken_invariants
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.irregularity.exposed import ReportExposedCard
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.machine import decide
from baccarat.table.meters import CorrectMeter, JoinLink, ShowMeters
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.source import CardSource, KeyedCards
from baccarat.table.state import TableState
from baccarat.table.step.clearing import WagersReturned
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.must_hit import EndRound
from baccarat.table.step.settlement import LosersCollected
from baccarat.table.step.turning import TurnCard
from baccarat.table.step.wagering import PlaceWager
from house_books import Books
from table_walk import COMMANDS, Walk, keyed, press, sealed, stack
from triggers import sealed_triggers

RECENT = 80
"""How far back a correction looks for an event to correct."""
ODD = (1, 5, 25, 500, 2_500, 10_000, 999_999, 10**9)


class Attack:
    """One table under attack."""

    FORBIDDEN: ClassVar[tuple[type[Command], ...]] = (ShowMeters, JoinLink)
    """What nobody at the table tries by chance: false figures of a link would be shown for true afterwards."""

    def __init__(self, rules: Rulebook, seed: int, walk: Walk | None = None) -> None:
        self.chance = chance = random.Random(seed)
        electronic, rich = chance.random() < 0.2, chance.random() < 0.6
        self.walk = walk or Walk(rules, sealed(rules, seed % 1000) if electronic else keyed(rules, seed, rich=rich))
        self.short = chance.choice((0, chance.randint(8, 40), chance.randint(30, 90)))
        self.tame = chance.random() < 0.5
        """Whether absurd commands stay away, so that long lawful runs come about too."""
        seats = range(1, len(self.walk.state.seats.participants) + 1)
        for seat in chance.sample(seats, min(len(seats), chance.randint(1, 5))):
            self.arrives(seat)

    @property
    def events(self) -> int:
        """How many events there have been."""
        return len(self.walk.log)

    def arrives(self, seat: int) -> None:
        """A person with much, little or nothing."""
        self.walk.do(Sit(seat=seat, person=f"guest {seat} {self.events}"))
        chips = self.chance.choice((0, 2_500, 6_000, 50_000, 1_000_000, 1_000_000))
        if chips:
            self.walk.do(BuyIn(seat=seat, amount=chips))

    # ------------------------------------------------------------------------------------------ acts

    def refresh(self) -> None:
        """What the table is shown before anybody acts: nothing, where it is in no link."""

    def act(self) -> None:
        """One act: mostly what is due, often a correction, sometimes anything."""
        self.refresh()
        draw = self.chance.random()
        if draw < 0.60 or self.walk.state.stopped:
            self.goes_on()
        elif draw < 0.70:
            self.corrects_a_card()
        elif draw < 0.78:
            self.corrects_a_payment()
        elif draw < 0.80:
            self.corrects_a_meter()
        elif draw < 0.84:
            self.presses()
        elif draw < 0.90:
            self.errs()
        elif draw < 0.93:
            self.comes_or_goes()
        elif draw < 0.934:
            self.fouls()
        elif not self.tame:
            self.tries()

    def goes_on(self) -> None:
        """What is due; a table without wagers gets some, one without people somebody."""
        walk = self.walk
        if walk.state.stopped:
            return
        if walk.state.step == "wager" and not walk.state.round.wagers:
            walk.wager(self.chance)
        if any(not due.optional for due in walk.expected):
            self.does_what_is_due(self.short)
        else:
            self.brings_a_wager()

    def does_what_is_due(self, short: int) -> None:
        """What is due; where a false correction has used up a card's copies, another card is keyed in its place."""
        self.refresh()
        walk = self.walk
        command = command_for(walk, walk.due(), walk.source)
        if isinstance(command, EndRound) and isinstance(
            decide(walk.rules, walk.state, command, walk.usual_actor(command)), Refused
        ):
            lost = EndRound(lot=command.lot, lost="nobody knows it")
            assert isinstance(walk.do(lost, acting(walk, lost, who="Ann", second="Flo")), Accepted), (
                "a trigger that was sealed by chance blocks nobody"
            )
            return
        if isinstance(command, TurnCard) and not walk.state.shoe.root:
            seen, most = walk.state.shoe.seen, walk.state.shoe.decks
            if seen.get(str(command.card), 0) >= most:
                card = next(card for card in DECK if seen.get(str(card), 0) < most)
                assert isinstance(walk.do(replace(command, card=card)), Accepted)
                return
        walk.go_on(short=short)

    def brings_a_wager(self) -> None:
        """Somebody with money wagers, so that the round can go on."""
        walk = self.walk
        seats = walk.state.occupied or [1]
        if not walk.state.occupied:
            walk.do(Sit(seat=1, person=f"guest {self.events}"))
        for kind in (WagerKind.PLAYER, WagerKind.BANKER, WagerKind.TIE):
            limit = (walk.rules.elections.limits or {}).get(kind.value)
            walk.do(BuyIn(seat=seats[0], amount=limit.min if limit else 10_000))
            if isinstance(walk.do(PlaceWager(seat=seats[0], on=kind, stake=limit.min if limit else 10_000)), Accepted):
                return
        raise AssertionError(f"nobody can wager at {walk.state.step}: {walk.refusals[-3:]}")

    def recent(self) -> Iterator[tuple[int, Event]]:
        """The latest events with their numbers, newest first."""
        log = self.walk.log
        for number in range(len(log) - 1, max(-1, len(log) - RECENT), -1):
            yield number, log[number]

    def one_of(self, wanted: Callable[[Event], bool]) -> tuple[int, Event] | None:
        """One of the latest events of some kinds, the newest most likely."""
        found = [each for each in self.recent() if wanted(each[1])]
        return found[min(int(self.chance.expovariate(0.5)), len(found) - 1)] if found else None

    def by_two(self, command: Correction) -> Accepted | Refused:
        """A correction that the dealer asks for and the floorperson approves."""
        return self.walk.do(command, acting(self.walk, command, who="Dora", second="Flo"))

    def corrects_a_card(self) -> None:
        """Often into a pair or out of one."""
        found = self.one_of(lambda event: isinstance(event, CARDS))
        if found is None:
            return
        number, event = found
        position: int = event.position  # type: ignore[attr-defined]
        round_ = self.walk.state.round
        beside = [round_.turned[place] for hand in (round_.player, round_.banker) if position in hand
                  for place in hand[:2] if place != position and place in round_.turned]  # fmt: skip
        cards = [card for card in DECK if beside and card.rank is beside[0].rank]
        card = self.chance.choice(cards if cards and self.chance.random() < 0.5 else list(DECK))
        self.by_two(CorrectCard(reason="it was so", corrects=number, position=position, card=card))

    def corrects_a_payment(self) -> None:
        """By what was moved, by all that the seat has, or by an odd sum, up or down."""
        kinds = (*AT_A_SEAT, LosersCollected, WagersReturned, RoundVoided)
        found = self.one_of(lambda event: isinstance(event, kinds))
        if found is None:
            return
        number, event = found
        if isinstance(event, LosersCollected | WagersReturned):
            seat, moved = self.chance.choice(list(event.amounts.items()) or [(1, 1)])
        elif isinstance(event, RoundVoided):
            seat, moved = self.chance.choice(list(event.returned.items()) or [(1, 1)])
        else:
            seat = event.seat  # type: ignore[attr-defined]
            moved = getattr(event, "win", 0) or getattr(event, "amount", 0) or getattr(event, "stake", 0) or 1
        person = self.walk.state.at(seat)
        amount = self.chance.choice((moved, -moved, -(person.chips if person else 1), *ODD, *(-odd for odd in ODD)))
        self.by_two(CorrectPayment(reason="it was so", corrects=number, seat=seat, amount=amount))

    def corrects_a_meter(self) -> None:
        """Upwards, and in vain downwards."""
        found = self.one_of(lambda event: isinstance(event, METERS))
        meters = list(self.walk.auditor.meters)
        if found is None or not meters:
            return
        amount = self.chance.choice((1, 25_000_000, 10**12, 0, -1))
        meter = self.chance.choice(meters)
        self.by_two(CorrectMeter(reason="it was so", corrects=found[0], meter=meter, amount=amount))

    def presses(self) -> None:
        """House Money, by the seat that is next."""
        if self.walk.state.step == "house_money":
            press(self.walk, self.chance)

    def errs(self) -> None:
        """A card drawn in error, found face up, or seen before its turn."""
        walk, chance = self.walk, self.chance
        if not walk.state.shoe.loaded or not walk.state.shoe.left:
            return
        card, proof = walk.source.card(walk.state, walk.state.shoe.next)
        laid = [*walk.state.round.player, *walk.state.round.banker]
        draw = chance.random()
        if draw < 0.5:
            seen = chance.random() < 0.5
            to = chance.choice((None, *Side))
            walk.do(ReportErrorCard(to=to, card=card if seen else None, proof=proof if seen else None))
        elif draw < 0.75 or not laid:
            walk.do(ReportFaceUp(card=card, proof=proof))
        else:
            position = chance.choice(laid)
            card, proof = walk.source.card(walk.state, position)
            walk.do(ReportExposedCard(position=position, card=card, proof=proof))

    def comes_or_goes(self) -> None:
        """Somebody leaves, sits down or buys chips."""
        walk, chance = self.walk, self.chance
        seat = chance.randint(1, len(walk.state.seats.participants))
        if walk.state.at(seat) is None:
            self.arrives(seat)
        elif chance.random() < 0.5:
            walk.do(Leave(seat=seat))
        else:
            walk.do(BuyIn(seat=seat, amount=chance.choice((5, 2_500, 100_000))))

    def fouls(self) -> None:
        """A card that cannot be there is confirmed, and the table stops."""
        walk, shoe, round_ = self.walk, self.walk.state.shoe, self.walk.state.round
        positions = [*round_.player, *round_.banker, *shoe.burn, *shoe.exposing, shoe.next]
        full = [name for name, count in shoe.seen.items() if count >= shoe.decks]
        card = Card.parse(full[0]) if full else DECK[0]
        walk.do(ConfirmCard(position=self.chance.choice(positions), card=card))

    def tries(self) -> None:
        """A command of any kind with any arguments, by anybody."""
        self.walk.try_a(self.chance.choice([kind for kind in COMMANDS if kind not in self.FORBIDDEN]), self.chance)

    # ------------------------------------------------------------------------------------ the way out

    def way_out(self) -> None:
        """Doing only what is expected, the shoe closes and everybody leaves; the table is not stuck."""
        walk, number = self.walk, self.walk.state.shoe.number
        for _ in range(6_000):
            if walk.state.stopped or walk.state.shoe.number > number:
                break
            if any(not due.optional for due in walk.expected):
                self.does_what_is_due(self.short or 40)
            else:
                self.brings_a_wager()
        else:
            raise AssertionError(f"the shoe never closes: stuck at {walk.state.step}")
        for seat in walk.state.occupied:
            outcome = walk.do(Leave(seat=seat))
            if isinstance(outcome, Refused):
                self.settles_debt(seat, outcome)
        assert walk.state.occupied == []
        assert broken_invariants(walk.rules, walk.state) == []
        assert sum(walk.auditor.people.values()) == 0

    def settles_debt(self, seat: int, why: Refused) -> None:
        """Whoever cannot pay is written up, and leaves then; nothing else holds anybody back."""
        walk = self.walk
        owed = walk.auditor.markers.get(seat, 0)
        assert owed, f"seat {seat} cannot leave: {why}"
        while walk.auditor.markers.get(seat, 0):
            due = next(due for due in walk.expected if due.seat == seat and not due.optional)
            assert isinstance(perform(walk, due, walk.source), Accepted)
        assert isinstance(walk.do(Leave(seat=seat)), Accepted)


# ------------------------------------------------------------------------------------- in a house's books


class BookedWalk(Walk):
    """A table with a twin in a house, whose ledger follows every event."""

    def __init__(self, rules: Rulebook, source: CardSource) -> None:
        super().__init__(rules, source)
        self.books = Books(rules, cards=UNSET)

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Do a command at both: the same comes of it, and the books agree."""
        actor = actor or self.usual_actor(command)
        outcome = super().do(command, actor)
        twin = self.books.do(command, actor)
        if isinstance(command, JoinLink):
            return outcome
        assert type(twin) is type(outcome), f"{command}: {outcome} here, {twin} in the house"
        assert self.books.state == self.state
        return outcome


def booked_campaign(rules: Rulebook, seed: int, *, events: int) -> Attack:
    """One table attacked in a house."""
    attack = Attack(rules, seed, BookedWalk(rules, keyed(rules, seed, rich=True)))
    while attack.events < events and not attack.walk.state.stopped:
        attack.act()
    attack.way_out()
    return attack


# ------------------------------------------------------------------------------------------------ links


class LinkedWalk(Walk):
    """A table of a link: whatever happens here is entered there."""

    def __init__(self, rules: Rulebook, source: CardSource, floor: Floor, name: str) -> None:
        super().__init__(rules, source)
        self.floor, self.name = floor, name

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Do a command, and enter what it led to."""
        mark, before = len(self.log), self.state
        outcome = super().do(command, actor)
        self.floor.enter(self.name, mark, before, self.log[mark:])
        return outcome


class LinkedAttack(Attack):
    """A table of a link under attack; it is shown the link before anybody acts."""

    walk: LinkedWalk

    def refresh(self) -> None:
        """What the link shows now."""
        self.walk.floor.show(self.walk)


class Floor:
    """Two or three tables that share their meters, all under attack."""

    def __init__(self, rules: Rulebook, seed: int) -> None:
        self.chance = random.Random(seed)
        names = ("T1", "T2", "T3")[: self.chance.randint(2, 3)]
        linked = join(dict.fromkeys(names, rules))
        assert isinstance(linked, LinkState)
        self.rules, self.linked = rules, linked
        self.tables: dict[str, LinkedAttack] = {}
        for at, name in enumerate(names):
            cards = partial(stack_of_shoe, seed * 10 + at, rules.elections.decks or 8)
            source = KeyedCards(cards, triggers=sealed_triggers(rules, seed))
            walk = LinkedWalk(rules, source, self, name)
            joins = JoinLink(link="L")
            assert isinstance(walk.do(joins, acting(walk, joins, who="Sue", second="Max")), Accepted)
            self.tables[name] = LinkedAttack(rules, seed * 10 + at, walk)

    def show(self, walk: LinkedWalk) -> None:
        """Show a table what the link shows; one that has stopped plays no more."""
        if walk.state.stopped:
            return
        command = display_command(self.linked, walk.name, walk.state)
        if command is not None:
            outcome = walk.do(command)
            assert isinstance(outcome, Accepted), f"the link is shown: {outcome}"

    def enter(self, name: str, seq: int, before: TableState, events: list[Event]) -> None:
        """Enter what happened at a table; the link is conserved to the micro-cent."""
        entries = follow(self.rules, self.linked, table=name, seq=seq, state=before, events=events)
        assert not isinstance(entries, Refused), entries
        self.linked = LINK.replay(self.linked, entries)
        assert self.linked.is_conserved

    def act(self) -> None:
        """One act at one of the tables."""
        self.chance.choice(list(self.tables.values())).act()


def stack_of_shoe(seed: int, count: int, number: int) -> tuple[Card, ...]:
    """A rich order for every shoe."""
    return stack(seed * 100 + number, count, rich=True)


@cache
def linked_rulebooks() -> tuple[Rulebook, ...]:
    """Progressives that tables share: with a Must Hit, a reserve, a shoe that runs out, awards of a part."""
    terms = {"start": "$100.00", "ceiling": "$104.00", "contribution": "$0.25"}
    return (
        rulebook("ma-midi-4-royal9", must_hit=terms, reserve_share_bp=2500),
        rulebook("ma-midi-4-royal9", must_hit=terms, cover_card_depth=1),
        rulebook("ma-midi-1-royal9"),
        rulebook("ma-midi-1-royal9", reserve_share_bp=1000),
    )


def linked_campaign(rules: Rulebook, seed: int, *, events: int) -> Floor:
    """Linked tables attacked until they have so many events, and let go then."""
    floor = Floor(rules, seed)
    while sum(attack.events for attack in floor.tables.values()) < events:
        floor.act()
        if all(attack.walk.state.stopped for attack in floor.tables.values()):
            break
    for attack in floor.tables.values():
        attack.way_out()
        attack.walk.replays()
    return floor


CHOICES: dict[str, tuple[Any, ...]] = {
    "decks": (6, 8),
    "seat_one": ("dealer_left", "dealer_right"),
    "opposite_bets": (False, True),
    "match_play": (False, True),
    "verbal_wagers": (False, True),
    "recut_by": ("next_entitled", "last_cutter"),
    "cover_card_depth": (14, 20, 40, 1),
    "reshuffle_after_lace": ("none", "all"),
    "vig_collection": ("at_payout", "deferred"),
    "disclosed_correct_card": ("stays", "set_aside"),
    "house_money_portion": ([1, 1], [1, 2], [2, 3]),
    "press_over_max": (False, True),
    "disclosed_third_card": ("simulated_round", "discard_two"),
    "squeeze_eligible": ("seated", "bettors"),
    "burn_exposure": ("face_up", "face_down"),
    "cut_mode": ("offer_players", "dealer_cuts"),
    "free_hand": (False, True),
    "settlement_option": (1, 2, 3, 4),
    "reveal": ("face_up", "face_down"),
    "allow_other_side": (False, True),
    "disclosed_card_procedure": (1, 2, 3),
    "ten_value_extra": (1, 10),
    "nj_disclosed_banker_third": ("banker_takes_it", "filed_procedure"),
    "face_up_ten_extra": (0, 1),
    "banker_first_on_request": (False, True),
    "shuffle_method": (1, 2),
    "reserve_share_bp": (0, 1000),
}
"""What a licensee may file, as far as it makes a table go another way."""


def varied(name: str, seed: int) -> Rulebook:
    """A shipped Submission with some things filed otherwise; what its edition does not admit is left as it was."""
    chance = random.Random(seed)
    changes = {key: chance.choice(CHOICES[key]) for key in chance.sample(sorted(CHOICES), 9)}
    while True:
        try:
            return rulebook(name, **changes)
        except InvalidSubmission as error:
            wrong = {fault.where.split(".")[0].split("[")[0] for fault in error.faults} & set(changes)
            for key in wrong or {next(iter(changes))}:
                del changes[key]


def campaign(rules: Rulebook, seed: int, *, events: int) -> Attack:
    """One table attacked until it has so many events, and let go then."""
    attack = Attack(rules, seed)
    while attack.events < events and not attack.walk.state.stopped:
        attack.act()
    attack.way_out()
    attack.walk.replays()
    return attack
