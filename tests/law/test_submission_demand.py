"""What elections demand of one another, and what an edition does not know."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from baccarat.law.edition import load_edition
from baccarat.law.rulebook import rulebook
from filed_option import (
    EZ,
    KING_9,
    LIMIT,
    LIMITS,
    MASSACHUSETTS,
    MULTI_LEVEL,
    MUST_HIT,
    NEW_JERSEY,
    OPTIONS,
    TEMPLATE,
    faults_of,
    king_9,
    printed,
)
from paths import DATA

# ----------------------------------------------------------------------- options that have their place

WITHOUT_VIGORISH = {"vig_rate": 5, "vig_rounding": True, "vig_collection": "at_payout"}


ROYAL_9_BOTH = {"royal9_return_stake": True, "secondary_seed_bp": 100, "reserve_share_bp": 100}


OUT_OF_PLACE: dict[str, list[tuple[dict[str, Any], dict[str, Any]]]] = {
    "shared": [
        ({"preshuffled": False}, {"preshuffled_procedure": "P 1"}),
        ({"batch_shuffler": False}, {"batch_shuffler_procedure": "P 2"}),
        ({"house_money": False}, {"house_money_portion": [1, 2], "press_over_max": True}),
        ({"dragon_bonus": False}, {"dragon_paytable": "A"}),
        (EZ, WITHOUT_VIGORISH),
        ({"vig_collection": "at_payout"}, {"exception_reports": "admitted"}),
    ],
    "ma-midi-1": [({}, {**ROYAL_9_BOTH, "any_two": "own_chair", "partial_refill_to_seed": True})],
    "ma-midi-2": [({}, {**ROYAL_9_BOTH, "any_two": "own_chair", "partial_refill_to_seed": True})],
    "ma-midi-3": [({}, ROYAL_9_BOTH)],
    "ma-midi-4": [({}, ROYAL_9_BOTH), ({"free_hand": False}, {"max_consecutive_free_hands": 3})],
    NEW_JERSEY: [
        (
            {"dragon_bonus": False},
            {"bonus_base_required": True, "dragon_paytable": "A", "dragon_odds": {"win_by_9": 35}},
        ),
        ({"no_commission": "six_half"}, WITHOUT_VIGORISH),
        ({"shuffle_method": 2}, {"reshuffle_after_lace": "none"}),
        ({"reveal": "face_up"}, {"allow_other_side": True}),
        ({"disclosed_card_procedure": 2}, {"ten_value_extra": 10}),
    ],
}


def every_place() -> Iterator[Any]:
    """Each option that has a place only beside others, stated where it has none."""
    for edition in OPTIONS:
        shared = OUT_OF_PLACE["shared"] if edition in MASSACHUSETTS else []
        for beside, stated in (*shared, *OUT_OF_PLACE[edition]):
            for key, value in stated.items():
                marks = pytest.mark.clause(*OPTIONS[edition][key].clauses)
                yield pytest.param(edition, beside, key, value, marks=marks, id=f"{edition}-{key}")


@pytest.mark.parametrize(("edition", "beside", "key", "value"), [*every_place()])
def test_an_option_out_of_place_is_refused_with_its_clause(
    edition: str, beside: dict[str, Any], key: str, value: Any
) -> None:
    (fault,) = faults_of(edition, **beside, **{key: value})
    assert (fault.where, fault.cites) == (key, printed(edition, *OPTIONS[edition][key].clauses))
    assert fault.say.startswith("does not apply")


@pytest.mark.parametrize("edition", OPTIONS)
def test_the_options_with_a_place_are_those_listed_here(edition: str) -> None:
    listed = {param.values[2] for param in every_place() if param.values[0] == edition}
    assert listed == {key for key, option in load_edition(edition).options.items() if option.applies}


# --------------------------------------------------------------------- what elections demand of others


class Demand(NamedTuple):
    """Elections that cannot stand together, the option at fault, and what mends them."""

    clause: str
    broken: Mapping[str, Any]
    where: str
    mended: tuple[Mapping[str, Any], ...]


INSCRIBED = "layout_dragon7_inscription or dragon7_sign"


SHARED_DEMANDS = [
    Demand(
        "MA:2(b)(1)",
        {"dragon_bonus": True, "layout_dragon_bonus_areas": False},
        "layout_dragon_bonus_areas",
        ({"layout_dragon_bonus_areas": True}, {"dragon_bonus": False}),
    ),
    Demand(
        "MA:2(b)(2)(i)",
        {**EZ, "layout_dragon7_areas": False},
        "layout_dragon7_areas",
        ({"layout_dragon7_areas": True}, {"ez": False}),
    ),
    Demand(
        "MA:2(b)(2)(ii)",
        {**EZ, "layout_dragon7_inscription": False, "dragon7_sign": False},
        INSCRIBED,
        ({"layout_dragon7_inscription": True}, {"dragon7_sign": True}, {"ez": False}),
    ),
    Demand(
        "MA:2(b)(2)(iii)",
        {**EZ, "layout_panda8_areas": False},
        "layout_panda8_areas",
        ({"layout_panda8_areas": True}, {"ez": False}),
    ),
    Demand(
        "MA:2(b)(3)",
        {"house_money": True, "layout_house_money_areas": False},
        "layout_house_money_areas",
        ({"layout_house_money_areas": True}, {"house_money": False}),
    ),
    Demand(
        "MA:2(b)(4)",
        {"vig_collection": "deferred", "layout_numbered_areas": False},
        "layout_numbered_areas",
        ({"layout_numbered_areas": True}, {"vig_collection": "at_payout"}, {"vig_collection": None, **EZ}),
    ),
    Demand("MA:3(a).4", {"cut_card_colour": "blue"}, "cut_card_colour", ({"cut_card_colour": "green"},)),
    Demand("MA:3(a).4", {"cut_card_colour": "white"}, "cut_card_colour", ({"card_edges": "gold"},)),
]


MULTI_LEVEL_DEMANDS = [
    Demand("MA-v1-2:12(i).decks", {**MULTI_LEVEL, "decks": decks}, "decks", ({"decks": 8}, {"royal9": None}))
    for decks in (6, 7, 9)
]


KING_9_DEMANDS = [
    *(
        Demand(
            "MA-v3-4:12(i).decks",
            {**KING_9, "decks": decks},
            "decks",
            ({"decks": 6}, {"decks": 8}, {"royal9": None}),
        )
        for decks in (7, 9)
    ),
    *(
        Demand(
            "MA-v3-4:12(i).seats",
            {"royal9": king_9(combos={str(seat): combo for seat, combo in enumerate(combos, 1)}), "seats": seats},
            "seats",
            ({"royal9": king_9(6), "seats": 6}, {"royal9": king_9(7), "seats": 7}, {"royal9": None}),
        )
        for seats, combos in (
            (5, ("SH", "SD", "CH", "CD", "HS")),
            (8, (*TEMPLATE.values(), "DC")),
            (9, (*TEMPLATE.values(), "DC", "DH")),
        )
    ),
    Demand("MA-v3-4:12(j).2", {"must_hit": MUST_HIT}, "royal9", ({"must_hit": None}, KING_9)),
]


DEMANDS: dict[str, list[Demand]] = {
    "ma-midi-1": [*SHARED_DEMANDS, *MULTI_LEVEL_DEMANDS],
    "ma-midi-2": [*SHARED_DEMANDS, *MULTI_LEVEL_DEMANDS],
    "ma-midi-3": [*SHARED_DEMANDS, *KING_9_DEMANDS],
    "ma-midi-4": [*SHARED_DEMANDS, *KING_9_DEMANDS],
    NEW_JERSEY: [
        Demand("NJ:3.1(a).3", {"cut_card_colour": "blue"}, "cut_card_colour", ({"cut_card_colour": "green"},)),
        Demand("NJ:3.1(a).3", {"cut_card_colour": "white"}, "cut_card_colour", ({"card_edges": "gold"},)),
        Demand(
            "NJ:3.3(e)2",
            {"no_commission": "total_card_exempt", "total_card_wagers": False},
            "total_card_wagers",
            ({"total_card_wagers": True}, {"no_commission": None}, {"no_commission": "six_half"}),
        ),
        Demand(
            "NJ:3.3(c)2.3",
            {"vig_collection": "deferred", "layout_numbered_areas": False},
            "layout_numbered_areas",
            ({"layout_numbered_areas": True}, {"vig_collection": "at_payout"}),
        ),
    ],
}


def every_demand() -> Iterator[Any]:
    """Each demand of each edition, marked with its clause."""
    for edition, demands in DEMANDS.items():
        for number, demand in enumerate(demands):
            marks = pytest.mark.clause(demand.clause)
            yield pytest.param(edition, demand, marks=marks, id=f"{edition}-{number}-{demand.where}")


@pytest.mark.parametrize(("edition", "demand"), [*every_demand()])
def test_elections_that_cannot_stand_together_are_refused_with_their_clause(edition: str, demand: Demand) -> None:
    (fault,) = faults_of(edition, **demand.broken)
    assert (fault.where, fault.cites) == (demand.where, printed(edition, demand.clause))


@pytest.mark.parametrize(("edition", "demand"), [*every_demand()])
def test_elections_so_mended_stand_together(edition: str, demand: Demand) -> None:
    for mended in demand.mended:
        table = {**demand.broken, **mended}
        assert rulebook(edition, **table).edition.name == edition


@pytest.mark.parametrize(
    ("edition", "count"),
    {"ma-midi-1": 8, "ma-midi-2": 8, "ma-midi-3": 10, "ma-midi-4": 10, NEW_JERSEY: 3}.items(),
)
def test_the_demands_of_an_edition_are_those_listed_here(edition: str, count: int) -> None:
    assert len(load_edition(edition).constraints) == count
    assert len({demand.clause for demand in DEMANDS[edition]}) == count


# ---------------------------------------------------------------------- what an edition does not know

UNKNOWN = [
    pytest.param(edition, key, value, home, marks=pytest.mark.clause(*clauses), id=f"{edition}-{key}")
    for edition, key, value, home, clauses in [
        ("ma-midi-3", "cut_mode", "dealer_cuts", "ma-midi-4 §5(c)", ["MA-v1-3:5(c).2", "MA-v4:5(c).1"]),
        ("ma-midi-3", "burn_exposure", "face_down", "ma-midi-4 §5(e)", ["MA-v1-3:5(e).5", "MA-v4:5(e).4"]),
        ("ma-midi-3", "free_hand", True, "ma-midi-4 §7(c)", ["MA-v4:1 Free Hand", "MA-v4:7(c)"]),
        ("ma-midi-1", "free_hand", True, "ma-midi-4 §7(c)", ["MA-v4:1 Free Hand", "MA-v4:7(c)"]),
        ("ma-midi-1", "manual_shuffle_strict", True, "ma-midi-2 §5(g)(4)", ["MA-v2-4:5(g)(4)"]),
        ("ma-midi-2", "must_hit", MUST_HIT, "ma-midi-3 §12(j)", ["MA-v3-4:12(j).1"]),
        ("ma-midi-3", "any_two", "own_chair", "ma-midi-1 §12(i)", ["MA-v1-2:12(i).pay2"]),
        ("ma-midi-4", "total_card_wagers", True, "nj-punto-banco §3.2(a)4", ["MA:7(a)"]),
        ("ma-midi-4", "no_commission", "six_half", "nj-punto-banco §3.3(e)", ["MA:12(c).1"]),
        ("ma-midi-4", "dragon_odds", {"win_by_9": 35}, "nj-punto-banco §3.3(g)", ["MA:12(e).2"]),
        ("ma-midi-4", "reveal", "face_up", "nj-punto-banco §3.7(c)", ["MA:8(c).2"]),
        (NEW_JERSEY, "ez", True, "ma-midi-1 §1 EZ Baccarat", ["NJ:3.2(b).1"]),
        (NEW_JERSEY, "house_money", True, "ma-midi-1 §7(a)(7)", ["NJ:3.2(b).1"]),
        (NEW_JERSEY, "royal9", king_9(), "ma-midi-3 §12(i)", ["NJ:3.2(b).1"]),
    ]
]


@pytest.mark.parametrize(("edition", "key", "value", "home"), UNKNOWN)
def test_an_option_of_another_document_is_refused_and_its_home_named(
    edition: str, key: str, value: Any, home: str
) -> None:
    (fault,) = faults_of(edition, **{key: value})
    assert fault.where == key
    assert home in fault.cites
    assert key not in load_edition(edition).options


def test_to_deny_what_the_document_does_not_know_is_no_fault() -> None:
    assert rulebook("ma-midi-3", free_hand=False).hash == rulebook("ma-midi-3").hash


@pytest.mark.clause("MA:7(b).1")
def test_a_wager_that_is_offered_has_limits_and_another_may() -> None:
    without = {key: value for key, value in LIMITS.items() if key not in ("dragon_player", "dragon_banker")}
    assert rulebook("ma-midi-4", dragon_bonus=False, limits=without).elects("dragon_bonus") is False
    assert rulebook("ma-midi-4", dragon_bonus=False, limits=LIMITS).elects("dragon_bonus") is False
    assert [fault.where for fault in faults_of("ma-midi-4", limits=without)] == [
        "limits.dragon_banker",
        "limits.dragon_player",
    ]
    assert [fault.where for fault in faults_of("ma-midi-4", ez=True, limits=LIMITS)] == [
        "limits.dragon7",
        "limits.panda8",
    ]


@pytest.mark.clause("MA-v1-2:12(i).wager", "MA-v3-4:12(i).wager")
@pytest.mark.parametrize(("edition", "beside"), [("ma-midi-1", MULTI_LEVEL), ("ma-midi-4", KING_9)])
def test_a_wager_whose_stake_is_fixed_has_no_limits(edition: str, beside: dict[str, Any]) -> None:
    (fault,) = faults_of(edition, **beside, limits={**LIMITS, "royal9": LIMIT})
    assert (fault.where, fault.say) == ("limits.royal9", "the document fixes this wager's stake")


# ---------------------------------------------------------------------- cases from the shared vectors

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case for case in json.loads((DATA / "procedures.json").read_text(encoding="utf-8"))
}


TOPICS = ("configuration", "layout", "cover card depth")


TRANSLATED: dict[str, tuple[str, dict[str, Any]]] = {
    "P006": ("MA-v1-3:5(c).2", {"cut_mode": "dealer_cuts"}),
    "P022": ("MA-v1-3:5(e).2", {"cover_card_depth": 14}),
    "P024": ("NJ:3.5(e).2", {"cover_card_depth": 13}),
    "P026": ("MA-v4:5(e).1", {"cover_card_depth": 13}),
    "P080": ("MA:3(a).1", {"decks": 5}),
    "P081": ("MA:3(a).1", {"decks": 6}),
    "P083": ("MA:2(a).1", {"seats": 10}),
    "P084": ("MA:2(a).1", {"seats": 9}),
    "P085": ("MA-v1-2:12(i).decks", {"royal9": {"paytable": 1}, "decks": 6}),
    "P087": ("MA-v3-4:12(i).decks", {"royal9": king_9(7), "decks": 7, "seats": 7}),
    "P088": ("MA-v3-4:12(i).decks", {"royal9": king_9(6), "decks": 6, "seats": 6}),
    "P091": (
        "MA-v3-4:12(i).combos",
        {"royal9": king_9(combos={**king_9(6)["combos"], "4": "CC"}), "decks": 8, "seats": 6},
    ),
    "P092": ("MA-v3-4:12(j).2", {"must_hit": MUST_HIT, "royal9": None}),
    "P093": ("MA-v3-4:12(j).1", {"must_hit": MUST_HIT, "royal9": {"paytable": 1}, "decks": 8}),
    "P097": ("MA:2(b)(3)", {"house_money": True, "layout_house_money_areas": False}),
    "P098": ("MA:2(b)(4)", {"vig_collection": "deferred", "layout_numbered_areas": False}),
    "P100": ("MA:2(b)(4)", {"ez": True, "layout_numbered_areas": False}),
    "P104": ("NJ:3.3(b)", {"tie_odds": 7}),
    "P105": ("MA:12(c).1", {"vig_rate": 4}),
    "P107": ("NJ:3.3(c).2", {"vig_rate": 3}),
    "P108": ("NJ:3.3(e)", {"no_commission": ["six_half", "total_card_exempt"]}),
    "P113": ("MA:3(a).3", {"cut_cards": 1}),
    "P115": ("MA:3(a).2", {"backs": ["blue", "red"]}),
    "P116": ("NJ:3.6(a).1", {"backs": ["blue", "red"]}),
    "P122": ("MA:13(c).2", {"disclosed_third_card": None}),
    "P123": ("NJ:3.12(c)1.2", {"disclosed_card_procedure": 1, "ten_value_extra": 5}),
    "P191": ("MA:2(c)", {"decks": 10, "discard_rack_decks": 8}),
}


OF_ANOTHER_EDITION = ("P006", "P093")


def every_case() -> Iterator[Any]:
    """Each translated case, marked with its clause."""
    for number, (clause, _) in TRANSLATED.items():
        yield pytest.param(number, marks=pytest.mark.clause(clause), id=number)


def test_every_case_of_these_topics_is_translated() -> None:
    assert {number for number, case in CASES.items() if case["topic"] in TOPICS} == set(TRANSLATED) - {"P006"}


@pytest.mark.parametrize("number", [*every_case()])
def test_a_case_comes_out_as_expected(number: str) -> None:
    clause, changes = TRANSLATED[number]
    case = CASES[number]
    assert any(clause.startswith(ref) for ref in case["refs"])
    if case["expected"].get("valid"):
        rules = rulebook(case["ruleset"], **changes)
        warnings = [each for each in rules.warnings if not each.say.startswith("not stated; reading")]
        assert bool(warnings) is ("warning" in case["expected"])
        assert {cite for each in warnings for cite in each.cites} <= {*printed(case["ruleset"], clause)}
        return
    faults = faults_of(case["ruleset"], **changes)
    assert faults[0].where.split(".")[0] in changes
    if number not in OF_ANOTHER_EDITION:
        assert set(printed(case["ruleset"], clause)) <= set(faults[0].cites)
