"""Win bands: exact quantiles of many rounds, against brute force, against simulation, and for whole tables."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product
from math import comb

import pytest

from baccarat import BANKER, PLAYER, TIE, WagerKind, rulebook
from baccarat.law.rulebook import shipped_submissions
from baccarat.odds import Price, many_rounds, odds, round_wins, royal9, together, win_band
from baccarat.odds.band import PERCENTS, ROUNDS, TAILS
from baccarat.odds.many_rounds import DirectDistribution, Lattice, QuantileSearch, TabledDistribution, middle, middle_of
from baccarat.odds.wave import RoundBlock, TooMany, Wave, root, terms, window

pytestmark = pytest.mark.slow

ROYAL9 = "ma-midi-4-royal9"
ODD_METERS = {"star": 5_012_345, "spade": 35_317}

Wins = dict[Fraction, int]


def wins_of(price: Price) -> Wins:
    return dict(price.wins)


def all_prices() -> Iterator[tuple[str, Price]]:
    """Every wager of every shipped Submission that has a distribution of its own."""
    seen = set()
    for name in shipped_submissions():
        for price in odds(rulebook(name)):
            if price.wins not in seen:
                seen.add(price.wins)
                yield name, price


def brute_force(wins: Wins, rounds: int, tail: Fraction) -> tuple[Fraction, Fraction]:
    """The ends of the middle part, from every sequence of results."""
    sums: Counter[Fraction] = Counter()
    for each in product(wins, repeat=rounds):
        ways = 1
        for won in each:
            ways *= wins[won]
        sums[sum(each, Fraction(0))] += ways
    whole, ordered = sum(sums.values()), sorted(sums)
    low = max(end for end in ordered if sum(sums[s] for s in ordered if s < end) <= tail * whole)
    high = min(end for end in ordered if sum(sums[s] for s in ordered if s > end) <= tail * whole)
    return low, high


def by_search(wins: Wins, rounds: int, goal: int = 36) -> list[tuple[Fraction, Fraction]]:
    """The bands by the distribution function, however few the rounds are."""
    lattice = Lattice.from_gains(wins)
    found = QuantileSearch([RoundBlock(lattice.rows, rounds)], goal)
    start = lattice.lowest * rounds
    return [(start + found.least_sum(t) * lattice.size, start + found.least_sum(1 - t) * lattice.size) for t in TAILS]


# ------------------------------------------------------------------------------------------- against brute force


@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
def test_few_rounds_are_what_every_sequence_of_results_gives(rounds: int) -> None:
    for name, price in all_prices():
        for percent, tail in zip(PERCENTS, TAILS, strict=True):
            band = price.band(rounds=rounds, percent=percent)
            assert (band.low * rounds, band.high * rounds) == brute_force(wins_of(price), rounds, tail), (name, price)


@pytest.mark.parametrize("rounds", [2, 5, 20, 50])
def test_counting_out_and_the_distribution_function_agree(rounds: int) -> None:
    for name, price in all_prices():
        wins = wins_of(price)
        if price.on is WagerKind.ROYAL9:
            continue  # its sums are too many to be counted out; below it is held against the binomial law
        lattice = Lattice.from_gains(wins)
        counted = many_rounds._ends_by_counting([RoundBlock(lattice.rows, rounds)], TAILS)
        start = lattice.lowest * rounds
        wanted = [(start + low * lattice.size, start + high * lattice.size) for low, high in counted]
        assert by_search(wins, rounds) == wanted, (name, price)


def binomial_end(rounds: int, wins: int, ways: int, share: Fraction) -> int:
    """The least number of successes up to which there is this chance, in whole numbers."""
    so_far, whole = 0, ways**rounds
    for count in range(rounds + 1):
        so_far += comb(rounds, count) * wins**count * (ways - wins) ** (rounds - count)
        if so_far * share.denominator >= share.numerator * whole:
            return count
    raise AssertionError


@pytest.mark.parametrize("rounds", [100, 400])
def test_wagers_with_two_results_follow_the_binomial_law(rounds: int) -> None:
    for on in (TIE, WagerKind("dragon7")):
        price = odds(rulebook("ma-midi-4-ez"))[on]
        (low_gain, lost), (high_gain, kept) = ((won, ways) for won, ways in price.wins)
        for percent, tail in zip(PERCENTS, TAILS, strict=True):
            band = price.band(rounds=rounds, percent=percent)
            for end, share in ((band.low, tail), (band.high, 1 - tail)):
                count = binomial_end(rounds, kept, lost + kept, share)
                assert end * rounds == low_gain * (rounds - count) + high_gain * count


def test_taking_a_rare_gain_by_itself_changes_nothing() -> None:
    """Both ways to the distribution function of Royal 9 give the same to the last cent."""
    for meters in (None, ODD_METERS):
        price = royal9(rulebook(ROYAL9), meters=meters).chairs[1]
        kind = RoundBlock(Lattice.from_gains(wins_of(price)).rows, 300)
        alone = many_rounds._separate_rows(kind)
        assert alone
        tabled, other = TabledDistribution(kind, alone, 36), TabledDistribution(kind, kind.rows[:-2], 36)
        assert len(alone) < len(kind.rows) - 2
        for total in (*range(299_900_000, 300_010_000, 4_999), 299_000_123):
            one, two = Fraction(tabled.chance(total), 1 << tabled.bits), Fraction(other.chance(total), 1 << other.bits)
            assert abs(one - two) < Fraction(1, 1 << 33)


# --------------------------------------------------------------------------------------------- against simulation


def simulated(wins: dict[int, int], rounds: int, times: int, seed: str) -> list[int]:
    chance = random.Random(seed)
    sums, ways = list(wins), list(wins.values())
    return [sum(chance.choices(sums, ways, k=rounds)) for _ in range(times)]


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [60, 1_000])
def test_a_seeded_simulation_of_every_wager_lies_in_its_bands_as_often_as_it_should(rounds: int) -> None:
    times = 800
    for name, price in all_prices():
        wins = {int(won * 100): ways for won, ways in price.wins}
        assert all((won * 100).denominator == 1 for won, _ in price.wins)
        found = simulated(wins, rounds, times, f"{name} {price.name} {rounds}")
        for percent, tail in zip(PERCENTS, TAILS, strict=True):
            band = price.band(rounds=rounds, percent=percent)
            low, high = band.low * rounds * 100, band.high * rounds * 100
            below, above = sum(won < low for won in found), sum(won > high for won in found)
            at_low, at_high = sum(won <= low for won in found), sum(won >= high for won in found)
            # no more than the tail lies outside, no less outside or on the end; five deviations of the count
            room = 5 * (float(tail) * times) ** 0.5
            assert below <= float(tail) * times + room, (name, price.name, percent)
            assert above <= float(tail) * times + room, (name, price.name, percent)
            assert at_low >= float(tail) * times - room, (name, price.name, percent)
            assert at_high >= float(tail) * times - room, (name, price.name, percent)


# ---------------------------------------------------------------------------------------------------- what they say


def test_the_band_of_a_progressive_ends_where_it_truly_does() -> None:
    """A normal band of 99 % at 1,000 rounds ended at 104.4 % of what is staked."""
    price = odds(rulebook(ROYAL9))[WagerKind.ROYAL9]
    band = price.band(rounds=1_000, percent=99)
    assert (band.low, band.high) == (Fraction(-18_015, 100_000), Fraction(655, 1_000))
    assert price.stake is not None
    assert (band.high * 1_000 * price.stake).denominator == 1, "whole cents"


def test_bands_are_ordered_nested_and_close_in_on_the_edge() -> None:
    for price in (odds(rulebook("ma-midi-4"))[BANKER], odds(rulebook(ROYAL9))[WagerKind.ROYAL9]):
        bands = price.bands
        assert [(each.rounds, each.percent) for each in bands] == [(n, p) for n in ROUNDS for p in PERCENTS]
        for narrow, wide in pairwise(bands):
            if narrow.rounds == wide.rounds:
                assert wide.low < narrow.low < narrow.high < wide.high
        last = bands[-1]
        assert last.low < price.edge < last.high
        assert last.high - last.low < Fraction(2, 100)


def test_large_numbers_come_near_the_normal_law() -> None:
    price = odds(rulebook("ma-midi-4"))[PLAYER]
    band = price.band(rounds=10**7, percent=95)
    half = float(price.deviation) * 1.959963984540054 / 10**3.5
    assert float(band.low) == pytest.approx(float(price.edge) - half, abs=2e-7)
    assert float(band.high) == pytest.approx(float(price.edge) + half, abs=2e-7)


def test_a_wager_that_always_ends_alike_has_a_band_of_one_point() -> None:
    assert middle({Fraction(1): 7}, 1_000, TAILS) == [(Fraction(1_000), Fraction(1_000))] * 3
    assert middle({Fraction(1): 7, Fraction(5): 0}, 3, TAILS) == [(Fraction(3), Fraction(3))] * 3


def test_an_end_that_is_hit_exactly_is_told_in_whole_numbers() -> None:
    """A chance of exactly 5 % up to a sum leaves that sum below the band of 90 %, and 95 % keeps it the upper end."""
    assert middle({Fraction(0): 1, Fraction(1): 19}, 1, TAILS)[0] == (Fraction(1), Fraction(1))
    assert middle({Fraction(0): 19, Fraction(1): 1}, 1, TAILS)[0] == (Fraction(0), Fraction(0))
    assert middle({Fraction(0): 18, Fraction(1): 2}, 1, TAILS)[0] == (Fraction(0), Fraction(1))


# --------------------------------------------------------------------------------------------- the bound is a bound


def test_the_error_of_the_distribution_function_is_within_its_bound() -> None:
    rows = Lattice.from_gains(wins_of(odds(rulebook("ma-midi-4"))[BANKER])).rows
    rough, fine = Wave([RoundBlock(rows, 700)], goal=20), Wave([RoundBlock(rows, 700)], goal=90)
    for total in range(rough.window.low - 50, rough.window.high + 50, 37):
        one, two = (
            Fraction(rough.chance_up_to(total), 1 << rough.bits),
            Fraction(fine.chance_up_to(total), 1 << fine.bits),
        )
        assert abs(one - two) <= Fraction(1, 1 << 20)
    assert len(rough.waves) < len(fine.waves)
    assert rough.width < fine.width


def test_terms_that_are_left_out_are_as_small_as_promised() -> None:
    rows = Lattice.from_gains(wins_of(odds(rulebook("ma-midi-4"))[BANKER].at(10_300))).rows
    kind, width, bits = RoundBlock(rows, 2_000), 40_001, 80
    runs = terms([kind], width, 30)
    kept = {term for start, length in runs for term in range(start, start + length)}
    for term in range(1, width // 2, 11):
        if term not in kept:
            real = sum(ways * root(term * step, width, bits)[0] for step, ways in rows) / kind.ways / 2**bits
            imaginary = sum(ways * root(term * step, width, bits)[1] for step, ways in rows) / kind.ways / 2**bits
            assert (real**2 + imaginary**2) ** (kind.number / 2) < 2**-30
    with pytest.raises(TooMany, match="lie too densely to be told apart: more than 5 terms"):
        terms([kind], width, 30, 5)


def test_the_window_holds_all_but_the_promised_part() -> None:
    rows = ((0, 9), (1, 1))
    bounds = window([[RoundBlock(rows, 600)]], 20)
    outside = sum(comb(600, k) * 9 ** (600 - k) for k in range(601) if not bounds.low <= k <= bounds.high)
    assert Fraction(outside, 10**600) <= Fraction(2, 1 << 20)
    assert 15 < bounds.low < 60 < bounds.high < 110


def test_a_doubt_is_settled_with_more_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    wins = wins_of(odds(rulebook("ma-midi-4"))[BANKER])
    wanted = middle(wins, 5_000, TAILS)
    goals = []
    kept = many_rounds.QuantileSearch

    class Watched(kept):  # type: ignore[misc, valid-type]
        def __init__(self, kinds: list[RoundBlock], goal: int) -> None:
            goals.append(goal)
            super().__init__(kinds, goal)

    monkeypatch.setattr(many_rounds, "QuantileSearch", Watched)
    monkeypatch.setattr(many_rounds, "GOALS", (4, 60))
    assert middle(wins, 5_000, TAILS) == wanted
    assert goals == [4, 60]


def test_roots_of_unity_are_right_in_every_eighth() -> None:
    bits = 100
    for turn in range(-3, 48):
        a, b = root(turn, 40, bits)
        assert abs(a * a + b * b - (1 << 2 * bits)) < 1 << (bits + 4)
        c, d = root(1, 40, bits)
        e, f = root(turn + 1, 40, bits)
        assert abs(((a * c - b * d) >> bits) - e) < 8
        assert abs(((a * d + b * c) >> bits) - f) < 8


# ---------------------------------------------------------------------------------------------------- whole tables


def test_a_table_is_the_joint_distribution_of_its_wagers() -> None:
    rules = rulebook("nj-punto-banco-exempt")
    stakes = {1: {BANKER: 10_000, WagerKind.TOTAL6: 10_000}, 4: {PLAYER: 2_500, TIE: 2_500}, 6: {BANKER: 10_300}}
    wins = round_wins(rules, stakes)
    prices = odds(rules)
    deals = sum(wins.values())
    mean = Fraction(sum(won * ways for won, ways in wins.items()), deals)
    pair = together(rules, {BANKER: 1, WagerKind.TOTAL6: 1}).at(10_000)
    lone = {PLAYER: 2_500, TIE: 2_500, BANKER: 10_300}
    assert mean == pair.edge * 20_000 + sum(prices[on].at(stake).edge * stake for on, stake in lone.items())
    square = Fraction(sum(won * won * ways for won, ways in wins.items()), deals) - mean**2
    assert square != sum(prices[on].at(stake).variance * stake**2 for on, stake in lone.items()), "they vary together"


def test_the_band_of_a_table_with_rounds_of_several_kinds() -> None:
    rules = rulebook("ma-midi-4")
    small, large = round_wins(rules, {1: {PLAYER: 2_500}}), round_wins(rules, {1: {BANKER: 10_300}, 2: {TIE: 2_500}})
    kinds: list[tuple[Wins, int]] = [({Fraction(w): n for w, n in each.items()}, 2) for each in (small, large)]
    sums: Counter[int] = Counter()
    for one, two, three, four in product(small, small, large, large):
        sums[one + two + three + four] += small[one] * small[two] * large[three] * large[four]
    whole, tail = sum(sums.values()), Fraction(1, 40)
    low = max(end for end in sums if sum(n for s, n in sums.items() if s < end) <= tail * whole)
    high = min(end for end in sums if sum(n for s, n in sums.items() if s > end) <= tail * whole)
    assert win_band([(small, 2), (large, 2)], percent=95) == (low, high)
    assert middle_of(kinds, [tail]) == [(Fraction(low), Fraction(high))]
    many = win_band([(small, 400), (large, 300)], percent=95)
    mean = sum(
        count * Fraction(sum(won * ways for won, ways in each.items()), sum(each.values()))
        for each, count in ((small, 400), (large, 300))
    )
    assert many[0] < mean < many[1]
    assert isinstance(many_rounds._function([RoundBlock(((0, 1), (1, 1)), 99)] * 2, 30), DirectDistribution)


@pytest.mark.parametrize(
    ("stakes", "said"),
    [
        ({}, "no wager is given"),
        ({1: {}}, "no wager is given"),
        ({1: {WagerKind.ROYAL9: 500}}, "does not depend on a round's finish"),
        ({1: {PLAYER: 3}}, "minimum"),
    ],
)
def test_what_is_no_round_is_refused(stakes: dict[int, dict[WagerKind, int]], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        round_wins(rulebook(ROYAL9), stakes)


@pytest.mark.parametrize(("count", "percent"), [(0, 95), (5, 0), (5, 100), (True, 95)])
def test_what_is_no_band_is_refused(count: int, percent: int) -> None:
    with pytest.raises(ValueError, match="band"):
        win_band([({100: 1, -100: 1}, count)], percent=percent)
