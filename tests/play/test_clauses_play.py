"""Sections 1, 6 and 8 to 11 (Massachusetts), 3.1 and 3.7 to 3.10 (New Jersey): how a round is dealt, called, settled.

What is expected is written down from the documents. Wagers, odds and progressives stand in their own files.
"""

from __future__ import annotations

from typing import Any

import pytest

from baccarat.law.edition import load_edition
from strategies import (
    EARLY,
    EDITIONS,
    LATE,
    MASSACHUSETTS,
    NEW_JERSEY,
    answer,
    coup_of,
    ending,
    line,
    played,
    record,
    refusal_of,
    refused,
    royal9,
)

each_of_massachusetts = pytest.mark.parametrize("edition", MASSACHUSETTS)
each_edition = pytest.mark.parametrize("edition", EDITIONS)
clause = pytest.mark.clause

PLAYER_WINS, BANKER_WINS, TIE = "9S 7D TH KC", "7S 9D TH KC", "7S 7D TH KC"


def result(told: dict[str, Any], kind: str, seat: int = 1) -> str:
    """How a wager ended."""
    return str(line(told, kind, seat)["result"])


# -------------------------------------------------------------------------------------- 1 definitions


@clause("MA:1 Dragon 7")
@each_of_massachusetts
def test_1_dragon_7_is_a_banker_seven_of_three_cards_over_less(edition: str) -> None:
    for player in range(7):
        told = played(edition, ending(player, 7, 0, 3), "1 banker 1000", "1 dragon7 100", ez=True)
        assert told["dragon7"] is True
        assert (result(told, "banker"), result(told, "dragon7")) == ("push", "win")
        two = played(edition, ending(player, 7, 0, 2), "1 banker 1000", "1 dragon7 100", ez=True)
        assert two["dragon7"] is False
        assert (result(two, "banker"), result(two, "dragon7")) == ("win", "lose")
    for player, banker in ((7, 7), (8, 7), (5, 6), (5, 8), (0, 9)):
        told = played(edition, ending(player, banker, 0, 3), "1 dragon7 100", ez=True)
        assert (told["dragon7"], result(told, "dragon7")) == (False, "lose")


@clause("MA:1 Panda 8")
@each_of_massachusetts
def test_1_panda_8_is_a_player_eight_of_three_cards_over_less(edition: str) -> None:
    for banker in range(8):
        told = played(edition, ending(8, banker, 3), "1 player 1000", "1 panda8 100", ez=True)
        assert told["panda8"] is True
        assert (result(told, "player"), result(told, "panda8")) == ("win", "win")
    for cards in (ending(8, 5, 2), ending(8, 8, 3), ending(8, 9, 3), ending(7, 5, 3), ending(9, 5, 3)):
        told = played(edition, cards, "1 panda8 100", ez=True)
        assert (told["panda8"], result(told, "panda8")) == (False, "lose")


@clause("MA:1 Natural", "NJ:3.9(a) [missing]", "MA:10(a)")
@each_edition
def test_1_a_natural_is_eight_or_nine_on_two_cards(edition: str) -> None:
    value = {0: "K", 1: "A", **{pips: str(pips) for pips in range(2, 10)}}
    for mine in range(10):
        for other in range(10):
            told = played(edition, f"{value[mine]}S {value[other]}D KH QC 3S 3H")
            assert told["player_natural"] is (mine >= 8)
            assert told["banker_natural"] is (other >= 8)
            if mine >= 8 or other >= 8:
                assert told["cards_dealt"] == 4
    three = played(edition, ending(9, 5, 3))
    assert three["player_natural"] is False


@clause("MA:1 EZ Baccarat")
@each_of_massachusetts
def test_1_ez_baccarat_is_the_form_without_vigorish(edition: str) -> None:
    assert line(played(edition, BANKER_WINS, "1 banker 10000", ez=True), "banker")["vigorish"] == 0
    assert line(played(edition, BANKER_WINS, "1 banker 10000"), "banker")["vigorish"] == 500


@clause("MA-v4:1 Free Hand", "MA-v4:7(c)")
def test_1_and_7_c_a_free_hand_is_dealt_while_nobody_has_a_wager() -> None:
    made = {**record("ma-midi-4", "AS 7D 2H KC 9D"), "kind": "free_hand"}
    told = answer(made)
    assert told["outcome"] == "banker"
    assert told["announcements"][-1]["winner"] == "banker"
    assert (told["wagers"], told["settlement"], told["net_by_seat"]) == ([], [], {})
    assert told["handed_to"] == {"player_hand": "dealer", "banker_hand": "dealer"}
    wagered = {**record("ma-midi-4", "AS 7D 2H KC 9D", "1 tie 100"), "kind": "free_hand"}
    found = refusal_of(wagered)
    assert found["code"] == "free_hand_with_wagers"
    assert found["cites"] == ["ma-midi-4 §1 Free Hand", "ma-midi-4 §7(c)"]


@clause("MA-v4:1 Free Hand", "MA-v4:7(c)")
@each_edition
def test_7_c_a_free_hand_is_at_the_licensees_discretion_in_the_fourth_edition_alone(edition: str) -> None:
    options = {"free_hand": False} if edition == "ma-midi-4" else {}
    made = {**record(edition, "AS 7D 2H KC 9D", **options), "kind": "free_hand"}
    found = refusal_of(made)
    assert found["code"] == "free_hand_not_offered"
    says = {"ma-midi-4": ["1 Free Hand", "7(c)"], NEW_JERSEY: ["3.7(a)"]}.get(edition, ["8(a)", "8(c)"])
    assert found["cites"] == [f"{edition} §{paragraph}" for paragraph in says], "or how a hand is dealt"


@clause("MA-v4:7(c)", "MA-v4:1 Free Hand")
def test_7_c_a_free_hand_moves_no_meter() -> None:
    law = {"start": 1_000, "ceiling": 2_000, "contribution": 25}
    made = record("ma-midi-4", "KS 9H 9H KS", royal9=royal9("ma-midi-4"), must_hit=law)
    told = answer({**made, "kind": "free_hand", "must_hit": {"meter": 1_500, "trigger": 1_200}})
    assert told["meters_after_round"] == {"star": 5_000_000, "spade": 35_000, "heart": 35_000}
    assert told["must_hit"] == {"hit": False, "seat": None, "award": 0, "meter_after": 1_500, "shows": []}


# -------------------------------------------------------------------------------- 6, 3.1 value of cards

WORTH = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0, **{str(pips): pips for pips in range(2, 10)}}


@clause("MA:6(a)(1)", "MA:6(a)(2)", "MA:6(a)(3)", "NJ:3.1(b)", "NJ:3.1(b)1", "NJ:3.1(b)2", "NJ:3.1(b)3")
@each_edition
def test_6_a_pips_count_tens_and_courts_nothing_aces_one(edition: str) -> None:
    for rank, worth in WORTH.items():
        for suit in "SHDC":
            told = played(edition, f"{rank}{suit} 7D KH TC 2S 2S")
            assert told["announcements"][-2 if told["outcome"] != "tie" else -3] == {"hand": "banker", "count": 7}
            assert {"hand": "player", "count": worth} in told["announcements"]


@clause("MA:6(b)", "MA:6(b)(1)", "MA:6(b)(2)", "NJ:3.1(c)", "NJ:3.1(c)1", "NJ:3.1(c)2")
@each_edition
def test_6_b_the_count_is_the_units_digit_of_the_sum(edition: str) -> None:
    assert played(edition, "AS 7D 2H KC 4D")["player_count"] == 7  # the document's first example
    assert played(edition, "AS 7D 2H KC 9D")["player_count"] == 2  # and its second
    assert played(edition, "9S 9D 9H 8C")["player_count"] == 8
    assert played(edition, "9S 9D 9H 8C")["banker_count"] == 7
    assert played(edition, "5S 8D 5H 9C KD")["player_count"] == 0
    (count,) = [ruling for ruling in coup_of(edition, "9S 9D 9H 8C").why if "wins" in ruling.say]
    expected = "6(b)" if edition in MASSACHUSETTS else "3.1(c)"
    assert count.cites[0].paragraph == expected


# --------------------------------------------------------------- 8, 3.7 the hands, and who turns them


@clause("MA-v1-3:7(c)", "MA-v4:7(d)", "NJ:3.2(d)", "MA:8(b)", "NJ:3.7(b).1")
@each_edition
def test_7_d_betting_closes_with_the_first_call(edition: str) -> None:
    closing = {**dict.fromkeys(MASSACHUSETTS[:3], "7(c)"), "ma-midi-4": "7(d)", NEW_JERSEY: "3.2(d)"}
    law = load_edition(edition)
    assert [cite.paragraph for cite in law.cite(*law.no_more_bets.cite)] == [closing[edition]]
    first = coup_of(edition, BANKER_WINS).calls[0]
    assert (first.say or "").lower() == "no more bets"
    assert first.cites[0].paragraph == ("8(b)" if edition in MASSACHUSETTS else "3.7(b)")


@clause("MA:8(a)", "MA:8(c).1", "NJ:3.7(a)", "NJ:3.7(c).1")
@each_edition
def test_8_c_first_and_third_card_to_the_player_second_and_fourth_to_the_banker(edition: str) -> None:
    told = played(edition, "6S 2D AH 5C")
    assert (told["player_hand"], told["banker_hand"]) == (["6S", "AH"], ["2D", "5C"])
    ruling = coup_of(edition, "6S 2D AH 5C").why[0]
    expected = ["8(a)", "8(c)"] if edition in MASSACHUSETTS else ["3.7(a)", "3.7(d)"]
    assert [cite.paragraph for cite in ruling.cites] == expected
    if edition == NEW_JERSEY:
        open_style = coup_of(edition, "6S 2D AH 5C", reveal="face_up").why[0]
        assert [cite.paragraph for cite in open_style.cites] == ["3.7(a)", "3.7(c)"]


@clause("MA:8(c).2", "MA:8(c)(1).2", "MA:8(c)(2).1", "NJ:3.7(d).1", "NJ:3.7(d)1", "NJ:3.7(d)2")
@each_edition
def test_8_c_1_and_2_each_hand_goes_to_the_highest_wager_on_it(edition: str) -> None:
    placed = (
        "1 player 500", "2 player 900", "3 banker 700", "4 banker 800", "5 tie 9000", "5 dragon_player 9000",
        "6 player 899", "6 dragon_banker 9000",
    )  # fmt: skip
    told = played(edition, "2S 3D AH 2C 4S 9H", *placed)
    assert told["handed_to"] == {"player_hand": 2, "banker_hand": 4}
    with_coupon = played(edition, BANKER_WINS, "1 player 500 coupon=500", "2 player 600")
    assert with_coupon["handed_to"]["player_hand"] == 2, "the coupon's face does not count"
    one = played(edition, BANKER_WINS, "7 player 500", "7 banker 100")
    assert one["handed_to"] == {"player_hand": 7, "banker_hand": 7}, "one seat may be highest on both"


@clause("MA:8(c)(6).1", "MA:8(c)(6).2", "MA:2(a).1", "NJ:3.7(d)5", "NJ:3.6(b).1")
@pytest.mark.parametrize("seat_one", ["dealer_left", "dealer_right", None])
@each_edition
def test_8_c_6_equal_wagers_the_closest_to_the_dealer_counterclockwise(edition: str, seat_one: str | None) -> None:
    told = played(
        edition, BANKER_WINS, "6 banker 800", "3 banker 800", "8 banker 700", "9 player 500", "4 player 500",
        "5 player 500", seat_one=seat_one,
    )  # fmt: skip
    rises = seat_one == "dealer_right" or (seat_one is None and edition == NEW_JERSEY)
    expected = {"player_hand": 4, "banker_hand": 3} if rises else {"player_hand": 9, "banker_hand": 6}
    assert told["handed_to"] == expected


@clause("MA:8(d).4", "NJ:3.7(d).1")
@each_edition
def test_8_d_the_dealer_turns_a_hand_that_nobody_has_wagered_on(edition: str) -> None:
    assert played(edition, BANKER_WINS, "4 player 500")["handed_to"] == {"player_hand": 4, "banker_hand": "dealer"}
    assert played(edition, BANKER_WINS, "4 banker 500")["handed_to"] == {"player_hand": "dealer", "banker_hand": 4}
    only_tie = played(edition, BANKER_WINS, "4 tie 500", "4 dragon_player 500", "5 dragon_banker 500")
    assert only_tie["handed_to"] == {"player_hand": "dealer", "banker_hand": "dealer"}


@clause("NJ:3.7(d)6.1", "NJ:3.7(d)6.2")
def test_3_7_d_6_the_licensee_may_let_wagers_on_the_other_hand_turn_it() -> None:
    placed = ("4 banker 500", "3 banker 400")
    assert played(NEW_JERSEY, BANKER_WINS, *placed)["handed_to"]["player_hand"] == "dealer"
    assert played(NEW_JERSEY, BANKER_WINS, *placed, allow_other_side=False)["handed_to"]["player_hand"] == "dealer"
    told = played(NEW_JERSEY, BANKER_WINS, *placed, allow_other_side=True)
    assert told["handed_to"] == {"player_hand": 3, "banker_hand": 4}, "not the highest, but the closest is offered it"
    other = played(NEW_JERSEY, BANKER_WINS, "4 player 500", "7 player 900", allow_other_side=True)
    assert other["handed_to"] == {"player_hand": 7, "banker_hand": 4}
    nobody = played(NEW_JERSEY, BANKER_WINS, "4 tie 500", allow_other_side=True)
    assert nobody["handed_to"] == {"player_hand": "dealer", "banker_hand": "dealer"}


@clause("NJ:3.7(c).2", "NJ:3.7(d).1")
def test_3_7_c_dealt_face_up_nobody_is_handed_the_cards() -> None:
    placed = ("4 player 500", "5 banker 500")
    assert "handed_to" not in played(NEW_JERSEY, BANKER_WINS, *placed, reveal="face_up")
    for elected in ({}, {"reveal": "face_down"}):
        assert played(NEW_JERSEY, BANKER_WINS, *placed, **elected)["handed_to"] == {"player_hand": 4, "banker_hand": 5}
    found = refused(NEW_JERSEY, BANKER_WINS, *placed, reveal="face_up", allow_other_side=True)
    assert (found["code"], found["cites"]) == ("invalid_submission", [f"{NEW_JERSEY} §3.7(d)6"])


@clause("MA:8(c).2")
@each_of_massachusetts
def test_8_c_massachusetts_deals_face_down(edition: str) -> None:
    assert played(edition, BANKER_WINS, "4 player 500")["handed_to"]["player_hand"] == 4
    found = refused(edition, BANKER_WINS, "4 player 500", reveal="face_up")
    assert (found["code"], found["cites"]) == ("invalid_submission", [f"{NEW_JERSEY} §3.7(c)", f"{NEW_JERSEY} §3.7(d)"])


# ------------------------------------------------------------------------- 9, 10, 3.8, 3.9 third cards

DRAWS: dict[str, tuple[str, str, tuple[str, ...], str]] = {
    "a natural holds the Player": ("5S 8D 2H KC", "Player stays on 7", ("10(a)",), "3.9(a)"),
    "a natural holds the Banker": ("9S 3D KH 2C", "Banker stays on 5", ("10(a)", "10 Table 1"), "3.9(a)"),
    "Player 0 draws": ("KS 7D QH KC 2S", "Player draws on 0", ("10(b)(1)", "10(b)"), "3.9(b)"),
    "Player 5 draws": ("5S 7D QH KC 2S", "Player draws on 5", ("10(b)(1)", "10(b)"), "3.9(b)"),
    "Player 6 stays": ("6S 7D QH KC", "Player stays on 6", ("10(b)(2)", "10(b)"), "3.9(b)"),
    "Player 7 stays": ("7S 7D QH KC", "Player stays on 7", ("10(b)(2)", "10(b)"), "3.9(b)"),
    "Banker 5 draws, Player stayed": ("6S 5D QH KC 2S", "Banker draws on 5", ("10(c)(1)", "10(c)"), "3.9(c)"),
    "Banker 6 stays, Player stayed": ("6S 6D QH KC", "Banker stays on 6", ("10(c)(1)", "10(c)"), "3.9(c)"),
    "Banker 2 draws against 8": ("5S 2D QH KC 8S 2H", "Banker draws on 2", ("10(c)(2)(i)", "10 Table 1"), "3.9(c)"),
    "Banker 3 draws against 9": ("5S 3D QH KC 9S 2H", "Banker draws on 3", ("10(c)(2)(iii)", "10 Table 1"), "3.9(c)"),
    "Banker 3 stays against 8": ("5S 3D QH KC 8S", "Banker stays on 3", ("10(c)(2)(iii)", "10 Table 1"), "3.9(c)"),
    "Banker 4 draws against 2": ("5S 4D QH KC 2S 2H", "Banker draws on 4", ("10(c)(2)(iii)", "10 Table 1"), "3.9(c)"),
    "Banker 4 stays against 1": ("5S 4D QH KC AS", "Banker stays on 4", ("10(c)(2)(iii)", "10 Table 1"), "3.9(c)"),
    "Banker 5 draws against 4": ("3S 5D QH KC 4S 2H", "Banker draws on 5", ("10(c)(2)(iii)", "10 Table 1"), "3.9(g)"),
    "Banker 5 stays against 3": ("3S 5D QH KC 3S", "Banker stays on 5", ("10(c)(2)(iii)", "10 Table 1"), "3.9(c)"),
    "Banker 6 draws against 6": ("3S 6D QH KC 6S 2H", "Banker draws on 6", ("10(c)(2)(iii)", "10 Table 1"), "3.9(c)"),
    "Banker 6 stays against 5": ("3S 6D QH KC 5S", "Banker stays on 6", ("10(c)(2)(iii)", "10 Table 1"), "3.9(c)"),
    "Banker 7 stays": ("3S 7D QH KC 6S", "Banker stays on 7", ("10(c)(2)(ii)", "10 Table 1"), "3.9(c)"),
}


@clause(
    "MA:10(a)", "MA:10(b)", "MA:10(b)(1)", "MA:10(b)(2)", "MA:10(c)", "MA:10(c)(1)", "MA:10(c)(2)(i)",
    "MA:10(c)(2)(ii)", "MA:10(c)(2)(iii)", "MA:10 Table1 0-2", "MA:10 Table1 3", "MA:10 Table1 4", "MA:10 Table1 5",
    "MA:10 Table1 6", "MA:10 Table1 7", "MA:10 Table1 8-9", "NJ:3.9(a) [missing]", "NJ:3.9(b) [missing]",
    "NJ:3.9(c) [missing]", "NJ:3.9(d)", "NJ:3.9(e)", "NJ:3.9(f)", "NJ:3.9(g)",
)  # fmt: skip
@pytest.mark.parametrize("case", DRAWS)
@each_edition
def test_10_each_draw_is_ruled_by_its_clause(edition: str, case: str) -> None:
    cards, say, massachusetts, new_jersey = DRAWS[case]
    (ruling,) = [each for each in coup_of(edition, cards).why if each.say.startswith(say)]
    found = [cite.paragraph for cite in ruling.cites]
    if edition in MASSACHUSETTS:
        assert found == list(massachusetts)
    else:
        assert new_jersey in found
        assert "restored" in str(ruling)


# ---------------------------------------------------------------------------------- the calls of a round

Calls = list[dict[str, Any]]


def counted(player: int, banker: int, final: tuple[int, int], winner: str | None) -> Calls:
    """The calls of the counts, the same in all editions."""
    return [
        {"hand": "player", "count": player},
        {"hand": "banker", "count": banker},
        {"final": {"player": final[0], "banker": final[1]}, "winner": winner},
    ]


def called(edition: str, cards: str, *wagers: str, **options: Any) -> Calls:
    """The calls of a round, words in lower case."""
    told = played(edition, cards, *wagers, **options)["announcements"]
    return [{key: said.lower() if key == "say" else said for key, said in call.items()} for call in told]


CALLS = (
    "MA:8(b)", "MA:8(c)(1).4", "MA:8(c)(2).3", "MA:9(a)", "MA:11(a).1", "MA:11(a).2", "NJ:3.7(b).1", "NJ:3.7(b).2",
    "NJ:3.8(a).1", "NJ:3.8(a).2", "NJ:3.10(a).1", "NJ:3.10(a).2",
)  # fmt: skip


@clause(*CALLS)
@each_edition
def test_11_a_the_calls_of_a_round_in_order(edition: str) -> None:
    opening: Calls = [{"say": "no more bets"}]
    if edition == NEW_JERSEY:
        opening.append({"say": "cards"})
    assert called(edition, "AS 7D 2H KC 9D") == opening + counted(3, 7, (2, 7), "banker")
    assert called(edition, "9S 7D TH KC") == opening + counted(9, 7, (9, 7), "player")
    assert called(edition, "7S 7D TH KC") == [*opening, *counted(7, 7, (7, 7), None), {"say": "tie hand"}]


@clause("MA:11(a).3", "MA:1 Dragon 7", "MA:1 Panda 8")
@each_of_massachusetts
def test_11_a_a_dragon_7_and_a_panda_8_are_called_on_ez_tables_alone(edition: str) -> None:
    dragon_7, panda_8 = ending(5, 7, 3, 3), ending(8, 5, 3, 3)
    assert called(edition, dragon_7, ez=True)[-1] == {"say": "dragon 7"}
    assert called(edition, panda_8, ez=True)[-1] == {"say": "panda 8"}
    for cards in (dragon_7, panda_8):
        assert "final" in called(edition, cards)[-1]
    for cards in (BANKER_WINS, PLAYER_WINS, ending(6, 7, 2, 2), ending(8, 5, 2)):
        assert "final" in called(edition, cards, ez=True)[-1]
    assert called(edition, TIE, ez=True)[-1] == {"say": "tie hand"}


@clause("NJ:3.10(a).3", "NJ:3.2(a)4")
def test_3_10_a_the_number_of_cards_is_called_where_it_is_wagered_on() -> None:
    for cards, count in (("9S 7D TH KC", 4), ("AS 7D 2H KC 9D", 5), (ending(3, 4, 3, 3), 6)):
        assert called(NEW_JERSEY, cards, total_card_wagers=True)[-1] == {"total_cards": count}
        assert called(NEW_JERSEY, cards, "1 total5 500")[-1] == {"total_cards": count}
        assert "total_cards" not in called(NEW_JERSEY, cards)[-1]
    tie = called(NEW_JERSEY, TIE, total_card_wagers=True)
    assert tie[-2:] == [{"say": "tie hand"}, {"total_cards": 4}]


@clause(*CALLS)
@each_edition
def test_11_a_every_call_cites_its_clause(edition: str) -> None:
    ma = ["8(b)", "8(c)(1)", "8(c)(2)", "11(a)", "11(a)"]
    nj = ["3.7(b)", "3.7(b)", "3.8(a)", "3.8(a)", "3.10(a)", "3.10(a)"]
    found = [call.cites[0].paragraph for call in coup_of(edition, TIE).calls]
    assert found == (ma if edition in MASSACHUSETTS else nj)


# ------------------------------------------------------------------------------ 11(b), 3.10(b) settlement

SEATED = (
    "2 banker 10000", "5 banker 2000", "9 player 5000", "8 banker 4000", "8 tie 500", "1 tie 700",
    "3 dragon_banker 500",
)  # fmt: skip


@clause("MA:11(b).1", "MA:11(b).2", "MA:11(b).3", "MA:11(b).4", "MA:12(d)(1)")
@each_of_massachusetts
def test_11_b_losers_first_then_from_the_highest_seat_vigorish_and_pay(edition: str) -> None:
    told = played(edition, BANKER_WINS, *SEATED)
    losers, *rest = told["settlement"]
    assert (losers[0], sorted(losers[1])) == ("collect_losing_wagers", [1, 8, 9])
    assert rest == [
        ["collect_vig", 8, 200], ["pay", 8, 4000],
        ["collect_vig", 5, 100], ["pay", 5, 2000],
        ["pay", 3, 500],
        ["collect_vig", 2, 500], ["pay", 2, 10000],
    ]  # fmt: skip
    assert played(edition, TIE, "1 player 500", "2 banker 500")["settlement"] == []


@clause("MA:11(b).2")
@each_of_massachusetts
def test_11_b_an_ez_table_marks_no_vigorish(edition: str) -> None:
    told = played(edition, BANKER_WINS, "2 banker 10000", "5 banker 2000", ez=True)
    assert told["settlement"] == [["pay", 5, 2000], ["pay", 2, 10000]]


PROCEDURES: dict[int, list[list[Any]]] = {
    1: [["pay", 8, 4000], ["pay", 5, 2000], ["pay", 3, 500], ["pay", 2, 10000],
        ["collect_vig", 8, 200], ["collect_vig", 5, 100], ["collect_vig", 2, 500]],
    2: [["collect_vig", 8, 200], ["collect_vig", 5, 100], ["collect_vig", 2, 500],
        ["pay", 8, 4000], ["pay", 5, 2000], ["pay", 3, 500], ["pay", 2, 10000]],
    3: [["pay", 8, 4000], ["collect_vig", 8, 200], ["pay", 5, 2000], ["collect_vig", 5, 100], ["pay", 3, 500],
        ["pay", 2, 10000], ["collect_vig", 2, 500]],
    4: [["collect_vig", 8, 200], ["pay", 8, 4000], ["collect_vig", 5, 100], ["pay", 5, 2000], ["pay", 3, 500],
        ["collect_vig", 2, 500], ["pay", 2, 10000]],
}  # fmt: skip


@clause("NJ:3.10(b)", "NJ:3.10(c)")
@pytest.mark.parametrize("option", [pytest.param(option, marks=clause(f"NJ:3.10(b){option}")) for option in PROCEDURES])
def test_3_10_b_losers_first_then_one_of_four_procedures(option: int) -> None:
    for collection, take in (("at_payout", "collect_vig"), ("deferred", "mark_vig")):
        told = played(NEW_JERSEY, BANKER_WINS, *SEATED, settlement_option=option, vig_collection=collection)
        losers, *rest = told["settlement"]
        assert (losers[0], sorted(losers[1])) == ("collect_losing_wagers", [1, 8, 9])
        assert rest == [[take if act.endswith("_vig") else act, *more] for act, *more in PROCEDURES[option]]


@clause("NJ:3.10(b)", "NJ:3.10(c)")
def test_3_10_c_no_fifth_procedure() -> None:
    for option in (0, 5, "4", True):
        found = refused(NEW_JERSEY, BANKER_WINS, *SEATED, settlement_option=option)
        assert found["code"] == "invalid_submission"
        assert f"{NEW_JERSEY} §3.10(b)" in found["cites"]


# ------------------------------------------------------------------------------------ 13(e), 3.12(e) void


@clause("MA:13(e).1", "MA:13(e).2", "NJ:3.12(e)")
@each_edition
def test_13_e_a_round_that_the_shoe_cannot_finish_is_void(edition: str) -> None:
    full = ["2S", "2D", "3H", "3C", "4S", "9D"]
    for there in range(6):
        made = record(edition, " ".join(full[:there]), "1 player 500", "2 banker 700", "2 tie 100")
        told = answer({**made, "cards_left_in_shoe": 0})
        assert (told["outcome"], told["returned"]) == ("void", {"1": 500, "2": 800})
        assert {each["result"] for each in told["wagers"]} == {"push"}
        assert told["settlement"] == []
    assert played(edition, " ".join(full), "1 player 500")["outcome"] == "player"
    following = "new set of cards" if edition in MASSACHUSETTS else "reshuffle of the whole set"
    void = coup_of(edition, "2S 2D 3H 3C 4S").why[-1]
    assert following in void.say
    assert void.cites[0].paragraph == ("13(e)" if edition in MASSACHUSETTS else "3.12(e)")


@clause("MA:13(e).1")
@each_of_massachusetts
def test_13_e_house_money_settled_before_the_shoe_ran_out_is_undone(edition: str) -> None:
    for cards in ("2S 2D 2H 3C 4S", "2S 2D AH 3C 4S"):
        made = record(edition, cards, "1 player 500", "1 house_money 300 press=player", "2 house_money 200")
        told = answer({**made, "cards_left_in_shoe": 0})
        assert (told["outcome"], told["returned"]) == ("void", {"1": 800, "2": 200})
        assert "house_money_steps" not in told
        assert told["net_by_seat"] == {"1": 0, "2": 0}


@clause("MA:13(e).1")
@pytest.mark.parametrize("edition", [*EARLY, *LATE])
def test_13_e_royal_9_is_returned_and_its_contribution_not_taken(edition: str) -> None:
    made = record(edition, "2S 2D 3H 3C", "1 player 500", "1 royal9 500", royal9=royal9(edition))
    told = answer({**made, "cards_left_in_shoe": 0})
    assert told["returned"] == {"1": 1000}
    assert "meters_after_round" not in told
