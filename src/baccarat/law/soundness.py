"""Soundness: what a table must be beyond its form, so that a slip stops the loading and not the play.

Each check yields what is wrong, with the place first. Their order matters: a later check relies on what
an earlier one has found sound.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING

from baccarat.law.error import RulesError
from baccarat.law.fact import Definitions
from baccarat.law.sound import money, options, rounds, steps, table, wagers
from baccarat.law.sound.rounds import definition_faults
from baccarat.law.sound.words import Faults

if TYPE_CHECKING:
    from baccarat.law.edition import Edition

CHECKS: tuple[Callable[[Edition], Faults], ...] = (
    *rounds.CHECKS, *options.CHECKS, *wagers.CHECKS, rounds.call_faults, *table.CHECKS, *steps.CHECKS, *money.ODDS,
    wagers.term_faults, *money.CHECKS, *options.LAST_CHECKS, *table.LAST_CHECKS,
)  # fmt: skip


def check(edition: Edition) -> None:
    """Raise the first thing that is wrong with an edition."""
    wrong = next(chain.from_iterable(find(edition) for find in CHECKS), None)
    if wrong is not None:
        raise RulesError(f"{edition.name}: {wrong}")


def check_definitions(definitions: Definitions) -> None:
    """Raise the first definition that refers to what is not yet known, or whose name is taken."""
    wrong = next(definition_faults(definitions), None)
    if wrong is not None:
        raise RulesError(wrong)
