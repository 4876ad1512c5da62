"""Every value of every option that a round decides is played here, and changes something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from baccarat.law.edition import load_edition, values_of
from strategies import CHAIRS, EARLY, EDITIONS, LATE, MASSACHUSETTS, NEW_JERSEY, answer, ending, record, royal9, wager

BANKER_WINS, TIE = "7S 9D TH KC", "7S 7D TH KC"
NOTHING, PAIR = "4S 5D 2H 2C", "QS 7D QH KC 8S"
LIMIT = {"min": 100, "max": 10_000, "increment": 100}
LIMITS = {"player": LIMIT, "banker": LIMIT, "tie": LIMIT}
OFFERED = "as offered"
"""Stands for the Royal 9 option of the edition at hand."""
CHAIR_FIVE = f"K{CHAIRS['5'][0]} Q{CHAIRS['5'][0]} 9{CHAIRS['5'][1]} 9{CHAIRS['5'][1]}"
ROYAL = {"royal9": OFFERED}


NOTHING_ELSE: Mapping[str, Any] = {}


class Scenario(NamedTuple):
    """A round in which an option shows: its cards and wagers, the values to try, what else is elected."""

    cards: str
    wagers: tuple[str, ...]
    values: tuple[Any, ...]
    beside: Mapping[str, Any] = NOTHING_ELSE
    more: Mapping[str, Any] = NOTHING_ELSE


SPOKEN = {
    "wagers": [{**wager("1 banker 100"), "verbal": {"cash": True, "confirmed_by": ["dealer", "casino supervisor"]}}]
}
SCENARIOS: dict[str, Scenario] = {
    "ez": Scenario(BANKER_WINS, ("1 banker 10000",), (False, True)),
    "seats": Scenario(BANKER_WINS, ("9 banker 100",), (8, 9)),
    "seat_one": Scenario(BANKER_WINS, ("1 player 100", "2 player 100"), ("dealer_left", "dealer_right")),
    "decks": Scenario(" ".join(["AS"] * 7), ("1 tie 100",), (6, 7, 8)),
    "dragon_bonus": Scenario(BANKER_WINS, ("1 dragon_player 100",), (False, True)),
    "dragon_paytable": Scenario(ending(7, 0), ("1 dragon_player 100",), ("A", "B", "C")),
    "dragon_odds": Scenario(ending(7, 0), ("1 dragon_player 100",), (None, {"win_by_7": 9}, {"win_by_7": "13 to 2"})),
    "bonus_base_required": Scenario(BANKER_WINS, ("1 dragon_player 100",), (False, True)),
    "insurance_base_required": Scenario(BANKER_WINS, ("1 dragon7 100",), (False, True), {"ez": True}),
    "house_money": Scenario(NOTHING, ("1 house_money 100",), (False, True)),
    "house_money_portion": Scenario(PAIR, ("1 player 100", "1 house_money 100 press=player"), ([1, 1], [1, 2])),
    "press_over_max": Scenario(
        PAIR, ("1 player 10000", "1 house_money 100 press=player"), (True, False),
        {"limits": {**LIMITS, "house_money": LIMIT}},
    ),
    "total_card_wagers": Scenario(NOTHING, ("1 total4 100",), (False, True)),
    "no_commission": Scenario(
        ending(5, 6), ("1 banker 10000", "1 total4 10000"), (None, "six_half", "total_card_exempt"),
        {"total_card_wagers": True},
    ),
    "opposite_bets": Scenario(BANKER_WINS, ("1 player 100", "1 banker 100"), (True, False)),
    "match_play": Scenario(BANKER_WINS, ("1 banker 100 coupon=100",), (False, True)),
    "verbal_wagers": Scenario(BANKER_WINS, (), (False, True), more=SPOKEN),
    "limits": Scenario(BANKER_WINS, ("1 banker 50",), (None, LIMITS)),
    "free_hand": Scenario(BANKER_WINS, (), (False, True), more={"kind": "free_hand"}),
    "reveal": Scenario(BANKER_WINS, ("1 banker 100",), ("face_up", "face_down")),
    "allow_other_side": Scenario(BANKER_WINS, ("1 banker 100",), (False, True)),
    "settlement_option": Scenario(BANKER_WINS, ("1 banker 100", "2 banker 100"), (1, 2, 3, 4)),
    "tie_odds": Scenario(TIE, ("1 tie 100",), (8, 9, "17 to 2")),
    "vig_rate": Scenario(BANKER_WINS, ("1 banker 10000",), (4, 5)),
    "vig_rounding": Scenario(BANKER_WINS, ("1 banker 1200",), (False, True)),
    "vig_collection": Scenario(BANKER_WINS, ("1 banker 1000",), ("at_payout", "deferred")),
    "royal9": Scenario(NOTHING, ("1 tie 100", "1 royal9 500"), (None, OFFERED)),
    "any_two": Scenario(
        CHAIR_FIVE, ("1 tie 100", "1 royal9 500", "5 tie 100", "5 royal9 500"),
        ("own_chair", "other_chair_identical", "any_posted"), ROYAL,
    ),
    "royal9_return_stake": Scenario("KS 4D 9D 2C", ("1 tie 100", "1 royal9 500"), (False, True), ROYAL),
    "partial_refill_to_seed": Scenario(CHAIR_FIVE, ("5 tie 100", "5 royal9 500"), (False, True), ROYAL),
    "secondary_seed_bp": Scenario(NOTHING, ("1 tie 100", "1 royal9 500"), (0, 1, 8_000), ROYAL),
    "reserve_share_bp": Scenario(NOTHING, ("1 tie 100", "1 royal9 500"), (0, 1, 10_000), ROYAL),
    "must_hit": Scenario(
        NOTHING, ("1 tie 100", "1 royal9 500"), (None, {"start": 1_000, "ceiling": 2_000, "contribution": 25}), ROYAL,
        {"must_hit": {"meter": 1_200, "trigger": 1_200, "lot": 0}},
    ),
}  # fmt: skip
"""Where each option shows; the values of those with a closed list are all there."""

PENDING = {
    "layout": {
        "layout_approval", "layout_dragon_bonus_areas", "layout_dragon7_areas", "layout_dragon7_inscription",
        "dragon7_sign", "layout_panda8_areas", "layout_house_money_areas", "layout_numbered_areas",
        "discard_rack_decks",
    },
    "equipment": {"backs", "cut_cards", "cut_card_opaque", "cut_card_colour", "card_edges", "cut_card_approval"},
    "procedure": {
        "preshuffled", "preshuffled_procedure", "batch_shuffler", "batch_shuffler_procedure", "shuffle_method",
        "reshuffle_after_lace", "cut_mode", "last_curator_as_last_cutter", "cover_card_depth", "burn_exposure",
        "goodwill_limit", "electronic_cut", "shoe_given_up", "exception_reports",
        "recut_by", "recut_second_person", "manual_shuffle_strict", "max_consecutive_free_hands",
        "banker_first_on_request", "notice_minutes",
        "squeeze_eligible", "disclosed_third_card", "disclosed_card_procedure", "ten_value_extra",
        "disclosed_correct_card", "face_up_ten_extra", "nj_disclosed_banker_third",
    },
}  # fmt: skip
"""Options that no round decides: what they change is for the table in play."""

OF_MASSACHUSETTS = {
    "ez", "seats", "seat_one", "decks", "dragon_bonus", "dragon_paytable", "bonus_base_required",
    "insurance_base_required", "house_money", "house_money_portion", "press_over_max", "opposite_bets", "match_play",
    "verbal_wagers", "limits", "tie_odds", "vig_rate", "vig_rounding", "vig_collection", "royal9",
    "royal9_return_stake", "secondary_seed_bp", "reserve_share_bp",
}  # fmt: skip
OF_NEW_JERSEY = {
    "seats", "seat_one", "decks", "dragon_bonus", "dragon_paytable", "dragon_odds", "bonus_base_required",
    "total_card_wagers", "no_commission", "opposite_bets", "match_play", "verbal_wagers", "limits", "reveal",
    "allow_other_side", "settlement_option", "tie_odds", "vig_rate", "vig_rounding", "vig_collection",
}  # fmt: skip
PLAYED: dict[str, set[str]] = {
    **dict.fromkeys(EARLY, OF_MASSACHUSETTS | {"any_two", "partial_refill_to_seed"}),
    "ma-midi-3": OF_MASSACHUSETTS | {"must_hit"},
    "ma-midi-4": OF_MASSACHUSETTS | {"must_hit", "free_hand"},
    NEW_JERSEY: OF_NEW_JERSEY,
}
"""The options that a round decides, by edition."""


def told(edition: str, scenario: Scenario, elected: dict[str, Any]) -> dict[str, Any]:
    """What comes of a scenario under these elections, a refusal included."""
    options = {key: royal9(edition) if value == OFFERED else value for key, value in elected.items()}
    return answer({**record(edition, scenario.cards, *scenario.wagers, **options), **scenario.more})


@pytest.mark.parametrize(
    ("edition", "option"), [(edition, option) for edition in EDITIONS for option in sorted(PLAYED[edition])]
)
def test_every_value_of_an_option_changes_something(edition: str, option: str) -> None:
    scenario = SCENARIOS[option]
    came = [told(edition, scenario, {**scenario.beside, option: value}) for value in scenario.values]
    assert any("refused" not in each for each in came)
    for place, value in enumerate(scenario.values):
        others = [other for other in came[:place] + came[place + 1 :] if other != came[place]]
        assert others, f"{option} = {value} does what every other value does"


@pytest.mark.clause("MA:2(a).1", "MA:7(a)", "MA:8(c)(3)(i)a", "MA:12(d)", "MA:12(e).2", "MA-v1-2:12(i).pay2")
@pytest.mark.clause(
    "NJ:3.2(a)", "NJ:3.3(c).2", "NJ:3.3(c)2.1", "NJ:3.3(e)", "NJ:3.3(g).2", "NJ:3.6(b).1", "NJ:3.7(c).2"
)
@pytest.mark.clause("NJ:3.2(b).2", "NJ:3.10(b)", "NJ:3.10(c)")
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_value_of_a_closed_list_is_tried(edition: str) -> None:
    options = load_edition(edition).options
    for option in PLAYED[edition]:
        plain = [value for value in SCENARIOS[option].values if isinstance(value, str | int | None)]
        tried = {"none" if value is None else value for value in plain}
        assert set(values_of(options[option])) <= tried, option
        if options[option].elect:
            assert tried == set(values_of(options[option])), f"{option} has a value that is not written down here"


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_option_is_played_or_waits_for_the_table(edition: str) -> None:
    options = load_edition(edition).options
    assert {key for key, option in options.items() if option.part == "play"} == PLAYED[edition]
    for part, names in PENDING.items():
        assert {key for key, option in options.items() if option.part == part} <= names


def test_every_option_of_every_edition_stands_in_one_of_the_tables() -> None:
    everywhere = {key: option.part for edition in EDITIONS for key, option in load_edition(edition).options.items()}
    assert set(SCENARIOS) == {key for key, part in everywhere.items() if part == "play"}
    assert {part: {key for key in everywhere if everywhere[key] == part} for part in PENDING} == PENDING
    assert {*MASSACHUSETTS, NEW_JERSEY} == set(PLAYED) == {*EARLY, *LATE, NEW_JERSEY}
