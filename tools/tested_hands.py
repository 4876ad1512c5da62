"""Shuffles by hand judged by the battery of the production shuffle; for docs/studies.md."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from baccarat.audit.battery import battery
from baccarat.audit.battery.shoe import ShoeOrder, order_from_numbers
from baccarat.law.rulebook import Rulebook
from baccarat.sim.study.hands import Model, hand_orders


class HandsTested(msgspec.Struct, frozen=True):
    """The verdict of the battery on one procedure."""

    steps: tuple[str, ...]
    seed: int
    shoes: int
    rejected_by: tuple[str, ...]
    """The tests that reject it; none if it passes."""


def study_tested(rules: Rulebook, steps: tuple[str, ...], *, seed: int, shoes: int) -> HandsTested:
    """Shuffle shoes one after another and test their orders."""

    def orders() -> Iterator[ShoeOrder]:
        last: ShoeOrder | None = None
        for order in hand_orders(rules, seed=seed, shoes=shoes, steps=steps, model=Model()):
            last = order_from_numbers(order, last=last)
            yield last

    report = battery(rules, orders())
    return HandsTested(steps, seed, shoes, tuple(each.name for each in report.results if each.rejected))
