"""Intervals: tables that everybody has, and how often they hold what they should."""

from __future__ import annotations

from itertools import pairwise
from math import comb

import numpy as np
import pytest

from baccarat.sim.interval import SERIES_FREEDOM, half_width, student, wilson
from baccarat.sim.study.moments import Moments, error_of, ratio_of


@pytest.mark.parametrize(
    ("freedom", "value"),
    [
        (1, 12.7062047364), (2, 4.3026527297), (3, 3.1824463053), (4, 2.7764451052), (5, 2.5705818356),
        (9, 2.2621571628), (10, 2.2281388520), (29, 2.0452296421), (30, 2.0422724563), (100, 1.9839715185),
        (1000, 1.9623390808),
    ],
)  # fmt: skip
def test_student_has_the_values_of_every_table(freedom: int, value: float) -> None:
    assert student(freedom) == pytest.approx(value, abs=2e-9)


def test_the_series_for_many_samples_begins_where_the_sums_end() -> None:
    steps = [student(freedom) - student(freedom + 1) for freedom in range(SERIES_FREEDOM - 6, SERIES_FREEDOM + 5)]
    assert all(one > other > 0 for one, other in pairwise(steps))
    assert student(10**9) == pytest.approx(1.959963984540054, abs=1e-8)


def test_one_sample_has_no_interval() -> None:
    with pytest.raises(ValueError, match="one sample says nothing"):
        half_width(1.0, 1)
    assert half_width(1.0) == pytest.approx(1.959963984540054)
    assert half_width(1.0, 2) == pytest.approx(12.7062047364)


def test_shares_have_wilsons_interval() -> None:
    """The example of Newcombe (1998): 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    for (times, of), (low, high) in {
        (81, 263): (0.2553, 0.3662), (15, 148): (0.0624, 0.1605), (0, 20): (0.0, 0.1611), (1, 29): (0.0061, 0.1718),
    }.items():  # fmt: skip
        assert wilson(times, of) == pytest.approx((low, high), abs=5e-5)
        assert wilson(of - times, of) == pytest.approx((1 - high, 1 - low), abs=5e-5)
    with pytest.raises(ValueError, match="0 of 0"):
        wilson(0, 0)


@pytest.mark.parametrize("chance", [0.03, 0.2, 0.5, 0.8])
def test_wilsons_interval_holds_the_chance_about_as_often_as_it_says(chance: float) -> None:
    of = 60
    held = sum(
        comb(of, times) * chance**times * (1 - chance) ** (of - times)
        for times in range(of + 1)
        if wilson(times, of)[0] <= chance <= wilson(times, of)[1]
    )
    assert 0.93 < held < 0.98


def test_an_error_is_not_known_of_one_sample_nor_of_samples_that_are_alike() -> None:
    assert error_of(np.array([7])) is None
    assert error_of(np.full(1000, 0.1)) is None, "but for rounding they are alike"
    assert error_of(np.array([1, 2])) == pytest.approx(0.5)
    assert Moments(2).errors() == [None, None]
    assert ratio_of(np.array([0, 0]), np.array([0, 0])) == (None, None)
    assert ratio_of(np.array([3]), np.array([2])) == (1.5, None)
    assert ratio_of(np.array([1, 2, 5]), np.array([2, 4, 10])) == (0.5, None), "in every sample"


def test_the_error_of_a_quotient_of_means_is_that_of_what_is_left_over() -> None:
    """Block by block as at once; and quotients of many samples scatter as it says."""
    chance = np.random.default_rng(1)
    whole = chance.poisson(5, (400, 500)) + 1.0
    part = whole * 0.3 + chance.normal(1, 1, whole.shape)
    ratio, error = ratio_of(part[0], whole[0])
    rest = part[0] - part[0].mean() / whole[0].mean() * whole[0]
    assert ratio == pytest.approx(part[0].mean() / whole[0].mean())
    assert error == pytest.approx(rest.std(ddof=1) / 500**0.5 / whole[0].mean())
    found = Moments(2, pairs=[(0, 1)])
    for start in (0, 30, 31, 400):
        end = {0: 30, 30: 31, 31: 400, 400: 500}[start]
        found.add(np.stack([part[0, start:end], whole[0, start:end]]))
    assert found.ratio(0, 1) == pytest.approx((ratio, error))
    scatter = (part.mean(axis=1) / whole.mean(axis=1)).std()
    assert np.mean([ratio_of(*both)[1] for both in zip(part, whole, strict=True)]) == pytest.approx(scatter, rel=0.12)
