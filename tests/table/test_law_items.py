"""Law at the table: the plug, the curator over a reshuffle, face-up cards in the burn, part of a stack shuffled
again, what becomes of a coupon, who states why a patron has not signed, who orders a recut."""

from __future__ import annotations

from typing import Any

import pytest

from acting import acting
from baccarat.cards import Card
from baccarat.law.edition import load_edition
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.table.base import Accepted
from baccarat.table.coupon import CouponReturned, CouponTaken
from baccarat.table.irregularity.face_up import FaceUpFound, ReportFaceUp
from baccarat.table.irregularity.remedy import CardsDiscarded, DiscardShown, RoundMadeSimulated
from baccarat.table.machine import decide
from baccarat.table.role import Role
from baccarat.table.round_state import RoundKind
from baccarat.table.seating_acts import Leave
from baccarat.table.state import DEALER
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.burning import BurnCards, BurnedCardTurned, CardsBurned
from baccarat.table.step.closing import CloseShoe, ShoeClosed
from baccarat.table.step.curating import AnswerShoe, ShoePassed
from baccarat.table.step.cutting import OrderRecut, RecutOrdered
from baccarat.table.step.dealing import DrawCard
from baccarat.table.step.house_money import HouseMoneyPaid, PressHouseMoney, SettleHouseMoney
from baccarat.table.step.opening import ReceiveCards
from baccarat.table.step.relinquishing import AnswerTurn, Relinquish
from baccarat.table.step.shuffling import CardsShuffled, ShuffleCards
from baccarat.table.step.turning import CardsHanded, CardsReturned, CardTurned, HandCards, ReturnCards, TurnCard
from baccarat.table.step.wagering import PlaceWager, WithdrawWager
from baccarat.table.story import tell
from baccarat.table.vigorish_debt import DocumentVigorish, VigorishDocumented
from baccarat.table.vigorish_form import ComplimentaryForm, ReceiveForms
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import Game, game_at

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
each_of_massachusetts = pytest.mark.parametrize("edition", MASSACHUSETTS)
FROM_2 = MASSACHUSETTS[1:]
BANKER_WINS, PLAYER_WINS, TIE = "7S 9D TH KC", "9S 7D TH KC", "7S 7D TH KC"
WITHOUT_PLUG = ("riffle", "riffle", "turn", "riffle", "strip", "cut")


def shoe_over(game: Game) -> Game:
    """The shoe brought to its end and closed."""
    game.skip(left=13, cover_out=True)
    game.play("1 t 500")
    game.go("close").do(CloseShoe())
    return game


# --------------------------------------------------------------------------------------------- the plug


@clause("MA-v2-4:5(g)(1)")
@pytest.mark.parametrize("edition", FROM_2)
def test_5_g_1_a_set_that_has_been_dealt_from_here_before_is_plugged(edition: str) -> None:
    game = shoe_over(game_at(edition, end=TIE, then=""))
    game.do(ReceiveCards(set_id="set 2", decks=8))
    game.go("shuffle").do(ShuffleCards(steps=WITHOUT_PLUG))
    shoe_over(game.go("wager"))
    game.do(ReceiveCards(set_id="set 1", decks=8))
    game.go("shuffle")
    refused = game.refused(ShuffleCards(steps=WITHOUT_PLUG), "out_of_order", cites="5(g)(1)")
    assert "plug missing" in refused.say
    assert [str(cite) for cite in refused.cites] == [f"{edition} §5(g)(1)"]
    game.do(ShuffleCards(steps=("plug", *WITHOUT_PLUG)))
    assert game.last(CardsShuffled).warnings == ()


@clause("MA-v2-4:5(g)(1)")
@pytest.mark.parametrize("edition", FROM_2)
def test_5_g_1_the_plug_is_waived_for_a_fresh_set_and_for_cards_that_were_never_dealt_from(edition: str) -> None:
    game = game_at(edition, step="shuffle")
    game.do(ShuffleCards(steps=WITHOUT_PLUG))
    late = game_at(edition, step="shuffle")
    late.do(ShuffleCards(steps=("riffle", "plug", *WITHOUT_PLUG)))
    assert list(map(str, late.last(CardsShuffled).warnings)) == ["plug is usually the first step"]


@pytest.mark.parametrize("edition", FROM_2)
def test_automation_plugs_a_set_that_comes_again(edition: str) -> None:
    game = shoe_over(game_at(edition, end=TIE))
    game.do(ReceiveCards(set_id="set 2", decks=8))
    shoe_over(game.go("wager"))
    game.do(ReceiveCards(set_id="set 1", decks=8))
    game.go("wager")
    assert game.last(CardsShuffled).steps[0] == "plug"


# -------------------------------------------------------------------------------- the curator, 3.11, A-90


@clause("NJ:3.11(a)", "NJ:3.6(b).1")
@pytest.mark.parametrize("last", [BANKER_WINS, TIE])
def test_3_11_a_a_curator_who_has_not_lost_keeps_the_shoe_over_a_reshuffle(last: str) -> None:
    game = game_at(NEW_JERSEY, end=f"{last} 2C 3C 4C 5C 6C 7C 8C 9C TC", curator=3)
    shoe_over(game)
    assert game.state.seats.curator == 3
    offers = len(game.of(ShoePassed))
    while game.step != "wager":
        assert game.step not in ("offer_shoe", "pass_shoe"), "nobody is offered the shoe"
        game.act()
    assert game.state.seats.curator == 3
    assert len(game.of(ShoePassed)) == offers
    game.wager("1 b 2500").go("deal")
    game.refused(DrawCard(), "not_entitled")
    game.do(DrawCard(seat=3), by=Role.PARTICIPANT)


@clause("NJ:3.11(a)1", "NJ:3.11(b)")
def test_3_11_a_1_a_curator_who_lost_the_last_hand_passes_the_shoe_when_it_is_ready_again() -> None:
    game = game_at(NEW_JERSEY, end=f"{PLAYER_WINS} 2C 3C 4C 5C 6C 7C 8C 9C TC", curator=3)
    shoe_over(game).go("pass_shoe")
    game.act()
    assert game.last(ShoePassed).seat == 3
    assert game.next_act().seat == 5, "to the right of the previous curator"
    game.do(AnswerShoe(seat=5, accept=True))
    assert game.state.seats.curator == 5


@clause("NJ:3.6(d)1", "NJ:3.11(a)")
def test_3_6_d_a_dealer_named_by_a_participant_deals_on_after_a_reshuffle() -> None:
    game = game_at(NEW_JERSEY, step="offer_shoe", end=f"{TIE} 2C 3C 4C 5C 6C 7C 8C 9C TC")
    game.do(AnswerShoe(seat=1, accept=True, dealer_deals=True))
    shoe_over(game).go("wager")
    assert (game.state.seats.curator, game.state.seats.curator_right) == (DEALER, 1)


@clause("NJ:3.12(e)", "NJ:3.11(a)")
def test_3_12_e_a_void_round_does_not_cost_the_shoe() -> None:
    game = game_at(NEW_JERSEY, end="2S 3D AH KC 3C", curator=3).wager("1 b 2500").skip(left=5)
    game.finish_round()
    game.go("close").do(CloseShoe())
    assert game.state.seats.curator == 3


# ------------------------------------------------------------------------- a card face up in the burn, A-91


@clause("MA:13(d)")
@each_of_massachusetts
def test_13_d_a_card_found_face_up_in_the_burn_opens_a_simulated_round_after_it(edition: str) -> None:
    game = game_at(edition, "7S 9D TH KC", burn="3S 4C 5C", step="burn")
    game.do(BurnCards())
    game.act()
    game.do(ReportFaceUp(card=Card.parse("4C")))
    assert [str(cite) for cite in game.last(FaceUpFound).cites] == [f"{edition} §13(d)"]
    assert game.of(RoundMadeSimulated)
    assert game.step == "burn"
    game.do(BurnCards())
    assert game.last(CardsBurned).positions == (2, 3, 4), "the burn goes on with the next cards"
    game.go("deal")
    assert game.state.round.kind is RoundKind.SIMULATED
    assert game.hand(Side.PLAYER) == "4c"
    game.refused(PlaceWager(seat=1, on=WagerKind.BANKER, stake=2500), "wagers_closed", cites="13(d)")
    game.finish_round()
    assert game.step == "wager"
    game.check_replay()


@clause("MA:13(d)")
@each_of_massachusetts
def test_13_d_the_first_card_of_the_burn_itself_lies_face_up(edition: str) -> None:
    game = game_at(edition, "7S 9D TH KC", burn="KS AC 5C", step="burn")
    game.do(ReportFaceUp(card=Card.parse("KS")))
    game.do(BurnCards())
    game.act()
    assert game.last(BurnedCardTurned).card == Card.parse("AC")
    assert game.last(BurnedCardTurned).more == 1, "the ace says how many, not the king"
    game.do(BurnCards())
    assert game.state.shoe.burn == (1, 2)
    game.go("deal")
    assert game.hand(Side.PLAYER) == "Ks"
    game.check_replay()


@clause("NJ:3.12(d)")
def test_3_12_d_a_card_found_face_up_in_the_burn_goes_to_the_discards_with_its_value() -> None:
    game = game_at(NEW_JERSEY, "7S 9D TH KC", burn="2S 3C 5C 6C 7C 8C 9C", step="burn")
    game.do(BurnCards())
    game.act()
    game.do(BurnCards(cards=1))
    assert list(game.state.shoe.burn) == [0, 1]
    refused = game.refused(BurnCards(cards=2), "wrong_cards")
    assert "1" in refused.say
    game.do(ReportFaceUp(card=Card.parse("5C")))
    assert game.last(CardsDiscarded).positions == (2, 3, 4, 5, 6, 7)
    assert [str(cite) for cite in game.last(CardsDiscarded).cites] == [f"{NEW_JERSEY} §3.12(d)"]
    while game.step == "expose":
        game.act()
    assert len(game.of(DiscardShown)) == 5
    assert game.step == "burn"
    game.go("wager")
    assert game.state.shoe.burn == (0, 1, 8)
    assert game.state.round.kind is RoundKind.WAGERED
    game.check_replay()


# ------------------------------------------------------------------ some of the cards shuffled again, A-93


@clause("MA:5(a)(1)", "NJ:3.5(a)1i")
@each_edition
def test_5_a_1_where_some_cards_are_shuffled_again_the_dealer_says_how_many(edition: str) -> None:
    paragraph = "5(a)(1)" if edition in MASSACHUSETTS else "3.5(a)1i"
    some = game_at(edition, step="reshuffle", reshuffle_after_lace="some")
    for cards in (0, 8 * 52, 8 * 52 + 1, -1):
        some.refused(ShuffleCards(cards=cards), "wrong_cards", cites=paragraph)
    some.do(ShuffleCards(cards=104))
    assert some.last(CardsShuffled).cards == 104
    assert "104 cards" in tell(some.last(CardsShuffled))
    every = game_at(edition, step="reshuffle", reshuffle_after_lace="all")
    every.refused(ShuffleCards(cards=104), "wrong_cards", cites=paragraph)
    every.do(ShuffleCards())
    assert every.last(CardsShuffled).cards == 0
    first = game_at(edition, step="shuffle")
    first.refused(ShuffleCards(cards=104), "wrong_cards")


# ---------------------------------------------------------------------------- what becomes of a coupon, A-23


@clause("MA:7(b).1", "NJ:3.2(c).1")
@pytest.mark.parametrize(
    ("cards", "taken", "back"),
    [(BANKER_WINS, [(1, "paid"), (3, "lost")], []), (PLAYER_WINS, [(1, "lost"), (3, "paid")], []), (TIE, [], [1, 3])],
)
@each_edition
def test_7_b_a_coupon_is_taken_when_its_wager_is_decided_and_comes_back_when_it_pushes(
    edition: str, cards: str, taken: list[tuple[int, str]], back: list[int]
) -> None:
    game = game_at(edition, cards, match_play=True)
    game.do(PlaceWager(seat=1, on=WagerKind.BANKER, stake=2_500, coupon=2_500))
    game.do(PlaceWager(seat=3, on=WagerKind.PLAYER, stake=5_000, coupon=5_000))
    game.wager("5 t 500")
    game.finish_round()
    found = sorted((event.seat, "paid" if event.paid else "lost") for event in game.of(CouponTaken))
    assert found == sorted(taken)
    assert [event.seat for event in game.of(CouponReturned)] == back
    for event in [*game.of(CouponTaken), *game.of(CouponReturned)]:
        assert isinstance(event, CouponTaken | CouponReturned)
        assert event.face == {1: 2_500, 3: 5_000}[event.seat]
        assert event.cites == ((f"{edition} §7(b)",) if edition in MASSACHUSETTS else (f"{edition} §3.2(c)",))
    game.check_replay()


@clause("MA:13(e).1", "NJ:3.12(e)")
@each_edition
def test_a_coupon_comes_back_with_a_wager_that_is_withdrawn_voided_or_returned(edition: str) -> None:
    coupon = PlaceWager(seat=1, on=WagerKind.BANKER, stake=2_500, coupon=2_500)
    withdrawn = game_at(edition, match_play=True)
    withdrawn.do(coupon)
    withdrawn.do(WithdrawWager(seat=1, on=WagerKind.BANKER))
    left = game_at(edition, match_play=True)
    left.do(coupon)
    left.do(Leave(seat=1))
    void = game_at(edition, end="2S 3D AH KC 3C", match_play=True)
    void.do(coupon)
    void.skip(left=5).finish_round()
    games = [withdrawn, left, void]
    if edition in MASSACHUSETTS:
        simulated = game_at(edition, "3C", match_play=True)
        simulated.do(coupon)
        simulated.do(ReportFaceUp(card=Card.parse("3C")))
        games.append(simulated)
    for game in games:
        assert [(event.seat, event.on, event.face) for event in game.of(CouponReturned)] == [
            (1, WagerKind.BANKER, 2_500)
        ]
        assert game.of(CouponTaken) == []


# ---------------------------------------------------------------------------------------------- the form


def _owing() -> Game:
    game = game_at(NEW_JERSEY, BANKER_WINS, vig_collection="deferred")
    game.play("1 b 10000")
    game.do(ReceiveForms(first=1, last=9))
    return game


def _document(**form: Any) -> DocumentVigorish:
    words = {
        "serial": 1,
        "amount": 500,
        "patron": "participant 1",
        "dealer": "D. Ealer",
        "pit_boss": "B. Oss",
        "pit_clerk": "C",
    }
    return DocumentVigorish(seat=1, form=ComplimentaryForm(**{**words, **form}))


@clause("NJ:3.3(c)3i.1")
@pytest.mark.parametrize("patron", ["participant 2", "A. Friend"])
def test_3_3_c_3_i_the_patron_of_a_form_is_the_one_who_owes(patron: str) -> None:
    """What is waived is booked for a patron: another name on the form gives it to somebody who never owed it."""
    game = _owing()
    paper = _document(patron=patron, patron_signed=True)
    game.refused(paper, "not_entitled", cites="3.3(c)3i", who="C", second="B. Oss")
    assert game.state.money.markers == {1: 500}
    by = acting(game.table, paper, who="C", second="B. Oss")
    old = decide(game.rules, game.state, paper, by, behaviour=2)
    assert isinstance(old, Accepted), "version 2 allowed it, and its journals say so"
    game.do(_document(patron="PARTICIPANT  1", patron_signed=True), who="C", second="B. Oss")
    assert not game.state.money.markers


@clause("NJ:3.3(c)3i.2")
@pytest.mark.parametrize("signer", ["dealer", "pit_boss", "pit_clerk"])
def test_3_3_c_3_i_nobody_signs_for_the_house_what_is_waived_for_oneself(signer: str) -> None:
    game = _owing()
    paper = _document(patron_signed=True, **{signer: "Participant 1"})
    game.refused(paper, "same_person", cites="3.3(c)3i", who=paper.form.pit_clerk, second=paper.form.pit_boss)


@clause("NJ:3.3(c)3i.2")
def test_3_3_c_3_i_the_form_says_who_states_why_the_patron_has_not_signed() -> None:
    game = _owing()
    left = {"why_not_signed": "the patron has left"}
    game.refused(_document(), "incomplete", cites="3.3(c)3i")
    game.refused(_document(**left), "incomplete", cites="3.3(c)3i")
    for somebody in ("C", "F. Loor", " "):
        game.refused(_document(**left, stated_by=somebody), "not_entitled" if somebody.strip() else "incomplete")
    game.refused(_document(stated_by="B. Oss"), "incomplete")
    game.do(_document(**left, stated_by="b. oss"))
    assert "b. oss" in tell(game.last(VigorishDocumented))
    assert "the patron has left" in tell(game.last(VigorishDocumented))
    by_dealer = _owing()
    by_dealer.do(_document(**left, stated_by="D. Ealer"))
    signed = _owing()
    signed.do(_document(patron_signed=True))


# ------------------------------------------------------------------------------------------- the recut


@clause("MA:5(f).1", "NJ:3.5(f).1")
@each_edition
def test_5_f_a_casino_supervisor_orders_a_recut_alone(edition: str) -> None:
    game = game_at(edition, step="cover_card")
    game.refused(OrderRecut(reason=" "), "no_reason")
    game.refused(OrderRecut(reason="too shallow"), "wrong_role", by=Role.FLOORPERSON)
    game.do(OrderRecut(reason="too shallow"), who="S. Upervisor")
    ordered = game.last(RecutOrdered)
    assert (ordered.requester, ordered.approver) == ("", "S. Upervisor")
    assert "too shallow" in tell(ordered)


@clause("MA:5(f).1", "NJ:3.5(f).1")
@each_edition
def test_5_f_a_second_person_is_a_rule_of_the_house(edition: str) -> None:
    option = load_edition(edition).options["recut_second_person"]
    assert (option.may, option.reading) == (True, "A-89")
    game = game_at(edition, step="cover_card", recut_second_person=True)
    game.refused(OrderRecut(reason="too shallow"), "no_reason", who="S. Upervisor")
    game.refused(OrderRecut(reason="too shallow"), "same_person", who="ann lee", second="Ann  LEE")
    game.do(OrderRecut(reason="too shallow"), who="S. Upervisor", second="D. Ealer")


# ------------------------------------------------------ marks that went green when their clause was broken


@clause("MA:8(c)(3)(i)b")
@each_of_massachusetts
def test_8_c_3_i_b_only_the_dealer_moves_a_house_money_payout(edition: str) -> None:
    half: dict[str, Any] = {"house_money_portion": [1, 2]}
    game = game_at(edition, "3S 9D 3H KC", **half).wager("1 p 2500", "1 house_money 1000").go("house_money")
    for role in (Role.PARTICIPANT, Role.FLOORPERSON, Role.PIT_BOSS):
        game.refused(SettleHouseMoney(seat=1), "wrong_role", cites="8(c)(3)(i)b", by=role)
    before = game.chips(1)
    game.do(PressHouseMoney(seat=1, onto=WagerKind.PLAYER))
    assert game.chips(1) == before, "choosing moves no chip"
    game.do(SettleHouseMoney(seat=1))
    paid = game.last(HouseMoneyPaid)
    assert (paid.win, paid.to_wager) == (3_000, 1_500), "the part that is filed, and nothing else"
    assert game.chips(1) == before + 1_000 + 1_500
    assert "8(c)(3)(i)b" in [cite.partition("§")[2] for cite in paid.cites]
    whole = game_at(edition, "3S 9D 3H KC", **half).wager("1 p 2500", "1 house_money 1000").go("house_money")
    before = whole.chips(1)
    whole.do(SettleHouseMoney(seat=1))
    assert whole.last(HouseMoneyPaid).to_wager == 0
    assert whole.chips(1) == before + 1_000 + 3_000, "or the entire payout is handed over"


@pytest.mark.parametrize(
    ("side", "cards"),
    [
        pytest.param(Side.PLAYER, "2S 3H 3D 4C 6D", marks=clause("MA:8(c)(4)", "NJ:3.7(d)3")),
        pytest.param(Side.BANKER, "2S 2H 4D 2C 5D", marks=clause("MA:8(c)(5)", "NJ:3.7(d)4")),
    ],
)
@each_edition
def test_8_c_4_a_third_card_passes_face_down_through_whoever_turned_the_hand(
    edition: str, side: Side, cards: str
) -> None:
    game = game_at(edition, cards).wager("1 p 2500", "3 b 2500").go("third_cards")
    game.act()
    position = game.state.round.hand(side)[2]
    assert position not in game.state.round.turned, "it lies face down"
    seat, other = (1, 3) if side is Side.PLAYER else (3, 1)
    turn = TurnCard(position=position, card=Card.parse(cards.rsplit(maxsplit=1)[-1]))
    game.refused(turn, "out_of_order")
    game.do(HandCards())
    handed = game.last(CardsHanded)
    assert (handed.side, handed.seat, handed.positions) == (side, seat, (position,))
    third = {Side.PLAYER: ("8(c)(4)", "3.7(d)3"), Side.BANKER: ("8(c)(5)", "3.7(d)4")}[side]
    assert any(cite.endswith(f"§{third[edition == NEW_JERSEY]}") for cite in handed.cites)
    game.refused(turn, "out_of_order")
    game.refused(ReturnCards(seat=other), "not_entitled")
    game.do(ReturnCards(seat=seat))
    assert game.last(CardsReturned).seat == seat
    game.do(turn)
    assert game.last(CardTurned).position == position


@clause("MA:8(c)(4)", "MA:8(d).3")
@each_of_massachusetts
def test_8_c_4_a_right_that_was_passed_on_goes_for_the_third_card_too(edition: str) -> None:
    game = game_at(edition, "2S 3H 3D 4C 6D").wager("1 p 2500", "3 b 2500").go("turn_player")
    game.do(Relinquish(seat=1))
    taker = game.next_act().seat
    game.do(AnswerTurn(seat=taker, accept=True))
    game.go("third_cards").go_to_act("hand_cards").act()
    assert game.last(CardsHanded).seat == taker


@clause("MA:11(a).3")
@pytest.mark.parametrize(
    ("cards", "called"), [("3S 2H 3D 2C 3C", "Dragon 7"), ("2S 3H 3D 4C 3C", "Panda 8"), (BANKER_WINS, None)]
)
def test_11_a_an_ez_table_calls_dragon_7_and_panda_8_by_name(cards: str, called: str | None) -> None:
    for submission in ("ma-midi-4-ez", "ma-midi-4"):
        game = game_at(submission, cards).wager("1 t 2500")
        game.finish_round()
        named = [call for call in game.last(ResultAnnounced).calls if call in ("Dragon 7", "Panda 8")]
        expected = [called] if called and submission == "ma-midi-4-ez" else []
        assert named == expected
        for name in expected:
            assert f"“{name}”" in tell(game.last(ResultAnnounced))


def test_the_shoe_that_closes_says_what_follows() -> None:
    assert shoe_over(game_at(NEW_JERSEY, end=TIE)).last(ShoeClosed).same_set
