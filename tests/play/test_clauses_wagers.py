"""Section 7 (Massachusetts) and 3.2 (New Jersey): which wagers there are, and when they win, by clause."""

from __future__ import annotations

from typing import Any

import pytest

from baccarat.law.edition import load_edition
from strategies import (
    EDITIONS,
    MASSACHUSETTS,
    NEW_JERSEY,
    answer,
    cited,
    ending,
    line,
    played,
    record,
    refusal_of,
    refused,
    wager,
)

each_of_massachusetts = pytest.mark.parametrize("edition", MASSACHUSETTS)
each_edition = pytest.mark.parametrize("edition", EDITIONS)
clause = pytest.mark.clause

PLAYER_WINS, BANKER_WINS, TIE = "9S 7D TH KC", "7S 9D TH KC", "7S 7D TH KC"
LIMIT = {"min": 2_500, "max": 500_000, "increment": 100}
LIMITS = {"player": LIMIT, "banker": LIMIT, "tie": LIMIT}


def result(told: dict[str, Any], kind: str, seat: int = 1) -> str:
    """How a wager ended."""
    return str(line(told, kind, seat)["result"])


# ------------------------------------------------------------------------------------- 7, 3.2 the wagers

ELSEWHERE = {
    **dict.fromkeys(MASSACHUSETTS, ("total4", "total5", "total6")),
    NEW_JERSEY: ("dragon7", "panda8", "house_money", "royal9"),
}


@clause("MA:7(a)", "NJ:3.2(a)", "NJ:3.2(b).1")
@each_edition
def test_7_a_only_the_listed_wagers_exist(edition: str) -> None:
    for kind in ELSEWHERE[edition]:
        found = refused(edition, BANKER_WINS, f"1 {kind} 500")
        assert found["code"] == "no_such_wager"
        assert found["cites"][0] == f"{edition} §{'7(a)' if edition in MASSACHUSETTS else '3.2(a)'}"
    told = played(edition, BANKER_WINS, "1 player 500", "1 banker 500", "1 tie 500")
    assert len(told["wagers"]) == 3
    main = {name for name, law in load_edition(edition).wagers.items() if law.law.main}
    assert main == {"player", "banker", "tie"}


@clause("MA:7(a)", "NJ:3.2(a)", "NJ:3.2(b).1")
@each_edition
def test_7_a_one_area_holds_one_wager(edition: str) -> None:
    for kind in ("player", "banker", "tie"):
        assert refused(edition, BANKER_WINS, f"1 {kind} 500", f"1 {kind} 700")["code"] == "twice"
        assert played(edition, BANKER_WINS, f"1 {kind} 500", f"2 {kind} 700")


@clause("MA:7(a)", "NJ:3.2(a)", "NJ:3.2(b).1")
@each_edition
def test_7_a_player_and_banker_together_unless_the_licensee_forbids_it(edition: str) -> None:
    both = ("3 player 500", "3 banker 500")
    assert played(edition, BANKER_WINS, *both)["net_by_seat"] == {"3": -25}
    assert played(edition, BANKER_WINS, *both, opposite_bets=True)["net_by_seat"] == {"3": -25}
    found = refused(edition, BANKER_WINS, *both, opposite_bets=False)
    assert found["code"] == "opposite_bets"
    assert played(edition, BANKER_WINS, "3 player 500", "4 banker 500", opposite_bets=False)


@clause("MA:7(a)(1)(i)", "MA:7(a)(1)(ii)", "MA:7(a)(1)(iii)", "NJ:3.2(a)1i", "NJ:3.2(a)1ii", "NJ:3.2(a)1iii")
@each_edition
def test_7_a_1_banker_wins_higher_loses_lower_and_is_returned_on_a_tie(edition: str) -> None:
    expected = {"banker": "win", "player": "lose", "tie": "push"}
    elections: tuple[dict[str, Any], ...] = ({}, {"ez": True})
    if edition == NEW_JERSEY:
        elections = ({}, {"no_commission": "six_half"})
    for elected in elections:
        for player in range(10):
            for banker in range(10):
                told = played(edition, ending(player, banker), "1 banker 500", **elected)
                if not (elected.get("ez") and told["dragon7"]):
                    assert result(told, "banker") == expected[told["outcome"]], (player, banker, elected)
    paragraphs = ("7(a)(1)(i)", "7(a)(1)(ii)", "7(a)(1)(iii)") if edition in MASSACHUSETTS else NJ_BANKER
    for cards, paragraph in zip((BANKER_WINS, PLAYER_WINS, TIE), paragraphs, strict=True):
        assert paragraph in cited(edition, cards, "banker")
    won = line(played(edition, BANKER_WINS, "1 banker 500"), "banker")
    assert (won["odds"], won["win"], won["vigorish"]) == ("1:1", 500, 25)
    free = line(played(edition, BANKER_WINS, "1 banker 500", **elections[1]), "banker")
    assert (free["odds"], free["win"], free["vigorish"]) == ("1:1", 500, 0)


NJ_BANKER = ("3.2(a)1i", "3.2(a)1ii", "3.2(a)1iii")


@clause("MA:7(a)(1)(i)", "MA:7(a)(1)(iii)", "MA:7(a)(2)(ii)")
@each_of_massachusetts
def test_7_a_1_iii_a_dragon_7_returns_banker_and_loses_player_on_an_ez_table_only(edition: str) -> None:
    dragon_7 = ending(5, 7, 0, 3)
    ez = played(edition, dragon_7, "1 banker 500", "2 player 500", ez=True)
    assert (result(ez, "banker"), result(ez, "player", 2)) == ("push", "lose")
    plain = played(edition, dragon_7, "1 banker 500", "2 player 500")
    assert (result(plain, "banker"), result(plain, "player", 2)) == ("win", "lose")
    assert "7(a)(1)(iii)" in cited(edition, dragon_7, "banker", ez=True)


@clause("MA:7(a)(2)(i)", "MA:7(a)(2)(ii)", "MA:7(a)(2)(iii)", "NJ:3.2(a)2i", "NJ:3.2(a)2ii", "NJ:3.2(a)2iii")
@each_edition
def test_7_a_2_player_wins_higher_loses_lower_and_is_returned_on_a_tie(edition: str) -> None:
    expected = {"player": "win", "banker": "lose", "tie": "push"}
    for elected in ({}, {"ez": True}) if edition in MASSACHUSETTS else ({},):
        for player in range(10):
            for banker in range(10):
                told = played(edition, ending(player, banker), "1 player 500", **elected)
                assert result(told, "player") == expected[told["outcome"]], (player, banker, elected)
    nj = ("3.2(a)2i", "3.2(a)2ii", "3.2(a)2iii")
    paragraphs = ("7(a)(2)(i)", "7(a)(2)(ii)", "7(a)(2)(iii)") if edition in MASSACHUSETTS else nj
    for cards, paragraph in zip((PLAYER_WINS, BANKER_WINS, TIE), paragraphs, strict=True):
        assert paragraph in cited(edition, cards, "player")
    won = line(played(edition, PLAYER_WINS, "1 player 500"), "player")
    assert (won["odds"], won["win"], won["vigorish"]) == ("1:1", 500, 0)


@clause("MA:7(a)(3)(i)", "MA:7(a)(3)(ii)", "NJ:3.2(a)3")
@each_edition
def test_7_a_3_tie_wins_on_equal_counts_and_loses_otherwise(edition: str) -> None:
    for player in range(10):
        for banker in range(10):
            told = played(edition, ending(player, banker), "1 tie 500")
            assert result(told, "tie") == ("win" if player == banker else "lose")
    won, lost = ("7(a)(3)(i)", "7(a)(3)(ii)") if edition in MASSACHUSETTS else ("3.2(a)3", "3.2(a)3")
    assert line(played(edition, TIE, "1 tie 500"), "tie")["win"] == 4000
    assert won in cited(edition, TIE, "tie")
    assert lost in cited(edition, BANKER_WINS, "tie")


# -------------------------------------------------------------------------- 7(a)(4), 3.2(a)5 Dragon Bonus

DRAGON = (
    "MA:7(a)(4)", "MA:7(a)(4)(i)a", "MA:7(a)(4)(i)b", "MA:7(a)(4)(i)c", "MA:7(a)(4)(ii)a", "MA:7(a)(4)(ii)b",
    "MA:7(a)(4)(ii)c", "MA:7(a)(4)(iii)", "NJ:3.2(a)5", "NJ:3.2(a)5i.1", "NJ:3.2(a)5i.2", "NJ:3.2(a)5i.3",
    "NJ:3.2(a)5ii.1", "NJ:3.2(a)5ii.2", "NJ:3.2(a)5ii.3", "NJ:3.2(a)5iii",
)  # fmt: skip


SCHEDULE_A = {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1}


@clause(*DRAGON)
@each_edition
def test_7_a_4_without_a_natural_a_lead_of_four_wins_and_less_loses(edition: str) -> None:
    for player in range(10):
        for banker in range(10):
            three = player >= 8 or banker >= 8
            cards = ending(player, banker, 3 if three else 0, 3 if player < 8 and banker >= 8 else 0)
            told = played(edition, cards, "1 dragon_player 500", "2 dragon_banker 500")
            for kind, seat, lead in (("dragon_player", 1, player - banker), ("dragon_banker", 2, banker - player)):
                found = line(told, kind, seat)
                assert found["row"] == (f"win by {lead}" if lead >= 4 else f"margin {lead}")
                assert found["result"] == ("win" if lead >= 4 else "lose")
                assert found["win"] == 500 * SCHEDULE_A.get(lead, 0)
    for kind, cards in (("dragon_player", ending(4, 0)), ("dragon_banker", ending(0, 4))):
        told = played(edition, cards, f"1 {kind} 500", dragon_paytable="C")
        assert line(told, kind)["win"] == 1000, "by its lead, which here pays better than a natural"


@clause(*DRAGON)
@each_edition
def test_7_a_4_naturals_win_over_none_nine_wins_over_eight_and_equal_ones_are_returned(edition: str) -> None:
    for natural in (8, 9):
        for other in range(8):
            told = played(edition, ending(natural, other, 2, 2), "1 dragon_player 500", "2 dragon_banker 500")
            assert (line(told, "dragon_player")["row"], line(told, "dragon_player")["win"]) == ("natural winner", 500)
            assert (result(told, "dragon_player"), result(told, "dragon_banker", 2)) == ("win", "lose")
            told = played(edition, ending(other, natural, 2, 2), "1 dragon_player 500", "2 dragon_banker 500")
            assert line(told, "dragon_banker", 2)["row"] == "natural winner"
            assert (result(told, "dragon_player"), result(told, "dragon_banker", 2)) == ("lose", "win")
        told = played(edition, ending(natural, natural, 2, 2), "1 dragon_player 500", "2 dragon_banker 500")
        assert {(each["result"], each["row"]) for each in told["wagers"]} == {("push", "natural tie")}
    told = played(edition, ending(9, 8, 2, 2), "1 dragon_player 500", "2 dragon_banker 500")
    assert (line(told, "dragon_player")["row"], line(told, "dragon_player")["win"]) == ("natural winner", 500)
    assert line(told, "dragon_banker", 2)["row"] == "natural 8 v natural 9"
    assert (result(told, "dragon_player"), result(told, "dragon_banker", 2)) == ("win", "lose")
    told = played(edition, ending(8, 9, 2, 2), "1 dragon_player 500", "2 dragon_banker 500")
    assert (result(told, "dragon_player"), result(told, "dragon_banker", 2)) == ("lose", "win")


@clause(*DRAGON)
@each_edition
def test_7_a_4_the_bonus_cites_the_case_that_decided_it(edition: str) -> None:
    cases = (
        ((9, 5, 2, 2), "7(a)(4)(i)a", "3.2(a)5i"), ((9, 8, 2, 2), "7(a)(4)(i)b", "3.2(a)5i"),
        ((7, 2, 0, 0), "7(a)(4)(i)c", "3.2(a)5i"), ((8, 9, 2, 2), "7(a)(4)(ii)a", "3.2(a)5ii"),
        ((2, 2, 0, 0), "7(a)(4)(ii)b", "3.2(a)5ii"), ((7, 5, 0, 0), "7(a)(4)(ii)c", "3.2(a)5ii"),
        ((8, 8, 2, 2), "7(a)(4)(iii)", "3.2(a)5iii"),
    )  # fmt: skip
    for (player, banker, of_player, of_banker), massachusetts, new_jersey in cases:
        cards = ending(player, banker, of_player, of_banker)
        found = cited(edition, cards, "dragon_player", dragon_bonus=True, dragon_paytable="A")
        assert (massachusetts if edition in MASSACHUSETTS else new_jersey) in found


@clause("MA:7(a)(2)(i)", "MA:12(a)")
@each_of_massachusetts
def test_7_a_2_i_a_panda_8_wins_for_the_player_on_an_ez_table_too(edition: str) -> None:
    panda_8 = ending(8, 5, 3, 3)
    for elected in ({}, {"ez": True}):
        told = played(edition, panda_8, "1 player 501", "2 banker 500", **elected)
        assert (line(told, "player")["odds"], line(told, "player")["win"]) == ("1:1", 501)
        assert result(told, "banker", 2) == "lose"
        assert "7(a)(2)(i)" in cited(edition, panda_8, "player", **elected)


@clause("MA:7(a)(4)", "NJ:3.2(a)5")
@each_edition
def test_7_a_4_the_bonus_is_taken_where_it_is_offered_on_either_hand_or_both(edition: str) -> None:
    assert played(edition, BANKER_WINS, "1 dragon_player 500", "1 dragon_banker 500")
    for kind in ("dragon_player", "dragon_banker"):
        assert refused(edition, BANKER_WINS, f"1 {kind} 500", dragon_bonus=False)["code"] == "not_offered"


@clause("MA:7(a)(4)", "NJ:3.2(b).2")
@each_edition
def test_3_2_b_the_licensee_may_ask_for_a_regular_wager_beside_the_bonus(edition: str) -> None:
    assert played(edition, BANKER_WINS, "1 dragon_player 500")
    assert played(edition, BANKER_WINS, "1 dragon_player 500", bonus_base_required=False)
    for kind in ("dragon_player", "dragon_banker"):
        alone = refused(edition, BANKER_WINS, f"1 {kind} 500", bonus_base_required=True)
        assert alone["code"] == "no_base_wager"
        assert alone["cites"] == [f"{edition} §{'7(a)(4)' if edition in MASSACHUSETTS else '3.2(b)'}"]
        tie = refused(edition, BANKER_WINS, f"1 {kind} 500", "1 tie 500", bonus_base_required=True)
        assert tie["code"] == "no_base_wager"
        other = refused(edition, BANKER_WINS, f"1 {kind} 500", "2 player 500", bonus_base_required=True)
        assert other["code"] == "no_base_wager"
        for base in ("player", "banker"):
            assert played(edition, BANKER_WINS, f"1 {kind} 500", f"1 {base} 500", bonus_base_required=True)


# ------------------------------------------------------- 7(a)(5), (6) the insurances, 3.2(a)4 number of cards


@clause("MA:7(a)(5)", "MA:7(a)(5)(i)", "MA:7(a)(5)(ii)")
@each_of_massachusetts
def test_7_a_5_dragon_7_insurance_wins_on_a_dragon_7_alone(edition: str) -> None:
    for player in range(10):
        for banker in range(10):
            told = played(edition, ending(player, banker), "1 dragon7 500", ez=True)
            assert result(told, "dragon7") == ("win" if told["dragon7"] else "lose")
            assert line(told, "dragon7")["win"] == (20_000 if told["dragon7"] else 0)
    assert "7(a)(5)(i)" in cited(edition, ending(5, 7, 0, 3), "dragon7", ez=True)
    assert "7(a)(5)(ii)" in cited(edition, TIE, "dragon7", ez=True)


@clause("MA-v1-3:7(a)(6)(i)", "MA-v1-3:7(a)(6)(ii)", "MA-v4:7(a)(6)(i)", "MA-v4:7(a)(6)(ii)", "MA:7(a)(6)")
@each_of_massachusetts
def test_7_a_6_panda_8_insurance_wins_on_a_panda_8_alone(edition: str) -> None:
    for player in range(10):
        for banker in range(10):
            told = played(edition, ending(player, banker), "1 panda8 500", ez=True)
            assert result(told, "panda8") == ("win" if told["panda8"] else "lose")
            assert line(told, "panda8")["win"] == (12_500 if told["panda8"] else 0)
    assert "7(a)(6)(i)" in cited(edition, ending(8, 5, 3), "panda8", ez=True)
    assert "7(a)(6)(ii)" in cited(edition, TIE, "panda8", ez=True)


@clause("MA:7(a)(5)", "MA:7(a)(6)", "MA:1 EZ Baccarat")
@each_of_massachusetts
def test_7_a_5_and_6_the_insurances_exist_on_ez_tables_alone(edition: str) -> None:
    for kind, paragraph in (("dragon7", "7(a)(5)"), ("panda8", "7(a)(6)")):
        for elected in ({}, {"ez": False}):
            found = refused(edition, BANKER_WINS, f"1 {kind} 500", "1 banker 500", **elected)
            assert found["code"] == "not_offered"
            assert found["cites"] == [f"{edition} §{paragraph}"]
        assert played(edition, BANKER_WINS, f"1 {kind} 500", ez=True)


@clause("MA:7(a)(5)", "MA:7(a)(6)")
@each_of_massachusetts
def test_7_a_5_the_insurances_stand_alone_unless_the_licensee_asks_for_a_base(edition: str) -> None:
    for kind in ("dragon7", "panda8"):
        assert played(edition, BANKER_WINS, f"1 {kind} 500", ez=True, insurance_base_required=False)
        alone = refused(edition, BANKER_WINS, f"1 {kind} 500", ez=True, insurance_base_required=True)
        assert alone["code"] == "no_base_wager"
        for base in ("player", "banker", "tie"):
            assert played(edition, BANKER_WINS, f"1 {kind} 500", f"1 {base} 5", ez=True, insurance_base_required=True)
        other = ("1 dragon7 500", "1 dragon_player 500")
        assert refused(edition, BANKER_WINS, *other, ez=True, insurance_base_required=True)["code"] == "no_base_wager"


@clause("NJ:3.2(a)4")
def test_3_2_a_4_the_number_of_cards_decides_its_wagers() -> None:
    for count in (4, 5, 6):
        cards = {4: "7S 9D TH KC", 5: ending(3, 7, 3, 2), 6: ending(3, 4, 3, 3)}[count]
        told = played(NEW_JERSEY, cards, "1 total4 500", "2 total5 500", "3 total6 500")
        assert told["cards_dealt"] == count
        won = {each["type"]: each["win"] for each in told["wagers"] if each["result"] == "win"}
        assert won == {f"total{count}": 750 if count == 4 else 1000}
        assert {each["result"] for each in told["wagers"]} == {"win", "lose"}
        assert "3.2(a)4" in cited(NEW_JERSEY, cards, "total4", total_card_wagers=True)
    five_by_banker = played(NEW_JERSEY, ending(6, 2, 2, 3), "2 total5 500", "3 total6 500")
    assert (result(five_by_banker, "total5", 2), result(five_by_banker, "total6", 3)) == ("win", "lose")


@clause("NJ:3.2(a)4")
def test_3_2_a_4_the_number_of_cards_is_wagered_on_where_the_licensee_offers_it() -> None:
    for kind in ("total4", "total5", "total6"):
        assert played(NEW_JERSEY, BANKER_WINS, f"1 {kind} 500", total_card_wagers=True)
        found = refused(NEW_JERSEY, BANKER_WINS, f"1 {kind} 500", total_card_wagers=False)
        assert (found["code"], found["cites"]) == ("not_offered", [f"{NEW_JERSEY} §3.2(a)4"])


# -------------------------------------------------------------------- 7(b), 3.2(c) chips, coupons, words


@clause("MA:7(b).1", "NJ:3.2(c).1")
@each_edition
def test_7_b_a_coupon_lies_with_an_equal_wager_on_player_or_banker(edition: str) -> None:
    paragraph = "7(b)" if edition in MASSACHUSETTS else "3.2(c)"
    for placed in ("1 player 500 coupon=400", "1 banker 500 coupon=501", "1 tie 500 coupon=500"):
        found = refused(edition, BANKER_WINS, placed)
        assert (found["code"], found["cites"]) == ("coupon", [f"{edition} §{paragraph}"])
    assert refused(edition, BANKER_WINS, "1 player 500 coupon=500", match_play=False)["code"] == "coupon"
    for elected in ({}, {"match_play": True}):
        assert played(edition, BANKER_WINS, "1 player 500 coupon=500", **elected)


@clause("MA:7(b).1", "NJ:3.2(c).1")
@each_edition
def test_7_b_a_coupon_is_paid_with_its_wager_and_taken_unless_it_pushes(edition: str) -> None:
    placed = ("1 player 2500 coupon=2500", "2 banker 2500 coupon=2500")
    told = played(edition, BANKER_WINS, *placed)
    won, lost = line(told, "banker", 2), line(told, "player")
    assert (won["win"], won["vigorish"], won["net"], won["coupon"]) == (5000, 250, 4750, "taken")
    assert (lost["net"], lost["coupon"]) == (-2500, "taken")
    tied = played(edition, TIE, *placed)
    assert {(each["net"], each["coupon"]) for each in tied["wagers"]} == {(0, "left with the wager")}


@clause("MA:7(b).2", "NJ:3.2(c).2")
@each_edition
def test_7_b_a_spoken_wager_has_cash_and_is_confirmed_by_whom_the_document_names(edition: str) -> None:
    named = ["dealer"] if edition in MASSACHUSETTS else ["dealer", "casino supervisor"]

    def spoken(cash: bool, by: list[str], **options: Any) -> dict[str, Any]:
        made = record(edition, BANKER_WINS, **options)
        made["wagers"] = [{**wager("1 banker 500"), "verbal": {"cash": cash, "confirmed_by": by}}]
        return made

    assert answer(spoken(True, named))["net_by_seat"] == {"1": 475}
    assert answer(spoken(True, named, verbal_wagers=True))["net_by_seat"] == {"1": 475}
    faulty = [spoken(False, named), spoken(True, []), spoken(True, ["floorperson"])]
    faulty += [spoken(True, [other for other in named if other != who]) for who in named]
    faulty.append(spoken(True, named, verbal_wagers=False))
    for made in faulty:
        found = refusal_of(made)
        paragraph = "7(b)" if edition in MASSACHUSETTS else "3.2(c)"
        assert (found["code"], found["cites"]) == ("verbal", [f"{edition} §{paragraph}"])


@clause("MA:7(b).1", "NJ:3.2(c).1")
@each_edition
def test_7_b_posted_limits_bound_every_wager(edition: str) -> None:
    for kind in ("player", "banker", "tie"):
        for stake, code in (
            (2_400, "below_minimum"), (1, "below_minimum"), (500_100, "above_maximum"), (2_550, "off_increment"),
        ):  # fmt: skip
            found = refused(edition, BANKER_WINS, f"1 {kind} {stake}", limits=LIMITS)
            paragraph = "7(b)" if edition in MASSACHUSETTS else "3.2(c)"
            assert (found["code"], found["cites"]) == (code, [f"{edition} §{paragraph}"])
        for stake in (2_500, 500_000, 2_600):
            assert played(edition, BANKER_WINS, f"1 {kind} {stake}", limits=LIMITS)
        assert played(edition, BANKER_WINS, f"1 {kind} 1"), "nothing posted, nothing bounded"


@clause("MA:7(b).1", "NJ:3.2(c).1")
@each_edition
def test_7_b_the_posted_aggregate_payout_bounds_a_kind_of_wager_over_all_seats(edition: str) -> None:
    limits = {**LIMITS, "tie": {**LIMIT, "aggregate_payout": 40_000}, "player": {**LIMIT, "aggregate_payout": 9_900}}
    assert played(edition, BANKER_WINS, "1 tie 2500", "2 tie 2500", limits=limits)
    over = refused(edition, BANKER_WINS, "1 tie 2500", "2 tie 2600", limits=limits)
    assert over["code"] == "aggregate_payout"
    assert refused(edition, BANKER_WINS, "1 tie 5000", limits=limits, tie_odds=9)["code"] == "aggregate_payout"
    assert played(edition, BANKER_WINS, "1 player 9900", limits=limits)
    with_coupon = refused(edition, BANKER_WINS, "1 player 5000 coupon=5000", limits=limits)
    assert with_coupon["code"] == "aggregate_payout", "a coupon is paid too"


@clause("MA:7(b).1", "NJ:3.2(c).1")
@each_edition
def test_7_b_what_a_kind_of_wager_could_cost_is_its_highest_payout(edition: str) -> None:
    """A bonus of $25 pays from even money to 30 to 1."""
    bonus = {"dragon_player": LIMIT, "dragon_banker": LIMIT}
    at, under = ({**LIMITS, **bonus, "dragon_player": {**LIMIT, "aggregate_payout": most}} for most in (75_000, 74_999))
    placed = ("1 player 2500", "1 dragon_player 2500")
    assert played(edition, BANKER_WINS, *placed, limits=at, dragon_paytable="A")
    assert refused(edition, BANKER_WINS, *placed, limits=under, dragon_paytable="A")["code"] == "aggregate_payout"


@clause("MA:7(b).1", "NJ:3.2(c).1")
@each_edition
def test_7_b_limits_are_posted_for_every_wager_offered_and_make_sense(edition: str) -> None:
    for limits in (
        {"player": LIMIT, "banker": LIMIT},
        {**LIMITS, "tie": {**LIMIT, "min": 600_000}},
        {**LIMITS, "tie": {**LIMIT, "min": 2_550}},
        {**LIMITS, "tie": {**LIMIT, "max": 500_050}},
        {**LIMITS, "tie": {**LIMIT, "increment": 0}},
        {**LIMITS, "tie": {"min": 100, "max": 200}},
        {**LIMITS, "tye": LIMIT},
    ):
        assert refused(edition, BANKER_WINS, "1 player 2500", limits=limits)["code"] == "invalid_submission"
