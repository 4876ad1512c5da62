"""State: what is on the table now. Hidden cards are positions; no card is known here before it is turned."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.play.hand import PLAYER_SIDE, Side
from baccarat.play.wager import Verbal, Wager, WagerKind
from baccarat.table.bounds import Hash, Label, Means, Micro
from baccarat.table.reveal_deadline import StatedDeadline
from baccarat.table.table_cards import ELECTRONIC_CARDS, StatedCards
from baccarat.table.witness_keys import StatedWitnesses
from baccarat.values import short_repr

DEALER = 0
"""The seat number that represents the dealer where a seat could act."""


class RoundKind(Enum):
    """What a round is dealt for."""

    WAGERED = "wagered"
    FREE_HAND = "free hand"
    SIMULATED = "simulated"

    __hash__ = object.__hash__  # members are singletons, and Enum's own hash is slow


WAGERED, FREE_HAND, SIMULATED = RoundKind.WAGERED, RoundKind.FREE_HAND, RoundKind.SIMULATED
"""The kinds as module-level names, for checks on every wager and every card: see `play/hand.py`."""


class Participant(msgspec.Struct, frozen=True, gc=False):
    """A person at a seat, and the chips before that person, in cents."""

    who: str
    chips: int = 0


class Act(msgspec.Struct, frozen=True, gc=False):
    """One act of settling that the dealer still owes: what, at which seat, how much."""

    act: str
    seat: int
    amount: int
    row: str = ""
    stake: int = 0
    cites: tuple[str, ...] = ()


class DecidedCoupon(msgspec.Struct, frozen=True, gc=False):
    """A match play coupon that the result has decided, and that still lies on the table."""

    seat: int
    on: WagerKind
    face: int
    result: str = ""


class MetersBefore(msgspec.Struct, frozen=True, gc=False):
    """What a result changed of the meters, in micro-cents: what they showed before, and what was put into them."""

    amounts: dict[str, Micro] = {}
    seeded: Micro = 0
    reserve: Micro = 0


class Spoken(msgspec.Struct, frozen=True, gc=False):
    """A spoken wager that does not stand yet: who has confirmed it so far."""

    seat: int
    on: WagerKind
    stake: int
    verbal: Verbal


class Round(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The round in progress."""

    number: int = 1
    kind: RoundKind = WAGERED
    why: tuple[str, ...] = ()
    """The clauses that ordered a simulated round."""
    asked_by: int = 0
    """The seat that asked for a Free Hand."""
    wagers: tuple[Wager, ...] = ()
    spoken: tuple[Spoken, ...] = ()
    confirmers: dict[str, str] | UnsetType = UNSET
    """Who has confirmed a spoken wager first, by its seat and area, at a table that is on record."""
    closed: bool = False
    cards_called: bool = False
    banker_first: bool = False
    player: tuple[int, ...] = ()
    banker: tuple[int, ...] = ()
    turned: dict[int, Card] = {}
    holders: dict[Side, int] = {}
    handed: tuple[Side, ...] = ()
    returned: tuple[Side, ...] = ()
    offering: Side | None = None
    offered: tuple[int, ...] = ()
    counted: tuple[Side, ...] = ()
    stays: tuple[Side, ...] = ()
    """The hands that were ruled to stay."""
    presses: dict[int, WagerKind] = {}
    pressed: dict[int, int] = {}
    house_lines: tuple[Act, ...] = ()
    house_corrected: dict[int, int] = {}
    """What corrections have given to each seat, or taken, since its House Money was settled in this round."""
    announced: bool = False
    acts: tuple[Act, ...] = ()
    coupons: tuple[DecidedCoupon, ...] = ()
    """Coupons of decided wagers, until they are taken or given back."""
    returned_due: dict[int, int] = {}
    return_cites: tuple[str, ...] = ()
    winner: Side | None = None
    must_hit_due: bool = False
    void: bool = False
    called: dict[int, Card] = {}
    """The turned cards as they were when the result was announced, whatever card has been corrected since."""
    meters_before: MetersBefore = MetersBefore()
    corrected: bool = False
    """Whether a card or a payment of this round was corrected, so that somebody may owe something (`owed.py`)."""
    withheld: dict[int, int] = {}
    """What each seat was still to be given by the announced result when a correction stopped the settlement."""
    lying: dict[int, int] = {}
    """The stakes that a correction found on the layout, until what is owed to their seat is settled."""
    untaken: dict[int, int] = {}
    """The vigorish of each seat that a stopped settlement has not taken, less what was earned of it since."""
    righted: dict[int, int] = {}
    """What each seat has been given since the result to correct its payments; below zero, what was taken back."""
    raised: dict[str, Micro] = {}
    """What the house has put into each meter since the result, because its award was a mistake."""

    def __repr__(self) -> str:
        cards = len(self.player) + len(self.banker)
        return short_repr(self, f"{self.number}, {self.kind.value}, wagers: {len(self.wagers)}, cards: {cards}")

    @property
    def royal9_seats(self) -> list[int]:
        """The seats that play Royal 9 in this round."""
        return [wager.seat for wager in self.wagers if wager.on is WagerKind.ROYAL9]

    def hand(self, side: Side) -> tuple[int, ...]:
        """The positions of a hand."""
        return self.player if side is PLAYER_SIDE else self.banker

    def cards(self, side: Side) -> tuple[Card, ...]:
        """The turned cards of a hand, in order."""
        return tuple(self.turned[place] for place in self.hand(side) if place in self.turned)


class SeedContribution(msgspec.Struct, frozen=True, gc=False):
    """What a seat has put into the order of an electronic shoe: a text, whose UTF-8 bytes are used."""

    seat: int
    value: str


class WitnessPromise(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A witness that has a share in the order of a shoe: its share key, and the promise of the share."""

    key: Annotated[Label, Means("the witness's share key, as text")]
    promise: Annotated[Hash, Means("the promise of its share, 64 lower-case hexadecimal digits")]


class WitnessShare(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A share that a witness has opened: its key, the share, and the hash of the record that it was opened for."""

    key: str
    share: str
    leaf: str


class Commitment(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What an electronic shoe has published of its order, and at its end the seed that explains all of it."""

    order: int = 1
    """How the order is derived: 1, or 2, which also depends on the cut and on the shares of witnesses."""
    origin: str = ""
    """The name of the table's log; empty where nobody signs it, and for order 1."""
    witnesses: tuple[WitnessPromise, ...] = ()
    """The witnesses that have a share in order 2, sorted by their keys."""
    inputs: str = ""
    """The hash of everything that order 2 depends on but the shares, once the inputs are closed."""
    shares: tuple[WitnessShare, ...] = ()
    """The shares that have been opened, in the order in which they came."""
    seated: tuple[int, ...] = ()
    """The seats that were taken when the inputs were closed, and that nobody has left since."""

    table: str
    shoe: str
    """The shoe's id, which the header and the order depend on."""
    rulebook: str
    decks: int
    hash: str
    """The commitment itself, 64 hexadecimal digits."""
    contributions: tuple[SeedContribution, ...] = ()
    """In the order in which they came."""
    seed: str = ""
    """The seed, once it is revealed."""
    lost: bool = False
    """Whether two persons have reported that nobody has the seed any more."""
    disproved: bool = False
    """Whether the seed is known, and the order that was sealed does not follow from it."""
    overdue: bool | UnsetType = UNSET
    """Whether the deadline of the reveal passed before the seed was revealed; not written where it did not."""

    @property
    def is_overdue(self) -> bool:
        """Whether the deadline has passed, and the seed is neither revealed nor reported lost."""
        return self.overdue is True and not self.is_settled

    @property
    def is_derivable(self) -> bool:
        """Whether the order follows from the seed and what is on record."""
        return self.order == 1 or (bool(self.inputs) and not self.missing_shares)

    @property
    def missing_shares(self) -> tuple[str, ...]:
        """The keys of the witnesses whose shares are not opened yet."""
        given = {each.key for each in self.shares}
        return tuple(each.key for each in self.witnesses if each.key not in given)

    @property
    def is_settled(self) -> bool:
        """Whether the seed has been revealed, or reported lost."""
        return self.lost or bool(self.seed)


LONGEST_NUMBER = 15
"""The most digits of a shoe's id that is taken for a number; in a forged record it may be of any length."""


def shoe_in_words(id_: str) -> str:
    """A shoe as people count them, from 1: its id is how many came before it. Any other id is shown as it is."""
    return str(int(id_) + 1) if id_.isascii() and id_.isdigit() and len(id_) <= LONGEST_NUMBER else id_


LOST_SEED = "lost"
"""What the next shoe remembers in place of a seed that two persons have reported lost."""
REVEALED, DISPROVED = "revealed", "disproved"
"""What else may have happened to a seed when its shoe is closed."""


class Shoe(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The shoe as a table has it (a part of `TableState`): the cards in play, from their arrival to the close."""

    number: int = 0
    set_id: str = ""
    former_set: str = ""
    used_sets: tuple[str, ...] = ()
    """The sets that have been dealt from at this table; a manual shuffle plugs one that comes back."""
    after_void: bool = False
    """Whether these cards replace a shoe that could not finish its round."""
    decks: int = 0
    preshuffled: bool = False
    reshuffle: bool = False
    done: tuple[str, ...] = ()
    inspector: str | UnsetType = UNSET
    """Who inspected the cards, at a table that is on record: somebody else verifies them."""
    shuffled_by: tuple[str, ...] = ()
    cut_offers: tuple[int, ...] = ()
    cutter: int | None = None
    in_front: int | None = None
    recuts: int = 0
    cover: int | None = None
    loaded: bool = False
    commitment: Commitment | None = None
    """What an electronic shoe has committed to; none for real cards."""
    root: str = ""
    former_seed: str = ""
    """The seed of the shoe before, which was electronic; `lost` where two persons reported that it is."""
    next: int = 0
    burn: tuple[int, ...] = ()
    burn_left: int = -1
    burned: dict[int, Card] = {}
    burn_shown: bool = True
    burn_corrected: bool = False
    cover_out: bool = False
    last_called: bool = False
    is_last: bool = False
    finished: bool = False
    abandoned: bool = False
    """Whether the shoe was abandoned before its end."""
    taken_away: bool = False
    """Whether it was abandoned because it had stopped the table: its cards do not come back."""
    pending: tuple[int, ...] = ()
    carried: tuple[int, ...] = ()
    carried_cites: dict[int, tuple[str, ...]] = {}
    """The clauses under which each card that is or will be carried waits."""
    disclosed: dict[int, Card] = {}
    disclosed_cites: tuple[str, ...] = ()
    exposing: tuple[int, ...] = ()
    exposing_cites: tuple[str, ...] = ()
    seen: dict[str, int] = {}
    goodwill: int = 0
    """What was given away in this shoe, which the filed limit bounds."""
    given_before: int = 0
    """What was given away in it before its cards came, which counts towards the limit too."""

    def __repr__(self) -> str:
        return short_repr(self, f"number {self.number + 1}, {self.left} cards left")

    @property
    def is_fresh(self) -> bool:
        """Whether this set has not been dealt from at this table before."""
        return self.set_id not in self.used_sets

    @property
    def cards(self) -> int:
        """The number of cards in the shoe when it was loaded."""
        return self.decks * 52

    @property
    def left(self) -> int:
        """The number of cards still in the shoe."""
        return self.cards - self.next

    def seen_with(self, card: Card) -> dict[str, int]:
        """How often each card has been seen, this one once more."""
        name = str(card)
        return {**self.seen, name: self.seen.get(name, 0) + 1}


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
        return self.is_electronic and not self.shoe.root

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
    """The seat of a person; 0 if none."""
    return next((seat for seat, held in enumerate(state.seats.participants, 1) if held and held.who == who), 0)
