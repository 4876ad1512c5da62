"""Sections 4 and 5, subchapters 3.4 to 3.6 and 3.11, at the table: cards prepared, cut and burned, the shoe curated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from baccarat.cards import DECK, decks
from baccarat.law.rulebook import rulebook
from baccarat.table.dealers import ComeOn, GoOff
from baccarat.table.machine import Table
from baccarat.table.people import BuyIn, Leave, Sit
from baccarat.table.role import Role
from baccarat.table.source import SealedShoe
from baccarat.table.state import DEALER
from baccarat.table.step.burning import BurnCards, CardsBurned
from baccarat.table.step.clearing import LastHandCalled
from baccarat.table.step.closing import CloseShoe, ShoeClosed
from baccarat.table.step.curating import AnswerShoe, OrderPass, PassShoe, ShoeFellToDealer, ShoePassed
from baccarat.table.step.cutting import (
    AnswerCut,
    CardsCut,
    CoverCardPlaced,
    CutCards,
    CutFellToDealer,
    CutGivenUp,
    LoadShoe,
    OrderRecut,
    PlaceCoverCard,
    RecutOrdered,
)
from baccarat.table.step.dealing import CoverCardOut, DrawCard
from baccarat.table.step.opening import (
    CardsLaced,
    CardsReceived,
    CardsShuffled,
    LaceCards,
    PrepareCards,
    ReceiveCards,
    ShuffleCards,
)
from baccarat.table.step.turning import TurnCard
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import Game, game_at, new_game, seated

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
each_of_massachusetts = pytest.mark.parametrize("edition", MASSACHUSETTS)
BANKER_WINS, PLAYER_WINS, TIE = "7S 9D TH KC", "9S 7D TH KC", "7S 7D TH KC"
FIRST_THREE, FOURTH = MASSACHUSETTS[:3], "ma-midi-4"


def acts(game: Game, until: str) -> list[tuple[str, Role]]:
    """The steps on the way to another, with whose act each is."""
    found: list[tuple[str, Role]] = []
    while game.step != until:
        due = game.next_act()
        if not found or found[-1][0] != game.step:
            found.append((game.step, due.by))
        game.act()
    return found


# ------------------------------------------------------------------------------------ 4, 3.4 the opening

DEALERS, FLOOR, PATRON = Role.DEALER, Role.FLOORPERSON, Role.PARTICIPANT
PREPARED = [
    ("receive", DEALERS), ("inspect", DEALERS), ("verify", FLOOR), ("spread", DEALERS), ("wash", DEALERS),
    ("stack", DEALERS), ("shuffle", DEALERS), ("lace", DEALERS),
]  # fmt: skip
CUT = [
    ("offer_cut", PATRON), ("cut", DEALERS), ("cover_card", DEALERS), ("load", DEALERS), ("burn", DEALERS)
]  # fmt: skip


@clause(
    "MA:4(a)", "MA:4(b).1", "MA:4(b).2", "MA:4(c)", "MA:5(a).1", "MA:5(a).2", "MA-v1-3:5(c).2",
    "MA-v1-3:5(c).3", "MA-v4:5(c).2", "MA-v4:5(c).3", "MA:5(d)", "MA:3(a).3", "MA-v1-3:5(e).1", "MA-v1-3:5(e).2",
    "MA-v1-3:5(e).3", "MA-v1-3:5(e).4", "MA-v4:5(e).1", "MA-v4:5(e).2", "MA:9(d).1", "NJ:3.4(a)", "NJ:3.4(b)",
    "NJ:3.4(c)", "NJ:3.5(a)", "NJ:3.5(a)1", "NJ:3.5(c).2", "NJ:3.5(c).3", "NJ:3.5(d)", "NJ:3.5(e).1", "NJ:3.5(e).2",
    "NJ:3.5(e).3", "NJ:3.5(e).4", "NJ:3.6(b).1", "NJ:3.6(b).2",
)  # fmt: skip
@each_edition
def test_4_a_table_opens_act_by_act_each_by_the_person_it_belongs_to(edition: str) -> None:
    game = seated(new_game(edition), [1, 3])
    offered = [("offer_shoe", PATRON)] if edition == NEW_JERSEY else []
    assert acts(game, "wager") == [*PREPARED, *CUT, *offered]


@clause("MA:4(b).1", "MA:4(b).2", "MA:4(c)", "NJ:3.4(b)", "NJ:3.4(c)")
@each_edition
def test_4_b_the_acts_of_preparation_come_in_their_order(edition: str) -> None:
    order = ["inspect", "verify", "spread", "wash", "stack"]
    game = seated(new_game(edition), [1]).go("inspect")
    for act in order:
        by = FLOOR if act == "verify" else DEALERS
        for other in set(order) - {act}:
            game.refused(PrepareCards(act=other), "out_of_order", by=by)
        wrong = DEALERS if by is FLOOR else FLOOR
        game.refused(
            PrepareCards(act=act), "wrong_role", cites="4(b)" if act == "verify" and _ma(game) else "", by=wrong
        )
        game.do(PrepareCards(act=act), by=by)
    assert game.step == "shuffle"


def _ma(game: Game) -> bool:
    return game.rules.edition.name != NEW_JERSEY


@clause("MA:4(b).2", "MA:4(c)", "NJ:3.4(b)", "NJ:3.4(c)")
@each_edition
def test_4_c_the_wash_waits_until_a_participant_has_had_the_chance_to_look(edition: str) -> None:
    game = new_game(edition).go("wash")
    game.refused(PrepareCards(act="wash"), "out_of_order")
    assert game.next_act().act == "sit"
    game.do(Sit(seat=2, person="first arrival"))
    game.do(PrepareCards(act="wash"))


@clause("MA:4(a)", "NJ:3.4(a)")
@each_edition
def test_4_a_the_filed_number_of_decks_comes_to_the_table_with_its_name(edition: str) -> None:
    game = new_game(edition, decks=6)
    game.refused(ReceiveCards(set_id="a", decks=8), "wrong_cards")
    game.refused(ReceiveCards(set_id=" ", decks=6), "no_reason")
    game.do(ReceiveCards(set_id="a", decks=6))
    game.refused(ReceiveCards(set_id="b", decks=6), "wrong_step")


@clause("MA:4(d)", "MA:5(a).1", "NJ:3.4(a)", "NJ:3.5(a)")
@each_edition
def test_4_d_preshuffled_cards_are_only_cut_and_burned(edition: str) -> None:
    new_game(edition).refused(ReceiveCards(set_id="a", decks=8, preshuffled=True), "not_offered")
    filed = {} if edition == NEW_JERSEY else {"preshuffled_procedure": "procedure 1"}
    game = seated(new_game(edition, preshuffled=True, **filed), [1])
    game.do(ReceiveCards(set_id="a", decks=8, preshuffled=True))
    assert game.step == "offer_cut"
    assert [step for step, _ in acts(game, "burn")] == ["offer_cut", "cut", "cover_card", "load"]


@clause("MA:4(e)")
@each_of_massachusetts
def test_4_e_cards_from_a_batch_shuffler_are_only_cut_and_burned(edition: str) -> None:
    new_game(edition).refused(ReceiveCards(set_id="a", decks=8, batch_shuffled=True), "not_offered")
    game = seated(new_game(edition, batch_shuffler=True, batch_shuffler_procedure="procedure 2"), [1])
    game.do(ReceiveCards(set_id="a", decks=8, batch_shuffled=True))
    assert any(cite.endswith("§4(e)") for cite in game.last(CardsReceived).cites)
    assert game.step == "offer_cut"


# -------------------------------------------------------------------------------- 5(a), 3.5(a) the shuffle


@clause("MA:5(a).1", "NJ:3.5(a)", "NJ:3.5(a)1")
@each_edition
def test_5_a_a_dealer_on_the_game_shuffles_before_anything_else(edition: str) -> None:
    game = game_at(edition, step="shuffle")
    game.refused(LaceCards(cards=52), "wrong_step")
    game.refused(CutCards(in_front=100), "wrong_step")
    game.refused(ShuffleCards(), "not_entitled", who="a stranger")
    game.act()
    assert game.step == "lace"
    device = game_at(edition, step="shuffle")
    device.do(ShuffleCards(device=True))
    assert device.step == "lace"


@clause("MA:5(a).2", "NJ:3.5(a)1")
@pytest.mark.parametrize(("cards", "noted"), [(52, False), (42, False), (62, False), (41, True), (63, True)])
@each_edition
def test_5_a_about_a_deck_is_laced(edition: str, cards: int, noted: bool) -> None:
    game = game_at(edition, step="lace")
    game.refused(LaceCards(cards=0), "wrong_cards")
    game.do(LaceCards(cards=cards))
    assert bool(game.last(CardsLaced).warnings) is noted
    assert game.step == "offer_cut"


@clause("MA:5(a)(1)", "NJ:3.5(a)1i")
@pytest.mark.parametrize(("elected", "again"), [("none", False), ("some", True), ("all", True)])
@each_edition
def test_5_a_1_the_cards_are_shuffled_again_where_the_licensee_says_so(edition: str, elected: str, again: bool) -> None:
    game = game_at(edition, step="lace", reshuffle_after_lace=elected)
    game.do(ComeOn(person="second"))
    game.do(LaceCards(cards=52))
    if not again:
        game.refused(ShuffleCards(), "wrong_step")
        return
    assert game.step == "reshuffle"
    game.refused(ShuffleCards(), "not_entitled", who="second")
    game.do(ShuffleCards(cards=104 if elected == "some" else 0))
    assert game.last(CardsShuffled).again
    assert game.step == "offer_cut"


@clause("NJ:3.5(a)", "NJ:3.5(a)1", "NJ:3.5(a)2")
def test_3_5_a_2_each_of_three_dealers_shuffles_and_nobody_laces() -> None:
    game = game_at(NEW_JERSEY, step="shuffle", shuffle_method=2)
    only = [f"{NEW_JERSEY} §3.5(a)2"]
    assert [*map(str, game.refused(ShuffleCards(), "not_entitled").cites)] == only
    assert list(game.table.expected[0].cites) == only
    for who in ("second", "third"):
        game.do(ComeOn(person=who))
    game.do(ShuffleCards())
    game.refused(ShuffleCards(), "out_of_order", who="dealer")
    game.do(ShuffleCards(), who="third")
    game.do(ShuffleCards(), who="second")
    assert game.step == "offer_cut"


@clause("NJ:3.5(a)1", "NJ:3.5(a)2")
def test_3_5_a_1_by_the_first_method_the_clause_is_the_first() -> None:
    game = game_at(NEW_JERSEY, step="shuffle", shuffle_method=1)
    only = [f"{NEW_JERSEY} §3.5(a)1"]
    assert list(game.table.expected[0].cites) == only
    assert [*map(str, game.refused(ShuffleCards(), who="a stranger").cites)] == only


@clause("NJ:3.5(a)2", "NJ:3.4(c)")
def test_3_5_a_2_a_set_played_out_is_washed_and_stacked_before_three_dealers_shuffle_it() -> None:
    game = game_at(NEW_JERSEY, TIE, shuffle_method=2)
    assert len(game.state.seats.dealers) == 3
    game.skip(left=13, cover_out=True).play("1 t 500")
    game.do(CloseShoe())
    assert [step for step, _ in acts(game, "offer_cut")] == ["wash", "stack", "shuffle"]
    assert len(game.of(CardsShuffled)) == 6


@clause("MA:4(a)", "NJ:3.4(a)", "NJ:3.5(a)2")
@each_edition
def test_dealers_come_on_and_go_off_and_one_always_calls_the_game(edition: str) -> None:
    game = new_game(edition)
    game.refused(GoOff(person="dealer"), "not_entitled")
    game.refused(ComeOn(person="dealer"), "seat_taken")
    game.refused(ComeOn(person="x"), "wrong_role", by=Role.PARTICIPANT)
    game.do(ComeOn(person="relief", instead_of="dealer"))
    assert game.state.seats.dealers == ("relief",)
    game.do(ComeOn(person="second"), by=Role.FLOORPERSON)
    game.do(GoOff(person="relief"))
    assert game.state.seats.dealers == ("second",)
    game.refused(ComeOn(person="third", instead_of="relief"), "not_entitled")


GOOD = ("plug", "riffle", "riffle", "turn", "riffle", "strip", "cut")
FRESH = GOOD[1:]


@clause("MA-v2-4:5(g)", "MA-v2-4:5(g)(1)", "MA-v2-4:5(g)(2)", "MA-v2-4:5(g)(3)", "MA-v2-4:5(g)(4)", "MA-v2-4:5(g)(5)")
@pytest.mark.parametrize(
    ("steps", "wrong", "paragraph"),
    [
        (GOOD, "", "5(g)"),
        (FRESH, "", "5(g)"),
        ((), "riffle missing", "5(g)(2)"),
        (("plug", "cut"), "riffle missing", "5(g)(2)"),
        (tuple(step for step in GOOD if step != "turn"), "turn missing", "5(g)(3)"),
        (tuple(step for step in GOOD if step != "strip"), "strip missing", "5(g)(4)"),
        (GOOD[:-1], "cut missing", "5(g)(5)"),
        ((*GOOD[:-2], "cut", "strip"), "cut comes last", "5(g)(5)"),
        (("plug", "riffle", "riffle", "turn", "strip", "riffle", "cut"), "turn is followed by a riffle", "5(g)(3)"),
        ((*GOOD[:-1], "juggle", "cut"), "unknown element juggle", "5(g)"),
    ],
)
@pytest.mark.parametrize("edition", MASSACHUSETTS[1:])
def test_5_g_a_manual_shuffle_holds_the_named_elements(
    edition: str, steps: tuple[str, ...], wrong: str, paragraph: str
) -> None:
    game = game_at(edition, step="shuffle")
    if not wrong:
        (shuffled, *_) = game.do(ShuffleCards(steps=steps))
        assert any("5(g)" in cite for cite in shuffled.cites)
        return
    say = game.refused(ShuffleCards(steps=steps), "out_of_order", cites=paragraph).say
    assert say.startswith(f"shuffle cards: {wrong}")


@clause("MA-v2-4:5(g)(1)", "MA-v2-4:5(g)(4)")
@pytest.mark.parametrize("edition", MASSACHUSETTS[1:])
def test_5_g_4_an_early_strip_and_a_late_plug_are_noted_and_strictly_refused(edition: str) -> None:
    early = ("riffle", "strip", "turn", "riffle", "plug", "cut")
    game = game_at(edition, step="shuffle")
    game.do(ShuffleCards(steps=early))
    noted = map(str, game.last(CardsShuffled).warnings)
    assert list(noted) == ["plug is usually the first step", "strip before 2 riffles"]
    strict = game_at(edition, step="shuffle", manual_shuffle_strict=True)
    strict.refused(ShuffleCards(steps=early), "out_of_order", cites="5(g)(4)")
    two = ("riffle", "riffle", "strip", "turn", "riffle", "cut")
    strict.do(ShuffleCards(steps=two))
    assert strict.last(CardsShuffled).warnings == ()


# ----------------------------------------------------------------------------------- 5(c), 3.5(c) the cut


def offered(game: Game) -> list[int]:
    """The seats to which the cut is offered while all decline."""
    order: list[int] = []
    while game.step == "offer_cut":
        order.append(game.next_act().seat)
        game.act()
    return order


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


# ------------------------------------------------------------------------------- 3.6, 3.11 the curator


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
