"""Studies: all that a report shows of one rulebook, priced once, exactly, with reports of progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

import msgspec

from baccarat.cards import DECK, Rank
from baccarat.law.error import RulesError
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.law.section import Option
from baccarat.money import MICRO, Cents
from baccarat.odds.gain import stake_objection
from baccarat.odds.house_money import PressDecision, PressEdge, decisions, press
from baccarat.odds.joint_wagers import JointPrice, exempt_pairs
from baccarat.odds.match_play import CouponPrice, coupon
from baccarat.odds.measure import Price
from baccarat.odds.must_hit import MustHitPrice, MustHitSeat, must_hit, must_hit_seat
from baccarat.odds.price import Prices, odds
from baccarat.odds.royal9 import Royal9Odds
from baccarat.odds.royal9 import royal9 as price_royal9
from baccarat.odds.shoe import CARDS_NEEDED, RANKS, ShoeCounts, ShoeGrain
from baccarat.play.wager import WagerKind

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""

STAKES = tuple(Cents(100 * each) for each in (5, 6, 10, 12, 25, 26, 30, 33, 50, 75, 100, 103, 250, 500, 1000, 5000))
"""Stakes to show prices at, if the posted limits allow them: some with exact vigorish, some with rounded."""

STEPS = 176
"""How many stakes, one increment apart, the plot of edge by stake shows."""


class Alternative(msgspec.Struct, frozen=True, kw_only=True):
    """An election other than the filed one, and the edges that it would change, with their new values."""

    key: str
    value: str
    edges: dict[WagerKind, Fraction]


class RankRemoval(msgspec.Struct, frozen=True, kw_only=True):
    """The shoe without one card of a rank: the combinations of each wager's pay-table lines, and of all.

    If suits matter, the card is any of its rank that is left: the combinations of all those shoes are added up.
    """

    rank: Rank
    ways: dict[WagerKind, tuple[int, ...]]
    deals: int


class Study(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What a report is made of."""

    rules: Rulebook
    prices: Prices
    at_stakes: dict[WagerKind, tuple[Price, ...]]
    """The wagers whose price depends on the stake, at some stakes."""
    by_stake: dict[WagerKind, tuple[tuple[Cents, Fraction], ...]]
    """The edge of those wagers at every stake from the lowest."""
    exempt: tuple[JointPrice, ...]
    alternatives: tuple[Alternative, ...]
    presses: tuple[PressEdge, ...]
    decisions: tuple[PressDecision, ...]
    royal9: Royal9Odds | None
    break_even: dict[int, dict[str, Cents | None]]
    """By chair, what each meter must show while the others stay as they are."""
    break_even_at_seed: dict[int, dict[str, Cents | None]]
    """The same while the others are at their seeds; empty if all meters are."""
    must_hit: tuple[MustHitPrice, ...]
    seats: tuple[MustHitSeat, ...]
    coupons: tuple[CouponPrice, ...]
    removed: tuple[RankRemoval, ...]
    asked: tuple[Cents, ...] = ()
    """The requested stakes."""

    @property
    def shoe(self) -> ShoeCounts:
        """The shoe that was priced."""
        return self.prices.shoe

    def effect(self, on: WagerKind, removed: RankRemoval) -> Fraction:
        """The edge after one card is removed less the edge before."""
        price = self.prices[on]
        lines = zip(removed.ways[on], price.paytable, strict=True)
        return -sum((ways * line.gain for ways, line in lines), Fraction(0)) / removed.deals - price.edge


def study(
    rules: Rulebook,
    shoe: ShoeCounts | None = None,
    *,
    stakes: Sequence[int] | None = None,
    meters: Mapping[str, int] | None = None,
    progress: Progress | None = None,
) -> Study:
    """Price all that a report shows: from a full shoe unless another is given, meters at their seeds unless given.

    `stakes` in cents are those to show a price at, if vigorish or halves are rounded.
    """
    tell = progress or _no_progress
    tell("prices", 0, 8)
    prices = odds(rules, shoe, meters=meters)
    tell("prices at stakes", 1, 8)
    rounding = [price for price in prices if depends_on_stake(price)]
    at_stakes = {price.on: _prices_at_stakes(price, STAKES if stakes is None else stakes) for price in rounding}
    if stakes is not None:
        _check_stakes(prices, stakes)
    by_stake = {price.on: _by_stake(price) for price in rounding}
    tell("options", 2, 8)
    alternatives = tuple(_alternatives(rules, prices))
    tell("House Money", 3, 8)
    presses, chosen = _house_money(rules, prices)
    tell("Royal 9", 4, 8)
    royal9 = price_royal9(rules, prices.shoe, meters=meters) if WagerKind.ROYAL9 in prices else None
    tell("break-even meters", 5, 8)
    break_even, at_seed = _break_even(royal9)
    tell("Must Hit and coupons", 6, 8)
    hits, seats = _must_hit(rules)
    tell("effect of removal", 7, 8)
    made = Study(
        rules=rules, prices=prices, at_stakes=at_stakes, by_stake=by_stake, exempt=exempt_pairs(rules, prices.shoe),
        alternatives=alternatives, presses=presses, decisions=chosen, royal9=royal9, break_even=break_even,
        break_even_at_seed=at_seed,
        must_hit=hits, seats=seats, coupons=_coupons(rules, prices),
        removed=tuple(_rank_removals(rules, prices, meters)),
        asked=tuple(map(Cents, stakes or ())),
    )  # fmt: skip
    tell("priced", 8, 8)
    return made


def _no_progress(_what: str, _done: int, _whole: int) -> None:
    """Report nothing."""


# ------------------------------------------------------------------------------------------------ stakes


def depends_on_stake(price: Price) -> bool:
    """Whether a stake's cents can be rounded: vigorish is due on a line, or odds are not "to 1"."""
    return bool(price.verdicts) and any(
        (line.vigorish and price.book.vig_rate) or (line.pays is not None and line.pays.one != 1)
        for line in price.lines
    )


def _prices_at_stakes(price: Price, stakes: Sequence[int]) -> tuple[Price, ...]:
    return tuple(price.at(stake) for stake in stakes if stake_objection(price.book, price.on, stake) is None)


def _check_stakes(prices: Prices, stakes: Sequence[int]) -> None:
    """Check that some wager accepts each stake."""
    for stake in stakes:
        reasons = [stake_objection(price.book, price.on, stake) for price in prices if price.stake is None]
        if reasons and None not in reasons:
            raise ValueError(f"no wager takes this stake: {reasons[0]}")


def _by_stake(price: Price) -> tuple[tuple[Cents, Fraction], ...]:
    limit = price.book.limits.get(price.on)
    low, high, step = (limit.min, limit.max, limit.increment) if limit is not None else (2500, 500_000, 100)
    stakes = [Cents(stake) for stake in range(low, min(high, low + (STEPS - 1) * step) + 1, step)]
    return tuple((each.stake, each.edge) for each in _prices_at_stakes(price, stakes) if each.stake is not None)


# ----------------------------------------------------------------------------------------------- options


def _alternatives(rules: Rulebook, prices: Prices) -> Iterator[Alternative]:
    """The elections, one at a time, that would change a price."""
    table = rules.submission
    for key, option in rules.edition.options.items():
        now = rules.elects(key)
        if option.part != "play" or not rules.meets(option.applies) or isinstance(now, msgspec.Struct | dict):
            continue
        for value in _values(key, option):
            if value == now or (key == "decks" and prices.shoe.size < 52 * prices.shoe.decks):
                continue  # what other decks would have left in a partly dealt shoe is unknown
            with suppress(RulesError, ValueError):  # what may not be elected here is not an alternative
                other = odds(rulebook(table, **{key: value}), None if key == "decks" else prices.shoe)
                edges: dict[WagerKind, Fraction] = {
                    price.on: other[price.on].edge
                    for price in prices
                    if price.on in other and price.on is not WagerKind.ROYAL9 and other[price.on].edge != price.edge
                }
                if edges:
                    word = {True: "true", False: "false", None: "none"}.get(value, str(value))
                    yield Alternative(key=key, value=word, edges=edges)


def _values(key: str, option: Option) -> tuple[Any, ...]:
    """The values of an option worth comparing."""
    if option.states == "odds" and option.at_least is not None:
        return (option.at_least, option.at_least + 1)
    if key == "decks":
        return (6, 8)
    if option.may:
        return (False, True)
    return (None, *option.elect) if option.optional else option.elect


# ------------------------------------------------------------------------------------------- House Money


def _house_money(rules: Rulebook, prices: Prices) -> tuple[tuple[PressEdge, ...], tuple[PressDecision, ...]]:
    """The press per unit, then at the lowest stakes; and the decision table."""
    law = rules.edition.house_money
    if law is None or WagerKind.HOUSE_MONEY not in prices:
        return (), ()
    book = prices[WagerKind.HOUSE_MONEY].book
    onto = [WagerKind(word) for word in law.press]
    found = [press(rules, on, prices.shoe) for on in onto]
    for on in onto:
        limits = book.limits.get(WagerKind.HOUSE_MONEY), book.limits.get(on)
        if limits[0] is not None and limits[1] is not None:
            with suppress(ValueError):  # a pressed wager above its maximum, if that is not allowed
                found.append(press(rules, on, prices.shoe, stake=limits[0].min, beside=limits[1].min))
    return tuple(found), decisions(rules, prices.shoe)


# ------------------------------------------------------------------------- progressives, coupons, removal


Even = dict[int, dict[str, Cents | None]]


def _break_even(royal9: Royal9Odds | None) -> tuple[Even, Even]:
    """What each meter must show, by chair: the others as they are, and, if that differs, at their seeds."""
    if royal9 is None:
        return {}, {}
    names = [meter.name for meter in royal9.progress.meters]
    seeds = {meter.name: meter.seed // MICRO for meter in royal9.progress.meters}
    now = {seat: {name: royal9.break_even(seat, name) for name in names} for seat in royal9.chairs}
    if seeds == royal9.meters:
        return now, {}
    return now, {seat: {name: royal9.break_even(seat, name, others=seeds) for name in names} for seat in royal9.chairs}


def _must_hit(rules: Rulebook) -> tuple[tuple[MustHitPrice, ...], tuple[MustHitSeat, ...]]:
    """The cost by the number of participants, and a lone seat at five meters from start to just below the ceiling."""
    terms = rules.elections.must_hit
    if terms is None or not terms.contribution:
        return (), ()
    span = terms.ceiling - terms.start
    meters = dict.fromkeys([*(terms.start + span * part // 4 for part in range(4)), terms.ceiling - 1])
    everyone = range(1, (rules.elections.seats or 1) + 1)
    return (
        tuple(must_hit(rules, participants=number) for number in everyone),
        tuple(must_hit_seat(rules, meter=meter, participants=number) for meter in meters for number in everyone),
    )


def _coupons(rules: Rulebook, prices: Prices) -> tuple[CouponPrice, ...]:
    law = rules.edition.match_play
    if law is None or not rules.elects(law.offered):
        return ()
    taken = [WagerKind(word) for word in law.wagers if WagerKind(word) in prices]
    return tuple(coupon(rules, on, prices.shoe) for on in taken if prices[on].push != 1)


def _rank_removals(rules: Rulebook, prices: Prices, meters: Mapping[str, int] | None) -> Iterator[RankRemoval]:
    """The shoe without one card of each rank that is left in it."""
    shoe = prices.shoe
    if shoe.size == CARDS_NEEDED or shoe.grain is ShoeGrain.VALUES:
        return
    for rank in RANKS:
        cards = [card for card in DECK if card.rank is rank]
        if shoe.grain is ShoeGrain.CARDS and WagerKind.ROYAL9 in prices:
            weights = [(card, left) for card, left in zip(DECK, shoe.left, strict=True) if card.rank is rank and left]
        else:
            left = [card for card in cards if shoe.grain is ShoeGrain.RANKS or shoe.left[DECK.index(card)]]
            weights = [(left[0], 1)] if left and shoe.by_rank[RANKS.index(rank)] else []
        if weights:
            yield _removal_of_rank(rules, prices, rank, weights, meters)


def _removal_of_rank(
    rules: Rulebook, prices: Prices, rank: Rank, weights: Sequence[tuple[Any, int]], meters: Mapping[str, int] | None
) -> RankRemoval:
    ways: dict[WagerKind, list[int]] = {price.on: [0] * len(price.paytable) for price in prices}
    deals = 0
    for card, weight in weights:
        after = odds(rules, prices.shoe.without([card]), meters=meters)
        for on, so_far in ways.items():
            for place, line in enumerate(after[on].paytable):
                so_far[place] += weight * line.combinations
        deals += weight * after.shoe.deals
    return RankRemoval(rank=rank, ways={on: tuple(each) for on, each in ways.items()}, deals=deals)
