"""Sections 7 to 9, 11 and 12(d), subchapters 3.2, 3.3, 3.7, 3.8 and 3.10, at the table: a round and a shoe."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.law.rulebook import read_submission
from baccarat.law.submission import MustHit
from baccarat.play.hand import Side
from baccarat.play.wager import Kind
from baccarat.table.invariant import broken
from baccarat.table.missing_form import MissForm
from baccarat.table.owing import (
    ComplimentaryForm,
    DocumentVigorish,
    ExceptionReported,
    ReceiveForms,
    ReportException,
    VigorishDocumented,
    VoidForm,
)
from baccarat.table.people import BuyIn, Leave, Left, VigorishCollected
from baccarat.table.role import Role
from baccarat.table.state import DEALER, RoundKind, with_meters
from baccarat.table.step.calling import CallCards, CallNoMoreBets, CardsCalled, NoMoreBetsCalled
from baccarat.table.step.clearing import ClearTable, LastHandCalled, ShoeFinished, TableCleared
from baccarat.table.step.closing import CloseShoe, CollectVigorish, ShoeClosed
from baccarat.table.step.curating import AnswerShoe
from baccarat.table.step.dealing import CardDrawn, CoverCardOut, DrawCard
from baccarat.table.step.house_money import HouseMoneyCollected, HouseMoneyPaid, PressHouseMoney, SettleHouseMoney
from baccarat.table.step.must_hit import EndRound, MustHitEnded, SealTrigger, not_reached, seal_of
from baccarat.table.step.opening import ReceiveCards
from baccarat.table.step.relinquishing import AnswerTurn, OrderRelinquish, Relinquish, TurnFellToDealer
from baccarat.table.step.settlement import (
    AnnounceResult,
    CollectLosers,
    LosersCollected,
    Paid,
    Pay,
    ResultAnnounced,
    TakeVigorish,
    VigorishTaken,
)
from baccarat.table.step.turning import (
    AnnounceCount,
    AskBankerFirst,
    CardsHanded,
    CardsReturned,
    CardTurned,
    CountAnnounced,
    HandCards,
    ReturnCards,
    TurnCard,
)
from baccarat.table.step.wagering import (
    ChangeWager,
    ConfirmWager,
    PlaceWager,
    RequestFreeHand,
    SpeakWager,
    SpokenWagerOff,
    WithdrawWager,
)
from strategies import EDITIONS, LATE, MASSACHUSETTS, NEW_JERSEY
from table_driver import Game, game_at, new_game, seated

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
each_of_massachusetts = pytest.mark.parametrize("edition", MASSACHUSETTS)
BANKER_WINS, PLAYER_WINS, TIE = "7S 9D TH KC", "9S 7D TH KC", "7S 7D TH KC"
SIX_CARDS = "2S 3D AH KC 4C 5C"
"""Player 3 draws a four, Banker 3 draws a five: 7 against 8."""
PATRON = Role.PARTICIPANT
BANKER, PLAYER = Side.BANKER, Side.PLAYER


def paragraphs(edition: str, *names: str) -> tuple[str, ...]:
    """Citations as printed."""
    return tuple(f"{edition} §{name}" for name in names)


# -------------------------------------------------------------------------------------- 7, 3.2 wagers


@clause("MA:7(b).1", "NJ:3.2(c).1", "MA-v1-3:7(c)", "MA-v4:7(d)", "NJ:3.2(d)", "MA:8(b)", "NJ:3.7(b).1")
@each_edition
def test_7_b_wagers_are_made_changed_and_withdrawn_until_no_more_bets(edition: str) -> None:
    game = game_at(edition, chips=10_000)
    place = "3.2(c)" if edition == NEW_JERSEY else "7(b)"
    assert game.table.expected[0].cites == paragraphs(edition, place)
    (made, *_) = game.do(PlaceWager(seat=1, on=Kind.BANKER, stake=2500))
    assert made.cites == paragraphs(edition, "3.2(a)" if edition == NEW_JERSEY else "7(a)", place)
    game.refused(PlaceWager(seat=1, on=Kind.BANKER, stake=2500), "out_of_order")
    game.refused(PlaceWager(seat=2, on=Kind.BANKER, stake=2500), "seat_empty")
    game.refused(PlaceWager(seat=1, on=Kind.PLAYER, stake=7600), "not_enough_chips")
    game.refused(PlaceWager(seat=1, on=Kind.PLAYER, stake=0), "no_such_wager")
    game.refused(ChangeWager(seat=1, on=Kind.TIE, stake=600), "no_such_wager")
    game.refused(ChangeWager(seat=1, on=Kind.BANKER, stake=10_100), "not_enough_chips")
    game.do(ChangeWager(seat=1, on=Kind.BANKER, stake=10_000))
    assert game.chips(1) == 0
    game.do(ChangeWager(seat=1, on=Kind.BANKER, stake=2600))
    game.do(PlaceWager(seat=1, on=Kind.TIE, stake=500))
    game.do(WithdrawWager(seat=1, on=Kind.TIE))
    assert game.chips(1) == 7400
    game.refused(DrawCard(), "wrong_step")
    game.do(CallNoMoreBets())
    closed = {NEW_JERSEY: "3.2(d)", "ma-midi-4": "7(d)"}.get(edition, "7(c)")
    for late in (
        PlaceWager(seat=3, on=Kind.BANKER, stake=2500),
        ChangeWager(seat=1, on=Kind.BANKER, stake=5000),
        WithdrawWager(seat=1, on=Kind.BANKER),
    ):
        game.refused(late, "wagers_closed", cites=closed)


@clause("MA:8(b)", "NJ:3.7(b).1", "NJ:3.7(b).2")
@each_edition
def test_8_b_the_dealer_calls_no_more_bets_and_in_new_jersey_cards(edition: str) -> None:
    game = game_at(edition)
    game.refused(CallNoMoreBets(), "no_such_wager")
    game.wager("1 b 2500")
    for role in set(Role) - {Role.DEALER}:
        game.refused(CallNoMoreBets(), "wrong_role", by=role)
    game.do(CallNoMoreBets())
    called = game.last(NoMoreBetsCalled)
    assert called.say.lower() == "no more bets"
    assert called.cites == paragraphs(edition, "3.7(b)" if edition == NEW_JERSEY else "8(b)")
    if edition == NEW_JERSEY:
        assert game.step == "call_cards"
        game.refused(DrawCard(), "wrong_step")
        game.do(CallCards())
        assert game.last(CardsCalled).say == "Cards"
    assert game.step == "deal"


@clause("MA:7(b).2", "NJ:3.2(c).2")
@each_edition
def test_7_b_a_spoken_wager_stands_when_those_named_have_confirmed_it_and_the_cash_is_changed(edition: str) -> None:
    game = game_at(edition)
    game.refused(SpeakWager(seat=1, on=Kind.BANKER, stake=2500, cash=False), "not_enough_chips")
    game.do(SpeakWager(seat=1, on=Kind.BANKER, stake=2500, cash=True))
    game.refused(PlaceWager(seat=1, on=Kind.BANKER, stake=2500), "out_of_order")
    game.refused(ConfirmWager(seat=1, on=Kind.TIE), "no_such_wager")
    assert not game.state.round.wagers
    if edition == NEW_JERSEY:
        game.do(ConfirmWager(seat=1, on=Kind.BANKER))
        assert not game.state.round.wagers, "the casino supervisor confirms as well"
        game.do(ConfirmWager(seat=1, on=Kind.BANKER), by=Role.CASINO_SUPERVISOR)
    else:
        game.refused(ConfirmWager(seat=1, on=Kind.BANKER), "wrong_role", by=Role.CASINO_SUPERVISOR)
        game.do(ConfirmWager(seat=1, on=Kind.BANKER))
    assert [wager.stake for wager in game.state.round.wagers] == [2500]
    assert game.chips(1) == 10_000_000, "its chips came for cash"


@clause("MA:7(b).2", "NJ:3.2(c).2")
@each_edition
def test_7_b_a_wager_only_spoken_is_off_when_the_wagering_ends_or_its_owner_goes(edition: str) -> None:
    game = game_at(edition).wager("3 b 2500")
    game.do(SpeakWager(seat=1, on=Kind.BANKER, stake=2500, cash=True))
    game.do(SpeakWager(seat=5, on=Kind.BANKER, stake=2500, cash=True))
    game.do(Leave(seat=5))
    assert [off.seat for off in game.of(SpokenWagerOff)] == [5]
    game.refused(ConfirmWager(seat=5, on=Kind.BANKER), "no_such_wager")
    game.do(CallNoMoreBets())
    assert [off.seat for off in game.of(SpokenWagerOff)] == [5, 1]
    assert [wager.seat for wager in game.state.round.wagers] == [3]
    silent = game_at(edition, verbal_wagers=False)
    silent.refused(SpeakWager(seat=1, on=Kind.BANKER, stake=2500, cash=True), "not_offered")


@clause("MA:7(b).2", "NJ:3.2(c).2", "NJ:3.2(b).2")
def test_7_b_a_spoken_wager_is_looked_at_again_when_it_is_confirmed() -> None:
    game = game_at(NEW_JERSEY, bonus_base_required=True).wager("1 b 2500")
    game.do(SpeakWager(seat=1, on=Kind.DRAGON_BANKER, stake=500, cash=True))
    game.do(WithdrawWager(seat=1, on=Kind.BANKER))
    game.do(ConfirmWager(seat=1, on=Kind.DRAGON_BANKER))
    game.refused(ConfirmWager(seat=1, on=Kind.DRAGON_BANKER), cites="3.2(b)", by=Role.CASINO_SUPERVISOR)


@clause("MA-v4:1 Free Hand", "MA-v4:7(c)", "MA:8(d).4")
def test_7_c_a_free_hand_is_dealt_on_request_without_any_wager() -> None:
    game = game_at("ma-midi-4", f"{SIX_CARDS} {PLAYER_WINS}", max_consecutive_free_hands=1)
    game.refused(RequestFreeHand(seat=2), "seat_empty")
    game.wager("1 tie 500")
    game.refused(RequestFreeHand(seat=1), "wagers_on_table", cites="7(c)")
    game.do(WithdrawWager(seat=1, on=Kind.TIE))
    game.do(RequestFreeHand(seat=1))
    game.do(PlaceWager(seat=3, on=Kind.BANKER, stake=2500))
    assert game.state.round.kind is RoundKind.WAGERED, "one who does wager is not shut out by one who does not"
    game.do(WithdrawWager(seat=3, on=Kind.BANKER))
    game.do(RequestFreeHand(seat=5))
    game.do(Leave(seat=5))
    assert game.state.round.kind is RoundKind.WAGERED, "nobody who is gone asks for anything"
    seated(game, [5]).do(RequestFreeHand(seat=1))
    before = [game.chips(seat) for seat in (1, 3, 5)]
    game.finish_round()
    assert game.last(ResultAnnounced).outcome == "banker"
    assert not game.of(CardsHanded)
    assert [game.chips(seat) for seat in (1, 3, 5)] == before
    game.refused(RequestFreeHand(seat=1), "not_offered")
    game.play("1 tie 500")
    game.do(RequestFreeHand(seat=1))


@clause("MA-v4:7(c)")
@pytest.mark.parametrize("edition", [*MASSACHUSETTS[:3], NEW_JERSEY])
def test_7_c_no_other_document_knows_a_free_hand(edition: str) -> None:
    game_at(edition).refused(RequestFreeHand(seat=1), "not_offered")


@clause("MA-v4:7(c)", "MA:9(d).2", "MA:9(d).3")
def test_7_c_a_free_hand_counts_as_the_last_hand() -> None:
    game = game_at("ma-midi-4", end=f"{TIE} 2C 3C 4C 5C 6C 7C 8C 9C TC").skip(left=13, cover_out=True)
    game.do(RequestFreeHand(seat=1))
    game.finish_round()
    assert game.step == "close"


@clause("MA-v1-3:7(c)", "MA-v4:7(d)", "NJ:3.2(d)")
@each_edition
def test_7_leaving_takes_wagers_back_only_while_wagers_may_be_taken_back(edition: str) -> None:
    game = game_at(edition, BANKER_WINS).wager("1 b 2500", "1 t 500", "3 b 2500")
    game.do(Leave(seat=1))
    assert game.last(Left).chips == 10_000_000
    assert [wager.seat for wager in game.state.round.wagers] == [3]
    game.do(CallNoMoreBets())
    paragraph = {"nj-punto-banco": "3.2(d)", "ma-midi-4": "7(d)"}.get(edition, "7(c)")
    game.refused(Leave(seat=3), "wagers_on_table", cites=paragraph)
    game.finish_round()
    game.do(Leave(seat=3))


# ------------------------------------------------------------------------------------- 8, 3.7 the cards


@clause("MA:8(a)", "MA:8(c).1", "MA:8(c).2", "NJ:3.7(a)", "NJ:3.7(c).1", "NJ:3.7(d).1")
@each_edition
def test_8_c_four_cards_go_face_down_to_player_and_banker_in_turn(edition: str) -> None:
    game = game_at(edition, BANKER_WINS).wager("1 b 2500").go("deal")
    first = game.state.shoe.next
    for _ in range(4):
        game.do(DrawCard())
    drawn = [(event.position - first, event.to) for event in game.of(CardDrawn)]
    assert drawn == [(0, PLAYER), (1, BANKER), (2, PLAYER), (3, BANKER)]
    assert game.state.round.turned == {}
    assert game.step == "turn_player"
    game.refused(DrawCard(), "wrong_step")


@clause(
    "MA:8(c)(1).2", "MA:8(c)(1).3", "MA:8(c)(1).4", "MA:8(c)(2).1", "MA:8(c)(2).2", "MA:8(c)(2).3", "MA:9(a)",
    "NJ:3.7(d)1", "NJ:3.7(d)2", "NJ:3.8(a).1", "NJ:3.8(a).2",
)  # fmt: skip
@each_edition
def test_8_c_each_hand_goes_to_its_highest_wager_comes_back_is_turned_and_counted(edition: str) -> None:
    game = game_at(edition, BANKER_WINS).wager("1 p 2500", "3 p 5000", "5 b 2600", "3 b 2500", "1 t 500")
    game.go("turn_player")
    nj = edition == NEW_JERSEY
    for side, seat, count, step in ((PLAYER, 3, 7, "turn_player"), (BANKER, 5, 9, "turn_banker")):
        assert game.step == step
        first, second = game.state.round.hand(side)
        where = ("3.7(d)1" if nj else "8(c)(1)") if side is PLAYER else ("3.7(d)2" if nj else "8(c)(2)")
        assert game.table.expected[0].cites == paragraphs(edition, where)
        game.refused(TurnCard(position=first, card=Card.parse("7S")), "out_of_order")
        game.refused(ReturnCards(seat=seat), "out_of_order")
        game.do(HandCards())
        handed = game.last(CardsHanded)
        assert (handed.side, handed.seat, handed.positions) == (side, seat, (first, second))
        assert handed.cites == paragraphs(edition, where)
        game.refused(HandCards(), "out_of_order")
        game.refused(ReturnCards(seat=1), "not_entitled")
        game.refused(Leave(seat=seat), "wagers_on_table")
        game.do(ReturnCards(seat=seat))
        game.refused(AnnounceCount(), "out_of_order")
        game.act()
        game.act()
        game.do(AnnounceCount())
        assert (game.last(CountAnnounced).side, game.last(CountAnnounced).count) == (side, count)
    assert [event.side for event in game.of(CountAnnounced)] == [PLAYER, BANKER]


@clause("MA:8(c)(6).1", "MA:8(c)(6).2", "NJ:3.7(d)5")
@pytest.mark.parametrize(("seat_one", "first"), [("dealer_left", 5), ("dealer_right", 1)])
@each_edition
def test_8_c_6_of_equal_wagers_the_one_closest_to_the_dealer_counterclockwise_turns(
    edition: str, seat_one: str, first: int
) -> None:
    game = game_at(edition, BANKER_WINS, seat_one=seat_one)
    game.wager("1 p 2500", "3 p 2500", "5 p 2500", "1 b 2500", "5 b 2500").go("announce")
    assert [(event.side, event.seat) for event in game.of(CardsHanded)] == [(PLAYER, first), (BANKER, first)]
    cited = "3.7(d)5" if edition == NEW_JERSEY else "8(c)(6)"
    assert all(f"{edition} §{cited}" in event.cites for event in game.of(CardsHanded))


@clause("MA:8(c)(4)", "MA:8(c)(5)", "MA:9(b)", "MA:9(c)", "NJ:3.7(d)3", "NJ:3.7(d)4", "NJ:3.8(b)", "NJ:3.8(d)")
@each_edition
def test_8_c_third_cards_go_through_the_same_holders_player_first(edition: str) -> None:
    game = game_at(edition, SIX_CARDS).wager("1 p 2500", "3 b 2500").go("third_cards")
    nj = edition == NEW_JERSEY
    handed = len(game.of(CardsHanded))
    tableau = "3.9" if nj else "10"
    clauses = {
        PLAYER: paragraphs(edition, *(("3.8(b)", "3.7(d)3") if nj else ("9(b)", "8(c)(4)"))),
        BANKER: paragraphs(edition, *(("3.8(b)", "3.7(d)4") if nj else ("9(b)", "8(c)(5)"))),
    }
    for side, seat, card in ((PLAYER, 1, "4c"), (BANKER, 3, "5c")):
        due = game.table.expected[0].cites
        game.do(DrawCard())
        cites = game.last(CardDrawn).cites
        assert cites == due
        assert cites[-2:] == clauses[side]
        assert all(cite.startswith(f"{edition} §{tableau}") for cite in cites[:-2]), "first the row of the tableau"
        place = game.state.round.hand(side)[2]
        game.refused(DrawCard(), "out_of_order")
        game.refused(TurnCard(position=place, card=Card.parse(card)), "out_of_order")
        game.do(HandCards())
        assert (game.last(CardsHanded).seat, game.last(CardsHanded).positions) == (seat, (place,))
        game.do(ReturnCards(seat=seat))
        game.do(TurnCard(position=place, card=Card.parse(card)))
    assert len(game.of(CardsHanded)) == handed + 2
    assert game.step == "announce"
    game.refused(DrawCard(), "wrong_step")


@clause("MA:8(d).4", "NJ:3.7(d)6.1", "NJ:3.7(d)6.2")
@each_edition
def test_8_d_where_nobody_wagered_the_dealer_turns_the_cards(edition: str) -> None:
    game = game_at(edition, SIX_CARDS).wager("1 t 500").go("turn_player")
    game.refused(HandCards(), "not_entitled")
    game.refused(OrderRelinquish(reason="delay"), "not_entitled")
    game.finish_round()
    assert not game.of(CardsHanded)
    nobody = "3.7(d)6" if edition == NEW_JERSEY else "8(d)"
    assert game.of(CardTurned)[0].cites == paragraphs(edition, nobody)


@clause("MA:8(d).1", "MA:8(d).2", "MA:8(d).3", "MA:8(d).4")
@pytest.mark.parametrize(("seat_one", "order"), [("dealer_left", [3, 1, 9, 7]), ("dealer_right", [7, 9, 1, 3])])
@each_of_massachusetts
def test_8_d_a_right_given_up_goes_to_the_right_and_around_and_last_to_the_dealer(
    edition: str, seat_one: str, order: list[int]
) -> None:
    game = game_at(edition, SIX_CARDS, seats=[1, 3, 4, 7, 9], seat_one=seat_one).wager("4 p 2500").go("turn_player")
    game.refused(Relinquish(seat=7), "not_entitled")
    game.act()
    game.do(Relinquish(seat=4))
    game.refused(Relinquish(seat=4), "out_of_order")
    game.refused(HandCards(), "out_of_order")
    for seat in order:
        for other in {1, 3, 4, 7, 9} - {seat}:
            game.refused(AnswerTurn(seat=other, accept=True), "out_of_order")
        game.refused(AnswerTurn(seat=seat, accept=True), "wrong_role", by=Role.DEALER)
        assert game.table.expected[0].cites == paragraphs(edition, "8(d)")
        game.do(AnswerTurn(seat=seat, accept=False))
    assert game.of(TurnFellToDealer)
    before = len(game.of(CardsHanded))
    game.finish_round()
    assert len(game.of(CardsHanded)) == before, "the dealer turns the third card as well"


@clause("MA:8(d).2", "MA:8(d).4")
@pytest.mark.parametrize("seat", [1, 5, 9])
def test_8_d_at_a_full_table_everybody_else_is_offered_the_right_once(seat: int) -> None:
    game = game_at("ma-midi-4", SIX_CARDS, seats=range(1, 10), seat_one="dealer_left")
    game.wager(f"{seat} p 2500").go("turn_player").act()
    game.do(Relinquish(seat=seat))
    asked = list[int]()
    while not game.of(TurnFellToDealer):
        (due,) = game.table.expected
        asked.append(due.seat)
        game.do(AnswerTurn(seat=due.seat, accept=False))
    assert asked == [*range(seat - 1, 0, -1), *range(9, seat, -1)]


@clause("MA:8(d).2", "MA:8(d).3")
@each_of_massachusetts
def test_8_d_whoever_accepts_turns_that_hand_for_the_rest_of_the_round(edition: str) -> None:
    game = game_at(edition, SIX_CARDS)
    game.wager("5 p 2500").go("turn_player").act()
    game.do(Relinquish(seat=5))
    game.do(AnswerTurn(seat=3, accept=True))
    game.finish_round()
    assert [(event.side, event.seat) for event in game.of(CardsHanded)] == [(PLAYER, 5), (PLAYER, 3), (PLAYER, 3)]
    game.wager("5 p 2500").go("turn_player").act()
    assert game.last(CardsHanded).seat == 5, "the next round begins anew"


@clause("MA:8(d).3")
@each_of_massachusetts
def test_8_d_the_offer_may_be_filed_for_bettors_only(edition: str) -> None:
    game = game_at(edition, BANKER_WINS, squeeze_eligible="bettors", seats=[1, 3, 4]).wager("4 p 2500", "1 t 500")
    game.go("turn_player").do(Relinquish(seat=4))
    assert game.next_act().seat == 1


@clause("MA:8(d).1", "MA:8(d).2")
@each_of_massachusetts
def test_8_d_dealer_or_floorperson_may_order_it_for_delay(edition: str) -> None:
    for role in Role:
        game = game_at(edition, BANKER_WINS).wager("5 p 2500").go("turn_player")
        if role not in (Role.DEALER, Role.FLOORPERSON):
            game.refused(OrderRelinquish(reason="delay"), "wrong_role", cites="8(d)", by=role)
            continue
        game.refused(OrderRelinquish(reason=" "), "no_reason", cites="8(d)", by=role)
        game.do(OrderRelinquish(reason="delay"), by=role)
        assert game.next_act().seat == 3
        game.do(OrderRelinquish(reason="nobody answers"), by=role)
        assert game.next_act().act == "turn_card"


@clause("MA:8(d).3", "MA:8(d).4")
@each_of_massachusetts
def test_8_d_whoever_leaves_during_the_offer_is_passed_over(edition: str) -> None:
    game = game_at(edition, BANKER_WINS, seats=[3, 5]).wager("5 p 2500").go("turn_player")
    game.do(Relinquish(seat=5))
    game.do(Leave(seat=3))
    assert game.of(TurnFellToDealer)
    game.finish_round()


@clause("MA:8(c).2")
@each_of_massachusetts
def test_8_c_whoever_holds_cards_stays_until_they_are_back(edition: str) -> None:
    game = game_at(edition, BANKER_WINS, seats=[3, 5]).wager("5 p 2500").go("turn_player")
    game.do(Relinquish(seat=5))
    game.do(AnswerTurn(seat=3, accept=True))
    game.do(HandCards())
    game.refused(Leave(seat=3), "out_of_order")
    game.do(ReturnCards(seat=3))
    game.do(Leave(seat=3))


@clause("NJ:3.7(d).1")
def test_3_7_d_in_new_jersey_a_right_given_up_is_the_dealers() -> None:
    game = game_at(NEW_JERSEY, BANKER_WINS).wager("1 p 2500", "3 p 2500").go("turn_player")
    game.act()
    game.do(Relinquish(seat=1))
    fell = game.last(TurnFellToDealer)
    assert fell.cites == paragraphs(NEW_JERSEY, "3.7(d)")
    assert game.next_act().act == "turn_card"


@clause("NJ:3.7(d)6.1", "NJ:3.7(d)6.2")
@pytest.mark.parametrize(("side", "on"), [(PLAYER, "b"), (BANKER, "p")])
def test_3_7_d_6_bettors_on_the_other_hand_are_offered_it_where_filed(side: Side, on: str) -> None:
    wagers = [f"{seat} {on} 2500" for seat in (1, 5, 9)]
    step = f"turn_{side.value}"
    filed = game_at(NEW_JERSEY, BANKER_WINS, seats=[1, 3, 5, 9], allow_other_side=True).wager(*wagers).go(step)
    filed.act()
    handed = filed.last(CardsHanded)
    assert (handed.side, handed.seat) == (side, 1)
    assert handed.cites == paragraphs(NEW_JERSEY, "3.7(d)6")
    filed.do(Relinquish(seat=1))
    assert filed.next_act().seat == 5, "a bettor on the other hand, not seat 3"
    filed.act()
    filed.do(AnswerTurn(seat=9, accept=True))
    filed.act()
    assert filed.last(CardsHanded).seat == 9
    plain = game_at(NEW_JERSEY, BANKER_WINS, seats=[1, 3, 5, 9], allow_other_side=False).wager(*wagers).go(step)
    plain.refused(HandCards(), "not_entitled")


@clause("NJ:3.7(c).2", "NJ:3.8(b)", "NJ:3.8(c)", "NJ:3.7(d)1", "NJ:3.7(d)2", "NJ:3.7(d)3", "NJ:3.7(d)4")
def test_3_7_c_in_the_open_style_the_dealer_lays_all_cards_face_up() -> None:
    game = game_at(NEW_JERSEY, SIX_CARDS, reveal="face_up").wager("1 p 2500", "3 b 2500").go("turn_player")
    steps = {"turn_player": ("3.7(c)",), "turn_banker": ("3.7(c)",), "third_cards": ("3.8(b)", "3.8(c)")}
    seen: dict[str, tuple[str, ...]] = {}
    while game.step != "announce":
        lies_there = game.next_act().act == "turn_card"
        if lies_there:
            seen[game.step] = game.table.expected[0].cites
        refusal = game.refused(HandCards())
        why = steps[game.step] if lies_there else steps[game.step][:1]
        assert tuple(map(str, refusal.cites)) == paragraphs(NEW_JERSEY, *why)
        game.act()
    assert seen == {step: paragraphs(NEW_JERSEY, *names) for step, names in steps.items()}
    assert not game.of(CardsHanded)
    assert not game.of(CardsReturned)
    assert game.of(CardTurned)[0].cites == paragraphs(NEW_JERSEY, "3.7(c)")
    assert game.of(CardTurned)[-1].cites == paragraphs(NEW_JERSEY, "3.8(b)", "3.8(c)")


@clause("NJ:3.7(c).1", "NJ:3.7(d).1", "NJ:3.6(c)", "NJ:3.8(c)", "NJ:3.7(d)3", "NJ:3.7(d)4")
@pytest.mark.parametrize(
    ("style", "dealt", "player", "banker"),
    [("face_up", "3.7(c)", "3.8(c)", "3.8(c)"), ("face_down", "3.7(d)", "3.7(d)3", "3.7(d)4")],
)
def test_3_7_every_card_is_dealt_under_the_clause_of_the_filed_style(
    style: str, dealt: str, player: str, banker: str
) -> None:
    game = game_at(NEW_JERSEY, SIX_CARDS, reveal=style).wager("1 p 2500", "3 b 2500").go("deal")
    assert game.table.expected[0].cites == paragraphs(NEW_JERSEY, dealt, "3.6(c)")
    refusal = game.refused(DrawCard(seat=1), "not_entitled", by=Role.PARTICIPANT)
    assert tuple(map(str, refusal.cites)) == paragraphs(NEW_JERSEY, "3.6(c)"), "who deals, not how"
    game.go("announce")
    drawn = game.of(CardDrawn)
    assert [event.cites for event in drawn[:4]] == [paragraphs(NEW_JERSEY, dealt, "3.6(c)")] * 4
    thirds = {event.to: event.cites[-2:] for event in drawn[4:]}
    assert thirds == {
        PLAYER: paragraphs(NEW_JERSEY, "3.8(b)", player), BANKER: paragraphs(NEW_JERSEY, "3.8(b)", banker),
    }  # fmt: skip
    turned = {event.position: event.cites for event in game.of(CardTurned)}
    for side, clause_ in ((PLAYER, player), (BANKER, banker)):
        assert turned[game.state.round.hand(side)[2]] == paragraphs(NEW_JERSEY, "3.8(b)", clause_)


@clause("NJ:3.7(c).2", "NJ:3.8(c)")
def test_3_7_d_in_the_closed_style_nothing_rests_on_the_open_one() -> None:
    game = game_at(NEW_JERSEY, SIX_CARDS).wager("1 p 2500", "3 b 2500").go("turn_player")
    while game.step != "announce":
        cites = game.table.expected[0].cites
        assert not set(cites) & set(paragraphs(NEW_JERSEY, "3.7(c)", "3.8(c)"))
        game.act()


@clause("NJ:3.8(a).3")
def test_3_8_a_the_banker_hand_is_turned_first_on_request_while_the_dealer_is_curator() -> None:
    for step in ("wager", "call_cards", "deal", "turn_player"):
        game = game_at(NEW_JERSEY, SIX_CARDS, banker_first_on_request=True).wager("1 p 2500", "3 b 2500").go(step)
        game.refused(AskBankerFirst(seat=2), "seat_empty")
        game.refused(AskBankerFirst(seat=1), "wrong_role", by=Role.DEALER)
        game.do(AskBankerFirst(seat=1))
        game.go("announce")
        assert [event.side for event in game.of(CountAnnounced)] == [BANKER, PLAYER]
        assert [event.side for event in game.of(CardsHanded)] == [BANKER, PLAYER, PLAYER, BANKER]
        game.finish_round()
        game.check_replay()
    late = game_at(NEW_JERSEY, SIX_CARDS, banker_first_on_request=True).wager("1 p 2500").go("turn_player")
    late.do(HandCards())
    late.refused(AskBankerFirst(seat=1), "out_of_order", cites="3.8(a)")


@clause("NJ:3.8(a).3")
def test_3_8_a_otherwise_the_player_hand_is_turned_first() -> None:
    game_at(NEW_JERSEY, banker_first_on_request=False).refused(AskBankerFirst(seat=1), "not_offered", cites="3.8(a)")
    curated = game_at(NEW_JERSEY, banker_first_on_request=True, curator=3)
    curated.refused(AskBankerFirst(seat=1), "not_entitled", cites="3.8(a)")
    named = game_at(NEW_JERSEY, banker_first_on_request=True, step="offer_shoe")
    named.do(AnswerShoe(seat=1, accept=True, dealer_deals=True))
    named.do(AskBankerFirst(seat=3))
    for edition in MASSACHUSETTS:
        game_at(edition).refused(AskBankerFirst(seat=1), "not_offered")


@clause("MA:8(c)(3)", "MA:8(c)(3)(i)", "MA:8(c)(3)(ii)", "MA:8(c)(3)(i)a", "MA:8(c)(3)(i)b")
@each_of_massachusetts
def test_8_c_3_house_money_is_settled_seat_by_seat_before_third_cards(edition: str) -> None:
    game = game_at(edition, "2S 3D 2H KC 4C 2C", seats=[1, 3, 5], house_money=True)
    game.wager("1 house_money 500", "5 house_money 500", "5 p 2500", "3 b 2500").go("house_money")
    game.refused(DrawCard(), "wrong_step")
    game.refused(SettleHouseMoney(seat=1), "out_of_order", cites="8(c)(3)")
    game.refused(PressHouseMoney(seat=5, onto=Kind.BANKER), "no_such_wager")
    game.do(PressHouseMoney(seat=5, onto=Kind.PLAYER))
    game.do(SettleHouseMoney(seat=5))
    paid = game.last(HouseMoneyPaid)
    assert (paid.win, paid.to_wager) == (1500, 1500)
    game.do(SettleHouseMoney(seat=1))
    assert game.chips(1) == 10_000_000 + 1500
    assert game.step == "third_cards"
    game.finish_round()
    assert game.chips(5) == 10_000_000 + 5500, "8 against 5: the 1,500 pressed, and even money on 4,000"


@clause("MA:8(c)(3)", "MA:8(c)(3)(i)")
@each_of_massachusetts
def test_8_c_3_losing_house_money_is_collected_before_third_cards(edition: str) -> None:
    game = game_at(edition, SIX_CARDS, house_money=True).wager("1 house_money 500", "1 b 2500").go("third_cards")
    assert game.last(HouseMoneyCollected).stake == 500


# -------------------------------------------------------------------------- 11, 3.10 result, settlement


@clause("MA:11(a).1", "MA:11(a).2", "NJ:3.10(a).1", "NJ:3.10(a).2", "NJ:3.10(a).3")
@pytest.mark.parametrize(
    ("cards", "calls"),
    [(PLAYER_WINS, "Player 9, Banker 7, Player wins"), (BANKER_WINS, "Player 7, Banker 9, Banker wins"), (TIE, "tie")],
)
@each_edition
def test_11_a_the_result_is_called_before_anything_is_settled(edition: str, cards: str, calls: str) -> None:
    game = game_at(edition, cards).wager("1 b 2500").go("announce")
    game.refused(CollectLosers(), "wrong_step")
    game.refused(ClearTable(), "wrong_step")
    game.do(AnnounceResult())
    event = game.last(ResultAnnounced)
    said = " ".join(event.calls).lower()
    for count in (event.player, event.banker):
        assert str(count) in said
    assert ("tie hand" in said) is (calls == "tie")
    assert event.outcome in said
    assert ("4" in said) is (edition == NEW_JERSEY), "the number of cards, where the wagers on it are offered"


SWEEPS = {1: "PP VV", 2: "VV PP", 3: "PV PV", 4: "VP VP"}


@clause("MA:11(b).1", "MA:11(b).2", "MA:11(b).3", "MA:11(b).4", "NJ:3.10(b)", "NJ:3.10(b)1", "NJ:3.10(b)2",
        "NJ:3.10(b)3", "NJ:3.10(b)4")  # fmt: skip
@pytest.mark.parametrize(("edition", "option"), [*((e, 4) for e in MASSACHUSETTS), *((NEW_JERSEY, n) for n in SWEEPS)])
def test_11_b_losers_first_then_winners_from_the_highest_seat_in_the_filed_order(edition: str, option: int) -> None:
    elections: dict[str, Any] = {"settlement_option": option} if edition == NEW_JERSEY else {}
    game = game_at(edition, BANKER_WINS, **elections).wager("1 p 2500", "3 b 10000", "5 b 20000", "5 t 500")
    game.go("settle")
    seats = {"PP VV": [5, 3, 5, 3], "VV PP": [5, 3, 5, 3], "PV PV": [5, 5, 3, 3], "VP VP": [5, 5, 3, 3]}[SWEEPS[option]]
    letters = SWEEPS[option].replace(" ", "")
    order = "3.10(b)" if edition == NEW_JERSEY else "11(b)"
    game.refused(Pay(seat=5), "out_of_order", cites=order)
    game.refused(TakeVigorish(seat=5), "out_of_order", cites=order)
    game.refused(ClearTable(), "wrong_step")
    game.do(CollectLosers())
    assert game.last(LosersCollected).amounts == {1: 2500, 5: 500}
    for letter, seat in zip(letters, seats, strict=True):
        right, wrong = (Pay(seat=seat), TakeVigorish(seat=seat)) if letter == "P" else (
            TakeVigorish(seat=seat), Pay(seat=seat))  # fmt: skip
        game.refused(wrong, "out_of_order", cites=order)
        game.refused(type(right)(seat=1), "out_of_order")
        game.do(right)
    assert [(event.seat, event.win) for event in game.of(Paid)] == [(5, 20000), (3, 10000)]
    assert [(event.seat, event.amount) for event in game.of(VigorishTaken)] == [(5, 1000), (3, 500)]
    game.finish_round()
    assert [game.chips(seat) - 10_000_000 for seat in (1, 3, 5)] == [-2500, 9500, 18500]


@clause("MA:11(c)", "NJ:3.10(a).1")
@each_edition
def test_11_c_the_cards_go_to_the_discards_and_the_next_round_begins(edition: str) -> None:
    game = game_at(edition, f"{SIX_CARDS} {TIE}").wager("1 t 500").go("clear")
    cards = (*game.state.round.player, *game.state.round.banker)
    game.refused(PlaceWager(seat=1, on=Kind.BANKER, stake=2500), "wagers_closed")
    assert game.table.expected[0].cites == paragraphs(edition, "3.7(b)" if edition == NEW_JERSEY else "11(c)")
    game.do(ClearTable())
    assert sorted(game.last(TableCleared).positions) == sorted(cards)
    assert (game.state.round.number, game.state.round.player) == (2, ())
    game.go("wager").play("1 t 500")


# --------------------------------------------------------------------- 9(d), 3.8(e) the end of the shoe


@clause("MA:9(d).1", "MA:9(d).2", "MA:9(d).3", "MA:9(d).4", "NJ:3.8(e).1", "NJ:3.8(e).2", "NJ:3.8(e).3")
@pytest.mark.parametrize("before", [0, 1, 2, 3])
@each_edition
def test_9_d_the_cover_card_first_or_in_a_round_ends_the_shoe_one_hand_later(edition: str, before: int) -> None:
    game = game_at(edition, end=f"{TIE} {TIE} {'2C 3C 4C 5C 6C 7C 8C 9C TC JC'}").skip(left=14 + before)
    events = [type(event) for event in game.play("1 t 500")]
    drawn = [kind for kind in events if kind in (CardDrawn, CoverCardOut)]
    assert drawn.index(CoverCardOut) == before
    assert events.index(TableCleared) < events.index(LastHandCalled)
    assert ShoeFinished not in events
    assert game.last(LastHandCalled).say == "last hand"
    out = "3.8(e)" if edition == NEW_JERSEY else "9(d)"
    assert game.last(CoverCardOut).cites == game.last(LastHandCalled).cites == paragraphs(edition, out)
    game.play("1 t 500")
    assert (game.step, len(game.of(LastHandCalled))) == ("close", 1)
    game.refused(PlaceWager(seat=1, on=Kind.BANKER, stake=2500), "wrong_step")
    assert game.table.expected[0].cites == paragraphs(edition, out)
    game.do(CloseShoe())


@clause("MA:9(d).1", "MA:9(d).2", "NJ:3.8(e).1", "NJ:3.8(e).2")
@each_edition
def test_9_d_before_the_cover_card_nothing_ends(edition: str) -> None:
    game = game_at(edition, end=f"{TIE} 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 2D 3D").skip(left=18)
    game.play("1 t 500")
    assert not game.of(CoverCardOut)
    assert not game.of(LastHandCalled)


@clause("MA:9(d).4", "MA:13(e).2", "NJ:3.8(e).3", "MA:5(a).1", "NJ:3.5(a)")
@each_edition
def test_9_d_new_decks_replace_the_cards_or_the_set_is_shuffled_again(edition: str) -> None:
    game = game_at(edition, TIE).skip(left=13, cover_out=True)
    game.play("1 t 500")
    game.do(CloseShoe())
    assert game.last(ShoeClosed).same_set is (edition == NEW_JERSEY)
    if edition == NEW_JERSEY:
        assert (game.step, game.state.shoe.set_id) == ("shuffle", "set 1")
    else:
        assert game.step == "receive"
        game.refused(ReceiveCards(set_id="set 1", decks=8), "wrong_cards", cites="9(d)")
        game.do(ReceiveCards(set_id="set 2", decks=8))
        assert game.step == "inspect"


# -------------------------------------------------------------------------------- 12(d), 3.3(c) vigorish


def owing(edition: str, *, chips: int = 10_000_000) -> Game:
    """Seat 3 owes $5.00 of marked vigorish."""
    game = game_at(edition, BANKER_WINS, chips=chips, vig_collection="deferred")
    game.play("3 b 10000")
    assert game.state.money.markers == {3: 500}
    return game


@clause("MA:12(d)(1)", "NJ:3.3(c)2.1")
@each_edition
def test_12_d_1_vigorish_taken_at_the_payout_leaves_no_marker(edition: str) -> None:
    game = game_at(edition, BANKER_WINS, vig_collection="at_payout")
    game.play("3 b 10000")
    assert game.state.money.markers == {}
    assert game.last(VigorishTaken).marked is False
    assert game.chips(3) == 10_000_000 + 9500


@clause("MA:12(d)(2)", "MA:12(d)(2)(ii)", "MA:12(d)(2)(iii)", "NJ:3.3(c)2.1", "NJ:3.3(c)2.3", "NJ:3.3(c)2.4")
@each_edition
def test_12_d_2_deferred_vigorish_is_marked_and_the_marker_stays(edition: str) -> None:
    game = game_at(edition, f"{BANKER_WINS} {BANKER_WINS} {TIE}", vig_collection="deferred")
    game.play("3 b 10300", "5 b 2500")
    assert game.state.money.markers == {3: 525, 5: 125}
    assert game.chips(3) == 10_000_000 + 10300
    game.go("wager").play("3 b 10000")
    assert game.state.money.markers == {3: 1025, 5: 125}
    game.go("wager").play("1 t 500")
    assert game.state.money.markers == {3: 1025, 5: 125}
    game.do(CollectVigorish(seat=3))
    assert game.last(VigorishCollected).amount == 1025
    assert game.state.money.markers == {5: 125}
    game.refused(CollectVigorish(seat=3), "no_such_wager")


@clause("MA:12(d)(2)(i)", "NJ:3.3(c)2.2", "NJ:3.3(c)4")
@each_edition
def test_12_d_2_i_marked_vigorish_is_collected_when_the_participant_leaves(edition: str) -> None:
    game = owing(edition)
    game.do(Leave(seat=3))
    assert (game.last(VigorishCollected).amount, game.last(Left).chips) == (500, 10_009_500)
    assert game.state.money.markers == {}


@clause("MA:12(d)(2)(i)", "NJ:3.3(c)2.2", "NJ:3.3(c)4")
@each_edition
def test_12_d_2_i_no_shoe_closes_while_vigorish_is_outstanding(edition: str) -> None:
    game = owing(edition)
    game.go("wager").skip(left=13, cover_out=True).play("1 t 500")
    where = "3.3(c)4" if edition == NEW_JERSEY else "12(d)(2)(i)"
    game.refused(CloseShoe(), "vigorish_owed", cites=where)
    assert game.next_act().act == "collect_vigorish"
    game.act()
    game.do(CloseShoe())


def at_the_end(edition: str) -> Game:
    """Seat 3, who owes $5.00, has no chips left, and the shoe is to be closed."""
    game = game_at(edition, BANKER_WINS, chips=10_000, vig_collection="deferred",
                   end=f"{BANKER_WINS} 2C 3C 4C 5C 6C 7C 8C 9C TC")  # fmt: skip
    game.play("3 b 10000")
    game.go("wager").skip(left=13, cover_out=True).play("3 p 20000")
    assert (game.chips(3), game.step, game.state.money.markers) == (0, "close", {3: 500})
    return game


@clause("MA:12(d)(2)(i)", "MA:12(d)(2)(iii)")
@each_of_massachusetts
def test_12_d_2_iii_a_debt_that_cannot_be_paid_is_reported_by_two_persons(edition: str) -> None:
    game = at_the_end(edition)
    game.refused(Leave(seat=3), "vigorish_owed", cites="12(d)(2)(i)")
    game.refused(CollectVigorish(seat=3), "not_enough_chips", cites="12(d)(2)(i)")
    report: dict[str, Any] = {"seat": 3, "reason": "walked away"}
    two: dict[str, Any] = {"who": "F. Loor", "second": "S. Upervisor"}
    kept = "12(d)(2)(iii)"
    game.refused(ReportException(**report), "same_person", cites=kept, who="F. Loor", second="f. loor")
    game.refused(ReportException(**report), "no_reason", cites=kept, who="F. Loor")
    game.refused(ReportException(**{**report, "reason": ""}), "no_reason", cites=kept, **two)
    game.refused(ReportException(**report), "wrong_role", cites=kept, second_role=Role.FLOORPERSON, **two)
    game.refused(ReportException(**report), "wrong_role", by=Role.DEALER, **two)
    game.refused(ReportException(**{**report, "seat": 1}), "no_such_wager", **two)
    form = ComplimentaryForm(
        serial=1, amount=500, patron="x", dealer="d", pit_boss="b", pit_clerk="c", patron_signed=True
    )
    paper = DocumentVigorish(seat=3, form=form)
    game.refused(paper, "not_offered", cites=kept)
    game.refused(VoidForm(serial=1), "not_offered", cites=kept, second="b", who="c")
    assert game.next_act().act == "report_exception"
    game.do(ReportException(**report), **two)
    assert game.last(ExceptionReported).cites == paragraphs(edition, kept)
    assert (game.state.money.markers, game.state.money.receivables) == ({}, {"participant 3": 500})
    game.do(Leave(seat=3))
    game.do(CloseShoe())


@clause("MA:12(d)(2)(i)", "NJ:3.3(c)4")
@each_edition
def test_12_d_2_i_a_debtor_may_also_buy_chips_and_pay(edition: str) -> None:
    game = at_the_end(edition)
    game.do(BuyIn(seat=3, amount=500))
    game.do(CollectVigorish(seat=3))
    game.do(CloseShoe())


GOOD_FORM: dict[str, Any] = {
    "serial": 1, "amount": 500, "patron": "A. Patron", "dealer": "D. Ealer", "pit_boss": "B. Oss",
    "pit_clerk": "C. Lerk", "patron_signed": True,
}  # fmt: skip


@clause(
    "NJ:3.3(c)2.4", "NJ:3.3(c)3", "NJ:3.3(c)3i.1", "NJ:3.3(c)3i.2", "NJ:3.3(c)3ii.1", "NJ:3.3(c)3ii.2",
    "NJ:3.3(c)3ii.3", "NJ:3.3(c)3iii", "NJ:3.3(c)3vii", "NJ:3.3(c)4",
)  # fmt: skip
def test_3_3_c_3_a_form_covers_vigorish_that_is_not_collected() -> None:
    game = at_the_end(NEW_JERSEY)
    assert game.next_act().act == "receive_forms"
    game.refused(DocumentVigorish(seat=3, form=ComplimentaryForm(**GOOD_FORM)), "not_offered")
    game.refused(ReceiveForms(first=5, last=4), "out_of_order", cites="3.3(c)3ii")
    game.refused(ReceiveForms(first=1, last=9), "wrong_role", cites="3.3(c)3ii", by=Role.DEALER)
    game.do(ReceiveForms(first=1, last=1))
    game.refused(ReceiveForms(first=2, last=9), "out_of_order", cites="3.3(c)3ii")
    wrong: list[tuple[dict[str, Any], str, str]] = [
        ({"serial": 2}, "out_of_order", "3.3(c)3ii"),
        ({"amount": 475}, "wrong_sum", "3.3(c)3i"),
        ({"copies": 1}, "incomplete", "3.3(c)3i"),
        ({"patron": " "}, "incomplete", "3.3(c)3i"),
        *(({who: ""}, "no_reason", "3.3(c)3i") for who in ("dealer", "pit_boss")),
        ({"pit_clerk": ""}, "incomplete", "3.3(c)3i"),
        ({"patron_signed": False}, "incomplete", "3.3(c)3i"),
        ({"pit_boss": "d. ealer"}, "same_person", "3.3(c)3i"),
    ]
    for change, why, where in wrong:
        paper = DocumentVigorish(seat=3, form=ComplimentaryForm(**{**GOOD_FORM, **change}))
        game.refused(paper, why, cites=where, who=GOOD_FORM["pit_clerk"] if "pit_clerk" not in change else "")
    unsigned = {"patron_signed": False, "why_not_signed": "the patron has left", "stated_by": GOOD_FORM["dealer"]}
    good = ComplimentaryForm(**{**GOOD_FORM, **unsigned})
    paper = DocumentVigorish(seat=3, form=good)
    for second in ("", "another boss"):
        game.refused(paper, "not_entitled", cites="3.3(c)3iii", second=second)
    game.refused(paper, "not_entitled", cites="3.3(c)3iii", second_role=Role.FLOORPERSON)
    game.refused(paper, "incomplete", cites="3.3(c)3i", who="another clerk")
    for role in set(Role) - {Role.PIT_CLERK}:
        game.refused(paper, "wrong_role", cites="3.3(c)3ii", by=role)
    game.refused(DocumentVigorish(seat=1, form=good), "no_such_wager")
    game.refused(ReportException(seat=3, reason="x"), "not_offered", cites="3.3(c)3", who="a", second="b")
    assert game.next_act().act == "document_vigorish"
    game.do(DocumentVigorish(seat=3, form=good))
    assert game.last(VigorishDocumented).form == good
    assert game.last(VigorishDocumented).cites == paragraphs(NEW_JERSEY, "3.3(c)3i", "3.3(c)3iii", "3.3(c)2")
    assert (game.state.money.markers, game.state.money.complimentary, game.state.money.forms) == ({}, 500, (1,))
    assert game.state.money.vigorish_earned == 500, "the win includes what is waived"
    game.refused(ReceiveForms(first=1, last=9), "out_of_order", cites="3.3(c)3ii")
    game.do(ReceiveForms(first=5001, last=5050))
    assert game.state.money.next_form == 5001
    game.do(CloseShoe())


@clause("NJ:3.3(c)3ii.1", "NJ:3.3(c)3ii.2", "NJ:3.3(c)3ii.3", "NJ:3.3(c)3vi")
def test_3_3_c_3_vi_a_void_form_keeps_its_number() -> None:
    game = owing(NEW_JERSEY)
    game.do(ReceiveForms(first=1, last=20))
    game.refused(VoidForm(serial=1), "same_person", cites="3.3(c)3vi", second="C", who="c")
    game.refused(VoidForm(serial=1), "no_reason", cites="3.3(c)3vi", second="", who="c")
    game.refused(VoidForm(serial=1, copies=1), "incomplete", cites="3.3(c)3vi", second="b", who="c")
    game.refused(VoidForm(serial=2), "out_of_order", cites="3.3(c)3ii", second="b", who="c")
    game.refused(VoidForm(serial=1), "wrong_role", cites="3.3(c)3ii", second="b", who="c", by=Role.DEALER)
    game.do(VoidForm(serial=1), second="b", who="c")
    paper = DocumentVigorish(seat=3, form=ComplimentaryForm(**GOOD_FORM))
    game.refused(paper, "out_of_order")
    game.do(DocumentVigorish(seat=3, form=ComplimentaryForm(**{**GOOD_FORM, "serial": 2})))
    assert (game.state.money.void_forms, game.state.money.forms, game.state.money.next_form) == ((1,), (2,), 3)


@clause("NJ:3.3(c)3ii.1")
def test_3_3_c_3_ii_the_number_of_a_missing_form_does_not_come_again_with_a_later_series() -> None:
    game = owing(NEW_JERSEY)
    game.do(ReceiveForms(first=1, last=2))
    game.do(MissForm(serial=2, reason="burnt"), second="b", who="c")
    game.do(VoidForm(serial=1), second="b", who="c")
    game.refused(ReceiveForms(first=2, last=9), "out_of_order", cites="3.3(c)3ii")
    game.do(ReceiveForms(first=3, last=9))
    assert game.state.money.next_form == 3
    game.do(MissForm(serial=3, reason="burnt"), second="b", who="c")
    assert (game.state.money.next_form, game.state.money.missing_forms) == (4, (2, 3))


# --------------------------------------------------------------------------------------- 12(j) Must Hit


each_with_must_hit = pytest.mark.parametrize("edition", LATE)


def must_hit_at(edition: str) -> Game:
    """A table with the Must Hit: it starts at $1,000.00, may run to $2,000.00, and takes 25 cents a wager."""
    progress = read_submission("ma-midi-4-royal9")["royal9"]
    must_hit = {"start": "$1,000.00", "ceiling": "$2,000.00", "contribution": "$0.25"}
    game = new_game(edition, f"{TIE} {TIE} {TIE}", seats=7, royal9=progress, must_hit=must_hit)
    return seated(game, [1, 3]).go("wager")


TERMS = MustHit(start=100_000, ceiling=200_000, contribution=25)


def sealed_at(trigger: int) -> SealTrigger:
    """A trigger sealed with a little salt."""
    return SealTrigger(seal=seal_of(TERMS, trigger, "salt"))


def missed(trigger: int, meter: int) -> EndRound:
    """A round that ends below its trigger, which shows it."""
    return EndRound(not_reached=not_reached(TERMS, trigger, "salt", meter=meter))


@clause("MA-v3-4:12(j).1", "MA-v3-4:12(j).2", "MA-v3-4:12(j).3", "MA-v3-4:12(j).4")
@each_with_must_hit
def test_12_j_the_trigger_is_sealed_and_opened_only_by_a_hit(edition: str) -> None:
    game = must_hit_at(edition)
    game.refused(SealTrigger(seal="short"), "wrong_proof")
    game.do(sealed_at(100_075))
    game.refused(sealed_at(100_025), "out_of_order")
    game.wager("1 t 500", "1 royal9 500", "3 t 500", "3 royal9 500").go("must_hit")
    game.refused(EndRound(trigger=100_075, salt="salt"), "wrong_proof", cites="12(j)")
    game.refused(EndRound(trigger=100_050, salt="salt"), "wrong_proof")
    game.do(missed(100_075, 100_050))
    ended = game.last(MustHitEnded)
    assert (ended.hit, ended.trigger, ended.salt, ended.meter) == (False, None, "", 100_050)
    game.finish_round()
    game.wager("3 t 500", "3 royal9 500").go("must_hit")
    game.refused(EndRound(trigger=100_075, salt="pepper"), "wrong_proof")
    game.refused(EndRound(trigger=100_075, salt="salt", lot=1), "wrong_proof")
    before = game.chips(3)
    game.do(EndRound(trigger=100_075, salt="salt", lot=0))
    hit = game.last(MustHitEnded)
    assert (hit.hit, hit.seat, hit.award, hit.meter) == (True, 3, 100_075, 100_000)
    assert game.chips(3) - before == 100_075
    assert hit.shows == ("bet_sensor", "dealer_screen", "progressive_sign")
    assert game.state.meters.must_hit_seal == ""
    game.do(sealed_at(150_000))


@clause("MA-v3-4:12(j).1")
@each_with_must_hit
@pytest.mark.parametrize("trigger", [100_001, 100_024, 100_025])
def test_12_j_nobody_alone_ends_a_round_quietly_on_a_trigger_that_was_reached(edition: str, trigger: int) -> None:
    """No hash that can be made of the trigger shows that a meter has not reached it once it has."""
    game = must_hit_at(edition)
    game.do(sealed_at(trigger))
    game.wager("1 t 500", "1 royal9 500").go("must_hit")
    assert [due.act for due in game.table.expected] == ["end_round"]
    opening = seal_of(replace(TERMS, start=trigger), trigger, "salt")
    for proof in ("", "00", "0" * 64, opening, seal_of(TERMS, trigger, "salt"), not_reached(TERMS, 100_026, "salt",
                  meter=100_000)):  # fmt: skip
        game.refused(EndRound(not_reached=proof), "wrong_proof", cites="12(j)")
    game.refused(EndRound(trigger=trigger, salt="salt", not_reached=opening), "wrong_proof")
    game.do(EndRound(trigger=trigger, salt="salt"))
    assert game.last(MustHitEnded).hit


@clause("MA-v3-4:12(j).1")
@each_with_must_hit
def test_12_j_what_showed_one_round_does_not_show_the_next(edition: str) -> None:
    game = must_hit_at(edition)
    game.do(sealed_at(100_050))
    game.wager("1 t 500", "1 royal9 500").go("must_hit")
    game.do(missed(100_050, 100_025))
    game.finish_round()
    game.wager("1 t 500", "1 royal9 500").go("must_hit")
    game.refused(missed(100_050, 100_025), "wrong_proof")
    game.do(EndRound(trigger=100_050, salt="salt"))
    assert not game.last(MustHitEnded).withheld


@clause("MA-v3-4:12(j).1")
@each_with_must_hit
def test_12_j_a_trigger_reached_before_was_kept_shut_by_two_persons_who_said_so(edition: str) -> None:
    game = must_hit_at(edition)
    game.do(sealed_at(100_025))
    lost = EndRound(lost="the key is gone")
    two: dict[str, Any] = {"who": "Ann", "second": "Flo"}
    for _ in range(2):
        game.wager("1 t 500", "1 royal9 500").go("must_hit")
        if game.state.meters.must_hit == 100_000:
            game.refused(lost, "same_person", who="Ann", second="ann")
            game.refused(replace(lost, not_reached="0" * 64), "wrong_proof", **two)
            game.do(lost, **two)
            ended = game.last(MustHitEnded)
            assert (ended.hit, ended.lost, ended.requester, ended.approver) == (False, "the key is gone", "Ann", "Flo")
            game.finish_round()
    game.do(EndRound(trigger=100_025, salt="salt"))
    hit = game.last(MustHitEnded)
    assert (hit.withheld, hit.award) == (True, 100_050), "it is paid, and the earlier round is noticed"


@clause("MA-v3-4:12(j).1")
@each_with_must_hit
def test_12_j_no_round_feeds_a_meter_without_a_sealed_trigger(edition: str) -> None:
    game = must_hit_at(edition)
    game.wager("1 t 500", "1 royal9 500")
    game.refused(CallNoMoreBets(), "out_of_order", cites="12(j)")
    assert [due.act for due in game.table.expected if not due.optional] == ["seal_trigger"]
    for bad in ("", "0" * 63, "G" * 64, "A" * 64):
        game.refused(SealTrigger(seal=bad), "wrong_proof")
    game.do(sealed_at(150_000))
    game.do(CallNoMoreBets())


@clause("MA-v3-4:12(j).1")
@each_with_must_hit
def test_12_j_a_lost_seal_does_not_block_the_table_at_the_ceiling(edition: str) -> None:
    game = must_hit_at(edition)
    game.do(SealTrigger(seal="0" * 64))
    game.wager("1 t 500", "1 royal9 500", "3 t 500", "3 royal9 500").go("must_hit")
    lost = EndRound(lost="the key is gone", lot=1)
    two: dict[str, Any] = {"who": "Ann", "second": "Flo"}
    game.table.state = with_meters(
        game.state, must_hit=199_950, must_hit_flow=replace(game.state.meters.must_hit_flow, contributed=99_950)
    )
    game.refused(EndRound(), "wrong_proof")
    game.refused(EndRound(trigger=150_000, salt=""), "wrong_proof")
    game.refused(lost, "same_person", who="Ann", second="Ann")
    game.refused(lost, "no_reason", who="Ann")
    game.refused(replace(lost, trigger=150_000), "wrong_proof", **two)
    game.refused(replace(lost, lot=2), "wrong_proof", **two)
    game.do(lost, **two)
    hit = game.last(MustHitEnded)
    assert (hit.seat, hit.award, hit.trigger, hit.lost) == (3, 200_000, None, "the key is gone")
    assert broken(game.rules, game.state) == []


@clause("MA-v3-4:12(j).1", "MA-v3-4:12(j).2")
@each_with_must_hit
def test_12_j_no_royal9_wager_no_must_hit(edition: str) -> None:
    game = must_hit_at(edition)
    game.play("1 t 500")
    assert not game.of(MustHitEnded)
    assert game.state.round.kind is RoundKind.WAGERED
    plain = game_at("ma-midi-4")
    plain.refused(SealTrigger(seal="0" * 64), "not_offered")
    assert plain.state.seats.curator in (None, DEALER)
