"""Submissions: the shipped examples, and what each edition lets a licensee state, elect or leave unsaid.

The values that are allowed and those that are not are written down here from the documents, not read from
the editions: a row that is missing or turned round in an edition fails.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from baccarat.law.clause import paragraph_of
from baccarat.law.edition import load_edition, shipped
from baccarat.law.error import Fault, InvalidSubmission, RulesError
from baccarat.law.rulebook import Rulebook, from_table, read_submission, rulebook, shipped_submissions
from paths import DATA

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


def faults_of(name: str, **changes: Any) -> tuple[Fault, ...]:
    """The faults of a shipped Submission so changed."""
    with pytest.raises(InvalidSubmission) as caught:
        rulebook(name, **changes)
    return caught.value.faults


def printed(edition: str, *ids: str) -> tuple[str, ...]:
    """The clauses of the catalogue as this edition's citations print them."""
    keys = (clause.partition(":")[2] for clause in ids)
    return tuple(dict.fromkeys(f"{edition} §{paragraph_of(key)}" for key in keys))


def same(held: Any, stated: Any) -> bool:
    """Whether the value that holds is the one stated, lists and tables aside from their type."""
    if isinstance(stated, Mapping):
        table = held if isinstance(held, Mapping) else {key: getattr(held, key) for key in stated}
        return all(same(table[key], value) for key, value in stated.items())
    return list(held) == list(stated) if isinstance(stated, list) else bool(held == stated)


# ---------------------------------------------------------------------------------------- the examples

HASHES = {
    "ma-midi-1": "4a512cebeaf6d859889351b26446bd51765e25d99e458a1ebdd7c970e9cad550",
    "ma-midi-1-royal9": "238c2cbf1d3008024ba7e0e01b4617e20010c5eb1c294909fa151b9409c3d8a3",
    "ma-midi-2": "22d7f4a1a1096cfe6596b616d76d55734956b400f1136037bd7ce8d557f63905",
    "ma-midi-3": "c1380866e1c42928446617db7d7fb7f231f95be211c01239bafaa48dfd20cf56",
    "ma-midi-4": "6dbbecb5d266d451be6de78d14118f7a7bf338facad8d49c838cbc0000b22521",
    "ma-midi-4-ez": "b10815bdf414823f32bc08ece7607bc39867696ad47a10fce549fd3c013758ab",
    "ma-midi-4-royal9": "2472748fcd3626d28e5a1a7f57cf0f98f15c9a733371258fccc69b39c9c85e8b",
    "nj-punto-banco": "0bca5dfcb5297af7833567c6e0d35e1090801c20f1654292d8e25bd6265eb58d",
    "nj-punto-banco-exempt": "7851a80fcf1ca4c228214c5f96fe38874e37eedb4671a4505143134f6c99a3f7",
    "nj-punto-banco-six-half": "ee185e3c42c2f6aec31ff34ce01ac9b10f691c2e690dafe70013fc98cd35bfd1",
}


def test_the_shipped_examples() -> None:
    assert shipped_submissions() == tuple(sorted(HASHES))
    assert shipped() == (*MASSACHUSETTS, NEW_JERSEY)
    assert set(shipped()) <= set(HASHES)


@pytest.mark.parametrize("name", HASHES)
def test_a_shipped_submission_loads_without_fault_or_warning(name: str) -> None:
    rules = rulebook(name)
    assert isinstance(rules, Rulebook)
    assert name.startswith(rules.edition.name)
    assert rules.warnings == ()
    assert rules.notes == ()
    text = read_submission_text(name)
    assert text.splitlines()[0] == f'ruleset = "{rules.edition.name}"'


def read_submission_text(name: str) -> str:
    """The file of a shipped Submission as it is written."""
    import baccarat.law  # noqa: PLC0415

    return (Path(baccarat.law.__file__).parent / "submissions" / f"{name}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "golden"), HASHES.items())
def test_the_hash_of_a_shipped_submission_never_changes(name: str, golden: str) -> None:
    assert rulebook(name).hash == golden
    assert len(golden) == 64
    assert set(golden) <= set("0123456789abcdef")


def test_the_hash_tells_elections_apart_and_nothing_else() -> None:
    plain = rulebook("ma-midi-4")
    table = read_submission("ma-midi-4")
    assert from_table(dict(reversed(table.items()))).hash == plain.hash
    assert rulebook("ma-midi-4", vig_rate=None, cut_cards=None, burn_exposure=None, ez=None).hash == plain.hash
    assert rulebook("ma-midi-4", limits=with_cents(table["limits"])).hash == plain.hash
    others = [
        rulebook("ma-midi-4", **change).hash
        for change in ({"tie_odds": 9}, {"decks": 6}, {"vig_rounding": False}, {"cut_mode": "dealer_cuts"})
    ]
    assert len({plain.hash, *others, *HASHES.values()}) == len(HASHES) + len(others)


def with_cents(limits: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, int]]:
    """The same limits with every sum in cents."""
    return {
        wager: {key: int(text.lstrip("$").replace(",", "").replace(".", "")) for key, text in limit.items()}
        for wager, limit in limits.items()
    }


def test_a_change_says_where_it_starts() -> None:
    rules = rulebook("ma-midi-4", decks=6, tie_odds=9)
    assert rules.notes == ("starts from the Submission ma-midi-4",)
    assert (rules.elects("decks"), rules.elects("tie_odds")) == (6, 9)


@pytest.mark.clause("MA:1 EZ Baccarat", "MA:12(c).2")
def test_a_change_that_leaves_other_elections_without_place_says_so() -> None:
    rules = rulebook("ma-midi-4", **EZ)
    assert rules.elects("ez") is True
    assert [rules.elects(key) for key in ("vig_rate", "vig_rounding", "vig_collection")] == [None, None, None]
    dropped = [note.partition(" ")[0] for note in rules.notes[1:]]
    assert dropped == ["vig_rate", "vig_rounding", "vig_collection"]


def test_a_submission_names_a_known_edition() -> None:
    with pytest.raises(InvalidSubmission) as caught:
        from_table({"decks": 8})
    assert [fault.where for fault in caught.value.faults] == ["ruleset"]
    with pytest.raises(RulesError, match=r"did you mean 'ma-midi-4'\?"):
        rulebook("ma-midi-4", ruleset="ma_midi-4")
    with pytest.raises(RulesError, match="no Submission"):
        rulebook("ma-midi-5")


def test_every_fault_is_found_at_once() -> None:
    faults = faults_of("ma-midi-4", decks=5, seats=10, tie_odds=7, recut_by=None, colour="red")
    assert [fault.where for fault in faults] == ["colour", "seats", "decks", "recut_by", "tie_odds"]
    assert [fault.cites for fault in faults[1:]] == [
        ("ma-midi-4 §2(a)",),
        ("ma-midi-4 §3(a)",),
        ("ma-midi-4 §5(f)",),
        ("ma-midi-4 §12(b)",),
    ]


def test_the_king_9_example_follows_the_template() -> None:
    rules = rulebook("ma-midi-4-royal9")
    royal9, must_hit = rules.elects("royal9"), rules.elects("must_hit")
    assert royal9.combos == TEMPLATE
    assert royal9.seeds == {"star": 5000000, "spade": 35000, "heart": 35000}
    assert royal9.rates_bp == {"star": 900, "spade": 500, "heart": 500}
    assert (rules.elects("seats"), rules.elects("decks")) == (7, 8)
    assert (must_hit.start, must_hit.ceiling, must_hit.contribution) == (100000, 200000, 25)
    assert rulebook("ma-midi-1-royal9").elects("royal9").paytable == 1


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
        (MUST_HIT, {**MUST_HIT, "contribution": 0}, {**MUST_HIT, "contribution": 405}),
        (
            {},
            {**MUST_HIT, "ceiling": 100000},
            {**MUST_HIT, "ceiling": 99999},
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


def every_option() -> Iterator[Any]:
    """Each option of each edition, marked with its clauses."""
    for edition, options in OPTIONS.items():
        for key, option in options.items():
            marks = pytest.mark.clause(*option.clauses)
            yield pytest.param(edition, key, option, marks=marks, id=f"{edition}-{key}")


@pytest.mark.parametrize("edition", OPTIONS)
def test_the_options_of_an_edition_are_those_listed_here(edition: str) -> None:
    assert set(load_edition(edition).options) == set(OPTIONS[edition])


CANONICAL: dict[str, Any] = {
    repr("8 to 1"): 8,
    repr(["red", "red"]): ["red"],
    repr({"win_by_9": "30 to 1", "natural": "3 to 2"}): {"win_by_9": 30, "natural": "3 to 2"},
}
"""What is written in two ways and means one thing, so that equal Submissions have equal hashes."""


def test_equal_submissions_have_equal_hashes_however_they_are_written() -> None:
    assert len({rulebook("ma-midi-4", tie_odds=odds).hash for odds in (9, "9 to 1", "18 to 2", "9:1")}) == 1
    assert rulebook("ma-midi-4", backs=["x"]).hash == rulebook("ma-midi-4", backs=["x", "x"]).hash
    with pytest.raises(TypeError):
        rulebook("ma-midi-4").stated["decks"] = 6  # type: ignore[index]


@pytest.mark.parametrize(("edition", "key", "option"), [*every_option()])
def test_what_the_document_allows_is_elected(edition: str, key: str, option: Option) -> None:
    for value in option.good:
        rules = rulebook(edition, **{**option.beside, key: value})
        assert same(rules.elects(key), CANONICAL.get(repr(value), value)), value


@pytest.mark.parametrize(("edition", "key", "option"), [*every_option()])
def test_what_the_document_does_not_allow_is_refused_with_its_clause(edition: str, key: str, option: Option) -> None:
    for value in option.bad:
        faults = faults_of(edition, **{**option.beside, key: value})
        about = [fault for fault in faults if fault.where.split(".")[0] == key]
        assert about, value
        assert {fault.cites for fault in about} == {printed(edition, *option.clauses)}, value
        assert all(fault.say and fault.allowed for fault in about), value


@pytest.mark.parametrize(("edition", "key", "option"), [*every_option()])
def test_silence_means_what_the_document_says_or_is_a_fault(edition: str, key: str, option: Option) -> None:
    unsaid = {**option.beside, key: None}
    if option.unsaid is MUST:
        (fault,) = faults_of(edition, **unsaid)
        assert (fault.where, fault.cites) == (key, printed(edition, *option.clauses))
        assert fault.say.startswith("not stated")
        return
    if key == "dragon_bonus":
        unsaid |= {"dragon_paytable": None}
    assert same(rulebook(edition, **unsaid).elects(key), option.unsaid)


# ----------------------------------------------------------------------- options that have their place

WITHOUT_VIGORISH = {"vig_rate": 5, "vig_rounding": True, "vig_collection": "at_payout"}
ROYAL_9_BOTH = {"royal9_return_stake": True, "secondary_seed_bp": 100, "reserve_share_bp": 100}
OUT_OF_PLACE: dict[str, list[tuple[dict[str, Any], dict[str, Any]]]] = {
    "shared": [
        ({"preshuffled": False}, {"preshuffled_procedure": "P 1"}),
        ({"batch_shuffler": False}, {"batch_shuffler_procedure": "P 2"}),
        ({"house_money": False}, {"house_money_portion": [1, 2], "press_over_max": True}),
        ({"dragon_bonus": False}, {"dragon_paytable": "A"}),
        (EZ, WITHOUT_VIGORISH),
    ],
    "ma-midi-1": [({}, {**ROYAL_9_BOTH, "any_two": "own_chair", "partial_refill_to_seed": True})],
    "ma-midi-2": [({}, {**ROYAL_9_BOTH, "any_two": "own_chair", "partial_refill_to_seed": True})],
    "ma-midi-3": [({}, ROYAL_9_BOTH)],
    "ma-midi-4": [({}, ROYAL_9_BOTH), ({"free_hand": False}, {"max_consecutive_free_hands": 3})],
    NEW_JERSEY: [
        (
            {"dragon_bonus": False},
            {"bonus_base_required": True, "dragon_paytable": "A", "dragon_odds": {"win_by_9": 35}},
        ),
        ({"no_commission": "six_half"}, WITHOUT_VIGORISH),
        ({"shuffle_method": 2}, {"reshuffle_after_lace": "none"}),
        ({"reveal": "face_up"}, {"allow_other_side": True}),
        ({"disclosed_card_procedure": 2}, {"ten_value_extra": 10}),
    ],
}


def every_place() -> Iterator[Any]:
    """Each option that has a place only beside others, stated where it has none."""
    for edition in OPTIONS:
        shared = OUT_OF_PLACE["shared"] if edition in MASSACHUSETTS else []
        for beside, stated in (*shared, *OUT_OF_PLACE[edition]):
            for key, value in stated.items():
                marks = pytest.mark.clause(*OPTIONS[edition][key].clauses)
                yield pytest.param(edition, beside, key, value, marks=marks, id=f"{edition}-{key}")


@pytest.mark.parametrize(("edition", "beside", "key", "value"), [*every_place()])
def test_an_option_out_of_place_is_refused_with_its_clause(
    edition: str, beside: dict[str, Any], key: str, value: Any
) -> None:
    (fault,) = faults_of(edition, **beside, **{key: value})
    assert (fault.where, fault.cites) == (key, printed(edition, *OPTIONS[edition][key].clauses))
    assert fault.say.startswith("has no place here")


@pytest.mark.parametrize("edition", OPTIONS)
def test_the_options_with_a_place_are_those_listed_here(edition: str) -> None:
    listed = {param.values[2] for param in every_place() if param.values[0] == edition}
    assert listed == {key for key, option in load_edition(edition).options.items() if option.applies}


# --------------------------------------------------------------------- what elections demand of others


class Demand(NamedTuple):
    """Elections that cannot stand together, the option at fault, and what mends them."""

    clause: str
    broken: Mapping[str, Any]
    where: str
    mended: tuple[Mapping[str, Any], ...]


INSCRIBED = "layout_dragon7_inscription or dragon7_sign"
SHARED_DEMANDS = [
    Demand(
        "MA:2(b)(1)",
        {"dragon_bonus": True, "layout_dragon_bonus_areas": False},
        "layout_dragon_bonus_areas",
        ({"layout_dragon_bonus_areas": True}, {"dragon_bonus": False}),
    ),
    Demand(
        "MA:2(b)(2)(i)",
        {**EZ, "layout_dragon7_areas": False},
        "layout_dragon7_areas",
        ({"layout_dragon7_areas": True}, {"ez": False}),
    ),
    Demand(
        "MA:2(b)(2)(ii)",
        {**EZ, "layout_dragon7_inscription": False, "dragon7_sign": False},
        INSCRIBED,
        ({"layout_dragon7_inscription": True}, {"dragon7_sign": True}, {"ez": False}),
    ),
    Demand(
        "MA:2(b)(2)(iii)",
        {**EZ, "layout_panda8_areas": False},
        "layout_panda8_areas",
        ({"layout_panda8_areas": True}, {"ez": False}),
    ),
    Demand(
        "MA:2(b)(3)",
        {"house_money": True, "layout_house_money_areas": False},
        "layout_house_money_areas",
        ({"layout_house_money_areas": True}, {"house_money": False}),
    ),
    Demand(
        "MA:2(b)(4)",
        {"vig_collection": "deferred", "layout_numbered_areas": False},
        "layout_numbered_areas",
        ({"layout_numbered_areas": True}, {"vig_collection": "at_payout"}, {"vig_collection": None, **EZ}),
    ),
    Demand("MA:3(a).4", {"cut_card_colour": "blue"}, "cut_card_colour", ({"cut_card_colour": "green"},)),
    Demand("MA:3(a).4", {"cut_card_colour": "white"}, "cut_card_colour", ({"card_edges": "gold"},)),
]
MULTI_LEVEL_DEMANDS = [
    Demand("MA-v1-2:12(i).decks", {**MULTI_LEVEL, "decks": decks}, "decks", ({"decks": 8}, {"royal9": None}))
    for decks in (6, 7, 9)
]
KING_9_DEMANDS = [
    *(
        Demand(
            "MA-v3-4:12(i).decks",
            {**KING_9, "decks": decks},
            "decks",
            ({"decks": 6}, {"decks": 8}, {"royal9": None}),
        )
        for decks in (7, 9)
    ),
    *(
        Demand(
            "MA-v3-4:12(i).seats",
            {"royal9": king_9(combos={str(seat): combo for seat, combo in enumerate(combos, 1)}), "seats": seats},
            "seats",
            ({"royal9": king_9(6), "seats": 6}, {"royal9": king_9(7), "seats": 7}, {"royal9": None}),
        )
        for seats, combos in (
            (5, ("SH", "SD", "CH", "CD", "HS")),
            (8, (*TEMPLATE.values(), "DC")),
            (9, (*TEMPLATE.values(), "DC", "DH")),
        )
    ),
    Demand("MA-v3-4:12(j).2", {"must_hit": MUST_HIT}, "royal9", ({"must_hit": None}, KING_9)),
]
DEMANDS: dict[str, list[Demand]] = {
    "ma-midi-1": [*SHARED_DEMANDS, *MULTI_LEVEL_DEMANDS],
    "ma-midi-2": [*SHARED_DEMANDS, *MULTI_LEVEL_DEMANDS],
    "ma-midi-3": [*SHARED_DEMANDS, *KING_9_DEMANDS],
    "ma-midi-4": [*SHARED_DEMANDS, *KING_9_DEMANDS],
    NEW_JERSEY: [
        Demand("NJ:3.1(a).3", {"cut_card_colour": "blue"}, "cut_card_colour", ({"cut_card_colour": "green"},)),
        Demand("NJ:3.1(a).3", {"cut_card_colour": "white"}, "cut_card_colour", ({"card_edges": "gold"},)),
        Demand(
            "NJ:3.3(e)2",
            {"no_commission": "total_card_exempt", "total_card_wagers": False},
            "total_card_wagers",
            ({"total_card_wagers": True}, {"no_commission": None}, {"no_commission": "six_half"}),
        ),
        Demand(
            "NJ:3.3(c)2.3",
            {"vig_collection": "deferred", "layout_numbered_areas": False},
            "layout_numbered_areas",
            ({"layout_numbered_areas": True}, {"vig_collection": "at_payout"}),
        ),
    ],
}


def every_demand() -> Iterator[Any]:
    """Each demand of each edition, marked with its clause."""
    for edition, demands in DEMANDS.items():
        for number, demand in enumerate(demands):
            marks = pytest.mark.clause(demand.clause)
            yield pytest.param(edition, demand, marks=marks, id=f"{edition}-{number}-{demand.where}")


@pytest.mark.parametrize(("edition", "demand"), [*every_demand()])
def test_elections_that_cannot_stand_together_are_refused_with_their_clause(edition: str, demand: Demand) -> None:
    (fault,) = faults_of(edition, **demand.broken)
    assert (fault.where, fault.cites) == (demand.where, printed(edition, demand.clause))


@pytest.mark.parametrize(("edition", "demand"), [*every_demand()])
def test_elections_so_mended_stand_together(edition: str, demand: Demand) -> None:
    for mended in demand.mended:
        table = {**demand.broken, **mended}
        assert rulebook(edition, **table).edition.name == edition


@pytest.mark.parametrize(
    ("edition", "count"),
    {"ma-midi-1": 8, "ma-midi-2": 8, "ma-midi-3": 10, "ma-midi-4": 10, NEW_JERSEY: 3}.items(),
)
def test_the_demands_of_an_edition_are_those_listed_here(edition: str, count: int) -> None:
    assert len(load_edition(edition).constraints) == count
    assert len({demand.clause for demand in DEMANDS[edition]}) == count


# ---------------------------------------------------------------------- what an edition does not know

UNKNOWN = [
    pytest.param(edition, key, value, home, marks=pytest.mark.clause(*clauses), id=f"{edition}-{key}")
    for edition, key, value, home, clauses in [
        ("ma-midi-3", "cut_mode", "dealer_cuts", "ma-midi-4 §5(c)", ["MA-v1-3:5(c).2", "MA-v4:5(c).1"]),
        ("ma-midi-3", "burn_exposure", "face_down", "ma-midi-4 §5(e)", ["MA-v1-3:5(e).5", "MA-v4:5(e).4"]),
        ("ma-midi-3", "free_hand", True, "ma-midi-4 §7(c)", ["MA-v4:1 Free Hand", "MA-v4:7(c)"]),
        ("ma-midi-1", "free_hand", True, "ma-midi-4 §7(c)", ["MA-v4:1 Free Hand", "MA-v4:7(c)"]),
        ("ma-midi-1", "manual_shuffle_strict", True, "ma-midi-2 §5(g)(4)", ["MA-v2-4:5(g)(4)"]),
        ("ma-midi-2", "must_hit", MUST_HIT, "ma-midi-3 §12(j)", ["MA-v3-4:12(j).1"]),
        ("ma-midi-3", "any_two", "own_chair", "ma-midi-1 §12(i)", ["MA-v1-2:12(i).pay2"]),
        ("ma-midi-4", "total_card_wagers", True, "nj-punto-banco §3.2(a)4", ["MA:7(a)"]),
        ("ma-midi-4", "no_commission", "six_half", "nj-punto-banco §3.3(e)", ["MA:12(c).1"]),
        ("ma-midi-4", "dragon_odds", {"win_by_9": 35}, "nj-punto-banco §3.3(g)", ["MA:12(e).2"]),
        ("ma-midi-4", "reveal", "face_up", "nj-punto-banco §3.7(c)", ["MA:8(c).2"]),
        (NEW_JERSEY, "ez", True, "ma-midi-1 §1 EZ Baccarat", ["NJ:3.2(b).1"]),
        (NEW_JERSEY, "house_money", True, "ma-midi-1 §7(a)(7)", ["NJ:3.2(b).1"]),
        (NEW_JERSEY, "royal9", king_9(), "ma-midi-3 §12(i)", ["NJ:3.2(b).1"]),
    ]
]


@pytest.mark.parametrize(("edition", "key", "value", "home"), UNKNOWN)
def test_an_option_of_another_document_is_refused_and_its_home_named(
    edition: str, key: str, value: Any, home: str
) -> None:
    (fault,) = faults_of(edition, **{key: value})
    assert fault.where == key
    assert home in fault.cites
    assert key not in load_edition(edition).options


def test_to_deny_what_the_document_does_not_know_is_no_fault() -> None:
    assert rulebook("ma-midi-3", free_hand=False).hash == rulebook("ma-midi-3").hash


@pytest.mark.clause("MA:7(b).1")
def test_a_wager_that_is_offered_has_limits_and_another_may() -> None:
    without = {key: value for key, value in LIMITS.items() if key not in ("dragon_player", "dragon_banker")}
    assert rulebook("ma-midi-4", dragon_bonus=False, limits=without).elects("dragon_bonus") is False
    assert rulebook("ma-midi-4", dragon_bonus=False, limits=LIMITS).elects("dragon_bonus") is False
    assert [fault.where for fault in faults_of("ma-midi-4", limits=without)] == [
        "limits.dragon_banker",
        "limits.dragon_player",
    ]
    assert [fault.where for fault in faults_of("ma-midi-4", ez=True, limits=LIMITS)] == [
        "limits.dragon7",
        "limits.panda8",
    ]


@pytest.mark.clause("MA-v1-2:12(i).wager", "MA-v3-4:12(i).wager")
@pytest.mark.parametrize(("edition", "beside"), [("ma-midi-1", MULTI_LEVEL), ("ma-midi-4", KING_9)])
def test_a_wager_whose_stake_is_fixed_has_no_limits(edition: str, beside: dict[str, Any]) -> None:
    (fault,) = faults_of(edition, **beside, limits={**LIMITS, "royal9": LIMIT})
    assert (fault.where, fault.say) == ("limits.royal9", "the document fixes this wager's stake")


# ---------------------------------------------------------------------- cases from the shared vectors

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case for case in json.loads((DATA / "procedures.json").read_text(encoding="utf-8"))
}
TOPICS = ("configuration", "layout", "cover card depth")
TRANSLATED: dict[str, tuple[str, dict[str, Any]]] = {
    "P006": ("MA-v1-3:5(c).2", {"cut_mode": "dealer_cuts"}),
    "P022": ("MA-v1-3:5(e).2", {"cover_card_depth": 14}),
    "P024": ("NJ:3.5(e).2", {"cover_card_depth": 13}),
    "P026": ("MA-v4:5(e).1", {"cover_card_depth": 13}),
    "P080": ("MA:3(a).1", {"decks": 5}),
    "P081": ("MA:3(a).1", {"decks": 6}),
    "P083": ("MA:2(a).1", {"seats": 10}),
    "P084": ("MA:2(a).1", {"seats": 9}),
    "P085": ("MA-v1-2:12(i).decks", {"royal9": {"paytable": 1}, "decks": 6}),
    "P087": ("MA-v3-4:12(i).decks", {"royal9": king_9(7), "decks": 7, "seats": 7}),
    "P088": ("MA-v3-4:12(i).decks", {"royal9": king_9(6), "decks": 6, "seats": 6}),
    "P091": (
        "MA-v3-4:12(i).combos",
        {"royal9": king_9(combos={**king_9(6)["combos"], "4": "CC"}), "decks": 8, "seats": 6},
    ),
    "P092": ("MA-v3-4:12(j).2", {"must_hit": MUST_HIT, "royal9": None}),
    "P093": ("MA-v3-4:12(j).1", {"must_hit": MUST_HIT, "royal9": {"paytable": 1}, "decks": 8}),
    "P097": ("MA:2(b)(3)", {"house_money": True, "layout_house_money_areas": False}),
    "P098": ("MA:2(b)(4)", {"vig_collection": "deferred", "layout_numbered_areas": False}),
    "P100": ("MA:2(b)(4)", {"ez": True, "layout_numbered_areas": False}),
    "P104": ("NJ:3.3(b)", {"tie_odds": 7}),
    "P105": ("MA:12(c).1", {"vig_rate": 4}),
    "P107": ("NJ:3.3(c).2", {"vig_rate": 3}),
    "P108": ("NJ:3.3(e)", {"no_commission": ["six_half", "total_card_exempt"]}),
    "P113": ("MA:3(a).3", {"cut_cards": 1}),
    "P115": ("MA:3(a).2", {"backs": ["blue", "red"]}),
    "P116": ("NJ:3.6(a).1", {"backs": ["blue", "red"]}),
    "P122": ("MA:13(c).2", {"disclosed_third_card": None}),
    "P123": ("NJ:3.12(c)1.2", {"disclosed_card_procedure": 1, "ten_value_extra": 5}),
    "P191": ("MA:2(c)", {"decks": 10, "discard_rack_decks": 8}),
}
OF_ANOTHER_EDITION = ("P006", "P093")


def every_case() -> Iterator[Any]:
    """Each translated case, marked with its clause."""
    for number, (clause, _) in TRANSLATED.items():
        yield pytest.param(number, marks=pytest.mark.clause(clause), id=number)


def test_every_case_of_these_topics_is_translated() -> None:
    assert {number for number, case in CASES.items() if case["topic"] in TOPICS} == set(TRANSLATED) - {"P006"}


@pytest.mark.parametrize("number", [*every_case()])
def test_a_case_comes_out_as_expected(number: str) -> None:
    clause, changes = TRANSLATED[number]
    case = CASES[number]
    assert any(clause.startswith(ref) for ref in case["refs"])
    if case["expected"].get("valid"):
        rules = rulebook(case["ruleset"], **changes)
        assert bool(rules.warnings) is ("warning" in case["expected"])
        assert {cite for each in rules.warnings for cite in each.cites} <= {*printed(case["ruleset"], clause)}
        return
    faults = faults_of(case["ruleset"], **changes)
    assert faults[0].where.split(".")[0] in changes
    if number not in OF_ANOTHER_EDITION:
        assert set(printed(case["ruleset"], clause)) <= set(faults[0].cites)
