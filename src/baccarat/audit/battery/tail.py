"""Tails of distributions, in plain Python: normal, chi-square, Poisson, binomial and F.

Each p-value here is two-sided, twice the smaller tail: a shuffle that is too even is as suspicious as one that
is too uneven. The incomplete gamma and beta functions are computed by their series and continued fractions.
"""

from __future__ import annotations

from math import erfc, exp, lgamma, log, log1p, sqrt

SMALL = 1e-300
"""Replaces zero where a continued fraction would divide by it."""
CLOSE = 1e-15
STEPS = 100_000
"""More steps than any argument in use needs; needing more is a bug."""


def two_sided(lower: float, upper: float) -> float:
    """The p-value of a finding with these tails, each of which counts the finding itself."""
    return min(1.0, 2 * min(lower, upper))


def normal(z: float) -> float:
    """How likely a standard normal value is as far from zero as `z`, on either side."""
    return erfc(abs(z) / sqrt(2))


def chi_square(value: float, freedom: float) -> float:
    """How likely a chi-square value is as far out as this one, on either side."""
    return two_sided(*gamma_tails(freedom / 2, value / 2))


def poisson(count: int, mean: float) -> float:
    """How likely a Poisson count is as far out as this one, on either side."""
    return two_sided(gamma_tails(count + 1, mean)[1], poisson_at_least(count, mean))


def poisson_at_least(count: int, mean: float) -> float:
    """How likely a Poisson count is at least this one."""
    return 1.0 if count == 0 else gamma_tails(count, mean)[0]


def binomial_half(count: int, trials: int) -> float:
    """How likely a number of heads of a fair coin is as far from half of the trials, on either side."""
    at_most = 1.0 if count == trials else beta_tails(trials - count, count + 1, 0.5)[0]
    at_least = 1.0 if count == 0 else beta_tails(count, trials - count + 1, 0.5)[0]
    return two_sided(at_most, at_least)


def fisher_f(value: float, above: int, below: int) -> float:
    """How likely an F value is at least this one, with these degrees of freedom above and below the line."""
    return beta_tails(above / 2, below / 2, above * value / (above * value + below))[1]


def gamma_tails(shape: float, x: float) -> tuple[float, float]:
    """The regularized incomplete gamma function, lower and upper."""
    assert shape > 0
    if x <= 0:
        return 0.0, 1.0
    front = exp(shape * log(x) - x - lgamma(shape))
    if x < shape + 1:
        lower = min(1.0, front * _gamma_series(shape, x))
        return lower, 1.0 - lower
    upper = min(1.0, front * _gamma_fraction(shape, x))
    return 1.0 - upper, upper


def _gamma_series(shape: float, x: float) -> float:
    term = total = 1 / shape
    for step in range(1, STEPS):
        term *= x / (shape + step)
        total += term
        if term < total * CLOSE:
            return total
    raise AssertionError("the series did not converge")


def _gamma_fraction(shape: float, x: float) -> float:
    b = x + 1 - shape
    c, d = 1 / SMALL, 1 / b
    h = d
    for step in range(1, STEPS):
        a = -step * (step - shape)
        b += 2
        d = 1 / (a * d + b or SMALL)
        c = b + a / c or SMALL
        h *= d * c
        if abs(d * c - 1) < CLOSE:
            return h
    raise AssertionError("the fraction did not converge")


def beta_tails(a: float, b: float, x: float) -> tuple[float, float]:
    """The regularized incomplete beta function, lower and upper."""
    assert a > 0
    assert b > 0
    if x <= 0:
        return 0.0, 1.0
    if x >= 1:
        return 1.0, 0.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        lower = min(1.0, front * _beta_fraction(a, b, x) / a)
        return lower, 1.0 - lower
    upper = min(1.0, front * _beta_fraction(b, a, 1 - x) / b)
    return 1.0 - upper, upper


def _beta_fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or SMALL)
    h = d
    for m in range(1, STEPS):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + numerator * d or SMALL)
            c = 1 + numerator / c or SMALL
            h *= d * c
        if abs(d * c - 1) < CLOSE:
            return h
    raise AssertionError("the fraction did not converge")
