"""Money: whole cents, odds in lowest terms, and roundings exactly at a coin, a cent and nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.money import Cents, Ratio, dollars, next_multiple, percentage, written_cents


@pytest.mark.parametrize(
    ("cents", "written"),
    [
        (0, "$0.00"), (1, "$0.01"), (99, "$0.99"), (100, "$1.00"), (-1, "-$0.01"), (-100, "-$1.00"),
        (123_450, "$1,234.50"), (-123_456_789, "-$1,234,567.89"),
    ],
)  # fmt: skip
def test_a_sum_prints_in_dollars_and_reads_back(cents: int, written: str) -> None:
    assert str(Cents(cents)) == f"{Cents(cents)}" == written
    assert dollars(written) == written_cents(written) == cents
    assert f"{Cents(cents):>20}" == written.rjust(20)


@pytest.mark.parametrize("wrong", [1.0, True, "1", None])
def test_what_is_not_whole_cents_is_no_money(wrong: object) -> None:
    with pytest.raises(TypeError, match="money is whole cents"):
        Cents(wrong)  # type: ignore[arg-type]


def test_sums_stay_sums() -> None:
    found = (Cents(5) + 2, 2 + Cents(5), Cents(5) - 2, -Cents(5), Cents(Cents(5)))
    assert [(type(each), int(each)) for each in found] == [(Cents, 7), (Cents, 7), (Cents, 3), (Cents, -5), (Cents, 5)]


@pytest.mark.parametrize("text", ["", "$", "1,23", "01", "1.5", "1.234", "1 2", "$-5", "1,234567", "٥"])
def test_a_text_that_names_no_sum_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a sum of money"):
        dollars(text)


@pytest.mark.parametrize("text", ["25", "-25", "25.00", " 25 "])
def test_in_data_a_sum_as_text_needs_its_sign(text: str) -> None:
    with pytest.raises(ValueError, match="write it with a dollar sign"):
        written_cents(text)
    assert written_cents(f" ${text.strip().lstrip('-')} ") == 2_500
    assert written_cents("-$25") == -2_500


# ------------------------------------------------------------------------------------------------- odds


@pytest.mark.parametrize(("to", "one"), [(-1, 1), (1, 0), (0, 0), (-1, 0), (3, -1)])
def test_odds_are_not_negative_and_not_against_nothing(to: int, one: int) -> None:
    for make in (Ratio, Ratio.of):
        with pytest.raises(ValueError, match="both numbers are positive"):
            make(to, one)


@pytest.mark.parametrize(("to", "one"), [(2, 2), (4, 2), (0, 2), (6, 3)])
def test_odds_stand_in_lowest_terms(to: int, one: int) -> None:
    with pytest.raises(ValueError, match="lowest terms"):
        Ratio(to, one)
    made = Ratio.of(to, one)
    assert made.to * one == to * made.one
    assert (made.to, made.one) in [(1, 1), (2, 1), (0, 1)]


def test_nothing_to_one_is_odds_too() -> None:
    assert Ratio(0, 1) == Ratio.of(0, 5) == Ratio.parse("0 to 7")
    assert Ratio(0, 1).payout(500) == 0


@pytest.mark.parametrize("text", ["8 to 0", "8:00", "8", "to 1", "-8 to 1", "8 to 1 x", "8.5:1", "1" * 16 + ":1"])
def test_a_text_that_names_no_odds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not odds"):
        Ratio.parse(text)


def test_odds_are_compared_by_what_they_pay() -> None:
    three_to_two = Ratio(3, 2)
    assert three_to_two.at_least(Ratio(3, 2))
    assert three_to_two.at_least(Ratio(1))
    assert not three_to_two.at_least(Ratio(2))
    assert not three_to_two.at_least(Ratio(8, 5))
    assert Ratio(8, 5).at_least(three_to_two)


@given(st.integers(0, 10**12), st.integers(0, 50), st.integers(1, 50))
def test_a_payout_is_raised_to_the_cent_and_a_part_is_dropped_to_it(stake: int, to: int, one: int) -> None:
    odds = Ratio.of(to, one)
    assert 0 <= odds.payout(stake) * one - stake * to < one
    assert 0 <= stake * to - odds.part(stake) * one < one


# -------------------------------------------------------------------------------------------- percentages


def test_a_percentage_drops_what_is_below_a_cent() -> None:
    assert [percentage(amount, 5) for amount in (0, 1, 19, 20, 39, 40, 10_000)] == [0, 0, 0, 1, 1, 2, 500]


@pytest.mark.parametrize(("amount", "coins"), [(0, 0), (1, 1), (499, 1), (500, 1), (501, 2), (1_000, 2), (1_001, 3)])
def test_vigorish_is_raised_to_the_next_coin_and_one_at_the_least(amount: int, coins: int) -> None:
    """Five per cent of five dollars is one quarter exactly."""
    assert next_multiple(amount, 5, 25) == 25 * coins
    assert next_multiple(-amount, 5, 25) == 0, "nothing is due on what was not won"
