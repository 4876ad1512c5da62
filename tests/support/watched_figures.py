"""The figures of the day, watched over every act of a house: which events may change each, and what they must equal.

An act that has none of the events named for a figure leaves it as it was, whatever the act is: a new command is covered
without being listed. What money figures must equal is computed from the ledger and from the cage's slips.
"""

from __future__ import annotations

from typing import Any

from baccarat.house.state import Decision, HouseState
from baccarat.house.win import Figures
from baccarat.ledger import CAGE, Account, Place
from baccarat.money import MICRO

CLAIMS_AND_CHIPS = {Place.TRAY, Place.DROP, Place.MARKER, Place.RECEIVABLE, Place.FORM, Place.VOUCHER}
"""Where what a table has won lies."""
TRAY_MOVES = ("TrayOpened", "TrayFilled", "TrayCredited", "TrayClosed")
COUNTS = ("TrayCounted", "TrayClosed", "DropCounted")
OF_A_ROUND = ("ResultAnnounced", "DayClosed")
PROGRESSIVES = (
    "TableOpened", "TablesLinked", "RulesAdopted", "MetersShown", "ContributionsReturned", "WagersAdded", "MustHitFed",
    "MustHitWon", "MeterWon", "NoMoreBetsCalled", "RoundVoided", "DayClosed", "ContributionsStand",
    "RoundMadeSimulated",
)  # fmt: skip

CAUSES: dict[str, tuple[str, ...]] = {
    "bankroll": ("BankrollBrought",),
    "redeemed": ("CashedOut",),
    "sent": TRAY_MOVES,
    "drop boxes": ("DropCounted",),
    "over and short": COUNTS,
    "expense": ("ComplimentaryBooked", "DayOpened"),
    "goodwill": ("GoodwillPaid", "MeterCorrected", "DayClosed"),
    "rounds": OF_A_ROUND,
    "handle": OF_A_ROUND,
    "unpriced": OF_A_ROUND,
    "theoretical": OF_A_ROUND,
    "variance": OF_A_ROUND,
    "drop": ("BoughtIn", "WagerPlaced", "DropCounted", "DayClosed"),
    "vigorish": ("VigorishTaken", "DueSettled", "UncollectedReported", "PaymentCorrected", "DayClosed"),
    "waived": ("VigorishDocumented", "DayClosed"),
    "over_short": (*COUNTS, "DayClosed"),
    "pools": PROGRESSIVES,
}
"""For each figure, the events of which an act that changes it has at least one; for the win see `_money`."""
WIN = "win"


def figures(state: HouseState) -> dict[str, Any]:
    """Every figure of the house, and those of its tables by table."""
    cage, tables = state.cage, {table: tally.all_shoes for table, tally in state.tallies.items()}
    found: dict[str, Any] = {
        "bankroll": cage.bankroll,
        "redeemed": cage.redeemed,
        "sent": cage.sent,
        "drop boxes": cage.drops,
        "over and short": cage.over_short,
        "expense": state.day.expense,
        "goodwill": {table: tally.goodwill for table, tally in state.tallies.items() if tally.goodwill},
    }
    for name in Figures.__struct_fields__:
        found[name] = {table: value for table, each in tables.items() if (value := getattr(each, name))}
    return found


def check_figures(before: HouseState, decision: Decision, after: HouseState) -> None:
    """An act changes no figure that its events do not name, and sums move as ledger and slips do."""
    if all(getattr(before, name) is getattr(after, name) for name in ("ledger", "tallies", "cage", "day")):
        return
    then, now = figures(before), figures(after)
    events = {type(event).__name__ for event in decision.events}
    for name, causes in CAUSES.items():
        assert now[name] == then[name] or events & set(causes), f"{name}: {then[name]} became {now[name]} by {events}"
    for table in before.tallies.keys() & after.tallies.keys() if "DayClosed" not in events else ():
        moved = {name: now[name].get(table, 0) - then[name].get(table, 0) for name in (WIN, "drop", "over_short")}
        for name, sum_ in _money(after, table).items():
            expected = sum_ - _money(before, table)[name]
            assert moved[name] * MICRO == expected, f"{table}: {name} moved by {moved[name]}, not {expected}, {events}"
    there = after.cage.bankroll - sum(after.cage.sent.values()) + sum(after.cage.drops.values())
    assert after.ledger.cents(CAGE) == there, f"the cage holds what came, less what is in the trays, after {events}"


def _money(state: HouseState, table: str) -> dict[str, int]:
    """What the figures of a table are by ledger and slips, in micro-cents, but for what was before the first day."""
    cage, ledger = state.cage, state.ledger
    box, counted = ledger.balance(Account(Place.DROP, table)), cage.drops.get(table, 0) * MICRO
    held = sum(sum_ for each, sum_ in ledger.balances.items() if each.place in CLAIMS_AND_CHIPS and each.of == table)
    return {
        WIN: held + counted - cage.sent.get(table, 0) * MICRO,
        "drop": box + counted,
        "over_short": cage.over_short.get(table, 0) * MICRO,
    }
