"""Royal 9 and King-9 by chair: row frequencies over the four opening cards, returns at given meters, break-evens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import perm

import msgspec

from baccarat.cards import DECK, Card
from baccarat.law.cached_value import cached_per_argument
from baccarat.law.row import WagerResult
from baccarat.law.rulebook import Rulebook
from baccarat.money import MICRO, Cents
from baccarat.odds.gain import wager_name
from baccarat.odds.measure import Price, PriceLine
from baccarat.odds.shoe import ShoeCounts, is_whole, shoe_of
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind
from baccarat.play.wager.royal9 import Pair, Prize, Progressive, award, is_royal, progressive

ROYALS = tuple(
    (one, two)
    for one, first in enumerate(DECK)
    for two, second in enumerate(DECK[one + 1 :], start=one + 1)
    if is_royal(frozenset({first, second}))
)
"""Every Royal 9, as places in a new deck."""

HANDS: tuple[Pair, ...] = (*(frozenset({DECK[one], DECK[two]}) for one, two in ROYALS), frozenset({DECK[1], DECK[2]}))
"""Every Royal 9, then one hand that represents all others."""

OTHER = len(ROYALS)

_NUMBER = {hand: number for number, hand in enumerate(HANDS[:OTHER])}


def hand_number(one: Card, two: Card) -> int:
    """The number in `HANDS` of an opening hand."""
    return _NUMBER.get(frozenset({one, two}), OTHER)


Rows = tuple[int, ...]
"""The row that each seat of a round wins, as its place in the pay table."""


class OpeningHands(msgspec.Struct, frozen=True):
    """A pair of opening hands that represents all in which the seats win the same rows, and their number."""

    player: Pair
    banker: Pair
    ways: int


class Royal9Odds(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Royal 9 from one shoe, at given meters, with certain seats wagering in the round; sums per wager in cents.

    The long run is that of shoes like this one, each seat wagering alone, without the Must Hit; `has_long_run` says
    whether it can be computed.
    """

    progress: Progressive
    shoe: ShoeCounts
    meters: dict[str, Cents]
    chairs: dict[int, Price]
    """The price by chair."""

    @property
    def contribution(self) -> dict[str, Fraction]:
        """What one wager adds to each meter."""
        return {meter.name: Fraction(meter.contribution, MICRO) for meter in self.progress.meters}

    @property
    def reserve(self) -> Fraction:
        """What one wager adds to the reserve from which the next seeds are put up."""
        return Fraction(self.progress.reserve + sum(meter.reserve for meter in self.progress.meters), MICRO)

    def has_long_run(self, seat: int) -> bool:
        """Whether the long run has a closed form: not if parts of a meter are won and refilled to the seed."""
        parts = (prize.meter and prize.percent < 100 and chance for prize, chance in self._chances(seat))
        return not (self.progress.refills and any(parts))

    def seed_per_wager(self, seat: int) -> dict[str, Fraction]:
        """What is put up, per wager of a seat, to seed each meter again when it is won."""
        if not self.has_long_run(seat):
            raise ValueError("meters are refilled after partial awards: their long run has no closed form")
        chances = self._chances(seat)
        seeds = {meter.name: Fraction(meter.seed, MICRO) for meter in self.progress.meters}
        won = dict.fromkeys(seeds, Fraction(0))
        for prize, chance in chances:
            if prize.meter is not None and prize.percent == 100:
                won[prize.meter] += chance
        return {name: won[name] * seed for name, seed in seeds.items()}

    def seeding_cost(self, seat: int) -> Fraction:
        """What seeding costs the house in the long run, per wager of a seat, beyond what the reserve brings."""
        return max(Fraction(0), sum(self.seed_per_wager(seat).values(), Fraction(0)) - self.reserve)

    def long_run_edge(self, seat: int) -> Fraction:
        """The house edge per unit in the long run: all that meters take in, and their seeds, they pay out."""
        fixed = sum((chance * prize.prize for prize, chance in self._chances(seat)), Fraction(0))
        kept = self.chairs[seat].hit * self.progress.stake if self.progress.returns_stake else Fraction(0)
        to_meters = sum(self.contribution.values(), Fraction(0)) + self.reserve + self.seeding_cost(seat)
        return 1 - (fixed + kept + to_meters) / self.progress.stake

    def break_even(self, seat: int, meter: str, *, others: Mapping[str, int] | None = None) -> Cents | None:
        """The least that a meter shows before the round for a seat, wagering alone, to lose nothing on average.

        The other meters show what they show here, or what `others` says. None if the shoe cannot make the meter pay.
        """
        chances = self._chances(seat)
        at = meters_in_cents(self.progress, {**self.meters, **(others or {}), meter: 0})
        openings = _openings(self.progress, self.shoe, (seat,))

        def expected(shown: int) -> Fraction:
            return _price_lines(self.progress, openings, {**at, meter: Cents(shown)}, (seat,))[seat].expected_sum

        if not any(prize.meter == meter and chance for prize, chance in chances):
            return None
        low, high = 0, 1
        while expected(high) < 0:
            low, high = high, high * 2
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if expected(middle) < 0 else (low, middle)
        return Cents(low)

    def _chances(self, seat: int) -> list[tuple[Prize, Fraction]]:
        if seat not in self.progress.chairs:
            chairs = ", ".join(map(str, self.progress.chairs))
            raise ValueError(f"no chair {seat!r}; chairs with a combination: {chairs}")
        opening = _openings(self.progress, self.shoe, (seat,))
        whole = perm(self.shoe.size, 4)
        return [(self.progress.prizes[row], Fraction(each.ways, whole)) for (row,), each in opening.items()]


class _Seat:
    """The lines of one seat on the way."""

    def __init__(self) -> None:
        self.ways: dict[tuple[int, int], int] = {}
        self.expected_sum = Fraction(0)


def royal9(
    rules: Rulebook,
    shoe: ShoeCounts | None = None,
    *,
    meters: Mapping[str, int] | None = None,
    seats: Sequence[int] | None = None,
) -> Royal9Odds:
    """Royal 9 by chair at what the meters show in cents, at their seeds unless given.

    Each chair wagers alone, unless `seats` says who wagers in the same round: their contributions count in an award
    of the round (reading A-15), and seats that win the same row share it.
    """
    progress = progressive(rules)
    if progress is None:
        raise ValueError(f"{rules.edition.name}: Royal 9 is not offered under this Submission")
    shoe = shoe_of(rules, shoe)
    shown = meters_in_cents(progress, meters)
    if seats is not None and len(set(seats)) < len(seats):
        raise ValueError(f"seats {list(seats)}: a seat wagers once")
    groups = [tuple(sorted(seats))] if seats is not None else [(seat,) for seat in progress.chairs]
    unknown = [seat for group in groups for seat in group if not is_whole(seat) or seat not in progress.chairs]
    if unknown or not all(groups):
        raise ValueError(f"seats {list(seats or ())}; expected some of {', '.join(map(str, progress.chairs))}")
    chairs = {}
    for group in groups:
        found = _price_lines(progress, _openings(progress, shoe, group), shown, group)
        chairs.update({seat: _price(rules, progress, shoe, seat, found[seat]) for seat in group})
    return Royal9Odds(progress=progress, shoe=shoe, meters=shown, chairs=chairs)


def royal9_price(rules: Rulebook, shoe: ShoeCounts, *, seat: int, meters: Mapping[str, int] | None) -> Price:
    """The price of Royal 9 at one chair that wagers alone."""
    return royal9(rules, shoe, meters=meters, seats=(seat,)).chairs[seat]


def meters_in_cents(progress: Progressive, meters: Mapping[str, int] | None) -> dict[str, Cents]:
    """What the meters show: their seeds, replaced by those that are given."""
    shown = {meter.name: Cents(meter.seed // MICRO) for meter in progress.meters}
    for name, cents in (meters or {}).items():
        if name not in shown:
            raise ValueError(f"no meter {name!r}; this progressive has {', '.join(shown)}")
        if not is_whole(cents) or cents < 0:
            raise ValueError(f"meter {name}: a meter shows whole cents, zero or more, not {cents!r}")
        shown[name] = Cents(cents)
    return shown


@cached_per_argument
def _rows(progress: Progressive, seat: int) -> tuple[Rows, ...]:
    """The row that a seat wins, by the Player's hand, then by the Banker's."""
    posted = {hand for chair in progress.chairs.values() for hand in chair.own}
    assert posted <= set(HANDS[:OTHER]), "every combination is a Royal 9"
    places = {id(prize): place for place, prize in enumerate(progress.prizes)}
    return tuple(tuple(places[id(progress.row(seat, player, banker))] for banker in HANDS) for player in HANDS)


@lru_cache(maxsize=64)
def _openings(progress: Progressive, shoe: ShoeCounts, seats: tuple[int, ...]) -> dict[Rows, OpeningHands]:
    """The ordered four-card deals by the rows that the seats win."""
    tables = [_rows(progress, seat) for seat in seats]
    found: dict[Rows, OpeningHands] = {}
    for p, line in enumerate(_hand_ways(shoe)):
        for b, ways in enumerate(line):
            rows = tuple(table[p][b] for table in tables)
            known = found.get(rows)
            found[rows] = OpeningHands(HANDS[p], HANDS[b], ways + (known.ways if known else 0))
    return found


@lru_cache(maxsize=16)
def _hand_ways(shoe: ShoeCounts) -> list[list[int]]:
    """The ordered four-card deals by the two hands, each a certain Royal 9 or another."""
    left, size = list(shoe.by_card), shoe.size
    whole, table = perm(size, 4), []
    for one, two in ROYALS:
        ways = 2 * left[one] * left[two]
        left[one] -= 1
        left[two] -= 1
        line = [2 * ways * left[three] * left[four] for three, four in ROYALS]
        left[one] += 1
        left[two] += 1
        table.append([*line, ways * perm(size - 2, 2) - sum(line)] if ways else [0] * (OTHER + 1))
    last = [line[OTHER] for line in table]  # there are as many the other way round
    table.append([*last, whole - sum(map(sum, table)) - sum(last)])
    return table


def _price_lines(
    progress: Progressive, openings: Mapping[Rows, OpeningHands], meters: Mapping[str, int], seats: Sequence[int]
) -> dict[int, _Seat]:  # fmt: skip
    """What each seat wins in how many deals, awarded by the rules of play."""
    micro = {name: cents * MICRO for name, cents in meters.items()}
    found = {seat: _Seat() for seat in seats}
    for rows, opening in openings.items():
        won = award(progress, micro, list(seats), player=opening.player, banker=opening.banker).awards
        for seat, row in zip(seats, rows, strict=True):
            line = found[seat]
            line.ways[row, won[seat]] = line.ways.get((row, won[seat]), 0) + opening.ways
            line.expected_sum += opening.ways * progress.net(progress.prizes[row], won[seat])
    return found


def _price(rules: Rulebook, progress: Progressive, shoe: ShoeCounts, seat: int, found: _Seat) -> Price:
    book, rest = open_book(rules), perm(shoe.size - 4, 2)
    lines = tuple(
        PriceLine(
            row=prize.row, result=WagerResult.LOSE if prize.is_lost else WagerResult.WIN, combinations=ways * rest,
            deals=shoe.deals, gain=Fraction(progress.net(prize, won), progress.stake), award=Cents(won),
        )
        for (row, won), ways in sorted(found.ways.items())
        for prize in [progress.prizes[row]]
    )  # fmt: skip
    name = f"{wager_name(book, WagerKind.ROYAL9)}, chair {seat}"
    return Price(name=name, lines=lines, deals=shoe.deals, stake=Cents(progress.stake), on=WagerKind.ROYAL9, book=book)


def opening_hands(rules: Rulebook, seats: Sequence[int]) -> tuple[OpeningHands, ...]:
    """The opening hands of a full shoe, grouped by the rows that the seats win."""
    progress = progressive(rules)
    if progress is None:
        raise ValueError(f"{rules.edition.name}: Royal 9 is not offered under this Submission")
    missing = [seat for seat in seats if seat not in progress.chairs]
    if missing or not seats:
        raise ValueError(f"chairs with a combination are {', '.join(map(str, progress.chairs))}, not {list(seats)}")
    return tuple(_openings(progress, shoe_of(rules, None), tuple(seats)).values())
