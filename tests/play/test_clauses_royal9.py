"""Section 12(i) and (j): the Royal 9 progressives of the early and the late editions, and the Must Hit progressive."""

from __future__ import annotations

import pytest

from royal9_round import NOTHING, all_bet, clause, combination, each, one, opened, rows
from strategies import EARLY, KING_9, LATE, answer, line, played, record, refusal_of, refused, royal9

each_early = pytest.mark.parametrize("edition", EARLY)


# ----------------------------------------------------------------------------------------- all editions


@clause("MA-v1-2:12(i).wager", "MA-v3-4:12(i).wager")
@each
def test_12_i_the_wager_is_five_dollars_exactly(edition: str) -> None:
    assert one(edition, "4S 2H", "5D 2C")["net"] == -500
    for stake in (499, 501, 1000, 100):
        found = refused(edition, NOTHING, "1 player 500", f"1 royal9 {stake}", royal9=royal9(edition))
        assert (found["code"], found["cites"]) == ("fixed_stake", [f"{edition} §12(i)"])


@clause("MA-v1-2:12(i).wager", "MA-v3-4:12(i).wager")
@each
def test_12_i_a_prize_is_for_one_unless_the_licensee_returns_the_stake(edition: str) -> None:
    for elected, net in (({}, 2000), ({"royal9_return_stake": False}, 2000), ({"royal9_return_stake": True}, 2500)):
        won = one(edition, "QS 9D", "4D 2C", **elected)
        assert (won["row"], won["win"], won["net"]) == ("Any Royal 9", 2500, net)
        assert one(edition, "4S 2H", "5D 2C", **elected)["net"] == -500, "a lost stake is lost either way"


@clause("MA-v1-2:12(i).basis", "MA-v3-4:12(i).play", "MA-v3-4:12(i).wager")
@each
def test_12_i_royal_9_lies_beside_a_main_wager(edition: str) -> None:
    for base in ("player", "banker", "tie"):
        assert played(edition, NOTHING, "1 royal9 500", f"1 {base} 100", royal9=royal9(edition))
    for beside in ((), ("2 player 100",), ("1 dragon_player 100",), ("1 house_money 100",)):
        found = refused(edition, NOTHING, "1 royal9 500", *beside, royal9=royal9(edition))
        assert (found["code"], found["cites"]) == ("no_base_wager", [f"{edition} §12(i)"])


@clause("MA-v1-2:12(i).basis", "MA-v3-4:12(i).deal", "MA-v3-4:12(i).royal9", "MA-v1-2:12(i).royal9",
        "MA-v3-4:12(i).play")  # fmt: skip
@each
def test_12_i_the_first_four_cards_decide(edition: str) -> None:
    third = played(edition, "KS 5D 2H 2C 9H", "1 tie 100", "1 royal9 500", royal9=royal9(edition))
    assert third["cards_dealt"] == 5
    assert line(third, "royal9")["row"] == "loss", "a nine that comes as third card makes no Royal 9"
    alike = played(edition, "KS 5D KS 2C 9H", "1 tie 100", "1 royal9 500", royal9=royal9(edition))
    assert line(alike, "royal9")["row"] == "loss", "nor with two kings of one suit, from two decks"
    assert refused(edition, NOTHING, "1 tie 100", "1 royal9 500")["code"] == "not_offered"


@clause("MA-v1-2:12(i).basis", "MA-v1-2:12(i).royal9", "MA-v1-2:12(i).pay7", "MA-v1-2:12(i).pay8")
@clause("MA-v3-4:12(i).royal9", "MA-v3-4:12(i).pay7", "MA-v3-4:12(i).pay8", "MA-v3-4:12(i).pay9", "MA-v3-4:12(i).any")
@each
def test_12_i_a_nine_with_a_court_pays_25_dollars_and_a_suited_one_50(edition: str) -> None:
    for court in "JQK":
        for royal in (f"{court}H 9D", f"9D {court}H"):
            for player, banker in ((royal, "4D 2C"), ("4D 2C", royal)):
                found = one(edition, player, banker)
                assert (found["row"], found["win"]) == ("Any Royal 9", 2500)
        for suit in "SHDC":
            for player, banker in ((f"{court}{suit} 9{suit}", "4D 2C"), ("4D 2C", f"9{suit} {court}{suit}")):
                found = one(edition, player, banker)
                assert (found["row"], found["win"]) == ("Any Suited Royal 9", 5000)
    for other in ("TS 9S", "9S 9S", "KS KS", "KS QS", "AS 9S", "KS 8S"):
        found = one(edition, other, "4D 2C")
        assert (found["result"], found["row"], found["net"]) == ("lose", "loss", -500)


@clause("MA-v1-2:12(i).pay5", "MA-v1-2:12(i).pay6", "MA-v3-4:12(i).pay5", "MA-v3-4:12(i).pay6",
        "MA-v3-4:12(i).two", "MA-v1-2:12(i).royal9")  # fmt: skip
@each
def test_12_i_royal_9_on_both_hands_pays_250_dollars_and_both_suited_1500(edition: str) -> None:
    both, suited = (
        ("Royal 9 Tie Hand", "Suited Royal 9 Tie Hand")
        if edition in EARLY
        else ("Royal 9 vs. Royal 9", "Suited Royal 9 vs. Suited Royal 9")
    )
    for player, banker in (("JH 9S", "QC 9D"), ("JH 9H", "QC 9D"), ("QC 9D", "9S KS"), ("JS 9C", "JS 9C")):
        found = one(edition, player, banker)
        assert (found["row"], found["win"]) == (both, 25_000)
    for player, banker in (("JH 9H", "QC 9C"), ("KS 9S", "KS 9S"), ("9D QD", "JD 9D")):
        found = one(edition, player, banker)
        assert (found["row"], found["win"]) == (suited, 150_000)


@clause("MA-v1-2:12(i).rate major", "MA-v1-2:12(i).rate K9 Banker", "MA-v1-2:12(i).rate K9 Player")
@pytest.mark.parametrize(("paytable", "cents"), [(1, 45), (2, 48)])
@each_early
def test_12_i_the_printed_rates_feed_the_meters(edition: str, paytable: int, cents: int) -> None:
    option = royal9(edition, paytable=paytable)
    told = played(edition, NOTHING, *all_bet(3), "4 tie 100", royal9=option)
    before = option["meters"]
    added = {"major": 3 * cents, "k9_banker": 75, "k9_player": 75}
    expected = {name: before[name] + more for name, more in added.items()}
    assert told["meters_after_contributions"] == told["meters_after_round"] == expected
    quiet = played(edition, NOTHING, "4 tie 100", royal9=option)
    assert quiet["meters_after_round"] == before, "who does not wager does not contribute"


@clause("MA-v1-2:12(i).rate major", "MA-v3-4:12(i).wager")
@each
def test_12_i_a_share_of_the_contribution_may_be_kept_for_the_next_seed(edition: str) -> None:
    first = "major" if edition in EARLY else "star"
    for share, shown, reserve in ((0, 45, None), (2_000, 36, 19_000_000), (10_000, 0, 95_000_000), (1, 44, 9_500)):
        option = royal9(edition)
        told = played(edition, NOTHING, *all_bet(1), royal9=option, reserve_share_bp=share)
        assert told["meters_after_round"][first] == option["meters"][first] + shown
        assert told.get("reserve_micro_cents") == reserve
    for wrong in (-1, 10_001, 0.5, "half"):
        assert refused(edition, NOTHING, royal9=royal9(edition), reserve_share_bp=wrong)["code"] == "invalid_submission"


@clause("MA-v1-2:12(i).rate major", "MA-v3-4:12(i).wager")
@each
def test_12_i_a_second_rate_may_fund_the_next_seed_beside_the_first(edition: str) -> None:
    first = "major" if edition in EARLY else "star"
    for second, reserve in ((0, None), (100, 10_000_000), (333, 33_300_000)):
        option = royal9(edition)
        told = played(edition, NOTHING, *all_bet(2), royal9=option, secondary_seed_bp=second)
        assert told["meters_after_round"][first] == option["meters"][first] + 90, "the first rate is untouched"
        assert told.get("reserve_micro_cents") == reserve
    for wrong in (-1, 10_001, 0.5, True):
        assert (
            refused(edition, NOTHING, royal9=royal9(edition), secondary_seed_bp=wrong)["code"] == "invalid_submission"
        )


@clause("MA-v1-2:12(i).decks", "MA-v3-4:12(i).decks")
@each
def test_12_i_the_shoe_of_a_royal_9_table(edition: str) -> None:
    for decks in (6, 7, 8, 10):
        made = record(edition, NOTHING, *all_bet(1), royal9=royal9(edition), decks=decks)
        if decks == 8 or (decks == 6 and edition in LATE):
            assert "refused" not in answer(made)
        else:
            assert refusal_of(made)["cites"] == [f"{edition} §12(i)"]
        assert played(edition, NOTHING, "1 tie 100", decks=decks)


# ---------------------------------------------------------------------------------- first, second edition

EXACT = "Exact Match Personal Progressive"


ANY_TWO = "Any Two Personal Progressive"


K9_BANKER, K9_PLAYER = "Personal K9 on Banker Hand", "Personal K9 on Player Hand"


BOTH = "Royal 9 Tie Hand"


@clause("MA-v1-2:12(i).basis", "MA-v1-2:12(i).pay1", "MA-v1-2:12(i).exact", "MA-v1-2:12(i).unique")
@pytest.mark.parametrize(
    "chair", [pytest.param(chair, marks=clause(f"MA-v1-2:12(i).chairs {chair}")) for chair in range(1, 10)]
)
@each_early
def test_12_i_chairs_each_chair_has_its_three_combinations(edition: str, chair: int) -> None:
    for court in "KQJ":
        found = rows(edition, combination(chair, court), combination(chair, court))
        assert found.pop(chair) == (EXACT, 5_000_000 + 9 * 45)
        assert set(found.values()) == {(BOTH, 25_000)}, "nobody else's"
    found = rows(edition, "4S 2H", combination(chair))
    assert found.pop(chair) == (K9_BANKER, 35_000 + 9 * 25)
    assert set(found.values()) == {("Any Royal 9", 2500)}
    found = rows(edition, combination(chair), "4S 2H")
    assert found.pop(chair) == (K9_PLAYER, 35_000 + 9 * 25)
    assert set(found.values()) == {("Any Royal 9", 2500)}


@clause("MA-v1-2:12(i).unique", "MA-v1-2:12(i).exact")
@each_early
def test_12_i_three_families_of_combinations_belong_to_no_chair(edition: str) -> None:
    for free in ("KS 9C", "KC 9S", "KH 9D"):
        assert set(rows(edition, free, free).values()) == {(BOTH, 25_000)}
        assert set(rows(edition, free, "4S 2H").values()) == {("Any Royal 9", 2500)}


@clause("MA-v1-2:12(i).pay1", "MA-v1-2:12(i).seed major", "MA-v1-2:12(i).rate major")
@pytest.mark.parametrize(("paytable", "seed", "cents"), [(1, 5_000_000, 45), (2, 2_500_000, 48)])
@each_early
def test_12_i_pay1_an_exact_match_takes_the_major_meter_which_begins_again(
    edition: str, paytable: int, seed: int, cents: int
) -> None:
    option = royal9(edition, paytable=paytable, major=7_654_321)
    told = played(edition, opened("JD 9H", "9H JD"), "9 player 100", "9 royal9 500", royal9=option)
    found = line(told, "royal9", 9)
    assert (found["row"], found["win"]) == (EXACT, 7_654_321 + cents)
    assert told["meters_after_round"] == {"major": seed, "k9_banker": 35_025, "k9_player": 35_025}
    assert told["settlement"] == [["royal9_award", 9, EXACT, 7_654_321 + cents]]


@clause("MA-v1-2:12(i).pay2")
@each_early
def test_12_i_pay2_any_two_of_the_own_chair_take_a_tenth_of_the_major_meter(edition: str) -> None:
    for player, banker in (("K", "Q"), ("Q", "J"), ("J", "K")):
        option = royal9(edition, major=6_000_001)
        hands = combination(5, player), combination(5, banker)
        for elected in ({}, {"any_two": "own_chair"}):
            told = played(edition, opened(*hands), "5 tie 100", "5 royal9 500", royal9=option, **elected)
            found = line(told, "royal9", 5)
            assert (found["row"], found["win"]) == (ANY_TWO, 600_005), "a tenth of what is shown, raised to the cent"
            assert told["meters_after_round"] == {"major": 5_400_041, "k9_banker": 35_025, "k9_player": 35_025}


@clause("MA-v1-2:12(i).pay2")
@each_early
def test_12_i_pay2_the_three_readings_of_any_two(edition: str) -> None:
    own, identical, posted = "own_chair", "other_chair_identical", "any_posted"
    everybody = set(range(1, 10))
    others, nobody = everybody - {5}, set[int]()
    cases: tuple[tuple[str, str, dict[str, set[int]]], ...] = (
        (combination(5, "K"), combination(5, "Q"), {own: {5}, identical: nobody, posted: everybody}),
        (combination(5, "Q"), combination(5, "Q"), {own: nobody, identical: others, posted: others}),
        (combination(5, "Q"), combination(6, "J"), {own: nobody, identical: nobody, posted: everybody}),
        ("KS 9C", "KS 9C", {own: nobody, identical: nobody, posted: nobody}),
        (combination(5, "Q"), "KS 9C", {own: nobody, identical: nobody, posted: nobody}),
    )
    for player, banker, winners in cases:
        for reading, seats in winners.items():
            found = rows(edition, player, banker, any_two=reading)
            assert {seat for seat, (row, _) in found.items() if row == ANY_TWO} == seats, (player, banker, reading)


@clause("MA-v1-2:12(i).pay2")
@each_early
def test_12_i_pay2_several_winners_share_equally_odd_cents_to_the_lower_seats(edition: str) -> None:
    option = royal9(edition, major=6_000_000)
    placed = [text for seat in (8, 2, 5) for text in (f"{seat} tie 100", f"{seat} royal9 500")]
    hands = opened(combination(1, "Q"), combination(9, "J"))
    told = played(edition, hands, *placed, royal9=option, any_two="any_posted")
    total = 600_014  # a tenth of 6,000,135, raised to the cent
    assert [line(told, "royal9", seat)["win"] for seat in (2, 5, 8)] == [200_005, 200_005, 200_004]
    assert told["meters_after_round"]["major"] == 6_000_135 - total
    awards = [step for step in told["settlement"] if step[0] == "royal9_award"]
    order = ((8, 200_004), (5, 200_005), (2, 200_005))
    assert awards == [["royal9_award", seat, ANY_TWO, win] for seat, win in order]


@clause("MA-v1-2:12(i).pay1", "MA-v1-2:12(i).pay2")
@each_early
def test_12_i_an_exact_match_is_paid_before_the_tenths_of_others(edition: str) -> None:
    option = royal9(edition, major=6_000_000)
    placed = [text for seat in (1, 2) for text in (f"{seat} tie 100", f"{seat} royal9 500")]
    hands = opened(combination(1), combination(1))
    told = played(edition, hands, *placed, royal9=option, any_two="other_chair_identical")
    assert (line(told, "royal9", 1)["row"], line(told, "royal9", 1)["win"]) == (EXACT, 6_000_090)
    assert (line(told, "royal9", 2)["row"], line(told, "royal9", 2)["win"]) == (ANY_TWO, 500_000)
    assert told["meters_after_round"]["major"] == 4_500_000


@clause("MA-v1-2:12(i).pay2", "MA-v1-2:12(i).seed major")
@each_early
def test_12_i_pay2_a_tenth_leaves_the_meter_as_it_is_unless_it_is_refilled(edition: str) -> None:
    hands = opened(combination(3, "K"), combination(3, "J"))
    for elected, after in (
        ({}, 4_500_040), ({"partial_refill_to_seed": False}, 4_500_040), ({"partial_refill_to_seed": True}, 5_000_000),
    ):  # fmt: skip
        told = played(edition, hands, "3 tie 100", "3 royal9 500", royal9=royal9(edition), **elected)
        assert told["meters_after_round"]["major"] == after
    rich = royal9(edition, major=9_000_000)
    told = played(edition, hands, "3 tie 100", "3 royal9 500", royal9=rich, partial_refill_to_seed=True)
    assert told["meters_after_round"]["major"] == 8_100_040, "above its seed nothing is added"


@clause("MA-v1-2:12(i).pay3", "MA-v1-2:12(i).seed K9 Banker", "MA-v1-2:12(i).rate K9 Banker",
        "MA-v1-2:12(i).pay4", "MA-v1-2:12(i).seed K9 Player", "MA-v1-2:12(i).rate K9 Player")  # fmt: skip
@pytest.mark.parametrize("paytable", [1, 2])
@each_early
def test_12_i_pay3_and_pay4_a_personal_king_nine_takes_the_meter_of_its_hand(edition: str, paytable: int) -> None:
    option = royal9(edition, paytable=paytable, k9_banker=41_275, k9_player=52_000)
    placed = ("4 tie 100", "4 royal9 500")
    banker = played(edition, opened("4S 2H", combination(4)), *placed, royal9=option)
    assert (line(banker, "royal9", 4)["row"], line(banker, "royal9", 4)["win"]) == (K9_BANKER, 41_300)
    assert {**banker["meters_after_round"], "major": 0} == {"major": 0, "k9_banker": 35_000, "k9_player": 52_025}
    player = played(edition, opened(combination(4), "4S 2H"), *placed, royal9=option)
    assert (line(player, "royal9", 4)["row"], line(player, "royal9", 4)["win"]) == (K9_PLAYER, 52_025)
    assert {**player["meters_after_round"], "major": 0} == {"major": 0, "k9_banker": 41_300, "k9_player": 35_000}


@clause("MA-v1-2:12(i).pay3", "MA-v1-2:12(i).pay4", "MA-v1-2:12(i).pay8")
@each_early
def test_12_i_only_the_king_of_a_chair_is_a_personal_k9(edition: str) -> None:
    for court in "QJ":
        assert one(edition, combination(4, court), "4S 2H", 4)["row"] == "Any Royal 9"
        assert one(edition, "4S 2H", combination(4, court), 4)["row"] == "Any Royal 9"
    mixed = one(edition, "JH 9D", combination(4), 4)
    assert mixed["row"] == K9_BANKER, "the higher row, though both hands show a Royal 9"


@clause("MA-v1-2:12(i).pay3", "MA-v1-2:12(i).pay4")
@each_early
def test_12_i_two_chairs_may_win_the_two_personal_meters_in_one_round(edition: str) -> None:
    found = rows(edition, combination(5), combination(1))
    assert (found[1], found[5]) == ((K9_BANKER, 35_225), (K9_PLAYER, 35_225))
    assert found[9] == (BOTH, 25_000)


@clause("MA-v1-2:12(i).unique", "MA-v1-2:12(i).seed major", "MA-v1-2:12(i).seed K9 Banker")
@each_early
def test_12_i_combinations_seeds_and_rates_are_printed_and_not_the_licensees(edition: str) -> None:
    for wrong in (
        {"paytable": 1, "combos": KING_9},
        {"paytable": 1, "rates_bp": {"major": 900, "k9_banker": 500, "k9_player": 500}},
        {"paytable": 1, "seeds": {"major": 5_000_001}},
        {"paytable": 2, "seeds": {"major": 5_000_000}},
        {"paytable": 1, "seeds": {"star": 5_000_000}},
        {"paytable": 3},
        {},
    ):
        found = refused(edition, NOTHING, "1 tie 100", royal9=wrong)
        assert (found["code"], found["cites"]) == ("invalid_submission", [f"{edition} §12(i)"])
    printed = {"major": 5_000_000, "k9_banker": 35_000, "k9_player": 35_000}
    assert played(edition, NOTHING, "1 tie 100", royal9={"paytable": 1, "seeds": printed})
