"""What is said while a correction is not settled: nobody reads a sum below zero."""

from __future__ import annotations

import pytest

from baccarat.table.base import table_rules
from baccarat.table.due_settlement import SettleDue
from baccarat.table.owed import refuse_while_owed
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.step.clearing import ClearTable
from baccarat.table.step.settlement import LosersCollected, Paid
from correction_scenes import PERSONS, set_right
from strategies import EDITIONS
from table_driver import Game, game_at

REST = "2C 3C 4C 5C 6C 7C 8C 9C"
each_edition = pytest.mark.parametrize("edition", EDITIONS)


def settled(edition: str, *wagers: str) -> Game:
    """A round in which the Banker has won by 9 to 7, with every chip moved."""
    game = game_at(edition, f"7S 9D TH KC {REST}", seats=[1, 3, 5]).wager(*wagers).go("settle")
    while game.step == "settle":
        game.act()
    return game


@each_edition
def test_a_seat_is_owed_or_owes_and_no_sum_is_negative(edition: str) -> None:
    game = settled(edition, "1 b 2500", "3 t 500")
    set_right(game, game.state.round.banker[0], "7D", "a seven: the hands were equal")
    say = game.refused(ClearTable(), "out_of_order").say
    paid = 2500 - 125
    assert say == f"clear table: settle the correction first: seat 1 owes ${paid / 100:.2f}; seat 3 is owed $45.00"
    too_much = CorrectPayment(corrects=_paid(game), seat=1, amount=-paid - 1, reason="all of it")
    assert game.refused(too_much, "wrong_sum", **PERSONS).say.endswith(
        f"by the cards, seat 1 owes ${paid / 100:.2f}; a correction cannot exceed that, nor pay the seat anything"
    )
    generous = CorrectPayment(corrects=_paid(game), seat=3, amount=4501, reason="generous")
    assert game.refused(generous, "wrong_sum", **PERSONS).say.endswith(
        "the cards owe seat 3 $45.00; a correction cannot exceed that, and anything more is a goodwill payment"
    )


def test_a_seat_that_has_lost_what_still_lies_there_is_owed_nothing() -> None:
    """The Player stake is taken; then it turns out that the Player had won by 9 to 7, and the Banker stake has lost."""
    game = game_at("ma-midi-4", f"7S 9D TH KC {REST}", seats=[1, 3]).wager("1 p 2500", "3 b 2500").go("settle")
    while not game.of(LosersCollected):
        game.act()
    set_right(game, game.state.round.player[0], "9S", "a nine")
    set_right(game, game.state.round.banker[0], "7D", "a seven")
    game.do(SettleDue(seat=1))
    refused = refuse_while_owed(table_rules(game.rules), game.state, ClearTable())
    assert refused is not None
    assert refused.say == "settle the correction first: seat 3 has lost the $25.00 that still lies there"


def _paid(game: Game) -> int:
    """The number of the last payment."""
    return max(at for at, event in enumerate(game.table.log) if isinstance(event, Paid))
