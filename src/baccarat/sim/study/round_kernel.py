"""Rounds on record, compiled: the shoes of `baccarat.sim.stream`, card by card. This module imports numba.

The same words, coins and rare numbers as there, so that a round of any study can be dealt again by its seed and shoe. A
pile is thirteen running sums; all that exceed the drawn number are decremented, which needs no branch.

Cards burned after the first stay in the pile, and are what is left of it when a shoe has been dealt to its end. So if
a rulebook has them shown, a shoe is dealt to its end, beyond the rounds that are recorded.

Ranks are enough for most studies. If suits are needed as well, `Suits` has space for them; otherwise it is None, and
numba compiles no code for them.
"""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: PLR0913, PLR0917

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baccarat.sim.stream import DROPPED, SUITS
from baccarat.sim.study.compiled import U, case_of, compiled, inlined, next_output, play_round

NO_CARD = np.uint8(255)
SPAN = 16
"""Running sums of a pile; those past the ranks are never reached by a number."""
DECKS, DEPTH, PARTED, LEAST, MOST, SHOWN = range(6)
"""The places of the numbers of a source."""
COLOURS = len(SUITS)
EVERY_FOURTH = U(0x1111111111111111)
"""The coins of one suit: coin i is that of a card of suit i mod 4."""


class Suits(NamedTuple):
    """Space for the suits of a deal. A card is four times the number of its rank, plus that of its suit."""

    piles: NDArray[np.int64]
    """[pile, rank in the order of the source, suit]: the cards of the shoe that is being dealt."""
    taken: NDArray[np.int64]
    """The cards of the round that is being dealt."""
    cards: NDArray[np.uint8]
    """[row, card]: in the order in which they were dealt; 255 where there is none."""
    shown: NDArray[np.uint8]
    """[shoe, card]: how many of the burned cards were shown."""


@compiled
def rare_word(seed, shoe, subject, attempt):
    """SplitMix64 by an address."""
    z = seed + ((shoe << U(16)) + (subject << U(4)) + attempt) * U(0x9E3779B97F4A7C15)
    z = (z ^ (z >> U(30))) * U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> U(27))) * U(0x94D049BB133111EB)
    return z ^ (z >> U(31))


@compiled
def heads(bits, copies):
    """How many of `copies` coins show heads."""
    bits &= (U(1) << U(copies)) - U(1)
    found = 0
    while bits:
        bits &= bits - U(1)
        found += 1
    return found


@inlined
def next_word(s, shift):
    """The next word of a shoe: its quarter of the generator's output."""
    return np.int64((next_output(s) >> shift) & U(0xFFFF))


@inlined
def take_card(sums, number):
    """Take the card of this number out of the pile and return its rank."""
    rank, wanted = np.int16(0), np.int16(number)
    for k in range(SPAN):
        above = np.int16(sums[k] > wanted)
        sums[k] = np.int16(sums[k] - above)
        rank = np.int16(rank + above)
    return SPAN - np.int64(rank)


@compiled
def part(sums, other, source, seed, shoe, s, shift, suits):
    """The two piles of a shoe as running sums, and by suit if wanted; the number of cards of the first."""
    copies = 4 * source[DECKS]
    attempt = U(0)
    size = 0
    first = True
    while first or size < source[LEAST] or size > source[MOST]:
        size = 0
        for rank in range(13):
            if first:
                bits = U(next_word(s, shift))
                bits |= U(next_word(s, shift)) << U(16)
            else:
                bits = rare_word(seed, shoe, U(1 + rank), attempt)
            size += heads(bits, copies)
            sums[rank] = size
            other[rank] = copies * (rank + 1) - size
            if suits is not None:
                for suit in range(COLOURS):
                    suits.piles[0, rank, suit] = heads((bits >> U(suit)) & EVERY_FOURTH, copies)
                    suits.piles[1, rank, suit] = source[DECKS] - suits.piles[0, rank, suit]
        if not first:
            attempt += U(1)
        first = False
    return size


@compiled
def burn(size, seed, shoe, s, shift):
    """The number of the card burned first."""
    product = next_word(s, shift) * size
    attempt = U(0)
    while product & 0xFFFF < 65536 % size:
        product = np.int64(rare_word(seed, shoe, U(0), attempt) >> U(48)) * size
        attempt += U(1)
    return product >> 16


@inlined
def six_numbers(s, shift, left, to_deal, numbers):
    """The numbers that the next six words give, and whether all that are needed are fair."""
    fair = True
    for k in range(6):
        product = next_word(s, shift) * (left - k)
        numbers[k] = product >> 16
        rest = product & 0xFFFF
        if k < to_deal and rest < left - k and rest < 65536 % (left - k):
            fair = False
    return fair


@inlined
def from_pile(pile, k):
    """The rank of a round's card k, which leaves the pile."""
    sums, numbers, ranks = pile
    return ranks[take_card(sums, numbers[k])]


@inlined
def take_suit(pile, sums, rank, number):
    """The suit of the card of this number, which has left the running sums as one of this rank, and leaves its pile."""
    suit = 0
    if rank > 0:
        number -= sums[rank - 1]
    while number >= pile[rank, suit]:
        number -= pile[rank, suit]
        suit += 1
    pile[rank, suit] -= 1
    return suit


@inlined
def from_pile_with_suits(pile, k):
    """The rank of a round's card k, which leaves the pile; the card itself is recorded."""
    sums, numbers, ranks, suits = pile
    rank = take_card(sums, numbers[k])
    suits.taken[k] = COLOURS * ranks[rank] + take_suit(suits.piles[0], sums, rank, numbers[k])
    return ranks[rank]


@compiled
def burned_card(sums, ranks, number, suits):
    """The card of this number, which leaves the pile: four times its rank, plus its suit if suits are wanted."""
    rank, suit = take_card(sums, number), 0
    if suits is not None:
        suit = take_suit(suits.piles[0], sums, rank, number)
    return COLOURS * ranks[rank] + suit


@compiled
def put_together(sums, other, suits):
    """Merge what is left of the first pile with the second."""
    for k in range(13):
        sums[k] += other[k]
    if suits is not None:
        suits.piles[0] += suits.piles[1]


@compiled
def open_shoe(sums, other, source, seed, shoe, s, suits):
    """Seed the shoe's generator and lay out its piles: the cards of the first."""
    copies, shift = 4 * source[DECKS], U(16) * (shoe & U(3))
    s[0], s[1], s[2], s[3] = shoe >> U(2), seed, U(0), U(1)
    for _ in range(DROPPED):
        next_word(s, shift)
    for k in range(13):
        sums[k] = copies * (k + 1)
        other[k] = 0
    for k in range(13, SPAN):
        sums[k] = 32767
    if suits is not None:
        suits.piles[0], suits.piles[1] = source[DECKS], 0
    return part(sums, other, source, seed, shoe, s, shift, suits) if source[PARTED] else 13 * copies


@inlined
def write_row(drawn, used, finish, row, cards, case, count):
    """Record a round."""
    case[row] = case_of(finish, drawn)
    count[row] = used
    for k in range(6):
        cards[k, row] = np.uint8(drawn[k]) if k < used else NO_CARD


@compiled
def write_burn(sums, ranks, top, is_shown, shown):
    """By rank, the burned cards that were shown: the first; if all were, also what is left after dealing to the end."""
    shown[:] = 0
    shown[top] = 1
    if is_shown:
        for k in range(13):
            shown[ranks[k]] += np.uint8(sums[k] - (sums[k - 1] if k else 0))


@inlined
def write_suits(suits, row, used):
    """Record the cards of a round."""
    for k in range(6):
        suits.cards[row, k] = np.uint8(suits.taken[k]) if k < used else NO_CARD


@compiled
def write_burned_suits(suits, ranks, top, is_shown, shown):
    """By card, the burned cards that were shown: as in `write_burn` by rank."""
    shown[:] = 0
    shown[top] = 1
    if is_shown:
        for k in range(13):
            for suit in range(COLOURS):
                shown[COLOURS * ranks[k] + suit] += np.uint8(suits.piles[0, k, suit])


@compiled
def deal(
    seed, first, shoes, rounds, source, ranks, tables, burnt, starts, burned, shown, hidden, cards, case, count, suits
):
    """Deal shoes `first` to `first + shoes - 1`, to the cover card or `rounds` of each, if that is not zero.

    starts: the row at which each shoe begins, and finally where the rows end. burned, shown, hidden: the rank burned
    first, by rank the burned cards that were shown, and how many were not. cards: six columns of ranks. case: finish
    and pairs. count: the cards of the round. suits: space for them, or None. Void rounds leave no row.
    """
    row, whole, is_shown = 0, 52 * source[DECKS], source[SHOWN]
    sums, other, s = np.empty(SPAN, np.int16), np.zeros(SPAN, np.int16), np.empty(4, np.uint64)
    numbers, drawn = np.empty(6, np.int64), np.empty(6, np.int64)
    pile = sums, numbers, ranks  # built once: a tuple of arrays for each round would cost a tenth of the time
    for index in range(shoes):
        shoe = U(first) + U(index)
        shift = U(16) * (shoe & U(3))
        starts[index] = row
        left = open_shoe(sums, other, source, seed, shoe, s, suits)
        behind = whole - left
        card = burned_card(sums, ranks, burn(left, seed, shoe, s, shift), suits)
        top = card // COLOURS
        left, unseen = left - 1, np.int64(burnt[top])
        last, is_over, finish = left + behind - unseen < source[DEPTH], False, 0
        while finish >= 0 and (is_shown or not is_over):
            to_deal = left if behind else left - unseen
            if not six_numbers(s, shift, left, to_deal, numbers):
                continue
            if suits is None:
                finish, used = play_round(from_pile, pile, to_deal, tables, drawn)
            else:
                finish, used = play_round(from_pile_with_suits, (*pile, suits), to_deal, tables, drawn)
            if finish >= 0 and not is_over:
                write_row(drawn, used, finish, row, cards, case, count)
                if suits is not None:
                    write_suits(suits, row, used)
                row += 1
            left -= used
            if behind and left < 6:
                put_together(sums, other, suits)
                left, behind = left + behind, 0
            is_over |= row - starts[index] == rounds or (last and not rounds)
            last = left + behind - unseen < source[DEPTH]
        burned[index], hidden[index] = top, 0 if is_shown else unseen
        write_burn(sums, ranks, top, is_shown, shown[index])
        if suits is not None:
            write_burned_suits(suits, ranks, card, is_shown, suits.shown[index])
    starts[shoes] = row
    return row


@compiled
def columns(first, starts, cards, shoe, number, packed):
    """By row: the shoe, the number of the round in it from 1, and the cards as hexadecimal digits, the first lowest."""
    for index in range(starts.size - 1):
        for row in range(starts[index], starts[index + 1]):
            shoe[row] = first + index
            number[row] = row - starts[index] + 1
    for row in range(shoe.size):
        digits = np.uint32(0)
        for k in range(6):
            digits |= np.uint32(cards[k, row] & np.uint8(15)) << np.uint32(4 * k)
        packed[row] = digits


@compiled
def pack_rows(cards, rank_of, finish, pair, number, packed, case, numbers):
    """The same from records of the vector kernel, whose cards are classes, one row each."""
    for row in range(finish.size):
        digits = np.uint32(0)
        for k in range(6):
            digits |= np.uint32(rank_of[cards[row, k]]) << np.uint32(4 * k)
        packed[row] = digits
        case[row] = np.int32(finish[row]) * 4 + pair[row]
        numbers[row] = number[row]
