"""The test vectors: 80 rounds under every edition they hold for, the draw table, and the procedures of a round."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from baccarat.cards import Card
from baccarat.law.rulebook import rulebook
from baccarat.play.coup import deal
from clause_marks import bearing, paragraphs
from paths import DATA
from strategies import EDITIONS, alike, answer, line, played, record, refusal_of, royal9, wager

ROUNDS: list[dict[str, Any]] = json.loads((DATA / "rounds.json").read_text(encoding="utf-8"))
THIRD_CARD: dict[str, list[dict[str, Any]]] = json.loads((DATA / "third-card.json").read_text(encoding="utf-8"))
PROCEDURES: dict[str, dict[str, Any]] = {
    case["id"]: case for case in json.loads((DATA / "procedures.json").read_text(encoding="utf-8"))
}


# --------------------------------------------------------------------------------------------- rounds


@pytest.mark.parametrize(
    ("case", "edition"),
    [
        pytest.param(case, edition, id=f"{case['id']}-{edition}", marks=bearing(case["refs"], edition))
        for case in ROUNDS
        for edition in case["valid_for"]
    ],
)
def test_a_round_is_settled_as_the_vector_says(case: dict[str, Any], edition: str) -> None:
    given = {key: value for key, value in case.items() if key not in ("expected", "valid_for", "title", "refs")}
    told = answer({**given, "ruleset": edition})
    assert alike(told) == alike({"id": case["id"], **case["expected"]})


def test_a_record_may_carry_its_title_its_references_and_what_is_expected() -> None:
    assert answer(ROUNDS[0])["outcome"] == ROUNDS[0]["expected"]["outcome"]


def test_every_reference_of_a_vector_names_a_clause_of_its_edition() -> None:
    for case in [*ROUNDS, *PROCEDURES.values()]:
        for edition in case.get("valid_for", []):
            assert all(paragraphs(case["refs"], edition)), (case["id"], edition)


def test_80_rounds_are_there() -> None:
    assert len(ROUNDS) == 80
    assert sum(len(case["valid_for"]) for case in ROUNDS) == 226


# ----------------------------------------------------------------------------------------- third card

BANKER_CLAUSES = (
    "MA:10(c)", "MA:10(c)(1)", "MA:10(c)(2)(i)", "MA:10(c)(2)(ii)", "MA:10(c)(2)(iii)", "MA:10 Table1 0-2",
    "MA:10 Table1 3", "MA:10 Table1 4", "MA:10 Table1 5", "MA:10 Table1 6", "MA:10 Table1 7",
    "NJ:3.9(c) [missing]", "NJ:3.9(d)", "NJ:3.9(e)", "NJ:3.9(f)",
)  # fmt: skip
CODE_OF = {0: "KS", 1: "AS", **{pips: f"{pips}S" for pips in range(2, 10)}}


@pytest.mark.clause(*BANKER_CLAUSES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_banker_cell_of_the_draw_table(edition: str) -> None:
    rules = rulebook(edition)
    for cell in THIRD_CARD["banker"]:
        held, third = cell["banker_two_card"], cell["player_third"]
        player = ("4H", "2H") if third is None else ("KH", "QH")
        shoe = [player[0], CODE_OF[held], player[1], "TD", "KC" if third is None else CODE_OF[third], "KD"]
        coup = deal(rules, map(Card.parse, shoe), rest_of_shoe=True)
        assert (len(coup.banker) == 3) is cell["banker_draws"], cell
    assert len(THIRD_CARD["banker"]) == 8 * 11


@pytest.mark.clause("MA:10(a)", "MA:10(b)", "MA:10(b)(1)", "MA:10(b)(2)", "NJ:3.9(a) [missing]", "NJ:3.9(b) [missing]")
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_player_cell_of_the_draw_table(edition: str) -> None:
    rules = rulebook(edition)
    for cell in THIRD_CARD["player"]:
        for banker in ("8H", "9H") if cell["banker_natural"] else ("7H", "KH"):
            shoe = [CODE_OF[cell["player_two_card"]], banker, "TC", "TD", "KC", "KD"]
            coup = deal(rules, map(Card.parse, shoe), rest_of_shoe=True)
            assert (len(coup.player) == 3) is cell["player_draws"], cell


# ----------------------------------------------------------------------------------------- procedures

TOPICS = (
    "wager admissibility", "limits", "match play", "must hit", "free hand", "verbal wager", "void round",
    "no wager on a hand",
)  # fmt: skip
PLAYER_WINS, BANKER_WINS, TIE = "9S 7D TH KC", "7S 9D TH KC", "7S 7D TH KC"
EVENTS = {"player": PLAYER_WINS, "banker": BANKER_WINS, "tie": TIE}


def _accepted(made: dict[str, Any]) -> dict[str, Any]:
    told = answer(made)
    if "refused" in told:
        refusal_of(made)
    return {"accepted": "refused" not in told}


def _verbal(case: dict[str, Any]) -> dict[str, Any]:
    made = record(case["ruleset"], BANKER_WINS)
    made["wagers"] = [{**wager("1 banker 2500"), "verbal": case["given"]}]
    return _accepted(made)


def _free_hand(case: dict[str, Any]) -> dict[str, Any]:
    placed = ["1 banker 2500"] * case["given"]["wagers"]
    made = record(case["ruleset"], BANKER_WINS, *placed, free_hand=case["given"]["option"])
    return _accepted({**made, "kind": "free_hand"})


def _one(*placed: str, **options: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """These wagers under these elections: accepted or not."""
    return lambda case: _accepted(record(case["ruleset"], BANKER_WINS, *placed, **options))


def _match_play(case: dict[str, Any]) -> dict[str, Any]:
    given = case["given"]
    placed = f"{given['seat']} {given['wager']} {given['chips']} coupon={given['coupon']}"
    found = line(played(case["ruleset"], EVENTS[given["outcome"]], placed), given["wager"], given["seat"])
    return {key: found[key] for key in case["expected"]}


def _must_hit(case: dict[str, Any]) -> dict[str, Any]:
    given, ruleset = case["given"], case["ruleset"]
    law = {"start": 100_000, "ceiling": 250_000, "contribution": 25}
    placed = [text for seat in given["participants"] for text in (f"{seat} player 2500", f"{seat} royal9 500")]
    made = record(ruleset, BANKER_WINS, "1 banker 2500", *placed, royal9=royal9(ruleset), must_hit=law)
    made["must_hit"] = {"meter": given["meter"], "trigger": given["hidden_trigger"]}
    return {"hit": answer(made)["must_hit"]["hit"], "note": case["expected"]["note"]}


def _ran_out(case: dict[str, Any]) -> dict[str, Any]:
    """Player 5 draws, Banker 5 must draw against a 4: the sixth card is not there."""
    wagers = case["given"]["wagers"]
    placed = [f"{seat} {kind} {cents}" for seat, kinds in wagers.items() for kind, cents in kinds.items()]
    ruleset = case["ruleset"]
    offered = {"royal9": royal9(ruleset)} if any("royal9" in text for text in placed) else {}
    made = record(ruleset, "2S 2D 3H 3C 4S", *placed, **offered)
    told = answer({**made, "cards_left_in_shoe": 0})
    rules = rulebook(ruleset)
    found = {"round": told["outcome"], "returned": told["returned"], "next": rules.edition.void.next}
    return {key: found[key] for key in case["expected"]}


def _other_side(case: dict[str, Any]) -> dict[str, Any]:
    placed = [f"{seat} {kind} 2500" for seat, kind in case["given"]["wagers"].items()]
    told = played(case["ruleset"], BANKER_WINS, *placed, **{case["given"]["option"]: True})
    return {"player_hand_may_be_turned_by": [told["handed_to"]["player_hand"]]}


POSTED = {"min": 2_500, "max": 500_000, "increment": 100}

TRANSLATED: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "P050": _other_side,
    "P061": _verbal,
    "P064": _verbal,
    "P066": _free_hand,
    "P067": _free_hand,
    "P070": _one("1 panda8 500", ez=False),
    "P071": _one("1 total5 500"),
    "P074": _one("1 player 2500", "1 royal9 1000", royal9=royal9("ma-midi-1")),
    "P075": _one("1 royal9 500", royal9=royal9("ma-midi-4")),
    "P076": _one("1 dragon_player 500", bonus_base_required=True),
    "P079": _one("1 player 2500", "1 house_money 500 press=banker"),
    "P156": _ran_out,
    "P169": _must_hit,
    "P177": _match_play,
    "P179": _match_play,
    "P180": _ran_out,
    "P183": _one("1 player 2000", limits={"player": POSTED, "banker": POSTED, "tie": POSTED}),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=bearing(PROCEDURES[name]["refs"], PROCEDURES[name]["ruleset"])) for name in TRANSLATED],
)
def test_a_procedure_of_the_round_goes_as_the_vector_says(name: str) -> None:
    case = PROCEDURES[name]
    assert TRANSLATED[name](case) == case["expected"]


def test_every_procedure_that_a_round_decides_is_translated() -> None:
    of_topics = {name for name, case in PROCEDURES.items() if case["topic"] in TOPICS}
    assert of_topics | {"P156"} == set(TRANSLATED)
    assert len(PROCEDURES) == 96
