"""A participant who is away for a while has not left: seat, chips, marker and turns stay (reading A-102)."""

from __future__ import annotations

from typing import Any

import pytest

from baccarat.play.wager import WagerKind
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave, Left, VigorishCollected
from baccarat.table.step.curating import AnswerShoe
from baccarat.table.step.cutting import AnswerCut
from baccarat.table.step.settlement import Paid
from card_scenes import BANKER_WINS
from strategies import MASSACHUSETTS, NEW_JERSEY
from table_driver import game_at

clause = pytest.mark.clause
DEFERRED: dict[str, Any] = {"vig_collection": "deferred"}


@clause("MA-v1-3:5(c).2", "MA-v4:5(c).2", "NJ:3.5(c).2")
@pytest.mark.parametrize("edition", [*MASSACHUSETTS, NEW_JERSEY])
def test_5_c_whoever_is_away_is_offered_his_turn_and_passed_over_but_keeps_his_seat(edition: str) -> None:
    game = game_at(edition, seats=[1, 3, 5], step="offer_cut")
    first = game.next_act().seat
    chips = game.chips(first)
    game.do(AnswerCut(seat=first, accept=False), by=Role.DEALER)
    assert game.next_act().seat not in (0, first), "the offer goes on without him"
    assert (game.state.occupied, game.chips(first)) == ([1, 3, 5], chips)


@clause("NJ:3.6(b).2")
def test_3_6_b_a_shoe_is_not_kept_waiting_for_whoever_is_away() -> None:
    game = game_at(NEW_JERSEY, seats=[2, 5], step="offer_shoe")
    first = game.next_act().seat
    game.do(AnswerShoe(seat=first, accept=False), by=Role.DEALER)
    assert game.next_act().seat != first
    assert game.state.occupied == [2, 5]


@clause("MA:12(d)(2)(i)", "NJ:3.3(c)4")
@pytest.mark.parametrize("edition", [*MASSACHUSETTS, NEW_JERSEY])
def test_12_d_2_i_vigorish_is_due_when_he_leaves_and_not_while_he_is_away(edition: str) -> None:
    """His wager is played without him, the marker stays over the next round, and leaving collects it."""
    game = game_at(edition, f"{BANKER_WINS} {BANKER_WINS}", seats=[1, 3], **DEFERRED)
    game.play("1 b 10000")  # nobody at seat 1 does anything after the wager
    assert (game.last(Paid).seat, game.state.money.markers) == (1, {1: 500})
    game.go("wager").play("3 t 500")
    assert game.state.money.markers == {1: 500}
    assert not game.of(VigorishCollected)
    game.go("wager").do(Leave(seat=1), by=Role.FLOORPERSON)
    assert game.last(VigorishCollected).amount == 500
    assert game.last(Left).seat == 1
    assert game.state.occupied == [3]
    assert not [wager for wager in game.state.round.wagers if wager.on is WagerKind.BANKER]
