"""What a record says that cannot be so is told: cards beyond the tableau, results that were expected otherwise."""

from __future__ import annotations

import json
from typing import Any

import pytest

from baccarat import deal, load_edition, rulebook
from baccarat.play.record import UnreadableRecord, read, settle_record
from paths import DATA
from strategies import EDITIONS, royal9

ROUNDS: list[dict[str, Any]] = json.loads((DATA / "rounds.json").read_text(encoding="utf-8"))
RECORD: dict[str, Any] = {
    "id": "R1",
    "ruleset": "ma-midi-4",
    "cards": ["7S", "6D", "TH", "KC"],  # both stay
    "wagers": [{"seat": 3, "type": "player", "amount": 10_000}, {"seat": 5, "type": "tie", "amount": 500}],
}


def settled(**changes: Any) -> dict[str, Any]:
    """The answer to the record with these changes."""
    return settle_record(read(json.dumps({**RECORD, **changes})))


# ------------------------------------------------------------------------------------------------ cards


@pytest.mark.clause("MA:10(b)(2)", "MA:10(c)(1)")
def test_a_fifth_card_that_the_tableau_does_not_give_is_refused_with_the_rows_that_say_so() -> None:
    refused = settled(cards=[*RECORD["cards"], "2S"])["refused"]
    assert refused["code"] == "surplus_cards"
    assert refused["say"].startswith(
        "5 cards are named, and the round takes 4: Player stays on 7, Banker stays on 6, the Player having stayed"
    )
    assert {"ma-midi-4 §10(b)(2)", "ma-midi-4 §10(c)(1)"} <= set(refused["cites"])
    assert "rest_of_shoe true, or cards_left_in_shoe 1" in refused["say"]


@pytest.mark.parametrize(
    ("fields", "taken"),
    [
        ({"rest_of_shoe": True}, True),
        ({"rest_of_shoe": False}, False),
        ({"cards_left_in_shoe": 2}, True),
        ({"cards_left_in_shoe": 1}, False),
        ({"cards_left_in_shoe": 100}, False),
        ({"cards_left_in_shoe": 0}, False),
        ({}, False),
    ],
    ids=str,
)
def test_surplus_cards_are_taken_where_they_are_declared_as_the_rest_of_the_shoe(
    fields: dict[str, Any], taken: bool
) -> None:
    answer = settled(cards=[*RECORD["cards"], "2S", "3S"], **fields)
    assert ("refused" not in answer) is taken
    if taken:
        assert answer["cards_dealt"] == 4


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_card_too_many_is_an_error_of_deal_unless_the_rest_is_a_shoe(edition: str) -> None:
    rules = rulebook(edition)
    for cards in ("7s 6d Th Kc 2s", "9s 6d Th Kc 2s", "2s 7d Th Kc 5s 5d", "2s 3h Ad Jd Tc 5s 5d"):
        with pytest.raises(
            ValueError, match=rf"{len(cards.split())} cards are named.*\[{edition} §.*rest_of_shoe=True"
        ) as refused:
            deal(rules, cards)
        assert "cards_left_in_shoe" not in str(refused.value), "a field of records, which deal() does not take"
        whole = deal(rules, cards, rest_of_shoe=True)
        assert deal(rules, cards.split()[: whole.cards_dealt]) == whole


# ------------------------------------------------------------------------------------------ expectations


@pytest.mark.clause("MA:11(a).2")
def test_a_wrong_winner_is_told_with_the_clauses_that_made_the_right_one() -> None:
    answer = settled(expected={"outcome": "banker", "player_count": 7})
    (found,) = answer["differs"]
    assert (found.field, found.expected, found.answered) == ("outcome", "banker", "player")
    assert "ma-midi-4 §11(a)" in found.cites
    assert str(found).startswith('outcome: expected "banker", answered "player"  [ma-midi-4 §6(b)')


@pytest.mark.parametrize(
    ("expected", "field", "cite"),
    [
        ({"wagers": [{"net": 10_000}, {"net": 500}]}, "wagers[1].net", "ma-midi-4 §7(a)(3)(ii)"),
        ({"net_by_seat": {"5": 0}}, "net_by_seat.5", "ma-midi-4 §7(a)(3)(ii)"),
        ({"net_by_seat": {"7": 0}}, "net_by_seat.7", None),
        ({"player_hand": ["7S", "TH", "2S"]}, "player_hand", "ma-midi-4 §10(b)(2)"),
        ({"banker_hand": ["6D", "KD"]}, "banker_hand[1]", "ma-midi-4 §10(c)(1)"),
        ({"handed_to": {"player_hand": 5}}, "handed_to.player_hand", "ma-midi-4 §8(c)(1)"),
        ({"settlement": []}, "settlement", "ma-midi-4 §11(b)"),
        ({"settlement": [["collect_losing_wagers", [5]], ["pay", 3, 9_500]]}, "settlement[1][2]", "ma-midi-4 §11(b)"),
        ({"announcements": []}, "announcements", "ma-midi-4 §11(a)"),
        ({"cards_dealt": 5}, "cards_dealt", "ma-midi-4 §10(c)(1)"),
        ({"cards_dealt": 4.0}, "cards_dealt", "ma-midi-4 §10(c)(1)"),
        ({"dragon7": 0}, "dragon7", "ma-midi-4 §6(b)"),
        ({"outcom": "player"}, "outcom", None),
        ({"must_hit": {"hit": False}}, "must_hit", None),
        ({"refused": {"code": "twice"}}, "refused", None),
    ],
    ids=str,
)  # fmt: skip
def test_a_difference_names_its_field_and_the_clauses_behind_it(
    expected: dict[str, Any], field: str, cite: str | None
) -> None:
    (found,) = settled(expected=expected)["differs"]
    assert found.field == field
    assert cite in found.cites if cite else not found.cites


@pytest.mark.parametrize(
    ("expected", "cites"),
    [
        ({"handed_to": {"player_hand": 5}}, ["8(c)(1)"]),
        ({"handed_to": {"banker_hand": 5}}, ["8(d)"]),
        ({"handed_to": 5}, ["8(c)(1)", "8(d)"]),
        ({"wagers": [{"net": 1}, {}]}, ["7(a)(2)(i)", "12(a)"]),
        ({"wagers": []}, ["7(a)(2)(i)", "12(a)", "7(a)(3)(ii)"]),
        ({"announcements": [{"say": "silence"}, *[{}] * 3]}, ["8(b)"]),
    ],
    ids=str,
)
def test_a_difference_cites_the_clauses_of_its_own_part_and_no_others(
    expected: dict[str, Any], cites: list[str]
) -> None:
    (found,) = settled(expected=expected)["differs"]
    assert [cite.partition("§")[2] for cite in found.cites] == cites


def test_a_field_that_no_answer_has_is_offered_the_nearest_spelling() -> None:
    (found,) = settled(expected={"outcom": "player"})["differs"]
    assert "did you mean 'outcome'?" in str(found)


def test_a_refusal_is_compared_too() -> None:
    broken = [{"seat": 3, "type": "panda8", "amount": 500}]
    (found,) = settled(wagers=broken, expected={"outcome": "player"})["differs"]
    assert (found.field, found.answered, found.cites) == ("refused", "not_offered", ("ma-midi-4 §7(a)(6)",))
    assert "differs" not in settled(wagers=broken, expected={"refused": {"code": "not_offered"}})
    (found,) = settled(wagers=broken, expected={"refused": {"code": "twice"}})["differs"]
    assert (found.field, found.cites) == ("refused.code", ("ma-midi-4 §7(a)(6)",))


def test_nothing_expected_is_nothing_compared() -> None:
    assert "differs" not in settled(expected=None)
    assert "differs" not in settled(expected={})
    wrong: tuple[Any, ...] = ("player", 7, [], True)
    for expected in wrong:
        with pytest.raises(UnreadableRecord, match="expected: not an object"):
            settled(expected=expected)


@pytest.mark.parametrize("case", ROUNDS, ids=lambda case: case["id"])
@pytest.mark.slow
def test_every_vector_agrees_with_what_it_expects_and_with_nothing_else(case: dict[str, Any]) -> None:
    assert "differs" not in settle_record(read(json.dumps(case)))
    for field, value in case["expected"].items():
        other = {"outcome": "tie"} if value == "player" else {**case["expected"], field: ["something else"]}
        assert settle_record(read(json.dumps({**case, "expected": other})))["differs"], field


def test_what_the_documents_leave_free_is_no_difference() -> None:
    calls = [{"say": "No More Bets"}, *settled()["announcements"][1:]]
    assert "differs" not in settled(expected={"announcements": calls})
    wagers = [{"seat": seat, "type": "tie", "amount": 500} for seat in (1, 2, 3)]
    losers = [["collect_losing_wagers", [1, 3, 2]]]
    assert "differs" not in settled(wagers=wagers, expected={"settlement": losers})


def test_an_award_may_come_before_or_after_the_pay_of_its_own_seat_and_no_other() -> None:
    def differing(*steps: list[Any]) -> list[str]:
        wagers = [
            {"seat": seat, "type": kind, "amount": amount}
            for seat in (2, 5)
            for kind, amount in (("player", 2_500), ("royal9", 500))
        ]
        made = {"cards": ["QS", "4D", "9D", "2C"], "options": {"royal9": royal9("ma-midi-4")}, "wagers": wagers}
        return [each.field for each in settled(**made, expected={"settlement": [*steps]}).get("differs", ())]

    pay_5, award_5 = ["pay", 5, 2_500], ["royal9_award", 5, "Any Royal 9", 2_500]
    pay_2, award_2 = ["pay", 2, 2_500], ["royal9_award", 2, "Any Royal 9", 2_500]
    assert differing(pay_5, award_5, pay_2, award_2) == []
    assert differing(award_5, pay_5, pay_2, award_2) == []
    assert differing(pay_5, award_5, award_2, pay_2) == []
    assert differing(award_5, pay_5, award_2, pay_2) == []
    assert differing(pay_2, award_2, pay_5, award_5)
    assert differing(pay_5, pay_2, award_5, award_2)
    assert differing(pay_5, award_2, pay_2, award_5)
    assert differing(pay_5, award_5, pay_2, ["royal9_award", 2, "Any Royal 9", 2_400])


# ---------------------------------------------------------------------------------------------- clauses


@pytest.mark.parametrize("case", ROUNDS, ids=lambda case: case["id"])
@pytest.mark.slow
def test_every_decision_of_a_settled_record_has_its_clauses(case: dict[str, Any]) -> None:
    for edition in case["valid_for"]:
        answer = settle_record(read(json.dumps({**case, "ruleset": edition})))
        cites = answer["cites"]
        for field in ("wagers", "settlement", "announcements", "house_money_steps"):
            assert len(cites.get(field, [])) == len(answer.get(field, [])), field
        assert ("handed_to" in cites) is ("handed_to" in answer)
        for field in ("meters_after_round", "must_hit", "returned"):
            assert (field in cites) is (field in answer)
        law = load_edition(edition)
        assert set(_all(cites)) <= set(law.cite_text(*law.clauses))


def _all(node: Any) -> list[str]:
    if isinstance(node, str):
        return [node]
    assert node != (), "no decision is without a clause"
    parts = list(node.values()) if isinstance(node, dict) else list(node)
    return [cite for part in parts for cite in _all(part)]


@pytest.mark.clause("MA:7(a)(1)(i)", "MA:12(c).1", "MA:12(d)(1)")
def test_the_lines_and_acts_of_a_settled_record_name_their_clauses() -> None:
    answer = settled(
        cards=["2S", "3H", "AD", "JD", "TC", "5S"], wagers=[{"seat": 3, "type": "banker", "amount": 10_300}]
    )
    assert answer["cites"]["wagers"] == [("ma-midi-4 §7(a)(1)(i)", "ma-midi-4 §12(c)")]
    assert answer["cites"]["settlement"][0] == ("ma-midi-4 §12(d)(1)",)
    assert "ma-midi-4 §10(b)(1)" in answer["cites"]["player_hand"]
    assert "ma-midi-4 §10(c)(2)(iii)" in answer["cites"]["banker_hand"]
    assert answer["cites"]["handed_to"]["player_hand"] == ("ma-midi-4 §8(d)",)


def test_answers_share_nothing_that_can_be_changed() -> None:
    first = settled()
    first["announcements"][0]["say"] = "place your bets"
    first["cites"]["outcome"] = ()
    assert settled()["announcements"][0] == {"say": "no more bets"}
    assert settled()["cites"]["outcome"]
