"""What a clause joins with "or", each alternative for itself, where the tests of the clause reach another one."""

from __future__ import annotations

from typing import Any

import pytest

from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.table.dealers import ComeOn
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave, Left
from baccarat.table.state import DEALER
from baccarat.table.step.curating import AnswerShoe, OrderPass, PassShoe, ShoeAnswered, ShoePassed
from baccarat.table.step.cutting import OrderRecut, RecutOrdered
from baccarat.table.step.dealing import DrawCard
from baccarat.table.step.settlement import CollectLosers, Paid, Pay, TakeVigorish, VigorishTaken
from baccarat.table.step.shuffling import LaceCards, ShuffleCards
from baccarat.table.step.turning import CardsHanded
from baccarat.table.step.wagering import ChangeWager
from baccarat.table.vigorish_debt import DocumentVigorish, VigorishDocumented
from baccarat.table.vigorish_form import ComplimentaryForm, ReceiveForms
from printed import paragraphs
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import game_at

clause = pytest.mark.clause
BANKER_WINS, PLAYER_WINS, TIE = "7S 9D TH KC", "9S 7D TH KC", "7S 7D TH KC"
SIX_CARDS = "2S 3D AH KC 4C 5C"
FORM: dict[str, Any] = {
    "serial": 1,
    "amount": 500,
    "patron": "participant 3",
    "dealer": "D. Ealer",
    "pit_boss": "B. Oss",
    "pit_clerk": "C",
}


@clause("MA:11(b).2", "MA:11(b).3")
@pytest.mark.parametrize("edition", MASSACHUSETTS)
def test_11_b_where_vigorish_is_deferred_it_is_marked_at_each_seat_before_that_seat_is_paid(edition: str) -> None:
    game = game_at(edition, BANKER_WINS, vig_collection="deferred").wager("1 p 2500", "3 b 10000", "5 b 20000")
    game.go("settle").do(CollectLosers())
    for seat in (5, 3):
        game.refused(Pay(seat=seat), "out_of_order", cites="11(b)")
        game.do(TakeVigorish(seat=seat))
        game.do(Pay(seat=seat))
    assert [(event.seat, event.amount, event.marked) for event in game.of(VigorishTaken)] == [
        (5, 1000, True),
        (3, 500, True),
    ]
    assert [(event.seat, event.win) for event in game.of(Paid)] == [(5, 20000), (3, 10000)]
    assert game.state.money.markers == {5: 1000, 3: 500}
    game.finish_round()
    assert [game.chips(seat) - 10_000_000 for seat in (1, 3, 5)] == [-2500, 10000, 20000], "marked, and not yet taken"


@clause("NJ:3.3(c)4", "NJ:3.3(c)2.4")
def test_3_3_c_4_whoever_cannot_pay_leaves_when_his_vigorish_is_written_up_before_the_shoe_ends() -> None:
    game = game_at(NEW_JERSEY, f"{BANKER_WINS} {BANKER_WINS}", chips=10_000, vig_collection="deferred")
    game.play("3 b 10000")
    game.go("wager").play("3 p 20000")
    assert (game.chips(3), game.state.money.markers) == (0, {3: 500})
    game.refused(Leave(seat=3), "vigorish_owed", cites="3.3(c)4")
    assert game.state.money.markers == {3: 500}, "the marker stays until it is paid or written up"
    game.do(ReceiveForms(first=1, last=9))
    game.do(DocumentVigorish(seat=3, form=ComplimentaryForm(**FORM, patron_signed=True)))
    assert game.last(VigorishDocumented).form.amount == 500
    game.do(Leave(seat=3))
    assert (game.last(Left).chips, game.state.money.markers, game.state.money.complimentary) == (0, {}, 500)


@clause("NJ:3.3(c)3i.1")
def test_3_3_c_3_i_a_form_may_have_more_than_two_parts() -> None:
    game = game_at(NEW_JERSEY, BANKER_WINS, vig_collection="deferred")
    game.play("3 b 10000")
    game.do(ReceiveForms(first=1, last=9))
    for copies, is_enough in ((1, False), (3, True)):
        paper = DocumentVigorish(seat=3, form=ComplimentaryForm(**FORM, patron_signed=True, copies=copies))
        if is_enough:
            game.do(paper)
        else:
            game.refused(paper, "incomplete", cites="3.3(c)3i")
    assert (game.last(VigorishDocumented).form.copies, game.state.money.markers) == (3, {})


@clause("NJ:3.7(d)6.1", "NJ:3.7(d)6.2")
@pytest.mark.parametrize(("side", "on"), [(Side.PLAYER, "b"), (Side.BANKER, "p")])
def test_3_7_d_6_the_third_card_of_a_hand_nobody_wagered_on_goes_to_whoever_turned_it(side: Side, on: str) -> None:
    game = game_at(NEW_JERSEY, SIX_CARDS, seats=[1, 3, 5], allow_other_side=True).wager(f"3 {on} 2500").go("announce")
    handed = [(event.seat, len(event.positions)) for event in game.of(CardsHanded) if event.side is side]
    assert handed == [(3, 2), (3, 1)], "the two opening cards, then the third"


@clause("NJ:3.6(d)1")
def test_3_6_d_1_whoever_gets_the_shoe_from_another_may_have_the_dealer_deal() -> None:
    game = game_at(NEW_JERSEY, f"{PLAYER_WINS} {BANKER_WINS}", seats=[2, 5, 9], step="offer_shoe")
    game.do(AnswerShoe(seat=2, accept=True))
    game.play("9 t 500")
    game.do(PassShoe(seat=2))
    assert game.next_act().seat == 5
    game.refused(AnswerShoe(seat=5, accept=False, dealer_deals=True), "not_entitled", cites="3.6(d)1")
    game.do(AnswerShoe(seat=5, accept=True, dealer_deals=True))
    assert f"{NEW_JERSEY} §3.6(d)1" in game.last(ShoeAnswered).cites
    assert (game.state.seats.curator, game.state.seats.curator_right) == (DEALER, 5)
    game.wager("9 t 500").go("deal")
    game.refused(DrawCard(seat=5), "not_entitled", by=Role.PARTICIPANT)
    game.do(DrawCard())


@clause("NJ:3.11(a)2")
@pytest.mark.parametrize("ground", ["delays the game", "third invalid deal", "breach of the regulations"])
def test_3_11_a_2_the_shoe_is_taken_for_any_of_three_causes_and_the_cause_is_on_record(ground: str) -> None:
    for role in (Role.DEALER, Role.FLOORPERSON):
        game = game_at(NEW_JERSEY, TIE, seats=[2, 5, 9], step="offer_shoe")
        game.do(AnswerShoe(seat=2, accept=True))
        game.do(OrderPass(reason=ground), by=role)
        passed = game.last(ShoePassed)
        assert (passed.seat, passed.reason, passed.ordered) == (2, ground, True)
        assert passed.cites == paragraphs(NEW_JERSEY, "3.11(a)2", "3.11(b)")
        assert game.next_act().seat == 5


@clause("MA:5(f).1", "NJ:3.5(f).1")
@pytest.mark.parametrize("ground", ["the cut was improper", "the game might not be fair"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_5_f_a_recut_is_ordered_for_either_cause_and_the_cause_is_on_record(edition: str, ground: str) -> None:
    game = game_at(edition, step="cover_card")
    game.do(OrderRecut(reason=ground), who="S. Upervisor")
    assert (game.last(RecutOrdered).reason, game.step) == (ground, "cut")


@clause("NJ:3.5(a)1")
def test_3_5_a_1_by_the_first_method_any_one_dealer_on_the_game_is_enough() -> None:
    for who in ("dealer", "second"):
        game = game_at(NEW_JERSEY, step="shuffle", shuffle_method=1)
        game.do(ComeOn(person="second"))
        game.do(ShuffleCards(), who=who)
        assert game.step == "lace"
        game.do(LaceCards(cards=52))
        assert game.step == "offer_cut"


@clause("MA-v1-3:7(c)", "MA-v4:7(d)", "NJ:3.2(d)")
@pytest.mark.parametrize("edition", EDITIONS)
def test_7_after_the_call_a_wager_is_not_lowered_either(edition: str) -> None:
    """Taken back in part, which is neither placing, nor raising, nor withdrawing the whole."""
    game = game_at(edition, BANKER_WINS).wager("1 b 5000").go("deal")
    closed = {NEW_JERSEY: "3.2(d)", "ma-midi-4": "7(d)"}.get(edition, "7(c)")
    game.refused(ChangeWager(seat=1, on=WagerKind.BANKER, stake=2500), "wagers_closed", cites=closed)
    assert game.chips(1) == 10_000_000 - 5000
