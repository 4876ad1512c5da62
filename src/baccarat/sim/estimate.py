"""Estimates: what a wager gained over the rounds of a tally, compared with its exact price."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import sqrt

import msgspec

from baccarat.law.cached_value import cached_on_value
from baccarat.law.row import WagerResult
from baccarat.law.rulebook import Rulebook
from baccarat.money import MICRO, Cents
from baccarat.odds.gain import gain, unit_gain
from baccarat.odds.measure import Price
from baccarat.odds.price import Prices, lowest_chair, odds
from baccarat.odds.royal9 import HANDS, meters_in_cents, royal9
from baccarat.odds.shoe import ShoeCounts as Shoe
from baccarat.odds.show import percent
from baccarat.play.book import Book, WagerVerdict, open_book
from baccarat.play.wager import WagerKind
from baccarat.play.wager.royal9 import award, progressive
from baccarat.sim.plan import DETAILS, Detail
from baccarat.sim.tally import Tally
from baccarat.values import expect, short_repr

SIGMAS_95 = 1.959963984540054
"""95 of 100 means lie within this many standard errors on either side."""


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """What a unit staked on a wager gained on average, and what it gains exactly in the first round of a full shoe."""

    on: WagerKind
    name: str
    stake: Cents | None
    rounds: int
    won: int
    pushed: int
    mean: Fraction
    exact: Fraction
    error: float
    """The standard error of the mean of `rounds` independent rounds, by the exact deviation of one round."""

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def __str__(self) -> str:
        z = "" if self.edge_z is None else f", z {self.edge_z:+.2f}"
        stake = "" if self.stake is None else f" at {self.stake}"
        width = percent(Fraction(self.half_width))
        return f"{self.name}{stake}: edge {percent(self.edge)} ± {width}, exact {percent(self.exact_edge)}{z}"

    @property
    def edge(self) -> Fraction:
        """The house edge that was found, per unit staked."""
        return -self.mean

    @property
    def exact_edge(self) -> Fraction:
        """The exact house edge."""
        return -self.exact

    @property
    def half_width(self) -> float:
        """Half of the interval of 95 % around the mean."""
        return SIGMAS_95 * self.error

    @property
    def z(self) -> float | None:
        """How many standard errors the mean lies above the exact value; None if nothing can vary."""
        return float(self.mean - self.exact) / self.error if self.error else None

    @property
    def edge_z(self) -> float | None:
        """The same for the edge, which has the opposite sign."""
        return None if self.z is None else -self.z


def estimate(
    tally: Tally,
    on: WagerKind,
    stake: int | None = None,
    *,
    meters: Mapping[str, int] | None = None,
    seat: int | None = None,
) -> Estimate:
    """The estimate of one wager; `meters` and `seat` as in `odds`: at their seeds and the lowest chair unless given."""
    expect(on, WagerKind, "a wager, such as BANKER")
    book = open_book(tally.rules)
    if not tally.rounds:
        raise ValueError("no round was finished: there is nothing to estimate")
    price = exact_price(tally.rules, on, stake, meters=meters, seat=seat)
    needed = detail_needed(book, on)
    if not has_detail(tally.detail, needed):
        raise ValueError(f"{price.name} needs detail {needed!r}; this tally has {tally.detail!r}")
    if on is WagerKind.ROYAL9:
        total, won, pushed = _royal9_gains(tally, meters, seat)
        stake = price.stake
    else:
        total, won, pushed = _gains(book, _cases(tally, book, on), stake)
    return Estimate(
        on=on, name=price.name, stake=price.stake, rounds=tally.rounds, won=won, pushed=pushed,
        mean=total / tally.rounds / (stake or 1), exact=price.expected, error=sqrt(price.variance / tally.rounds),
    )  # fmt: skip


def exact_price(
    rules: Rulebook, on: WagerKind, stake: int | None = None, *, meters: Mapping[str, int] | None = None,
    seat: int | None = None,
) -> Price:  # fmt: skip
    """The exact price of a wager in the first round of a full shoe; a stake that the table does not take is refused."""
    if on is WagerKind.ROYAL9 and seat is not None:
        price = royal9(rules, Shoe.full(rules.elects("decks")), meters=meters, seats=(seat,)).chairs[seat]
    else:
        price = (_unit_prices(rules) if meters is None else odds(rules, meters=meters))[on]
    return price if stake is None else price.at(stake)


@cached_on_value
def _unit_prices(rules: Rulebook) -> Prices:
    """The exact prices by the unit, cached because a running simulation asks for them repeatedly."""
    return odds(rules)


def detail_needed(book: Book, on: WagerKind) -> Detail:
    """The least detail with which a wager can be estimated."""
    if on in book.verdicts:
        return "totals"
    return "pairs" if on in book.early or on in book.openings else "royal9"


def has_detail(counted: Detail, needed: Detail) -> bool:
    """Whether a tally with one detail can answer what needs another: every detail has the totals."""
    return needed in ("totals", counted)


def estimates_missing(tally: Tally) -> Mapping[str, Detail]:
    """The wagers offered that this tally cannot price, each with the detail that it needs."""
    book = open_book(tally.rules)
    needed = {kind.word: detail_needed(book, kind) for kind in book.kinds}
    return {word: detail for word, detail in needed.items() if not has_detail(tally.detail, detail)}


def details(book: Book) -> tuple[Detail, ...]:
    """The fewest details with which every wager of a book can be estimated; only the totals if they are enough."""
    needed = {detail_needed(book, kind) for kind in book.kinds}
    return tuple(detail for detail in DETAILS if detail in needed - {"totals"}) or ("totals",)


def _cases(tally: Tally, book: Book, on: WagerKind) -> Iterable[tuple[WagerVerdict, int]]:
    """Each verdict of a wager, and in how many rounds it applied."""
    if on in book.verdicts:
        table, counts = book.verdicts[on], tally.finishes
    elif on in book.openings:
        table, counts = book.openings[on], tally.pairs
    else:
        none, banker, player, both = tally.pairs
        table, counts = book.early[on], (none, banker + player, both)
    for verdict, count in zip(table, counts, strict=True):
        if count:
            assert verdict is not None, "the tableau leads to no such finish"
            yield verdict, count


def _gains(book: Book, cases: Iterable[tuple[WagerVerdict, int]], stake: int | None) -> tuple[Fraction, int, int]:
    """The sum of all gains, in cents or units, and the rounds won and pushed."""
    total, by_result = Fraction(0), dict.fromkeys(WagerResult, 0)
    for verdict, count in cases:
        total += count * (unit_gain(book, verdict) if stake is None else gain(book, verdict, stake))
        by_result[verdict.result] += count
    return total, by_result[WagerResult.WIN], by_result[WagerResult.PUSH]


def _royal9_gains(tally: Tally, meters: Mapping[str, int] | None, seat: int | None) -> tuple[Fraction, int, int]:
    """The same for Royal 9 at one chair that wagers alone, the meters as they are at the start of a round."""
    progress = progressive(tally.rules)
    assert progress is not None, "only asked where it is offered"
    chair = lowest_chair(tally.rules) if seat is None else seat
    micro = {name: int(cents) * MICRO for name, cents in meters_in_cents(progress, meters).items()}
    total, won = 0, 0
    for index, count in enumerate(tally.royal9):
        if count:
            player, banker = HANDS[index // len(HANDS)], HANDS[index % len(HANDS)]
            found = award(progress, micro, [chair], player=player, banker=banker)
            prize = found.rows[chair]
            total += count * progress.net(prize, found.awards[chair])
            won += 0 if prize.is_lost else count
    return Fraction(total), won, 0
