"""Subchapters 3.6 and 3.11 at the table: the curator of the shoe; people who sit down and buy chips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from baccarat.law.rulebook import rulebook
from baccarat.table.machine import Table
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.state import DEALER
from baccarat.table.step.closing import CloseShoe, ShoeClosed
from baccarat.table.step.curating import AnswerShoe, OrderPass, PassShoe, ShoeFellToDealer, ShoePassed
from baccarat.table.step.dealing import DrawCard
from baccarat.table.story import tell
from baccarat.table.table_cards import TableCards
from strategies import EDITIONS, NEW_JERSEY
from table_acts import offered
from table_driver import Game, game_at, new_game

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
BANKER_WINS, PLAYER_WINS, TIE = "7S 9D TH KC", "9S 7D TH KC", "7S 7D TH KC"
DEALERS, FLOOR, PATRON = Role.DEALER, Role.FLOORPERSON, Role.PARTICIPANT


def at_curator(curator: int, cards: str = "", seats: Sequence[int] = (2, 5, 9), **elections: Any) -> Game:
    """A New Jersey table at its first wagers."""
    return game_at(NEW_JERSEY, cards, seats=seats, curator=curator, **elections)


@clause("NJ:3.6(b).1", "NJ:3.6(b).2", "NJ:3.6(d)", "NJ:3.6(d)2", "NJ:3.11(b)")
@pytest.mark.parametrize(
    ("occupied", "seat_one", "order"),
    [
        ([1, 2, 5], "dealer_right", [1, 2, 5]),
        ([2, 5, 14], "dealer_right", [2, 5, 14]),
        ([1, 2, 5], "dealer_left", [1, 5, 2]),
        ([2, 5, 14], "dealer_left", [14, 5, 2]),
    ],
)
def test_3_6_b_the_shoe_is_offered_from_seat_one_counterclockwise(
    occupied: list[int], seat_one: str, order: list[int]
) -> None:
    game = game_at(NEW_JERSEY, seats=occupied, step="offer_shoe", seat_one=seat_one)
    for seat in order:
        for other in set(occupied) - {seat}:
            game.refused(AnswerShoe(seat=other, accept=True), "out_of_order")
        game.refused(AnswerShoe(seat=seat, accept=True), "wrong_role", by=DEALERS)
        game.do(AnswerShoe(seat=seat, accept=False))
    assert game.of(ShoeFellToDealer)
    assert (game.state.seats.curator, game.step) == (DEALER, "wager")


def test_the_story_says_who_declines_the_shoe_and_who_takes_it() -> None:
    game = game_at(NEW_JERSEY, seats=[1, 2], step="offer_shoe")
    (declined, *_), (taken, *_) = (
        game.do(AnswerShoe(seat=1, accept=False)),
        game.do(AnswerShoe(seat=2, accept=True, dealer_deals=True)),
    )
    assert tell(declined) == "The shoe is offered to seat 1, who declines it."
    assert tell(taken) == "The shoe is offered to seat 2, who takes it, the dealer to deal."


@clause("NJ:3.6(c)", "NJ:3.7(b).2", "NJ:3.7(c).1")
def test_3_6_c_only_the_curator_deals_and_only_when_told() -> None:
    game = at_curator(5).wager("2 t 500").go("call_cards")
    game.refused(DrawCard(seat=5), "wrong_step", by=PATRON)
    game.go("deal")
    game.refused(DrawCard(), "not_entitled")
    game.refused(DrawCard(seat=2), "not_entitled", by=PATRON)
    game.do(DrawCard(seat=5), by=PATRON)


@clause("NJ:3.6(d)", "NJ:3.6(d)1")
def test_3_6_d_1_whoever_accepts_may_have_the_dealer_deal_and_keeps_the_right() -> None:
    game = game_at(NEW_JERSEY, BANKER_WINS, seats=[2, 5], step="offer_shoe")
    game.do(AnswerShoe(seat=2, accept=True, dealer_deals=True))
    assert (game.state.seats.curator, game.state.seats.curator_right) == (DEALER, 2)
    game.wager("5 t 500").go("deal")
    game.refused(DrawCard(seat=2), "not_entitled", by=PATRON)
    game.do(DrawCard())
    game.finish_round()
    game.refused(PassShoe(seat=5), "not_entitled")
    game.do(PassShoe(seat=2))
    assert game.next_act().seat == 5


@clause("NJ:3.11(a)", "NJ:3.11(a)1", "NJ:3.11(b)", "NJ:3.6(d)1")
@pytest.mark.parametrize(("cards", "must"), [(PLAYER_WINS, True), (BANKER_WINS, False), (TIE, False)])
@pytest.mark.parametrize("dealer_deals", [False, True])
def test_3_11_a_the_shoe_passes_when_the_banker_loses_and_only_then(cards: str, must: bool, dealer_deals: bool) -> None:
    game = game_at(NEW_JERSEY, cards, seats=[2, 5, 9], step="offer_shoe")
    game.do(AnswerShoe(seat=2, accept=False))
    game.do(AnswerShoe(seat=5, accept=True, dealer_deals=dealer_deals))
    game.play("2 t 500")
    assert (game.step == "pass_shoe") is must
    game.refused(PassShoe(seat=2), "not_entitled")
    if not must:
        game.refused(PassShoe(seat=5), "wrong_role", cites="3.11(a)", by=DEALERS)
        game.do(PassShoe(seat=5))
    else:
        game.do(PassShoe(seat=5), by=DEALERS)
        assert game.last(ShoePassed).cites == (f"{NEW_JERSEY} §3.11(a)1", f"{NEW_JERSEY} §3.11(b)")
    assert game.next_act().seat == 9
    assert game.last(ShoePassed).seat == 5


@clause("NJ:3.11(a)", "NJ:3.11(a)1")
def test_3_11_a_the_shoe_is_passed_between_rounds() -> None:
    game = at_curator(5).wager("2 t 500")
    game.refused(PassShoe(seat=5), "wagers_on_table")


@clause("NJ:3.11(a)2")
def test_3_11_a_2_dealer_or_floorperson_may_order_it_with_a_reason() -> None:
    for step in ("wager", "deal"):
        for role in Role:
            game = at_curator(5).wager("2 t 500").go(step)
            if role not in (Role.DEALER, Role.FLOORPERSON):
                game.refused(OrderPass(reason="delay"), "wrong_role", cites="3.11(a)2", by=role)
                continue
            game.refused(OrderPass(reason=""), "no_reason", cites="3.11(a)2", by=role)
            game.do(OrderPass(reason="delay"), by=role)
            assert game.last(ShoePassed).cites == (f"{NEW_JERSEY} §3.11(a)2", f"{NEW_JERSEY} §3.11(b)")
            assert game.step == "offer_shoe"
            assert game.next_act().seat == 9
            game.do(AnswerShoe(seat=9, accept=True))
            assert game.step == step, "the round goes on where it stood"
    at_curator(DEALER).refused(OrderPass(reason="delay"), "not_entitled")


@clause("NJ:3.11(b)")
@pytest.mark.parametrize(("seat_one", "order"), [("dealer_right", [14, 2, 5]), ("dealer_left", [5, 2, 14])])
def test_3_11_b_a_shoe_given_up_goes_to_the_right_and_around(seat_one: str, order: list[int]) -> None:
    game = at_curator(9, TIE, seats=[2, 5, 9, 14], seat_one=seat_one)
    game.refused(PassShoe(seat=9), "out_of_order", cites="3.11(a)")
    game.play("2 t 500")
    game.do(PassShoe(seat=9))
    assert game.last(ShoePassed).cites == (f"{NEW_JERSEY} §3.11(a)", f"{NEW_JERSEY} §3.11(b)")
    for seat in order:
        assert game.next_act().seat == seat
        game.act()
    assert game.state.seats.curator == DEALER


@clause("NJ:3.6(d)2", "NJ:3.11(a)1", "NJ:3.11(b)")
def test_3_11_b_a_lone_curator_who_must_pass_leaves_the_shoe_to_the_dealer() -> None:
    game = at_curator(2, f"{PLAYER_WINS} {PLAYER_WINS}", seats=[2])
    game.play("2 t 500")
    game.act()
    assert (game.state.seats.curator, game.step) == (DEALER, "wager")
    game.play("2 t 500")
    assert game.next_act().by is DEALERS
    game.act()
    assert game.next_act().seat == 2, "offered anew when the Banker has lost under the dealer"


@clause("NJ:3.11(a)", "NJ:3.5(c).2", "NJ:3.5(d)", "NJ:3.8(e).3")
def test_3_5_c_after_a_reshuffle_the_cut_begins_with_the_last_curator_who_keeps_the_shoe() -> None:
    game = at_curator(5, TIE, seats=[1, 5, 14])
    game.skip(left=13, cover_out=True).play("1 t 500")
    game.do(CloseShoe())
    assert game.last(ShoeClosed).same_set
    assert offered(game.go("offer_cut")) == [5, 1, 14]
    assert game.go("wager").state.seats.curator == 5, "reading A-90"


@clause("NJ:3.5(c).2")
@pytest.mark.parametrize("another", [False, True])
def test_3_5_c_without_the_last_curator_the_cut_begins_at_the_highest_seat(another: bool) -> None:
    """Reading A-100: he has gone; somebody else in his chair is not the last curator."""
    game = at_curator(5, TIE, seats=[1, 5, 14])
    game.table.state = replace(game.state, cards=TableCards.REAL)
    game.skip(left=13, cover_out=True).play("1 t 500")
    game.do(Leave(seat=5))
    if another:
        game.do(Sit(seat=5, person="somebody else"))
    game.do(CloseShoe())
    assert game.last(ShoeClosed).same_set
    order = offered(game.go("offer_cut"))
    assert order[0] == 14, "the highest-numbered occupied seat"
    assert set(order) == ({1, 5, 14} if another else {1, 14})


@clause("NJ:3.5(c).2")
def test_3_5_c_a_dealer_who_was_curator_leaves_the_first_offer_to_the_highest_seat() -> None:
    game = game_at(NEW_JERSEY, TIE, seats=[1, 5, 14])
    assert game.state.seats.curator == DEALER
    game.skip(left=13, cover_out=True).play("1 t 500")
    game.do(CloseShoe())
    assert offered(game.go("offer_cut"))[0] == 14


@clause("NJ:3.11(b)", "NJ:3.6(c)")
def test_3_11_b_a_curator_who_leaves_is_not_waited_for() -> None:
    game = at_curator(5, TIE).wager("2 t 500").go("deal")
    game.do(Leave(seat=5))
    assert game.step == "offer_shoe"
    assert game.next_act().seat == 9
    game.do(Leave(seat=9))
    assert game.next_act().seat == 2
    game.act()
    assert (game.state.seats.curator, game.step) == (DEALER, "deal")
    game.finish_round()


@clause("NJ:3.6(d)2", "NJ:3.6(b).2")
def test_3_6_b_whoever_leaves_during_the_offer_is_passed_over() -> None:
    game = game_at(NEW_JERSEY, seats=[2, 5], step="offer_shoe")
    game.act()
    game.do(Leave(seat=5))
    assert (game.state.seats.curator, game.step) == (DEALER, "wager")


def test_a_table_knows_only_the_steps_of_its_own_document() -> None:
    for edition in EDITIONS:
        table = Table(rulebook(edition))
        assert ("offer_shoe" in [row.name for row in table.rules.edition.steps]) is (edition == NEW_JERSEY)


@clause("MA:2(a).1", "NJ:3.6(b).1")
@each_edition
def test_people_sit_on_free_seats_and_buy_chips(edition: str) -> None:
    game = new_game(edition)
    game.refused(Sit(seat=0, person="x"), "no_such_seat")
    game.refused(Sit(seat=99, person="x"), "no_such_seat")
    game.refused(Sit(seat=1, person=" "), "no_reason")
    game.refused(BuyIn(seat=1, amount=100), "seat_empty")
    game.do(Sit(seat=1, person="x"))
    game.refused(Sit(seat=1, person="y"), "seat_taken")
    game.refused(BuyIn(seat=1, amount=0), "not_enough_chips")
    game.refused(BuyIn(seat=1, amount=100), "wrong_role", by=PATRON)
    game.do(BuyIn(seat=1, amount=100))
    game.do(Leave(seat=1))
    game.refused(Leave(seat=1), "seat_empty")
