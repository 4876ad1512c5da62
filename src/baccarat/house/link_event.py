"""Entries of a link: what its tables added, gave back, won and were shown; and the one command that persons give."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

from baccarat.house.book import BookFindings, ByTwo, HouseCommand, HouseEvent, house_refuse
from baccarat.house.progressive import Terms
from baccarat.house.reason import HouseReason
from baccarat.money import MICRO, Cents
from baccarat.play.refusal import Refused
from baccarat.table.bounds import Label, Means, Micro
from baccarat.table.card import CommandCard
from baccarat.table.role import HOUSE_MANAGERS


class LinkEvent(HouseEvent, frozen=True, kw_only=True):
    """An entry: which table, and the number of the event there from which it follows."""

    table: str
    seq: int


class WagersAdded(LinkEvent, frozen=True, kw_only=True, tag="wagers_added"):
    """Betting has closed at a table; these seats' wagers feed the meters and the reserve, in micro-cents.

    It is on the meters of that table immediately, and on the link's when the round has its result.
    """

    seats: tuple[int, ...]
    contributions: dict[str, Micro]
    reserve: Micro


class ContributionsStand(LinkEvent, frozen=True, kw_only=True, tag="contributions_stand"):
    """A round has its result: what it added, at the event numbered `of`, is on the meters of all tables."""

    of: int


class ContributionsReturned(LinkEvent, frozen=True, kw_only=True, tag="contributions_returned"):
    """A round was void: what it would have added, at the event numbered `of`, never reaches the link's meters."""

    of: int


class MeterWon(LinkEvent, frozen=True, kw_only=True, tag="meter_won"):
    """A meter, or part of it, was won; each seat's share in cents."""

    meter: str
    percent: int
    shares: dict[int, int]
    to_be_shown: bool = False
    """Whether the link continues with a figure other than the table's, which is then shown it."""


class MeterRaised(LinkEvent, frozen=True, kw_only=True, tag="meter_raised"):
    """The house has put into a meter what was missing there, in micro-cents."""

    meter: str
    amount: Micro


class TriggerShared(LinkEvent, frozen=True, kw_only=True, tag="trigger_shared"):
    """The trigger of the Must Hit's run is fixed, at one table for all."""

    seal: str


class MustHitFed(LinkEvent, frozen=True, kw_only=True, tag="must_hit_fed"):
    """A round ended without a hit; these seats have fed the Must Hit, in cents."""

    seats: tuple[int, ...]
    amount: int


class MustHitWon(LinkEvent, frozen=True, kw_only=True, tag="must_hit_won"):
    """A round ended with a hit: the whole meter, with what these seats fed it, in cents."""

    seats: tuple[int, ...]
    amount: int
    seat: int
    award: int


class LinkShown(LinkEvent, frozen=True, kw_only=True, tag="link_shown"):
    """A table shows what the link shows, and knows what was won elsewhere."""


class TermsChanged(ByTwo, frozen=True, kw_only=True, tag="terms_changed"):
    """A meter's next jackpot has other terms."""

    meter: str
    terms: Terms


class SetNextTerms(HouseCommand, frozen=True, kw_only=True, tag="set_next_terms"):
    """Other terms for the next jackpot of a meter; the running one keeps its own (M8)."""

    meter: Annotated[Label, Means("the name of the meter")]
    terms: Annotated[Terms, Means("what the next jackpot begins with and what feeds it")]
    ROLES = HOUSE_MANAGERS
    SECOND = HOUSE_MANAGERS
    CARD = CommandCard(discretion="terms")

    def tables_concerned(self, of_book: Collection[str]) -> Collection[str]:
        """Those of the link."""
        return of_book

    def refuse_seated(self, who: str, table: str, *, is_on_record: bool) -> Refused | None:
        """Nobody who plays for a meter changes its terms."""
        del is_on_record
        return house_refuse(HouseReason.SAME_PERSON, "plays_for_this_meter", "two-persons", who=who, table=table)

    def discretion_text(self, found: BookFindings) -> str:
        """Which meter, and on what terms."""
        del found
        seed, added = (Cents(each // MICRO) for each in (self.terms.seed, self.terms.contribution))
        return f"the next jackpot of {self.meter} begins at {seed} and takes {added} a wager"
