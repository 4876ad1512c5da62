"""Clauses that a knocked-out rule once survived: written from the documents, one small test each."""

from __future__ import annotations

from typing import Any

import pytest

from baccarat import InvalidSubmission, deal, load_edition, parse_cards, rulebook
from baccarat.law.rulebook import from_record
from baccarat.play.hand import Side
from baccarat.play.refusal import RefusalCode, Refused
from baccarat.play.settle import settle
from baccarat.play.shoe import admit_cut, burn
from baccarat.play.wager import Wager, WagerKind
from baccarat.play.wager.royal9 import MICRO, progressive
from strategies import EARLY, EDITIONS, LATE, MASSACHUSETTS, NEW_JERSEY, line, played, royal9

clause = pytest.mark.clause
each = pytest.mark.parametrize("edition", EDITIONS)
each_ma = pytest.mark.parametrize("edition", MASSACHUSETTS)
each_early = pytest.mark.parametrize("edition", EARLY)

# ------------------------------------------------------------------------------------- cut and burn


@clause("MA:5(d)", "NJ:3.5(d)")
@each
def test_5_d_the_cut_leaves_a_deck_on_either_side_in_new_jersey_ten_cards(edition: str) -> None:
    least, rules = 10 if edition == NEW_JERSEY else 52, rulebook(edition)
    where = "3.5(d)" if edition == NEW_JERSEY else "5(d)"
    for in_front in (least, 416 - least):
        assert admit_cut(rules, cards=416, in_front=in_front) is None
    for in_front in (least - 1, 417 - least):
        refused = admit_cut(rules, cards=416, in_front=in_front)
        assert refused is not None
        assert (refused.code, [cite.paragraph for cite in refused.cites]) == (RefusalCode.CUT_DEPTH, [where])


@clause("MA:5(d)", "MA-v1-3:5(c).2", "MA-v4:5(c).2", "NJ:3.5(d)", "NJ:3.5(c).2")
@each
def test_5_c_the_cut_is_offered_from_the_highest_seat_once_counterclockwise_now_clockwise(edition: str) -> None:
    law = load_edition(edition).cut
    earlier = edition in MASSACHUSETTS[:3]
    assert (law.start, law.direction) == ("highest", "counterclockwise" if earlier else "clockwise")


BURNED = {"A": 1, "2": 2, "5": 5, "8": 8, "9": 9, "T": 10, "J": 10, "Q": 10, "K": 10}
BURN = (
    "MA-v1-3:5(e).4",
    "MA-v1-3:5(e).6",
    "MA-v4:5(e).1",
    "MA-v4:5(e).2",
    "MA-v4:5(e).3",
    "NJ:3.5(e).4",
    "NJ:3.5(e).6",
)


@clause(*BURN)
@each
def test_5_e_the_first_card_says_how_many_more_are_burned(edition: str) -> None:
    rest = parse_cards("2s " * 20)
    for rank, more in BURNED.items():
        shoe = (*parse_cards(f"{rank}d"), *rest)
        assert burn(rulebook(edition), shoe).cards == shoe[: 1 + more]


@clause("MA-v1-3:5(e).4", "MA-v1-3:5(e).5", "NJ:3.5(e).4", "NJ:3.5(e).5")
@pytest.mark.parametrize("edition", [*MASSACHUSETTS[:3], NEW_JERSEY])
def test_5_e_all_burned_cards_are_shown(edition: str) -> None:
    burned = burn(rulebook(edition), parse_cards("4d 2s 2s 2s 2s 2s"))
    assert (len(burned.cards), burned.exposed) == (5, 5)


@clause("MA-v4:5(e).1", "MA-v4:5(e).2", "MA-v4:5(e).4")
def test_5_e_of_the_fourth_edition_only_the_first_is_shown_unless_the_licensee_shows_them_all() -> None:
    shoe = parse_cards("4d 2s 2s 2s 2s 2s")
    for elected, shown in (("face_down", 1), ("face_up", 5)):
        assert burn(rulebook("ma-midi-4", burn_exposure=elected), shoe).exposed == shown


# --------------------------------------------------------------------------------------- elections

ELECTIONS: dict[str, tuple[tuple[str, ...], tuple[Any, ...], tuple[str, ...], dict[str, Any]]] = {
    "seat_one": (EDITIONS, ("dealer_left", "dealer_right"), ("MA:2(a).1", "NJ:3.6(b).1"), {}),
    "reshuffle_after_lace": (EDITIONS, ("none", "some", "all"), ("MA:5(a)(1)", "NJ:3.5(a)1i"), {}),
    "cut_mode": (("ma-midi-4",), ("offer_players", "dealer_cuts"), ("MA-v4:5(c).1",), {}),
    "burn_exposure": (("ma-midi-4",), ("face_down", "face_up"), ("MA-v4:5(e).4",), {}),
    "recut_by": (EDITIONS, ("last_cutter", "next_entitled"), ("MA:5(f).2", "NJ:3.5(f).2"), {}),
    "reveal": ((NEW_JERSEY,), ("face_up", "face_down"), ("NJ:3.7(c).2", "NJ:3.7(d).1"), {}),
    "squeeze_eligible": (MASSACHUSETTS, ("seated", "bettors"), ("MA:8(d).3",), {}),
    "settlement_option": ((NEW_JERSEY,), (1, 2, 3, 4), ("NJ:3.10(b)", "NJ:3.10(c)"), {}),
    "vig_rate": ((NEW_JERSEY,), (4, 5), ("NJ:3.3(c).2", "NJ:3.3(d).2"), {}),
    "vig_collection": (
        EDITIONS, ("at_payout", "deferred"), ("MA:12(d)", "MA:12(d)(1)", "MA:12(d)(2)", "NJ:3.3(c)2.1"),
        {"layout_numbered_areas": True},
    ),
    "dragon_paytable": (EDITIONS, ("A", "B", "C"), ("MA:12(e).2", "NJ:3.3(g).2"), {"dragon_bonus": True}),
    "any_two": (
        EARLY, ("own_chair", "other_chair_identical", "any_posted"), ("MA-v1-2:12(i).pay2",),
        {"royal9": {"paytable": 1}},
    ),
    "disclosed_third_card": (MASSACHUSETTS, ("discard_two", "simulated_round"), ("MA:13(c).2",), {}),
    "disclosed_correct_card": (MASSACHUSETTS, ("stays", "set_aside"), ("MA:13(d)",), {}),
    "disclosed_card_procedure": ((NEW_JERSEY,), (1, 2, 3), ("NJ:3.12(c)",), {}),
    "nj_disclosed_banker_third": ((NEW_JERSEY,), ("banker_takes_it", "filed_procedure"), ("NJ:3.12(c)",), {}),
}  # fmt: skip
"""What the documents, or our readings, let the licensee choose among: editions, choices, clauses, what it takes."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edition", "key"),
    [
        pytest.param(edition, key, marks=clause(*(name for name in clauses if name.startswith(edition[:2].upper()))))
        for key, (editions, _, clauses, _) in ELECTIONS.items()
        for edition in editions
    ],
)
def test_the_choices_are_these_and_no_others(edition: str, key: str) -> None:
    _, choices, _, takes = ELECTIONS[key]
    for choice in choices:
        more = {"ten_value_extra": 1} if (key, choice) == ("disclosed_card_procedure", 1) else {}
        made = rulebook(edition, **{**takes, **more, key: choice})
        assert made.elects(key) == choice
    for other in ("something else", "", 0, 99):
        with pytest.raises(InvalidSubmission) as refused:
            rulebook(edition, **{**takes, key: other})
        assert refused.value.faults[0].where == key
    with pytest.raises(InvalidSubmission) as refused:
        rulebook(edition, **{**takes, key: "something else" if isinstance(choices[0], str) else max(choices) + 1})
    (fault,) = refused.value.faults
    assert fault.allowed == "one of " + ", ".join(map(str, choices))


@clause("MA:2(c)")
@each_ma
def test_2_c_a_rack_that_holds_less_than_the_shoe_is_warned_of(edition: str) -> None:
    assert rulebook(edition, decks=8, discard_rack_decks=8).warnings == ()
    (warned,) = rulebook(edition, decks=9, discard_rack_decks=8).warnings
    assert (warned.where, warned.cites) == ("discard_rack_decks", (f"{edition} §2(c)",))


@clause("MA-v4:5(e).1")
def test_5_e_a_cover_card_less_than_fourteen_deep_is_warned_of() -> None:
    assert rulebook("ma-midi-4", cover_card_depth=14).warnings == ()
    (warned,) = rulebook("ma-midi-4", cover_card_depth=13).warnings
    assert warned.where == "cover_card_depth"


@clause("NJ:3.3(c)1", "NJ:3.3(c)2.1", "NJ:3.3(c).2", "NJ:3.3(d).2")
def test_3_3_e_2_who_is_exempt_by_total_cards_still_states_the_vigorish_of_others() -> None:
    stated = {"vig_rate": 4, "vig_rounding": True, "vig_collection": "at_payout"}
    elected = rulebook("nj-punto-banco-exempt", **stated).elections
    assert elected.no_commission == "total_card_exempt"
    assert (elected.vig_rate, elected.vig_rounding, elected.vig_collection) == (4, True, "at_payout")


# ------------------------------------------------------------------------------------------ wagers


@clause("MA:7(a)", "NJ:3.2(a)", "NJ:3.2(b).1")
@each
def test_7_a_the_wagers_of_the_game_itself_are_banker_player_and_tie(edition: str) -> None:
    wagers = load_edition(edition).wagers
    assert {name for name, wager in wagers.items() if wager.law.main} == {"banker", "player", "tie"}


LEADS = {9: "T", 8: "A", 7: "2", 6: "3", 5: "4", 4: "5"}
"""The Banker's third card, with which a Player of nine on three cards leads by so many."""
BONUS = {"A": (30, 10, 6, 4, 2, 1), "B": (20, 8, 7, 4, 3, 1), "C": (30, 10, 4, 4, 2, 2)}


@clause("MA:7(a)(4)(i)c", "NJ:3.2(a)5i.3")
@pytest.mark.parametrize("table", BONUS)
@each
def test_7_a_4_i_c_a_lead_of_four_to_nine_is_paid_by_its_row(edition: str, table: str) -> None:
    for (lead, third), odds in zip(LEADS.items(), BONUS[table], strict=True):
        cards = f"2S TH 3D TC 4S {third}D"
        won = line(played(edition, cards, "1 dragon_player 1000", dragon_paytable=table), "dragon_player")
        assert (won["result"], won["odds"], won["win"], won["row"]) == (
            "win",
            f"{odds}:1",
            odds * 1000,
            f"win by {lead}",
        )


@clause("MA:7(a)(4)(i)a", "MA:7(a)(4)(i)b", "NJ:3.2(a)5i.1", "NJ:3.2(a)5i.2")
@pytest.mark.parametrize("table", BONUS)
@each
def test_7_a_4_i_a_natural_winner_is_paid_even_money(edition: str, table: str) -> None:
    for cards in ("9S 7H TD TC", "9S 8H TD TC"):
        won = line(played(edition, cards, "1 dragon_player 1000", dragon_paytable=table), "dragon_player")
        assert (won["result"], won["odds"], won["win"]) == ("win", "1:1", 1000)


@clause("MA:7(a)(7)(i)")
@each_ma
def test_7_a_7_i_two_pairs_are_paid_fifteen_to_one_and_one_three_to_one(edition: str) -> None:
    for cards, odds in (("5S 6H 5D 6C TS TD", 15), ("5S 6H 5D 7C TS TD", 3), ("5S 6H 4D 6C", 3)):
        won = line(played(edition, cards, "1 house_money 1000"), "house_money")
        assert (won["result"], won["odds"], won["win"]) == ("win", f"{odds}:1", odds * 1000)


@clause("NJ:3.2(a)1i", "NJ:3.2(a)2i")
def test_3_2_a_a_winning_hand_is_paid_even_money_and_the_banker_owes_vigorish() -> None:
    player = line(played(NEW_JERSEY, "9S 7H TD TC", "1 player 10000"), "player")
    banker = line(played(NEW_JERSEY, "7S 9H TD TC", "1 banker 10000"), "banker")
    assert (player["odds"], player["win"], player["vigorish"]) == ("1:1", 10000, 0)
    assert (banker["odds"], banker["win"], banker["vigorish"]) == ("1:1", 10000, 500)


@clause("NJ:3.2(a)4", "NJ:3.10(a).3")
def test_3_2_a_4_four_five_or_six_cards_are_wagered_on_and_called() -> None:
    dealt = {4: "9S 7H TD TC", 5: "TS TH 6D 5C 2S", 6: "2S TH 3D TC 4S TD"}
    odds = {4: "3:2", 5: "2:1", 6: "2:1"}
    for total, cards in dealt.items():
        wagers = [f"1 total{kind} 1000" for kind in dealt]
        told = played(NEW_JERSEY, cards, *wagers, total_card_wagers=True)
        won = {kind: line(told, f"total{kind}") for kind in dealt}
        assert {kind: each["result"] for kind, each in won.items()} == {
            kind: "win" if kind == total else "lose" for kind in dealt
        }
        assert won[total]["odds"] == odds[total]
        assert told["announcements"][-1] == {"total_cards": total}


@clause("MA:12(b)", "NJ:3.3(b)")
@each
def test_12_b_the_pay_itself_says_eight_to_one_at_least(edition: str) -> None:
    assert load_edition(edition).pays["tie"]["at_least"] == "8 to 1"


# ------------------------------------------------------------------------------ Royal 9, Must Hit


@clause("MA-v1-2:12(i).pay6", "MA-v3-4:12(i).pay6")
@each_ma
def test_12_i_a_royal_9_on_one_hand_alone_is_not_one_on_both(edition: str) -> None:
    for cards in ("QS 4D 9D 2C 2S 3S", "4D QS 2C 9D 2S 3S"):
        told = played(edition, cards, "1 tie 100", "1 royal9 500", royal9=royal9(edition))
        assert line(told, "royal9")["row"] == "Any Royal 9"
    told = played(edition, "QS JD 9D 9C", "1 tie 100", "1 royal9 500", royal9=royal9(edition))
    assert line(told, "royal9")["win"] == 25000


RATES = {1: {"major": 900, "k9_banker": 500, "k9_player": 500}, 2: {"major": 960, "k9_banker": 500, "k9_player": 500}}


@clause("MA-v1-2:12(i).rate major", "MA-v1-2:12(i).rate K9 Banker", "MA-v1-2:12(i).rate K9 Player")
@pytest.mark.parametrize("paytable", RATES)
@each_early
def test_12_i_a_wager_adds_nine_or_nine_point_six_and_twice_five_per_cent(edition: str, paytable: int) -> None:
    progress = progressive(rulebook(edition, royal9={"paytable": paytable}))
    assert progress is not None
    added = {meter.name: meter.contribution for meter in progress.meters}
    assert added == {name: 500 * MICRO * rate // 10_000 for name, rate in RATES[paytable].items()}


@clause("MA-v3-4:12(j).1", "MA-v3-4:12(j).2")
@pytest.mark.parametrize("edition", LATE)
def test_12_j_those_in_the_royal_9_take_part(edition: str) -> None:
    law = load_edition(edition).must_hit
    assert law is not None
    assert law.participants == "royal9"


# -------------------------------------------------------------------------------------- void rounds


@clause("MA:13(e).1", "MA:13(e).2", "NJ:3.12(e)")
@each
def test_13_e_after_a_void_round_comes_a_new_set_in_new_jersey_a_reshuffle(edition: str) -> None:
    coup = deal(rulebook(edition), "2s 3h Ad Jd")
    follows = "reshuffle of the whole set" if edition == NEW_JERSEY else "new set of cards"
    assert coup.is_void
    assert coup.why[-1].say == f"The shoe cannot finish the round: void, all wagers returned, then {follows}"
    assert [cite.paragraph for cite in coup.why[-1].cites] == ["3.12(e)" if edition == NEW_JERSEY else "13(e)"]
    assert coup.hand(Side.PLAYER) == parse_cards("2s Ad")


@pytest.mark.clause("MA:7(a)", "NJ:3.2(a)", "NJ:3.2(b).1")
@pytest.mark.parametrize("edition", ["ma-midi-1", "ma-midi-2", "ma-midi-3", "ma-midi-4", "nj-punto-banco"])
def test_7_a_a_stake_is_whole_cents_and_more_than_nothing(edition: str) -> None:
    rules = from_record(load_edition(edition), {})
    coup = deal(rules, "2s 3h Ad Jd Tc 5s")
    for stake in (0, -100, 2.5, True):
        wager = Wager(seat=1, on=WagerKind.BANKER, stake=stake)  # type: ignore[arg-type]
        refused = settle(rules, coup, [wager])
        assert isinstance(refused, Refused)
        assert refused.code.value == "whole_cents"


@pytest.mark.clause("MA-v1-3:5(e).2", "MA-v4:5(e).1", "NJ:3.5(e).2")
@pytest.mark.parametrize("edition", ["ma-midi-1", "ma-midi-2", "ma-midi-3", "ma-midi-4", "nj-punto-banco"])
def test_5_e_a_cover_card_lies_within_the_shoe(edition: str) -> None:
    assert rulebook(edition, cover_card_depth=415).elections.cover_card_depth == 415
    with pytest.raises(InvalidSubmission, match="416 cards"):
        rulebook(edition, cover_card_depth=416)
