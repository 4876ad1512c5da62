"""The cage: chips for trays, cash for chips, inventories; the only bridge between tables and accounts."""

from __future__ import annotations

import msgspec

from baccarat.house.reason import HouseReason, refuse
from baccarat.law.rulebook import Rulebook
from baccarat.ledger import AT_LARGE, CAGE, ISSUE, Account, Ledger, Place, Posting, post_cents, post_micro
from baccarat.money import MICRO, Cents
from baccarat.play.refusal import Refused


class Inventory(msgspec.Struct, frozen=True):
    """Chips by their value in cents: how many of each, as a count sheet lists them."""

    chips: dict[int, int]

    @property
    def value(self) -> int:
        """What they are worth together, in cents."""
        return sum(worth * number for worth, number in self.chips.items())

    @property
    def is_countable(self) -> bool:
        """Whether every chip is worth something and none is missing."""
        return all(worth > 0 and number >= 0 for worth, number in self.chips.items())

    def __str__(self) -> str:
        return ", ".join(f"{number} of {Cents(worth)}" for worth, number in sorted(self.chips.items()) if number)

    def plus(self, other: Inventory) -> Inventory:
        """Both together."""
        kinds = sorted({*self.chips, *other.chips})
        return Inventory({worth: self.chips.get(worth, 0) + other.chips.get(worth, 0) for worth in kinds})

    def minus(self, other: Inventory) -> Inventory:
        """What is left; below zero where there was not enough."""
        return self.plus(Inventory({worth: -number for worth, number in other.chips.items()}))


def tray_of(table: str) -> Account:
    """The tray of a table."""
    return Account(Place.TRAY, table)


def _wagered_in_chips(rules: Rulebook) -> tuple[str, ...]:
    """The clause by which wagers are made in chips: all that the documents say of them."""
    return rules.edition.options["limits"].cite


def _objection(rules: Rulebook, chips: Inventory, *, there: int, where: str) -> Refused | None:
    keys = _wagered_in_chips(rules)
    if not chips.is_countable or not chips.value:
        return refuse(rules, HouseReason.WRONG_SUM, "a count sheet lists chips, each worth something", *keys)
    if chips.value > there:
        say = f"the {where} holds {Cents(there)}, not {Cents(chips.value)}"
        return refuse(rules, HouseReason.NOT_ENOUGH, say, *keys)
    return None


def bankroll(amount: int) -> tuple[Posting, ...]:
    """What the owners put into the cage, in cents: value issued."""
    assert amount >= 0, "a bankroll is a sum of money"
    return post_cents("bankroll", ((ISSUE, -amount), (CAGE, amount)))


def open_tray(rules: Rulebook, ledger: Ledger, *, table: str, tray: Inventory) -> tuple[Posting, ...] | Refused:
    """The opening inventory of a table, out of the cage, into a tray that is empty."""
    if ledger.balance(tray_of(table)):
        say = f"the tray of {table} holds chips: it is open, or was not counted"
        return refuse(rules, HouseReason.OUT_OF_ORDER, say, *_wagered_in_chips(rules))
    return _from_cage(rules, ledger, "opening inventory", table=table, chips=tray)


def fill(rules: Rulebook, ledger: Ledger, *, table: str, chips: Inventory) -> tuple[Posting, ...] | Refused:
    """More chips for a tray, out of the cage."""
    return _from_cage(rules, ledger, "fill", table=table, chips=chips)


def _from_cage(
    rules: Rulebook, ledger: Ledger, what: str, *, table: str, chips: Inventory
) -> tuple[Posting, ...] | Refused:
    refused = _objection(rules, chips, there=ledger.cents(CAGE), where="cage")
    return refused or post_cents(what, ((CAGE, -chips.value), (tray_of(table), chips.value)))


def credit(rules: Rulebook, ledger: Ledger, *, table: str, chips: Inventory) -> tuple[Posting, ...] | Refused:
    """Chips out of a tray, back to the cage."""
    refused = _objection(rules, chips, there=ledger.cents(tray_of(table)), where=f"tray of {table}")
    return refused or post_cents("credit", ((tray_of(table), -chips.value), (CAGE, chips.value)))


def close_tray(rules: Rulebook, ledger: Ledger, *, table: str, counted: Inventory) -> tuple[Posting, ...] | Refused:
    """The closing inventory: what is over or short is written down, what was counted goes back to the cage."""
    if not counted.is_countable:
        return refuse(
            rules, HouseReason.WRONG_SUM, "a count sheet lists chips, each worth something", *_wagered_in_chips(rules)
        )  # fmt: skip
    tray, lies = tray_of(table), ledger.balance(tray_of(table))
    short = lies - counted.value * MICRO
    return (
        *post_micro("over and short", ((tray, -short), (Account(Place.OVER_SHORT, table), short))),
        *post_cents("closing inventory", ((tray, -counted.value), (CAGE, counted.value))),
    )


def count_drop(ledger: Ledger, *, table: str) -> tuple[Posting, ...]:
    """The cash of a drop box, counted, goes to the cage; forms stay with accounting."""
    box = Account(Place.DROP, table)
    return post_micro("drop counted", ((box, -ledger.balance(box)), (CAGE, ledger.balance(box))))


def colour_up(
    rules: Rulebook, *, tray: Inventory, given: Inventory, taken: Inventory
) -> Inventory | Refused:  # fmt: skip
    """The tray after a participant's chips were changed into others of the same value."""
    keys = _wagered_in_chips(rules)
    if not (given.is_countable and taken.is_countable and given.value):
        return refuse(rules, HouseReason.WRONG_SUM, "chips are changed into chips", *keys)
    if given.value != taken.value:
        say = f"{Cents(given.value)} in chips is changed into as much, not into {Cents(taken.value)}"
        return refuse(rules, HouseReason.WRONG_SUM, say, *keys)
    after = tray.plus(given).minus(taken)
    if not after.is_countable:
        return refuse(rules, HouseReason.NOT_ENOUGH, f"the tray does not hold {taken}", *keys)
    return after


def cash_out(rules: Rulebook, ledger: Ledger, *, amount: int) -> tuple[Posting, ...] | Refused:
    """Chips that left a table are redeemed at the cage for cash, in cents."""
    keys = _wagered_in_chips(rules)
    if amount <= 0:
        return refuse(rules, HouseReason.WRONG_SUM, "more than nothing is redeemed", *keys)
    if amount > ledger.cents(AT_LARGE):
        say = f"chips worth {Cents(ledger.cents(AT_LARGE))} are at large, not {Cents(amount)}"
        return refuse(rules, HouseReason.NOT_ENOUGH, say, *keys)
    return post_cents("cash-out", ((AT_LARGE, -amount), (ISSUE, amount)))
