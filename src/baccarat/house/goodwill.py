"""Goodwill by the gaming day: the limit that is filed for a shoe does not begin anew with every shoe of a day."""

from __future__ import annotations

from collections.abc import Iterable

from baccarat.house.book import house_refuse
from baccarat.house.reason import HouseReason
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.table.base import Event
from baccarat.table.goodwill import GoodwillPaid
from baccarat.table.meters import MeterCorrected, whole_cents


def goodwill_of(event: Event) -> int:
    """What an event gives away beyond what is owed, in cents; nothing by most."""
    if isinstance(event, GoodwillPaid):
        return event.amount
    return whole_cents(event.amount) if isinstance(event, MeterCorrected) and event.is_goodwill else 0


def refuse_goodwill_of_day(rules: Rulebook, events: Iterable[Event], *, table: str, given: int) -> Refused | None:
    """Why a table gives no more away today, of which it has given so much already."""
    more = sum(map(goodwill_of, events))
    limit = rules.elections.goodwill_limit or 0
    if not more or given + more <= limit:
        return None
    left = max(0, limit - given)
    return house_refuse(
        HouseReason.WRONG_SUM, "goodwill_above_the_limit_of_the_day", "goodwill", table=table, limit=limit, left=left
    )
