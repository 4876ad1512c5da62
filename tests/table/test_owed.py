"""Owed by the cards: after a correction everybody gets what the corrected cards say, no more and no less (A-88).

The amounts are compared with an independent settlement (`support/plain_settlement.py`): hands counted and wagers paid
in a few plain lines, which know nothing of the program's tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from baccarat.cards import Card
from baccarat.house.posting import enter, seeds_of
from baccarat.ledger import Ledger, Place
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.table.base import Event, table_rules
from baccarat.table.correction import CorrectCard, CorrectPayment
from baccarat.table.owed import (
    DueSettled,
    GoodwillPaid,
    PayGoodwill,
    ReportUncollected,
    SettleDue,
    SettlementStopped,
    UncollectedReported,
    dues,
)
from baccarat.table.role import Role
from baccarat.table.step.announcing import ResultAnnounced, ResultWithdrawn
from baccarat.table.step.clearing import ClearTable
from baccarat.table.step.house_money import PressHouseMoney
from baccarat.table.step.settlement import LosersCollected, Paid
from campaign import CAMPAIGN
from correction_scenes import PERSONS, keyed, set_right
from plain_settlement import net_of
from strategies import EDITIONS
from table_driver import Game, game_at

BANKER_WINS, REST = "7S 9D TH KC", "2C 3C 4C 5C 6C 7C 8C 9C"
each_edition = pytest.mark.parametrize("edition", EDITIONS)


def settling(edition: str, *wagers: str, cards: str = BANKER_WINS, **elections: Any) -> Game:
    """A round whose result has just been announced."""
    return game_at(edition, f"{cards} {REST}", seats=[1, 3, 5], **elections).wager(*wagers).go("settle")


def settled(game: Game) -> Game:
    """The same round with every chip moved."""
    while game.step == "settle":
        game.act()
    return game


def number_of(game: Game, kind: type[Event]) -> int:
    """The number of the last event of a kind."""
    return max(at for at, event in enumerate(game.table.log) if isinstance(event, kind))


@each_edition
def test_dealer_and_floor_give_nothing_away_as_a_correction(edition: str) -> None:
    game = settled(settling(edition, "1 b 2500"))
    paid = number_of(game, Paid)
    for amount in (900_000_000, 1, -1):
        generous = CorrectPayment(corrects=paid, seat=1, amount=amount, reason="generous")
        game.refused(generous, "wrong_sum", **PERSONS)
    game.finish_round()
    game.refused(CorrectPayment(corrects=paid, seat=1, amount=900_000_000, reason="generous"), "wrong_sum", **PERSONS)


@each_edition
def test_a_card_corrected_before_any_chip_has_moved_is_announced_and_settled_again(edition: str) -> None:
    """Keyed 7 to 9, the Banker wins; really 7 to 7: a tie, and the Banker's stake goes back."""
    game = settling(edition, "1 b 2500", "3 t 500")
    before = game.chips(1), game.chips(3)
    set_right(game, game.state.round.banker[0], "7D", "a seven, not a nine")
    game.finish_round()
    assert [event.outcome for event in game.of(ResultAnnounced)] == ["banker", "tie"]
    assert (game.chips(1), game.chips(3)) == (before[0] + 2500, before[1] + 500 + 4000)


# --------------------------------------------------------------------------------- a settlement that has begun


@each_edition
def test_a_settlement_that_has_begun_stops_and_what_the_cards_owe_is_due(edition: str) -> None:
    """Keyed 7 to 9; the losing Player stake is taken, and then it turns out that the Player had won by 9 to 7."""
    game = settling(edition, "1 p 2500", "3 b 2500", cards="7S 9D TH KC")
    before = game.chips(1), game.chips(3)
    while not game.of(LosersCollected):
        game.act()
    set_right(game, game.state.round.player[0], "9S", "a nine")
    set_right(game, game.state.round.banker[0], "7D", "a seven")
    assert game.of(SettlementStopped)
    assert not game.of(ResultWithdrawn)
    paid = bool(game.of(Paid))
    assert [(due.act, due.seat) for due in game.table.expected] == [("settle_due", 3), ("settle_due", 1)]
    assert dues(table_rules(game.rules), game.state) == {1: 5000, 3: 0 if not paid else -5000}
    game.refused(ClearTable(), "wrong_step" if game.step != "clear" else "out_of_order")
    game.finish_round()
    assert (game.chips(1), game.chips(3)) == (before[0] + 5000, before[1])


@each_edition
def test_the_game_waits_until_the_correction_is_settled(edition: str) -> None:
    game = settled(settling(edition, "1 b 2500"))
    set_right(game, game.state.round.banker[0], "7D", "a seven: the hands were equal")
    game.refused(ClearTable(), "out_of_order")
    game.refused(SettleDue(seat=3), "no_such_wager")
    game.do(SettleDue(seat=1))
    game.refused(SettleDue(seat=1), "no_such_wager")
    game.do(ClearTable())


def test_what_cannot_be_collected_becomes_a_receivable_by_two_persons() -> None:
    game = settled(settling("ma-midi-4", "1 b 2500"))
    game.refused(ReportUncollected(seat=1, reason="gone"), "no_such_wager", who="F. Loor", second="S. Uper")
    set_right(game, game.state.round.player[0], "9S", "a nine: the hands were equal")
    report = ReportUncollected(seat=1, reason="walked away with it")
    game.refused(report, "same_person", who="F. Loor", second="f. LOOR")
    game.refused(report, "wrong_role", who="F. Loor", second="D. Ealer", second_role=Role.DEALER)
    before = game.chips(1)
    game.do(report, who="F. Loor", second="S. Uper")
    assert game.last(UncollectedReported).amount == 2375
    assert list(game.state.money.receivables.values()) == [2375]
    assert game.chips(1) == before
    game.finish_round()


def test_a_payout_pressed_by_mistake_is_settled_after_the_result_and_may_become_a_receivable() -> None:
    """House Money of $10 won $30 on a pair that was none, all of it pressed; the Player loses, and so does it."""
    game = game_at("ma-midi-4", f"4S 9H 4H KD {REST}", seats=[1], chips=6000)
    game.wager("1 p 5000", "1 house_money 1000").go("house_money")
    game.do(PressHouseMoney(seat=1, onto=WagerKind.PLAYER))
    game.act()
    set_right(game, game.state.round.player[1], "3H", "a three: no pair")
    game.finish_round()
    assert game.chips(1) == 0
    assert game.last(DueSettled).amount == -1000, "its stake; what was pressed was the house's, and was lost to it"


# -------------------------------------------------------------------------------------------------- goodwill


def test_goodwill_has_a_filed_limit_an_approver_outside_the_pit_and_an_account_of_its_own() -> None:
    game = settled(settling("ma-midi-4", "1 b 2500", goodwill_limit="$100.00"))
    gift = PayGoodwill(seat=1, amount=7000, reason="an apology")
    game.refused(gift, "wrong_role", who="F. Loor", second="P. Boss", second_role=Role.PIT_BOSS)
    game.refused(gift, "no_reason", who="F. Loor")
    game.refused(gift, "same_person", who="F. Loor", second="F. Loor", second_role=Role.ADMINISTRATOR)
    outside: dict[str, Any] = {"who": "F. Loor", "second": "A. Dmin", "second_role": Role.ADMINISTRATOR}
    game.do(gift, **outside)
    game.refused(gift, "above_maximum", **outside)
    game.refused(PayGoodwill(seat=2, amount=1, reason="an apology"), "seat_empty", **outside)
    game.do(PayGoodwill(seat=1, amount=3000, reason="an apology"), **outside)
    assert game.state.money.goodwill == 10_000
    ledger = Ledger().post(*seeds_of(game.rules, table="1"))
    for event in game.table.log:
        ledger = enter(ledger, event, table="1")
    goodwill = {account.place: balance for account, balance in ledger.balances.items()}
    assert (goodwill[Place.GOODWILL], goodwill[Place.VOUCHER]) == (-10_000 * 10**6, 10_000 * 10**6)


@each_edition
def test_without_a_filed_limit_nothing_is_given_away(edition: str) -> None:
    game = settled(settling(edition, "1 b 2500"))
    gift = PayGoodwill(seat=1, amount=1, reason="an apology")
    game.refused(gift, "not_offered", who="F. Loor", second="A. Dmin", second_role=Role.ADMINISTRATOR)
    assert not game.of(GoodwillPaid)


# --------------------------------------------------------------- every step, every wager, every kind of card

OPENINGS = ("7S 9D TH KC", "2S 3D AH KC", "4S 4D 4H KC", "9S 9D TH KC", "6S 5D KH AC", "2S 2D KH KC")
RIGHT = ("AD", "2D", "3D", "4H", "5D", "6D", "7D", "8D", "9D", "TD", "KD")
STEPS = ("third_cards", "announce", "settle", "collected", "paid", "clear")
WAGERS = (("1 p 2500", "3 b 2500", "5 t 500"), ("1 b 10300", "1 t 500", "3 p 2500"))


def cases(edition: str) -> Iterator[tuple[Any, ...]]:
    """Each round in which one card of one place is corrected at one step."""
    for cards in OPENINGS:
        for wagers in WAGERS:
            for step in STEPS:
                for place in range(6):
                    for right in RIGHT:
                        yield edition, cards, wagers, step, place, right


def goes_to(game: Game, step: str) -> bool:
    """Play on until a card is corrected: at a step, after the losers are taken, or after the first payment."""
    number = game.state.round.number
    while game.state.round.number == number:
        done = bool(game.of(LosersCollected)), bool(game.of(Paid))
        if step == game.step or (step == "collected" and done[0]) or (step == "paid" and done[1]):
            return True
        game.act()
    return False


def corrected(case: tuple[Any, ...]) -> None:
    """Play a round, correct the card, and compare what every seat has with the independent settlement."""
    edition, cards, wagers, step, place, right = case
    game = game_at(edition, f"{cards} {REST} {REST}", seats=[1, 3, 5])
    start = {seat: game.chips(seat) for seat in (1, 3, 5)}
    game.wager(*wagers)
    if not goes_to(game, step):
        return
    hands = (*game.state.round.player, *game.state.round.banker)
    if place >= len(hands) or hands[place] not in game.state.round.turned:
        return
    position, card = hands[place], Card.parse(right)
    if game.state.round.turned[position] == card:
        return
    game.do(CorrectCard(corrects=keyed(game, position), position=position, card=card, reason="mis-keyed"), **PERSONS)
    number = game.state.round.number
    while game.state.round.number == number:
        player, banker = ([str(card) for card in game.state.round.cards(side)] for side in Side)
        game.act()
    for seat in (1, 3, 5):
        mine = [text.split()[1:] for text in wagers if text.startswith(f"{seat} ")]
        net = sum(net_of(player, banker, on, int(stake)) for on, stake in mine)
        assert game.chips(seat) - game.state.money.markers.get(seat, 0) - start[seat] == net, (case, seat)


@pytest.mark.parametrize("edition", ["ma-midi-4", "nj-punto-banco"])
def test_each_correction_at_each_step_with_each_wager_pays_what_an_independent_settlement_says(edition: str) -> None:
    found = list(cases(edition))
    for case in found[:: max(1, 17 // CAMPAIGN)]:
        corrected(case)
