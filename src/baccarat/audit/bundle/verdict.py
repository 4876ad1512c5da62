"""Verdicts: what a verification showed, check by check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from baccarat.audit.bundle.form import Scope

GOOD, WRONG, UNREADABLE, UNSIGNED = 0, 1, 2, 3
"""Exit statuses: 3 if nothing is wrong in what was checked, but signatures were not although a key was given."""
SIGNS = {"holds": "✓", "wrong": "✗", "unchecked": "–"}


class BundleCheck(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One check: whether it holds, and what it showed, or what is wrong, or why it was not made."""

    name: str
    state: Literal["holds", "wrong", "unchecked"]
    say: str
    more: tuple[str, ...] = ()
    """Further faults of the same kind."""
    is_open: bool = False
    """Whether there are signatures that this check leaves unchecked, for any reason."""
    is_wanting: bool = False
    """Whether a key was given but the signature was not checked, or a named witness has not signed."""


class BundleVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """All checks of one bundle."""

    scope: Scope
    size: int
    root: str
    checks: tuple[BundleCheck, ...]

    @property
    def status(self) -> int:
        """The exit status."""
        if any(check.state == "wrong" for check in self.checks):
            return WRONG
        return UNSIGNED if any(check.is_wanting for check in self.checks) else GOOD

    def __str__(self) -> str:
        """The whole verdict in a sentence."""
        if self.status == WRONG:
            return "Something is wrong."
        if any(check.is_open or check.is_wanting for check in self.checks):
            return "Nothing is wrong in what was checked; signatures were not."
        is_all = all(check.state == "holds" for check in self.checks)
        return "Nothing is wrong." if is_all else "Nothing is wrong in what was checked."


MOST_FAULTS = 20


def passed_check(name: str, say: str) -> BundleCheck:
    """A check that holds."""
    return BundleCheck(name=name, state="holds", say=say)


def failed_check(name: str, say: str, more: Sequence[str] = ()) -> BundleCheck:
    """A check that does not hold."""
    return BundleCheck(name=name, state="wrong", say=say, more=tuple(more[:MOST_FAULTS]))


def skipped_check(name: str, say: str) -> BundleCheck:
    """A check that was not made."""
    return BundleCheck(name=name, state="unchecked", say=say)
