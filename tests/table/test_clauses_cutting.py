"""Section 5(c) to (f), subchapter 3.5(c) to (e), at the table: the cut, the cover card and the burn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from baccarat.cards import DECK, decks
from baccarat.law.rulebook import rulebook
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave
from baccarat.table.source import SealedShoe
from baccarat.table.state import DEALER
from baccarat.table.step.burning import BurnCards, CardsBurned
from baccarat.table.step.clearing import LastHandCalled
from baccarat.table.step.closing import CloseShoe
from baccarat.table.step.cutting import (
    AnswerCut,
    CardsCut,
    CutCards,
    CutFellToDealer,
    CutGivenUp,
    OrderRecut,
    RecutOrdered,
)
from baccarat.table.step.dealing import CoverCardOut, DrawCard
from baccarat.table.step.loading import CoverCardPlaced, LoadShoe, PlaceCoverCard
from baccarat.table.step.turning import TurnCard
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_acts import acts, offered
from table_driver import Game, game_at, new_game, seated

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
BANKER_WINS, PLAYER_WINS, TIE = "7S 9D TH KC", "9S 7D TH KC", "7S 7D TH KC"
FIRST_THREE, FOURTH = MASSACHUSETTS[:3], "ma-midi-4"
DEALERS, FLOOR, PATRON = Role.DEALER, Role.FLOORPERSON, Role.PARTICIPANT


# ----------------------------------------------------------------------------------- 5(c), 3.5(c) the cut


@clause("MA-v1-3:5(c).2", "MA-v1-3:5(c).3", "MA-v4:5(c).2", "MA-v4:5(c).3", "NJ:3.5(c).2", "NJ:3.5(c).3")
@pytest.mark.parametrize(
    ("edition", "seat_one", "order"),
    [
        *((edition, "dealer_left", [9, 7, 4, 3, 1]) for edition in FIRST_THREE),
        *((edition, "dealer_right", [9, 1, 3, 4, 7]) for edition in FIRST_THREE),
        (FOURTH, "dealer_left", [9, 1, 3, 4, 7]),
        (FOURTH, "dealer_right", [9, 7, 4, 3, 1]),
        (NEW_JERSEY, "dealer_right", [9, 7, 4, 3, 1]),
        (NEW_JERSEY, "dealer_left", [9, 1, 3, 4, 7]),
    ],
)
def test_5_c_the_cut_is_offered_from_the_highest_seat_in_the_editions_direction(
    edition: str, seat_one: str, order: Sequence[int]
) -> None:
    game = game_at(edition, step="offer_cut", seats=[1, 3, 4, 7, 9], seat_one=seat_one)
    assert offered(game) == list(order)
    assert game.of(CutFellToDealer)
    game.refused(CutCards(seat=9, in_front=100), "not_entitled", by=PATRON)
    game.do(CutCards(in_front=100))
    assert game.last(CardsCut).seat == DEALER


@clause("MA-v1-3:5(c).2", "MA-v4:5(c).2", "NJ:3.5(c).2")
@each_edition
def test_5_c_whoever_accepts_cuts_and_the_dealer_may_only_say_no_for_the_absent(edition: str) -> None:
    game = game_at(edition, step="offer_cut")
    game.refused(AnswerCut(seat=5, accept=True), "wrong_role", by=DEALERS)
    game.refused(AnswerCut(seat=3, accept=True), "out_of_order")
    game.do(AnswerCut(seat=5, accept=False), by=DEALERS)
    second = game.next_act().seat
    game.do(AnswerCut(seat=second, accept=True))
    game.refused(CutCards(in_front=100), "not_entitled")
    game.refused(CutCards(seat=5, in_front=100), "not_entitled", by=PATRON)
    game.do(CutCards(seat=second, in_front=100), by=PATRON)
    assert game.last(CardsCut).seat == second


@clause("MA-v1-3:5(c).2", "MA-v4:5(c).2", "NJ:3.5(c).2")
@each_edition
def test_5_c_a_cutter_who_leaves_is_not_waited_for(edition: str) -> None:
    game = game_at(edition, step="offer_cut")
    game.do(AnswerCut(seat=5, accept=True))
    game.do(Leave(seat=5))
    assert game.of(CutGivenUp)
    assert game.step == "offer_cut"
    assert game.next_act().seat != 5


@clause("MA-v4:5(c).1", "MA-v4:5(c).2", "MA-v4:5(c).3")
def test_5_c_1_of_the_fourth_edition_the_dealer_may_cut_for_the_table() -> None:
    game = game_at(FOURTH, step="cut", cut_mode="dealer_cuts")
    assert "offer_cut" not in [step for step, _ in acts(seated(new_game(FOURTH, cut_mode="dealer_cuts"), [1]), "cut")]
    game.refused(CutCards(seat=5, in_front=100), "not_entitled", by=PATRON)
    game.do(CutCards(in_front=100))
    asked = game_at(FOURTH, step="offer_cut", cut_mode="offer_players")
    assert asked.next_act().seat == 5


@clause("MA-v4:5(c).2")
@pytest.mark.parametrize(("filed", "first"), [(False, 5), (True, 3)])
def test_5_c_2_of_the_fourth_edition_the_last_cutter_may_be_filed_as_first(filed: bool, first: int) -> None:
    game = game_at(FOURTH, TIE, step="offer_cut", last_curator_as_last_cutter=filed)
    while game.next_act().seat != 3:
        game.act()
    game.do(AnswerCut(seat=3, accept=True))
    game.do(CutCards(seat=3, in_front=208), by=PATRON)
    game.go("wager").skip(left=13, cover_out=True).play("1 t 500")
    game.do(CloseShoe())
    assert game.go("offer_cut").next_act().seat == first


@clause("MA:5(d)", "NJ:3.5(d)")
@each_edition
def test_5_d_the_cut_leaves_enough_cards_on_either_side(edition: str) -> None:
    least, size = (10 if edition == NEW_JERSEY else 52), 8 * 52
    game = game_at(edition, step="cut")
    for wrong in (0, least - 1, size - least + 1, size):
        game.refused(CutCards(in_front=wrong))
    for right in (least, size - least):
        cut = game_at(edition, step="cut")
        cut.do(CutCards(in_front=right))
        assert cut.step == "cover_card"


@clause("MA-v1-3:5(e).1", "NJ:3.5(e).1", "MA:5(d)")
@each_edition
def test_5_e_the_cards_in_front_of_the_cut_go_behind_the_others(edition: str) -> None:
    rules = rulebook(edition)
    source = SealedShoe(rules, lambda number: bytes([number]) * 32, table="T1", in_front=100)
    game = Game(rules, lambda _: decks(8))
    game.source = source
    seated(game, [1]).go("burn")
    stack = source.stack(game.state)
    game.do(BurnCards())
    card, proof = source.card(game.state, 0)
    assert card == stack[100]
    other = next(each for each in DECK if each != card)
    game.refused(TurnCard(position=0, card=other, proof=proof), "wrong_proof")
    game.refused(TurnCard(position=0, card=stack[0]), "wrong_proof")
    game.do(TurnCard(position=0, card=card, proof=proof))


@clause("MA:5(f).1", "NJ:3.5(f).1")
@each_edition
def test_5_f_only_a_casino_supervisor_orders_a_recut_and_only_before_a_card_is_out(edition: str) -> None:
    paragraph = "3.5(f)" if edition == NEW_JERSEY else "5(f)"
    early = game_at(edition, step="cut")
    early.refused(OrderRecut(reason="seen"), "wrong_step", second="D. Ealer", who="S. Upervisor")
    for step in ("cover_card", "load", "burn"):
        game = game_at(edition, step=step)
        for role in set(Role) - {Role.CASINO_SUPERVISOR}:
            game.refused(
                OrderRecut(reason="seen"), "wrong_role", cites=paragraph, by=role, second="D. Ealer", who="S. Upervisor"
            )
        game.refused(OrderRecut(reason=" "), "no_reason", cites=paragraph, second="D. Ealer", who="S. Upervisor")
        game.do(OrderRecut(reason="the cut card was seen"), second="D. Ealer", who="S. Upervisor")
        assert game.step == "cut"
        assert game.last(RecutOrdered).cites == (f"{edition} §{paragraph}",)
        assert (game.state.shoe.cover, game.state.shoe.loaded) == (None, False)
    late = game_at(edition, step="burn")
    late.do(BurnCards())
    late.refused(OrderRecut(reason="seen"), "wrong_step", second="D. Ealer", who="S. Upervisor")


@clause("MA:5(f).2", "NJ:3.5(f).2")
@pytest.mark.parametrize(("elected", "second"), [("last_cutter", 9), ("next_entitled", 7)])
@each_edition
def test_5_f_2_the_recut_is_by_whom_the_licensee_filed(edition: str, elected: str, second: int) -> None:
    if edition == FOURTH and second == 7:
        second = 1
    game = game_at(edition, step="offer_cut", seats=[1, 7, 9], recut_by=elected)
    game.do(AnswerCut(seat=9, accept=True))
    game.do(CutCards(seat=9, in_front=100), by=PATRON)
    game.do(OrderRecut(reason="the cut card was seen"), second="D. Ealer", who="S. Upervisor")
    assert game.next_act().seat == second
    game.refused(CutCards(in_front=100), "not_entitled")
    game.do(CutCards(seat=second, in_front=100), by=PATRON)


# --------------------------------------------------------------------- 5(e), 3.5(e) cover card, load, burn


@clause("MA-v1-3:5(e).2", "MA-v1-3:5(e).3", "MA:3(a).3", "MA:9(d).1", "MA-v4:5(e).1", "NJ:3.5(e).2", "NJ:3.5(e).3")
@each_edition
def test_5_e_the_cover_card_lies_deep_enough_before_the_shoe_is_loaded(edition: str) -> None:
    game = game_at(edition, step="cover_card")
    game.refused(LoadShoe(), "wrong_step")
    game.refused(PlaceCoverCard(behind=0), "depth")
    game.refused(PlaceCoverCard(behind=8 * 52), "depth")
    if edition == FOURTH:
        game.do(PlaceCoverCard(behind=13))
        noted = map(str, game.last(CoverCardPlaced).warnings)
        assert list(noted) == ["13 behind: practice is 14", "14 are filed"]
    else:
        game.refused(PlaceCoverCard(behind=13), "depth")
        game.do(PlaceCoverCard(behind=14))
        assert game.last(CoverCardPlaced).warnings == ()
    game.refused(BurnCards(), "wrong_step")
    game.do(LoadShoe())
    game.refused(DrawCard(), "wrong_step")
    assert game.step == "burn"


@clause(
    "MA-v1-3:5(e).4", "MA-v1-3:5(e).5", "MA-v1-3:5(e).6", "MA-v4:5(e).1", "MA-v4:5(e).2", "MA-v4:5(e).3",
    "MA-v4:5(e).4", "NJ:3.5(e).4", "NJ:3.5(e).5", "NJ:3.5(e).6",
)  # fmt: skip
@pytest.mark.parametrize(
    ("first", "more"), [("As", 1), ("2s", 2), ("5d", 5), ("9h", 9), ("Td", 10), ("Jc", 10), ("Qh", 10), ("Ks", 10)]
)
@each_edition
def test_5_e_the_first_card_and_as_many_as_it_says_are_burned(edition: str, first: str, more: int) -> None:
    for style in ("face_down", "face_up") if edition == FOURTH else ("all",):
        elections: dict[str, Any] = {} if style == "all" else {"burn_exposure": style}
        game = game_at(edition, step="burn", burn=f"{first} 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc", **elections)
        game.do(BurnCards())
        game.refused(BurnCards(), "out_of_order")
        card, _ = game.source.card(game.state, 0)
        game.do(TurnCard(position=0, card=card))
        game.do(BurnCards())
        assert sum(len(event.positions) for event in game.of(CardsBurned)) == more + 1
        if style == "face_down":
            game.refused(TurnCard(position=1, card=card))
        game.go("offer_shoe" if edition == NEW_JERSEY else "wager")
        assert len(game.state.shoe.burned) == (1 if style == "face_down" else more + 1)
        assert game.state.shoe.next == more + 1


@clause("MA:9(d).1", "MA:9(d).2", "MA:9(d).3", "NJ:3.8(e).1", "NJ:3.8(e).2", "NJ:3.8(e).3")
@each_edition
def test_9_d_a_cover_card_in_the_burn_leaves_one_hand(edition: str) -> None:
    game = game_at(edition, TIE, step="cover_card", burn="5c 2c 3c 4c 6c 7c")
    game.do(PlaceCoverCard(behind=8 * 52 - 3))
    game.go("wager")
    kinds = [type(event) for event in game.table.log]
    assert kinds.index(CoverCardOut) < kinds.index(LastHandCalled)
    assert game.of(LastHandCalled)[0].say == "last hand"
    game.play("1 t 500")
    assert game.step == "close"
    assert len(game.of(LastHandCalled)) == len(game.of(CoverCardOut)) == 1
    game.check_replay()
