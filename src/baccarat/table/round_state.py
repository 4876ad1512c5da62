"""The round that a table plays, or played last: cards by their positions, wagers, and what has been done with them."""

from __future__ import annotations

from enum import Enum

import msgspec
from msgspec import UNSET, UnsetType

from baccarat.cards import Card
from baccarat.play.hand import PLAYER_SIDE, Side
from baccarat.play.wager import Verbal, Wager, WagerKind
from baccarat.table.bounds import Micro
from baccarat.values import short_repr


class RoundKind(Enum):
    """What a round is dealt for."""

    WAGERED = "wagered"
    FREE_HAND = "free hand"
    SIMULATED = "simulated"

    __hash__ = object.__hash__  # members are singletons, and Enum's own hash is slow


WAGERED, FREE_HAND, SIMULATED = RoundKind.WAGERED, RoundKind.FREE_HAND, RoundKind.SIMULATED
"""The kinds as module-level names, for checks on every wager and every card: see `play/hand.py`."""


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
