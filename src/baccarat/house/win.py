"""Win: what a table has won, its drop and hold, and what theory expects with its deviation, by shoe and day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isqrt

import msgspec
from msgspec.structs import replace

from baccarat.house.goodwill import GOODWILL_EVENTS, goodwill_of
from baccarat.law.wager_name import in_order
from baccarat.ledger import CAGE, Place, Posting
from baccarat.money import MICRO
from baccarat.play.wager import WagerKind
from baccarat.table.base import Event
from baccarat.table.due_settlement import DueSettled, UncollectedReported
from baccarat.table.irregularity.remedy import RoundMadeSimulated
from baccarat.table.payment_correction import PaymentCorrected
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.closing import ShoeClosed
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.settlement import VigorishTaken
from baccarat.table.step.wagering import WagerChanged, WagerPlaced, WagerWithdrawn

OF_THE_TABLE = frozenset({Place.TRAY, Place.DROP, Place.FORM, Place.VOUCHER, Place.MARKER, Place.RECEIVABLE})
"""What a table's win consists of: chips, cash, forms, vouchers for goodwill, and claims."""


COUNTED_EVENTS: frozenset[type[Event]] = frozenset({
    WagerPlaced, WagerChanged, WagerWithdrawn, RoundVoided, RoundMadeSimulated, ResultAnnounced, VigorishTaken,
    DueSettled, UncollectedReported, PaymentCorrected, ShoeClosed,
})  # fmt: skip
"""The events that a tally looks at, besides the postings of any event."""


class Theory(msgspec.Struct, frozen=True, kw_only=True):
    """What one unit staked on a wager loses to the house on average, and the variance of its result."""

    edge: Fraction
    variance: Fraction


class WagerPrices(msgspec.Struct, frozen=True):
    """The theory of each wager, supplied by the caller, which can compute odds; pairs not given do not covary."""

    wagers: Mapping[WagerKind, Theory]
    covariances: Mapping[frozenset[WagerKind], Fraction] = {}


class Figures(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The figures of a shoe, a table or a day; in cents, except for the pools' micro-cents."""

    rounds: int = 0
    drop: int = 0
    win: int = 0
    vigorish: int = 0
    waived: int = 0
    over_short: int = 0
    pools: int = 0
    """What the house has put into progressive pools in addition to the win, in micro-cents."""
    handle: dict[WagerKind, int] = {}
    unpriced: int = 0
    """Stakes on wagers for which no theory was given."""
    theoretical: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)

    def __add__(self, other: Figures) -> Figures:
        kinds = map(WagerKind, in_order(sorted({kind.word for kind in (*self.handle, *other.handle)})))
        return Figures(
            rounds=self.rounds + other.rounds,
            drop=self.drop + other.drop,
            win=self.win + other.win,
            vigorish=self.vigorish + other.vigorish,
            waived=self.waived + other.waived,
            over_short=self.over_short + other.over_short,
            pools=self.pools + other.pools,
            handle={kind: self.handle.get(kind, 0) + other.handle.get(kind, 0) for kind in kinds},
            unpriced=self.unpriced + other.unpriced,
            theoretical=self.theoretical + other.theoretical,
            variance=self.variance + other.variance,
        )

    @property
    def hold(self) -> Fraction | None:
        """The win as a fraction of the drop; None if nothing was dropped."""
        return Fraction(self.win, self.drop) if self.drop else None

    @property
    def two_deviations(self) -> int:
        """Two standard deviations, rounded up to the cent: a rule of thumb, which promises no probability.

        For a band that does, from the rounds as they were staked, see `baccarat.odds.seats.win_band`.
        """
        return two_deviations(self.variance)


def two_deviations(variance: Fraction) -> int:
    """Twice the root of a variance in cents, rounded up to the cent."""
    wide = 4 * variance
    root = isqrt(wide.numerator // wide.denominator)
    return root if root * root == wide else root + 1


def total(figures: Iterable[Figures]) -> Figures:
    """The figures of several shoes or tables together."""
    found = Figures()
    for each in figures:
        found += each
    return found


class WinTally(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The figures of a table by shoe, and the wagers that lie on it now."""

    table: str
    shoe: int = 0
    shoes: dict[int, Figures] = {}
    staked: dict[int, dict[WagerKind, int]] = {}
    """The stakes that lie on the layout, by seat and wager."""
    goodwill: int = 0
    """What the table has given away in this gaming day, in cents."""

    @property
    def all_shoes(self) -> Figures:
        """All shoes together."""
        return total(self.shoes.values())


def count(tally: WinTally, event: Event, postings: Sequence[Posting], prices: WagerPrices | None = None) -> WinTally:
    """The tally after an event and its postings; acts of the cage come with no event of the table."""
    if type(event) not in COUNTED_EVENTS and not postings:
        return tally
    known = tally.shoes.get(tally.shoe)
    figures = known if known is not None else Figures()
    for posting in postings:
        figures = _count_posting(figures, posting, tally.table)
    staked = _track_stakes(tally.staked, event)
    match event:
        case ResultAnnounced() if tally.staked:
            figures = _count_round(figures, _flat_stakes(tally.staked), prices)
            staked = {}
        case VigorishTaken():
            figures = replace(figures, vigorish=figures.vigorish + event.amount)
        case DueSettled() | UncollectedReported() | PaymentCorrected() if event.vigorish:
            figures = replace(figures, vigorish=figures.vigorish + event.vigorish)
        case _:
            pass
    shoe = tally.shoe + 1 if isinstance(event, ShoeClosed) else tally.shoe
    shoes = tally.shoes if figures is known else {**tally.shoes, tally.shoe: figures}
    given = tally.goodwill + goodwill_of(event) if type(event) in GOODWILL_EVENTS else tally.goodwill
    return replace(tally, shoe=shoe, shoes=shoes, staked=staked, goodwill=given)


def count_cage(tally: WinTally, postings: Iterable[Posting]) -> WinTally:
    """The tally after acts of the cage: fills and credits change no win, what is over or short does."""
    figures = tally.shoes.get(tally.shoe, Figures())
    for posting in postings:
        figures = _count_posting(figures, posting, tally.table)
    return replace(tally, shoes={**tally.shoes, tally.shoe: figures})


def _count_posting(figures: Figures, posting: Posting, table: str) -> Figures:
    """The figures after a posting: the same ones where it moves nothing that they count.

    Moving chips between tray and cage adds nothing to what a table has won.
    """
    win = drop = waived = over_short = pools = 0
    is_with_cage = False
    for leg in posting.legs:
        account, amount = leg.account, leg.amount
        place = account.place
        if place is Place.CAGE:
            is_with_cage = is_with_cage or account == CAGE
        elif account.of != table:
            continue
        elif place in OF_THE_TABLE:
            win += amount
            drop += amount if place is Place.DROP else 0
            waived += amount if place is Place.FORM else 0
        elif place is Place.OVER_SHORT:
            over_short += amount
        elif place is Place.FUNDING or place is Place.SEEDING:
            pools += amount
    if is_with_cage:
        win = drop = 0
    if not (win or drop or waived or over_short or pools):
        return figures
    return replace(
        figures,
        drop=figures.drop + _cents(drop),
        win=figures.win + _cents(win),
        waived=figures.waived + _cents(waived),
        over_short=figures.over_short - _cents(over_short),
        pools=figures.pools - pools,
    )


def _cents(micro: int) -> int:
    assert micro % MICRO == 0, "chips, cash and claims are whole cents"
    return micro // MICRO


StakesBySeat = dict[int, dict[WagerKind, int]]


def _track_stakes(staked: StakesBySeat, event: Event) -> StakesBySeat:
    match event:
        case WagerPlaced() | WagerChanged():
            return {**staked, event.seat: {**staked.get(event.seat, {}), event.on: event.stake}}
        case WagerWithdrawn():
            left = {kind: stake for kind, stake in staked[event.seat].items() if kind != event.on}
            rest = {seat: stakes for seat, stakes in staked.items() if seat != event.seat}
            return {**rest, event.seat: left} if left else rest
        case RoundVoided() | RoundMadeSimulated():
            return {}
        case _:
            return staked


def _flat_stakes(staked: StakesBySeat) -> dict[tuple[int, WagerKind], int]:
    return {(seat, kind): stake for seat, stakes in staked.items() for kind, stake in stakes.items()}


def _count_round(figures: Figures, staked: Mapping[tuple[int, WagerKind], int], prices: WagerPrices | None) -> Figures:
    """One more round: what was staked, and what theory expects of it."""
    handle = dict(figures.handle)
    for (_, kind), stake in staked.items():
        handle[kind] = handle.get(kind, 0) + stake
    known = {} if prices is None else prices.wagers
    priced = {key: stake for key, stake in staked.items() if key[1] in known}
    expected = sum((known[kind].edge * stake for (_, kind), stake in priced.items()), Fraction(0))
    return replace(
        figures,
        rounds=figures.rounds + 1,
        handle=handle,
        unpriced=figures.unpriced + sum(staked.values()) - sum(priced.values()),
        theoretical=figures.theoretical + expected,
        variance=figures.variance + (variance_of(priced, prices) if prices is not None else 0),
    )


def variance_of(staked: Mapping[tuple[int, WagerKind], int], prices: WagerPrices) -> Fraction:
    """The variance of one round's result: stakes of one kind win or lose together, Royal 9 seat by seat."""
    sums: dict[tuple[int, WagerKind], int] = {}
    for (seat, kind), stake in staked.items():
        key = (seat if kind is WagerKind.ROYAL9 else 0, kind)
        sums[key] = sums.get(key, 0) + stake
    found = sum((prices.wagers[kind].variance * stake**2 for (_, kind), stake in sums.items()), Fraction(0))
    lots = list(sums.items())
    for index, ((_, kind), stake) in enumerate(lots):
        for (_, other), more in lots[index + 1 :]:
            found += 2 * stake * more * prices.covariances.get(frozenset({kind, other}), Fraction(0))
    return found
