"""Differences between the editions: generated ones against a reviewed list, and the chief facts in code.

`data/differences.json` was read line by line against the documents. When an edition changes, the first test
prints the lines to review; what is right goes into the file by hand.
"""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.law.clause import clauses_of
from baccarat.law.clause_pairs import pair_clauses
from baccarat.law.difference import DifferenceKind, EditionDifference, differences, summary
from baccarat.law.edition import Edition, build, load_edition, read_table, shipped_editions
from edition_name import ALL, FOUR, NJ, ONE, THREE, TWO
from paths import DATA

REVIEWED: dict[str, list[dict[str, Any]]] = json.loads((DATA / "differences.json").read_text(encoding="utf-8"))
PAIRS = list(combinations(ALL, 2))


def places(a: Edition, b: Edition) -> set[str]:
    """The places, clauses aside, in which two editions differ."""
    return {found.place for found in differences(a, b) if not found.place.startswith("clause ")}


# -------------------------------------------------------------------------------------------- the list


@pytest.mark.parametrize("pair", REVIEWED)
def test_the_generated_differences_are_the_reviewed_ones(pair: str) -> None:
    left, right = map(load_edition, pair.split())
    generated = [json.loads(msgspec.json.encode(found)) for found in differences(left, right)]
    reviewed = [{**found, "cites": list(found["cites"])} for found in REVIEWED[pair]]
    assert [found for found in generated if found not in reviewed] == []
    assert [found for found in reviewed if found not in generated] == []
    assert generated == reviewed


def test_the_reviewed_pairs() -> None:
    assert list(REVIEWED) == [
        "ma-midi-1 ma-midi-2",
        "ma-midi-2 ma-midi-3",
        "ma-midi-3 ma-midi-4",
        "ma-midi-4 nj-punto-banco",
    ]


@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_an_edition_does_not_differ_from_itself(edition: Edition) -> None:
    assert differences(edition, edition) == ()
    assert differences(edition, build(read_table(edition.name))) == ()


@pytest.mark.slow
@pytest.mark.parametrize(("left", "right"), PAIRS, ids=[f"{left.name}-{right.name}" for left, right in PAIRS])
def test_differences_are_the_same_places_in_either_direction(left: Edition, right: Edition) -> None:
    there, back = differences(left, right), differences(right, left)
    turned = {DifferenceKind.ADDED: DifferenceKind.DELETED, DifferenceKind.DELETED: DifferenceKind.ADDED}
    assert {(found.place, found.change) for found in there if not found.is_clause} == {
        (found.place, turned.get(found.change, found.change)) for found in back if not found.is_clause
    }
    assert {(found.left, found.right, found.change) for found in there if found.is_clause} == {
        (found.right, found.left, turned.get(found.change, found.change)) for found in back if found.is_clause
    }
    for way in (there, back):
        assert len({(found.place, found.change) for found in way}) == len(way)
        assert all((found.left != found.right) or found.change is DifferenceKind.MOVED for found in way)
        assert all(found.cites for found in way)


def test_a_difference_prints_in_one_line() -> None:
    (found,) = [each for each in differences(THREE, FOUR) if each.place == "cut.direction"]
    assert str(found).startswith("cut.direction: counterclockwise → clockwise [ma-midi-3 §")


# ----------------------------------------------------------------------------- between any two editions


def home_made(**changes: Any) -> dict[str, Any]:
    """The table of an edition of one's own, copied from a shipped one with its clauses."""
    table = read_table("ma-midi-4")
    clauses = {key: clause.requirement for key, clause in clauses_of("ma-midi-4").items()}
    return {**table, "name": "club-1", "title": "Club rules", "clause": clauses, **changes}


def test_a_copy_under_another_name_is_the_same_law() -> None:
    assert differences(FOUR, build(home_made())) == ()


def test_an_edition_of_ones_own_is_compared_as_any_other() -> None:
    table = home_made()
    table["option"]["tie_odds"]["at_least"] = 9
    table["pays"]["tie"]["at_least"] = "9 to 1"
    table["clause"]["12(b)"] = "Tie wagers pay nine to one or better."
    assert differences(FOUR, build(table)) == (
        EditionDifference("option.tie_odds", "at_least 8", "at_least 9", ("ma-midi-4 §12(b)", "club-1 §12(b)")),
        EditionDifference("pays.tie.at_least", "8 to 1", "9 to 1", ("ma-midi-4 §12(b)", "club-1 §12(b)")),
        EditionDifference(
            "clause 12(b)",
            clauses_of("ma-midi-4")["12(b)"].requirement,
            "Tie wagers pay nine to one or better.",
            ("ma-midi-4 §12(b)", "club-1 §12(b)"),
        ),
    )


def test_a_row_is_compared_by_what_it_says_not_by_where_it_stands() -> None:
    table = home_made()
    table["tableau"] = table["tableau"][::-1]
    table["constraint"] = table["constraint"][::-1]
    table["wager"]["tie"]["rules"] = table["wager"]["tie"]["rules"][::-1]
    assert differences(FOUR, build(table)) == ()
    (row,) = [row for row in table["tableau"] if row.get("holds") == [6] and row["act"] == "draw"]
    (rest,) = [row for row in table["tableau"] if row.get("holds") == [6] and row["act"] == "stay"]
    row["third"], rest["third"] = [6], [0, 1, 2, 3, 4, 5, 7, 8, 9]
    (found,) = differences(FOUR, build(table))
    assert found.place == "tableau"
    assert found.left.startswith("hand banker, natural false, third [6, 7], holds [6], act draw; ")
    assert "third [6], holds [6], act draw" in found.right
    assert "ma-midi-4 §10 Table 1" in found.cites


def test_where_order_is_law_it_is_compared() -> None:
    table = home_made()
    first, second, *others = table["royal9"]["ladder"]
    table["royal9"]["ladder"] = [second, first, *others]
    table["call"] = [table["call"][1], table["call"][0], *table["call"][2:]]
    assert places(FOUR, build(table)) == {"call order", "royal9.ladder order"}


def test_a_citation_alone_is_no_difference_but_another_paragraph_is() -> None:
    table = home_made()
    table["cut"]["cite"] = ["5(d)", "5(f).1"]
    table["option"]["decks"]["cite"] = "3(a).2"
    table["tableau"][0]["cite"] = "10(b)"
    table["royal9"]["chairs_cite"] = "12(j).1"
    table["reveal"]["player_cite"] = "8(d).1"
    assert [(found.place, found.left, found.right) for found in differences(FOUR, build(table))] == [
        ("cut", "5(d)", "5(d), 5(f)"),
        ("reveal.player", "8(c)(1)", "8(d)"),
        ("tableau", "10(a)", "10(b)"),
        ("royal9.chairs", "12(i)", "12(j)"),
    ]


def test_a_section_that_only_one_has_is_one_difference() -> None:
    table = home_made()
    del table["free_hand"]
    assert differences(FOUR, build(table)) == (
        EditionDifference(
            "free_hand", "offered free_hand", "–", ("ma-midi-4 §1 Free Hand", "ma-midi-4 §7(c)"), DifferenceKind.DELETED
        ),
    )


def test_no_edition_is_named_in_the_comparison() -> None:
    import baccarat.law.difference  # noqa: PLC0415

    source = Path(baccarat.law.difference.__file__).read_text(encoding="utf-8")
    assert not [name for name in shipped_editions() if name in source]


# ---------------------------------------------------------------------------------- clauses accounted for


@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_every_clause_is_bound_pending_or_physical_and_only_one_of_them(edition: Edition) -> None:
    bound = {clause for clause, _ in edition.bindings()}
    pending = [clause for clauses in edition.pending.values() for clause in clauses]
    physical = list(edition.physical)
    accounted = [*bound, *pending, *physical]
    assert len(accounted) == len(set(accounted))
    assert set(accounted) == set(edition.clauses)
    assert all(how.startswith("not recorded: ") for how in edition.physical.values())


# ------------------------------------------------------------------------------- what changed, and where


def test_the_second_edition_adds_the_manual_shuffle() -> None:
    assert places(ONE, TWO) == {"manual_shuffle", "option.manual_shuffle_strict"}
    added = [found.place for found in differences(ONE, TWO) if found.left == "–"]
    assert added[2:] == ["clause 5(g)", *(f"clause 5(g)({n})" for n in range(1, 6))]
    assert len(differences(ONE, TWO)) == len(added) == 8


def test_the_third_edition_changes_the_progressive_and_nothing_else() -> None:
    assert places(TWO, THREE) == {
        "constraint",
        "must_hit",
        "option.any_two",
        "option.must_hit",
        "option.partial_refill_to_seed",
        "option.royal9",
        "royal9.chairs",
        "royal9.courts",
        "royal9.ladder",
        "royal9.meter",
        "step.must_hit",
    }
    assert {found.place[:12] for found in differences(TWO, THREE) if found.place.startswith("clause")} == {
        "clause 12(i)",
        "clause 12(j)",
    }


def test_the_fourth_edition_changes_cut_burn_and_free_hand_and_nothing_else() -> None:
    assert places(THREE, FOUR) == {
        "burn.exposed",
        "cut.direction",
        "free_hand",
        "no_more_bets",
        "option.burn_exposure",
        "option.cover_card_depth",
        "option.cut_mode",
        "option.free_hand",
        "option.last_curator_as_last_cutter",
        "option.max_consecutive_free_hands",
        "step.cover_card",
        "step.cut",
        "step.cut 2",
        "step.load",
        "step.offer_cut",
    }
    clauses = [found.place.removeprefix("clause ") for found in differences(THREE, FOUR) if found.is_clause]
    assert {key.split(".")[0] for each in clauses for keys in each.split(" → ") for key in keys.split(", ")} == {
        "1 Free Hand", "5(c)", "5(e)", "7(a)(6)(i)", "7(a)(6)(ii)", "7(c)", "7(d)",
    }  # fmt: skip


def test_new_jersey_differs_where_the_comparison_says() -> None:
    found = places(FOUR, NJ)
    assert {
        "burn.exposed",
        "call",
        "cut.at_least",
        "option.bonus_base_required",
        "option.cover_card_depth",
        "option.disclosed_card_procedure",
        "option.disclosed_third_card",
        "option.dragon_odds",
        "option.no_commission",
        "option.reveal",
        "option.seats",
        "option.settlement_option",
        "option.shuffle_method",
        "option.vig_rate",
        "pays.banker_six",
        "pays.total",
        "reveal.style",
        "settlement.procedure",
        "settlement.sweeps",
        "tableau restored",
        "verbal.confirmed_by",
        "vigorish.coins.4",
        "vigorish.exempt",
        "void.next",
        "wager.banker",
        *(f"wager.{name}" for name in ("dragon7", "panda8", "house_money", "royal9", "total4", "total5", "total6")),
    } <= found
    assert not found & {
        "cut.direction",
        "definition.natural",
        "deal",
        "match_play",
        "pays.player.shall",
        "pays.tie.at_least",
        "point_count.value",
        "tableau",
        "wager.dragon_bonus",
        "wager.player",
        "wager.tie",
    }
    told = summary(FOUR, NJ)
    assert told.alike == 0
    assert told.clauses[DifferenceKind.RESTATED] > 40, (
        "the two documents say much alike, each in its own words and numbers"
    )


# --------------------------------------------------------------------------------- paired by what is ruled


def test_the_clause_that_says_it_is_cited() -> None:
    """The order of the offer is said by (c); (d), where it was looked for, says how deep the cut is."""
    found = {each.place: each.cites for each in differences(THREE, FOUR)}
    assert found["cut.direction"] == ("ma-midi-3 §5(c)", "ma-midi-4 §5(c)")
    found = {each.place: each.cites for each in differences(FOUR, NJ)}
    assert found["cut.at_least"] == ("ma-midi-4 §5(d)", "nj-punto-banco §3.5(d)")
    assert found["cut.last_curator_first"] == ("nj-punto-banco §3.5(c)",)
    assert found["vigorish.coins.4"] == ("nj-punto-banco §3.3(c)1",)


def test_clauses_are_paired_by_what_they_rule_not_by_their_number() -> None:
    found = {each.place.removeprefix("clause "): each for each in differences(THREE, FOUR) if each.is_clause}
    assert found["7(c) → 7(d)"].change is DifferenceKind.RESTATED
    assert found["5(e).6 → 5(e).3"].change is DifferenceKind.RESTATED
    assert found["5(c).2"].change is DifferenceKind.CHANGED
    assert found["7(c)"].change is DifferenceKind.ADDED
    across = {each.place.removeprefix("clause "): each.change for each in differences(FOUR, NJ) if each.is_clause}
    assert across["12(a) → 3.3(a)"] is DifferenceKind.MOVED, "word for word under another number"
    assert across["7(a)(3)(i), 7(a)(3)(ii) → 3.2(a)3"] is DifferenceKind.RESTATED
    assert across["5(d) → 3.5(d)"] is DifferenceKind.CHANGED
    assert across["12(f)"] is DifferenceKind.DELETED
    assert across["3.3(f) Four"] is DifferenceKind.ADDED


def test_a_clause_that_only_moves_is_told_so() -> None:
    table = home_made()
    table["clause"]["5(h)"] = table["clause"].pop("5(d)")
    table["cut"]["cite"] = table["option"]["electronic_cut"]["cite"] = "5(h)"
    for row in table["step"]:
        row["cite"] = ["5(h)" if key == "5(d)" else key for key in ([row["cite"]] if isinstance(row["cite"], str)
                                                                    else row["cite"])]  # fmt: skip
    found = {each.place: each.change for each in differences(FOUR, build(table))}
    moved = ("option.electronic_cut", "cut", "step.cut", "step.cut 2", "clause 5(d) → 5(h)")
    assert found == dict.fromkeys(moved, DifferenceKind.MOVED)


@pytest.mark.slow
@pytest.mark.parametrize("left", ALL, ids=shipped_editions())
@pytest.mark.parametrize("right", ALL, ids=shipped_editions())
def test_every_clause_is_told_once(left: Edition, right: Edition) -> None:
    found = pair_clauses(left, right)
    ours = [*found.alike, *found.deleted, *(one for one, _ in (*found.moved, *found.changed)),
            *(key for keys, _ in found.restated for key in keys)]  # fmt: skip
    theirs = [*found.alike, *found.added, *(two for _, two in (*found.moved, *found.changed)),
              *(key for _, keys in found.restated for key in keys)]  # fmt: skip
    assert sorted(ours) == sorted(left.clauses)
    assert sorted(theirs) == sorted(right.clauses)


def test_the_summary_counts_what_is_listed() -> None:
    told, listed = summary(THREE, FOUR), differences(THREE, FOUR)
    assert sum(told.law.values()) + sum(told.clauses.values()) == len(listed)
    assert told.alike == 187
    assert summary(FOUR, FOUR).clauses == dict.fromkeys(DifferenceKind, 0)


@pytest.mark.clause("MA-v1-3:5(c).2", "MA-v4:5(c).2", "NJ:3.5(c).2")
def test_5_c_a_difference_cites_the_clause_that_says_it() -> None:
    (turned,) = [found for found in differences(THREE, FOUR) if found.place == "cut.direction"]
    assert turned.cites == ("ma-midi-3 §5(c)", "ma-midi-4 §5(c)"), "5(d) says how deep, not in which direction"
    (first,) = [found for found in differences(FOUR, NJ) if found.place == "cut.last_curator_first"]
    assert first.cites == ("nj-punto-banco §3.5(c)",)


def test_clauses_that_speak_of_different_things_are_no_pair() -> None:
    """The number of seats and the seat that is offered the shoe first stand at one place of the law."""
    across = {each.place.removeprefix("clause "): each.change for each in differences(FOUR, NJ) if each.is_clause}
    assert across["2(a).1"] is DifferenceKind.DELETED
    assert across["3.6(b).1"] is DifferenceKind.ADDED
    assert across["2(a).2"] is DifferenceKind.DELETED, "physical both, and of different things"
    assert across["8(c)(4) → 3.7(d)3"] is DifferenceKind.CHANGED


def test_what_became_an_option_is_one_changed_clause_not_one_deleted_and_one_added() -> None:
    """The fourth edition lets the house show the burned cards, which the third demanded: one point, at two places."""
    found = {each.place.removeprefix("clause "): each.change for each in differences(THREE, FOUR) if each.is_clause}
    assert found["5(e).5 → 5(e).4"] is DifferenceKind.CHANGED
    across = {each.place.removeprefix("clause "): each.change for each in differences(FOUR, NJ) if each.is_clause}
    for pair in ("5(a).1 → 3.5(a)", "13(c)(1) → 3.12(c)2", "13(c)(2) → 3.12(c)3"):
        assert across[pair] is DifferenceKind.CHANGED
    assert across["8(d).2"] is DifferenceKind.DELETED, "who may turn the cards"
    assert across["3.11(b)"] is DifferenceKind.ADDED, "who takes the shoe, in much the same words"
    assert across["12(e) row Win by 7"] is DifferenceKind.DELETED, "figures alone make no pair"


def test_a_remedy_that_is_elected_by_another_word_is_moved() -> None:
    (moved,) = [each for each in differences(FOUR, NJ) if each.place == "error_card.third_seen.choices"]
    assert moved.change is DifferenceKind.MOVED
    assert moved.left == "discard_two {remedy discard_two}, simulated_round {remedy simulated_round}"
    assert moved.right == "2 {remedy discard_two}, 3 {remedy simulated_round}"
    assert moved.cites == (
        "ma-midi-4 §13(c)(1)", "ma-midi-4 §13(c)(2)", "nj-punto-banco §3.12(c)2", "nj-punto-banco §3.12(c)3",
    )  # fmt: skip
    added = {each.place for each in differences(FOUR, NJ) if each.change is DifferenceKind.ADDED}
    assert "error_card.third_seen.choices.1" in added
    assert "error_card.third_seen.choices.2" not in added


def test_an_entry_under_another_name_is_moved() -> None:
    table = home_made()
    table["wager"]["draw"] = table["wager"].pop("tie")
    for wager in table["wager"].values():
        if "base" in wager:
            wager["base"]["wagers"] = ["draw" if name == "tie" else name for name in wager["base"]["wagers"]]
    found = [each for each in differences(FOUR, build(table)) if each.place == "wager"]
    assert [each.change for each in found] == [DifferenceKind.MOVED]
    assert found[0].left.startswith("tie {Tie (")
    assert found[0].right.startswith("draw {Tie (")


def test_options_of_one_form_that_mean_different_things_are_no_pair() -> None:
    """Most options are no more than a choice between yes and no: alike in law, and not at all in meaning."""
    found = {each.place: each.change for each in differences(FOUR, NJ)}
    assert "option" not in found
    assert found["option.free_hand"] is DifferenceKind.DELETED
    assert found["option.total_card_wagers"] is DifferenceKind.ADDED
