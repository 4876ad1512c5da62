"""Sections 13 and 3.12 at the table: cards drawn in error, unseen or seen, with each procedure that may be filed."""

from __future__ import annotations

from typing import Any

import pytest

from baccarat.cards import Card
from baccarat.play.hand import Side
from baccarat.table.irregularity.error_card import ErrorCardDrawn, ReportErrorCard
from baccarat.table.irregularity.remedy import (
    CardCarried,
    CardReassigned,
    CardsDiscarded,
    DiscardShown,
    RoundMadeSimulated,
    SimulatedRoundOrdered,
)
from baccarat.table.role import Role
from baccarat.table.round_state import RoundKind
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.clearing import WagersReturned
from baccarat.table.step.dealing import CardDrawn
from baccarat.table.step.turning import CardsHanded, TurnCard
from baccarat.table.story import tell
from irregular_round import counted, simulated_from
from printed import paragraphs
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


@clause("MA:13(a)", "MA:13(b).1", "NJ:3.12(a).1")
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


@clause("MA:13(c).1a")
@pytest.mark.parametrize("edition", MASSACHUSETTS)
def test_13_c_a_third_card_that_lay_face_up_in_the_shoe_goes_to_a_banker_bound_to_draw(edition: str) -> None:
    """Reading A-98: the second limb of the sentence; that it lay face up is on record."""
    game = counted(edition, f"{BANKER_DRAWS} 5D")
    game.refused(ReportErrorCard(to=PLAYER, in_shoe=True), "wrong_cards")  # nobody has seen it
    both_stay = counted(edition, f"{STAND} 5D")
    both_stay.refused(ReportErrorCard(to=BANKER, card=Card.parse("5D"), in_shoe=True), "wrong_cards")
    game.do(ReportErrorCard(to=PLAYER, card=Card.parse("5D"), in_shoe=True))
    drawn = game.last(ErrorCardDrawn)
    assert drawn.in_shoe is True
    assert f"{edition} §13(c)" in drawn.cites
    assert "face up in the shoe" in tell(drawn)
    assert game.last(CardReassigned).to is BANKER
    assert game.hand(BANKER) == "2h 2c 5d"
    new_jersey = counted(NEW_JERSEY, f"{BANKER_DRAWS} 5D")
    new_jersey.refused(ReportErrorCard(to=PLAYER, card=Card.parse("5D"), in_shoe=True), "wrong_cards")


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


@clause("MA:13(a)", "MA:13(d)")
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
