"""The battery run over shoes, one at a time; only the digests that find repeats take memory for each of them."""

from __future__ import annotations

from collections.abc import Iterable

from baccarat.audit.battery.adjacency import Adjacency
from baccarat.audit.battery.arrangement import Arrangements
from baccarat.audit.battery.frequency import Frequencies
from baccarat.audit.battery.judge import LEVEL, BatteryReport, holm_corrected
from baccarat.audit.battery.outcome import Outcomes
from baccarat.audit.battery.repeat import Repeats
from baccarat.audit.battery.shoe import BadOrder, ShoeOrder
from baccarat.law.rulebook import Rulebook


class Battery:
    """Every test, fed shoe by shoe."""

    def __init__(self, rules: Rulebook, first: ShoeOrder) -> None:
        self.size, self.numbered = len(first.kinds), first.numbers is not None
        self.shoes = 0
        self.frequencies = Frequencies(self.size, numbered=self.numbered)
        self.adjacency = Adjacency(self.size)
        self.arrangements = Arrangements(self.size, numbered=self.numbered)
        self.repeats = Repeats(self.size)
        self.outcomes = Outcomes(rules, self.size)
        self._tests = (self.frequencies, self.adjacency, self.arrangements, self.repeats, self.outcomes)

    def add(self, shoe: ShoeOrder) -> None:
        """Add one shoe."""
        if len(shoe.kinds) != self.size:
            raise BadOrder(f"{len(shoe.kinds)} cards, but the shoes before have {self.size}")
        if (shoe.numbers is not None) != self.numbered:
            raise BadOrder("orders by number and orders by card cannot be mixed")
        self.shoes += 1
        for test in self._tests:
            test.add(shoe)

    def report(self, *, source: str, level: float = LEVEL) -> BatteryReport:
        """What all tests found, judged together."""
        results = holm_corrected((result for test in self._tests for result in test.results()), level=level)
        shoes, cards, outcomes = self.shoes, self.size, self.outcomes.frequencies()
        return BatteryReport(shoes=shoes, cards=cards, source=source, level=level, results=results, outcomes=outcomes)


def feed_battery(rules: Rulebook, shoes: Iterable[ShoeOrder]) -> Battery:
    """A battery that has seen these shoes; `ValueError` if there are none."""
    found: Battery | None = None
    for shoe in shoes:
        found = found or Battery(rules, shoe)
        found.add(shoe)
    if found is None:
        raise BadOrder("it has no order")
    return found


def battery(rules: Rulebook, shoes: Iterable[ShoeOrder], *, source: str = "", level: float = LEVEL) -> BatteryReport:
    """What the battery finds in these shoes."""
    return feed_battery(rules, shoes).report(source=source, level=level)
