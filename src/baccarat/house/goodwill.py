"""Goodwill: the limit that is filed for a shoe holds for a whole gaming day, and takes two persons to raise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from baccarat.house.book import Context, HouseCommand, house_refuse, refuse_without_second
from baccarat.house.reason import HouseReason
from baccarat.house.rule import cite_house
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.table.base import Event
from baccarat.table.goodwill import LIMIT, GoodwillPaid
from baccarat.table.meters import MeterCorrected, whole_cents
from baccarat.table.role import GOODWILL_APPROVERS, Role

RAISED_BY_TWO_SINCE = 3
"""The first version of the deciding functions in which nobody raises a goodwill limit alone."""


def seconds_of_filing(stated: Mapping[str, Any]) -> frozenset[Role]:
    """In which capacities a second person may approve what is filed; none, unless it has a goodwill limit."""
    return GOODWILL_APPROVERS if stated.get(LIMIT) else frozenset()


def refuse_raised_limit(
    context: Context, command: HouseCommand, before: Rulebook | None, after: Rulebook
) -> Refused | None:
    """Why nobody raises the goodwill limit of a table alone: somebody outside the pit approves it (reading A-88)."""
    held = (before.elections.goodwill_limit or 0) if before is not None else 0
    if context.behaviour < RAISED_BY_TWO_SINCE or (after.elections.goodwill_limit or 0) <= held:
        return None
    return refuse_without_second(context.actor, command, GOODWILL_APPROVERS, cite_house("goodwill"))


GOODWILL_EVENTS = frozenset((GoodwillPaid, MeterCorrected))
"""The kinds of event that can give something away beyond what is owed."""


def goodwill_of(event: Event) -> int:
    """What an event gives away beyond what is owed, in cents; most events give nothing."""
    if isinstance(event, GoodwillPaid):
        return event.amount
    return whole_cents(event.amount) if isinstance(event, MeterCorrected) and event.is_goodwill else 0


def refuse_goodwill_of_day(rules: Rulebook, events: Iterable[Event], *, table: str, given: int) -> Refused | None:
    """Why a table gives no more away today, of which it has given so much already."""
    if GOODWILL_EVENTS.isdisjoint(map(type, events)):
        return None
    more = sum(map(goodwill_of, events))
    limit = rules.elections.goodwill_limit or 0
    if not more or given + more <= limit:
        return None
    left = max(0, limit - given)
    return house_refuse(
        HouseReason.WRONG_SUM, "goodwill_above_the_limit_of_the_day", "goodwill", table=table, limit=limit, left=left
    )
