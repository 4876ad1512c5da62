"""The tableau: every sequence of six values, every ordered deal of a shoe, and each row neither missing nor doubled."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from math import perm
from typing import Any

import pytest

from baccarat.cards import Card
from baccarat.law.edition import build, load_edition, read_table
from baccarat.law.error import ConflictingRules, NoRule
from baccarat.law.row import Draw
from baccarat.law.rulebook import rulebook
from baccarat.play.book import NO_CARD, Book, open_book
from baccarat.play.coup import deal, deal_by
from baccarat.play.hand import Side
from second_settlement import banker_draws, player_draws
from strategies import EDITIONS

pytestmark = pytest.mark.slow

TABLEAU = (
    "MA:10(a)", "MA:10(b)", "MA:10(b)(1)", "MA:10(b)(2)", "MA:10(c)", "MA:10(c)(1)", "MA:10(c)(2)(i)",
    "MA:10(c)(2)(ii)", "MA:10(c)(2)(iii)", "MA:10 Table1 0-2", "MA:10 Table1 3", "MA:10 Table1 4", "MA:10 Table1 5",
    "MA:10 Table1 6", "MA:10 Table1 7", "MA:10 Table1 8-9", "NJ:3.9(a) [missing]", "NJ:3.9(b) [missing]",
    "NJ:3.9(c) [missing]", "NJ:3.9(d)", "NJ:3.9(e)", "NJ:3.9(f)", "NJ:3.9(g)",
)  # fmt: skip
COUNTS = range(10)
ROWS = range(16)
"""The rows of each edition's tableau, the same number in all."""


@cache
def book_of(edition: str) -> Book:
    """The tables of an edition, under its shipped Submission; the tableau has no option."""
    return open_book(rulebook(edition))


Finished = tuple[int, int, int, int]
"""Final counts and numbers of cards: Player, Banker, Player, Banker."""


def by_the_book(book: Book, player: int, banker: int, fifth: int, sixth: int) -> tuple[Finished, Draw, Draw]:
    """How a round ends by the edition's own rows, and the two rows that said so."""
    natural = book.natural[player] or book.natural[banker]
    first, column, final = book.player_row[player][banker], NO_CARD, player
    if first.act == "draw":
        column, final = fifth, (player + fifth) % 10
    second = book.banker_row[natural][banker][column]
    assert second is not None
    if second.act == "stay":
        return (final, banker, 2 + (column != NO_CARD), 2), first, second
    last = fifth if column == NO_CARD else sixth
    return (final, (banker + last) % 10, 2 + (column != NO_CARD), 3), first, second


def by_the_documents(player: int, banker: int, fifth: int, sixth: int) -> Finished:
    """The same by the second rule, written in plain ifs from the documents."""
    drew = player_draws(player, banker)
    if not banker_draws(player, banker, fifth if drew else None):
        return ((player + fifth) % 10, banker, 3, 2) if drew else (player, banker, 2, 2)
    if drew:
        return (player + fifth) % 10, (banker + sixth) % 10, 3, 3
    return player, (banker + fifth) % 10, 2, 3


# ------------------------------------------------------------------------------------ every sequence


@pytest.mark.clause(*TABLEAU)
@pytest.mark.parametrize("edition", EDITIONS)
def test_10_all_sequences_of_six_values_end_as_a_second_rule_says(edition: str) -> None:
    """Of its first two values a hand keeps only the count, and each count is made by ten ordered pairs of values.

    So the 10,000 cases of two counts and two further values stand for a hundred sequences each: a million.
    """
    book = book_of(edition)
    pairs = {count: sum((one + two) % 10 == count for one in COUNTS for two in COUNTS) for count in COUNTS}
    visited = 0
    for player, banker, fifth, sixth in product(COUNTS, repeat=4):
        found, _, _ = by_the_book(book, player, banker, fifth, sixth)
        assert found == by_the_documents(player, banker, fifth, sixth), (player, banker, fifth, sixth)
        visited += pairs[player] * pairs[banker]
    assert visited == 10**6


def test_all_sequences_one_by_one_through_the_deal_itself() -> None:
    """A million deals of one edition, none left out by grouping; the other editions follow by the test above."""
    book = book_of("ma-midi-4")
    by_value = tuple(Card.parse(code) for code in ("Kh", "As", *(f"{pips}d" for pips in range(2, 10))))
    expected = {
        case: by_the_documents(*case) for case in product(COUNTS, repeat=4)
    }  # the second rule speaks of counts; the sums below are made for every single sequence
    visited = 0
    for one, two, three, four in product(COUNTS, repeat=4):
        player, banker = (one + three) % 10, (two + four) % 10
        opening = (by_value[one], by_value[two], by_value[three], by_value[four])
        for fifth in COUNTS:
            five = (*opening, by_value[fifth])
            for sixth in COUNTS:
                coup = deal_by(book, (*five, by_value[sixth]))
                end = (coup.player_count, coup.banker_count, len(coup.player), len(coup.banker))
                assert end == expected[player, banker, fifth, sixth]
                visited += 1
    assert visited == 10**6


# ----------------------------------------------------------------------------------- every shoe's deal


def deals(decks: int) -> Iterator[tuple[int, int, int, list[int]]]:
    """Openings by value: the two counts, the ordered ways to deal them, and what of each value is left.

    The cards of one hand may come in either order, so unordered pairs are walked through and counted twice.
    """
    shoe = [16 * decks, *([4 * decks] * 9)]
    for player in combinations_with_replacement(COUNTS, 2):
        for banker in combinations_with_replacement(COUNTS, 2):
            left, ways = shoe.copy(), (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
            for value in (*player, *banker):
                ways *= left[value]
                left[value] -= 1
            yield sum(player) % 10, sum(banker) % 10, ways, left


def count_outcomes(book: Book, decks: int) -> dict[str, int]:
    """The ordered six-card deals of a full shoe that end in each way, by the edition's own tableau."""
    found = {"banker": 0, "player": 0, "tie": 0}
    size = 52 * decks
    for player, banker, ways, left in deals(decks):
        for fifth in COUNTS:
            five = ways * left[fifth]
            left[fifth] -= 1
            _, first, second = by_the_book(book, player, banker, fifth, 0)
            if first.act == "draw" and second.act == "draw":
                for sixth in COUNTS:
                    end, _, _ = by_the_book(book, player, banker, fifth, sixth)
                    found[outcome(end)] += five * left[sixth]
            else:  # the sixth card lies behind the round, whatever it is
                end, _, _ = by_the_book(book, player, banker, fifth, 0)
                found[outcome(end)] += five * (size - 5)
            left[fifth] += 1
    return found


def outcome(end: Finished) -> str:
    """Who has won."""
    return "tie" if end[0] == end[1] else "player" if end[0] > end[1] else "banker"


PUBLISHED = {
    8: {"banker": 2_292_252_566_437_888, "player": 2_230_518_282_592_256, "tie": 475_627_426_473_216},
    6: {"banker": 403_095_751_234_560, "player": 392_220_492_728_832, "tie": 83_552_962_932_288},
}
DEALS = {8: 4_998_398_275_503_360, 6: 878_869_206_895_680}


@pytest.mark.clause(*TABLEAU)
@pytest.mark.parametrize("decks", PUBLISHED)
@pytest.mark.parametrize("edition", EDITIONS)
def test_10_the_ordered_deals_of_a_shoe_end_as_published(edition: str, decks: int) -> None:
    found = count_outcomes(book_of(edition), decks)
    assert sum(found.values()) == DEALS[decks] == perm(52 * decks, 6)
    assert found == PUBLISHED[decks]


# ------------------------------------------------------------------------------------------- the rows


@pytest.mark.clause(*TABLEAU)
@pytest.mark.parametrize("edition", EDITIONS)
def test_10_every_row_is_met(edition: str) -> None:
    met: set[int] = set()
    for case in product(COUNTS, repeat=4):
        _, first, second = by_the_book(book_of(edition), *case)
        met |= {id(first), id(second)}
    rows = load_edition(edition).tableau
    assert len(rows) == len(ROWS)
    assert [row for row in rows if id(row) not in met] == []


@pytest.mark.clause(*TABLEAU)
@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_10_a_row_is_neither_missing_nor_doubled(edition: str, row: int) -> None:
    table = read_table(edition)
    rows: list[dict[str, Any]] = table["tableau"]
    with pytest.raises(NoRule, match="no row answers the case"):
        build({**table, "tableau": [*rows[:row], *rows[row + 1 :]]})
    with pytest.raises(ConflictingRules, match="2 rows answer the case") as raised:
        build({**table, "tableau": [*rows, rows[row]]})
    assert raised.value.cites


@pytest.mark.clause("NJ:3.9(a) [missing]", "NJ:3.9(b) [missing]", "NJ:3.9(c) [missing]")
@pytest.mark.parametrize("edition", EDITIONS)
def test_3_9_rows_that_restore_missing_text_say_so(edition: str) -> None:
    restored = edition == "nj-punto-banco"
    assert {row.restored for row in load_edition(edition).tableau} == {restored}
    coup = deal(rulebook(edition), "2s 3h Ad Jd Tc 5s")
    drawn = [ruling for ruling in coup.why if "draws" in ruling.say]
    assert len(drawn) == 2
    assert all(("restored" in str(ruling)) is restored for ruling in drawn)


@pytest.mark.clause("MA:9(c)", "NJ:3.8(d)")
@pytest.mark.parametrize("edition", EDITIONS)
def test_9_c_no_hand_gets_a_second_extra_card(edition: str) -> None:
    assert load_edition(edition).third_card.most == 1
    for case in product(COUNTS, repeat=4):
        end, _, _ = by_the_book(book_of(edition), *case)
        assert max(end[2:]) <= 3
    coup = deal(rulebook(edition), "Ks Kh Kd Kc Ks Kh Kd Kc 9s 9h", rest_of_shoe=True)
    assert (len(coup.hand(Side.PLAYER)), len(coup.hand(Side.BANKER))) == (3, 3)
