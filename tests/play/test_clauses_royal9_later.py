"""Royal 9 and the Must Hit of the third and fourth editions, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from royal9_round import NOTHING, all_bet, clause, combination, each, one, opened, rows
from strategies import CHAIRS, EARLY, LATE, answer, line, played, record, refusal_of, refused, royal9

each_late = pytest.mark.parametrize("edition", LATE)


# ---------------------------------------------------------------------------------- third, fourth edition

STAR, SPADE, HEART = "Personal King-9 vs. Personal King-9", "Banker Personal King-9", "Player Personal King-9"


OTHER = "Other Personal King-9 vs. Identical King-9"


@clause("MA-v3-4:12(i).pay1", "MA-v3-4:12(i).pay2", "MA-v3-4:12(i).pay3", "MA-v3-4:12(i).pay4",
        "MA-v3-4:12(i).only one", "MA-v3-4:12(i).other", "MA-v3-4:12(i).combos", "MA-v3-4:12(i).deal")  # fmt: skip
@pytest.mark.parametrize("seat", range(1, 8))
@each_late
def test_12_i_each_seat_has_its_king_nine(edition: str, seat: int) -> None:
    both = rows(edition, combination(seat), combination(seat))
    assert both.pop(seat) == (STAR, 5_000_000 + 7 * 45)
    assert set(both.values()) == {(OTHER, 500_000)}, "in full to every other seat"
    banker = rows(edition, "4S 2H", combination(seat))
    assert banker.pop(seat) == (SPADE, 35_000 + 7 * 25)
    assert set(banker.values()) == {("Any Royal 9", 2500)}
    player = rows(edition, combination(seat), "4S 2H")
    assert player.pop(seat) == (HEART, 35_000 + 7 * 25)
    assert set(player.values()) == {("Any Royal 9", 2500)}


@clause("MA-v3-4:12(i).pay1", "MA-v3-4:12(i).pay2", "MA-v3-4:12(i).pay3", "MA-v3-4:12(i).only one")
@each_late
def test_12_i_star_spade_and_heart_take_their_meters_which_begin_again(edition: str) -> None:
    option = royal9(edition, star=6_000_000, spade=48_125, heart=51_000)
    seeds = {"star": 5_000_000, "spade": 35_000, "heart": 35_000}
    fed = {"star": 6_000_045, "spade": 48_150, "heart": 51_025}
    for player, banker, row, meter in (
        (combination(6), combination(6), STAR, "star"),
        ("4S 2H", combination(6), SPADE, "spade"),
        (combination(6), "4S 2H", HEART, "heart"),
        ("JH 9D", combination(6), SPADE, "spade"),
        (combination(6), combination(2), HEART, "heart"),
    ):
        told = played(edition, opened(player, banker), "6 tie 100", "6 royal9 500", royal9=option)
        assert (line(told, "royal9", 6)["row"], line(told, "royal9", 6)["win"]) == (row, fed[meter])
        assert told["meters_after_contributions"] == fed
        assert told["meters_after_round"] == {**fed, meter: seeds[meter]}


@clause("MA-v3-4:12(i).pay4", "MA-v3-4:12(i).other")
@each_late
def test_12_i_other_the_king_nine_of_a_seat_that_nobody_bets_at_counts_too(edition: str) -> None:
    told = played(edition, opened(combination(3), combination(3)), *all_bet(2), royal9=royal9(edition))
    assert [line(told, "royal9", seat)["row"] for seat in (1, 2)] == [OTHER, OTHER]
    assert [line(told, "royal9", seat)["win"] for seat in (1, 2)] == [500_000, 500_000]
    unlike = rows(edition, combination(3), combination(4))
    assert unlike[1] == ("Royal 9 vs. Royal 9", 25_000), "two seats' combinations, but not identical"
    six = royal9(edition, seats=6)
    seven = one(edition, combination(7), combination(7), royal9=six)
    assert seven["row"] == "Royal 9 vs. Royal 9", "with six seats the seventh's combination is nobody's"
    queen = one(edition, combination(3, "Q"), combination(3, "Q"))
    assert queen["row"] == "Royal 9 vs. Royal 9", "a queen makes no King-9"


@clause("MA-v3-4:12(i).combos")
@each_late
def test_12_i_combos_are_the_licensees_unsuited_unique_and_one_a_seat(edition: str) -> None:
    base = royal9(edition, seats=6)
    swapped = {**base, "combos": {**base["combos"], "1": "SD", "2": "SH"}}
    assert one(edition, "KS 9D", "KS 9D", royal9=swapped)["row"] == STAR
    for wrong in (
        {**base["combos"], "4": "CC"},
        {**base["combos"], "4": "SH"},
        {**base["combos"], "4": "C"},
        {**base["combos"], "4": "XH"},
        {seat: suits for seat, suits in base["combos"].items() if seat != "4"},
        {**base["combos"], "8": "DC"},
    ):
        made = {**base, "combos": wrong}
        found = refused(edition, NOTHING, "1 tie 100", royal9=made, seats=6)
        assert (found["code"], found["cites"]) == ("invalid_submission", [f"{edition} §12(i)"])
    for missing in ("combos", "seeds", "rates_bp"):
        made = {key: value for key, value in base.items() if key != missing}
        found = refused(edition, NOTHING, "1 tie 100", royal9=made, seats=6)
        assert (found["code"], found["cites"]) == ("invalid_submission", [f"{edition} §12(i)"])
    for word, entry in (
        ("rates_bp", {"star": 9_000, "spade": 900, "heart": 500}),
        ("seeds", {"star": 1}),
        ("paytable", 1),
    ):
        found = refused(edition, NOTHING, "1 tie 100", royal9={**base, word: entry}, seats=6)
        assert (found["code"], found["cites"]) == ("invalid_submission", [f"{edition} §12(i)"])


@clause("MA-v3-4:12(i).seats")
@each_late
def test_12_i_seats_six_or_seven(edition: str) -> None:
    suits = list(CHAIRS.values())
    for seats in (5, 6, 7, 8):
        option = {**royal9(edition), "combos": {str(seat): suits[seat - 1] for seat in range(1, seats + 1)}}
        made = record(edition, NOTHING, "1 tie 100", royal9=option)
        if seats in (6, 7):
            assert "refused" not in answer(made)
        else:
            assert refusal_of(made)["cites"] == [f"{edition} §12(i)"]


@clause("MA-v3-4:12(i).pay1", "MA-v3-4:12(i).wager")
@each_late
def test_12_i_the_filed_rates_and_seeds_feed_and_refill_the_meters(edition: str) -> None:
    option = {
        **royal9(edition), "seeds": {"star": 111, "spade": 222, "heart": 333},
        "rates_bp": {"star": 1_000, "spade": 0, "heart": 2_000},
    }  # fmt: skip
    told = played(edition, opened(combination(2), combination(2)), *all_bet(2), royal9=option)
    assert told["meters_after_contributions"] == {"star": 5_000_100, "spade": 35_000, "heart": 35_200}
    assert told["meters_after_round"] == {"star": 111, "spade": 35_000, "heart": 35_200}


@clause("MA-v1-2:12(i).basis", "MA-v3-4:12(i).play")
@each
def test_12_i_what_the_meters_show_must_be_told(edition: str) -> None:
    option = royal9(edition)
    first = next(iter(option["meters"]))
    for meters in (None, {}, {**option["meters"], first: -1}, {first: 1}, {**option["meters"], "gold": 1}):
        made = {key: value for key, value in option.items() if key != "meters"}
        if meters is not None:
            made["meters"] = meters
        found = refused(edition, NOTHING, "1 tie 100", "1 royal9 500", royal9=made)
        assert (found["code"], found["cites"]) == ("no_meters", [f"{edition} §12(i)"])


# ------------------------------------------------------------------------------------------ 12(j) Must Hit

MUST_HIT = {"start": 100_000, "ceiling": 200_000, "contribution": 25}


SHOWS = ["bet_sensor", "dealer_screen", "progressive_sign"]


def ended(
    edition: str, state: dict[str, int], seats: tuple[int, ...] = (2, 5, 7), cards: str = NOTHING
) -> dict[str, Any]:
    """A round at whose end the Must Hit meter stands so, with these seats in Royal 9 and seat 1 not."""
    placed = [text for seat in seats for text in (f"{seat} tie 100", f"{seat} royal9 500")]
    made = record(edition, cards, "1 tie 100", *placed, royal9=royal9(edition), must_hit=MUST_HIT)
    return answer({**made, "must_hit": state})


@clause("MA-v3-4:12(j).1", "MA-v3-4:12(j).2", "MA-v3-4:12(j).3", "MA-v3-4:12(j).4")
@each_late
def test_12_j_at_the_rounds_end_the_meter_is_won_by_a_participant_drawn_by_lot(edition: str) -> None:
    for lot, seat in ((0, 2), (1, 5), (2, 7)):
        told = ended(edition, {"meter": 149_925, "trigger": 150_000, "lot": lot})
        hit = {"hit": True, "seat": seat, "award": 150_000, "meter_after": 100_000, "shows": SHOWS}
        assert told["must_hit"] == hit
        assert told["net_by_seat"] == {"1": -100, **{str(s): -600 + (150_000 if s == seat else 0) for s in (2, 5, 7)}}
        assert told["settlement"][-1] == ["must_hit_award", seat, 150_000]
    unsaid = ended(edition, {"meter": 149_925, "trigger": 150_000})
    assert unsaid["refused"]["code"] == "must_hit", "chance comes in by the door"


@clause("MA-v3-4:12(j).1", "MA-v3-4:12(j).2")
@each_late
def test_12_j_below_its_trigger_the_meter_only_grows(edition: str) -> None:
    told = ended(edition, {"meter": 149_924, "trigger": 150_000})
    assert told["must_hit"] == {"hit": False, "seat": None, "award": 0, "meter_after": 149_999, "shows": []}
    nobody = ended(edition, {"meter": 199_999, "trigger": 150_000}, seats=())
    assert nobody["must_hit"] == {"hit": False, "seat": None, "award": 0, "meter_after": 199_999, "shows": []}


@clause("MA-v3-4:12(j).1", "MA-v3-4:12(j).2")
@each_late
def test_12_j_a_hit_is_paid_beside_a_royal_9_prize(edition: str) -> None:
    told = ended(edition, {"meter": 150_000, "trigger": 150_000, "lot": 0}, seats=(2,), cards=opened("JH 9D", "4S 2H"))
    assert line(told, "royal9", 2)["win"] == 2500
    assert told["must_hit"]["award"] == 150_025
    assert told["net_by_seat"]["2"] == -100 + 2000 + 150_025


@clause("MA-v3-4:12(j).1", "MA-v3-4:12(j).2")
@each_late
def test_12_j_a_meter_or_lot_that_cannot_be_is_refused(edition: str) -> None:
    placed = ("1 tie 100", "1 royal9 500")
    made = record(edition, NOTHING, *placed, royal9=royal9(edition), must_hit=MUST_HIT)
    for state in (
        {"meter": 99_999, "trigger": 150_000}, {"meter": 200_001, "trigger": 200_000, "lot": 0},
        {"meter": 150_000, "trigger": 99_999, "lot": 0}, {"meter": 150_000, "trigger": 150_000},
        {"meter": 150_000, "trigger": 200_001, "lot": 0}, {"meter": 150_000, "trigger": 150_000, "lot": 1},
        {"meter": 150_000, "trigger": 150_000, "lot": -1},
    ):  # fmt: skip
        found = refusal_of({**made, "must_hit": state})
        assert (found["code"], found["cites"]) == ("must_hit", [f"{edition} §12(j)"])
    untold = refusal_of(made)
    assert (untold["code"], untold["cites"]) == ("must_hit", [f"{edition} §12(j)"]), "the meter must be told"
    assert "must_hit" not in played(edition, NOTHING, "1 tie 100", royal9=royal9(edition), must_hit=MUST_HIT)


@clause("MA-v3-4:12(j).1", "MA-v3-4:12(j).2")
@each_late
def test_12_j_must_hit_goes_with_royal_9_and_has_a_range(edition: str) -> None:
    without = refused(edition, NOTHING, "1 tie 100", must_hit=MUST_HIT)
    assert (without["code"], without["cites"]) == ("invalid_submission", [f"{edition} §12(j)"])
    for change in ({"ceiling": 100_000}, {"contribution": 501}, {"start": 0}, {"contribution": -1}, {"start": "much"}):
        law = {**MUST_HIT, **change}
        found = refused(edition, NOTHING, "1 tie 100", royal9=royal9(edition), must_hit=law)
        assert (found["code"], found["cites"]) == ("invalid_submission", [f"{edition} §12(j)"])
    unelected = {**record(edition, NOTHING, "1 tie 100"), "must_hit": {"meter": 1, "trigger": 1}}
    assert refusal_of(unelected)["code"] == "must_hit"


@clause("MA-v3-4:12(j).1")
@pytest.mark.parametrize("edition", [*EARLY, "nj-punto-banco"])
def test_12_j_must_hit_is_of_the_late_editions_alone(edition: str) -> None:
    found = refused(edition, NOTHING, "1 tie 100", must_hit=MUST_HIT)
    assert (found["code"], found["cites"]) == ("invalid_submission", ["ma-midi-3 §12(j)", "ma-midi-4 §12(j)"])
    told = {**record(edition, NOTHING, "1 tie 100"), "must_hit": {"meter": 1, "trigger": 1}}
    assert refusal_of(told)["code"] == "must_hit"
