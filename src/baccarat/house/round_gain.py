"""What each person at a table has won or lost in a round, from the postings that moved it.

A gain is what the accounts of a seat receive and give, other than in exchange for cash or when somebody leaves: wagers
won and lost, vigorish taken or marked, awards, and corrections of any of them.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from baccarat.ledger import AT_LARGE, ISSUE, OF_A_PARTICIPANT, Posting
from baccarat.money import MICRO
from baccarat.table.base import Event
from baccarat.table.state import TableState
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.closing import ShoeClosed

Gains = dict[str, int]
"""What each person has won, in cents; below zero, what that person has lost."""
NOTHING: Gains = {}
ROUND_ENDS = (TableCleared, ShoeClosed)
"""What follows these belongs to the next round, or lies between two."""


class RoundGains(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The gains of the round in play at a table, and of the one that ended last."""

    now: Gains = NOTHING
    former: Gains = NOTHING

    def after(self, event: Event, moved: Gains) -> RoundGains:
        """The gains after an event, whose postings give people this much."""
        now = with_gains(self.now, moved)
        if isinstance(event, ROUND_ENDS) and (now or self.former):
            return RoundGains(former=now)
        return self if now is self.now else RoundGains(now=now, former=self.former)


def by_person(postings: Iterable[Posting], state: TableState) -> Gains:
    """What postings give to each person at a table, or take."""
    found: dict[int, int] = {}
    for posting in postings:
        legs = posting.legs
        if any(leg.account in (ISSUE, AT_LARGE) for leg in legs):
            continue  # cash for chips, or chips that leave with their owner
        for leg in legs:
            seat = leg.account.seat
            if seat and leg.account.place in OF_A_PARTICIPANT:
                found[seat] = found.get(seat, 0) + leg.amount
    gains: Gains = {}
    for seat, amount in found.items():
        person = state.at(seat)
        if amount and person is not None:
            gains[person.who] = gains.get(person.who, 0) + amount // MICRO
    return gains


def with_gains(held: Gains, more: Gains) -> Gains:
    """Gains added up; the same object if there are no more."""
    if not more:
        return held
    return {**held, **{who: held.get(who, 0) + amount for who, amount in more.items()}}
