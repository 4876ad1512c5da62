"""State: what is on the table now. Hidden cards are positions; no card is known here before it is turned."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from baccarat.table.bounds import Micro
from baccarat.table.reveal_deadline import StatedDeadline
from baccarat.table.round_state import Round
from baccarat.table.shoe_state import Shoe
from baccarat.table.table_cards import ELECTRONIC_CARDS, StatedCards
from baccarat.table.witness_keys import StatedWitnesses
from baccarat.values import short_repr

DEALER = 0
"""The seat number that represents the dealer where a seat could act."""


class Participant(msgspec.Struct, frozen=True, gc=False):
    """A person at a seat, and the chips before that person, in cents."""

    who: str
    chips: int = 0


REVEALED, DISPROVED = "revealed", "disproved"
"""What else may have happened to a seed when its shoe is closed."""


class Flow(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What has gone into a meter and out of it at this table, and what a link of tables added or took, in cents."""

    contributed: int = 0
    seeded: int = 0
    paid: int = 0
    elsewhere: int = 0


class Seats(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The people: who sits where, who deals, who has the shoe and who was offered it."""

    participants: tuple[Participant | None, ...] = ()
    dealers: tuple[str, ...] = ("dealer",)
    relieved: dict[str, tuple[int, int]] = {}
    """Who has gone off the game, in the one form of a name that its spellings share, and in which shoe and round last;
    in round 0, if nothing of the round had been dealt."""
    curator: int | None = None
    """The seat that deals from the shoe, or DEALER; None while it is on offer, or where no document has a curator."""
    curator_right: int | None = None
    """The seat that holds the right to the shoe while the dealer deals for it."""
    shoe_offers: tuple[int, ...] = ()
    """The seats that have declined the shoe since it was last on offer."""
    must_pass: bool = False
    passed_by: int | None = None
    given_up: bool = False
    """Whether the shoe is on offer because somebody passed it, not because play commences."""
    last_curator: int | None = None
    last_cutter: int | None = None
    free_hands: int = 0
    """How many Free Hands have been dealt in a row."""

    def __repr__(self) -> str:
        people = [
            f"{number} {person.who}" for number, person in enumerate(self.participants, start=1) if person is not None
        ]
        return short_repr(self, f"{len(people)} of {len(self.participants)} taken: {', '.join(people)}")

    def with_person(self, seat: int, person: Participant | None) -> Seats:
        """The same people, with another person at a seat, or nobody."""
        return replace(self, participants=(*self.participants[: seat - 1], person, *self.participants[seat:]))


class Money(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What the house holds and owes at this table, in cents, and the forms that say so; chips lie with their owners."""

    bank: int = 0
    """What the table has won; below zero, what it has lost."""
    payable: dict[int, int] = {}
    """What each seat has won in this round and has not been given yet."""
    markers: dict[int, int] = {}
    """The vigorish that each seat owes."""
    receivables: dict[str, int] = {}
    """What two persons have reported that a person still owes: vigorish, or what a correction could not collect."""
    vigorish_earned: int = 0
    complimentary: int = 0
    """Vigorish that was waived, by forms."""
    goodwill: int = 0
    """What was given away beyond what any cards owed."""
    next_form: int = 1
    last_form: int = 0
    forms: tuple[int, ...] = ()
    void_forms: tuple[int, ...] = ()
    missing_forms: tuple[int, ...] = ()
    """Numbers that nobody could find, and that are passed over."""


class Meters(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The progressive meters in micro-cents, where their money came from, and the Must Hit in cents."""

    amounts: dict[str, Micro] = {}
    """What each Royal 9 meter shows."""
    link: str = ""
    """The link of tables that shares these meters; none where they are the table's own."""
    reserve: Micro = 0
    contributed: Micro = 0
    seeded: Micro = 0
    goodwill: Micro = 0
    """What of it was given away, because nothing on record owed it to a meter."""
    elsewhere: Micro = 0
    """What a link of tables added to the meters and the reserve, or took from them."""
    must_hit: int = 0
    must_hit_seal: str = ""
    must_hit_run: int = 0
    """How often the Must Hit has begun again, here or at another table of its link."""
    must_hit_flow: Flow = Flow()


class TableState(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One table at one moment: the step it is at, and five parts that change at their own pace."""

    step: str
    rules: str = ""
    """The hash of the rulebook that this shoe is played by; empty until the shoe begins."""
    stopped: str = ""
    """Why the table has stopped; empty while it runs."""
    seats: Seats = Seats()
    shoe: Shoe = Shoe()
    round: Round = Round()
    money: Money = Money()
    meters: Meters = Meters()
    cards: StatedCards = UNSET
    """What the table was opened as; not written where that was not stated."""
    witnesses: StatedWitnesses = UNSET
    """The share keys that every commitment names; not written where they were not stated."""
    reveal_within: StatedDeadline = UNSET
    """Within how many seconds a seed is revealed; not written where no deadline was stated."""

    def __repr__(self) -> str:
        stopped = f", stopped: {self.stopped}" if self.stopped else ""
        people = len(self.occupied)
        at = f"at {self.step}, shoe {self.shoe.number + 1}, round {self.round.number}"
        return short_repr(self, f"{at}, {people} seated, wagers: {len(self.round.wagers)}{stopped}")

    def at(self, seat: int) -> Participant | None:
        """The participant at a seat, if any."""
        participants = self.seats.participants
        return participants[seat - 1] if 1 <= seat <= len(participants) else None

    @property
    def is_on_record(self) -> bool:
        """Whether its opening states what the table is. Acts at an older table are decided as they were then."""
        return self.cards is not UNSET

    @property
    def is_electronic(self) -> bool:
        """Whether every card of this table comes from a sealed order, as was stated when it opened."""
        return self.cards in ELECTRONIC_CARDS

    @property
    def has_proved_cards(self) -> bool:
        """Whether a card is known here only with its proof."""
        return bool(self.shoe.root) or self.is_electronic

    @property
    def awaits_seal(self) -> bool:
        """Whether no card can come yet: the order of an electronic shoe is not sealed."""
        return not self.shoe.root and self.is_electronic

    @property
    def occupied(self) -> list[int]:
        """The numbers of the occupied seats."""
        return [number for number, person in enumerate(self.seats.participants, start=1) if person is not None]


def with_seats(state: TableState, **changes: Any) -> TableState:
    """The state with changes to its people."""
    return replace(state, seats=replace(state.seats, **changes))


def with_shoe(state: TableState, **changes: Any) -> TableState:
    """The state with changes to its shoe."""
    return replace(state, shoe=replace(state.shoe, **changes))


def with_round(state: TableState, **changes: Any) -> TableState:
    """The state with changes to its round."""
    return replace(state, round=replace(state.round, **changes))


def with_money(state: TableState, **changes: Any) -> TableState:
    """The state with changes to its money."""
    return replace(state, money=replace(state.money, **changes))


def with_meters(state: TableState, **changes: Any) -> TableState:
    """The state with changes to its meters."""
    return replace(state, meters=replace(state.meters, **changes))


def seat_of(state: TableState, who: str) -> int:
    """The seat of a person, the lowest of several; 0 if none."""
    return next(iter(seats_of(state, who)), 0)


def seats_of(state: TableState, who: str) -> tuple[int, ...]:
    """The seats of a person: a dealer may seat somebody at more than one."""
    return tuple(seat for seat, held in enumerate(state.seats.participants, 1) if held and held.who == who)
