"""House Money with its press: the payout may be added to a main wager when four cards have been seen.

Edges are per unit of House Money wagered; the main wager's own edge is not in them. A press of a whole payout
(portion one to one) onto Player, made only where Player has the better of it, leaves 23.97210 % of eight decks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import lcm, perm
from operator import mul
from typing import NamedTuple

import msgspec

from baccarat.cards import Rank
from baccarat.law.fact import COUNTS, FINISHES, finish_index
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents, Ratio
from baccarat.odds.gain import gain, stake_objection, unit_gain
from baccarat.odds.joint import banker_draws, player_draws
from baccarat.odds.measure import price_of
from baccarat.odds.price import pair_deals
from baccarat.odds.shoe import RANKS, ShoeCounts, points_of, shoe_of
from baccarat.play.book import NO_CARD, Book, open_book
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind

TwoTotals = tuple[int, int]
"""Two places in the order of ranks, or two values."""


class PressEdge(msgspec.Struct, frozen=True, kw_only=True):
    """The house edge per unit of House Money: never pressed, always pressed, and pressed where it pays."""

    onto: WagerKind
    portion: Ratio
    never: Fraction
    always: Fraction
    best: Fraction
    pressed: Fraction
    """The part of all winning wagers that is best pressed."""
    stake: Cents | None = None
    beside: Cents | None = None


class PressDecision(msgspec.Struct, frozen=True, kw_only=True):
    """Two opening hands that pay House Money, and what a unit on either hand then gains on average."""

    player: tuple[Rank, Rank]
    banker: tuple[Rank, Rank]
    pairs: int
    combinations: int
    on_player: Fraction
    on_banker: Fraction


class HouseMoneyOpening(NamedTuple):
    """Two opening hands by rank, how many of them are pairs, and in how many ordered ways they are dealt."""

    player: TwoTotals
    banker: TwoTotals
    pairs: int
    ways: int


def press(
    rules: Rulebook,
    onto: WagerKind,
    shoe: ShoeCounts | None = None,
    *,
    portion: Ratio | None = None,
    stake: int | None = None,
    beside: int | None = None,
) -> PressEdge:
    """The edge of House Money with its payout pressed onto Player or Banker: never, always and at best.

    By the unit, without rounding; or at a `stake` of House Money with a main wager of `beside`, both in cents: the part
    pressed is rounded down to the cent (reading A-40), and the vigorish is that of the whole win (reading A-12).
    """
    book, shoe = _ready(rules, shoe)
    on = _kind(book)
    found = gains_of_pressing(rules, onto, shoe, portion=portion, stake=stake, beside=beside)
    taken = price_of(book, on, on.word, book.early[on], pair_deals(shoe), shoe.deals)
    taken, unit = (taken, 1) if stake is None else (taken.at(stake), stake)
    whole, always, best, ways, chosen = perm(shoe.size, 4), Fraction(0), Fraction(0), 0, 0
    for opening, mean in found:
        always += opening.ways * mean
        ways += opening.ways
        if mean > 0:
            best += opening.ways * mean
            chosen += opening.ways
    return PressEdge(
        onto=onto, portion=book.portion if portion is None else portion, never=taken.edge,
        always=taken.edge - always / whole / unit, best=taken.edge - best / whole / unit,
        pressed=Fraction(chosen, ways) if ways else Fraction(0), stake=taken.stake,
        beside=None if beside is None else Cents(beside),
    )  # fmt: skip


def gains_of_pressing(
    rules: Rulebook,
    onto: WagerKind,
    shoe: ShoeCounts | None = None,
    *,
    portion: Ratio | None = None,
    stake: int | None = None,
    beside: int | None = None,
) -> tuple[tuple[HouseMoneyOpening, Fraction], ...]:
    """All openings that pay House Money, with cards distinguished by value only, and what pressing then gains.

    By the unit, or in cents at a `stake` of House Money with a main wager of `beside`, as in `press`.
    """
    book, shoe = _ready(rules, shoe)
    law = rules.edition.house_money
    if law is None or onto.word not in law.press:
        raise ValueError(f"a payout is pressed onto {' or '.join(law.press if law else ())}, not onto {onto.word}")
    if (stake is None) != (beside is None):
        raise ValueError("a stake of House Money and the main wager with it are given together, or neither")
    part = book.portion if portion is None else portion
    if not 0 <= part.to <= part.one:
        raise ValueError(f"a portion is none of the payout, some or all of it, not {part.to}/{part.one} of it")
    if stake is not None and beside is not None:
        tables = _gains_at(book, onto, part, stake=stake, beside=beside)
    else:
        tables = _gains_of_units(book, onto, part)
    means = {pairs: _Means(book, shoe, table) for pairs, table in tables.items()}
    by_value = _by_value(shoe, points_of(book))
    return tuple((each, means[each.pairs].mean(each.player, each.banker)) for each in by_value)


def decisions(rules: Rulebook, shoe: ShoeCounts | None = None) -> tuple[PressDecision, ...]:
    """The decision table: for all opening hands with a pair, what a unit on Player and on Banker gains on average."""
    book, shoe = _ready(rules, shoe)
    points, rest = points_of(book), perm(shoe.size - 4, 2)
    player = _Means(book, shoe, _unit_gains(book, book.main[Side.PLAYER]))
    banker = _Means(book, shoe, _unit_gains(book, book.main[Side.BANKER]))
    made = []
    for opening in _openings(shoe):
        values = _values(opening.player, points), _values(opening.banker, points)
        made.append(
            PressDecision(
                player=_ranks(opening.player), banker=_ranks(opening.banker), pairs=opening.pairs,
                combinations=opening.ways * rest, on_player=player.mean(*values), on_banker=banker.mean(*values),
            )
        )  # fmt: skip
    return tuple(made)


def _ready(rules: Rulebook, shoe: ShoeCounts | None) -> tuple[Book, ShoeCounts]:
    book = open_book(rules)
    if _kind(book) not in book.offered:
        raise ValueError(f"{rules.edition.name}: House Money is not offered under this Submission")
    return book, shoe_of(rules, shoe)


def _kind(book: Book) -> WagerKind:
    return next(iter(book.early), WagerKind.HOUSE_MONEY)


def _ranks(hand: TwoTotals) -> tuple[Rank, Rank]:
    return RANKS[hand[0]], RANKS[hand[1]]


def _values(hand: TwoTotals, points: Sequence[int]) -> TwoTotals:
    one, two = sorted((points[hand[0]], points[hand[1]]))
    return one, two


# --------------------------------------------------------------------------------------------- openings


def _openings(shoe: ShoeCounts) -> Iterator[HouseMoneyOpening]:
    """All opening hands of which one at least is a pair, and which the shoe can deal."""
    left = list(shoe.by_rank)
    hands = list(combinations_with_replacement(range(len(RANKS)), 2))
    for player in hands:
        ways = _take_hand(left, player)
        for banker in hands if player[0] == player[1] else [hand for hand in hands if hand[0] == hand[1]]:
            count = ways * _take_hand(left, banker)
            left[banker[0]] += 1
            left[banker[1]] += 1
            if count > 0:
                yield HouseMoneyOpening(player, banker, (player[0] == player[1]) + (banker[0] == banker[1]), count)
        left[player[0]] += 1
        left[player[1]] += 1


def _take_hand(left: list[int], hand: TwoTotals) -> int:
    """Take a hand out of the counts and return the ordered ways to do so, 0 if there are not enough."""
    ways = max(0, left[hand[0]])
    left[hand[0]] -= 1
    ways *= max(0, left[hand[1]])
    left[hand[1]] -= 1
    return ways if hand[0] == hand[1] else 2 * ways


def _by_value(shoe: ShoeCounts, points: Sequence[int]) -> Iterator[HouseMoneyOpening]:
    """The same openings, merging those that no third card can tell apart."""
    found: dict[tuple[TwoTotals, TwoTotals, int], int] = {}
    for player, banker, pairs, ways in _openings(shoe):
        key = (_values(player, points), _values(banker, points), pairs)
        found[key] = found.get(key, 0) + ways
    for (one, two, pairs), ways in found.items():
        yield HouseMoneyOpening(one, two, pairs, ways)


# ------------------------------------------------------------------------------------------------ gains

Gains = list[Fraction]
"""What is gained by each of the four hundred finishes."""


def _unit_gains(book: Book, onto: WagerKind) -> Gains:
    return [Fraction(0) if verdict is None else unit_gain(book, verdict) for verdict in book.verdicts[onto]]


def _gains_of_units(book: Book, onto: WagerKind, portion: Ratio) -> dict[int, Gains]:
    """By the number of pairs, what the pressed part of a unit's payout gains."""
    tables, unit = {}, _unit_gains(book, onto)
    for pairs, verdict in enumerate(book.early[_kind(book)]):
        if verdict.odds is not None:
            pressed = Fraction(verdict.odds.to * portion.to, verdict.odds.one * portion.one)
            tables[pairs] = [pressed * each for each in unit]
    return tables


def _gains_at(book: Book, onto: WagerKind, portion: Ratio, *, stake: int, beside: int) -> dict[int, Gains]:
    """By the number of pairs, what the main wager gains more by being pressed, in cents."""
    refused = stake_objection(book, onto, beside)
    if refused is not None:
        raise ValueError(refused)
    tables = {}
    for pairs, verdict in enumerate(book.early[_kind(book)]):
        if verdict.odds is None:
            continue
        pressed = beside + added_by_press(book, onto, verdict.odds.payout(stake), beside=beside, portion=portion)
        tables[pairs] = [
            Fraction(0) if each is None else Fraction(gain(book, each, pressed) - gain(book, each, beside))
            for each in book.verdicts[onto]
        ]
    return tables


def added_by_press(book: Book, onto: WagerKind, payout: int, *, beside: int, portion: Ratio | None = None) -> int:
    """How much of a payout is added to the main wager with it, in cents; zero if the house does not allow it.

    The part that may be pressed is rounded down to the cent; whether it may lift the wager above the maximum is an
    election (reading A-40).
    """
    added, limit = (book.portion if portion is None else portion).part(payout), book.limits.get(onto)
    above = limit is not None and beside + added > limit.max
    return 0 if above and book.rules.elections.press_over_max is False else added


class _Means:
    """The mean of a table of gains over all third cards, by the values of the two opening hands."""

    def __init__(self, book: Book, shoe: ShoeCounts, gains: Gains) -> None:
        self.counts = shoe.worth(points_of(book))
        self.size = shoe.size - 4
        self.scale = lcm(*(each.denominator for each in gains))
        whole = [int(each * self.scale) for each in gains]
        assert len(whole) == FINISHES
        self.cells = [[_cell(book, whole, p, b) for b in COUNTS] for p in COUNTS]
        self.known: dict[tuple[TwoTotals, TwoTotals], Fraction] = {}

    def mean(self, player: TwoTotals, banker: TwoTotals) -> Fraction:
        """The mean, given these four cards."""
        if (player, banker) not in self.known:
            left = list(self.counts)
            for value in (*player, *banker):
                left[value] -= 1
            cell, size = self.cells[sum(player) % 10][sum(banker) % 10], self.size
            total = 0
            for count, third, gained in zip(left, COUNTS, cell, strict=True):
                if isinstance(gained, int):
                    total += count * gained * (size - 1)
                else:
                    total += count * (sum(map(mul, left, gained)) - gained[third])
            self.known[player, banker] = Fraction(total, perm(size, 2) * self.scale)
        return self.known[player, banker]


def _cell(book: Book, gains: Sequence[int], p: int, b: int) -> list[int | list[int]]:
    """By the value of the fifth card, what is gained; or a list by the value of the sixth, if that matters."""
    if not player_draws(book, p, b):
        if not banker_draws(book, p, b, NO_CARD):
            return [gains[finish_index(p, b, 2, 2)]] * 10
        return [gains[finish_index(p, (b + y) % 10, 2, 3)] for y in COUNTS]
    cell: list[int | list[int]] = []
    for x in COUNTS:
        final = (p + x) % 10
        if banker_draws(book, p, b, x):
            cell.append([gains[finish_index(final, (b + y) % 10, 3, 3)] for y in COUNTS])
        else:
            cell.append(gains[finish_index(final, b, 3, 2)])
    return cell
