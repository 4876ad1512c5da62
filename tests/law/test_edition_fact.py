"""The facts of each edition, told one by one."""

from __future__ import annotations

from typing import Any

import pytest

from baccarat.law.edition import Edition, shipped_editions
from baccarat.law.fact import tableau_row
from edition_name import ALL, FOUR, NJ, ONE, THREE, TWO


def by_edition(one: Any, two: Any, three: Any, four: Any, jersey: Any) -> list[tuple[Edition, Any]]:
    """A fact of each edition, in the order of the columns of a comparison."""
    return list(zip(ALL, (one, two, three, four, jersey), strict=True))


# ------------------------------------------------------------------------------------ facts, in our words


@pytest.mark.clause("MA:2(a).1", "MA-v3-4:12(i).seats", "NJ:3.6(b).1")
@pytest.mark.parametrize(
    ("edition", "fact"),
    by_edition((9, None), (9, None), (9, [6, 7]), (9, [6, 7]), (None, None)),
    ids=shipped_editions(),
)
def test_seats(edition: Edition, fact: tuple[int | None, list[int] | None]) -> None:
    most, with_progressive = fact
    assert edition.options["seats"].at_most == most
    needs = [each.need["seats"] for each in edition.constraints if "seats" in each.need]
    assert needs == ([with_progressive] if with_progressive else [])
    assert edition.record.seats == (14 if edition is NJ else 9)
    assert edition.record.seats_with_royal9 == (7 if with_progressive else None)


@pytest.mark.clause("MA:3(a).1", "MA-v1-2:12(i).decks", "MA-v3-4:12(i).decks", "NJ:3.1(a).1")
@pytest.mark.parametrize(("edition", "fact"), by_edition([8], [8], [6, 8], [6, 8], None), ids=shipped_editions())
def test_decks(edition: Edition, fact: list[int] | None) -> None:
    assert edition.options["decks"].at_least == 6
    assert edition.options["decks"].at_most is None
    needs = [each.need["decks"] for each in edition.constraints if "decks" in each.need]
    assert needs == ([fact] if fact else [])


@pytest.mark.clause("MA:2(b)", "MA:2(c)", "MA:3(a).3", "MA:4(e)", "NJ:3.1(a).2")
@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_equipment(edition: Edition) -> None:
    assert edition.options["cut_cards"].shall == 2
    assert edition.options["cut_card_opaque"].shall is True
    only_in_massachusetts = {"layout_approval", "discard_rack_decks", "batch_shuffler", "layout_house_money_areas"}
    assert only_in_massachusetts & set(edition.options) == (set() if edition is NJ else only_in_massachusetts)


@pytest.mark.clause("MA-v2-4:5(g)(4)", "NJ:3.5(a)")
@pytest.mark.parametrize(("edition", "fact"), by_edition(False, True, True, True, False), ids=shipped_editions())
def test_shuffle(edition: Edition, fact: bool) -> None:
    assert ("manual_shuffle_strict" in edition.options) is fact
    assert ("5(g)" in edition.clauses) is fact
    assert ("shuffle_method" in edition.options) is (edition is NJ)
    if edition is NJ:
        assert edition.options["shuffle_method"].elect == (1, 2)


@pytest.mark.clause("MA-v4:5(c).1", "MA:5(d)", "NJ:3.5(d)")
@pytest.mark.parametrize(
    ("edition", "fact"),
    by_edition(
        ("counterclockwise", 52),
        ("counterclockwise", 52),
        ("counterclockwise", 52),
        ("clockwise", 52),
        ("clockwise", 10),
    ),
    ids=shipped_editions(),
)
def test_cut(edition: Edition, fact: tuple[str, int]) -> None:
    assert (edition.cut.direction, edition.cut.at_least) == fact
    assert edition.cut.start == "highest"
    assert ("cut_mode" in edition.options) is (edition is FOUR)
    assert edition.options["recut_by"].elect == ("last_cutter", "next_entitled")


@pytest.mark.clause("MA-v1-3:5(e).2", "MA-v4:5(e).1", "NJ:3.5(e).2")
@pytest.mark.parametrize(
    ("edition", "fact"), by_edition((14, None), (14, None), (14, None), (1, 14), (14, None)), ids=shipped_editions()
)
def test_cover_card(edition: Edition, fact: tuple[int, int | None]) -> None:
    depth = edition.options["cover_card_depth"]
    assert (depth.at_least, depth.default) == fact
    assert depth.must_be_stated is (edition is not FOUR)


@pytest.mark.clause("MA-v1-3:5(e).5", "MA-v4:5(e).1", "MA-v4:5(e).2", "MA-v4:5(e).4", "NJ:3.5(e).5")
@pytest.mark.parametrize(
    ("edition", "fact"), by_edition("all", "all", "all", {"option": "burn_exposure"}, "all"), ids=shipped_editions()
)
def test_how_burned_cards_are_shown(edition: Edition, fact: Any) -> None:
    assert edition.burn.exposed == fact
    assert ("burn_exposure" in edition.options) is (edition is FOUR)
    if edition is FOUR:
        assert edition.options["burn_exposure"].value_if_unstated == "face_down"


@pytest.mark.clause("MA-v1-3:5(e).4", "MA-v1-3:5(e).6", "MA-v4:5(e).3", "NJ:3.5(e).4", "NJ:3.5(e).6")
@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_how_many_cards_are_burned(edition: Edition) -> None:
    worth = {rank: row.value for row in edition.burn.value for rank in row.ranks}
    assert edition.burn.count == "value"
    assert worth == {**dict.fromkeys("23456789", "face"), **dict.fromkeys("TJQK", 10), "A": 1}


@pytest.mark.clause("MA:8(c).2", "NJ:3.7(c).2", "NJ:3.7(d).1", "NJ:3.7(d)6.1", "NJ:3.7(d)6.2", "NJ:3.8(a).3")
@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_who_turns_the_cards(edition: Edition) -> None:
    if edition is NJ:
        assert edition.reveal.style == {"option": "reveal"}
        assert edition.options["reveal"].elect == ("face_up", "face_down")
        assert edition.options["reveal"].must_be_stated
        assert edition.reveal.other_side == "allow_other_side"
        assert "banker_first_on_request" in edition.options
    else:
        assert edition.reveal.style == "face_down"
        assert edition.reveal.other_side is None
        assert not {"reveal", "allow_other_side", "banker_first_on_request"} & set(edition.options)
    assert ("squeeze_eligible" in edition.options) is (edition is not NJ)


@pytest.mark.clause("MA-v4:1 Free Hand", "MA-v4:7(c)", "MA-v1-3:7(c)", "MA-v4:7(d)", "NJ:3.2(d)")
@pytest.mark.parametrize(
    ("edition", "fact"), by_edition("7(c)", "7(c)", "7(c)", "7(d)", "3.2(d)"), ids=shipped_editions()
)
def test_free_hand_and_the_end_of_betting(edition: Edition, fact: str) -> None:
    assert edition.cite_text(*edition.no_more_bets.cite) == (f"{edition.name} §{fact}",)
    assert (edition.free_hand is not None) is (edition is FOUR)
    assert ("free_hand" in edition.options) is (edition is FOUR)


@pytest.mark.clause(
    "MA:10(a)", "MA:10(b)", "MA:10(c)", "NJ:3.9(a) [missing]", "NJ:3.9(b) [missing]", "NJ:3.9(c) [missing]"
)
@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_one_tableau_for_all_and_restored_in_new_jersey(edition: Edition) -> None:
    draws = {0: "0123456789", 1: "0123456789", 2: "0123456789", 3: "012345679", 4: "234567", 5: "4567", 6: "67", 7: ""}
    for banker, thirds in draws.items():
        stood = tableau_row(edition.tableau, hand="banker", natural=False, points=banker, third=None)
        assert stood.act == ("draw" if banker <= 5 else "stay")
        for third in range(10):
            row = tableau_row(edition.tableau, hand="banker", natural=False, points=banker, third=third)
            assert row.act == ("draw" if str(third) in thirds else "stay"), (banker, third)
    for player in range(8):
        row = tableau_row(edition.tableau, hand="player", natural=False, points=player, third=None)
        assert row.act == ("draw" if player <= 5 else "stay")
    assert {row.restored for row in edition.tableau} == {edition is NJ}


@pytest.mark.clause("MA:13(e).1", "MA:13(e).2", "NJ:3.12(e)")
@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_what_follows_a_void_round(edition: Edition) -> None:
    assert edition.void.returns == "all wagers"
    assert edition.void.next == ("reshuffle of the whole set" if edition is NJ else "new set of cards")


@pytest.mark.clause("MA:12(a)", "MA:12(b)", "NJ:3.3(a)", "NJ:3.3(b)")
@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_player_and_tie_odds(edition: Edition) -> None:
    assert edition.pays["player"]["shall"] == "1 to 1"
    assert edition.pays["tie"]["at_least"] == "8 to 1"
    assert edition.options["tie_odds"].at_least == 8


@pytest.mark.clause("MA:12(c).1", "MA:12(c).3", "MA:12(d)", "NJ:3.3(c).2", "NJ:3.3(c)1", "NJ:3.3(c)2.1")
@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_vigorish(edition: Edition) -> None:
    rate = edition.options["vig_rate"]
    if edition is NJ:
        assert (rate.shall, rate.elect) == (None, (4, 5))
        assert edition.vigorish.coins == {"5": 25, "4": 20}
    else:
        assert (rate.shall, rate.elect) == (5, ())
        assert edition.vigorish.coins == {"5": 25}
    assert edition.options["vig_rounding"].may
    assert edition.options["vig_collection"].elect == ("at_payout", "deferred")


@pytest.mark.clause(
    "MA:1 EZ Baccarat", "MA:7(a)(5)", "MA:7(a)(6)", "MA:12(f)", "MA:12(g)", "NJ:3.3(e)", "NJ:3.3(e)1", "NJ:3.3(e)2"
)
@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_the_game_without_vigorish(edition: Edition) -> None:
    insurance = {"dragon7", "panda8"} & set(edition.wagers)
    if edition is NJ:
        assert insurance == set()
        assert "ez" not in edition.options
        assert edition.options["no_commission"].elect == ("six_half", "total_card_exempt")
        assert edition.pays["banker_six"]["shall"] == "1 to 2"
        assert edition.vigorish.exempt is not None
        assert edition.vigorish.exempt.wagers == ("total4", "total5", "total6")
    else:
        assert insurance == {"dragon7", "panda8"}
        assert "no_commission" not in edition.options
        assert (edition.pays["dragon7"]["shall"], edition.pays["panda8"]["shall"]) == ("40 to 1", "25 to 1")
        assert edition.vigorish.exempt is None


@pytest.mark.clause("MA:12(e).2", "NJ:3.2(b).2", "NJ:3.3(g).2")
@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_the_bonus_wager(edition: Edition) -> None:
    odds = {
        row: [each["odds"] if isinstance(each := entry[table], dict) else each for table in "ABC"]
        for row, entry in edition.pays["dragon"].items()
    }
    assert odds == {
        "win_by_9": ["30 to 1", "20 to 1", "30 to 1"],
        "win_by_8": ["10 to 1", "8 to 1", "10 to 1"],
        "win_by_7": ["6 to 1", "7 to 1", "4 to 1"],
        "win_by_6": ["4 to 1", "4 to 1", "4 to 1"],
        "win_by_5": ["2 to 1", "3 to 1", "2 to 1"],
        "win_by_4": ["1 to 1", "1 to 1", "2 to 1"],
        "natural": ["1 to 1", "1 to 1", "1 to 1"],
    }
    assert ("dragon_odds" in edition.options) is (edition is NJ)
    assert edition.options["bonus_base_required"].must_be_stated is (edition is NJ)


@pytest.mark.clause(
    "MA:7(a)", "MA:12(h) both", "MA:12(h) one", "NJ:3.2(a)", "NJ:3.3(f) Four", "NJ:3.3(f) Five", "NJ:3.3(f) Six"
)
@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_the_wagers_of_each_state(edition: Edition) -> None:
    shared = {"player", "banker", "tie", "dragon_player", "dragon_banker"}
    if edition is NJ:
        assert set(edition.wagers) == shared | {"total4", "total5", "total6"}
        assert [edition.pays["total"][n]["shall"] for n in ("four", "five", "six")] == ["3 to 2", "2 to 1", "2 to 1"]
        assert edition.house_money is None
    else:
        assert set(edition.wagers) == shared | {"dragon7", "panda8", "house_money", "royal9"}
        assert edition.pays["house_money"]["both"]["shall"] == "15 to 1"
        assert edition.pays["house_money"]["one"]["shall"] == "3 to 1"


CHAIRS = {"1": "SH", "2": "SD", "3": "CH", "4": "CD", "5": "HS", "6": "HC", "7": "DS", "8": "DC", "9": "DH"}


@pytest.mark.clause(
    "MA-v1-2:12(i).unique",
    "MA-v1-2:12(i).wager",
    "MA-v1-2:12(i).exact",
    "MA-v1-2:12(i).royal9",
    *(f"MA-v1-2:12(i).pay{n}" for n in range(1, 9)),
    *(f"MA-v1-2:12(i).{word} {meter}" for word in ("seed", "rate") for meter in ("major", "K9 Banker", "K9 Player")),
    *(f"MA-v1-2:12(i).chairs {n}" for n in range(1, 10)),
)
@pytest.mark.parametrize("edition", [ONE, TWO], ids=["ma-midi-1", "ma-midi-2"])
def test_the_multi_level_progressive(edition: Edition) -> None:
    law = edition.royal9
    assert law is not None
    assert isinstance(law.chairs, dict)
    assert {chair: posted.suits for chair, posted in law.chairs.items()} == CHAIRS
    assert law.courts == "KQJ"
    assert {meter.name: (meter.seed, meter.rate_bp) for meter in law.meter} == {
        "major": ({"1": 5000000, "2": 2500000}, {"1": 900, "2": 960}),
        "k9_banker": ({"1": 35000, "2": 35000}, {"1": 500, "2": 500}),
        "k9_player": ({"1": 35000, "2": 35000}, {"1": 500, "2": 500}),
    }
    chosen = {"own_chair": "two_of_own", "other_chair_identical": "other_on_both", "any_posted": "posted_on_both"}
    assert [(rung.row, rung.event, rung.meter, rung.percent, rung.prize) for rung in law.ladder] == [
        ("Exact Match Personal Progressive", "own_on_both", "major", 100, 0),
        ("Any Two Personal Progressive", chosen, "major", 10, 0),
        ("Personal K9 on Banker Hand", "own_king_on_banker_only", "k9_banker", 100, 0),
        ("Personal K9 on Player Hand", "own_king_on_player_only", "k9_player", 100, 0),
        ("Suited Royal 9 Tie Hand", "suited_royal_on_both", None, 0, 150000),
        ("Royal 9 Tie Hand", "royal_on_both", None, 0, 25000),
        ("Any Suited Royal 9", "suited_royal_on_either", None, 0, 5000),
        ("Any Royal 9", "royal_on_either", None, 0, 2500),
        ("loss", "otherwise", None, 0, 0),
    ]
    stake, base = edition.wagers["royal9"].law.stake, edition.wagers["royal9"].law.base
    assert stake is not None
    assert base is not None
    assert (stake.shall, base.wagers, base.option) == (500, ("player", "banker", "tie"), None)
    assert edition.must_hit is None


@pytest.mark.clause(
    "MA-v3-4:12(i).combos",
    "MA-v3-4:12(i).wager",
    "MA-v3-4:12(i).play",
    *(f"MA-v3-4:12(i).pay{n}" for n in range(1, 10)),
    *(f"MA-v3-4:12(j).{n}" for n in range(1, 5)),
)
@pytest.mark.parametrize("edition", [THREE, FOUR], ids=["ma-midi-3", "ma-midi-4"])
def test_the_king_9_progressive(edition: Edition) -> None:
    law = edition.royal9
    assert law is not None
    assert (law.chairs, law.courts) == ("submission", "K")
    assert [(meter.name, meter.seed, meter.rate_bp) for meter in law.meter] == [
        ("star", {}, {}),
        ("spade", {}, {}),
        ("heart", {}, {}),
    ]
    assert [(rung.event, rung.meter, rung.percent, rung.prize) for rung in law.ladder] == [
        ("own_on_both", "star", 100, 0),
        ("own_king_on_banker_only", "spade", 100, 0),
        ("own_king_on_player_only", "heart", 100, 0),
        ("other_on_both", None, 0, 500000),
        ("suited_royal_on_both", None, 0, 150000),
        ("royal_on_both", None, 0, 25000),
        ("suited_royal_on_either", None, 0, 5000),
        ("royal_on_either", None, 0, 2500),
        ("otherwise", None, 0, 0),
    ]
    assert edition.must_hit is not None
    assert edition.must_hit.participants == "royal9"
    assert edition.must_hit.shows == ("bet_sensor", "dealer_screen", "progressive_sign")
    assert not {"any_two", "partial_refill_to_seed"} & set(edition.options)


@pytest.mark.clause("MA:7(b).1", "MA:7(b).2", "NJ:3.2(c).1", "NJ:3.2(c).2")
@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_spoken_wagers_and_coupons(edition: Edition) -> None:
    assert edition.verbal is not None
    assert edition.verbal.confirmed_by == (("dealer", "casino supervisor") if edition is NJ else ("dealer",))
    assert edition.match_play is not None
    assert edition.match_play.wagers == ("player", "banker")


@pytest.mark.clause(
    "MA:8(b)", "MA:11(a).1", "MA:11(a).2", "MA:11(a).3", "NJ:3.7(b).1", "NJ:3.7(b).2", "NJ:3.10(a).1", "NJ:3.10(a).2",
    "NJ:3.10(a).3",
)  # fmt: skip
@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_calls(edition: Edition) -> None:
    words = [call.say for call in edition.calls if call.say]
    named = {call.say: (call.if_, call.when) for call in edition.calls if call.if_}
    assert [call.count for call in edition.calls if call.count] == ["player", "banker"]
    assert [call.cite for call in edition.calls if call.final]
    total = [call.when for call in edition.calls if call.total_cards]
    if edition is NJ:
        assert words == ["No More Bets", "Cards", "Tie Hand"]
        assert named == {"Tie Hand": ({"winner": "tie"}, {})}
        assert total == [{"total_card_wagers": True}]
    else:
        assert words == ["no more bets", "tie hand", "Dragon 7", "Panda 8"]
        assert named == {
            "tie hand": ({"winner": "tie"}, {}),
            "Dragon 7": ({"dragon_7": True}, {"ez": True}),
            "Panda 8": ({"panda_8": True}, {"ez": True}),
        }
        assert total == []


@pytest.mark.clause(
    *(f"MA:11(b).{n}" for n in range(1, 5)), "NJ:3.10(b)", *(f"NJ:3.10(b){n}" for n in range(1, 5)), "NJ:3.10(c)"
)
@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_the_order_of_settlement(edition: Edition) -> None:
    law = edition.settlement
    assert (law.losers_first, law.start, law.direction) == (True, "highest", "descending")
    if edition is NJ:
        assert (law.option, edition.options["settlement_option"].elect) == ("settlement_option", (1, 2, 3, 4))
        assert {number: procedure.sweeps for number, procedure in law.procedure.items()} == {
            "1": (("pay",), ("vigorish",)),
            "2": (("vigorish",), ("pay",)),
            "3": (("pay", "vigorish"),),
            "4": (("vigorish", "pay"),),
        }
        assert law.procedure["4"].sweeps == FOUR.settlement.sweeps
    else:
        assert (law.option, law.procedure) == (None, {})
        assert law.sweeps == (("vigorish", "pay"),)


@pytest.mark.clause("MA:13(c).2", "NJ:3.12(c)", "NJ:3.12(c)1.2")
@pytest.mark.parametrize("edition", ALL, ids=shipped_editions())
def test_what_may_be_filed_for_a_disclosed_card(edition: Edition) -> None:
    options = edition.options
    if edition is NJ:
        assert options["disclosed_card_procedure"].elect == (1, 2, 3)
        assert options["ten_value_extra"].elect == (1, 10)
        assert options["face_up_ten_extra"].value_if_unstated == 0
        assert "disclosed_third_card" not in options
    else:
        assert options["disclosed_third_card"].elect == ("discard_two", "simulated_round")
        assert not {"disclosed_card_procedure", "ten_value_extra", "face_up_ten_extra"} & set(options)
