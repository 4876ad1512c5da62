"""What tests ask the books in whole: what a posting does to their sum, what is in issue, which trays are overdrawn."""

from __future__ import annotations

from enum import Enum

from baccarat.ledger import ISSUE, Account, Ledger, Place, Posting


class Movement(Enum):
    """Whether value enters the books, leaves them, or moves within."""

    ISSUE = "issue"
    REDEMPTION = "redemption"
    WITHIN = "within"


def movement_of(posting: Posting) -> Movement:
    """What a posting does to the sum of the books."""
    moved = posting.amount(ISSUE)
    return Movement.ISSUE if moved < 0 else Movement.REDEMPTION if moved > 0 else Movement.WITHIN


def in_issue(ledger: Ledger) -> int:
    """All value in the books, in micro-cents: constant except for issue and redemption."""
    return -ledger.balance(ISSUE)


def overdrawn_trays(ledger: Ledger) -> tuple[Account, ...]:
    """Trays from which more has gone than is known to have been there, in a fixed order."""
    found = (line for line in ledger.trial_balance() if line.account.place is Place.TRAY and line.balance < 0)
    return tuple(line.account for line in found)
