"""Sections 4 and 5(a) and (g), subchapters 3.4 and 3.5(a), at the table: cards received, prepared and shuffled."""

from __future__ import annotations

import pytest

from baccarat.table.dealers import ComeOn, GoOff
from baccarat.table.role import Role
from baccarat.table.seating_acts import Sit
from baccarat.table.step.closing import CloseShoe
from baccarat.table.step.cutting import CutCards
from baccarat.table.step.opening import CardsReceived, PrepareCards, ReceiveCards
from baccarat.table.step.shuffling import CardsLaced, CardsShuffled, LaceCards, ShuffleCards
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_acts import acts
from table_driver import Game, game_at, new_game, seated

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
each_of_massachusetts = pytest.mark.parametrize("edition", MASSACHUSETTS)
BANKER_WINS, PLAYER_WINS, TIE = "7S 9D TH KC", "9S 7D TH KC", "7S 7D TH KC"
DEALERS, FLOOR, PATRON = Role.DEALER, Role.FLOORPERSON, Role.PARTICIPANT
PREPARED = [
    ("receive", DEALERS), ("inspect", DEALERS), ("verify", FLOOR), ("spread", DEALERS), ("wash", DEALERS),
    ("stack", DEALERS), ("shuffle", DEALERS), ("lace", DEALERS),
]  # fmt: skip
CUT = [
    ("offer_cut", PATRON), ("cut", DEALERS), ("cover_card", DEALERS), ("load", DEALERS), ("burn", DEALERS)
]  # fmt: skip


# ------------------------------------------------------------------------------------ 4, 3.4 the opening


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


@clause("MA:4(a)", "MA:4(d)", "MA:5(a).1", "NJ:3.4(a)", "NJ:3.5(a)")
@each_edition
def test_4_d_preshuffled_cards_are_only_cut_and_burned(edition: str) -> None:
    new_game(edition).refused(ReceiveCards(set_id="a", decks=8, preshuffled=True), "not_offered")
    filed = {} if edition == NEW_JERSEY else {"preshuffled_procedure": "procedure 1"}
    game = seated(new_game(edition, preshuffled=True, **filed), [1])
    game.do(ReceiveCards(set_id="a", decks=8, preshuffled=True))
    assert game.step == "offer_cut"
    assert [step for step, _ in acts(game, "burn")] == ["offer_cut", "cut", "cover_card", "load"]


@clause("MA:4(a)", "MA:4(e)")
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
