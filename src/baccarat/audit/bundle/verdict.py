"""Verdicts: what a verification showed, check by check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from baccarat.audit.bundle.form import Scope

GOOD, WRONG, UNREADABLE, UNSIGNED = 0, 1, 2, 3
"""Exit statuses: 3 where nothing is wrong, but signatures could not be checked for want of a package."""
SIGNS = {"holds": "✓", "wrong": "✗", "unchecked": "–"}


class Check(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One check: whether it holds, and what it showed, or what is wrong, or why it was not made."""

    name: str
    state: Literal["holds", "wrong", "unchecked"]
    say: str
    more: tuple[str, ...] = ()
    """Further faults of the same kind."""
    lacks: str = ""
    """The package without which it could not be made."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """All checks of one bundle."""

    scope: Scope
    size: int
    root: str
    checks: tuple[Check, ...]

    @property
    def status(self) -> int:
        """The exit status."""
        if any(check.state == "wrong" for check in self.checks):
            return WRONG
        return UNSIGNED if any(check.lacks for check in self.checks) else GOOD


MOST_FAULTS = 20


def holds(name: str, say: str) -> Check:
    """A check that holds."""
    return Check(name=name, state="holds", say=say)


def wrong(name: str, say: str, more: Sequence[str] = ()) -> Check:
    """A check that does not hold."""
    return Check(name=name, state="wrong", say=say, more=tuple(more[:MOST_FAULTS]))


def unchecked(name: str, say: str) -> Check:
    """A check that was not made."""
    return Check(name=name, state="unchecked", say=say)
