"""Settlement: nothing is created or destroyed, every wager ends once, and a second settlement says the same."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from baccarat.cards import DECK, Card, parse_cards, show_cards
from baccarat.law.clause import Citation
from baccarat.law.row import WagerResult
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.money import Cents, Ratio, dollars
from baccarat.play.coup import deal
from baccarat.play.settle import settle
from baccarat.play.settlement import Settlement
from baccarat.play.wager import Verbal, Wager, WagerKind
from baccarat.play.wager.must_hit import MustHitState
from baccarat.play.wager.royal9 import MICRO
from second_settlement import Second, second
from strategies import (
    CHAIRS,
    EARLY,
    EDITIONS,
    KING_9,
    MASSACHUSETTS,
    NEW_JERSEY,
    alike,
    answer,
    endings,
    offered,
    record,
    records,
    rules_of,
)
from strategies import royal9 as royal9_option

pytestmark = pytest.mark.slow


def rounds(examples: int) -> settings:
    """So many examples of whole rounds, which take their time to make."""
    return settings(max_examples=examples, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


Made = dict[str, Any]


def wagers_of(made: Made) -> list[Wager]:
    """The wagers of a record as values."""
    found = []
    for each in made["wagers"]:
        press = WagerKind(each["press"]) if "press" in each else None
        verbal = msgspec.convert(each["verbal"], Verbal) if "verbal" in each else None
        coupon = each.get("coupon", 0)
        wager = Wager(
            seat=each["seat"],
            on=WagerKind(each["type"]),
            stake=each["amount"],
            press=press,
            coupon=coupon,
            verbal=verbal,
        )
        found.append(wager)
    return found


def meters_of(made: Made, below: int = 0) -> dict[str, int] | None:
    """The meters of a record in micro-cents, each `below` a cent more."""
    royal9 = made["options"].get("royal9")
    return None if royal9 is None else {name: cents * MICRO + below for name, cents in royal9["meters"].items()}


def settled(made: Made, below: int = 0) -> Settlement:
    """A record settled through the API, not through the exchange format."""
    rules = rules_of(made)
    coup = deal(rules, map(Card.parse, made["cards"]), rest_of_shoe=True)
    state = msgspec.convert(made["must_hit"], MustHitState) if "must_hit" in made else None
    found = settle(rules, coup, wagers_of(made), meters=meters_of(made, below), must_hit=state)
    assert isinstance(found, Settlement), found
    return found


# ---------------------------------------------------------------------------- the second settlement


@rounds(150)
@given(records())
def test_any_round_of_any_edition_is_settled_alike_by_a_second_settlement(made: Made) -> None:
    told = answer(made)
    assert "refused" not in told, told
    assert alike(told) == alike({"id": made["id"], **second(made)})


MA_WAGERS = (
    "1 player 1001", "1 house_money 333 press=player", "2 banker 2501", "2 house_money 505 press=banker",
    "2 dragon_player 101", "2 dragon_banker 303", "4 tie 1005", "5 banker 777 coupon=777", "5 player 777",
    "7 dragon_banker 25", "9 house_money 500",
)  # fmt: skip
NJ_WAGERS = (
    "1 player 1001", "2 banker 2501", "2 total4 1001", "2 total6 1500", "3 banker 2501", "3 total5 2500",
    "4 tie 1005", "5 banker 777 coupon=777", "6 dragon_player 101", "6 dragon_banker 303", "13 total4 5",
)  # fmt: skip
MA_ELECTIONS: tuple[Made, ...] = (
    {"vig_collection": "deferred", "dragon_paytable": "B"},
    {"vig_rounding": False, "tie_odds": "17 to 2", "dragon_paytable": "C", "house_money_portion": [2, 3]},
    {"ez": True, "seat_one": "dealer_right"},
)
NJ_ELECTIONS: tuple[Made, ...] = (
    {"settlement_option": 1, "vig_rate": 4, "dragon_paytable": "B"},
    {"settlement_option": 2, "no_commission": "total_card_exempt", "vig_rounding": False, "dragon_paytable": "C"},
    {"settlement_option": 3, "no_commission": "six_half", "allow_other_side": True, "tie_odds": "25 to 3"},
    {"reveal": "face_up", "dragon_odds": {"win_by_6": "9 to 2", "natural": 2}},
)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_ending_is_settled_alike_by_a_second_settlement(edition: str) -> None:
    assert len(endings()) > 500, "every finish, with its pairs"
    placed: tuple[str, ...]
    elections, placed = (MA_ELECTIONS, MA_WAGERS) if edition in MASSACHUSETTS else (NJ_ELECTIONS, NJ_WAGERS)
    for elected in elections:
        more = ("3 dragon7 55", "6 panda8 77") if elected.get("ez") else ()
        for cards in endings().values():
            made = record(edition, cards, *placed, *more, **elected)
            assert alike(answer(made)) == alike({"id": "round", **second(made)}), made


ROYAL_HANDS = (
    *(f"{court}{suit} 9{nine}" for court in "KQ" for suit in "SHDC" for nine in "SHDC"),
    *("JS 9H", "JD 9C", "JC 9C"),
    *("KS KH", "9S 9H", "TS 9H", "KS 8H"),
)


@pytest.mark.parametrize(
    ("edition", "any_two"),
    [
        ("ma-midi-1", "own_chair"),
        ("ma-midi-1", "any_posted"),
        ("ma-midi-2", "other_chair_identical"),
        ("ma-midi-3", None),
        ("ma-midi-4", None),
    ],
)
def test_every_two_opening_hands_are_settled_alike_at_every_chair(edition: str, any_two: str | None) -> None:
    """Every Royal 9 with a king or queen, some with a jack, and hands that are none, with every chair in the bet."""
    seats = CHAIRS if edition in EARLY else KING_9
    placed = [text for seat in seats for text in (f"{seat} tie 100", f"{seat} royal9 500")]
    elected: Made = {"royal9": royal9_option(edition, paytable=2), **({"any_two": any_two} if any_two else {})}
    made = record(edition, "", *placed, **elected)
    for player, banker in product(ROYAL_HANDS, repeat=2):
        one, two = player.split(), banker.split()
        made["cards"] = [one[0], two[1], one[1], two[0], "2S", "3S"]
        assert alike(answer(made)) == alike({"id": "round", **second(made)}), made["cards"]


# ------------------------------------------------------------------------------------- conservation


def house_of(found: Settlement) -> int:
    """What the house has gained over the table, in cents, from the dealer's acts; meters aside."""
    on_table = {(line.wager.seat, line.wager.on): line.wager.stake for line in found.lines}
    house = 0
    for step in found.early_steps:
        if step.act == "collect":
            house += step.amount
        else:
            house -= step.amount
            if step.onto is not None:
                on_table[step.seat, step.onto] += step.to_wager
    for line in found.lines:
        seat, on = line.wager.seat, line.wager.on
        if line.result is WagerResult.LOSE and on not in (WagerKind.HOUSE_MONEY, WagerKind.ROYAL9):
            assert seat in found.losers
            house += on_table[seat, on]
    for step in found.steps:
        if step.act in ("collect_vig", "mark_vig"):
            house += step.amount
        elif step.act == "pay":
            house -= step.amount
        else:
            assert step.act in ("royal9_award", "must_hit_award"), "what is left is for the meters to pay, or a prize"
    return house


def royal9_flows(made: Made, found: Settlement, below: int) -> Iterator[tuple[str, int]]:
    """What flows into each account because of Royal 9, in micro-cents: house, reserve and each meter."""
    if found.awards is None:
        return
    options, elected = made["options"], made["options"]["royal9"]
    early = made["ruleset"] in EARLY
    if early:
        first = elected["paytable"] == 1
        rates = {"major": 900 if first else 960, "k9_banker": 500, "k9_player": 500}
        seeds = {"major": 5_000_000 if first else 2_500_000, "k9_banker": 35_000, "k9_player": 35_000}
    else:
        rates, seeds = elected["rates_bp"], elected["seeds"]
    lines = [line for line in found.lines if line.wager.on is WagerKind.ROYAL9]
    from_meter: dict[str, int] = dict.fromkeys(rates, 0)
    put_in: dict[str, int] = dict.fromkeys(rates, 0)
    held = len(lines) * 500 * options.get("secondary_seed_bp", 0) * MICRO // 10_000
    before = {name: cents * MICRO + below for name, cents in elected["meters"].items()}
    for name, rate in rates.items():
        whole = 500 * rate * MICRO // 10_000
        kept = whole * options.get("reserve_share_bp", 0) // 10_000
        put_in[name] += len(lines) * (whole - kept)
        held += len(lines) * kept
    assert found.awards.contributed == {name: before[name] + put_in[name] for name in rates}
    rows = {row: (meter, percent) for row, meter, percent in Second.meter_rows(early)}
    for step in found.steps:
        if step.act == "royal9_award" and step.row in rows:
            from_meter[rows[step.row][0]] += step.amount * MICRO
        elif step.act == "royal9_award":
            yield "house", -step.amount * MICRO
    seeded: dict[str, int] = dict.fromkeys(rates, 0)
    for row, (meter, percent) in rows.items():
        if any(line.row == row for line in lines):
            left = before[meter] + put_in[meter] - from_meter[meter] + seeded[meter]
            if percent == 100:
                seeded[meter] += seeds[meter] * MICRO
            elif options.get("partial_refill_to_seed"):
                seeded[meter] += max(0, seeds[meter] * MICRO - left)
    for name in rates:
        after = before[name] + put_in[name] - from_meter[name] + seeded[name]
        assert found.awards.after[name] == after
        assert after >= 0, "a meter is never negative"
        yield name, found.awards.after[name] - before[name]
        yield "house", -put_in[name] - seeded[name]
    assert found.awards.reserve == held
    yield "reserve", found.awards.reserve
    yield "house", -held
    kept_stakes = [line for line in lines if line.result is WagerResult.LOSE or not options.get("royal9_return_stake")]
    yield "house", 500 * len(kept_stakes) * MICRO


def must_hit_flows(made: Made, found: Settlement) -> Iterator[tuple[str, int]]:
    """What flows because of the Must Hit progressive."""
    if found.must_hit is None:
        return
    law, state = made["options"]["must_hit"], made["must_hit"]
    taking_part = sum(each["type"] == "royal9" for each in made["wagers"])
    added = law["contribution"] * taking_part
    seeded = law["start"] if found.must_hit.hit else 0
    assert found.must_hit.meter == state["meter"] + added - found.must_hit.award + seeded
    yield "must hit", (found.must_hit.meter - state["meter"]) * MICRO
    yield "house", (-added - seeded) * MICRO


def conserves(made: Made, below: int) -> None:
    """What everybody gains adds up to nothing: participants, house, meters and reserve."""
    found = settled(made, below)
    accounts = {"participants": sum(found.net_by_seat.values()) * MICRO, "house": house_of(found) * MICRO}
    for account, amount in [*royal9_flows(made, found, below), *must_hit_flows(made, found)]:
        accounts[account] = accounts.get(account, 0) + amount
    assert sum(accounts.values()) == 0, accounts


@rounds(100)
@given(made=records(), below=st.integers(0, MICRO - 1))
def test_money_is_neither_created_nor_destroyed(made: Made, below: int) -> None:
    conserves(made, below)


@pytest.mark.parametrize("any_two", ["own_chair", "other_chair_identical", "any_posted"])
@pytest.mark.parametrize("edition", MASSACHUSETTS)
def test_meters_are_accounted_for_to_the_micro_cent(edition: str, any_two: str) -> None:
    """Hands of two chairs, suited ones and none, with odd shares kept back and every chair in the bet."""
    elected: Made = {"royal9": royal9_option(edition), "reserve_share_bp": 3_333, "secondary_seed_bp": 777}
    if edition in EARLY:
        elected |= {"any_two": any_two, "partial_refill_to_seed": True, "royal9_return_stake": True}
    placed = [text for seat in range(1, 8) for text in (f"{seat} tie 100", f"{seat} royal9 500")]
    made = record(edition, "", *placed, **elected)
    hands = [hand.split() for hand in ("KS 9H", "QS 9H", "KD 9S", "JD 9S", "KH 9H", "QC 9S", "KS 8H")]
    for one, two in product(hands, repeat=2):
        made["cards"] = [one[0], two[1], one[1], two[0], "2S", "3S"]
        conserves(made, 123_457)


def ends_once(made: Made, found: Settlement) -> None:
    """Every wager comes to one end: at least its odds, or nothing lost, or the whole of it."""
    assert [line.wager for line in found.lines] == wagers_of(made)
    for line in found.lines:
        staked = line.wager.stake + (line.pressed or 0)
        assert line.cites, "no end without a clause"
        match line.result:
            case WagerResult.WIN if line.wager.on is WagerKind.ROYAL9:
                assert line.net - line.win in (-500, 0)
            case WagerResult.WIN:
                assert line.odds is not None
                owed = Fraction(line.odds.to, line.odds.one) * (staked + line.wager.coupon)
                assert owed <= line.win < owed + 1, "at least the odds, and less than a cent above them"
                assert line.net == line.win - line.vigorish
            case WagerResult.LOSE:
                assert (line.win, line.vigorish, line.net) == (0, 0, -staked)
            case WagerResult.PUSH:
                assert (line.win, line.vigorish, line.net) == (0, 0, 0)


def vigorish_is_bounded(made: Made, found: Settlement) -> None:
    """Vigorish is taken of Banker wins alone, and never above the win.

    A win below one coin is the exception: rounding to a coin is what the texts allow.
    """
    options = made["options"]
    coin = {4: 20, 5: 25}[options.get("vig_rate", 5)]
    for line in found.lines:
        assert line.vigorish == 0 or line.wager.on is WagerKind.BANKER
        assert 0 <= line.vigorish <= max(line.win, coin)
        if options.get("vig_rounding") is False:
            assert line.vigorish <= Fraction(options.get("vig_rate", 5) * line.win, 100)
        elif line.vigorish:
            assert line.vigorish % coin == 0


def acts_follow_the_lines(made: Made, found: Settlement) -> None:
    """The dealer's acts say what the lines say, and come in the filed order; a Must Hit award comes last."""
    steps = [step for step in found.steps if step.act != "must_hit_award"]
    assert steps == list(found.steps[: len(steps)])
    hit = found.must_hit is not None and found.must_hit.hit
    assert len(found.steps) - len(steps) == hit
    late = [line for line in found.lines if line.wager.on is not WagerKind.HOUSE_MONEY]
    assert set(found.losers) == {line.wager.seat for line in late if line.result is WagerResult.LOSE}
    for act, of_line in (("pay", "win"), ("vig", "vigorish")):
        said: dict[int, int] = {}
        for line in late:
            if line.wager.on is not WagerKind.ROYAL9 and line.result is WagerResult.WIN and getattr(line, of_line):
                said[line.wager.seat] = said.get(line.wager.seat, 0) + getattr(line, of_line)
        done = {step.seat: step.amount for step in steps if step.act == act or step.act.endswith(f"_{act}")}
        assert done == said
        assert list(done) == sorted(done, reverse=True), "from the highest seat down"
    procedure = made["options"].get("settlement_option", 4)
    if procedure in (3, 4):
        seats = [step.seat for step in steps]
        assert seats == sorted(seats, reverse=True), "a seat is finished before the next"
    takes = [place for place, step in enumerate(steps) if step.act.endswith("_vig")]
    gives = [place for place, step in enumerate(steps) if not step.act.endswith("_vig")]
    if takes and gives and procedure in (1, 2):
        assert max(gives) < min(takes) if procedure == 1 else max(takes) < min(gives)


@rounds(100)
@given(records())
def test_every_wager_ends_once_vigorish_is_bounded_and_the_dealers_acts_follow(made: Made) -> None:
    found = settled(made)
    ends_once(made, found)
    vigorish_is_bounded(made, found)
    acts_follow_the_lines(made, found)


# ------------------------------------------------------------------------------------------ void rounds


@rounds(50)
@given(made=records(), there=st.integers(0, 6))
@pytest.mark.clause("MA:13(e).1", "NJ:3.12(e)")
def test_13_e_a_void_round_returns_everything(made: Made, there: int) -> None:
    needed = settled(made).coup.cards_dealt
    told = answer({**made, "cards": made["cards"][: min(there, needed - 1)], "cards_left_in_shoe": 0})
    assert told["outcome"] == "void"
    staked: dict[str, int] = {}
    for each in made["wagers"]:
        staked[str(each["seat"])] = staked.get(str(each["seat"]), 0) + each["amount"]
    assert told["returned"] == staked
    assert told["net_by_seat"] == dict.fromkeys(staked, 0)
    assert told["settlement"] == []
    for line in told["wagers"]:
        assert (line["result"], line["win"], line["vigorish"], line["net"]) == ("push", 0, 0, 0)
    assert not {"house_money_steps", "meters_after_round", "meters_after_contributions", "must_hit"} & set(told)


# -------------------------------------------------------------------------- one rulebook, two ways to it

SILENT: Made = {"dragon_bonus": False, "match_play": True, "verbal_wagers": True, "tie_odds": 8}
MA_SILENT: Made = {**SILENT, "ez": False, "house_money": False, "seat_one": "dealer_left", "seats": 9}
NJ_SILENT: Made = {
    **SILENT, "total_card_wagers": False, "settlement_option": 4, "reveal": "face_down", "seats": 14,
    "seat_one": "dealer_right",
}  # fmt: skip
VIGORISH: Made = {"vig_rate": 5, "vig_rounding": True, "vig_collection": "at_payout"}


def filed(made: Made) -> Rulebook:
    """The same elections as a Submission, begun from the shipped one and stating everything."""
    ruleset, options = made["ruleset"], {**made["options"]}
    stated = {**(NJ_SILENT if ruleset == NEW_JERSEY else MA_SILENT), **options}
    if not stated.get("ez") and stated.get("no_commission") != "six_half":
        stated = {**VIGORISH, **stated}
    if "royal9" in options:
        stated["royal9"] = {key: value for key, value in options["royal9"].items() if key != "meters"}
    wide = {"min": 1, "max": 10**15, "increment": 1}
    stated.setdefault("limits", {kind: wide for kind in offered(ruleset, stated) if kind != "royal9"})
    return rulebook(ruleset, **stated)


@rounds(30)
@given(records())
def test_a_filed_submission_settles_as_the_record_that_says_the_same(made: Made) -> None:
    rules = filed(made)
    coup = deal(rules, map(Card.parse, made["cards"]), rest_of_shoe=True)
    state = msgspec.convert(made["must_hit"], MustHitState) if "must_hit" in made else None
    one = settle(rules, coup, wagers_of(made), meters=meters_of(made), must_hit=state)
    two = settled(made)
    assert isinstance(one, Settlement)
    assert (one.lines, one.steps, one.early_steps, one.losers) == (two.lines, two.steps, two.early_steps, two.losers)
    assert (one.handed_to, one.awards, one.must_hit) == (two.handed_to, two.awards, two.must_hit)


# -------------------------------------------------------------------------------------------- notations


def test_every_card_parses_back_from_each_of_its_notations() -> None:
    for card in DECK:
        assert {Card.parse(text) for text in (str(card), card.code, card.sign, str(card).upper())} == {card}
    assert parse_cards(show_cards(DECK)) == DECK


@given(st.integers(-(10**15), 10**15))
def test_every_sum_parses_back(cents: int) -> None:
    assert dollars(str(Cents(cents))) == cents
    assert f"{Cents(cents):>30}".strip() == str(Cents(cents))


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_all_odds_parse_back(to: int, one: int) -> None:
    odds = Ratio.of(to, one)
    assert Ratio.parse(str(odds)) == Ratio.parse(odds.colon) == odds
    assert Fraction(odds.to, odds.one) == Fraction(to, one)


def test_every_kind_of_wager_parses_back() -> None:
    assert [WagerKind(kind.value) for kind in WagerKind] == list(WagerKind)


@rounds(30)
@given(records())
def test_every_citation_of_a_settlement_parses_back_and_is_of_its_edition(made: Made) -> None:
    found = settled(made)
    cites = [cite for line in found.lines for cite in line.cites]
    cites += [cite for ruling in found.coup.why for cite in ruling.cites]
    cites += [cite for call in found.coup.calls for cite in call.cites]
    rules = rules_of(made)
    known = set(rules.edition.cite(*rules.edition.clauses))
    assert set(cites) <= known
    assert [Citation.parse(str(cite)) for cite in cites] == cites
