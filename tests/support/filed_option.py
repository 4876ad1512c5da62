"""Options of every edition with what may be filed for each, and what not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from baccarat.law.clause import paragraph_of
from baccarat.law.error import InvalidSubmission, SubmissionFault
from baccarat.law.rulebook import rulebook

MASSACHUSETTS = ("ma-midi-1", "ma-midi-2", "ma-midi-3", "ma-midi-4")


NEW_JERSEY = "nj-punto-banco"


MUST = object()
"""What silence means where the document leaves an option to the licensee: a fault."""


# ------------------------------------------------------------------------------------- building blocks

LIMIT = {"min": 2500, "max": 500000, "increment": 100}


SIDE_LIMIT = {"min": 500, "max": 50000, "increment": 100}


LIMITS = {
    **dict.fromkeys(("player", "banker", "tie"), LIMIT),
    **dict.fromkeys(("dragon_player", "dragon_banker", "house_money"), SIDE_LIMIT),
}


NJ_LIMITS = {
    **dict.fromkeys(("player", "banker", "tie", "total4", "total5", "total6"), LIMIT),
    **dict.fromkeys(("dragon_player", "dragon_banker"), SIDE_LIMIT),
}


EZ = {"ez": True}


TEMPLATE = {"1": "SH", "2": "SD", "3": "CH", "4": "CD", "5": "HS", "6": "HC", "7": "DS"}


PRINTED_SEEDS = {"major": 5000000, "k9_banker": 35000, "k9_player": 35000}


MUST_HIT = {"start": 100000, "ceiling": 200000, "contribution": 25}


def king_9(seats: int = 7, **changes: Any) -> dict[str, Any]:
    """The King-9 progressive for so many seats, by the template of reading A-19."""
    return {
        "combos": {seat: combo for seat, combo in TEMPLATE.items() if int(seat) <= seats},
        "seeds": {"star": 5000000, "spade": 35000, "heart": 35000},
        "rates_bp": {"star": 900, "spade": 500, "heart": 500},
        **changes,
    }


MULTI_LEVEL = {"royal9": {"paytable": 1}}


KING_9 = {"royal9": king_9(), "seats": 7}


def faults_of(name: str, **changes: Any) -> tuple[SubmissionFault, ...]:
    """The faults of a shipped Submission so changed."""
    with pytest.raises(InvalidSubmission) as caught:
        rulebook(name, **changes)
    return caught.value.faults


def printed(edition: str, *ids: str) -> tuple[str, ...]:
    """The clauses of the catalogue as this edition's citations print them."""
    keys = (clause.partition(":")[2] for clause in ids)
    return tuple(dict.fromkeys(f"{edition} §{paragraph_of(key)}" for key in keys))


# ------------------------------------------------------------------------------------------ the options


NOTHING: Mapping[str, Any] = {}


class Option(NamedTuple):
    """What an option may be, may not be and is when unsaid, by which clauses, and beside what it has a place."""

    clauses: tuple[str, ...]
    good: tuple[Any, ...]
    bad: tuple[Any, ...]
    unsaid: Any = MUST
    beside: Mapping[str, Any] = NOTHING


def may(*clauses: str, good: tuple[bool, ...] = (True, False), beside: Mapping[str, Any] = NOTHING) -> Option:
    """An option that is off unless the licensee elects it."""
    return Option(clauses, good, ("yes", 1), False, beside)


def text(*clauses: str, beside: Mapping[str, Any] = NOTHING) -> Option:
    """A fact that the licensee states in words."""
    return Option(clauses, ("example",), ("", "  ", 7), MUST, beside)


SHARED: dict[str, Option] = {
    "goodwill_limit": Option(("MA:11(b).1",), (0, 10_000), (-1, "much"), None),
    "electronic_cut": Option(("MA:5(d)",), ("before_closing", "not_used"), ("after_the_seal", True), "before_closing"),
    "shoe_given_up": Option(("MA:9(d).4",), ("between_rounds", "never"), ("always", True), "between_rounds"),
    "exception_reports": Option(
        ("MA:12(d)(2)(i)",), ("admitted", "not_admitted"), ("maybe", True), "admitted", {"vig_collection": "deferred"}
    ),
    "ez": may("MA:1 EZ Baccarat"),
    "seats": Option(("MA:2(a).1",), (1, 9), (0, 10, -1)),
    "seat_one": Option(("MA:2(a).1",), ("dealer_left", "dealer_right"), ("dealer_front", "")),
    "layout_approval": text("MA:2(b)"),
    "layout_dragon_bonus_areas": may("MA:2(b)(1)", beside={"dragon_bonus": False}),
    "layout_dragon7_areas": may("MA:2(b)(2)(i)"),
    "layout_dragon7_inscription": may("MA:2(b)(2)(ii)"),
    "dragon7_sign": may("MA:2(b)(2)(ii)"),
    "layout_panda8_areas": may("MA:2(b)(2)(iii)"),
    "layout_house_money_areas": may("MA:2(b)(3)", beside={"house_money": False}),
    "layout_numbered_areas": may("MA:2(b)(4)"),
    "discard_rack_decks": Option(("MA:2(c)",), (8, 12), (7, 0)),
    "decks": Option(("MA:3(a).1",), (6, 7, 8), (5, 0)),
    "backs": Option(("MA:3(a).2",), (["red"], ["red", "red"]), (["blue", "red"], [])),
    "cut_cards": Option(("MA:3(a).3",), (2,), (1, 3, 0), 2),
    "cut_card_opaque": Option(("MA:3(a).4",), (True,), (False, 1), True),
    "cut_card_colour": text("MA:3(a).4"),
    "card_edges": text("MA:3(a).4"),
    "cut_card_approval": text("MA:3(a).5"),
    "preshuffled": may("MA:4(d)", good=(False,)),
    "preshuffled_procedure": text("MA:4(d)", beside={"preshuffled": True}),
    "batch_shuffler": may("MA:4(e)", good=(False,)),
    "batch_shuffler_procedure": text("MA:4(e)", beside={"batch_shuffler": True}),
    "reshuffle_after_lace": Option(("MA:5(a)(1)",), ("none", "some", "all"), ("half", "")),
    "recut_by": Option(("MA:5(f).2",), ("last_cutter", "next_entitled"), ("dealer",)),
    "recut_second_person": may("MA:5(f).1"),
    "dragon_bonus": may("MA:7(a)(4)"),
    "house_money": may("MA:7(a)(7)"),
    "bonus_base_required": may("MA:7(a)(4)"),
    "insurance_base_required": may("MA:7(a)(5)"),
    "opposite_bets": Option(("MA:7(a)",), (True, False), ("yes", 1), True),
    "match_play": may("MA:7(b).1"),
    "verbal_wagers": may("MA:7(b).2"),
    "limits": Option(
        ("MA:7(b).1",),
        (LIMITS, {**LIMITS, "dragon7": LIMIT}, {**LIMITS, "tie": {**LIMIT, "aggregate_payout": 5000000}}),
        (
            {},
            {key: value for key, value in LIMITS.items() if key != "tie"},
            {**LIMITS, "total4": LIMIT},
            {**LIMITS, "tie": {**LIMIT, "max": 2400}},
            {**LIMITS, "tie": {**LIMIT, "min": 2550}},
            {**LIMITS, "tie": {**LIMIT, "max": 2550}},
            {**LIMITS, "tie": {**LIMIT, "min": 0}},
            {**LIMITS, "tie": {"min": 2500, "max": 500000}},
            {**LIMITS, "tie": {**LIMIT, "most": 1}},
        ),
    ),
    "squeeze_eligible": Option(("MA:8(d).3",), ("seated", "bettors"), ("dealer",), "seated"),
    "house_money_portion": Option(
        ("MA:8(c)(3)(i)a",), ([1, 1], [1, 2]), ([0, 1], [2, 1], [1, 0], [1], "half"), [1, 1], {"house_money": True}
    ),
    "press_over_max": Option(("MA:8(c)(3)(i)a",), (True, False), ("yes",), True, {"house_money": True}),
    "tie_odds": Option(("MA:12(b)",), (8, 9, "8 to 1", "17 to 2"), (7, 0, -8, "15 to 2", "eight", True)),
    "vig_rate": Option(("MA:12(c).1",), (5,), (4, 6, 0), 5),
    "vig_rounding": may("MA:12(c).3"),
    "vig_collection": Option(
        ("MA:12(d)", "MA:12(d)(1)", "MA:12(d)(2)"), ("at_payout", "deferred"), ("later", "documented")
    ),
    "dragon_paytable": Option(("MA:12(e).2",), ("A", "B", "C"), ("D", "a", ""), MUST, {"dragon_bonus": True}),
    "disclosed_third_card": Option(("MA:13(c).2",), ("discard_two", "simulated_round"), ("burn_by_value",)),
    "disclosed_correct_card": Option(("MA:13(d)",), ("stays", "set_aside"), ("discard",), "stays"),
}


def progressive(family: str, line: str, beside: Mapping[str, Any]) -> dict[str, Option]:
    """The options that every form of the Royal 9 progressive has; `line` is where rates are spoken of."""
    clauses = (f"{family}:12(i).{line}",)
    basis_points = Option(clauses, (0, 10000), (-1, 10001), 0, beside)
    return {
        "royal9_return_stake": may(f"{family}:12(i).wager", beside=beside),
        "secondary_seed_bp": Option(clauses, (0, 8040), (-1, 8101, 10001), 0, beside),
        "reserve_share_bp": basis_points,
    }


MULTI_LEVEL_OPTIONS: dict[str, Option] = {
    **progressive("MA-v1-2", "rate major", MULTI_LEVEL),
    "royal9": Option(
        ("MA-v1-2:12(i).unique",),
        ({"paytable": 1}, {"paytable": 2}, {"paytable": 1, "seeds": PRINTED_SEEDS}),
        (
            {},
            {"paytable": 0},
            {"paytable": 3},
            {"paytable": 2, "seeds": PRINTED_SEEDS},
            {"paytable": 1, "seeds": {"minor": 35000}},
            {"paytable": 1, "combos": TEMPLATE},
            {"paytable": 1, "rates_bp": {"major": 900}},
            {"paytable": 1, "chairs": 9},
        ),
        None,
    ),
    "any_two": Option(
        ("MA-v1-2:12(i).pay2",),
        ("own_chair", "other_chair_identical", "any_posted"),
        ("any_chair",),
        "own_chair",
        MULTI_LEVEL,
    ),
    "partial_refill_to_seed": may("MA-v1-2:12(i).pay2", beside=MULTI_LEVEL),
}


KING_9_OPTIONS: dict[str, Option] = {
    **progressive("MA-v3-4", "wager", KING_9),
    "royal9": Option(
        ("MA-v3-4:12(i).combos",),
        (king_9(), king_9(rates_bp={"star": 0, "spade": 0, "heart": 0})),
        (
            {},
            king_9(paytable=1),
            king_9(6),
            king_9(combos={**TEMPLATE, "8": "DC"}),
            king_9(combos={**TEMPLATE, "4": "CC"}),
            king_9(combos={**TEMPLATE, "4": "SH"}),
            king_9(combos={**TEMPLATE, "4": "XY"}),
            king_9(combos={**TEMPLATE, "4": "C"}),
            king_9(seeds={"star": 5000000, "spade": 35000}),
            king_9(seeds={"star": 5000000, "spade": 35000, "heart": 0}),
            king_9(seeds=PRINTED_SEEDS),
            king_9(rates_bp=None),
            king_9(rates_bp={"star": 9000, "spade": 500, "heart": 501}),
            king_9(rates_bp={"star": 900, "spade": 500, "heart": -1}),
        ),
        None,
        {"seats": 7},
    ),
    "must_hit": Option(
        ("MA-v3-4:12(j).1",),
        (
            MUST_HIT,
            {**MUST_HIT, "ceiling": 100000 + 1_000_000 * 25},
            {**MUST_HIT, "contribution": 0},
            {**MUST_HIT, "contribution": 405},
        ),
        (
            {},
            {**MUST_HIT, "ceiling": 100000},
            {**MUST_HIT, "ceiling": 99999},
            {**MUST_HIT, "ceiling": 100000 + 1_000_000 * 25 + 1},
            {**MUST_HIT, "ceiling": 1_100_001, "contribution": 0},
            {**MUST_HIT, "contribution": 406},
            {**MUST_HIT, "contribution": -1},
            {**MUST_HIT, "start": 0},
        ),
        None,
        KING_9,
    ),
}


BEFORE_4: dict[str, Option] = {
    "cover_card_depth": Option(("MA-v1-3:5(e).2",), (14, 15, 52), (13, 1, 0)),
}


FROM_2: dict[str, Option] = {"manual_shuffle_strict": may("MA-v2-4:5(g)(4)")}


ONLY_4: dict[str, Option] = {
    "cut_mode": Option(("MA-v4:5(c).1",), ("offer_players", "dealer_cuts"), ("floorperson_cuts",)),
    "last_curator_as_last_cutter": may("MA-v4:5(c).2"),
    "cover_card_depth": Option(("MA-v4:5(e).1",), (1, 13, 14, 20), (0, -1), 14),
    "burn_exposure": Option(("MA-v4:5(e).4",), ("face_down", "face_up"), ("hidden",), "face_down"),
    "free_hand": may("MA-v4:7(c)"),
    "max_consecutive_free_hands": Option(("MA-v4:7(c)",), (1, 3), (0, -1), None, {"free_hand": True}),
}


IN_NEW_JERSEY: dict[str, Option] = {
    "goodwill_limit": Option(("NJ:3.10(b)",), (0, 10_000), (-1, "much"), None),
    "electronic_cut": Option(
        ("NJ:3.5(d)",), ("before_closing", "not_used"), ("after_the_seal", True), "before_closing"
    ),
    "shoe_given_up": Option(("NJ:3.8(e).3",), ("between_rounds", "never"), ("always", True), "between_rounds"),
    "decks": Option(("NJ:3.1(a).1",), (6, 7, 8), (5, 0)),
    "cut_cards": Option(("NJ:3.1(a).2",), (2,), (1, 3, 0), 2),
    "cut_card_opaque": Option(("NJ:3.1(a).3",), (True,), (False, 1), True),
    "cut_card_colour": text("NJ:3.1(a).3"),
    "card_edges": text("NJ:3.1(a).3"),
    "cut_card_approval": text("NJ:3.1(a).3"),
    "total_card_wagers": may("NJ:3.2(a)4"),
    "dragon_bonus": may("NJ:3.2(a)5"),
    "bonus_base_required": Option(
        ("NJ:3.2(b).2",), (True, False), ("yes", 1), MUST, {"dragon_bonus": True, "dragon_paytable": "A"}
    ),
    "opposite_bets": Option(("NJ:3.2(a)",), (True, False), ("yes", 1), True),
    "match_play": may("NJ:3.2(c).1"),
    "verbal_wagers": may("NJ:3.2(c).2"),
    "limits": Option(
        ("NJ:3.2(c).1",),
        (NJ_LIMITS,),
        (
            {},
            {key: value for key, value in NJ_LIMITS.items() if key != "total5"},
            {**NJ_LIMITS, "house_money": LIMIT},
            {**NJ_LIMITS, "tie": {**LIMIT, "max": 2400}},
            {**NJ_LIMITS, "tie": {**LIMIT, "min": 2550}},
        ),
    ),
    "tie_odds": Option(("NJ:3.3(b)",), (8, 9, "8 to 1", "17 to 2"), (7, 0, "15 to 2", "eight")),
    "vig_rate": Option(("NJ:3.3(c).2", "NJ:3.3(d).2"), (4, 5), (3, 6, 0)),
    "vig_rounding": may("NJ:3.3(c)1"),
    "vig_collection": Option(("NJ:3.3(c)2.1",), ("at_payout", "deferred"), ("later",)),
    "notice_minutes": Option(("NJ:3.3(d).1",), (0, 30, 120), (-1,), 30),
    "no_commission": Option(
        ("NJ:3.3(e)",), ("six_half", "total_card_exempt"), ("both", ["six_half", "total_card_exempt"]), None
    ),
    "layout_numbered_areas": may("NJ:3.3(c)2.3"),
    "dragon_paytable": Option(("NJ:3.3(g).2",), ("A", "B", "C"), ("D", "a"), MUST, {"dragon_bonus": True}),
    "dragon_odds": Option(
        ("NJ:3.3(g).2",),
        ({"win_by_9": 35}, {"win_by_9": "30 to 1", "natural": "3 to 2"}),
        ({"win_by_9": 25}, {"win_by_9": "59 to 2"}, {"natural": "1 to 2"}, {"win_by_3": 1}, {"win_by_9": "much"}),
        None,
        {"dragon_bonus": True, "dragon_paytable": "A"},
    ),
    "preshuffled": may("NJ:3.4(a)"),
    "shuffle_method": Option(("NJ:3.5(a)",), (1, 2), (0, 3)),
    "reshuffle_after_lace": Option(("NJ:3.5(a)1i",), ("none", "some", "all"), ("half",), MUST, {"shuffle_method": 1}),
    "cover_card_depth": Option(("NJ:3.5(e).2",), (14, 15, 52), (13, 1, 0)),
    "recut_by": Option(("NJ:3.5(f).2",), ("last_cutter", "next_entitled"), ("dealer",)),
    "recut_second_person": may("NJ:3.5(f).1"),
    "backs": Option(("NJ:3.6(a).1",), (["red"], ["red", "red"]), (["blue", "red"], [])),
    "seats": Option(("NJ:3.6(b).1",), (1, 14, 99), (0, -1)),
    "seat_one": Option(("NJ:3.6(b).1",), ("dealer_left", "dealer_right"), ("dealer_front",)),
    "reveal": Option(("NJ:3.7(c).2", "NJ:3.7(d).1"), ("face_up", "face_down"), ("half_open",)),
    "allow_other_side": may("NJ:3.7(d)6.1", "NJ:3.7(d)6.2", beside={"reveal": "face_down"}),
    "banker_first_on_request": may("NJ:3.8(a).3"),
    "settlement_option": Option(("NJ:3.10(b)", "NJ:3.10(c)"), (1, 2, 3, 4), (0, 5)),
    "disclosed_card_procedure": Option(("NJ:3.12(c)",), (2, 3), (0, 4)),
    "ten_value_extra": Option(("NJ:3.12(c)1.2",), (1, 10), (0, 5, 11), MUST, {"disclosed_card_procedure": 1}),
    "nj_disclosed_banker_third": Option(
        ("NJ:3.12(c)",), ("banker_takes_it", "filed_procedure"), ("player_keeps_it",), "banker_takes_it"
    ),
    "face_up_ten_extra": Option(("NJ:3.12(d)",), (0, 1, 10), (-1, 2, 11), 0),
}


OPTIONS: dict[str, dict[str, Option]] = {
    "ma-midi-1": {**SHARED, **BEFORE_4, **MULTI_LEVEL_OPTIONS},
    "ma-midi-2": {**SHARED, **BEFORE_4, **FROM_2, **MULTI_LEVEL_OPTIONS},
    "ma-midi-3": {**SHARED, **BEFORE_4, **FROM_2, **KING_9_OPTIONS},
    "ma-midi-4": {**SHARED, **FROM_2, **KING_9_OPTIONS, **ONLY_4},
    NEW_JERSEY: IN_NEW_JERSEY,
}
