"""Sections 7(a)(7) and 8(c)(3): House Money, settled before third cards and pressed onto the main wager."""

from __future__ import annotations

from typing import Any

import pytest

from strategies import (
    MASSACHUSETTS,
    cited,
    line,
    played,
    refused,
)

each_of_massachusetts = pytest.mark.parametrize("edition", MASSACHUSETTS)
clause = pytest.mark.clause

LIMIT = {"min": 2_500, "max": 500_000, "increment": 100}
LIMITS = {"player": LIMIT, "banker": LIMIT, "tie": LIMIT}


def result(told: dict[str, Any], kind: str, seat: int = 1) -> str:
    """How a wager ended."""
    return str(line(told, kind, seat)["result"])


NO_PAIR, PLAYER_PAIR, BANKER_PAIR = "4S KD 5H QC", "QS 7D QH KC 8S", "2S 3D 4H 3C"
BOTH_PAIR = "4S 4D 4H 4C"


@clause("MA:7(a)(7)", "MA:7(a)(7)(i)", "MA:7(a)(7)(ii)")
@each_of_massachusetts
def test_7_a_7_house_money_wins_on_a_pair_in_either_opening_hand(edition: str) -> None:
    for cards, win in ((NO_PAIR, 0), (PLAYER_PAIR, 1500), (BANKER_PAIR, 1500), (BOTH_PAIR, 7500)):
        told = played(edition, cards + " 9S 9H", "1 house_money 500")
        assert result(told, "house_money") == ("win" if win else "lose")
        assert line(told, "house_money")["win"] == win
    third = played(edition, "2S 7D 3H KC 3S", "1 house_money 500")
    assert result(third, "house_money") == "lose", "a third card makes no pair"
    tens = played(edition, "TS 7D KH 9C 3S", "1 house_money 500")
    assert result(tens, "house_money") == "lose", "of one value, but not of one rank"
    alike_cards = played(edition, "QS 7D QS KC 8S", "1 house_money 500")
    assert result(alike_cards, "house_money") == "win"


@clause("MA:7(a)(7)", "MA:7(a)(7)(i)", "MA:7(a)(7)(ii)")
@each_of_massachusetts
def test_7_a_7_house_money_is_taken_where_it_is_offered_and_cites_its_case(edition: str) -> None:
    assert refused(edition, NO_PAIR, "1 house_money 500", house_money=False)["code"] == "not_offered"
    assert "7(a)(7)(i)" in cited(edition, PLAYER_PAIR, "house_money", house_money=True)
    assert "7(a)(7)(ii)" in cited(edition, NO_PAIR, "house_money", house_money=True)


@clause("MA:8(c)(3)", "MA:8(c)(3)(i)", "MA:8(c)(3)(ii)")
@pytest.mark.parametrize(("seat_one", "order"), [("dealer_left", [8, 5, 1]), ("dealer_right", [1, 5, 8])])
@each_of_massachusetts
def test_8_c_3_house_money_is_settled_from_the_dealers_right_before_third_cards(
    edition: str, seat_one: str, order: list[int]
) -> None:
    placed = ("5 house_money 100", "1 house_money 200", "8 house_money 300")
    lost = played(edition, NO_PAIR, *placed, seat_one=seat_one)
    stakes = {5: 100, 1: 200, 8: 300}
    assert lost["house_money_steps"] == [["collect", seat, stakes[seat]] for seat in order]
    won = played(edition, PLAYER_PAIR, *placed, seat_one=seat_one)
    kept = [["pay", s, 3 * stakes[s], {"to_player": 3 * stakes[s], "to_wager": 0, "wager": None}] for s in order]
    assert won["house_money_steps"] == kept
    assert (lost["settlement"], won["settlement"]) == ([], []), "nothing of it is left for the end of the round"


@clause("MA:8(c)(3)", "MA:8(c)(3)(i)")
@each_of_massachusetts
def test_8_c_3_i_without_a_word_seat_one_lies_at_the_dealers_left(edition: str) -> None:
    told = played(edition, NO_PAIR, "1 house_money 100", "9 house_money 100", "4 house_money 100")
    assert [step[1] for step in told["house_money_steps"]] == [9, 4, 1]


@clause("MA:8(c)(3)(i)a", "MA:8(c)(3)(i)b")
@each_of_massachusetts
def test_8_c_3_i_a_a_pressed_payout_shares_the_fate_of_the_main_wager(edition: str) -> None:
    placed = ("2 player 10000", "2 house_money 1000 press=player")
    won = played(edition, "QS 7D QH KC 8S", *placed)
    assert won["house_money_steps"] == [["pay", 2, 3000, {"to_player": 0, "to_wager": 3000, "wager": "player"}]]
    assert line(won, "player", 2)["stake_after_house_money"] == 13000
    assert (line(won, "player", 2)["win"], line(won, "house_money", 2)["net"]) == (13000, 3000)
    lost = played(edition, "QS 7D QH KC 2S", *placed)
    assert (line(lost, "player", 2)["net"], lost["net_by_seat"]) == (-13000, {"2": -10000})
    tied = played(edition, "QS 7D QH KC 7S", *placed)
    assert (result(tied, "player", 2), tied["net_by_seat"]) == ("push", {"2": 3000})
    none = played(edition, NO_PAIR, *placed)
    assert none["house_money_steps"] == [["collect", 2, 1000]]
    assert "stake_after_house_money" not in line(none, "player", 2)


@clause("MA:8(c)(3)(i)a", "MA:8(c)(3)(i)b")
@each_of_massachusetts
def test_8_c_3_i_a_all_of_the_payout_is_pressed_or_the_filed_part_of_it(edition: str) -> None:
    placed = ("2 banker 10000", "2 house_money 101 press=banker")
    parts: dict[str, tuple[list[int] | None, int]] = {
        "unsaid": (None, 303), "all": ([1, 1], 303), "half": ([1, 2], 151), "two thirds": ([2, 3], 202),
        "two quarters": ([2, 4], 151), "a hundredth": ([1, 100], 3),
    }  # fmt: skip
    for portion, pressed in parts.values():
        told = played(edition, PLAYER_PAIR, *placed, house_money_portion=portion)
        split = {"to_player": 303 - pressed, "to_wager": pressed, "wager": "banker"}
        assert told["house_money_steps"] == [["pay", 2, 303, split]]
        assert line(told, "banker", 2)["net"] == -10000 - pressed
    for wrong in ([0, 1], [3, 2], [1, 0], [-1, 2], [1, 2, 3], "half", 1):
        found = refused(edition, PLAYER_PAIR, *placed, house_money_portion=wrong)
        assert found["code"] == "invalid_submission"
        assert f"{edition} §8(c)(3)(i)a" in found["cites"]


@clause("MA:8(c)(3)(i)a")
@each_of_massachusetts
def test_8_c_3_i_a_only_a_hand_that_the_seat_wagers_on_is_pressed(edition: str) -> None:
    for placed in (
        ("1 house_money 500 press=player",),
        ("1 house_money 500 press=player", "1 banker 500"),
        ("1 house_money 500 press=player", "2 player 500"),
        ("1 house_money 500 press=tie", "1 tie 500"),
        ("1 banker 500 press=player", "1 player 500"),
    ):
        found = refused(edition, PLAYER_PAIR, *placed)
        assert found["code"] == "press"
        assert found["cites"] == [f"{edition} §8(c)(3)(i)a"], "which hand takes it is said by a, who moves it by b"


@clause("MA:8(c)(3)(i)a")
@each_of_massachusetts
def test_8_c_3_i_a_a_press_may_exceed_the_posted_maximum_unless_the_licensee_forbids_it(edition: str) -> None:
    limits = {**LIMITS, "player": {**LIMIT, "max": 10_000}, "house_money": {**LIMIT, "min": 100}}
    at = ("2 player 7000", "2 house_money 1000 press=player")
    over = ("2 player 7100", "2 house_money 1000 press=player")
    for elected in ({}, {"press_over_max": True}):
        assert line(played(edition, "QS 7D QH KC 8S", *over, limits=limits, **elected), "player", 2)["win"] == 10_100
    assert played(edition, "QS 7D QH KC 8S", *at, limits=limits, press_over_max=False)
    found = refused(edition, "QS 7D QH KC 8S", *over, limits=limits, press_over_max=False)
    assert (found["code"], found["cites"]) == ("press_above_maximum", [f"{edition} §8(c)(3)(i)a"])
    assert played(edition, NO_PAIR, *over, limits=limits, press_over_max=False), "nothing was won, nothing pressed"
