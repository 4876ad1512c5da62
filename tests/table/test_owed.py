"""Owed by the cards: after a correction everybody gets what the corrected cards say, no more and no less (A-88).

`test_owed_everywhere.py` compares the amounts of every wager with an independent settlement.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from acting import acting
from baccarat.cards import Card
from baccarat.house.posting import enter, seeds_of
from baccarat.ledger import Ledger, Place
from baccarat.play.wager import WagerKind
from baccarat.table.base import Accepted, Event, table_rules
from baccarat.table.card_correction import CorrectCard
from baccarat.table.due_settlement import (
    DueSettled,
    ReportUncollected,
    SettleDue,
    SettlementStopped,
    UncollectedReported,
)
from baccarat.table.goodwill import GoodwillPaid, PayGoodwill
from baccarat.table.invariant import worth
from baccarat.table.machine import decide
from baccarat.table.meters import CorrectMeter, MeterCorrected
from baccarat.table.owed import dues
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave, Sit, with_chips
from baccarat.table.step.announcing import ResultAnnounced, ResultWithdrawn
from baccarat.table.step.calling import NoMoreBetsCalled
from baccarat.table.step.clearing import ClearTable
from baccarat.table.step.house_money import PressHouseMoney
from baccarat.table.step.settlement import LosersCollected, Paid
from correction_scenes import PERSONS, keyed, set_right
from strategies import EDITIONS
from table_driver import MICRO, Game, game_at

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


def with_chips_left(game: Game, seat: int, chips: int) -> None:
    """The participant has only so many chips: as if the others had never been bought."""
    game.table.state = replace(game.state, seats=with_chips(game.state, seat, chips - game.chips(seat)))
    game.worth = worth(game.state)


def test_what_is_there_is_collected_and_only_the_rest_becomes_a_receivable_by_two_persons() -> None:
    game = settled(settling("ma-midi-4", "1 b 2500"))
    two: dict[str, Any] = {"who": "F. Loor", "second": "S. Uper"}
    game.refused(ReportUncollected(seat=1, reason="gone"), "no_such_wager", **two)
    set_right(game, game.state.round.player[0], "9S", "a nine: the hands were equal")
    report = ReportUncollected(seat=1, reason="cannot pay")
    refused = game.refused(report, "out_of_order", **two)
    assert refused.say.endswith("seat 1 has the $23.75 that it owes: the dealer collects it")
    with_chips_left(game, 1, 2375)
    game.refused(report, "out_of_order", **two)
    with_chips_left(game, 1, 2000)
    assert [(due.act, due.seat) for due in game.table.expected] == [("report_uncollected", 1)]
    game.refused(report, "same_person", who="F. Loor", second="f. LOOR")
    game.refused(report, "same_person", who="F. Loor", second="Participant 1")
    game.refused(report, "same_person", who="participant 1", second="S. Uper")
    game.refused(report, "wrong_role", who="F. Loor", second="D. Ealer", second_role=Role.DEALER)
    game.do(report, **two)
    assert (game.last(UncollectedReported).amount, game.last(UncollectedReported).collected) == (375, 2000)
    assert game.state.money.receivables == {"participant 1": 375}
    assert game.chips(1) == 0
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
    game.refused(gift, "same_person", who="participant 1", second="A. Dmin", second_role=Role.ADMINISTRATOR)
    game.refused(gift, "same_person", who="F. Loor", second="Participant  1", second_role=Role.ADMINISTRATOR)
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


def test_goodwill_that_names_its_patron_is_given_to_nobody_else_who_sits_there() -> None:
    """Two persons agree on it over some minutes, in which a seat may change hands."""
    game = settled(settling("ma-midi-4", "1 b 2500", goodwill_limit="$100.00"))
    outside: dict[str, Any] = {"who": "F. Loor", "second": "A. Dmin", "second_role": Role.ADMINISTRATOR}
    gift = PayGoodwill(seat=1, amount=3000, reason="an apology", patron="Participant  1")
    game.refused(replace(gift, patron="participant 2"), "not_entitled", **outside)
    game.do(gift, **outside)
    game.go("wager").do(Leave(seat=1))
    game.do(Sit(seat=1, person="somebody quick"))
    assert "another patron" in game.refused(gift, "not_entitled", **outside).say


@each_edition
def test_without_a_filed_limit_nothing_is_given_away(edition: str) -> None:
    game = settled(settling(edition, "1 b 2500"))
    gift = PayGoodwill(seat=1, amount=1, reason="an apology")
    game.refused(gift, "not_offered", who="F. Loor", second="A. Dmin", second_role=Role.ADMINISTRATOR)
    assert not game.of(GoodwillPaid)


def test_nobody_corrects_a_payment_to_himself() -> None:
    game = settled(settling("ma-midi-4", "1 p 2500", cards=BANKER_WINS))
    set_right(game, game.state.round.player[0], "9S", "a nine: the hands were equal")
    right = CorrectPayment(corrects=number_of(game, LosersCollected), seat=1, amount=2500, reason="his stake")
    for who, second in (("participant 1", "F. Loor"), ("D. Ealer", "PARTICIPANT 1")):
        refused = game.refused(right, "same_person", who=who, second=second)
        assert "you cannot request or approve a payment to yourself" in refused.say
    game.do(right, **PERSONS)


@each_edition
def test_a_round_that_is_cleared_stands(edition: str) -> None:
    game = settled(settling(edition, "1 b 2500"))
    position, paid = game.state.round.banker[0], number_of(game, Paid)
    card = CorrectCard(corrects=keyed(game, position), position=position, card=Card.parse("7D"), reason="a seven")
    payment = CorrectPayment(corrects=paid, seat=1, amount=-2375, reason="a tie")
    game.finish_round()
    refused = game.refused(card, "wrong_cards", **PERSONS)
    assert refused.say.endswith(
        f"the round of card {position + 1} has been cleared and cannot be corrected; use a goodwill payment"
    )
    refused = game.refused(payment, "wrong_sum", **PERSONS)
    assert "the cards owe seat 1 nothing, and it owes nothing" in refused.say
    assert refused.say.endswith("anything more is a goodwill payment")
    unknown = game.refused(replace(card, position=300), "wrong_cards", **PERSONS)
    assert "cleared" not in unknown.say


# ---------------------------------------------------------------------------------------------------- meters


def test_dealer_and_floor_give_nothing_away_through_a_meter() -> None:
    """All contributions, seeds and awards on record are in it: $9,000,000 more was accepted because "generous"."""
    game = game_at("ma-midi-4-royal9", f"{BANKER_WINS} {REST}", seats=[1]).wager("1 p 2500", "1 royal9 500")
    game.go("deal")
    called = number_of(game, NoMoreBetsCalled)
    generous = CorrectMeter(corrects=called, meter="star", amount=900_000_000 * MICRO, reason="generous")
    outside: dict[str, Any] = {"who": "F. Loor", "by": Role.FLOORPERSON, "second": "A. Dmin"}
    game.refused(generous, "wrong_role", who="D. Ealer", second="F. Loor", second_role=Role.FLOORPERSON)
    game.refused(replace(generous, amount=1), "wrong_role", who="D. Ealer", second="F. Loor", second_role=Role.PIT_BOSS)
    game.refused(replace(generous, amount=1), "not_offered", **outside)


def test_a_meter_is_raised_within_the_limit_of_goodwill_and_from_its_account() -> None:
    game = game_at("ma-midi-4-royal9", f"{BANKER_WINS} {REST}", seats=[1], goodwill_limit="$1.00")
    game.wager("1 p 2500", "1 royal9 500").go("deal")
    before, called = game.state.meters.amounts["star"], number_of(game, NoMoreBetsCalled)
    missed = CorrectMeter(corrects=called, meter="star", amount=45 * MICRO + 1, reason="a sensor missed a wager")
    outside: dict[str, Any] = {"who": "F. Loor", "by": Role.FLOORPERSON, "second": "A. Dmin"}
    game.refused(replace(missed, amount=100 * MICRO + 1), "above_maximum", **outside)
    game.do(missed, **outside)
    assert game.state.meters.amounts["star"] == before + missed.amount
    assert (game.state.shoe.goodwill, game.state.meters.goodwill) == (46, missed.amount)
    game.refused(replace(missed, amount=55 * MICRO), "above_maximum", **outside)
    gift: dict[str, Any] = {"who": "F. Loor", "second": "A. Dmin"}
    game.refused(PayGoodwill(seat=1, amount=55, reason="an apology"), "above_maximum", **gift)
    game.do(PayGoodwill(seat=1, amount=54, reason="an apology"), **gift)
    ledger = Ledger().post(*seeds_of(game.rules, table="1"))
    for event in game.table.log:
        ledger = enter(ledger, event, table="1")
    goodwill = sum(balance for account, balance in ledger.balances.items() if account.place is Place.GOODWILL)
    assert goodwill == -54 * MICRO - missed.amount


@pytest.mark.parametrize("between", ["", "QS"])
def test_a_card_that_was_right_after_all_leaves_nothing_in_the_meter_that_its_award_emptied(between: str) -> None:
    """Dealer and floor corrected a king that had won a meter, and then back: the award was paid by the house, and the
    meter kept all that it had shown, for whoever played next and against no limit."""
    cards = "KS 2C 9H 4D 5C 6C 7C 8C 9C"

    def won() -> Game:
        return (
            game_at("ma-midi-4-royal9", cards, seats=[1, 3]).wager("1 p 2500", "1 royal9 500", "3 b 2500").go("settle")
        )

    plain, game = settled(won()), won()
    game.act()
    assert game.of(LosersCollected)
    set_right(game, game.state.round.player[0], "KD", "a king of diamonds")
    put_in = game.of(MeterCorrected)
    assert [event.amount > 0 for event in put_in] == [True]
    king = game.state.round.player[0]
    if between:
        set_right(game, king, between, "another card again")
    right = CorrectCard(corrects=keyed(game, king), position=king, card=Card.parse("KS"), reason="a king of spades")
    older = decide(
        game.rules, game.state, right, acting(game.table, right, **PERSONS), game.table.event_at, behaviour=2
    )
    assert isinstance(older, Accepted)
    assert older.state.meters.amounts == game.state.meters.amounts, "as older journals have it"
    set_right(game, king, "KS", "a king of spades, as it was keyed")
    game.finish_round()
    plain.finish_round()
    assert game.state.meters.amounts == plain.state.meters.amounts
    assert (game.chips(1), game.chips(3)) == (plain.chips(1), plain.chips(3))
    assert sum(event.amount for event in game.of(MeterCorrected)) == 0
