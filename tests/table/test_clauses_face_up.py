"""Sections 13 and 3.12 at the table: cards face up or seen too early, the end of a shoe in all this, foul shoes."""

from __future__ import annotations

import pytest

from baccarat.cards import Card
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.irregularity.exposed import CardSetAside, ReportExposedCard
from baccarat.table.irregularity.face_up import FaceUpFound, ReportFaceUp
from baccarat.table.irregularity.remedy import (
    CardReassigned,
    CardsDiscarded,
    DiscardShown,
    SimulatedRoundOrdered,
)
from baccarat.table.role import Role
from baccarat.table.round_state import RoundKind
from baccarat.table.seating_acts import Leave
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.clearing import LastHandCalled, WagersReturned
from baccarat.table.step.closing import CloseShoe, ShoeClosed
from baccarat.table.step.dealing import CardDrawn, CoverCardOut, RoundVoided
from baccarat.table.step.free_hand import RequestFreeHand
from baccarat.table.step.house_money import HouseMoneyPaid, PressHouseMoney
from baccarat.table.step.opening import ReceiveCards
from baccarat.table.step.turning import TurnCard
from baccarat.table.step.wagering import PlaceWager
from irregular_round import counted, simulated_from
from printed import paragraphs
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import game_at

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
each_of_massachusetts = pytest.mark.parametrize("edition", MASSACHUSETTS)
PLAYER, BANKER = Side.PLAYER, Side.BANKER
BANKER_WINS, TIE = "7S 9D TH KC", "7S 7D TH KC"
PLAYER_DRAWS = "2S 3H 3D 4C"
"""Player 5 draws, Banker 7 stays."""
REST = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"


# ------------------------------------------------------------------------------------- face up in the shoe


@clause("MA:13(d)")
@pytest.mark.parametrize("step", ["wager", "deal"])
@each_of_massachusetts
def test_13_d_a_first_card_face_up_makes_the_round_simulated(edition: str, step: str) -> None:
    game = game_at(edition, "9C 2S 3S 4S").wager("1 b 2500", "3 p 5000").go(step)
    for role in set(Role) - {Role.DEALER, Role.FLOORPERSON}:
        game.refused(ReportFaceUp(card=Card.parse("9C")), "wrong_role", by=role)
    game.do(ReportFaceUp(card=Card.parse("9C")))
    assert game.last(FaceUpFound).cites == paragraphs(edition, "13(d)")
    assert game.last(WagersReturned).amounts == {1: 2500, 3: 5000}
    simulated_from(game, "9C")
    assert (game.chips(1), game.chips(3), game.step) == (10_000_000, 10_000_000, "wager")
    game.check_replay()


@clause("MA:13(d)")
@pytest.mark.parametrize("dealt", [1, 2, 3])
@each_of_massachusetts
def test_13_d_a_later_card_face_up_is_set_aside_and_opens_a_simulated_round_afterwards(
    edition: str, dealt: int
) -> None:
    cards = BANKER_WINS.split()
    cards.insert(dealt, "8C")
    game = game_at(edition, " ".join(cards)).wager("1 b 2500").go("deal")
    for _ in range(dealt):
        game.act()
    game.do(ReportFaceUp(card=Card.parse("8C")))
    game.go("announce")
    assert (game.hand(PLAYER), game.hand(BANKER)) == ("7s Th", "9d Kc")
    game.finish_round()
    simulated_from(game, "8C")


@clause("MA:13(d)")
@each_of_massachusetts
def test_13_d_a_third_card_face_up_in_the_shoe_is_set_aside(edition: str) -> None:
    game = counted(edition, f"{PLAYER_DRAWS} 9C 2D")
    game.do(ReportFaceUp(card=Card.parse("9C")))
    game.go("announce")
    assert game.hand(PLAYER) == "2s 3d 2d"
    game.finish_round()
    simulated_from(game, "9C")


@clause("MA:13(d)")
@each_of_massachusetts
def test_13_c_a_card_face_up_that_nobody_has_dealt_is_no_third_card_of_the_player(edition: str) -> None:
    """Reading A-98: a Banker bound to draw does not get it; dealt to the Player in error, it is a card seen."""
    found = counted(edition, "2S 2H 4D 2C 5D 9C")
    found.do(ReportFaceUp(card=Card.parse("5D")))
    assert found.last(FaceUpFound).cites == paragraphs(edition, "13(d)")
    found.finish_round()
    assert not found.of(CardReassigned)
    assert found.of(SimulatedRoundOrdered)
    dealt = counted(edition, "2S 2H 4D 2C 5D 9C")
    dealt.do(ReportErrorCard(to=Side.PLAYER, card=Card.parse("5D")))
    assert dealt.last(CardReassigned).cites == paragraphs(edition, "13(c)")
    assert dealt.hand(Side.BANKER) == "2h 2c 5d"


@clause("MA:13(d)")
@each_of_massachusetts
def test_13_d_in_a_simulated_round_a_card_face_up_opens_another(edition: str) -> None:
    game = game_at(edition, "9C 8C 2S 3S 4S").wager("1 b 2500")
    game.do(ReportFaceUp(card=Card.parse("9C")))
    game.do(ReportFaceUp(card=Card.parse("8C")))
    simulated_from(game, "9C")
    simulated_from(game, "8C")


@clause("MA:13(d)")
def test_13_d_the_meters_are_as_before_when_a_round_becomes_simulated() -> None:
    game = game_at("ma-midi-4-royal9", "9C 2S 3S 4S")
    meters = game.state.meters.amounts
    game.wager("1 b 2500", "1 royal9 500").go("deal")
    assert game.state.meters.amounts != meters
    game.do(ReportFaceUp(card=Card.parse("9C")))
    assert game.state.meters.amounts == meters
    simulated_from(game, "9C")


@pytest.mark.parametrize(("card", "extra"), [("3D", 3), ("AD", 1), ("9D", 9), ("QD", 0)])
@clause("NJ:3.12(d)")
def test_3_12_d_a_card_face_up_goes_with_as_many_as_it_is_worth(card: str, extra: int) -> None:
    for step in ("wager", "call_cards", "deal", "third_cards"):
        rest = f"{card} {REST}"
        cards = f"{PLAYER_DRAWS} {rest}" if step == "third_cards" else rest
        game = game_at(NEW_JERSEY, cards).wager("1 t 500").go(step)
        place, kind = game.state.shoe.next, game.state.round.kind
        game.do(ReportFaceUp(card=Card.parse(card)))
        assert game.last(CardsDiscarded).positions == tuple(range(place, place + 1 + extra))
        assert game.last(CardsDiscarded).cites == paragraphs(NEW_JERSEY, "3.12(d)")
        if extra:
            assert game.table.expected[0].cites == paragraphs(NEW_JERSEY, "3.12(d)")
        game.go(step)
        assert len(game.of(DiscardShown)) == extra
        assert game.state.round.kind is kind
        assert [wager.stake for wager in game.state.round.wagers] == [500]
        game.finish_round()


@clause("NJ:3.12(d)")
@pytest.mark.parametrize("extra", [0, 1, 10])
def test_3_12_d_the_further_cards_after_a_ten_may_be_filed(extra: int) -> None:
    game = game_at(NEW_JERSEY, f"QD {REST}", face_up_ten_extra=extra).wager("1 t 500")
    game.do(ReportFaceUp(card=Card.parse("QD")))
    assert len(game.last(CardsDiscarded).positions) == 1 + extra


# ---------------------------------------------------------------------- a correct card seen before its turn


@clause("MA:13(d)", "NJ:3.12(c)")
@each_edition
def test_13_d_a_card_seen_where_it_belongs_stays(edition: str) -> None:
    game = game_at(edition, "2S 3D AH KC 4C 5C").wager("1 p 2500", "3 b 2500").go("turn_player")
    place = game.state.round.banker[1]
    game.refused(ReportExposedCard(position=99, card=Card.parse("KC")), "wrong_cards")
    game.do(ReportExposedCard(position=place, card=Card.parse("KC")))
    game.refused(ReportExposedCard(position=place, card=Card.parse("KC")), "wrong_cards")
    game.finish_round()
    assert (game.last(ResultAnnounced).player, game.last(ResultAnnounced).banker) == (7, 8)
    assert game.state.round.kind is RoundKind.WAGERED


@clause("MA:13(d)")
@pytest.mark.parametrize("index", [0, 1, 2, 3])
@each_of_massachusetts
def test_13_d_it_may_be_filed_that_it_is_set_aside_and_opens_a_simulated_round(edition: str, index: int) -> None:
    cards = BANKER_WINS.split()
    game = game_at(edition, f"{BANKER_WINS} {cards[index]}", disclosed_correct_card="set_aside").wager("1 b 2500")
    game.go("turn_player")
    place = game.state.shoe.next - 4 + index
    game.do(ReportExposedCard(position=place, card=Card.parse(cards[index])))
    assert game.last(CardSetAside).cites == paragraphs(edition, "13(d)")
    assert game.step == "deal"
    game.go("announce")
    assert game.last(CardDrawn).to is (PLAYER, BANKER)[index % 2], "the next card takes its place"
    game.finish_round()
    assert game.last(ResultAnnounced).outcome == "banker"
    simulated_from(game, cards[index])
    game.check_replay()


@clause("MA:13(d)")
@each_of_massachusetts
def test_13_d_set_aside_as_the_first_card_it_opens_that_very_round(edition: str) -> None:
    game = game_at(edition, "9C 2S 3S 4S", disclosed_correct_card="set_aside").wager("1 b 2500").go("deal")
    game.act()
    game.do(ReportExposedCard(position=game.state.round.player[0], card=Card.parse("9C")))
    assert game.last(WagersReturned).amounts == {1: 2500}
    simulated_from(game, "9C")


@clause("MA:13(d)")
@each_of_massachusetts
def test_13_d_a_third_card_set_aside_is_dealt_anew(edition: str) -> None:
    game = counted(edition, f"{PLAYER_DRAWS} 9C 2D", disclosed_correct_card="set_aside")
    game.act()
    game.do(ReportExposedCard(position=game.state.round.player[2], card=Card.parse("9C")))
    game.go("announce")
    assert game.hand(PLAYER) == "2s 3d 2d"
    game.finish_round()
    simulated_from(game, "9C")


# -------------------------------------------------------------------------- the end of the shoe in all this


@clause("MA:9(d).1", "MA:9(d).2", "NJ:3.8(e).1", "NJ:3.8(e).2", "MA:13(a)", "NJ:3.12(b)")
@each_edition
def test_9_d_a_card_drawn_in_error_past_the_cover_card_brings_it_out(edition: str) -> None:
    game = game_at(edition, end=f"{TIE} 9C {TIE} 2C 3C 4C 5C 6C 7C 8C TC JC").skip(left=18)
    game.wager("1 t 500").go("announce")
    game.do(ReportErrorCard())
    assert game.of(CoverCardOut)
    game.finish_round()
    assert game.of(LastHandCalled)
    game.go("wager").play("1 t 500")
    assert game.step == "close"


@clause("MA:9(d).1", "MA:9(d).2", "MA:9(d).3", "MA:13(d)")
@each_of_massachusetts
def test_9_d_a_cover_card_in_a_simulated_round_leaves_one_real_hand(edition: str) -> None:
    game = game_at(edition, end=f"9C 2S 3S 4S {TIE} {TIE} 2C 3C 4C 5C").skip(left=16)
    game.wager("1 b 2500").do(ReportFaceUp(card=Card.parse("9C")))
    simulated_from(game, "9C")
    assert game.of(CoverCardOut)
    assert game.of(LastHandCalled)
    assert game.step == "wager"
    game.play("1 t 500")
    assert game.step == "close"


@clause("MA:9(d).3", "NJ:3.8(e).3", "MA:13(a)", "NJ:3.12(b)")
@each_edition
def test_13_a_on_the_last_hand_the_card_goes_with_the_shoe(edition: str) -> None:
    game = game_at(edition, end=f"{TIE} 9C 2C 3C 4C 5C 6C 7C 8C").skip(left=12, cover_out=True)
    game.wager("1 t 500").go("announce")
    place = game.state.shoe.next
    game.do(ReportErrorCard())
    game.finish_round()
    game.do(CloseShoe())
    assert game.last(ShoeClosed).unused == (place,)


@clause("MA:13(e).1", "MA:13(e).2", "NJ:3.12(e)")
@pytest.mark.parametrize("left", range(6))
@each_edition
def test_13_e_a_round_that_cannot_be_finished_is_void(edition: str, left: int) -> None:
    end = "2S 3D AH KC 4C"
    game = game_at(edition, end=" ".join(end.split()[5 - left :]) if left < 5 else end, seats=[1, 3])
    game.wager("1 p 2500", "1 t 500", "3 b 5000").skip(left=left)
    if left < 5:
        game.finish_round()
    else:
        while not game.state.round.void:
            game.act()
    void = game.last(RoundVoided)
    assert void.returned == {1: 3000, 3: 5000}
    assert void.cites == paragraphs(edition, "3.12(e)" if edition == NEW_JERSEY else "13(e)")
    assert [game.chips(seat) for seat in (1, 3)] == [10_000_000, 10_000_000]
    assert not game.of(ResultAnnounced)
    game.refused(PlaceWager(seat=1, on=WagerKind.BANKER, stake=2500), "wagers_closed")
    game.do(CloseShoe())
    if edition == NEW_JERSEY:
        assert (game.step, game.state.shoe.set_id) == ("shuffle", "set 1")
    else:
        game.refused(ReceiveCards(set_id="set 1", decks=8), "wrong_cards", cites="13(e)")
        assert game.step == "receive"


@clause("MA:13(e).1")
@each_of_massachusetts
def test_13_e_what_house_money_won_is_taken_back_with_its_press(edition: str) -> None:
    game = game_at(edition, end="2S 3D 2H KC 4C", seats=[1, 3], house_money=True)
    game.wager("1 p 2500", "1 house_money 500", "3 b 2500", "3 house_money 500").skip(left=5).go("house_money")
    game.do(PressHouseMoney(seat=1, onto=WagerKind.PLAYER))
    while not game.state.round.void:
        game.act()
    assert [paid.seat for paid in game.of(HouseMoneyPaid)] == [3, 1]
    assert [game.chips(seat) for seat in (1, 3)] == [10_000_000, 10_000_000]


@clause("MA:13(a)", "MA:13(d)", "NJ:3.12(b)", "NJ:3.12(d)")
@each_edition
def test_13_no_card_is_drawn_in_error_or_found_in_an_empty_shoe(edition: str) -> None:
    game = game_at(edition, end=TIE).skip(left=4, cover_out=True)
    game.wager("1 t 500").go("clear")
    game.refused(ReportErrorCard(), "wrong_cards")
    empty = game_at(edition).skip(left=0, cover_out=True)
    empty.refused(ReportFaceUp(card=Card.parse("9C")), "wrong_cards")


@clause("NJ:3.12(d)", "NJ:3.8(e).1")
def test_3_12_d_discards_that_pass_the_cover_card_bring_it_out() -> None:
    game = game_at(NEW_JERSEY, end=f"9D {REST} {TIE} 2D").skip(left=18)
    game.wager("1 t 500").do(ReportFaceUp(card=Card.parse("9D")))
    assert game.of(CoverCardOut)
    game.finish_round()
    assert game.of(LastHandCalled)


# ----------------------------------------------------------------------------------------- corrections


@each_edition
def test_an_impossible_card_is_asked_for_again_and_confirmed_makes_the_shoe_foul(edition: str) -> None:
    game = game_at(edition, "6S 6S 6S 6S 6S 6S 2D 3D 4D 5D", decks=6)
    game.play("1 t 500")
    assert game.last(ResultAnnounced).outcome == "tie"
    game.go("wager").wager("1 t 500").go_to_act("turn_card")
    position = game.state.round.player[0]
    game.refused(ConfirmCard(position=position, card=Card.parse("2D")), "out_of_order")
    game.refused(TurnCard(position=position, card=Card.parse("6S")), "impossible_card")
    game.refused(ConfirmCard(position=position, card=Card.parse("6S")), "wrong_role", by=Role.DEALER)
    game.do(ConfirmCard(position=position, card=Card.parse("6S")))
    assert game.state.stopped
    assert [due.act for due in game.table.expected if not due.optional] == []
    assert game.last(RoundVoided).returned == {1: 500}, "M5: every wager reaches an end"
    game.refused(TurnCard(position=position, card=Card.parse("2D")), "stopped")
    game.refused(PlaceWager(seat=1, on=WagerKind.TIE, stake=500), "stopped")
    game.do(Leave(seat=1))


def test_a_shoe_that_is_foul_in_a_free_hand_makes_the_round_void() -> None:
    game = game_at("ma-midi-4", "6S 6S 6S 6S 6S 6S 2D 3D 4D 5D", decks=6)
    game.play("1 t 500")
    game.go("wager").do(RequestFreeHand(seat=1))
    game.go_to_act("turn_card").do(ConfirmCard(position=game.state.round.player[0], card=Card.parse("6S")))
    assert game.last(RoundVoided).returned == {}
    assert (game.state.round.void, game.step) == (True, "close")
