"""The battery: its tails against tables, its moments against every order there is, its level, its judgement."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from math import comb, exp, isclose, sqrt

import pytest

from baccarat.audit.battery import battery, series
from baccarat.audit.battery.adjacency import Adjacency, chi_square_of, expected_pairs, moments, scales
from baccarat.audit.battery.arrangement import COUNTS, Arrangements, ShoeStatistic, cycles, inversions, rising_sequences
from baccarat.audit.battery.battery_run import feed_battery
from baccarat.audit.battery.frequency import Frequencies, two_way_chi_square
from baccarat.audit.battery.judge import TestResult as Result
from baccarat.audit.battery.judge import holm_corrected
from baccarat.audit.battery.outcome import Outcomes, Totals, solve
from baccarat.audit.battery.repeat import Repeats, match_moments
from baccarat.audit.battery.shoe import BadOrder, ShoeOrder, inverse, order_from_kinds, order_from_numbers
from baccarat.audit.battery.tail import (
    beta_tails,
    binomial_half,
    chi_square,
    fisher_f,
    gamma_tails,
    normal,
    poisson,
    poisson_at_least,
)
from baccarat.cards import decks
from baccarat.law.rulebook import rulebook
from baccarat.play.shoe import rounds
from bad_shuffles import fair, in_turn

pytestmark = pytest.mark.slow

RULES = rulebook("ma-midi-4")

# --- tails, against printed tables ------------------------------------------------------------------------


@pytest.mark.parametrize(("z", "p"), [(0, 1), (1, 0.317311), (1.959964, 0.05), (2.575829, 0.01), (3.290527, 0.001)])
def test_normal_tails_are_those_of_the_tables(z: float, p: float) -> None:
    assert normal(z) == pytest.approx(p, abs=5e-7)
    assert normal(-z) == normal(z)


@pytest.mark.parametrize(
    ("freedom", "value", "upper"),
    [
        (1, 3.841459, 0.05), (1, 6.634897, 0.01), (2, 5.991465, 0.05), (5, 11.070498, 0.05), (10, 23.209251, 0.01),
        (10, 2.558212, 0.99), (30, 50.892181, 0.01), (100, 135.806723, 0.01), (100, 70.064895, 0.99),
        (1000, 1106.968997, 0.01),
    ],
)  # fmt: skip
def test_chi_square_tails_are_those_of_the_tables(freedom: int, value: float, upper: float) -> None:
    assert gamma_tails(freedom / 2, value / 2)[1] == pytest.approx(upper, abs=2e-7)
    assert chi_square(value, freedom) == pytest.approx(2 * min(upper, 1 - upper), abs=4e-7)


def test_a_chi_square_of_very_many_degrees_is_nearly_normal_and_its_halves_meet() -> None:
    freedom = 172_225
    for z in (-4.0, -1.0, 0.0, 2.0, 4.0):  # Wilson and Hilferty's cube
        cube = freedom * (1 - 2 / (9 * freedom) + z * sqrt(2 / (9 * freedom))) ** 3
        assert chi_square(cube, freedom) == pytest.approx(normal(z), rel=2e-3)
    lower, upper = gamma_tails(freedom / 2, freedom / 2 + 0.9999)
    beyond = gamma_tails(freedom / 2, freedom / 2 + 1.0001)
    assert lower + upper == 1
    assert beyond[0] == pytest.approx(lower, abs=1e-5)


@pytest.mark.parametrize("mean", [0.3, 4.0, 40.0])
def test_poisson_tails_are_the_sums_of_their_terms(mean: float) -> None:
    terms, term = [], exp(-mean)
    for k in range(200):
        terms.append(term)
        term *= mean / (k + 1)
    for count in (0, 1, 3, 10, 60):
        at_least, at_most = sum(terms[count:]), sum(terms[: count + 1])
        assert poisson_at_least(count, mean) == pytest.approx(at_least, rel=1e-9, abs=1e-15)
        assert poisson(count, mean) == pytest.approx(min(1, 2 * min(at_least, at_most)), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("trials", [1, 2, 9, 100])
def test_binomial_tails_are_the_sums_of_their_terms(trials: int) -> None:
    terms = [comb(trials, k) / 2**trials for k in range(trials + 1)]
    for count in {0, 1, trials // 2, trials - 1, trials}:
        expected = min(1.0, 2 * min(sum(terms[: count + 1]), sum(terms[count:])))
        assert binomial_half(count, trials) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("above", "below", "value", "p"),
    [(1, 10, 4.9646, 0.05), (3, 20, 3.0984, 0.05), (5, 10, 5.6363, 0.01), (8, 120, 2.6629, 0.01), (2, 2, 19.0, 0.05)],
)
def test_f_tails_are_those_of_the_tables(above: int, below: int, value: float, p: float) -> None:
    assert fisher_f(value, above, below) == pytest.approx(p, abs=2e-6)


def test_tails_at_their_ends() -> None:
    assert gamma_tails(3, 0) == (0, 1)
    assert beta_tails(2, 3, 0) == (0, 1)
    assert beta_tails(2, 3, 1) == (1, 0)
    assert chi_square(1e6, 10) == 0
    assert fisher_f(0, 3, 30) == 1


# --- moments, against every order of a few cards ----------------------------------------------------------


def moments_over_all(size: int, count: Callable[[tuple[int, ...]], int]) -> tuple[Fraction, Fraction]:
    """Mean and variance of a count over all orders of so many cards."""
    found = [count(order) for order in permutations(range(size))]
    mean = Fraction(sum(found), len(found))
    return mean, Fraction(sum(each * each for each in found), len(found)) - mean**2


@pytest.mark.parametrize("size", [4, 6, 7])
@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.name)
def test_mean_and_variance_are_those_over_all_orders(count: ShoeStatistic, size: int) -> None:
    assert moments_over_all(size, count.of) == count.moments(size)


def test_counts_of_an_order_worked_by_hand() -> None:
    order = (2, 0, 3, 1, 4)
    assert rising_sequences(order) == 2  # 0 1 and 2 3 4
    assert inversions(order) == 3  # 2 before 0, 2 before 1, 3 before 1
    assert cycles(order) == 2  # 0 2 3 1 and 4
    assert inverse(order) == [1, 3, 0, 2, 4]


def arrangements_of(kinds: int, each: int) -> list[bytes]:
    """Every order of so many kinds of card, each equally likely."""
    return sorted({bytes(order) for order in permutations([kind for kind in range(kinds) for _ in range(each)])})


def test_moments_of_neighbouring_pairs_are_those_over_all_orders() -> None:
    chance = random.Random(5)
    for kinds, each in ((3, 2), (4, 1), (2, 3), (5, 1)):
        weights = [[chance.randrange(-3, 4) for _ in range(kinds)] for _ in range(kinds)]
        orders = arrangements_of(kinds, each)
        sums = [sum(weights[a][b] for a, b in zip(o, o[1:] + o[:1], strict=True)) for o in orders]
        mean = Fraction(sum(sums), len(sums))
        variance = Fraction(sum(each * each for each in sums), len(sums)) - mean**2
        assert moments(weights, each=each) == (mean, variance)


@pytest.mark.parametrize(("kinds", "each"), [(4, 2), (4, 1), (5, 1), (6, 1)])
def test_the_adjacency_of_single_shoes_is_what_is_expected_in_the_mean_over_all_orders(kinds: int, each: int) -> None:
    """Each of the four parts is divided by its own variance, so the mean is exactly the degrees of freedom."""
    values = []
    for order in arrangements_of(kinds, each):
        test = Adjacency(kinds * each, kinds=kinds)
        test.add(ShoeOrder(order))
        value, freedom = chi_square_of(test.table, each=each, shoes=1)
        values.append(value)
    assert sum(values) / len(values) == pytest.approx(freedom, rel=1e-9)
    assert freedom == (kinds - 1) ** 2 - (kinds if each == 1 else 0)


def test_a_cut_does_not_change_the_adjacency() -> None:
    order = fair(random.Random(3), 416)
    tables = []
    for shoe in (order, order[100:] + order[:100]):
        test = Adjacency(416)
        test.add(order_from_numbers(shoe))
        tables.append(test.table)
    assert tables[0] == tables[1]


def test_scales_of_eight_decks_stay_near_what_independent_pairs_would_have() -> None:
    same, other = expected_pairs(52, 8)
    for scale, near in zip(scales(52, 8), (same, same, other, other), strict=True):
        assert abs(float(scale / near) - 1) < 0.2


def test_position_by_card_of_two_shoes_has_exactly_the_moments_of_a_chi_square() -> None:
    orders = arrangements_of(3, 2)
    values = []
    for one in orders:
        for other in orders:
            test = Frequencies(6, numbered=False, kinds=3)
            test.add(ShoeOrder(one))
            test.add(ShoeOrder(other))
            value, freedom = two_way_chi_square(test.by_kind(), [1] * 6, [2] * 3, shoes=2)
            values.append(value)
    mean = sum(values) / len(values)
    assert mean == pytest.approx(freedom) == 10
    assert sum((value - mean) ** 2 for value in values) / len(values) == pytest.approx(2 * freedom)


def test_counts_by_kind_and_by_region_hold_every_card_once() -> None:
    shoes = list(in_turn(fair(random.Random(seed), 416) for seed in range(3)))
    by_number, by_card = Frequencies(416, numbered=True), Frequencies(416, numbered=False)
    for shoe in shoes:
        by_number.add(shoe)
        by_card.add(shoe)
    assert by_number.by_kind() == by_card.by_kind()
    regions = by_number.by_region()
    assert [len(regions), *map(len, regions)] == [13] * 14
    assert all(sum(row) == 3 * 32 for row in (*regions, *zip(*regions, strict=True)))
    assert regions[0][12] == sum(number >= 384 for shoe in shoes for number in shoe.numbers[:32])  # type: ignore[index]
    assert all(sum(column) == 3 * 8 for column in zip(*by_card.by_region(), strict=True))


def test_cards_in_the_same_place_as_before_have_the_moments_over_all_orders() -> None:
    for kinds, each in ((3, 2), (2, 3), (4, 1)):
        orders = arrangements_of(kinds, each)
        matches = [sum(a == b for a, b in zip(orders[0], order, strict=True)) for order in orders]
        mean = Fraction(sum(matches), len(matches))
        variance = Fraction(sum(each * each for each in matches), len(matches)) - mean**2
        assert match_moments(kinds, each) == (mean, variance)


# --- outcomes ---------------------------------------------------------------------------------------------


def test_outcomes_are_expected_as_the_rulebook_prices_them() -> None:
    """The figures of eight decks, as published: Player 44.6247 %, Banker 45.8597 %, Tie 9.5156 %."""
    shown = Outcomes(RULES, 416).frequencies()
    chances = {name: chance for name, (_, chance) in shown.items()}
    assert chances["player"] == pytest.approx(0.446247, abs=5e-7)
    assert chances["banker"] == pytest.approx(0.458597, abs=5e-7)
    assert chances["tie"] == pytest.approx(0.095156, abs=5e-7)
    assert chances["4 cards"] + chances["5 cards"] + chances["6 cards"] == pytest.approx(1)
    assert chances["Player's pair"] == chances["Banker's pair"] == pytest.approx(31 / 415)
    assert chances["both pairs"] == pytest.approx(0.005581, abs=5e-7)


def test_rounds_are_dealt_from_the_top_as_a_table_deals_them() -> None:
    numbers = fair(random.Random(8), 416)
    test = Outcomes(RULES, 416)
    test.add(order_from_numbers(numbers))
    cards = tuple(decks(8)[number] for number in numbers)
    coups = [dealt.coup for _, dealt in zip(range(test.rounds), rounds(RULES, cards, position=0), strict=False)]
    assert len(coups) == test.rounds == 69
    for winner in ("player", "banker", "tie"):
        assert test.frequencies()[winner][0] == sum(coup.outcome == winner for coup in coups)
    for pair, openings in (("Player's pair", (2, 3)), ("Banker's pair", (1, 3)), ("both pairs", (3,))):
        assert test.frequencies()[pair][0] == sum(coup.opening_index in openings for coup in coups)


def test_hotellings_statistic_of_two_classes_is_students_t_squared() -> None:
    totals, found = Totals([5.0, 5.0], free=1), [4, 7, 6, 5, 8, 3, 6, 7]
    for count in found:
        totals.add([count, 10 - count])
    mean = sum(found) / len(found)
    variance = sum((count - mean) ** 2 for count in found) / (len(found) - 1)
    told = totals.p()
    assert told is not None
    assert told[0] == pytest.approx((mean - 5) ** 2 / (variance / len(found)))


def test_equations_without_exactly_one_solution_have_none() -> None:
    assert solve([[2.0, 1.0], [4.0, 2.0]], [1.0, 2.0]) is None
    solved = solve([[0.0, 2.0], [4.0, 1.0]], [2.0, 5.0])
    assert solved is not None
    assert all(isclose(one, other) for one, other in zip(solved, [1.0, 1.0], strict=True))


# --- judging ----------------------------------------------------------------------------------------------


def results(*ps: float | None) -> tuple[Result, ...]:
    return holm_corrected([Result(name=str(index), what="", p=p) for index, p in enumerate(ps)])


def test_holms_correction_multiplies_the_smallest_by_the_number_of_tests_and_never_falls() -> None:
    found = results(0.02, None, 0.001, 0.3, 0.011)
    assert [result.adjusted for result in found] == pytest.approx([0.04, None, 0.004, 0.3, 0.033], abs=1e-12)
    assert [result.rejected for result in found] == [False, False, True, False, False]
    assert [result.adjusted for result in results(0.3, 0.4, 0.9)] == pytest.approx([0.9, 0.9, 0.9])


def test_one_test_alone_is_judged_at_one_per_cent() -> None:
    assert results(0.0099)[0].rejected
    assert not results(0.0101)[0].rejected


# --- the battery ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_our_shuffle_passes() -> None:
    report = battery(RULES, series(RULES, bytes(32), 1000))
    assert not report.rejected, [result for result in report.results if result.rejected]
    assert (report.shoes, report.cards) == (1000, 416)
    assert all(result.p is not None for result in report.results), "every test is made"
    assert len({result.name for result in report.results}) == len(report.results) == 17


def test_orders_known_by_card_only_leave_out_what_needs_numbers() -> None:
    last: ShoeOrder | None = None
    shoes = []
    for shoe in series(RULES, bytes(32), 200):
        last = order_from_kinds(shoe.kinds, last=last)
        shoes.append(last)
    report = battery(RULES, shoes)
    left_out = {result.name for result in report.results if result.left_out}
    assert left_out == {count.name for count in COUNTS} | {"even or odd"}
    assert not report.rejected


def test_few_shoes_leave_only_the_exact_tests() -> None:
    report = battery(RULES, series(RULES, bytes(32), 20))
    made = {result.name for result in report.results if result.p is not None}
    assert made == {
        "fixed points", "neighbours", "neighbours since last", "even or odd", "repeated orders", "repeated runs",
    }  # fmt: skip
    single = battery(RULES, series(RULES, bytes(32), 1))
    assert not single.rejected


def test_shoes_of_other_sizes_or_other_knowledge_do_not_go_together() -> None:
    eight, one = fair(random.Random(1), 416), fair(random.Random(1), 52)
    with pytest.raises(BadOrder, match="52 cards, but the shoes before have 416"):
        feed_battery(RULES, [order_from_numbers(eight), order_from_numbers(one)])
    with pytest.raises(BadOrder, match="cannot be mixed"):
        feed_battery(RULES, [order_from_numbers(eight), order_from_kinds(order_from_numbers(eight).kinds)])
    with pytest.raises(BadOrder, match="no order"):
        feed_battery(RULES, [])


@pytest.mark.parametrize(
    ("kinds", "says"),
    [
        (b"", "0 cards are not whole decks"),
        (bytes(range(51)), "51 cards are not whole decks"),
        (bytes([*range(51), 0]), "As occurs 2 times, not 1"),
    ],
)
def test_cards_that_are_not_those_of_whole_decks_are_refused(kinds: bytes, says: str) -> None:
    with pytest.raises(BadOrder, match=says):
        order_from_kinds(kinds)


@pytest.mark.parametrize("numbers", [[1, 2, 3], [0, 0, 1], [0, 2]])
def test_numbers_that_are_no_order_are_refused(numbers: Sequence[int]) -> None:
    with pytest.raises(BadOrder, match="not an order of the numbers"):
        order_from_numbers(numbers)


@pytest.mark.slow
def test_every_test_is_as_strict_as_it_says() -> None:
    """Of 300 batteries over fair shoes of one deck, each test finds a tenth below 0.1 and half below 0.5.

    Counts of rare things are whole numbers, so their p-values are too high rather than too low.
    """
    batteries, shoes = 300, 110
    rng = random.Random("a fair shuffle")
    found: dict[str, list[float]] = {}
    rejected = 0
    for _ in range(batteries):
        report = battery(RULES, in_turn(fair(rng, 52) for _ in range(shoes)))
        rejected += report.rejected
        for result in report.results:
            assert result.p is not None, result
            found.setdefault(result.name, []).append(result.p)
    assert rejected <= 9  # three expected at most; more than nine come once in a thousand
    coarse = {count.name for count in COUNTS if count.rare} | {"even or odd", "repeated orders", "repeated runs"}
    for name, ps in found.items():
        for below in (0.1, 0.5):
            expected, deviation = batteries * below, sqrt(batteries * below * (1 - below))
            share = sum(p < below for p in ps)
            assert share <= expected + 4 * deviation, (name, below, share)
            assert share >= expected - 4 * deviation or name in coarse, (name, below, share)


def test_parity_is_that_of_the_exchanges() -> None:
    test = Arrangements(5, numbered=True)
    for numbers in ([0, 1, 2, 3, 4], [1, 0, 2, 3, 4], [1, 2, 0, 3, 4], [1, 0, 3, 2, 4]):
        test.add(order_from_numbers(numbers, kinds=5))
    assert test.even == 3


def test_repeats_name_the_shoes() -> None:
    test = Repeats(416)
    orders = [fair(random.Random(seed), 416) for seed in (1, 2, 3, 2)]
    for order in orders:
        test.add(order_from_numbers(order))
    whole, runs, _ = test.results()
    assert (whole.found, whole.p) == (1, 0)
    assert "shoe 4 has the order of shoe 2" in whole.what
    assert (runs.found or 0) > 20


def test_runs_are_let_go_evenly_when_there_are_too_many_and_repeats_are_still_found() -> None:
    rng = random.Random("runs")
    test = Repeats(416, most=500)
    orders = [fair(rng, 416) for _ in range(100)]
    for order in orders:
        test.add(order_from_numbers(order))
        assert len(test._runs) <= 500
    assert test.sample >= 64
    assert test.runs == 0
    for order in orders:
        test.add(order_from_numbers(order[7:] + order[:7]))  # cut, so that no whole order comes again
    _, runs, _ = test.results()
    assert (runs.found or 0) > 100
    assert runs.p is not None
    assert runs.p < 1e-300
