"""Wagers that lie together at one seat: priced as one, so that the effect of one on another is counted."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from baccarat.law.row import WagerResult
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.odds.gain import gain, unit_gain, wager_name
from baccarat.odds.joint import joint_table
from baccarat.odds.measure import PriceDistribution, PriceLine
from baccarat.odds.shoe import ShoeCounts, is_whole, points_of, shoe_of
from baccarat.play.admission import admit
from baccarat.play.book import Book, WagerVerdict, open_book
from baccarat.play.wager import Wager, WagerKind

Ends = tuple[WagerVerdict, ...]
"""The verdict of each wager."""


class JointPrice(PriceDistribution, frozen=True, kw_only=True, eq=False, dict=True):
    """The price of wagers in a fixed proportion at one seat, per unit of all that is staked."""

    book: Book
    units: dict[WagerKind, int]
    ends: tuple[Ends, ...]

    def at(self, unit: int) -> JointPrice:
        """The same with this unit in cents, to the cent."""
        stakes = {on: units * unit for on, units in self.units.items()}
        refused = admit(self.book, [Wager(seat=1, on=on, stake=stake) for on, stake in stakes.items()])
        if refused is not None:
            raise ValueError(str(refused))
        whole = sum(stakes.values())
        lines = []
        for line, ends in zip(self.lines, self.ends, strict=True):
            placed = zip(ends, stakes.values(), strict=True)
            gains = [gain(self.book, each, stake, exempt=self.book.exempts(stake, stakes)) for each, stake in placed]
            lines.append(msgspec.structs.replace(line, gain=Fraction(sum(gains), whole), result=_result(sum(gains))))
        return msgspec.structs.replace(self, lines=tuple(lines), stake=Cents(whole))


def together(rules: Rulebook, units: Mapping[WagerKind, int], shoe: ShoeCounts | None = None) -> JointPrice:
    """The price of a number of units on each wager, e.g. one on Banker and one on six cards, which exempts it."""
    book, shoe = open_book(rules), shoe_of(rules, shoe)
    for on, count in units.items():
        if on not in book.offered:
            raise ValueError(f"{on.word} is not offered under {rules.edition.name}")
        if on not in book.verdicts:
            raise ValueError(f"{wager_name(book, on)} does not depend on a round's finish; it is priced by itself")
        if not is_whole(count) or count < 1:
            raise ValueError(f"{on.word}: a whole number of units, one at least, not {count!r}")
    if not units:
        raise ValueError("no wager is given")
    ways: dict[Ends, int] = {}
    for place, count in enumerate(joint_table(shoe.worth(points_of(book)), book)):
        if count:
            ends = tuple(_verdict(book, on, place) for on in units)
            ways[ends] = ways.get(ends, 0) + count
    whole, lines = sum(units.values()), []
    for ends, count in ways.items():
        placed = list(zip(ends, units.items(), strict=True))
        gains = [each * unit_gain(book, verdict, exempt=book.exempts(each, units)) for verdict, (_, each) in placed]
        row = ", ".join(f"{wager_name(book, on)} {verdict.row or verdict.result.word}" for verdict, (on, _) in placed)
        gained = sum(gains, Fraction(0)) / whole
        lines.append(PriceLine(row=row, result=_result(gained), combinations=count, deals=shoe.deals, gain=gained))
    name = " and ".join(f"{count} on {wager_name(book, on)}" for on, count in units.items())
    return JointPrice(name=name, lines=tuple(lines), deals=shoe.deals, book=book, units=dict(units), ends=tuple(ways))


def exempt_pairs(rules: Rulebook, shoe: ShoeCounts | None = None) -> tuple[JointPrice, ...]:
    """Every wager that owes vigorish, together with as much on each wager that exempts it."""
    book = open_book(rules)
    owing = [kind for kind in book.kinds if any(each and each.vigorish for each in book.verdicts.get(kind, ()))]
    free = [kind for kind in book.kinds if kind in book.exempt]
    return tuple(together(rules, {on: 1, other: 1}, shoe) for on in owing for other in free)


def _verdict(book: Book, on: WagerKind, place: int) -> WagerVerdict:
    verdict = book.verdicts[on][place]
    assert verdict is not None, "the tableau leads to no such finish"
    return verdict


def _result(gained: int | Fraction) -> WagerResult:
    """How the whole ends: ahead, even, or behind."""
    return WagerResult.WIN if gained > 0 else WagerResult.PUSH if gained == 0 else WagerResult.LOSE
