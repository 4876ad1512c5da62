"""Postings of the cage: every event that moves chips or cash as double entry."""

from __future__ import annotations

from baccarat.house.book import HouseEvent
from baccarat.house.cage import drop_box_of, tray_of
from baccarat.house.cage_act import (
    BankrollBrought,
    CashedOut,
    DropCounted,
    TrayClosed,
    TrayCounted,
    TrayCredited,
    TrayFilled,
    TrayOpened,
)
from baccarat.ledger import AT_LARGE, CAGE, ISSUE, Account, Place, Posting, post_cents


def postings_of_cage(event: HouseEvent) -> tuple[Posting, ...]:
    """The postings of an event of the cage."""
    cites = event.cites
    match event:
        case BankrollBrought(amount=amount):
            return post_cents("bankroll", ((ISSUE, -amount), (CAGE, amount)), cites)
        case TrayOpened(table=table, chips=chips):
            return post_cents("opening inventory", _from_cage(table, chips.value), cites)
        case TrayFilled(table=table, chips=chips):
            return post_cents("fill", _from_cage(table, chips.value), cites)
        case TrayCredited(table=table, chips=chips):
            return post_cents("credit", _from_cage(table, -chips.value), cites)
        case TrayCounted(table=table, short=short):
            return post_cents("over and short", _over_short(tray_of(table), table, short), cites)
        case TrayClosed(table=table, counted=counted, short=short):
            return (
                *post_cents("over and short", _over_short(tray_of(table), table, short), cites),
                *post_cents("closing inventory", _from_cage(table, -counted.value), cites),
            )
        case DropCounted(table=table, counted=counted, short=short):
            return (
                *post_cents("over and short", _over_short(drop_box_of(table), table, short), cites),
                *post_cents("drop counted", ((drop_box_of(table), -counted), (CAGE, counted)), cites),
            )
        case CashedOut(amount=amount):
            return post_cents("cash-out", ((AT_LARGE, -amount), (ISSUE, amount)), cites)
    raise AssertionError(f"{type(event).__name__} is not an event of the cage")


def _from_cage(table: str, amount: int) -> tuple[tuple[Account, int], ...]:
    return (CAGE, -amount), (tray_of(table), amount)


def _over_short(account: Account, table: str, short: int) -> tuple[tuple[Account, int], ...]:
    return (account, -short), (Account(Place.OVER_SHORT, table), short)
