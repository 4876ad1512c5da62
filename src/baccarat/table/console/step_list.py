"""The steps that a console shows: those of the round, or those by which the cards come into the shoe."""

from __future__ import annotations

from typing import Literal

import msgspec

from baccarat.play.wager import WagerKind
from baccarat.table.base import TableRules
from baccarat.table.irregularity.remedy import EXPOSE
from baccarat.table.registration import step_cites
from baccarat.table.state import TableState
from baccarat.table.step.house_money import HOUSE_MONEY
from baccarat.table.step.must_hit_trigger import MUST_HIT

OPENS_A_ROUND = ("pass_shoe", "offer_shoe", "wager")
"""The first steps of a round; whichever comes first in the edition's order opens it."""


class StepShown(msgspec.Struct, frozen=True, kw_only=True):
    """A step, and whether the table has passed it, is at it, or will come to it."""

    name: str
    state: Literal["past", "now", "later"]
    cites: tuple[str, ...] = ()


def _may_come(rules: TableRules, step: str) -> bool:
    """Whether a step can be due at all: not if the licensee does not offer what it is for."""
    if step == HOUSE_MONEY:
        return WagerKind.HOUSE_MONEY in rules.book.offered
    return step != MUST_HIT or rules.elections.must_hit is not None


def steps_shown(rules: TableRules, state: TableState) -> tuple[StepShown, ...]:
    """The steps to show around the current one, in the edition's order."""
    names = [step for step in rules.steps if step != EXPOSE and _may_come(rules, step)]
    first = next(index for index, step in enumerate(names) if step in OPENS_A_ROUND)
    before, round_ = names[:first], names[first:]
    shown = before if state.step in before else round_
    if state.step == EXPOSE:  # cards are shown on their way to the discards at any point of a round
        shown = [EXPOSE, *round_]
    here = shown.index(state.step)
    return tuple(
        StepShown(
            name=step,
            state="past" if index < here else "now" if index == here else "later",
            cites=step_cites(rules, state, step),
        )
        for index, step in enumerate(shown)
    )
