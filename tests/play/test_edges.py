"""Edges of a round: exactly at a limit, at the first position, in whatever order things come."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from msgspec.structs import replace

from baccarat.cards import Card, parse_cards
from baccarat.cli.deal_run import seed_of
from baccarat.cli.play_run import ShoeSession
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play.answer import settled_answer
from baccarat.play.book import open_book
from baccarat.play.coup import deal
from baccarat.play.explain import explain
from baccarat.play.hand import Side
from baccarat.play.refusal import Refused, sentence
from baccarat.play.seating import first_counterclockwise, seats_around, seats_from, sweep
from baccarat.play.settle import settle
from baccarat.play.settlement import Settlement
from baccarat.play.shoe import rounds
from baccarat.play.wager import Wager, WagerKind
from baccarat.play.wager.must_hit import MustHitState, end_round, objection
from baccarat.play.wager.royal9 import progressive, shares_of
from baccarat.table.machine import Table
from baccarat.table.source import SealedTriggers
from edited_edition import own, rules_under
from strategies import EDITIONS, answer, record, royal9

pytestmark = pytest.mark.slow

MIDI = [name for name in EDITIONS if name.startswith("ma")]
MUST_HIT = {"start": 1_000, "ceiling": 2_000, "contribution": 25}


def _with_must_hit() -> Rulebook:
    return rulebook("ma-midi-4-royal9", must_hit=MUST_HIT)


# --------------------------------------------------------------------------------------------- Must Hit


@pytest.mark.clause("MA-v3-4:12(j).1", "MA-v3-4:12(j).2")
def test_12_j_the_lot_counts_the_seats_in_ascending_order_however_the_wagers_came() -> None:
    rules = _with_must_hit()
    for came in permutations((7, 2, 5)):
        winners = [
            end_round(rules, MustHitState(meter=1_990, trigger=2_000, lot=lot), came).seat for lot in range(len(came))
        ]
        assert winners == [2, 5, 7], came


@pytest.mark.clause("MA-v3-4:12(j).1", "MA-v3-4:12(j).2")
def test_12_j_meter_and_trigger_may_stand_exactly_at_start_and_ceiling() -> None:
    rules = _with_must_hit()
    for meter in (1_000, 2_000):
        for trigger in (1_000, 2_000):
            assert objection(rules, MustHitState(meter=meter, trigger=trigger, lot=0), [3]) is None, (meter, trigger)
    low, high = (objection(rules, MustHitState(meter=meter, trigger=2_000), []) for meter in (999, 2_001))
    assert low is not None
    assert high is not None
    assert sentence(*low) == "the meter $9.99 lies below its start $10.00"
    assert "above its ceiling $20.00" in sentence(*high)
    for trigger in (999, 2_001):
        said = objection(rules, MustHitState(meter=1_000, trigger=trigger), [])
        assert said is not None
        assert sentence(*said).endswith("lies outside $10.00 to $20.00")


@pytest.mark.clause("MA-v3-4:12(j).1", "MA-v3-4:12(j).2")
def test_12_j_the_meter_hits_exactly_at_its_trigger_and_not_a_cent_before() -> None:
    rules = _with_must_hit()
    at, before = (MustHitState(meter=meter, trigger=1_525, lot=0) for meter in (1_500, 1_499))
    assert (end_round(rules, at, [3]).hit, end_round(rules, before, [3]).hit) == (True, False)
    assert objection(rules, replace(at, lot=None), [3]) is not None
    assert objection(rules, replace(before, lot=None), [3]) is None
    assert objection(rules, replace(at, lot=1), [3]) is not None
    for lot in (-1, 3):
        said = objection(rules, replace(at, lot=lot), [3, 5, 8])
        assert said is not None
        assert sentence(*said) == f"the lot {lot} is not from 0 to 2, one for each participant"


@pytest.mark.clause("MA:13(e).1")
@pytest.mark.parametrize("shown", [None, {"meter": 1_990, "trigger": 2_000, "lot": 0}], ids=["unsaid", "shown"])
def test_a_void_round_asks_for_no_must_hit_and_wins_none(shown: dict[str, Any] | None) -> None:
    made = record("ma-midi-4", "2S 3H AD", "1 tie 1000", "1 royal9 500", royal9=royal9("ma-midi-4"), must_hit=MUST_HIT)
    found = answer({**made, "cards_left_in_shoe": 0, "must_hit": shown})
    assert "refused" not in found
    assert found["outcome"] == "void"
    assert "must_hit" not in found
    assert found["returned"] == {"1": 1_500}
    finished = {**made, "cards": ["7S", "9D", "TH", "KC"], "must_hit": None}
    assert answer(finished)["refused"]["code"] == "must_hit"


# ---------------------------------------------------------------------------------------------- Royal 9


def _stake_of(rules: Rulebook, cents: int, **elections: Any) -> Rulebook:
    """The rules with another fixed Royal 9 stake, as another document might have it."""
    wager = rules.edition.wagers["royal9"]
    assert wager.law.stake is not None
    law = replace(wager.law, stake=replace(wager.law.stake, shall=cents))
    edition = replace(rules.edition, wagers={**rules.edition.wagers, "royal9": replace(wager, law=law)})
    return replace(rules, edition=edition, elections=replace(rules.elections, **elections))


def test_the_share_of_the_reserve_is_rounded_down_and_nothing_is_lost() -> None:
    """At five dollars every share is whole micro-cents; at another stake a fraction stays with the meter."""
    rules = rulebook("ma-midi-4-royal9")
    elected = replace(rules.elections.royal9, rates_bp={"star": 1, "spade": 3, "heart": 5})  # type: ignore[type-var]
    odd = progressive(_stake_of(rules, 333, reserve_share_bp=7, royal9=elected))
    assert odd is not None
    found = {meter.name: (meter.contribution, meter.reserve) for meter in odd.meters}
    assert found == {"star": (33_277, 23), "spade": (99_831, 69), "heart": (166_384, 116)}, "of 23.31, 69.93, 116.55"
    for share in (1, 3_333, 9_999):
        whole = progressive(_stake_of(rules, 500, reserve_share_bp=share))
        assert whole is not None
        assert [meter.reserve * 10_000 for meter in whole.meters] == [
            500 * rate * 100 * share for rate in (900, 500, 500)
        ]


def test_odd_cents_of_a_shared_award_go_to_the_lower_seats() -> None:
    assert shares_of(100_000_000, percent=100, winners=3) == (34, 33, 33)
    assert shares_of(101_999_999, percent=100, winners=3) == (34, 34, 33)
    assert shares_of(101_000_000, percent=10, winners=1) == (11,)
    assert shares_of(100_000_000, percent=10, winners=1) == (10,)


@pytest.mark.parametrize("given", [{}, {"star": 1}, {"star": 1, "spade": 1, "heart": -1}], ids=str)
def test_meters_other_than_those_of_the_game_are_named_with_the_right_ones(given: dict[str, int]) -> None:
    rules = rulebook("ma-midi-4-royal9")
    refused = settle(rules, deal(rules, "9s 7h Td Tc"), [Wager(seat=1, on=WagerKind.TIE, stake=500)], meters=given)
    assert isinstance(refused, Refused)
    named = ", ".join(given) or "none"
    assert refused.say == f"meters {named}; expected one each of star, spade, heart, none below zero"


# ---------------------------------------------------------------------------------------------- seating


def test_a_sweep_that_begins_at_the_far_end_goes_on_from_the_other() -> None:
    seats = (3, 1, 9, 5)
    assert sweep(seats, start="highest", direction="descending") == [9, 5, 3, 1]
    assert sweep(seats, start="lowest", direction="ascending") == [1, 3, 5, 9]
    assert sweep(seats, start="highest", direction="ascending") == [9, 1, 3, 5]
    assert sweep(seats, start="lowest", direction="descending") == [1, 9, 5, 3]


def test_a_ring_goes_once_around_from_its_first_seat() -> None:
    seats = (3, 1, 9, 5)
    turns = {
        ("counterclockwise", "dealer_left"): [5, 3, 1, 9],
        ("clockwise", "dealer_left"): [5, 9, 1, 3],
        ("counterclockwise", "dealer_right"): [5, 9, 1, 3],
        ("clockwise", "dealer_right"): [5, 3, 1, 9],
    }
    for (direction, seat_one), order in turns.items():
        assert seats_from(seats, first=5, direction=direction, seat_one=seat_one) == order
    for first in seats:
        walk = seats_from(seats, first=first, direction="clockwise", seat_one="dealer_left")
        assert walk[0] == first
        assert sorted(walk) == sorted(seats)


def test_closest_to_the_dealer_is_met_first_counterclockwise() -> None:
    assert first_counterclockwise((3, 9, 5), seat_one="dealer_left") == 9
    assert first_counterclockwise((9, 3, 5), seat_one="dealer_right") == 3
    assert seats_around((3, 9, 5), start="dealer_left", direction="clockwise", seat_one="dealer_left") == [3, 5, 9]
    with pytest.raises(ValueError, match="does not go"):
        seats_around((1,), start="dealer_left", direction="counterclockwise", seat_one="dealer_left")


# ----------------------------------------------------------------------------------------------- shoe


def _zeros(cover: int, *, cards: int = 48) -> tuple[Rulebook, tuple[Card, ...]]:
    """A shoe of kings, in which every round takes six cards, with its cover card at a position."""
    return rulebook("ma-midi-4", cover_card_depth=cards - cover), parse_cards("Ks Kh Kd Kc " * (cards // 4))


@pytest.mark.clause("MA:9(d).1")
@pytest.mark.parametrize(
    ("cover", "start", "out_in"), [(12, 0, 3), (11, 0, 2), (13, 0, 3), (17, 0, 3), (18, 0, 4), (12, 12, 1), (0, 0, 1)]
)
def test_the_cover_card_is_met_in_the_round_that_reaches_its_position(cover: int, start: int, out_in: int) -> None:
    rules, shoe = _zeros(cover)
    dealt = list(rounds(rules, shoe, position=start))
    assert [each.number for each in dealt if each.cover_card_out] == [out_in]
    assert [each.number for each in dealt if each.is_last] == [out_in + 1] == [dealt[-1].number]
    assert [each.position for each in dealt] == [start + 6 * index for index in range(len(dealt))]


def test_a_cover_card_met_in_the_burn_leaves_one_hand() -> None:
    rules, shoe = _zeros(12)
    (only,) = rounds(rules, shoe, position=13)
    assert (only.number, only.is_last, only.cover_card_out) == (1, True, False)


# ----------------------------------------------------------------------------------------------- coup


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_said_of_the_first_two_cards_leaves_the_third_out(edition: str) -> None:
    coup = deal(rulebook(edition), "2s 3h Ad Jd 2c 3s")
    assert coup.why[0].say.endswith(": 2s Ad against 3h Jd")
    assert (coup.two_card_count(Side.PLAYER), coup.two_card_count(Side.BANKER)) == (3, 3)
    assert coup.pairs == 0, "2s Ad 2c opened without a pair"
    assert coup.why[2].say == "Banker draws on 3 against a 2"
    assert (coup.hand(Side.PLAYER), coup.hand(Side.BANKER)) == (parse_cards("2s Ad 2c"), parse_cards("3h Jd 3s"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_void_round_shows_every_card_that_came_and_where_it_lies(edition: str) -> None:
    hands = {
        "": ("", ""), "2s": ("2s", ""), "2s 3h": ("2s", "3h"), "2s 3h Ad": ("2s Ad", "3h"),
        "2s 3h Ad Jd": ("2s Ad", "3h Jd"), "2s 3h Ad Jd Tc": ("2s Ad Tc", "3h Jd"),
    }  # fmt: skip
    for cards, (player, banker) in hands.items():
        coup = deal(rulebook(edition), cards)
        assert coup.is_void
        assert (coup.player, coup.banker) == (parse_cards(player), parse_cards(banker))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_round_is_called_by_no_term_that_the_document_does_not_define(edition: str) -> None:
    seven = deal(rulebook(edition), "2s 3h Ad Ad 2c 3s")
    assert (seven.banker_count, seven.player_count) == (7, 5)
    assert seven.is_called("dragon_7") is (edition in MIDI)
    assert seven.is_called("no such term") is False
    assert deal(rulebook(edition), "2s 3h").is_called("dragon_7") is False, "nor a void one by any"


# --------------------------------------------------------------------------------------------- explain


def test_where_losers_come_last_each_act_still_has_its_own_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    table = own("ma-midi-4")
    table["settlement"] |= {"losers_first": False}
    rules = rules_under(table, "ma-midi-4", monkeypatch)
    wagers = [Wager(seat=1, on=WagerKind.PLAYER, stake=5_000), Wager(seat=2, on=WagerKind.BANKER, stake=5_000)]
    settled = settle(rules, deal(rules, "7s 9h Td Tc"), wagers)
    assert isinstance(settled, Settlement)
    told = settled_answer(None, open_book(rules), settled)
    vigorish, order = [f"{rules.edition.name} §12(d)(1)"], [f"{rules.edition.name} §11(b)"]
    acts = [(step[0], list(cites)) for step, cites in zip(told["settlement"], told["cites"]["settlement"], strict=True)]
    assert acts == [("collect_vig", vigorish), ("pay", order), ("collect_losing_wagers", order)]
    assert [ruling.say for ruling in explain(settled)][-1] == "Losing wagers are collected at 1"


def _explained(
    edition: str, *wagers: tuple[int, WagerKind, int], cards: str = "2s 3h Ad Jd Tc 5s"
) -> dict[str, list[str]]:
    rules = rulebook(edition)
    placed = [
        Wager(
            seat=seat,
            on=on,
            stake=stake,
            press=WagerKind.PLAYER if on is WagerKind.HOUSE_MONEY and stake > 500 else None,
        )
        for seat, on, stake in wagers
    ]
    settled = settle(rules, deal(rules, cards), placed)
    assert isinstance(settled, Settlement), settled
    return {ruling.say: [cite.paragraph for cite in ruling.cites] for ruling in explain(settled)}


@pytest.mark.clause("MA:8(c)(6).1", "MA:8(c)(6).2", "MA:8(c)(1).2", "MA:8(c)(2).1", "MA:8(d).4")
@pytest.mark.parametrize("edition", MIDI)
def test_8_c_who_turns_a_hand_cites_the_clause_that_says_so(edition: str) -> None:
    tied = _explained(
        edition,
        (2, WagerKind.PLAYER, 5_000),
        (4, WagerKind.PLAYER, 5_000),
        (1, WagerKind.BANKER, 5_000),
        (6, WagerKind.BANKER, 5_000),
    )
    assert tied["Seat 4, closest to the dealer of the highest wagers, turns the Player's cards"] == ["8(c)(6)"]
    assert tied["Seat 6, closest to the dealer of the highest wagers, turns the Banker's cards"] == ["8(c)(6)"]
    alone = _explained(edition, (2, WagerKind.PLAYER, 5_000), (4, WagerKind.PLAYER, 2_500))
    assert alone["Seat 2 has the highest wager and turns the Player's cards"] == ["8(c)(1)"]
    assert alone["Nobody has wagered on the Banker: the dealer turns its cards"] == ["8(d)"]
    other = _explained(edition, (2, WagerKind.BANKER, 5_000))
    assert other["Seat 2 has the highest wager and turns the Banker's cards"] == ["8(c)(2)"]


@pytest.mark.clause("NJ:3.7(d)1", "NJ:3.7(d)2", "NJ:3.7(d)5")
def test_3_7_d_who_turns_a_hand_cites_the_clause_that_says_so() -> None:
    tied = _explained(
        "nj-punto-banco",
        (2, WagerKind.PLAYER, 5_000), (4, WagerKind.PLAYER, 5_000),
        (1, WagerKind.BANKER, 5_000), (6, WagerKind.BANKER, 5_000),
    )  # fmt: skip
    assert tied["Seat 2, closest to the dealer of the highest wagers, turns the Player's cards"] == ["3.7(d)5"]
    assert tied["Seat 1, closest to the dealer of the highest wagers, turns the Banker's cards"] == ["3.7(d)5"]
    alone = _explained("nj-punto-banco", (2, WagerKind.PLAYER, 5_000), (4, WagerKind.BANKER, 5_000))
    assert alone["Seat 2 has the highest wager and turns the Player's cards"] == ["3.7(d)1"]
    assert alone["Seat 4 has the highest wager and turns the Banker's cards"] == ["3.7(d)2"]


@pytest.mark.clause("MA:8(c)(3)(i)", "MA:8(c)(3)(i)a")
@pytest.mark.parametrize("edition", MIDI)
def test_8_c_3_house_money_cites_its_settlement_and_its_press_apart(edition: str) -> None:
    paid = _explained(
        edition, (3, WagerKind.PLAYER, 5_000), (3, WagerKind.HOUSE_MONEY, 1_000), (5, WagerKind.BANKER, 5_000),
        (5, WagerKind.HOUSE_MONEY, 500), cards="Ks 3h Kd 7c 4s 5d",
    )  # fmt: skip
    pressed = next(cites for say, cites in paid.items() if "onto player" in say)
    taken = next(cites for say, cites in paid.items() if say.startswith("House Money at seat 5 is paid"))
    assert pressed == ["8(c)(3)(i)a"]
    assert "8(c)(3)" in taken[0]
    assert taken != pressed
    lost = _explained(edition, (3, WagerKind.PLAYER, 5_000), (3, WagerKind.HOUSE_MONEY, 500))
    assert lost["House Money of $5.00 at seat 3 is collected"] == taken


# ----------------------------------------------------------------------------------------------- seeds


def test_a_seed_of_hexadecimal_digits_means_the_same_in_either_case() -> None:
    digits = "0123456789abcdef" * 4
    assert seed_of(digits) == seed_of(digits.upper()) == bytes.fromhex(digits)
    assert seed_of(digits[:-1]) != bytes.fromhex(digits)
    words = {seed_of(text) for text in ("a rainy day", "A rainy day", "x" * 64, "ab " * 21 + "a", "０" * 64)}
    assert len(words) == 5
    assert all(len(seed) == 32 for seed in words), "whatever is typed makes a whole seed"
    assert seed_of(None) != seed_of(None)


def test_every_shoe_of_a_sitting_has_a_seed_of_its_own() -> None:
    seeds = [ShoeSession(Table(rulebook("ma-midi-4")), bytes(32), seat=1, company=0, purse=100_000)
             .source._seeds(number)
             for number in range(3)]  # fmt: skip
    assert len(set(seeds)) == 3
    other = ShoeSession(Table(rulebook("ma-midi-4")), bytes([1]) * 32, seat=1, company=0, purse=100_000).source
    assert other._seeds(0) != seeds[0]
    assert all(len(seed) == 32 for seed in seeds)


def test_every_run_of_the_must_hit_in_a_sitting_has_a_seed_of_its_own() -> None:
    """So that what opens one run tells nothing of the next."""
    found = []
    for seed in (bytes(32), bytes([1]) * 32):
        source = ShoeSession(Table(rulebook("ma-midi-4-royal9")), seed, seat=1, company=0, purse=100_000).source
        assert isinstance(source._triggers, SealedTriggers)
        found += [source._triggers._seeds(run) for run in range(3)] + [source._seeds(number) for number in range(3)]
    assert len(set(found)) == len(found), "nor has it a seed of a shoe"


# -------------------------------------------------------------------------------------- the wagers on offer


@pytest.mark.parametrize(
    ("submission", "others"),
    [
        ("ma-midi-4-ez", "dragon_player dragon_banker dragon7 panda8 house_money"),
        ("nj-punto-banco", "dragon_player dragon_banker total4 total5 total6"),
    ],
)
def test_the_main_wagers_are_shown_before_those_that_lie_with_them(submission: str, others: str) -> None:
    shown = [kind.word for kind in open_book(rulebook(submission)).kinds]
    assert shown == ["player", "banker", "tie", *others.split()]
