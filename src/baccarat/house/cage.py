"""The cage: bankroll, trays, fills, credits, counts and cash; the only bridge between tables and the outside world.

The documents say only that wagers are made in chips; all other rules here are the house's own, cited by name.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from baccarat.house.book import Aggregate, BookOutcome, Context, house_cite, house_refuse
from baccarat.house.cage_act import (
    BankrollBrought,
    BringBankroll,
    CashedOut,
    CashOut,
    CloseTray,
    CountDrop,
    CountTray,
    CreditTray,
    DropCounted,
    FillTray,
    OpenTray,
    TrayClosed,
    TrayCounted,
    TrayCredited,
    TrayFilled,
    TrayOpened,
)
from baccarat.house.inventory import Inventory
from baccarat.house.reason import HouseReason
from baccarat.ledger import AT_LARGE, CAGE, Account, Place
from baccarat.money import MICRO, Cents
from baccarat.play.refusal import Refused

USED_TRAY_CLOSED_SINCE = 3
"""The first version of the deciding functions that closes a tray which is not open and was used all the same."""


class Tray(msgspec.Struct, frozen=True, kw_only=True):
    """An open tray: what the last count found there, in cents; None if the cage has moved chips since."""

    counted: int | None = None


class Cage(msgspec.Struct, frozen=True, kw_only=True):
    """The cage: its open trays, the numbers of its slips, and sums in cents."""

    bankroll: int = 0
    trays: dict[str, Tray] = {}
    sent: dict[str, int] = {}
    """What went to each table's tray, less what came back from it."""
    slips: int = 0
    """The number of the last slip: fills, credits and counts are numbered without gaps."""
    redeemed: int = 0
    drops: dict[str, int] = {}
    over_short: dict[str, int] = {}


def tray_of(table: str) -> Account:
    """The tray of a table."""
    return Account(Place.TRAY, table)


def drop_box_of(table: str) -> Account:
    """The drop box of a table."""
    return Account(Place.DROP, table)


def _slip(context: Context, state: Cage, table: str, *rules: str) -> dict[str, Any]:
    """What every slip says: its number, the table, both persons, and the rules of the house that it follows."""
    cites = house_cite("two-persons", *rules)
    return {"slip": state.slips + 1, "table": table, **context.two_persons, "cites": cites}


def _refuse_uncountable(chips: Inventory) -> Refused | None:
    if chips.is_countable:
        return None
    return house_refuse(HouseReason.WRONG_SUM, "count_sheet_lists_chips", "count-sheet")


def _refuse_move(chips: Inventory, *, there: int, where: str) -> Refused | None:
    """Why chips cannot leave the cage or a tray that holds this much, in cents."""
    if not chips.is_countable or not chips.value:
        return house_refuse(HouseReason.WRONG_SUM, "count_sheet_lists_chips", "count-sheet")
    if chips.value > there:
        why, wanted = HouseReason.NOT_ENOUGH, chips.value
        return house_refuse(why, "holds_less_than_wanted", "enough", where=where, there=there, wanted=wanted)
    return None


def _refuse_closed_tray(state: Cage, table: str) -> Refused | None:
    if table in state.trays:
        return None
    return house_refuse(HouseReason.OUT_OF_ORDER, "tray_not_open", "one-tray", table=table)


def bring_bankroll(context: Context, state: Cage, command: BringBankroll) -> BookOutcome:
    """Value comes into the books only here and with the cash that patrons bring."""
    del state
    if command.amount <= 0:
        return house_refuse(HouseReason.WRONG_SUM, "bankroll_of_nothing", "enough")
    return [BankrollBrought(amount=command.amount, cites=house_cite("two-persons"), **context.two_persons)]


def open_tray(context: Context, state: Cage, command: OpenTray) -> BookOutcome:
    """Into a tray that is empty."""
    table, there = command.table, context.ledger.cents(CAGE)
    if table in state.trays or context.ledger.balance(tray_of(table)):
        return house_refuse(HouseReason.OUT_OF_ORDER, "tray_holds_chips", "one-tray", table=table)
    refused = _refuse_move(command.chips, there=there, where="cage")
    return refused or [TrayOpened(chips=command.chips, **_slip(context, state, table, "one-tray"))]


def fill_tray(context: Context, state: Cage, command: FillTray) -> BookOutcome:
    """As many chips as the cage has."""
    table, there = command.table, context.ledger.cents(CAGE)
    refused = _refuse_closed_tray(state, table) or _refuse_move(command.chips, there=there, where="cage")
    return refused or [TrayFilled(chips=command.chips, **_slip(context, state, table))]


def credit_tray(context: Context, state: Cage, command: CreditTray) -> BookOutcome:
    """As many chips as the tray has."""
    table, there = command.table, context.ledger.cents(tray_of(command.table))
    refused = _refuse_closed_tray(state, table) or _refuse_move(command.chips, there=there, where=f"tray of {table}")
    return refused or [TrayCredited(chips=command.chips, **_slip(context, state, table))]


def count_tray(context: Context, state: Cage, command: CountTray) -> BookOutcome:
    """What was counted is what is there from now on; the difference from the books is over or short."""
    table, counted = command.table, command.counted
    if refused := _refuse_closed_tray(state, table) or _refuse_uncountable(counted):
        return refused
    short = _shortage(context, table, counted)
    return [TrayCounted(counted=counted, short=short, **_slip(context, state, table))]


def close_tray(context: Context, state: Cage, command: CloseTray) -> BookOutcome:
    """Like a count, and the chips go back.

    A tray that is not open is closed as well if its table has used it: otherwise it could neither be opened nor counted
    again, and no gaming day closed.
    """
    table, counted = command.table, command.counted
    was_used = context.behaviour >= USED_TRAY_CLOSED_SINCE and context.ledger.balance(tray_of(table)) != 0
    if refused := (None if was_used else _refuse_closed_tray(state, table)) or _refuse_uncountable(counted):
        return refused
    short = _shortage(context, table, counted)
    return [TrayClosed(counted=counted, short=short, **_slip(context, state, table, "one-tray"))]


def _shortage(context: Context, table: str, counted: Inventory) -> int:
    there = context.ledger.balance(tray_of(table))
    assert there % MICRO == 0, "chips are whole cents"
    return there // MICRO - counted.value


def count_drop(context: Context, state: Cage, command: CountDrop) -> BookOutcome:
    """Two persons count; the difference from the books is over or short."""
    table, there = command.table, context.ledger.cents(drop_box_of(command.table))
    if command.counted < 0:
        return house_refuse(HouseReason.WRONG_SUM, "cash_below_nothing", "count-sheet")
    if not there and not command.counted:
        return house_refuse(HouseReason.OUT_OF_ORDER, "drop_box_empty", "enough", table=table)
    short = there - command.counted
    return [DropCounted(counted=command.counted, short=short, **_slip(context, state, table))]


def cash_out(context: Context, state: Cage, command: CashOut) -> BookOutcome:
    """As much as has left the tables and not come back."""
    del state
    amount, at_large = command.amount, context.ledger.cents(AT_LARGE)
    if amount <= 0:
        return house_refuse(HouseReason.WRONG_SUM, "cash_out_of_nothing", "enough")
    if amount > at_large:
        return house_refuse(HouseReason.NOT_ENOUGH, "fewer_chips_at_large", "enough", at_large=at_large, amount=amount)
    return [CashedOut(amount=amount, cites=house_cite("enough"))]


def evolve_bankroll(state: Cage, event: BankrollBrought) -> Cage:
    """The owners' money."""
    return replace(state, bankroll=state.bankroll + event.amount)


def evolve_opened(state: Cage, event: TrayOpened) -> Cage:
    """The tray is open."""
    return _after_move(state, event.slip, event.table, event.chips.value)


def _after_move(state: Cage, slip: int, table: str, amount: int) -> Cage:
    """Chips have moved, so the last count is no longer valid."""
    return replace(state, slips=slip, trays={**state.trays, table: Tray()}, sent=_sent_amounts(state, table, amount))


def _sent_amounts(state: Cage, table: str, amount: int) -> dict[str, int]:
    return {**state.sent, table: state.sent.get(table, 0) + amount}


def evolve_filled(state: Cage, event: TrayFilled) -> Cage:
    """Chips came."""
    return _after_move(state, event.slip, event.table, event.chips.value)


def evolve_credited(state: Cage, event: TrayCredited) -> Cage:
    """Chips went."""
    return _after_move(state, event.slip, event.table, -event.chips.value)


def _with_short(state: Cage, table: str, short: int) -> dict[str, int]:
    return {**state.over_short, table: state.over_short.get(table, 0) - short} if short else state.over_short


def evolve_counted(state: Cage, event: TrayCounted) -> Cage:
    """The count is valid until chips move."""
    tray = Tray(counted=event.counted.value)
    over_short = _with_short(state, event.table, event.short)
    return replace(state, slips=event.slip, trays={**state.trays, event.table: tray}, over_short=over_short)


def evolve_closed(state: Cage, event: TrayClosed) -> Cage:
    """The tray is closed."""
    trays = {table: tray for table, tray in state.trays.items() if table != event.table}
    sent = _sent_amounts(state, event.table, -event.counted.value)
    over_short = _with_short(state, event.table, event.short)
    return replace(state, slips=event.slip, trays=trays, sent=sent, over_short=over_short)


def evolve_drop(state: Cage, event: DropCounted) -> Cage:
    """The box is empty."""
    drops = {**state.drops, event.table: state.drops.get(event.table, 0) + event.counted}
    return replace(state, slips=event.slip, drops=drops, over_short=_with_short(state, event.table, event.short))


def evolve_cashed_out(state: Cage, event: CashedOut) -> Cage:
    """Cash has gone out."""
    return replace(state, redeemed=state.redeemed + event.amount)


def _count_text(short: int) -> str:
    return "as the books have it" if not short else f"{Cents(abs(short))} {'short' if short > 0 else 'over'}"


CAGE_BOOK = Aggregate(
    "cage",
    Cage,
    handlers={
        BringBankroll: bring_bankroll,
        OpenTray: open_tray,
        FillTray: fill_tray,
        CreditTray: credit_tray,
        CountTray: count_tray,
        CloseTray: close_tray,
        CountDrop: count_drop,
        CashOut: cash_out,
    },
    evolvers={
        BankrollBrought: evolve_bankroll,
        TrayOpened: evolve_opened,
        TrayFilled: evolve_filled,
        TrayCredited: evolve_credited,
        TrayCounted: evolve_counted,
        TrayClosed: evolve_closed,
        DropCounted: evolve_drop,
        CashedOut: evolve_cashed_out,
    },
    tellers={
        BankrollBrought: lambda x: f"{Cents(x.amount)} comes into the cage ({x.persons_text}).",
        TrayOpened: lambda x: (
            f"Slip {x.slip}: {x.table} opens with {Cents(x.chips.value)}: {x.chips} ({x.persons_text})."
        ),
        TrayFilled: lambda x: (
            f"Slip {x.slip}: fill of {Cents(x.chips.value)} for {x.table}: {x.chips} ({x.persons_text})."
        ),
        TrayCredited: lambda x: (
            f"Slip {x.slip}: credit of {Cents(x.chips.value)} from {x.table}: {x.chips} ({x.persons_text})."
        ),
        TrayCounted: lambda x: (
            f"Slip {x.slip}: the tray of {x.table} holds {Cents(x.counted.value)}, "
            f"{_count_text(x.short)} ({x.persons_text})."
        ),
        TrayClosed: lambda x: (
            f"Slip {x.slip}: {x.table} closes with {Cents(x.counted.value)}, {_count_text(x.short)} ({x.persons_text})."
        ),
        DropCounted: lambda x: (
            f"Slip {x.slip}: the drop box of {x.table} held {Cents(x.counted)}, "
            f"{_count_text(x.short)} ({x.persons_text})."
        ),
        CashedOut: lambda x: f"The cage redeems chips for {Cents(x.amount)}.",
    },
)
