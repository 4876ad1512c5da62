"""Section 8, subchapters 3.7 and 3.8, at the table: who is handed the cards, turns them and calls the counts."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.table.base import table_rules
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave
from baccarat.table.step.curating import AnswerShoe
from baccarat.table.step.dealing import CardDrawn, DrawCard
from baccarat.table.step.house_money import HouseMoneyCollected, HouseMoneyPaid, PressHouseMoney, SettleHouseMoney
from baccarat.table.step.relinquishing import AnswerTurn, OrderRelinquish, Relinquish, TurnFellToDealer
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
from baccarat.table.step.turning_right import held_positions
from baccarat.table.table_cards import TableCards
from printed import paragraphs
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import game_at

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
each_of_massachusetts = pytest.mark.parametrize("edition", MASSACHUSETTS)
BANKER_WINS, PLAYER_WINS, TIE = "7S 9D TH KC", "9S 7D TH KC", "7S 7D TH KC"
SIX_CARDS = "2S 3D AH KC 4C 5C"
"""Player 3 draws a four, Banker 3 draws a five: 7 against 8."""
BANKER, PLAYER = Side.BANKER, Side.PLAYER


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
    opened, game.table.state = game.state, replace(game.state, cards=TableCards.REAL)
    game.refused(SettleHouseMoney(seat=1), "out_of_order", cites="8(c)(3)(i)")
    game.table.state = opened
    game.refused(PressHouseMoney(seat=5, onto=WagerKind.BANKER), "no_such_wager")
    game.do(PressHouseMoney(seat=5, onto=WagerKind.PLAYER))
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


def test_nobody_looks_at_cards_in_the_hand_once_the_round_is_void() -> None:
    game = game_at("ma-midi-4", "6S 6S 6S 6S 6S 6S 2D 3D 4D 5D", decks=6)
    game.play("1 p 2500")
    game.go("wager").wager("1 p 2500").go_to_act("return_cards")
    rules, hand = table_rules(game.rules), game.state.round.player
    assert held_positions(rules, game.state, 1) == hand
    assert held_positions(rules, game.state, 3) == ()
    game.do(ConfirmCard(position=hand[0], card=Card.parse("6S")))
    assert game.state.round.void
    assert held_positions(rules, game.state, 1) == ()
