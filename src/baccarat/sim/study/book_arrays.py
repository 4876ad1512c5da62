"""The tables of a Book as arrays: what compiled code needs to play a round and to settle a wager."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baccarat.cards import Rank
from baccarat.law.cached_value import cached_on_value
from baccarat.law.fact import COUNTS, FINISHES
from baccarat.law.row import WagerResult
from baccarat.odds.gain import unit_gain
from baccarat.odds.joint import banker_draws, player_draws
from baccarat.play.book import NO_CARD, Book, WagerVerdict
from baccarat.play.hand import values
from baccarat.play.wager import WagerKind
from baccarat.sim.stream import source_of

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

RANKS = tuple(Rank)
CASES = FINISHES * 4
"""Cases of a round: its finish, times four for who holds a pair; see `case_of`."""


class BookArrays(NamedTuple):
    """A Book's card values, burn and tableau."""

    worth: Bytes
    """By rank, in the order of `Rank`: what a card counts."""
    burn: Bytes
    """By rank: how many cards are burned after a first card of this rank."""
    player: Bytes
    """[Player's count, Banker's count]: one where the Player draws."""
    banker: Bytes
    """[Player's count, Banker's count, third card's value or ten for none]: one where the Banker draws."""


@cached_on_value
def table_of(book: Book) -> BookArrays:
    """The arrays of a Book."""
    worth = {card.rank: value for card, value in book.value.items()}
    burn = values(book.rules.edition.burn.value)
    player = np.array([[player_draws(book, p, b) for b in COUNTS] for p in COUNTS], np.uint8)
    banker = np.zeros((10, 10, 11), np.uint8)
    for p in COUNTS:
        for b in COUNTS:
            thirds = COUNTS if player[p, b] else (NO_CARD,)
            for third in thirds:
                banker[p, b, third] = banker_draws(book, p, b, third)
    return BookArrays(
        worth=np.array([worth[rank] for rank in RANKS], np.uint8),
        burn=np.array([burn[rank] for rank in RANKS], np.uint8),
        player=player,
        banker=banker,
    )


def full_shoe(book: Book) -> Integers:
    """By value: the cards of a whole shoe."""
    return np.bincount(np.repeat(table_of(book).worth, source_of(book).copies), minlength=len(COUNTS))


def case_of(finish: int, *, player_pair: bool, banker_pair: bool) -> int:
    """The number of a case: the finish, then no pair, the Banker's, the Player's, both."""
    return finish * 4 + 2 * player_pair + banker_pair


def decided_wagers(book: Book) -> tuple[WagerKind, ...]:
    """The wagers that the finish and the pairs of a round decide: all that are offered, except a ladder of prizes."""
    return tuple(kind for kind in book.kinds if book.table(kind))


def unit_gains(book: Book, kinds: tuple[WagerKind, ...]) -> Floats:
    """[wager, case]: what a unit gains, with the exact percentage of vigorish; zero where no round ends that way."""
    found = np.zeros((len(kinds), CASES))
    for row, kind in enumerate(kinds):
        for case, verdict in verdicts_by_case(book, kind):
            found[row, case] = float(unit_gain(book, verdict))
    return found


class PayTable(NamedTuple):
    """How wagers are settled in whole cents, [wager, case]: result, odds, vigorish."""

    result: NDArray[np.int8]
    """1 where the wager wins, -1 where it loses, 0 where it is returned."""
    to: Integers
    one: Integers
    vigorish: Bytes


def pay_of(book: Book, kinds: tuple[WagerKind, ...]) -> PayTable:
    """The settlement of some wagers as arrays."""
    shape = (len(kinds), CASES)
    pay = PayTable(
        np.zeros(shape, np.int8), np.zeros(shape, np.int64), np.ones(shape, np.int64), np.zeros(shape, np.uint8)
    )
    for row, kind in enumerate(kinds):
        for case, verdict in verdicts_by_case(book, kind):
            pay.result[row, case] = {WagerResult.WIN: 1, WagerResult.LOSE: -1}.get(verdict.result, 0)
            if verdict.odds is not None:
                pay.to[row, case], pay.one[row, case] = verdict.odds.to, verdict.odds.one
            pay.vigorish[row, case] = verdict.vigorish
    return pay


def verdicts_by_case(book: Book, kind: WagerKind) -> Iterator[tuple[int, WagerVerdict]]:
    """Each case that can occur, with the verdict of a wager in it."""
    for finish, facts in enumerate(book.facts):
        if facts is None:
            continue
        for pairs in range(4):
            if kind in book.verdicts:
                verdict = book.verdicts[kind][finish]
            elif kind in book.openings:
                verdict = book.openings[kind][pairs]
            else:
                verdict = book.early[kind][pairs.bit_count()]
            assert verdict is not None, "the edition decides every finish"
            yield finish * 4 + pairs, verdict


def first_cards_gains(book: Book, kinds: tuple[WagerKind, ...]) -> tuple[Floats, Floats]:
    """[wager, value, value]: what a unit gains in the first round of a full shoe, by the first two cards' values.

    And [value, value], how often these come. Every sequence of six values is weighted by the ways in which the
    shoe deals it: exact apart from rounding.
    """
    table = table_of(book)
    counts = full_shoe(book).astype(float)
    deal = np.ogrid[(slice(10),) * 6]
    ways = np.ones((10,) * 6)
    for position, card in enumerate(deal):
        taken = sum(((deal[before] == card).astype(float) for before in range(position)), start=np.zeros(()))
        ways = ways * np.maximum(counts[card] - taken, 0.0)
    finish = _finish_of_values(table, deal)
    whole = ways.reshape(10, 10, -1).sum(axis=2)
    gains = [(row[finish] * ways).reshape(10, 10, -1).sum(axis=2) / whole for row in unit_gains(book, kinds)[:, ::4]]
    return np.array(gains), whole / whole.sum()


def _finish_of_values(table: BookArrays, deal: tuple[NDArray[np.intp], ...]) -> NDArray[np.intp]:
    """The finish of every deal: cards go to Player, Banker, Player, Banker, then to the hands that draw."""
    player, banker = (deal[0] + deal[2]) % 10, (deal[1] + deal[3]) % 10
    drew = table.player[player, banker].astype(np.intp)
    third = np.where(drew == 1, deal[4], NO_CARD)
    too = table.banker[player, banker, third].astype(np.intp)
    last = np.where(drew == 1, deal[5], deal[4])
    player, banker = (player + drew * deal[4]) % 10, (banker + too * last) % 10
    finish: NDArray[np.intp] = player * 40 + banker * 4 + 2 * drew + too
    return finish
