"""Verdicts: what a verification showed, check by check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from baccarat.audit.bundle.form import Scope
from baccarat.audit.coverage import StreamCoverage
from baccarat.record.key import Verifier

GOOD, WRONG, UNREADABLE, UNCOVERED = 0, 1, 2, 3
"""Exit statuses: 3 if nothing is wrong, but not everything is covered by the keys that were given."""
SIGNS = {"holds": "✓", "wrong": "✗", "unchecked": "–"}


class BundleCheck(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One check: whether it holds, and what it showed, or what is wrong, or why it was not made."""

    name: str
    state: Literal["holds", "wrong", "unchecked"]
    say: str
    more: tuple[str, ...] = ()
    """Further faults of the same kind."""
    is_gap: bool = False
    """Whether what was not checked counts as not covered; the rest is only worth knowing."""


class BundleVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """All checks of one bundle."""

    scope: Scope
    size: int
    root: str
    coverage: StreamCoverage
    checks: tuple[BundleCheck, ...]
    unused: frozenset[Verifier] = frozenset()
    """The keys that were given one by one and have signed nothing of it."""

    @property
    def status(self) -> int:
        """The exit status."""
        if any(check.state == "wrong" for check in self.checks):
            return WRONG
        return UNCOVERED if self.coverage.gaps else GOOD

    def __str__(self) -> str:
        """The whole verdict in a sentence."""
        if self.status == WRONG:
            return "Something is wrong."
        if self.status == UNCOVERED:
            return "Nothing is wrong in what was checked; not all of it is covered."
        return "Nothing is wrong, and everything is covered."


MOST_FAULTS = 20


def passed_check(name: str, say: str) -> BundleCheck:
    """A check that holds."""
    return BundleCheck(name=name, state="holds", say=say)


def failed_check(name: str, say: str, more: Sequence[str] = ()) -> BundleCheck:
    """A check that does not hold."""
    return BundleCheck(name=name, state="wrong", say=say, more=tuple(more[:MOST_FAULTS]))


def skipped_check(name: str, say: str) -> BundleCheck:
    """A check that was not made, which is only worth knowing."""
    return BundleCheck(name=name, state="unchecked", say=say)


def gap_check(name: str, say: str) -> BundleCheck:
    """A check that could not be made: what it is about is not covered."""
    return BundleCheck(name=name, state="unchecked", say=say, is_gap=True)
