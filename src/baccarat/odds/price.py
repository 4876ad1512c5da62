"""The price of every wager of a rulebook, from any remaining shoe: exact, for a unit or at a stake."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import perm

import msgspec

from baccarat.law.rulebook import Rulebook
from baccarat.odds import show
from baccarat.odds.gain import wager_name
from baccarat.odds.joint import joint_table
from baccarat.odds.measure import Price, price_of
from baccarat.odds.royal9 import royal9_price
from baccarat.odds.shoe import ShoeCounts, ShoeGrain, points_of, shoe_of
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind
from baccarat.play.wager.royal9 import progressive

PAIRS = ("no pair", "one pair", "two pairs")
"""The cases of a wager on the opening pairs."""


class Prices(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The prices of all wagers that a rulebook offers, from one shoe."""

    rules: Rulebook
    shoe: ShoeCounts
    wagers: dict[WagerKind, Price]
    missing: dict[WagerKind, str]
    """Wagers for which too little is known of the shoe, with the reason."""
    notes: tuple[str, ...] = ()

    def __getitem__(self, on: WagerKind) -> Price:
        if not isinstance(on, WagerKind):
            raise ValueError(f"{on!r} is no wager; expected one such as BANKER")
        if on in self.missing:
            raise ValueError(self.missing[on])
        if on not in self.wagers:
            offered = ", ".join(kind.word for kind in self.wagers)
            raise ValueError(f"{on.word} is not offered under {self.rules.edition.name}; priced: {offered}")
        return self.wagers[on]

    def __contains__(self, on: WagerKind) -> bool:
        return on in self.wagers

    def __iter__(self) -> Iterator[Price]:
        return iter(self.wagers.values())

    def __len__(self) -> int:
        return len(self.wagers)

    def __repr__(self) -> str:
        return f"<Prices of {len(self)} wagers under {self.rules}, {self.shoe}>"

    def __str__(self) -> str:
        return show.prices_text(self)

    def _repr_html_(self) -> str:
        return show.prices_html(self)


def odds(
    rules: Rulebook,
    shoe: ShoeCounts | None = None,
    *,
    stake: int | Mapping[WagerKind, int] | None = None,
    meters: Mapping[str, int] | None = None,
) -> Prices:
    """The price of every wager offered: from a full shoe unless another is given, at a stake in cents if one is given.

    One stake is for every wager whose limits admit it; the others are priced by the unit, and a note says so. Stakes
    by wager are taken or refused. `meters` are what the Royal 9 meters show in cents, at their seeds unless given;
    Royal 9 is priced at the lowest chair.
    """
    book = open_book(rules)
    shoe = shoe_of(rules, shoe)
    found: dict[WagerKind, Price] = {}
    missing: dict[WagerKind, str] = {}
    # One exact count of all finishes prices every wager that depends on the final counts alone.
    by_finish = joint_table(shoe.worth(points_of(book)), book)
    for on in book.kinds:
        name = wager_name(book, on)
        if on in book.verdicts:
            found[on] = price_of(book, on, name, book.verdicts[on], by_finish, shoe.deals)
        # Pairs and opening hands need ranks, Royal 9 needs suits: what needs more than is known cannot be priced.
        elif on in book.early or on in book.openings:
            if shoe.grain is ShoeGrain.VALUES:
                missing[on] = f"{name} needs the ranks of the shoe, which is known by values only"
            elif on in book.openings:
                found[on] = price_of(book, on, name, book.openings[on], opening_deals(shoe), shoe.deals)
            else:
                found[on] = price_of(book, on, name, book.early[on], pair_deals(shoe), shoe.deals, rows=PAIRS)
        elif shoe.grain is not ShoeGrain.CARDS:
            missing[on] = f"{name} needs the suits of the shoe, which is known by {shoe.grain} only"
        else:
            found[on] = royal9_price(rules, shoe, seat=lowest_chair(rules), meters=meters)
    if meters is not None and WagerKind.ROYAL9 not in book.offered:
        raise ValueError("meters are given, but Royal 9 is not offered")
    wagers, notes = _prices_at_stakes(found, stake)
    return Prices(rules=rules, shoe=shoe, wagers=wagers, missing=missing, notes=notes)


def lowest_chair(rules: Rulebook) -> int:
    """The lowest seat with a Royal 9 combination."""
    progress = progressive(rules)
    assert progress is not None, "only asked where it is offered"
    return min(progress.chairs)


def pair_deals(shoe: ShoeCounts) -> tuple[int, int, int]:
    """The ordered six-card deals in which no hand, one hand and both hands open with a pair."""
    size, ranks = shoe.size, shoe.by_rank
    pairs = sum(perm(count, 2) for count in ranks)
    both = sum(perm(count, 2) * (pairs - perm(count, 2) + perm(max(0, count - 2), 2)) for count in ranks)
    one = 2 * (pairs * perm(size - 2, 2) - both)
    rest = perm(size - 4, 2)
    return shoe.deals - (one + both) * rest, one * rest, both * rest


def opening_deals(shoe: ShoeCounts) -> tuple[int, int, int, int]:
    """The ordered six-card deals that open with no pair, with Banker's alone, with Player's alone, with both."""
    none, one, both = pair_deals(shoe)
    return none, one // 2, one // 2, both


def _prices_at_stakes(
    found: dict[WagerKind, Price], stake: int | Mapping[WagerKind, int] | None
) -> tuple[dict[WagerKind, Price], tuple[str, ...]]:
    """The prices at their stakes, and why some are not."""
    if stake is None:
        return found, ()
    if isinstance(stake, Mapping):
        unknown = [on.word for on in stake if on not in found]
        if unknown:
            raise ValueError(f"stakes on what is not priced: {', '.join(unknown)}")
        return {on: price.at(stake[on]) if on in stake else price for on, price in found.items()}, ()
    wagers, reasons = dict(found), {}
    for on, price in found.items():
        if price.stake is None:
            try:
                wagers[on] = price.at(stake)
            except ValueError as error:
                reasons[price.name] = str(error)
    if len(reasons) == sum(price.stake is None for price in found.values()):
        raise ValueError(f"no wager takes this stake: {next(iter(reasons.values()))}")
    return wagers, tuple(f"{name} is priced by the unit: {reason}" for name, reason in reasons.items())
