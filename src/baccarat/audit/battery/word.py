"""The battery in words: figures, p-values, the verdict, and what it can and cannot detect."""

from __future__ import annotations

from baccarat.audit.battery.judge import BatteryReport, TestResult

VERDICTS = {True: "rejected: these orders do not come from a fair shuffle", False: "not rejected"}
SEES = (
    "It detects shuffles that favour some cards at some positions, leave cards together, continue from the last shoe, "
    "exchange every card with any (n^n), sort by short random keys, riffle too few times, or deal the same shoe again "
    "because the generator has few states or is seeded from a clock.",
    "It cannot detect what is too small for the number of shoes: a 16-bit word taken modulo the bound hides in 10,000 "
    "shoes. It cannot detect a predictable generator, or a shoe that was chosen among many, if the orders "
    "look fair. The first is excluded by a proof over all words of the sampler, the others by commitment, "
    "contributions and reveal.",
    "A battery that rejects nothing does not prove a fair shuffle, and one run in a hundred may reject a fair one.",
)


def number(value: float | None) -> str:
    """A figure, rounded for a reader."""
    if value is None:
        return ""
    if value and abs(value) < 0.01:
        return f"{value:.1e}"
    return f"{value:,.0f}" if value == round(value) else f"{value:,.2f}"


def probability(p: float | None) -> str:
    """A p-value."""
    if p is None:
        return ""
    return "<1e-300" if p < 1e-300 else f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"


def verdict(result: TestResult) -> str:
    """The verdict of one test."""
    if result.p is None:
        return f"left out: {result.left_out}"
    return "REJECTED" if result.rejected else "passed"


def summary(report: BatteryReport) -> str:
    """The verdict of all tests, in a sentence."""
    made = [result for result in report.results if result.p is not None]
    against = [result.name for result in made if result.rejected]
    together = f"{len(made)} tests, collectively at {1 - report.level:.0%} (Holm's correction)"
    if against:
        return f"Rejected by {', '.join(against)}; {together}."
    return f"Nothing speaks against a fair shuffle; {together}."
