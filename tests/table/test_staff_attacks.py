"""Attacks by staff at a table that says what it is: each was accepted, and the records looked clean."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from acting import acting
from baccarat.cards import Card
from baccarat.table.base import Accepted, table_rules
from baccarat.table.card_correction import CorrectCard
from baccarat.table.due_settlement import SettleDue
from baccarat.table.foul_card import ConfirmCard, ShoeFouled
from baccarat.table.goodwill import PayGoodwill
from baccarat.table.invariant import worth
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.machine import BEHAVIOUR, Table, decide, replay
from baccarat.table.owed import changed_vigorish, dues
from baccarat.table.payment_correction import CorrectPayment, PaymentCorrected
from baccarat.table.role import Role
from baccarat.table.step.clearing import ShoeFinished
from baccarat.table.step.closing import ShoeClosed
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.opening import CardsReceived
from baccarat.table.step.settlement import LosersCollected, Paid
from baccarat.table.table_cards import TableCards
from correction_scenes import keyed
from strategies import EDITIONS, NEW_JERSEY
from table_driver import MICRO, Game, new_game, seated

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


# ----------------------------------------------------------------------- a foul card after the result was announced


@pytest.mark.parametrize("at", ["settle", "clear"])
def test_a_card_that_is_foul_after_the_result_gives_nobody_his_stake_twice(at: str) -> None:
    """A card drawn in error was shown after the payments, and said to be foul: every wager went back once more."""
    game = new_game(NEW_JERSEY, f"{BANKER_WINS} {REST}", disclosed_card_procedure=1, ten_value_extra=1)
    game.table = Table(game.rules, TableCards.REAL)
    seated(game, (1, 3, 5))
    game.go("wager").wager("1 p 10000", "3 b 10000").go(at)
    game.do(ReportErrorCard(card=game.source.card(game.state, game.state.shoe.next)[0]))
    assert game.step == "expose"
    shoe, invented = game.state.shoe, Card.parse("9s")
    game.table.state = replace(game.state, shoe=replace(shoe, seen={**shoe.seen, str(invented): shoe.decks}))
    foul = ConfirmCard(position=shoe.exposing[0], card=invented)
    two: dict[str, Any] = {"who": "F. Loor", "second": "S. Uper", "second_role": Role.CASINO_SUPERVISOR}
    before = decide(game.rules, game.state, foul, acting(game.table, foul, **two), behaviour=2)
    assert isinstance(before, Accepted)
    assert worth(before.state) == worth(game.state) + 20_000 * MICRO, "what an older version gave away"
    (fouled, _) = game.do(foul, **two)
    assert isinstance(fouled, ShoeFouled)
    assert fouled.ends_with_round
    assert (game.step, game.state.stopped, game.of(RoundVoided)) == (at, "", [])
    game.skipped = True  # the seen cards were invented
    while not game.of(ShoeClosed):
        game.act()
    assert (game.chips(1), game.chips(3)) == (10_000_000 - 10_000, 10_000_000 + 9_500)
    assert game.of(ShoeFinished), "no more hands are dealt from it"


# --------------------------------------------------------------------------------------- goodwill before the cards


@each_edition
def test_the_goodwill_limit_of_a_shoe_does_not_begin_again_when_its_cards_come(edition: str) -> None:
    """The whole limit was given away before the cards of a shoe came, and once more after that."""
    game = new_game(edition, goodwill_limit="$100.00")
    game.table = Table(game.rules, TableCards.REAL)
    seated(game, (1,))
    gift = PayGoodwill(seat=1, amount=6_000, reason="a friend")
    two: dict[str, Any] = {"who": "F. Loor", "second": "C. Ashier", "second_role": Role.CAGE_CASHIER}
    game.do(gift, **two)
    game.act()
    assert game.of(CardsReceived)
    game.refused(gift, "above_maximum", **two)
    before = decide(game.rules, game.state, gift, acting(game.table, gift, **two), behaviour=2)
    assert isinstance(before, Accepted), "as older journals have it"
    game.do(replace(gift, amount=4_000), **two)
    game.refused(replace(gift, amount=1), "above_maximum", **two)
    replay(game.rules, game.table.log, TableCards.REAL)
