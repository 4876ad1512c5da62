"""Meters that a link shows at a table: what the table takes of them before its result, and after it."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from acting import acting
from baccarat.law.rulebook import rulebook
from baccarat.money import MICRO
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted
from baccarat.table.machine import Table
from baccarat.table.meters import JoinLink, ShowMeters
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import KeyedCards
from baccarat.table.step.wagering import PlaceWager
from linked_floor import RANGE, royal_nines
from triggers import FirstWager

JOIN = JoinLink(link="L")


def linked_table(**elections: Any) -> Table:
    """A table alone that two persons have joined to a link."""
    table = Table(rulebook("ma-midi-4-royal9", must_hit=RANGE, **elections))
    assert isinstance(table.do(JOIN, acting(table, JOIN, who="Sue", second="Max")), Accepted)
    return table


def played_to(table: Table, step: str) -> Table:
    """The table at a step of its first round, in which one seat plays Royal 9."""
    source = KeyedCards(partial(royal_nines, "any"), triggers=FirstWager(table.rules))
    for command in (Sit(seat=1, person="A"), BuyIn(seat=1, amount=100_000)):
        assert isinstance(table.do(command), Accepted)
    run_until(table, source, stop=lambda t: t.state.step == "wager", wagers=lambda _: None)
    for on in (WagerKind.TIE, WagerKind.ROYAL9):
        assert isinstance(table.do(PlaceWager(seat=1, on=on, stake=500)), Accepted)
    run_until(table, source, stop=lambda t: t.state.step == step, wagers=lambda _: None)
    return table


def shown_now(table: Table) -> ShowMeters:
    """The figures that a table shows already."""
    meters = table.state.meters
    return ShowMeters(
        meters=dict(meters.amounts),
        reserve=meters.reserve,
        must_hit=meters.must_hit,
        must_hit_seal=meters.must_hit_seal,
    )


@pytest.mark.parametrize(("step", "fine"), [("announce", False), ("settle", True)])
def test_after_the_announcement_a_table_is_shown_whatever_the_others_have_left(step: str, fine: bool) -> None:
    """Before its result a table may still have to take its round's contributions out of the meters again; after it
    they are the link's, and another table may win them, and use the reserve up, down to nothing."""
    table = played_to(linked_table(reserve_share_bp=2500), step)
    right = shown_now(table)
    assert right.reserve > 0
    emptied = replace(right, reserve=0, won=("spade",))
    smaller = replace(right, meters={**right.meters, "spade": 1 * MICRO}, won=("spade",))
    for command in (emptied, smaller):
        outcome = table.do(command)
        assert isinstance(outcome, Accepted if fine else Refused), command
    assert table.state.meters.reserve == (right.reserve if not fine else smaller.reserve)
