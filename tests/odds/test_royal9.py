"""Royal 9, King-9 and Must Hit: enumerated and in closed form, at any meters, in the long run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import perm
from random import Random
from typing import Any

import pytest

from baccarat.cards import DECK, Card
from baccarat.cards import decks as cards_of
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.money import Cents, dollars
from baccarat.odds import ShoeCounts, must_hit, must_hit_seat, odds, royal9
from baccarat.odds.show import percent
from baccarat.play.wager import WagerKind
from baccarat.play.wager.must_hit import MustHitState, end_round
from baccarat.play.wager.royal9 import Progressive, progressive
from odds_slow import multi_level_rows, royal9_rows

pytestmark = pytest.mark.slow

LATE, EARLY = "ma-midi-4-royal9", "ma-midi-1-royal9"


@pytest.mark.parametrize("decks", [8, 6])
@pytest.mark.parametrize("seats", [7, 6])
def test_king_9_rows_are_those_of_a_closed_form_at_every_chair(decks: int, seats: int) -> None:
    combos = rulebook(LATE).elections.royal9
    assert combos is not None
    assert combos.combos is not None
    few = {seat: suits for seat, suits in combos.combos.items() if int(seat) <= seats}
    table = {"combos": few, "seeds": combos.seeds, "rates_bp": combos.rates_bp}
    found = royal9(rulebook(LATE, decks=decks, seats=seats, royal9=table))
    assert list(found.chairs) == list(range(1, seats + 1))
    rest, expected = perm(52 * decks - 4, 2), royal9_rows(decks, seats)
    for price in found.chairs.values():
        assert {line.row: line.combinations for line in price.lines} == {row: n * rest for row, n in expected.items()}


def test_multi_level_rows_are_those_of_a_closed_form_at_every_chair() -> None:
    found = royal9(rulebook(EARLY))
    rest, expected = perm(412, 2), multi_level_rows(8)
    assert len(found.chairs) == 9
    for price in found.chairs.values():
        assert {line.row: line.combinations for line in price.lines} == {row: n * rest for row, n in expected.items()}
    (any_two,) = [line for line in found.chairs[1].lines if line.row == "Any Two Personal Progressive"]
    assert round(1 / any_two.probability) == 343_173, "reading A-13"


def test_at_seed_and_alone_a_chair_returns_what_its_rows_say() -> None:
    """The round's own contribution counts in its award: forty-five cents, and twenty-five on each King-9 meter."""
    rows, whole = royal9_rows(8, 7), perm(416, 4)
    prizes = [5_000_045, 35_025, 35_025, 500_000, 150_000, 25_000, 5_000, 2_500, 0]
    returned = Fraction(sum(ways * prize for ways, prize in zip(rows.values(), prizes, strict=True)), whole)
    price = odds(rulebook(LATE))[WagerKind.ROYAL9]
    assert price.edge == 1 - returned / 500
    assert percent(price.edge) == "38.92007 %"
    assert [line.award for line in price.lines] == prizes
    assert price.at(500) is price
    returning = odds(rulebook(LATE, royal9_return_stake=True))[WagerKind.ROYAL9]
    assert returning.expected == price.expected + price.hit


def test_meters_raise_the_return_and_break_even_is_the_first_cent_that_does() -> None:
    rules = rulebook(LATE)
    found = royal9(rules)
    for meter in ("star", "spade", "heart"):
        enough = found.break_even(2, meter)
        assert enough is not None
        assert royal9(rules, meters={meter: enough}).chairs[2].expected >= 0
        assert royal9(rules, meters={meter: enough - 1}).chairs[2].expected < 0
    raised = royal9(rules, meters={"spade": dollars("$1,000")})
    lower, alone = raised.break_even(1, "heart"), found.break_even(1, "heart")
    assert lower is not None
    assert alone is not None
    assert lower == found.break_even(1, "heart", others={"spade": dollars("$1,000")})
    assert alone - lower == dollars("$650"), "the two King-9 meters are won equally often"
    assert raised.break_even(1, "heart", others={"star": dollars("$20,000,000")}) == 0
    no_kings = ShoeCounts.of({"9s": 4, "Qh": 4, "2d": 4}, decks=8)
    assert royal9(rules, no_kings).break_even(1, "star") is None


def test_partial_awards_count_in_the_break_even_of_the_major_meter() -> None:
    found = royal9(rulebook(EARLY))
    enough = found.break_even(1, "major")
    assert enough is not None
    rows, whole = multi_level_rows(8), perm(416, 4)
    fixed = [0, 0, 35_025, 35_025, 150_000, 25_000, 5_000, 2_500, 0]
    others = sum(ways * prize for ways, prize in zip(rows.values(), fixed, strict=True))
    exact, tenth = list(rows.values())[:2]

    def returned(meter: int) -> int:
        shown = meter + 45
        return others + exact * shown + tenth * -(-shown // 10)

    assert returned(enough) >= 500 * whole > returned(enough - 1)


def rows_by_card(progress: Progressive, left: dict[Card, int], others: int, seat: int) -> Counter[str]:
    """The rows of a chair in all ordered deals of four cards, card by card; all others are one kind."""
    kinds: list[Card | None] = [*left, None]
    counts = [*left.values(), others]
    known: dict[tuple[frozenset[Card], frozenset[Card]], str] = {}
    found: Counter[str] = Counter()
    spare = (Card.parse("2s"), Card.parse("3s"))

    def hand(one: int, two: int) -> frozenset[Card]:
        return frozenset((kinds[one] or spare[0], kinds[two] or spare[1]))

    for cards in product(range(len(kinds)), repeat=4):
        ways = 1
        for place, each in enumerate(cards):
            ways *= max(0, counts[each] - cards[:place].count(each))
        if ways:
            hands = hand(*cards[:2]), hand(*cards[2:])
            if hands not in known:
                known[hands] = progress.row(seat, *hands).row
            found[known[hands]] += ways
    return found


@pytest.mark.parametrize("name", ["ma-midi-1-royal9", LATE])
def test_rows_from_depleted_shoes_are_those_counted_card_by_card(name: str) -> None:
    rules, chance = rulebook(name), Random(9)
    progress = progressive(rules)
    assert progress is not None
    for size in (400, 300, 120, 60, 20, 7):
        cards = chance.sample(cards_of(8), size)
        shoe = ShoeCounts.of(Counter(cards), decks=8)
        royal = {card: cards.count(card) for card in DECK if card.rank.value in "9JQK"}
        seat = chance.choice(sorted(progress.chairs))
        slow = rows_by_card(progress, royal, size - sum(royal.values()), seat)
        fast = {line.row: line.combinations for line in royal9(rules, shoe).chairs[seat].lines}
        rest = (size - 4) * (size - 5)
        assert {row: ways for row, ways in fast.items() if ways} == {row: ways * rest for row, ways in slow.items()}


def test_who_wagers_beside_adds_to_the_award_of_the_round() -> None:
    rules = rulebook(LATE)
    alone, full = royal9(rules), royal9(rules, seats=range(1, 8))
    for seat in range(1, 8):
        lines = full.chairs[seat].lines
        assert [line.combinations for line in lines] == [line.combinations for line in alone.chairs[seat].lines]
        assert [line.award for line in lines[:3]] == [5_000_000 + 7 * 45, 35_000 + 7 * 25, 35_000 + 7 * 25]


def test_the_long_run_pays_out_contributions_and_seeds() -> None:
    found = royal9(rulebook(LATE))
    rows, whole = royal9_rows(8, 7), perm(416, 4)
    star, spade, heart, *others = rows.values()
    assert found.contribution == {"star": 45, "spade": 25, "heart": 25}
    assert found.reserve == 0
    seeds = {
        "star": Fraction(star * 5_000_000, whole),
        "spade": Fraction(spade * 35_000, whole),
        "heart": Fraction(heart * 35_000, whole),
    }
    assert found.seed_per_wager(1) == seeds
    fixed = sum(n * prize for n, prize in zip(others, (500_000, 150_000, 25_000, 5_000, 2_500, 0), strict=True))
    assert found.long_run_edge(1) == 1 - (Fraction(fixed, whole) + 95 + sum(seeds.values())) / 500
    kept = royal9(rulebook(LATE, reserve_share_bp=5_000))
    assert kept.reserve == Fraction(95, 2)
    assert found.seeding_cost(1) - kept.seeding_cost(1) == Fraction(95, 2)
    assert kept.seeding_cost(1) > 0
    assert kept.long_run_edge(1) - found.long_run_edge(1) == Fraction(95, 2) / 500, "seeds come out of it, not on top"
    drowned = royal9(rulebook(LATE, secondary_seed_bp=4_000))
    assert drowned.seeding_cost(1) == 0
    assert drowned.long_run_edge(1) == found.long_run_edge(1) - (200 - sum(seeds.values())) / 500


def test_a_stake_that_comes_back_with_a_prize_is_paid_out_in_the_long_run() -> None:
    kept, back = royal9(rulebook(LATE)), royal9(rulebook(LATE, royal9_return_stake=True))
    assert kept.long_run_edge(1) - back.long_run_edge(1) == back.chairs[1].hit


def test_meters_that_are_refilled_have_no_long_run() -> None:
    found = royal9(rulebook("ma-midi-1-royal9", partial_refill_to_seed=True))
    assert not found.has_long_run(1)
    for ask in (found.long_run_edge, found.seed_per_wager, found.seeding_cost):
        with pytest.raises(ValueError, match="no closed form"):
            ask(1)
    assert royal9(rulebook("ma-midi-1-royal9")).has_long_run(1)


BAD: list[tuple[Callable[[], Any], str]] = [
    (lambda: royal9(rulebook(LATE)).break_even(99, "star"), "no chair 99"),
    (lambda: royal9(rulebook(LATE)).seed_per_wager(99), "no chair 99"),
    (lambda: royal9(rulebook(LATE), seats=[True]), "expected some of"),
    (lambda: royal9(rulebook(LATE), seats=[1.0]), "expected some of"),  # type: ignore[list-item]
    (lambda: royal9(rulebook("ma-midi-4")), "Royal 9 is not offered"),
    (lambda: odds(rulebook("ma-midi-4"), meters={"star": 1}), "meters are given, but Royal 9 is not offered"),
    (lambda: odds(rulebook(LATE), meters={"moon": 1}), "no meter 'moon'; this progressive has star, spade, heart"),
    (lambda: odds(rulebook(LATE), meters={"star": -1}), "meter star: a meter shows whole cents, zero or more"),
    (lambda: odds(rulebook(LATE), meters={"star": True}), "not True"),
    (lambda: odds(rulebook(LATE), meters={"star": 1.5}), "not 1.5"),  # type: ignore[dict-item]
    (lambda: royal9(rulebook(LATE), seats=[8]), r"seats \[8\]; expected some of 1, 2, 3, 4, 5, 6, 7"),
    (lambda: royal9(rulebook(LATE), seats=[]), r"seats \[\]; expected some of"),
    (lambda: royal9(rulebook(LATE), ShoeCounts.of([32] * 13, decks=8)), "known by ranks only, and not by cards"),
    (lambda: royal9(rulebook(LATE)).break_even(1, "moon"), "no meter 'moon'"),
    (lambda: odds(rulebook(LATE))[WagerKind.ROYAL9].at(501), r"\$5.00 exactly, not \$5.01"),
    (lambda: must_hit(rulebook("ma-midi-4")), "no Must Hit is installed"),
    (lambda: must_hit(rulebook(LATE), participants=0), "participants from 1 to the table's 7 seats, not 0"),
    (lambda: must_hit(rulebook(LATE), participants=8), "participants from 1 to the table's 7 seats, not 8"),
    (lambda: must_hit(terms(100, 200, 0)), "need not ever be hit"),
    (lambda: must_hit_seat(terms(100, 200, 5), meter=99), "whole cents from 100 to 200, not 99"),
    (lambda: must_hit_seat(terms(100, 200, 5), meter=201), "whole cents from 100 to 200, not 201"),
    (lambda: must_hit_seat(terms(100, 200, 5), meter=200), "has reached its ceiling"),
]


@pytest.mark.parametrize(("made", "say"), BAD)
def test_what_cannot_be_priced_is_refused_in_a_sentence(made: Callable[[], Any], say: str) -> None:
    with pytest.raises(ValueError, match=say):
        made()


# --------------------------------------------------------------------------------------------- Must Hit


def terms(start: int, ceiling: int, contribution: int) -> Rulebook:
    """A table with this Must Hit."""
    return rulebook(LATE, must_hit={"start": start, "ceiling": ceiling, "contribution": contribution})


def play_on(rules: Rulebook, meter: int, trigger: int, seats: list[int]) -> tuple[int, int]:
    """The rounds until the meter is hit, and what is won, by play."""
    for played in range(1, 10_000):
        end = end_round(rules, MustHitState(meter=meter, trigger=trigger, lot=0), seats)
        if end.hit:
            return played, end.award
        meter = end.meter
    raise AssertionError("it must hit")


@pytest.mark.parametrize("contribution", [1, 7, 25, 300])
@pytest.mark.parametrize("participants", [1, 3, 7])
def test_must_hit_costs_what_it_costs_over_all_triggers(contribution: int, participants: int) -> None:
    rules, seats = terms(1_000, 1_203, contribution), list(range(1, participants + 1))
    runs = [play_on(rules, 1_000, trigger, seats) for trigger in range(1_000, 1_204)]
    found = must_hit(rules, participants=participants)
    assert found.rounds == Fraction(sum(played for played, _ in runs), len(runs))
    assert found.award == Fraction(sum(award for _, award in runs), len(runs))
    wagers = sum(played for played, _ in runs) * participants
    assert found.cost == Fraction(sum(award for _, award in runs), wagers) > contribution


@pytest.mark.parametrize("participants", [1, 3, 7])
def test_a_seat_is_worth_its_part_of_what_this_round_may_award(participants: int) -> None:
    rules, seats = terms(1_000, 1_203, 25), list(range(1, participants + 1))
    for meter in (1_000, 1_025, 1_100, 1_202):
        triggers = [each for each in range(1_000, 1_204) if each > meter or meter == 1_000]
        awards = []
        for trigger in triggers:
            end = end_round(rules, MustHitState(meter=meter, trigger=trigger, lot=0), seats)
            awards.append(end.award if end.hit else 0)
        found = must_hit_seat(rules, meter=meter, participants=participants)
        assert found.value == Fraction(sum(awards), len(triggers) * participants)
        assert found.chance == Fraction(sum(map(bool, awards)), len(triggers))
    assert found.chance == 1
    assert Cents(found.award) == Cents(1_202 + 25 * participants)
