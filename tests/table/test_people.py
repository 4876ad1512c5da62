"""People at the table: rights belong to persons and not to seats, and nobody who is gone is waited for."""

from __future__ import annotations

from typing import Any

import pytest

from baccarat.cards import Card
from baccarat.law.rulebook import read_submission
from baccarat.play.wager import WagerKind
from baccarat.table.automation import next_due
from baccarat.table.exception_report import ExceptionReported, ReportException
from baccarat.table.invariant import broken_invariants
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.state import DEALER
from baccarat.table.step.curating import AnswerShoe
from baccarat.table.step.cutting import AnswerCut, CutCards, OrderRecut, RecutOrdered
from baccarat.table.step.opening import ReceiveCards
from baccarat.table.step.relinquishing import AnswerTurn, Relinquish, TurnFellToDealer
from baccarat.table.step.settlement import VigorishTaken
from baccarat.table.step.spoken_wager import ConfirmWager, SpeakWager, SpokenWagerOff, WagerConfirmed
from baccarat.table.step.turning import CardsHanded, ReturnCards
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.two_persons import are_different, is_same_person
from strategies import MASSACHUSETTS, NEW_JERSEY
from table_driver import Game, game_at, new_game, seated

BANKER_LOSES, TIE, SIX_CARDS = "9S 7D TH KC", "7S 7D TH KC", "2S 3D AH KC 4C 5C"
CLERKS: dict[str, Any] = {"second": "D. Ealer", "who": "S. Upervisor"}


@pytest.mark.parametrize(("one", "other"), [("Ann", "ann"), (" Ann  Lee", "ANN LEE "), ("Ａｎｎ", "Ann"), ("ß", "SS")])
def test_d3_one_person_written_in_two_ways_is_one_person(one: str, other: str) -> None:
    assert is_same_person(one, other)
    assert not are_different(one, other)


def test_d3_two_persons_are_two_and_named() -> None:
    assert are_different("Ann", "Bob", "Cara")
    assert not are_different("Ann", "Bob", "ann")
    assert not are_different("Ann", " ")


@pytest.mark.clause("MA:8(d).4")
@pytest.mark.parametrize("edition", MASSACHUSETTS)
def test_8_d_cards_are_not_handed_to_somebody_who_took_the_right_over_and_left(edition: str) -> None:
    game = game_at(edition, SIX_CARDS, seats=[1, 3, 5]).wager("3 p 2500", "5 b 2500").go("turn_player")
    game.do(Relinquish(seat=3))
    while game.next_act().seat != 1:
        game.act()
    game.do(AnswerTurn(seat=1, accept=True))
    game.do(Leave(seat=1))
    assert game.last(TurnFellToDealer).side.value == "player"
    game.do(Sit(seat=1, person="a stranger"))
    game.finish_round()
    assert all(event.seat != 1 for event in game.of(CardsHanded))


@pytest.mark.parametrize("edition", MASSACHUSETTS)
def test_8_d_a_stranger_at_the_seat_does_not_get_the_third_card(edition: str) -> None:
    game = game_at(edition, SIX_CARDS, seats=[1, 3, 5]).wager("3 p 2500", "5 b 2500").go("turn_player")
    game.do(Relinquish(seat=3))
    while game.next_act().seat != 1:
        game.act()
    game.do(AnswerTurn(seat=1, accept=True))
    game.act()
    game.do(ReturnCards(seat=1))
    game.do(Leave(seat=1))
    game.do(Sit(seat=1, person="a stranger"))
    game.finish_round()
    assert len([event for event in game.of(CardsHanded) if event.seat == 1]) == 1


@pytest.mark.clause("NJ:3.11(a)1", "NJ:3.11(b)")
def test_3_11_a_curator_who_leaves_after_the_result_binds_nobody_else() -> None:
    game = game_at(NEW_JERSEY, f"{BANKER_LOSES} {TIE}", seats=[1, 3, 5], curator=1).wager("3 t 500").go("settle")
    game.do(Leave(seat=1))
    assert game.step == "settle", "the round is settled before the shoe is offered"
    game.go("offer_shoe")
    due = game.next_act()
    game.do(AnswerShoe(seat=due.seat, accept=True))
    assert game.step == "wager", "whoever takes the shoe has lost nothing yet"


@pytest.mark.clause("NJ:3.6(b).1", "NJ:3.6(b).2")
def test_3_6_b_those_who_sit_down_at_an_empty_table_are_offered_the_shoe() -> None:
    game = seated(new_game(NEW_JERSEY, TIE), [5]).go("offer_shoe")
    game.do(Leave(seat=5))
    assert (game.step, game.state.seats.curator) == ("wager", DEALER)
    empty = new_game(NEW_JERSEY, TIE, preshuffled=True)
    empty.do(ReceiveCards(set_id="set 1", decks=8, preshuffled=True))
    while empty.step != "wager":
        empty.act()
    assert empty.state.occupied == []
    empty.do(Sit(seat=3, person="a late guest"))
    assert empty.step == "offer_shoe"
    assert empty.next_act().seat == 3


def test_a_stranger_at_the_cutters_seat_does_not_recut() -> None:
    game = game_at("ma-midi-1", step="offer_cut", seats=[1, 7, 9], recut_by="last_cutter")
    game.do(AnswerCut(seat=9, accept=True))
    game.do(CutCards(seat=9, in_front=100), by=Role.PARTICIPANT)
    game.do(Leave(seat=9))
    assert game.step == "cover_card", "a cut that is made is not offered again"
    game.do(Sit(seat=9, person="a stranger"))
    game.do(OrderRecut(reason="seen"), **CLERKS)
    assert game.last(RecutOrdered).seat == 7
    assert (game.last(RecutOrdered).requester, game.last(RecutOrdered).approver) == ("D. Ealer", "S. Upervisor")


@pytest.mark.clause("MA:12(d)(2)(iii)")
def test_12_d_2_iii_nobody_with_chips_is_let_off_and_a_debt_is_a_patrons() -> None:
    game = game_at("ma-midi-4", "7S 9D TH KC", seats=[1, 3], vig_collection="deferred")
    game.play("3 b 2500")
    report = ReportException(seat=3, reason="a friend")
    refused = game.refused(report, "vigorish_owed", cites="12(d)(2)(i)", who="F. Loor", second="S. Upervisor")
    assert "collected" in refused.say
    assert not game.of(ExceptionReported)


@pytest.mark.clause("NJ:3.3(c)1")
def test_3_3_c_1_a_win_smaller_than_its_vigorish_is_marked_where_there_is_nothing_to_take() -> None:
    filed = read_submission(NEW_JERSEY)["limits"]
    limits = {name: {"min": 10, "max": 100_000, "increment": 5} for name in filed}
    game = new_game(NEW_JERSEY, "7S 9D TH KC", vig_rounding=True, vig_collection="at_payout", limits=limits)
    for seat, chips in ((1, 10), (3, 100_000)):
        game.do(Sit(seat=seat, person=f"guest {seat}"))
        game.do(BuyIn(seat=seat, amount=chips))
    game.go("wager")
    game.do(PlaceWager(seat=1, on=WagerKind.BANKER, stake=10))
    game.finish_round()
    taken = game.last(VigorishTaken)
    assert (taken.amount, taken.marked) == (25, True)
    assert game.state.money.markers == {1: 25}
    assert broken_invariants(game.rules, game.state) == []


def spoken(edition: str) -> Game:
    """A wager said aloud and not yet confirmed."""
    game = game_at(edition, "3C 7S 9D TH KC 2C", seats=[1, 3], verbal_wagers=True)
    game.wager("3 b 2500")
    game.do(SpeakWager(seat=1, on=WagerKind.TIE, stake=2500, cash=True))
    return game


def test_a_spoken_wager_is_confirmed_by_each_person_once() -> None:
    game = spoken(NEW_JERSEY)
    game.do(ConfirmWager(seat=1, on=WagerKind.TIE), by=Role.DEALER)
    assert game.state.round.spoken, "it waits for the casino supervisor"
    game.refused(ConfirmWager(seat=1, on=WagerKind.TIE), "out_of_order", by=Role.DEALER)
    assert len(game.of(WagerConfirmed)) == 1


def test_a_spoken_wager_is_off_when_the_round_becomes_a_simulated_one() -> None:
    game = spoken("ma-midi-4")
    game.do(ReportFaceUp(card=Card.parse("3C")))
    assert [(event.seat, event.on) for event in game.of(SpokenWagerOff)] == [(1, WagerKind.TIE)]


def test_automation_always_finds_what_is_due() -> None:
    game = game_at("ma-midi-4", TIE, seats=[1])
    with pytest.raises(AssertionError, match="nobody has wagered"):
        next_due(game.table, game.source)
