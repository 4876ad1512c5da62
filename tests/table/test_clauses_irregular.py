"""Sections 13 and 3.12 at the table: every irregularity, with each procedure that may be filed; and corrections."""

from __future__ import annotations

from typing import Any

import pytest

from baccarat.cards import Card
from baccarat.play.hand import Side
from baccarat.play.wager import Kind
from baccarat.table.correction import ConfirmCard
from baccarat.table.irregularity.error_card import ErrorCardDrawn, ReportErrorCard
from baccarat.table.irregularity.exposed import CardSetAside, ReportExposedCard
from baccarat.table.irregularity.face_up import FaceUpFound, ReportFaceUp
from baccarat.table.irregularity.remedy import (
    CardCarried,
    CardReassigned,
    CardsDiscarded,
    DiscardShown,
    RoundMadeSimulated,
    SimulatedRoundOrdered,
)
from baccarat.table.people import Leave
from baccarat.table.role import Role
from baccarat.table.state import RoundKind
from baccarat.table.step.clearing import LastHandCalled, WagersReturned
from baccarat.table.step.closing import CloseShoe, ShoeClosed
from baccarat.table.step.dealing import CardDrawn, CoverCardOut, RoundVoided
from baccarat.table.step.house_money import HouseMoneyPaid, PressHouseMoney
from baccarat.table.step.opening import ReceiveCards
from baccarat.table.step.settlement import ResultAnnounced
from baccarat.table.step.turning import CardsHanded, TurnCard
from baccarat.table.step.wagering import PlaceWager
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import Game, game_at, parse

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
each_of_massachusetts = pytest.mark.parametrize("edition", MASSACHUSETTS)
PLAYER, BANKER = Side.PLAYER, Side.BANKER
BANKER_WINS, TIE = "7S 9D TH KC", "7S 7D TH KC"
STAND = "2S 2H 4D 4C"
"""Player 6, Banker 6: neither draws."""
BANKER_DRAWS = "2S 2H 4D 2C"
"""Player 6 stays, Banker 4 draws."""
PLAYER_DRAWS = "2S 3H 3D 4C"
"""Player 5 draws, Banker 7 stays."""
REST = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"


def paragraphs(edition: str, *names: str) -> tuple[str, ...]:
    """Citations as printed."""
    return tuple(f"{edition} §{name}" for name in names)


def counted(edition: str, cards: str, *, wagers: tuple[str, ...] = ("1 p 2500", "3 b 2500"), **elections: Any) -> Game:
    """A round whose two counts are called."""
    game = game_at(edition, cards, **elections).wager(*wagers)
    while set(game.state.round.counted) != set(Side):
        game.act()
    return game


def opens_the_next_hand(game: Game, *positions: int) -> None:
    """After this round, these positions are the first cards of the next hand, unseen until then."""
    game.finish_round()
    assert not set(positions) & set(game.state.round.turned)
    game.go("wager").wager("1 t 500").go_to_act("draw_card")
    for place in positions:
        game.act()
        assert game.last(CardDrawn).position == place
        assert game.last(CardDrawn).carried
    game.act()
    assert not game.last(CardDrawn).carried
    game.finish_round()


def simulated_from(game: Game, *cards: str) -> None:
    """A simulated round stands, opened by these cards, without wagers; it changes nobody's chips."""
    round_ = game.state.round
    assert round_.kind is RoundKind.SIMULATED
    opening = [game.state.round.turned[place] for place in sorted((*round_.player, *round_.banker))]
    assert opening == parse(" ".join(cards))
    game.refused(PlaceWager(seat=1, on=Kind.BANKER, stake=2500))
    handed, chips = len(game.of(CardsHanded)), [person.chips for person in game.state.seats.participants if person]
    game.finish_round()
    assert len(game.of(CardsHanded)) == handed, "the dealer turns the cards"
    assert [person.chips for person in game.state.seats.participants if person] == chips
    assert game.of(ResultAnnounced)


# ------------------------------------------------------------------------------------- a card not seen


@clause("MA:13(a)", "NJ:3.12(b)")
@each_edition
def test_13_a_an_unseen_card_drawn_in_error_opens_the_next_hand(edition: str) -> None:
    for step in ("announce", "settle", "clear"):
        game = game_at(edition, f"{BANKER_WINS} 9C").wager("1 b 2500").go(step)
        place = game.state.shoe.next
        game.do(ReportErrorCard())
        assert game.last(ErrorCardDrawn).card is None
        assert game.last(CardCarried).cites == paragraphs(edition, "3.12(b)" if edition == NEW_JERSEY else "13(a)")
        opens_the_next_hand(game, place)
        game.check_replay()


@clause("MA:13(a)", "NJ:3.12(b)")
@each_edition
def test_13_a_drawn_too_early_it_opens_the_hand_about_to_begin(edition: str) -> None:
    game = game_at(edition, "9C 2S 3S 4S").wager("1 t 500")
    place = game.state.shoe.next
    game.do(ReportErrorCard())
    game.go_to_act("draw_card").act()
    assert game.state.round.player == (place,)
    game.finish_round()


@clause("MA:13(a)", "NJ:3.12(b)")
@each_edition
def test_13_a_while_the_hands_are_turned_whose_card_it_is_cannot_be_said(edition: str) -> None:
    game = game_at(edition, f"{BANKER_WINS} 9C").wager("1 t 500").go("turn_player")
    game.refused(ReportErrorCard(to=PLAYER), "wrong_step")
    place = game.state.shoe.next
    game.do(ReportErrorCard())
    opens_the_next_hand(game, place)


@clause("MA:13(a)", "NJ:3.12(b)")
@each_edition
def test_13_a_an_unauthorised_third_card_of_the_banker_opens_the_next_hand(edition: str) -> None:
    game = counted(edition, f"{STAND} KD")
    place = game.state.shoe.next
    game.do(ReportErrorCard(to=BANKER))
    opens_the_next_hand(game, place)
    assert game.of(ResultAnnounced)[0].outcome == "tie"


@clause("MA:13(a)", "NJ:3.12(b)")
@each_edition
def test_13_a_two_cards_drawn_in_error_are_used_in_their_order(edition: str) -> None:
    game = game_at(edition, f"{BANKER_WINS} 9C 8C").wager("1 t 500").go("announce")
    first = game.state.shoe.next
    game.do(ReportErrorCard())
    game.do(ReportErrorCard(), by=Role.FLOORPERSON)
    opens_the_next_hand(game, first, first + 1)


@clause("MA:13(a)", "MA:13(b).1", "NJ:3.12(a).1", "NJ:3.12(b)")
@each_edition
def test_13_a_who_may_report_it_and_that_a_card_in_its_turn_is_no_error(edition: str) -> None:
    game = counted(edition, f"{PLAYER_DRAWS} 2D")
    for role in set(Role) - {Role.DEALER, Role.FLOORPERSON}:
        game.refused(ReportErrorCard(to=BANKER), "wrong_role", by=role)
    game.refused(ReportErrorCard(to=PLAYER), "out_of_order")
    game.refused(ReportErrorCard(), "out_of_order")
    place = game.state.shoe.next
    game.do(ReportErrorCard(to=BANKER))
    assert game.last(CardReassigned).to is PLAYER, "laid on the wrong hand, but in its turn"
    assert game.state.round.player[2] == place
    game.finish_round()


@clause("MA:13(b).1", "NJ:3.12(a).1")
@each_edition
def test_13_b_an_unseen_unauthorised_player_third_goes_to_a_banker_bound_to_draw(edition: str) -> None:
    game = counted(edition, f"{BANKER_DRAWS} 5D")
    place = game.state.shoe.next
    game.do(ReportErrorCard(to=PLAYER))
    given = game.last(CardReassigned)
    assert (given.position, given.to, given.card) == (place, BANKER, None)
    assert given.cites == paragraphs(edition, "3.12(a)" if edition == NEW_JERSEY else "13(b)")
    game.go("announce")
    assert (game.hand(PLAYER), game.hand(BANKER)) == ("2s 4d", "2h 2c 5d")
    assert game.last(CardsHanded).seat == 3, "through the Banker's holder"
    game.finish_round()
    assert game.last(ResultAnnounced).outcome == "banker"


@clause("MA:13(b).2", "NJ:3.12(a).2")
@pytest.mark.parametrize("cards", [STAND, "5S KH 3D 4C"])
@each_edition
def test_13_b_otherwise_it_opens_the_next_hand(edition: str, cards: str) -> None:
    game = counted(edition, f"{cards} 5D")
    place = game.state.shoe.next
    game.do(ReportErrorCard(to=PLAYER))
    assert game.last(CardCarried).cites == paragraphs(edition, "3.12(a)" if edition == NEW_JERSEY else "13(b)")
    opens_the_next_hand(game, place)


# ----------------------------------------------------------------------------------------- a card seen


@clause("MA:13(c).1", "NJ:3.12(a).1")
@each_edition
def test_13_c_a_seen_unauthorised_player_third_goes_to_a_banker_bound_to_draw(edition: str) -> None:
    game = counted(edition, f"{BANKER_DRAWS} 5D")
    game.do(ReportErrorCard(to=PLAYER, card=Card.parse("5D")))
    assert game.last(CardReassigned).cites == paragraphs(edition, "3.12(a)" if edition == NEW_JERSEY else "13(c)")
    assert game.step == "announce"
    assert game.hand(BANKER) == "2h 2c 5d"
    game.finish_round()
    assert game.last(ResultAnnounced).outcome == "banker"


@clause("NJ:3.12(a).1", "NJ:3.12(c)", "NJ:3.12(c)2")
def test_3_12_c_it_may_be_filed_that_the_procedure_comes_first() -> None:
    game = counted(
        NEW_JERSEY, f"{BANKER_DRAWS} 5D", disclosed_card_procedure=2, nj_disclosed_banker_third="filed_procedure"
    )
    game.do(ReportErrorCard(to=PLAYER, card=Card.parse("5D")))
    assert game.of(CardsDiscarded)
    assert len(game.state.round.banker) == 2


@clause("MA:13(c).2", "MA:13(c)(1)")
@each_of_massachusetts
def test_13_c_1_the_seen_card_and_one_unseen_go_to_the_discards(edition: str) -> None:
    game = counted(edition, f"{STAND} 5D 9D", disclosed_third_card="discard_two")
    place = game.state.shoe.next
    game.do(ReportErrorCard(to=PLAYER, card=Card.parse("5D")))
    gone = game.last(CardsDiscarded)
    assert (gone.positions, gone.to_show) == ((place, place + 1), ())
    assert gone.cites == paragraphs(edition, "13(c)", "13(c)(1)")
    assert game.state.shoe.next == place + 2
    game.finish_round()
    assert game.state.round.kind is RoundKind.WAGERED
    assert not game.of(DiscardShown)
    game.check_replay()


@clause("MA:13(c).2", "MA:13(c)(2)")
@each_of_massachusetts
def test_13_c_2_the_seen_card_opens_a_simulated_round(edition: str) -> None:
    game = counted(edition, f"{STAND} 5D", disclosed_third_card="simulated_round")
    game.do(ReportErrorCard(to=PLAYER, card=Card.parse("5D")))
    assert game.last(SimulatedRoundOrdered).cites == paragraphs(edition, "13(c)", "13(c)(2)")
    game.finish_round()
    simulated_from(game, "5D")
    assert game.step == "wager"
    game.check_replay()


@clause("MA:13(d)")
@pytest.mark.parametrize("filed", ["discard_two", "simulated_round"])
@each_of_massachusetts
def test_13_d_any_other_seen_card_opens_a_simulated_round_whatever_is_filed(edition: str, filed: str) -> None:
    game = game_at(edition, f"{BANKER_WINS} 9C", disclosed_third_card=filed).wager("1 b 2500").go("announce")
    game.do(ReportErrorCard(card=Card.parse("9C")))
    assert game.last(SimulatedRoundOrdered).cites == paragraphs(edition, "13(d)")
    game.finish_round()
    simulated_from(game, "9C")
    banker = counted(edition, f"{STAND} KD", disclosed_third_card=filed)
    banker.do(ReportErrorCard(to=BANKER, card=Card.parse("KD")))
    banker.finish_round()
    simulated_from(banker, "KD")


@clause("MA:13(d)")
@each_of_massachusetts
def test_13_d_seen_before_the_round_it_opens_that_round_and_wagers_go_back(edition: str) -> None:
    game = game_at(edition, "9C 2S 3S 4S").wager("1 b 2500")
    game.do(ReportErrorCard(card=Card.parse("9C")))
    assert game.last(WagersReturned).amounts == {1: 2500}
    assert game.last(RoundMadeSimulated).cites == paragraphs(edition, "13(d)")
    simulated_from(game, "9C")


@clause("MA:13(d)")
@each_of_massachusetts
def test_13_d_several_seen_cards_open_one_simulated_round_and_a_fifth_another(edition: str) -> None:
    cards = "9C 8C 7C 6C 5C"
    game = game_at(edition, f"{BANKER_WINS} {cards}").wager("1 b 2500").go("announce")
    for card in parse(cards):
        game.do(ReportErrorCard(card=card))
    game.finish_round()
    simulated_from(game, "9C", "8C", "7C", "6C")
    simulated_from(game, "5C")
    assert game.state.round.kind is RoundKind.WAGERED


@pytest.mark.parametrize("to", [PLAYER, None])
@pytest.mark.parametrize(("card", "extra"), [("7D", 7), ("AD", 1), ("KD", 1), ("TD", 1)])
@clause("NJ:3.12(c)", "NJ:3.12(c)1.1", "NJ:3.12(c)1.2")
def test_3_12_c_1_the_card_and_as_many_face_up_as_it_is_worth(to: Side | None, card: str, extra: int) -> None:
    for ten in (1, 10):
        game = counted(NEW_JERSEY, f"{STAND} {card} {REST}", disclosed_card_procedure=1, ten_value_extra=ten)
        place = game.state.shoe.next
        game.do(ReportErrorCard(to=to, card=Card.parse(card)))
        more = ten if card[0] in "KT" else extra
        assert game.last(CardsDiscarded).positions == tuple(range(place, place + 1 + more))
        assert game.last(CardsDiscarded).cites == paragraphs(NEW_JERSEY, "3.12(c)", "3.12(c)1")
        assert game.step == "expose"
        game.refused(TurnCard(position=place, card=Card.parse(card)), "wrong_cards")
        game.finish_round()
        assert [event.card for event in game.of(DiscardShown)] == parse(REST)[:more]
        assert game.state.round.kind is RoundKind.WAGERED
        game.check_replay()


@pytest.mark.parametrize("to", [PLAYER, None])
@clause("NJ:3.12(c)", "NJ:3.12(c)2")
def test_3_12_c_2_the_card_and_one_unseen(to: Side | None) -> None:
    game = counted(NEW_JERSEY, f"{STAND} 7D 9C", disclosed_card_procedure=2)
    place = game.state.shoe.next
    game.do(ReportErrorCard(to=to, card=Card.parse("7D")))
    gone = game.last(CardsDiscarded)
    assert (gone.positions, gone.to_show) == ((place, place + 1), ())
    assert gone.cites == paragraphs(NEW_JERSEY, "3.12(c)", "3.12(c)2")


@pytest.mark.parametrize("to", [PLAYER, None])
@clause("NJ:3.12(c)", "NJ:3.12(c)3", "NJ:3.11(a)1")
def test_3_12_c_3_the_card_opens_a_simulated_round_that_never_passes_the_shoe(to: Side | None) -> None:
    game = counted(NEW_JERSEY, f"{STAND} 9D 2S KD 3S", disclosed_card_procedure=3, curator=5)
    game.do(ReportErrorCard(to=to, card=Card.parse("9D")))
    assert game.last(SimulatedRoundOrdered).cites == paragraphs(NEW_JERSEY, "3.12(c)", "3.12(c)3")
    game.finish_round()
    simulated_from(game, "9D")
    assert game.last(ResultAnnounced).outcome == "player"
    assert (game.step, game.state.seats.curator) == ("wager", 5)


@clause("NJ:3.12(c)", "NJ:3.12(c)3", "NJ:3.12(c)1.1")
@pytest.mark.parametrize("procedure", [1, 3])
def test_3_12_c_seen_before_the_round_the_filed_procedure_applies(procedure: int) -> None:
    ten: dict[str, Any] = {"ten_value_extra": 1} if procedure == 1 else {}
    game = game_at(NEW_JERSEY, "3C 2S 3S 4S", disclosed_card_procedure=procedure, **ten).wager("1 b 2500")
    game.do(ReportErrorCard(card=Card.parse("3C")))
    if procedure == 3:
        assert game.last(WagersReturned).amounts == {1: 2500}
        simulated_from(game, "3C")
        return
    game.go("wager")
    assert [wager.stake for wager in game.state.round.wagers] == [2500]
    assert len(game.of(DiscardShown)) == 3


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


@clause("MA:13(c).1", "MA:13(d)")
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
    game.refused(PlaceWager(seat=1, on=Kind.BANKER, stake=2500), "wagers_closed")
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
    game.do(PressHouseMoney(seat=1, onto=Kind.PLAYER))
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
    game.refused(PlaceWager(seat=1, on=Kind.TIE, stake=500), "stopped")
    game.do(Leave(seat=1))
