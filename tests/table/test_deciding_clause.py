"""The clause that decides: each refusal and each event cites what rules it, no more and no less, and says whose act."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from baccarat.cards import Card
from baccarat.play.hand import Side
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.base import Event
from baccarat.table.irregularity.error_card import ErrorCardDrawn, ReportErrorCard
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.irregularity.remedy import CardCarried, DiscardShown
from baccarat.table.role import Role
from baccarat.table.rules_adoption import RulesAdopted
from baccarat.table.seating_acts import Sit
from baccarat.table.step.announcing import AnnounceResult
from baccarat.table.step.burning import BurnCards
from baccarat.table.step.calling import CallNoMoreBets
from baccarat.table.step.clearing import ClearTable, TableCleared
from baccarat.table.step.closing import CloseShoe
from baccarat.table.step.curating import AnswerShoe, OrderPass, PassShoe, ShoeAnswered, ShoeFellToDealer, ShoePassed
from baccarat.table.step.cutting import AnswerCut, CardsCut, CutCards, OrderRecut
from baccarat.table.step.dealing import DrawCard
from baccarat.table.step.free_hand import RequestFreeHand
from baccarat.table.step.must_hit import EndRound, MustHitEnded, SealTrigger, seal_of
from baccarat.table.step.opening import ReceiveCards
from baccarat.table.step.settlement import CollectLosers, Pay
from baccarat.table.step.shuffling import CardsShuffled, ShuffleCards
from baccarat.table.step.turning import CardsHanded, CardTurned, TurnCard
from baccarat.table.step.wagering import ChangeWager, PlaceWager, WagerChanged, WagerPlaced, WithdrawWager
from baccarat.table.vigorish_debt import DocumentVigorish, VigorishDocumented
from baccarat.table.vigorish_form import ComplimentaryForm, ReceiveForms
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import Game, game_at, new_game, seated

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
each_of_massachusetts = pytest.mark.parametrize("edition", MASSACHUSETTS)
FROM_2 = MASSACHUSETTS[1:]
BANKER_WINS, PLAYER_WINS, TIE = "7S 9D TH KC", "9S 7D TH KC", "7S 7D TH KC"
STAND = "2S 2H 4D 4C"
WAGER = PlaceWager(seat=1, on=WagerKind.BANKER, stake=2_500)


def cited(what: Refused | Event | Iterable[str]) -> list[str]:
    """The paragraphs that a refusal or an event cites, in order."""
    cites = what.cites if isinstance(what, Refused | Event) else what
    return [str(cite).partition("§")[2] for cite in cites]


def ma(edition: str, massachusetts: str, new_jersey: str) -> list[str]:
    """The one paragraph of either document."""
    return [massachusetts if edition in MASSACHUSETTS else new_jersey]


# ---------------------------------------------------------------------------------------- the wrong step


@clause("MA:11(a).1", "MA:11(b).1", "MA:11(c)", "MA:8(c).1", "NJ:3.10(a).1", "NJ:3.10(b)")
@each_edition
def test_an_act_in_the_wrong_step_is_answered_with_the_clause_of_its_own_step(edition: str) -> None:
    game = game_at(edition, BANKER_WINS).wager("1 b 2500")
    early = {
        AnnounceResult(): ma(edition, "11(a)", "3.10(a)"),
        CollectLosers(): ma(edition, "11(b)", "3.10(b)"),
        Pay(seat=1): ma(edition, "11(b)", "3.10(b)"),
        ClearTable(): ma(edition, "11(c)", "3.7(b)"),
        ShuffleCards(): ma(edition, "5(a)", "3.5(a)1"),
        CutCards(in_front=100): ["5(d)"] if edition == "ma-midi-4" else ["5(d)", "5(e)"],
    }  # fmt: skip
    if edition == NEW_JERSEY:
        early[CutCards(in_front=100)] = ["3.5(d)", "3.5(e)"]
    for command, expected in early.items():
        assert cited(game.refused(command, "wrong_step")) == expected, command


@clause("MA:8(b)", "NJ:3.7(b).1")
@each_edition
def test_8_b_a_card_before_no_more_bets_is_answered_with_the_clause_that_asks_for_the_call(edition: str) -> None:
    game = game_at(edition, BANKER_WINS).wager("1 b 2500")
    assert cited(game.refused(DrawCard(), "wrong_step")) == ma(edition, "8(b)", "3.7(b)")


def test_an_act_that_no_step_of_the_table_holds_cites_the_election_or_the_document() -> None:
    cut_by_dealer = game_at("ma-midi-4", step="cut", cut_mode="dealer_cuts")
    assert cited(cut_by_dealer.refused(AnswerCut(seat=1, accept=True), "not_offered")) == ["5(c)"]
    not_again = game_at("ma-midi-4", step="offer_cut", reshuffle_after_lace="none")
    assert cited(not_again.refused(ShuffleCards(), "wrong_step")) == ["5(a)"]
    nobody_curates = game_at("ma-midi-4")
    assert cited(nobody_curates.refused(AnswerShoe(seat=1, accept=True), "not_offered")) == ["8(a)", "8(c)"]


@clause("MA:13(c)(2)", "MA:13(d)", "NJ:3.12(c)3")
@each_edition
def test_13_c_a_wager_in_a_simulated_round_is_answered_with_the_clause_that_forbids_it(edition: str) -> None:
    filed = {"disclosed_third_card": "simulated_round"} if edition in MASSACHUSETTS else {"disclosed_card_procedure": 3}
    game = game_at(edition, f"{STAND} 5D", **filed).wager("1 p 2500", "3 b 2500").go("announce")
    game.do(ReportErrorCard(to=Side.PLAYER, card=Card.parse("5D")))
    game.finish_round()
    game.go("deal")
    for command in (
        WAGER,
        ChangeWager(seat=1, on=WagerKind.BANKER, stake=1),
        WithdrawWager(seat=1, on=WagerKind.BANKER),
    ):
        refused = game.refused(command, "wagers_closed")
        assert cited(refused) == ma(edition, "13(c)(2)", "3.12(c)3")
        assert "simulated round" in refused.say


@clause("MA:13(d)")
@each_of_massachusetts
def test_13_d_a_wager_in_a_round_that_a_face_up_card_made_simulated(edition: str) -> None:
    game = game_at(edition, "3C").wager("1 b 2500")
    game.do(ReportFaceUp(card=Card.parse("3C")))
    assert cited(game.refused(WAGER, "wagers_closed")) == ["13(d)"]


@clause("MA:13(e).2", "NJ:3.12(e)")
@each_edition
def test_13_e_a_wager_after_a_void_round_waits_for_the_cards_that_the_clause_orders(edition: str) -> None:
    game = game_at(edition, end="2S 3D AH KC 3C", seats=[1, 2]).wager("1 b 2500").skip(left=5)
    game.finish_round()
    assert game.step == "close"
    expected = ma(edition, "13(e)", "3.12(e)")
    assert cited(game.refused(WAGER, "wagers_closed")) == expected
    game.do(CloseShoe())
    assert cited(game.refused(WAGER, "wagers_closed")) == expected, "and until the new cards are in the shoe"
    while game.step != "wager":
        game.act()
    game.do(WAGER)


@clause("MA-v4:7(d)", "MA-v1-3:7(c)", "NJ:3.2(d)")
@each_edition
def test_7_d_after_the_call_a_wager_is_answered_with_the_call(edition: str) -> None:
    game = game_at(edition, BANKER_WINS).wager("1 b 2500")
    game.do(CallNoMoreBets())
    expected = ["3.2(d)"] if edition == NEW_JERSEY else ["7(d)"] if edition == "ma-midi-4" else ["7(c)"]
    refused = game.refused(PlaceWager(seat=3, on=WagerKind.PLAYER, stake=7_500), "wagers_closed")
    assert cited(refused) == expected
    for words in ("place wager", "seat 3", "$75.00", "no more bets"):
        assert words in refused.say
    assert cited(game.refused(CallNoMoreBets(), "wrong_step")) == ma(edition, "8(b)", "3.7(b)")


@clause("MA:5(f).1", "NJ:3.5(f).1")
@each_edition
def test_5_f_a_recut_after_a_dealt_card_is_answered_with_the_clause_on_recuts(edition: str) -> None:
    recut = OrderRecut(reason="a bent card")
    expected = ma(edition, "5(f)", "3.5(f)")
    early = game_at(edition, step="cut")
    assert cited(early.refused(recut, "wrong_step")) == expected, "there is no cut yet to be done again"
    burning = game_at(edition, step="burn")
    burning.do(BurnCards())
    for game in (burning, game_at(edition), game_at(edition, BANKER_WINS).wager("1 b 2500").go("turn_player")):
        refused = game.refused(recut, "wrong_step")
        assert cited(refused) == expected
        assert "left the shoe" in refused.say


# -------------------------------------------------------------------------------------------- the tableau


@clause("MA:10(c)(1)", "MA:10(c)(2)(ii)", "MA:10(c)(2)(iii)", "MA:10(a)", "MA:9(c)", "NJ:3.9(c) [missing]", "NJ:3.8(d)")
@each_edition
def test_10_a_card_that_the_tableau_does_not_give_is_answered_with_its_row(edition: str) -> None:
    cases = {
        STAND: (["10(c)(1)", "10(c)"], ["3.9(c)"], "Banker stays on 6"),
        "2S 3H AD 3D AC": (["10(c)(2)(iii)", "10 Table 1"], ["3.9(c)", "3.9(d)", "3.9(e)", "3.9(f)"], "against an ace"),
        "2S 3H AD 4D 6C": (["10(c)(2)(ii)", "10 Table 1"], ["3.9(c)", "3.9(d)", "3.9(e)", "3.9(f)"], "stays on 7"),
        "9S 2H KD 2D": (["10(a)", "10 Table 1"], ["3.9(a)"], "natural"),
        "2S 2H 3D 3C 4S 9H": (["9(c)"], ["3.8(d)"], "one more card"),
    }
    for cards, (massachusetts, new_jersey, words) in cases.items():
        game = game_at(edition, cards).wager("1 p 2500", "3 b 2500").go("announce")
        refused = game.refused(DrawCard(), "wrong_step")
        assert cited(refused) == (massachusetts if edition in MASSACHUSETTS else new_jersey), cards
        assert words in refused.say, refused.say


@clause("MA:10(c)(1)", "MA:13(a)", "NJ:3.9(c) [missing]", "NJ:3.12(b)")
@each_edition
def test_13_a_a_banker_card_against_the_tableau_cites_the_row_it_breaks_and_its_remedy(edition: str) -> None:
    game = game_at(edition, f"{STAND} 5D").wager("1 p 2500", "3 b 2500").go("announce")
    game.do(ReportErrorCard(to=Side.BANKER))
    row = ["10(c)(1)", "10(c)"] if edition in MASSACHUSETTS else ["3.9(c)"]
    remedy = ma(edition, "13(a)", "3.12(b)")
    assert cited(game.last(ErrorCardDrawn)) == [*row, *remedy]
    assert cited(game.last(CardCarried)) == remedy


@clause("MA:10(b)(1)", "MA:10(c)(1)", "NJ:3.9(b) [missing]", "NJ:3.9(c) [missing]")
@each_edition
def test_a_card_that_the_tableau_gives_is_no_error_and_the_row_says_so(edition: str) -> None:
    player_draws = game_at(edition, "2S 3H 3D 4C").wager("1 p 2500", "3 b 2500").go("third_cards")
    refused = player_draws.refused(ReportErrorCard(to=Side.PLAYER), "out_of_order")
    assert cited(refused) == (["10(b)(1)", "10(b)"] if edition in MASSACHUSETTS else ["3.9(b)"])
    banker_draws = game_at(edition, "2S 2H 4D 2C").wager("1 p 2500", "3 b 2500").go("third_cards")
    refused = banker_draws.refused(ReportErrorCard(to=Side.BANKER), "out_of_order")
    assert cited(refused) == (["10(c)(1)", "10(c)"] if edition in MASSACHUSETTS else ["3.9(c)"])


# ------------------------------------------------------------------------------------------- cut, shuffle


@clause("MA-v4:5(c).1", "MA:5(d)")
def test_5_c_of_the_fourth_edition_lets_the_dealer_cut() -> None:
    game = game_at("ma-midi-4", step="cut", cut_mode="dealer_cuts")
    assert cited(game.refused(CutCards(in_front=100, seat=1), "not_entitled", by=Role.PARTICIPANT)) == ["5(c)"]
    game.do(CutCards(in_front=100))
    assert cited(game.last(CardsCut)) == ["5(c)", "5(d)"]
    offered = game_at("ma-midi-4", step="cover_card")
    assert cited(offered.last(CardsCut)) == ["5(d)"]


@clause("MA-v1-3:5(c).2", "MA-v4:5(c).2", "NJ:3.5(c).2", "MA:5(f).2", "NJ:3.5(f).2")
@each_edition
def test_5_c_who_has_the_cut_is_said_by_the_offer_or_by_the_order_to_recut(edition: str) -> None:
    game = game_at(edition, step="offer_cut")
    taker = game.next_act().seat
    game.do(AnswerCut(seat=taker, accept=True))
    refused = game.refused(CutCards(in_front=100), "not_entitled")
    assert cited(refused) == ma(edition, "5(c)", "3.5(c)")
    assert f"seat {taker}" in refused.say
    game.do(CutCards(in_front=100, seat=taker), by=Role.PARTICIPANT)
    game.do(OrderRecut(reason="a bent card"))
    assert cited(game.refused(CutCards(in_front=100), "not_entitled")) == ma(edition, "5(f)", "3.5(f)")


@pytest.mark.parametrize(
    ("steps", "paragraph"),
    [
        pytest.param("riffle riffle turn riffle cut", "5(g)(4)", marks=clause("MA-v2-4:5(g)(4)")),
        pytest.param("riffle riffle turn riffle strip", "5(g)(5)", marks=clause("MA-v2-4:5(g)(5)")),
        pytest.param("riffle riffle turn riffle strip cut cut", "5(g)(5)", marks=clause("MA-v2-4:5(g)(5)")),
        pytest.param("riffle riffle strip cut", "5(g)(3)", marks=clause("MA-v2-4:5(g)(3)")),
        pytest.param("riffle riffle turn strip riffle cut", "5(g)(3)", marks=clause("MA-v2-4:5(g)(3)")),
        pytest.param("turn strip cut", "5(g)(2)", marks=clause("MA-v2-4:5(g)(2)")),
        pytest.param("riffle strip turn riffle cut", "5(g)(4)", marks=clause("MA-v2-4:5(g)(4)")),
        pytest.param("riffle riffle turn riffle strip fan cut", "5(g)", marks=clause("MA-v2-4:5(g)")),
    ],
)
@pytest.mark.parametrize("edition", FROM_2)
def test_5_g_a_fault_of_a_manual_shuffle_cites_the_element_it_fails(edition: str, steps: str, paragraph: str) -> None:
    game = game_at(edition, step="shuffle", manual_shuffle_strict=True)
    assert cited(game.refused(ShuffleCards(steps=tuple(steps.split())), "out_of_order")) == [paragraph]


@clause("MA-v2-4:5(g)", "MA-v2-4:5(g)(4)")
@pytest.mark.parametrize("edition", FROM_2)
def test_5_g_a_shuffle_cites_the_elements_as_a_whole_and_a_warning_its_own(edition: str) -> None:
    game = game_at(edition, step="shuffle")
    game.do(ShuffleCards(steps=("riffle", "riffle", "turn", "riffle", "strip", "cut")))
    assert cited(game.last(CardsShuffled)) == ["5(a)", "5(g)"]
    hasty = game_at(edition, step="shuffle")
    hasty.do(ShuffleCards(steps=("riffle", "strip", "turn", "riffle", "cut")))
    assert cited(hasty.last(CardsShuffled)) == ["5(a)", "5(g)", "5(g)(4)"]


# --------------------------------------------------------------------------------------- New Jersey's shoe


@clause("NJ:3.6(b).1", "NJ:3.6(b).2", "NJ:3.6(d)1", "NJ:3.6(d)2")
def test_3_6_an_answer_to_an_offered_shoe_cites_what_it_answers() -> None:
    game = game_at(NEW_JERSEY, step="offer_shoe")
    game.do(AnswerShoe(seat=1, accept=False))
    assert cited(game.last(ShoeAnswered)) == ["3.6(b)"]
    game.do(AnswerShoe(seat=3, accept=True, dealer_deals=True))
    assert cited(game.last(ShoeAnswered)) == ["3.6(b)", "3.6(d)1"]
    nobody = game_at(NEW_JERSEY)
    assert cited(nobody.last(ShoeFellToDealer)) == ["3.6(d)2"]


@clause("NJ:3.11(a)", "NJ:3.11(a)1", "NJ:3.11(a)2", "NJ:3.11(b)")
def test_3_11_b_when_the_shoe_passes_the_clause_on_offering_it_anew_is_cited() -> None:
    lost = game_at(NEW_JERSEY, PLAYER_WINS, curator=1)
    lost.play("1 b 2500")
    lost.act()
    assert cited(lost.last(ShoePassed)) == ["3.11(a)1", "3.11(b)"]
    assert cited(lost.refused(AnswerShoe(seat=5, accept=True), "out_of_order")) == ["3.11(b)"]
    lost.do(AnswerShoe(seat=3, accept=False))
    assert cited(lost.last(ShoeAnswered)) == ["3.11(b)"]
    lost.do(AnswerShoe(seat=5, accept=True))
    assert cited(lost.last(ShoeAnswered)) == ["3.11(b)"]
    chosen = game_at(NEW_JERSEY, BANKER_WINS, curator=1)
    chosen.play("1 b 2500")
    chosen.do(PassShoe(seat=1))
    assert cited(chosen.last(ShoePassed)) == ["3.11(a)", "3.11(b)"]
    ordered = game_at(NEW_JERSEY, BANKER_WINS, curator=1)
    assert cited(ordered.refused(OrderPass(reason="delay"), "wrong_role", by=Role.PIT_CLERK)) == ["3.11(a)2"]
    ordered.do(OrderPass(reason="delay"))
    assert cited(ordered.last(ShoePassed)) == ["3.11(a)2", "3.11(b)"]


@clause("NJ:3.7(b).1")
def test_3_10_b_does_not_say_that_the_table_is_cleared() -> None:
    game = game_at(NEW_JERSEY, BANKER_WINS)
    game.play("1 b 2500")
    assert cited(game.last(TableCleared)) == ["3.7(b)"], "reading A-92"


@clause("NJ:3.12(c)1.1", "NJ:3.12(d)")
def test_3_12_cards_shown_on_their_way_to_the_discards_cite_what_sent_them_there() -> None:
    error = game_at(NEW_JERSEY, f"{STAND} 3D 4C 5C 6C", disclosed_card_procedure=1, ten_value_extra=1)
    error.wager("1 p 2500", "3 b 2500").go("announce")
    error.do(ReportErrorCard(card=Card.parse("3D")))
    face_up = game_at(NEW_JERSEY, "3D 4C 5C 6C").wager("1 t 500")
    face_up.do(ReportFaceUp(card=Card.parse("3D")))
    for game, expected in ((error, ["3.12(c)", "3.12(c)1"]), (face_up, ["3.12(d)"])):
        assert game.step == "expose"
        assert cited(game.table.log[-1]) == expected, "the step"
        assert cited(game.refused(TurnCard(position=0, card=Card.parse("4C")), "wrong_cards")) == expected
        assert cited(game.refused(WAGER)) != expected, "what a wager runs into is another clause"
        game.act()
        assert cited(game.last(DiscardShown)) == expected


# ---------------------------------------------------------------------------------------- who turns a hand


@clause("NJ:3.7(d)6.1", "NJ:3.7(d)6.2")
def test_3_7_d_6_a_hand_that_nobody_wagered_on_cites_the_clause_on_it() -> None:
    draws = "2S 2H 3D 4C 5S 9H"
    allowed = game_at(NEW_JERSEY, draws, allow_other_side=True).wager("1 b 2500")
    allowed.finish_round()
    by_position = {event.position: cited(event) for event in allowed.of(CardTurned)}
    handed = [event for event in allowed.of(CardsHanded) if event.side is Side.PLAYER]
    assert [cited(event) for event in handed] == [["3.7(d)6"], ["3.8(b)", "3.7(d)3", "3.7(d)6"]]
    assert by_position[handed[0].positions[0]] == ["3.7(d)6"]
    alone = game_at(NEW_JERSEY, draws, allow_other_side=False).wager("1 b 2500")
    alone.finish_round()
    first = alone.of(CardTurned)[0]
    assert cited(first) == ["3.7(d)6"], "the licensee has not used its discretion: the dealer turns the hand"


# --------------------------------------------------------------------------------------------- the wagers


@clause("MA:7(a)", "MA:7(a)(4)", "MA:7(a)(7)", "NJ:3.2(a)", "NJ:3.2(a)4", "NJ:3.2(a)5")
@each_edition
def test_7_a_a_placed_wager_cites_what_permits_its_kind(edition: str) -> None:
    extra: dict[str, Any] = {
        "total_card_wagers": True,
        "dragon_bonus": True,
        "dragon_paytable": "A",
        "bonus_base_required": False,
    }
    game = game_at(edition, **(extra if edition == NEW_JERSEY else {}))
    kinds = {
        WagerKind.BANKER: ma(edition, "7(a)", "3.2(a)"),
        WagerKind.TIE: ma(edition, "7(a)", "3.2(a)"),
        WagerKind.DRAGON_PLAYER: ma(edition, "7(a)(4)", "3.2(a)5"),
        **({WagerKind.TOTAL5: ["3.2(a)4"]} if edition == NEW_JERSEY else {WagerKind.HOUSE_MONEY: ["7(a)(7)"]}),
    }
    limits = game.rules.elections.limits or {}
    for kind, permits in kinds.items():
        game.do(PlaceWager(seat=1, on=kind, stake=limits[kind.value].min))
        found = cited(game.last(WagerPlaced))
        assert found[0] == permits[0]
        assert found[-1] == ma(edition, "7(b)", "3.2(c)")[0]


@clause("MA-v3-4:12(i).play", "MA-v3-4:12(i).wager", "MA:7(a)(5)", "MA:7(a)(6)")
def test_12_i_a_royal_9_and_an_insurance_wager_cite_their_clause() -> None:
    royal = game_at("ma-midi-4-royal9").wager("1 b 2500", "1 royal9 500")
    assert cited(royal.last(WagerPlaced)) == ["12(i)", "7(b)"]
    ez = game_at("ma-midi-4-ez")
    for kind, paragraph in ((WagerKind.DRAGON7, "7(a)(5)"), (WagerKind.PANDA8, "7(a)(6)")):
        ez.do(PlaceWager(seat=1, on=kind, stake=500))
        assert cited(ez.last(WagerPlaced)) == [paragraph, "7(b)"]


@clause("MA-v4:7(d)", "MA-v1-3:7(c)", "NJ:3.2(d)")
@each_edition
def test_7_d_a_wager_is_changed_under_the_clause_that_allows_it_until_the_call(edition: str) -> None:
    game = game_at(edition).wager("1 b 2500")
    game.do(ChangeWager(seat=1, on=WagerKind.BANKER, stake=5_000))
    expected = "3.2(d)" if edition == NEW_JERSEY else "7(d)" if edition == "ma-midi-4" else "7(c)"
    assert expected in cited(game.last(WagerChanged))


@clause("MA-v3-4:12(j).1", "MA-v3-4:12(j).2", "MA-v3-4:12(j).3")
def test_12_j_the_must_hit_cites_its_clause_once() -> None:
    game = game_at("ma-midi-4-royal9", BANKER_WINS, seats=[1]).wager("1 b 2500", "1 royal9 500")
    start = _start_of(game)
    terms = game.rules.elections.must_hit
    assert terms is not None
    game.do(SealTrigger(seal=seal_of(terms, start, "salt")))
    game.go("must_hit")
    game.do(EndRound(trigger=start, salt="salt", lot=0))
    ended = game.last(MustHitEnded)
    assert ended.hit
    assert cited(ended) == ["12(j)"]


@clause("NJ:3.3(c)3i.1", "NJ:3.3(c)3i.2", "NJ:3.3(c)3iii")
def test_3_3_c_3_a_form_cites_what_it_says_who_signs_it_and_that_it_is_dropped() -> None:
    game = game_at(NEW_JERSEY, BANKER_WINS, vig_collection="deferred")
    game.play("1 b 10000")
    game.do(ReceiveForms(first=1, last=9))
    form = ComplimentaryForm(
        serial=1, amount=500, patron="participant 1", dealer="D", pit_boss="B", pit_clerk="C", patron_signed=True
    )  # fmt: skip
    game.do(DocumentVigorish(seat=1, form=form))
    found = cited(game.last(VigorishDocumented))
    assert found == ["3.3(c)3i", "3.3(c)3iii", "3.3(c)2"]


# ------------------------------------------------------------------------- every refusal, every event


def test_a_refusal_names_the_act_the_seat_and_the_sum() -> None:
    game = game_at("ma-midi-4", chips=10_000)
    for command, words in {
        PlaceWager(seat=1, on=WagerKind.BANKER, stake=50_000): (
            "place wager",
            "seat 1",
            "$500.00",
            "banker",
            "$100.00",
        ),
        PlaceWager(seat=7, on=WagerKind.TIE, stake=500): ("place wager", "seat 7", "$5.00", "tie"),
        ChangeWager(seat=3, on=WagerKind.TIE, stake=500): ("change wager", "seat 3", "$5.00", "tie"),
        WithdrawWager(seat=3, on=WagerKind.PLAYER): ("withdraw wager", "seat 3", "player"),
        RequestFreeHand(seat=9): ("request free hand", "seat 9"),
        Sit(seat=3, person="Z"): ("sit", "seat 3"),
        Pay(seat=5): ("pay", "seat 5"),
    }.items():
        say = game.refused(command).say
        assert all(word in say for word in words), say
    say = game.refused(OrderRecut(reason="x"), by=Role.DEALER).say
    assert all(word in say for word in ("order recut", "dealer", "casino supervisor")), say


@clause("MA:9(d).4")
@each_of_massachusetts
def test_9_d_the_set_just_played_is_refused_under_the_clause_that_wants_new_decks(edition: str) -> None:
    game = game_at(edition, end=TIE).skip(left=13, cover_out=True)
    game.play("1 t 500")
    game.do(CloseShoe())
    refused = game.refused(ReceiveCards(set_id="set 1", decks=8), "wrong_cards")
    assert cited(refused) == ["9(d)"], "13(e) speaks of a round that could not be finished"


@clause("MA:4(a)", "NJ:3.4(a)")
@each_edition
def test_4_a_the_rules_of_a_shoe_are_named_under_the_clause_that_brings_its_cards(edition: str) -> None:
    game = game_at(edition, step="inspect")
    assert cited(game.last(RulesAdopted)) == ma(edition, "4(a)", "3.4(a)")


def test_whoever_is_not_offered_the_cut_is_told_by_name() -> None:
    game = seated(new_game("ma-midi-4"), [1, 3]).go("offer_cut")
    say = game.refused(AnswerCut(seat=1, accept=True), "out_of_order").say
    assert "seat 1" in say
    assert "seat 3" in say


def _start_of(game: Game) -> int:
    """What the Must Hit shows."""
    elected = game.rules.elections.must_hit
    assert elected is not None
    return elected.start
