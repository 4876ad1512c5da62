"""Attacks by staff at a table that says what it is: each was accepted, and the records looked clean."""

from __future__ import annotations

from typing import Any

import pytest

from acting import acting
from baccarat.cards import Card
from baccarat.table.base import Accepted, table_rules
from baccarat.table.correction import CorrectCard, CorrectPayment, PaymentCorrected
from baccarat.table.due_settlement import SettleDue
from baccarat.table.machine import BEHAVIOUR, Table, decide, replay
from baccarat.table.owed import changed_vigorish, dues
from baccarat.table.step.settlement import LosersCollected, Paid
from baccarat.table.table_cards import TableCards
from correction_scenes import keyed
from strategies import EDITIONS
from table_driver import Game, new_game, seated

each_edition = pytest.mark.parametrize("edition", EDITIONS)
BANKER_WINS, PLAYER_WINS, REST = "7S 9D TH KC", "9S 7D TH KC", "2C 3C 4C 5C 6C 7C 8C 9C"
TWO: dict[str, Any] = {"who": "dealer", "second": "F. Loor"}
"""The dealer on the game, and the floorperson."""


def on_record(edition: str, cards: str, *wagers: str, **elections: Any) -> Game:
    """A round at a table of real cards whose chips have all moved."""
    game = new_game(edition, f"{cards} {REST}", **elections)
    game.table = Table(game.rules, TableCards.REAL)
    seated(game, (1, 3, 5))
    game.go("wager").wager(*wagers).go("settle")
    while game.step == "settle":
        game.act()
    return game


def set_right(game: Game, place: int, card: str, reason: str) -> None:
    """A card that was keyed wrongly is corrected by two persons."""
    fixed = CorrectCard(corrects=keyed(game, place), position=place, card=Card.parse(card), reason=reason)
    game.do(fixed, **TWO)


def correct_payment(game: Game, kind: type[Any], amount: int, seat: int = 1) -> None:
    """The last payment of a kind is corrected by two persons."""
    number = max(at for at, event in enumerate(game.table.log) if isinstance(event, kind))
    game.do(CorrectPayment(corrects=number, seat=seat, amount=amount, reason="by the cards"), **TWO)


# --------------------------------------------------------------------- vigorish of a payment that is taken back


@each_edition
@pytest.mark.parametrize("collection", ["at_payout", "deferred"])
@pytest.mark.parametrize("parts", [1, 2])
def test_vigorish_follows_a_payment_that_is_taken_back(edition: str, collection: str, parts: int) -> None:
    """The house earned 5 % of a win that the corrected cards make a tie (reading A-88)."""
    game = on_record(edition, BANKER_WINS, "1 b 10000", vig_collection=collection)
    assert game.state.money.vigorish_earned == 500
    set_right(game, game.state.round.banker[0], "7D", "a seven: the hands were equal")
    due = dues(table_rules(game.rules), game.state)[1]
    for part in (due // parts, due - due // parts)[:parts]:
        assert game.state.money.vigorish_earned == 500
        correct_payment(game, Paid, part)
    assert game.last(PaymentCorrected).vigorish == -500
    assert game.state.money.vigorish_earned == 0
    assert changed_vigorish(table_rules(game.rules), game.state, 1) == 0
    game.finish_round()
    assert replay(game.rules, game.table.log, TableCards.REAL) == game.state


@pytest.mark.parametrize("version", range(1, BEHAVIOUR + 1))
def test_older_versions_left_the_vigorish_as_it_was(version: int) -> None:
    game = on_record("ma-midi-4", BANKER_WINS, "1 b 10000")
    set_right(game, game.state.round.banker[0], "7D", "a seven: the hands were equal")
    due = dues(table_rules(game.rules), game.state)[1]
    number = max(at for at, event in enumerate(game.table.log) if isinstance(event, Paid))
    command = CorrectPayment(corrects=number, seat=1, amount=due, reason="by the cards")
    by = acting(game.table, command, **TWO)
    found = decide(game.rules, game.state, command, by, game.table.event_at, behaviour=version)
    assert isinstance(found, Accepted)
    assert found.state.money.vigorish_earned == (0 if version >= 3 else 500)


@each_edition
def test_vigorish_follows_a_payment_that_comes_late(edition: str) -> None:
    game = on_record(edition, PLAYER_WINS, "1 b 10000", "3 p 10000")
    assert game.state.money.vigorish_earned == 0
    set_right(game, game.state.round.player[0], "6S", "a six: the Banker won")
    correct_payment(game, LosersCollected, 10000 + 9500)
    assert game.state.money.vigorish_earned == 500
    game.do(SettleDue(seat=3))
    assert game.state.money.vigorish_earned == 500
    game.finish_round()


@each_edition
def test_a_correction_without_vigorish_says_nothing_of_it(edition: str) -> None:
    game = on_record(edition, PLAYER_WINS, "3 p 10000")
    set_right(game, game.state.round.player[0], "7S", "a seven: the hands were equal")
    correct_payment(game, Paid, -10000, seat=3)
    assert not game.last(PaymentCorrected).vigorish
    assert game.state.money.vigorish_earned == 0
