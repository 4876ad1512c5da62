"""Acts of the cage: what persons ask for there, and what is recorded of it."""

from __future__ import annotations

from typing import Annotated, ClassVar

from baccarat.house.book import BookFindings, ByTwo, CommandAboutTable, HouseCommand, HouseEvent
from baccarat.house.inventory import Inventory
from baccarat.money import Cents
from baccarat.table.bounds import Means, Sum
from baccarat.table.card import CommandCard
from baccarat.table.field_type import Amount
from baccarat.table.role import ADMINISTRATORS, CASHIERS, COUNT_TEAM, FLOOR_STAFF, PIT_STAFF


class BringBankroll(HouseCommand, frozen=True, kw_only=True, tag="bring_bankroll"):
    """The owners put money into the cage."""

    amount: Amount
    ROLES = ADMINISTRATORS
    SECOND = CASHIERS


class TrayCommand(CommandAboutTable, frozen=True, kw_only=True):
    """Chips that go between the cage and a tray."""

    chips: Annotated[Inventory, Means("how many chips of each value")]
    ROLES = FLOOR_STAFF
    SECOND = CASHIERS


class OpenTray(TrayCommand, frozen=True, kw_only=True, tag="open_tray"):
    """The opening inventory of a table, out of the cage."""


class FillTray(TrayCommand, frozen=True, kw_only=True, tag="fill_tray"):
    """More chips for a tray, out of the cage."""


class CreditTray(TrayCommand, frozen=True, kw_only=True, tag="credit_tray"):
    """Chips out of a tray, back to the cage."""


class CountOfTable(CommandAboutTable, frozen=True, kw_only=True):
    """A count of what belongs to a table; one that finds more or less than the books have shows in the report."""

    CARD = CommandCard(discretion="count")
    COUNTED: ClassVar[str]
    """What is counted, in words."""

    def is_discretionary(self, found: BookFindings) -> bool:
        """Where it differs from the books."""
        return found.short != 0

    def discretion_text(self, found: BookFindings) -> str:
        """What was counted, and by how much it differs."""
        differs = "short" if found.short > 0 else "over"
        return f"count the {self.COUNTED} of {self.table}: {Cents(abs(found.short))} {differs}"


class InventoryCommand(CountOfTable, frozen=True, kw_only=True):
    """The chips of a tray, counted by two persons of the pit."""

    counted: Annotated[Inventory, Means("what was counted")]
    ROLES = PIT_STAFF
    SECOND = FLOOR_STAFF
    COUNTED = "tray"


class CountTray(InventoryCommand, frozen=True, kw_only=True, tag="count_tray"):
    """An inventory of a tray that stays open, as at the end of a day or a shift."""


class CloseTray(InventoryCommand, frozen=True, kw_only=True, tag="close_tray"):
    """The closing inventory: what was counted goes back to the cage."""


class CountDrop(CountOfTable, frozen=True, kw_only=True, tag="count_drop"):
    """The cash of a drop box is counted and goes to the cage; forms stay with accounting."""

    counted: Annotated[Sum, Means("what was counted")]
    ROLES = COUNT_TEAM
    SECOND = COUNT_TEAM
    COUNTED = "drop box"


class CashOut(HouseCommand, frozen=True, kw_only=True, tag="cash_out"):
    """Chips that left a table are redeemed for cash."""

    amount: Amount
    ROLES = CASHIERS
    REFUSAL_READS_TABLES = True
    """Chips come to the cage from any table and never leave it for one: redeeming them is right even if a table has
    sent more since, and only a refusal depends on all tables."""


class BankrollBrought(ByTwo, frozen=True, kw_only=True, tag="bankroll_brought"):
    """Value is issued: it lies in the cage."""

    amount: int


class ChipsMoved(ByTwo, frozen=True, kw_only=True):
    """Chips have gone between the cage and a tray, with a numbered slip."""

    slip: int
    table: str
    chips: Inventory


class TrayOpened(ChipsMoved, frozen=True, kw_only=True, tag="tray_opened"):
    """A table has its opening inventory."""


class TrayFilled(ChipsMoved, frozen=True, kw_only=True, tag="tray_filled"):
    """A tray has more chips."""


class TrayCredited(ChipsMoved, frozen=True, kw_only=True, tag="tray_credited"):
    """The cage has chips back."""


class TrayCount(ByTwo, frozen=True, kw_only=True):
    """A count of a tray, with a numbered slip."""

    slip: int
    table: str
    counted: Inventory
    short: int


class TrayCounted(TrayCount, frozen=True, kw_only=True, tag="tray_counted"):
    """A tray was counted and stays open; `short` is what the books had there beyond the count, in cents."""


class TrayClosed(TrayCount, frozen=True, kw_only=True, tag="tray_closed"):
    """A tray was counted and emptied; `short` is what the books had there beyond the count, in cents."""


class DropCounted(ByTwo, frozen=True, kw_only=True, tag="drop_counted"):
    """A drop box was counted and emptied; `short` is what the books had there beyond the count, in cents."""

    slip: int
    table: str
    counted: int
    short: int


class CashedOut(HouseEvent, frozen=True, kw_only=True, tag="cashed_out"):
    """Chips were redeemed: value has left the books."""

    amount: int
