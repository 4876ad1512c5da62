"""Slow second derivations of the odds, written from the documents; nothing here is shared with `baccarat.odds`.

`rounds_by_rank` walks through every opening of two hands by rank and every third card. `multisets` go another
way: six cards as a multiset of values, the orders in which it ends so or so, and the ways to take it from a shoe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, perm

from second_settlement import DRAGON, banker_draws, player_draws

Finish = tuple[int, int, int, int]
"""Player's count, Banker's count, Player's cards, Banker's cards."""

POINTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)
"""Ace to king."""


def end(player: int, banker: int, fifth: int, sixth: int) -> Finish:
    """How a round ends, by two opening counts and two further values."""
    drew = player_draws(player, banker)
    if not banker_draws(player, banker, fifth if drew else None):
        return ((player + fifth) % 10, banker, 3, 2) if drew else (player, banker, 2, 2)
    if drew:
        return (player + fifth) % 10, (banker + sixth) % 10, 3, 3
    return player, (banker + fifth) % 10, 2, 3


# ------------------------------------------------------------------------------------------------ by rank


class Opened:
    """Two opening hands by rank, in how many ordered ways, and how the round then ends in so many of six cards."""

    def __init__(self, player: tuple[int, int], banker: tuple[int, int], ways: int, ends: dict[Finish, int]) -> None:
        self.player, self.banker, self.ways, self.ends = player, banker, ways, ends
        self.pairs = (player[0] == player[1]) + (banker[0] == banker[1])


def rounds_by_rank(ranks: Sequence[int]) -> Iterator[Opened]:
    """Every opening of two hands; `ends` counts the ordered fifth and sixth cards."""
    hands = list(combinations_with_replacement([rank for rank in range(13) if ranks[rank]], 2))
    size = sum(ranks)
    for player, banker in product(hands, repeat=2):
        left, ways = list(ranks), (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
        for rank in (*player, *banker):
            ways *= left[rank]
            left[rank] -= 1
        if ways <= 0 or min(left) < 0:
            continue
        p, b = (POINTS[player[0]] + POINTS[player[1]]) % 10, (POINTS[banker[0]] + POINTS[banker[1]]) % 10
        ends: dict[Finish, int] = {}
        if not player_draws(p, b) and not banker_draws(p, b, None):
            ends[end(p, b, 0, 0)] = (size - 4) * (size - 5)
        else:
            for fifth in range(13):
                if left[fifth]:
                    _third(ends, left, p, b, fifth)
        yield Opened(player, banker, ways, ends)


def _third(ends: dict[Finish, int], left: list[int], p: int, b: int, fifth: int) -> None:
    count, value = left[fifth], POINTS[fifth]
    if player_draws(p, b) and banker_draws(p, b, value):
        left[fifth] -= 1
        for sixth in (rank for rank in range(13) if left[rank]):
            found = end(p, b, value, POINTS[sixth])
            ends[found] = ends.get(found, 0) + count * left[sixth]
        left[fifth] += 1
    else:
        found = end(p, b, value, 0)
        ends[found] = ends.get(found, 0) + count * (sum(left) - 1)


def finishes_by_rank(ranks: Sequence[int]) -> tuple[dict[Finish, int], Counter[int]]:
    """The ordered six-card deals by finish, and by the number of opening pairs."""
    ends: dict[Finish, int] = {}
    pairs: Counter[int] = Counter()
    for opened in rounds_by_rank(ranks):
        for finish, ways in opened.ends.items():
            ends[finish] = ends.get(finish, 0) + opened.ways * ways
        pairs[opened.pairs] += opened.ways * sum(opened.ends.values())
    return ends, pairs


# -------------------------------------------------------------------------------------------- by multiset


@cache
def multisets() -> dict[tuple[int, ...], Counter[Finish]]:
    """For each multiset of six values, as ten multiplicities, how many of its orders end in each finish."""
    found: dict[tuple[int, ...], Counter[Finish]] = {}
    for player, banker in product(combinations_with_replacement(range(10), 2), repeat=2):
        ways = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
        p, b = sum(player) % 10, sum(banker) % 10
        for fifth, sixth in product(range(10), repeat=2):
            many = [0] * 10
            for value in (*player, *banker, fifth, sixth):
                many[value] += 1
            found.setdefault(tuple(many), Counter())[end(p, b, fifth, sixth)] += ways
    assert len(found) == comb(15, 6)
    return found


def finishes_by_multiset(values: Sequence[int]) -> dict[Finish, int]:
    """The ordered six-card deals by finish: orders times the ways in which the shoe gives the cards of each order."""
    ends: dict[Finish, int] = {}
    for many, orders in multisets().items():
        ways = 1
        for count, taken in zip(values, many, strict=True):
            if taken:
                ways *= perm(count, taken) if taken <= count else 0
        if ways:
            for finish, times in orders.items():
                ends[finish] = ends.get(finish, 0) + times * ways
    return ends


# ------------------------------------------------------------------------------------------- what is paid


def player_gain(finish: Finish) -> Fraction:
    """A unit on Player."""
    return Fraction((finish[0] > finish[1]) - (finish[0] < finish[1]))


def banker_gain(finish: Finish, how: str = "5") -> Fraction:
    """A unit on Banker: with vigorish of so many percent, `ez`, or `half` on six."""
    player, banker, _, cards = finish
    if banker <= player:
        return Fraction(-1 if banker < player else 0)
    if how == "ez":
        return Fraction(0 if banker == 7 and cards == 3 else 1)
    if how == "half":
        return Fraction(1, 2) if banker == 6 else Fraction(1)
    return 1 - Fraction(int(how), 100)


def tie_gain(finish: Finish, odds: Fraction = Fraction(8)) -> Fraction:
    """A unit on Tie."""
    return odds if finish[0] == finish[1] else Fraction(-1)


def dragon_gain(finish: Finish, side: int, table: str) -> Fraction:
    """A unit on the Dragon Bonus of a side, nought for Player."""
    mine, theirs = finish[side], finish[1 - side]
    first_two = finish[2] == finish[3] == 2
    natural, opposite = first_two and mine >= 8, first_two and theirs >= 8
    if natural:
        if opposite and mine == theirs:
            return Fraction(0)
        return Fraction(DRAGON[table]["natural"] if mine > theirs else -1)
    return Fraction(DRAGON[table].get(mine - theirs, -1))


def dragon7_gain(finish: Finish) -> Fraction:
    """A unit on Dragon 7."""
    return Fraction(40 if finish[1] == 7 and finish[3] == 3 and finish[0] < 7 else -1)


def panda8_gain(finish: Finish) -> Fraction:
    """A unit on Panda 8."""
    return Fraction(25 if finish[0] == 8 and finish[2] == 3 and finish[1] < 8 else -1)


def total_gain(finish: Finish, cards: int) -> Fraction:
    """A unit on a number of cards."""
    return {4: Fraction(3, 2), 5: Fraction(2), 6: Fraction(2)}[cards] if sum(finish[2:]) == cards else Fraction(-1)


def mean(ends: Mapping[Finish, int], gains: Mapping[Finish, Fraction]) -> Fraction:
    """The mean of gains over finishes."""
    return sum((ways * gains[finish] for finish, ways in ends.items()), Fraction(0)) / sum(ends.values())


# ------------------------------------------------------------------------------------------ House Money

PAID = {0: -1, 1: 3, 2: 15}
"""What a unit of House Money gains by the number of pairs."""


def press(ranks: Sequence[int], gains: Mapping[Finish, Fraction]) -> tuple[Fraction, Fraction, Fraction]:
    """What a unit of House Money gains in the mean, its whole payout never, always and at best pressed."""
    never, always, best = Fraction(0), Fraction(0), Fraction(0)
    whole = perm(sum(ranks), 4)
    for opened in rounds_by_rank(ranks):
        paid = PAID[opened.pairs]
        never += Fraction(opened.ways * paid, whole)
        if paid > 0:
            then = opened.ways * paid * mean(opened.ends, gains) / whole
            always += then
            best += max(Fraction(0), then)
    return never, never + always, never + best


# ---------------------------------------------------------------------------------------------- Royal 9


def royal9_rows(decks: int, chairs: int) -> dict[str, int]:
    """King-9 by chair from a full shoe, in closed form: ordered four-card deals by row of the late pay table."""
    d, n = decks, 52 * decks
    own, rest = 2 * d * d, perm(n - 2, 2)
    royal_then = 2 * (4 * d - 1) * (12 * d - 1)  # a Royal 9 in the second hand when the first is one
    both_royal = 2 * 4 * d * 12 * d * royal_then
    star = own * 2 * (d - 1) ** 2
    identical = (chairs - 1) * star
    suited = 24 * d * d * (2 * (d - 1) * (3 * d - 1) + 3 * 2 * d * 3 * d)
    one_own = own * royal_then - star
    alone = rest - royal_then
    rows = {
        "Personal King-9 vs. Personal King-9": star,
        "Banker Personal King-9": own * rest - star,
        "Player Personal King-9": own * rest - star,
        "Other Personal King-9 vs. Identical King-9": identical,
        "Suited Royal 9 vs. Suited Royal 9": suited,
        "Royal 9 vs. Royal 9": both_royal - star - identical - suited - 2 * one_own,
        "Any Suited Royal 9": 2 * 24 * d * d * alone,
        "Any Royal 9": 2 * (96 - 24 - 2) * d * d * alone,
    }
    return rows | {"loss": perm(n, 4) - sum(rows.values())}


def multi_level_rows(decks: int) -> dict[str, int]:
    """The same by the early pay table, three combinations a chair, any two of the bettor's own chair."""
    d, n = decks, 52 * decks
    own, rest = 2 * d * d, perm(n - 2, 2)
    royal_then = 2 * (4 * d - 1) * (12 * d - 1)
    both_royal = 2 * 4 * d * 12 * d * royal_then
    alike, unlike = own * 2 * (d - 1) ** 2, own * 2 * d * (d - 1)  # a hand of the chair, then the same, or another
    king = own * rest - alike - 2 * unlike
    suited = 24 * d * d * (2 * (d - 1) * (3 * d - 1) + 3 * 2 * d * 3 * d)
    one_king = own * royal_then - alike - 2 * unlike
    alone = rest - royal_then
    rows = {
        "Exact Match Personal Progressive": 3 * alike,
        "Any Two Personal Progressive": 6 * unlike,
        "Personal K9 on Banker Hand": king,
        "Personal K9 on Player Hand": king,
        "Suited Royal 9 Tie Hand": suited,
        "Royal 9 Tie Hand": both_royal - 3 * alike - 6 * unlike - suited - 2 * one_king,
        "Any Suited Royal 9": 2 * 24 * d * d * alone,
        "Any Royal 9": 2 * (96 - 24 - 2) * d * d * alone,
    }
    return rows | {"loss": perm(n, 4) - sum(rows.values())}
