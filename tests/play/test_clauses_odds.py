"""Section 12(a) to (h) (Massachusetts) and 3.3 (New Jersey): what a wager is paid, and what vigorish is taken."""

from __future__ import annotations

from typing import Any

import pytest

from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY, cited, ending, line, played, refused

each_of_massachusetts = pytest.mark.parametrize("edition", MASSACHUSETTS)
each_edition = pytest.mark.parametrize("edition", EDITIONS)
clause = pytest.mark.clause

PLAYER_WINS, BANKER_WINS, TIE = "9S 7D TH KC", "7S 9D TH KC", "7S 7D TH KC"


def paid(edition: str, cards: str, kind: str, stake: int, **options: Any) -> tuple[str, int]:
    """The odds and the winnings of one wager."""
    found = line(played(edition, cards, f"1 {kind} {stake}", **options), kind)
    return found["odds"], found["win"]


def vigorish(edition: str, stake: int, *beside: str, cards: str = BANKER_WINS, **options: Any) -> int:
    """The vigorish on a winning Banker wager of seat 1."""
    told = played(edition, cards, f"1 banker {stake}", *beside, **options)
    return int(line(told, "banker")["vigorish"])


# ------------------------------------------------------------------------------------------ main wagers


@clause("MA:12(a)", "NJ:3.3(a)")
@each_edition
def test_12_a_player_pays_one_to_one(edition: str) -> None:
    for stake in (1, 2501, 10_000):
        assert paid(edition, PLAYER_WINS, "player", stake) == ("1:1", stake)
    assert ("12(a)" if edition in MASSACHUSETTS else "3.3(a)") in cited(edition, PLAYER_WINS, "player")


@clause("MA:12(b)", "NJ:3.3(b)")
@each_edition
def test_12_b_tie_pays_eight_to_one_or_better(edition: str) -> None:
    assert paid(edition, TIE, "tie", 501) == ("8:1", 4008)
    for written, shown, win in ((8, "8:1", 4008), (9, "9:1", 4509), (100, "100:1", 50_100), ("17 to 2", "17:2", 4259),
                                ("25 to 3", "25:3", 4175), ("16 to 2", "8:1", 4008)):  # fmt: skip
        assert paid(edition, TIE, "tie", 501, tie_odds=written) == (shown, win), "a fraction of a cent is raised"
    assert ("12(b)" if edition in MASSACHUSETTS else "3.3(b)") in cited(edition, TIE, "tie")


@clause("MA:12(b)", "NJ:3.3(b)")
@pytest.mark.parametrize("odds", [7, 0, -8, "7 to 1", "15 to 2", "79 to 10", "eight", 8.5, True, ""])
@each_edition
def test_12_b_less_than_eight_to_one_is_refused(edition: str, odds: Any) -> None:
    found = refused(edition, TIE, "1 player 500", tie_odds=odds)
    paragraph = "12(b)" if edition in MASSACHUSETTS else "3.3(b)"
    assert (found["code"], found["cites"]) == ("invalid_submission", [f"{edition} §{paragraph}"])


@clause("MA:12(c).1", "NJ:3.3(c).1", "NJ:3.3(c).2")
@each_edition
def test_12_c_banker_pays_one_to_one_less_five_percent_of_the_win(edition: str) -> None:
    assert paid(edition, BANKER_WINS, "banker", 10_000) == ("1:1", 10_000)
    assert vigorish(edition, 10_000) == 500
    assert vigorish(edition, 10_000, vig_rate=5) == 500
    for stake, exact in ((1200, 60), (1219, 60), (1220, 61), (19, 0), (1, 0), (10_399, 519)):
        assert vigorish(edition, stake, vig_rounding=False) == exact, "a fraction of a cent is dropped"
    found = cited(edition, BANKER_WINS, "banker")
    assert ("12(c)" if edition in MASSACHUSETTS else "3.3(c)") in found
    told = played(edition, BANKER_WINS, "1 banker 10000")
    assert told["net_by_seat"] == {"1": 9500}


@clause("MA:12(c).1")
@pytest.mark.parametrize("rate", [0, 4, 6, 5.0, "5", True])
@each_of_massachusetts
def test_12_c_massachusetts_takes_five_percent_and_no_other(edition: str, rate: Any) -> None:
    found = refused(edition, BANKER_WINS, "1 banker 500", vig_rate=rate)
    assert (found["code"], found["cites"]) == ("invalid_submission", [f"{edition} §12(c)"])


@clause("MA:12(c).2", "MA:12(c).1", "MA:1 EZ Baccarat")
@each_of_massachusetts
def test_12_c_ez_takes_no_vigorish_and_knows_no_rate(edition: str) -> None:
    assert paid(edition, BANKER_WINS, "banker", 10_000, ez=True) == ("1:1", 10_000)
    assert vigorish(edition, 10_000, ez=True) == 0
    for ez in (True, False):
        plain = line(played(edition, PLAYER_WINS, "1 player 10000", ez=ez), "player")
        assert plain["vigorish"] == 0, "of Banker wins alone, where it is taken at all"
    assert "12(c)" in cited(edition, BANKER_WINS, "banker", ez=True)
    for key, value in (("vig_rate", 5), ("vig_rounding", True), ("vig_collection", "at_payout")):
        found = refused(edition, BANKER_WINS, "1 banker 500", ez=True, **{key: value})
        assert found["code"] == "invalid_submission"
        assert key in found["say"]


QUARTERS = ((1, 25), (300, 25), (500, 25), (501, 50), (1000, 50), (1200, 75), (2600, 150), (10_000, 500), (10_300, 525))


@clause("MA:12(c).3", "NJ:3.3(c)1")
@each_edition
def test_12_c_vigorish_rounds_up_to_the_next_quarter(edition: str) -> None:
    for stake, rounded in QUARTERS:
        assert vigorish(edition, stake) == rounded
        assert vigorish(edition, stake, vig_rounding=True) == rounded
    if edition == NEW_JERSEY:
        exempt: dict[str, Any] = {"no_commission": "total_card_exempt", "total_card_wagers": True}
        assert vigorish(edition, 1200, vig_rounding=True, **exempt) == 75
    paragraph = "12(c)" if edition in MASSACHUSETTS else "3.3(c)1"
    assert paragraph in cited(edition, BANKER_WINS, "banker", vig_rounding=True)


@clause("MA:12(c).1", "MA:8(c)(3)(i)a")
@each_of_massachusetts
def test_12_c_vigorish_is_due_on_the_whole_win_a_pressed_payout_included(edition: str) -> None:
    told = played(edition, "8S 3H 8D 4C", "2 banker 10000", "2 house_money 1000 press=banker")
    found = line(told, "banker", 2)
    assert (found["win"], found["vigorish"]) == (13_000, 650)
    assert line(told, "house_money", 2)["vigorish"] == 0


@clause("NJ:3.3(c).2", "NJ:3.3(c)1", "NJ:3.3(d).2")
def test_3_3_c_new_jersey_takes_four_or_five_percent_and_rounds_four_to_twenty_cents() -> None:
    for stake, rounded in ((1, 20), (500, 20), (501, 40), (1200, 60), (2600, 120), (10_000, 400), (10_001, 420)):
        assert vigorish(NEW_JERSEY, stake, vig_rate=4) == rounded
    for stake, exact in ((1200, 48), (1224, 48), (1225, 49), (24, 0)):
        assert vigorish(NEW_JERSEY, stake, vig_rate=4, vig_rounding=False) == exact
    both = played(NEW_JERSEY, BANKER_WINS, "1 banker 10000", "2 banker 5000", vig_rate=4)
    assert [each["vigorish"] for each in both["wagers"]] == [400, 200], "one rate for the whole table"
    for rate in (3, 6, 0, "4"):
        found = refused(NEW_JERSEY, BANKER_WINS, "1 banker 500", vig_rate=rate)
        assert (found["code"], found["cites"]) == (
            "invalid_submission",
            [f"{NEW_JERSEY} §3.3(c)", f"{NEW_JERSEY} §3.3(d)"],
        )


@clause("MA:12(d)", "MA:12(d)(1)", "MA:12(d)(2)", "MA:12(d)(2)(ii)", "NJ:3.3(c)2.1", "NJ:3.3(c)2.3")
@each_edition
def test_12_d_vigorish_is_collected_at_payout_or_marked_for_later(edition: str) -> None:
    for elected, act in (({}, "collect_vig"), ({"vig_collection": "at_payout"}, "collect_vig"),
                         ({"vig_collection": "deferred"}, "mark_vig")):  # fmt: skip
        told = played(edition, BANKER_WINS, "3 banker 10000", **elected)
        assert told["settlement"] == [[act, 3, 500], ["pay", 3, 10_000]]
        assert told["net_by_seat"] == {"3": 9500}, "owed now, whenever it is taken"
    if edition == NEW_JERSEY:
        exempt: dict[str, Any] = {"no_commission": "total_card_exempt", "total_card_wagers": True}
        told = played(edition, BANKER_WINS, "3 banker 10000", vig_collection="deferred", **exempt)
        assert told["settlement"] == [["mark_vig", 3, 500], ["pay", 3, 10_000]]
    found = refused(edition, BANKER_WINS, "3 banker 10000", vig_collection="never")
    assert found["cites"][0] == f"{edition} §{'12(d)' if edition in MASSACHUSETTS else '3.3(c)2'}"


# ------------------------------------------------------------------- 3.3(e) Banker wins without vigorish


@clause("NJ:3.3(e)", "NJ:3.3(e)1", "NJ:3.3(c).1")
def test_3_3_e_1_a_banker_six_pays_one_to_two_and_no_win_bears_vigorish() -> None:
    half: dict[str, Any] = {"no_commission": "six_half"}
    for banker in range(1, 10):
        told = played(NEW_JERSEY, ending(0, banker), "1 banker 10000", **half)
        found = line(told, "banker")
        assert (found["odds"], found["win"]) == (("1:2", 5000) if banker == 6 else ("1:1", 10_000))
        assert found["vigorish"] == 0
    for cards in (ending(5, 6, 0, 2), ending(5, 6, 0, 3)):
        assert paid(NEW_JERSEY, cards, "banker", 125, **half) == ("1:2", 63), "two cards or three; raised to the cent"
    assert line(played(NEW_JERSEY, ending(7, 6), "1 banker 500", **half), "banker")["net"] == -500
    assert line(played(NEW_JERSEY, ending(6, 6), "1 banker 500", **half), "banker")["result"] == "push"
    assert {"3.3(e)", "3.3(e)1"} <= set(cited(NEW_JERSEY, ending(5, 6), "banker", **half))
    for silent in ({}, {"no_commission": None}):
        told = played(NEW_JERSEY, ending(5, 6), "1 banker 10000", **silent)
        assert (line(told, "banker")["odds"], line(told, "banker")["vigorish"]) == ("1:1", 500)


@clause("NJ:3.3(e)2", "NJ:3.3(e)", "NJ:3.3(d).2")
def test_3_3_e_2_total_card_wagers_of_at_least_the_banker_wager_free_it_of_vigorish() -> None:
    exempt: dict[str, Any] = {"no_commission": "total_card_exempt", "total_card_wagers": True}
    for beside, owed in (
        ((), 500),
        (("1 total4 9999",), 500),
        (("1 total4 10000",), 0),
        (("1 total4 3000", "1 total5 3000", "1 total6 4000"), 0),
        (("1 total4 3000", "1 total5 3000", "1 total6 3999"), 500),
        (("1 total6 20000",), 0),
        (("2 total4 10000",), 500),
        (("1 tie 10000", "1 player 10000"), 500),
    ):
        assert vigorish(NEW_JERSEY, 10_000, *beside, **exempt) == owed, beside
    told = played(NEW_JERSEY, BANKER_WINS, "1 banker 10000", "1 total5 10000", "2 banker 10000", **exempt)
    assert [line(told, "banker", seat)["vigorish"] for seat in (1, 2)] == [0, 500], "the others pay the table's rate"
    assert vigorish(NEW_JERSEY, 10_000, "1 total4 10000") == 500, "only where it is elected"


@clause("NJ:3.3(e)", "NJ:3.3(e)2")
def test_3_3_e_one_but_not_both_and_the_exemption_needs_its_wagers() -> None:
    both = refused(NEW_JERSEY, BANKER_WINS, "1 banker 500", no_commission=["six_half", "total_card_exempt"])
    assert (both["code"], both["cites"]) == ("invalid_submission", [f"{NEW_JERSEY} §3.3(e)"])
    without = refused(NEW_JERSEY, BANKER_WINS, "1 banker 500", no_commission="total_card_exempt")
    assert (without["code"], without["cites"]) == ("invalid_submission", [f"{NEW_JERSEY} §3.3(e)2"])
    for key, value in (("vig_rate", 5), ("vig_rounding", True), ("vig_collection", "deferred")):
        found = refused(NEW_JERSEY, BANKER_WINS, "1 banker 500", no_commission="six_half", **{key: value})
        assert key in found["say"]


@clause("NJ:3.3(f) Four", "NJ:3.3(f) Five", "NJ:3.3(f) Six")
def test_3_3_f_four_cards_pay_three_to_two_five_and_six_two_to_one() -> None:
    assert paid(NEW_JERSEY, BANKER_WINS, "total4", 1001) == ("3:2", 1502)
    assert paid(NEW_JERSEY, ending(3, 7, 3, 2), "total5", 1001) == ("2:1", 2002)
    assert paid(NEW_JERSEY, ending(3, 4, 3, 3), "total6", 1001) == ("2:1", 2002)
    for kind, cards in (("total4", BANKER_WINS), ("total5", ending(3, 7, 3, 2)), ("total6", ending(3, 4, 3, 3))):
        assert "3.3(f)" in cited(NEW_JERSEY, cards, kind, total_card_wagers=True)


# --------------------------------------------------------------------------- 12(e), 3.3(g) Dragon Bonus

TABLES = {
    "A": {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1},
    "B": {9: 20, 8: 8, 7: 7, 6: 4, 5: 3, 4: 1},
    "C": {9: 30, 8: 10, 7: 4, 6: 4, 5: 2, 4: 2},
}
MA_ROWS = tuple(f"MA:12(e) row Win by {lead}" for lead in range(4, 10))
NJ_ROWS = (
    *(f"NJ:3.3(g) {table} {lead}" for table in "AB" for lead in range(4, 10)),
    *(f"NJ:3.3(g) C {row}" for row in ("9", "8", "6 or 7", "4 or 5")),
)
NATURALS = ("MA:12(e) row Natural winner", *(f"NJ:3.3(g) {table} natural" for table in "ABC"))


def leading(lead: int) -> str:
    """A round that the Player wins by this lead without a natural."""
    return ending(lead, 0, 3) if lead >= 8 else ending(lead, 0)


@clause("MA:12(e).2", *MA_ROWS, "NJ:3.3(g).2", *NJ_ROWS)
@pytest.mark.parametrize("table", TABLES)
@each_edition
def test_12_e_a_lead_is_paid_by_the_elected_table(edition: str, table: str) -> None:
    for lead, odds in TABLES[table].items():
        assert paid(edition, leading(lead), "dragon_player", 501, dragon_paytable=table) == (f"{odds}:1", 501 * odds)
        cards = ending(0, lead, 0, 3 if lead >= 8 else 0)
        assert paid(edition, cards, "dragon_banker", 501, dragon_paytable=table) == (f"{odds}:1", 501 * odds)
    paragraph = "12(e)" if edition in MASSACHUSETTS else "3.3(g)"
    assert paragraph in cited(edition, leading(5), "dragon_player", dragon_bonus=True, dragon_paytable=table)


@clause(*NATURALS)
@pytest.mark.parametrize("table", TABLES)
@each_edition
def test_12_e_a_natural_of_the_banker_pays_one_to_one_by_every_table(edition: str, table: str) -> None:
    for natural, other in ((8, 0), (9, 0), (9, 7), (9, 8)):
        cards = ending(other, natural, 2, 2)
        assert paid(edition, cards, "dragon_banker", 501, dragon_paytable=table) == ("1:1", 501), "not by its lead"


@clause(*NATURALS, "MA:12(e) row Natural tie")
@pytest.mark.parametrize("table", TABLES)
@each_edition
def test_12_e_a_natural_pays_one_to_one_and_equal_ones_are_returned(edition: str, table: str) -> None:
    for natural, other in ((8, 0), (9, 0), (9, 7), (9, 8)):
        cards = ending(natural, other, 2, 2)
        assert paid(edition, cards, "dragon_player", 501, dragon_paytable=table) == ("1:1", 501), "not by its lead"
    for natural in (8, 9):
        found = line(
            played(edition, ending(natural, natural, 2, 2), "1 dragon_banker 500", dragon_paytable=table),
            "dragon_banker",
        )
        assert (found["result"], found["net"]) == ("push", 0)
    if edition in MASSACHUSETTS:
        tie = cited(edition, ending(8, 8, 2, 2), "dragon_player", dragon_bonus=True, dragon_paytable=table)
        assert tie == ["7(a)(4)(iii)", "12(e)"]


@clause("MA:12(e).1", "NJ:3.3(g).1")
@each_edition
def test_12_e_no_vigorish_on_a_winning_bonus(edition: str) -> None:
    told = played(edition, ending(0, 9, 0, 3), "1 dragon_banker 10000")
    assert (line(told, "dragon_banker")["vigorish"], told["settlement"]) == (0, [["pay", 1, 300_000]])


@clause("MA:12(e).2", "NJ:3.3(g).2")
@each_edition
def test_12_e_no_fourth_table_and_a_table_is_the_licensees_choice(edition: str) -> None:
    for table in ("D", "a", 1, ["A", "B"]):
        found = refused(edition, BANKER_WINS, "1 dragon_player 500", dragon_paytable=table)
        paragraph = "12(e)" if edition in MASSACHUSETTS else "3.3(g)"
        assert (found["code"], found["cites"]) == ("invalid_submission", [f"{edition} §{paragraph}"])
    found = refused(edition, BANKER_WINS, "1 player 500", dragon_bonus=False, dragon_paytable="B")
    assert found["code"] == "invalid_submission"
    assert played(edition, BANKER_WINS, "1 player 500", dragon_paytable="B"), "offered, but nobody took it"


@clause("NJ:3.3(g).2")
def test_3_3_g_not_less_than_the_schedule_but_more_if_the_licensee_likes() -> None:
    better = {"win_by_9": 31, "win_by_4": "3 to 2", "natural": 2}
    for lead, odds, win in ((9, "31:1", 15_531), (4, "3:2", 752), (8, "10:1", 5010), (7, "6:1", 3006)):
        assert paid(NEW_JERSEY, leading(lead), "dragon_player", 501, dragon_odds=better) == (odds, win)
    assert paid(NEW_JERSEY, ending(9, 0, 2, 2), "dragon_player", 501, dragon_odds=better) == ("2:1", 1002)
    assert "3.3(g)" in cited(NEW_JERSEY, leading(9), "dragon_player", dragon_bonus=True, dragon_odds=better)
    faulty: tuple[tuple[str, str, int | str], ...] = (
        ("A", "win_by_9", 29), ("B", "win_by_8", 7), ("C", "win_by_4", "3 to 2"), ("A", "natural", "1 to 2"),
        ("A", "win_by_3", 9), ("A", "win_by_9", "many"), ("B", "win_by_7", 6),
    )  # fmt: skip
    for table, row, written in faulty:
        found = refused(
            NEW_JERSEY, BANKER_WINS, "1 dragon_player 500", dragon_paytable=table, dragon_odds={row: written}
        )
        assert (found["code"], found["cites"]) == ("invalid_submission", [f"{NEW_JERSEY} §3.3(g)"])
        assert f"dragon_odds.{row}" in found["say"]


# ------------------------------------------------------------------ 12(f), (g), (h) insurances, House Money


@clause("MA:12(f)", "MA:12(g)")
@each_of_massachusetts
def test_12_f_and_g_dragon_7_pays_forty_and_panda_8_twenty_five_to_one(edition: str) -> None:
    assert paid(edition, ending(5, 7, 0, 3), "dragon7", 501, ez=True) == ("40:1", 20_040)
    assert paid(edition, ending(8, 5, 3), "panda8", 501, ez=True) == ("25:1", 12_525)
    assert "12(f)" in cited(edition, ending(5, 7, 0, 3), "dragon7", ez=True)
    assert "12(g)" in cited(edition, ending(8, 5, 3), "panda8", ez=True)


@clause("MA:12(h) both", "MA:12(h) one")
@each_of_massachusetts
def test_12_h_one_pair_pays_three_and_two_pairs_fifteen_to_one(edition: str) -> None:
    assert paid(edition, "QS 7D QH KC 8S", "house_money", 501) == ("3:1", 1503)
    assert paid(edition, "2S 3D 5H 3C", "house_money", 501) == ("3:1", 1503)
    assert paid(edition, "4S 3D 4H 3C", "house_money", 501) == ("15:1", 7515)
    assert "12(h)" in cited(edition, "4S 3D 4H 3C", "house_money", house_money=True)
    told = played(edition, "QS 7D QH KC 8S", "1 house_money 501")
    assert told["house_money_steps"] == [["pay", 1, 1503, {"to_player": 1503, "to_wager": 0, "wager": None}]]
