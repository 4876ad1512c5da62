"""Inventories: chips by their value, as a count sheet lists them."""

from __future__ import annotations

from typing import Annotated

import msgspec

from baccarat.money import Cents
from baccarat.table.bounds import ChipCounts, Means


class Inventory(msgspec.Struct, frozen=True):
    """Chips by their value in cents: how many of each, as a count sheet lists them."""

    chips: Annotated[ChipCounts, Means("how many chips of each value")]

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
