"""Rounds for which a shoe has not cards enough: which they are, and how far the figures move that lack them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from baccarat import WagerKind, rulebook
from baccarat.law.rulebook import Rulebook
from baccarat.odds import odds
from baccarat.play.book import NO_CARD, open_book
from baccarat.sim import plain
from baccarat.sim.engine import simulate
from baccarat.sim.void_rounds import LENGTHS, void_effect, void_lengths, void_note

NJ = rulebook("nj-punto-banco")


def lengths_dealt(rules: Rulebook, *, depth: int, shoes: int) -> tuple[list[int], list[int]]:
    """By length, rounds that were finished, and void ones had they gone on: each shoe has another's cards behind it.

    A depth of nought: to the last card. The shoes are mixed by NumPy, not by the streams of the simulation.
    """
    tables, chance = plain.plan(open_book(rules), "totals"), np.random.default_rng(7)
    one = np.array([tables.worth[each] for each in tables.classes] * tables.source.decks, np.uint8)
    size, lane = len(one), np.arange(shoes)
    cards = np.concatenate([chance.permuted(np.tile(one, (shoes, 1)), axis=1) for _ in range(2)], axis=1)
    player_draws = np.frombuffer(tables.player_draws, np.bool_)
    banker_draws = np.frombuffer(tables.banker_draws, np.bool_)
    at, is_last, is_over = 1 + chance.integers(1, 11, shoes), np.zeros(shoes, np.bool_), np.zeros(shoes, np.bool_)
    finished, void = np.zeros(7, np.int64), np.zeros(7, np.int64)
    while not is_over.all():
        first, second, third, fourth, fifth = (cards[lane, at + k].astype(np.int64) for k in range(5))
        counts = (first + third) % 10 * 10 + (second + fourth) % 10
        draws, alone = player_draws[counts], banker_draws[counts * (NO_CARD + 1) + NO_CARD]
        both = draws & banker_draws[counts * (NO_CARD + 1) + fifth]
        needed = 4 + (draws | alone) + both
        lacks = ~is_over & (at + needed > size)
        finished += np.bincount(needed[~is_over & ~lacks], minlength=7)
        void += np.bincount(needed[lacks], minlength=7)
        is_over |= lacks | (is_last if depth else False)
        at = np.where(is_over, at, at + needed)
        is_last |= size - at < depth
    return finished[4:].tolist(), void[4:].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("depth", [0, 1, 8, 10])
def test_long_rounds_are_void_more_often(depth: int) -> None:
    """Had they gone on, void rounds would be longer than others, as the renewal argument says."""
    shoes = 12_000
    finished, void = lengths_dealt(NJ, depth=depth, shoes=shoes)
    begun = [one + other for one, other in zip(finished, void, strict=True)]
    chances = {length: Fraction(number, sum(begun)) for length, number in zip(LENGTHS, begun, strict=True)}
    expected = void_lengths(chances, depth)
    for length, number in zip(LENGTHS, void, strict=True):
        mean = shoes * float(expected[length])
        assert abs(number - mean) <= 4.5 * mean**0.5, (length, number, mean)
    assert void[2] / sum(void) > begun[2] / sum(begun) + 0.04


def test_with_twelve_cards_behind_the_cover_card_no_round_is_void() -> None:
    third = Fraction(1, 3)
    assert sum(void_lengths(dict.fromkeys(LENGTHS, third), 12).values()) == 0
    assert void_lengths(dict.fromkeys(LENGTHS, third), 0) == {4: Fraction(4, 15), 5: third, 6: Fraction(2, 5)}


@pytest.mark.slow
def test_the_size_of_the_censoring_is_what_a_simulation_finds() -> None:
    """To the end of the shoe, over nine million rounds: the share of short rounds lies above the exact one by it."""
    tally = simulate(NJ, seed=21, shoes=110_000, rounds=100, engine="plain")
    assert tally.void == tally.shoes
    found = void_effect(NJ, rounds=tally.rounds, void=tally.void, to_cover=False)
    assert found.shares[4] == pytest.approx(0.00087, abs=0.00003)
    assert sum(found.shares.values()) == pytest.approx(0, abs=1e-15)
    for on in (WagerKind.TOTAL4, WagerKind.TOTAL6):
        each = tally.estimate(on)
        moved = float(each.edge - odds(NJ)[on].edge)
        assert abs(moved) > 4 * each.error, "it shows"
        assert abs(moved - found.edges[on]) < 3 * each.error + 0.0002, "and is no larger than that and the cut card"
    assert found.edges[WagerKind.TOTAL4] < 0 < found.edges[WagerKind.TOTAL6]


def test_the_note_says_how_many_rounds_were_void_and_what_that_does() -> None:
    assert void_note(NJ, rounds=100, void=0, to_cover=True) is None
    assert void_note(NJ, rounds=0, void=3, to_cover=False) == (
        "3 rounds lacked cards: void, and in no figure; none was finished"
    )
    said = void_note(NJ, rounds=8_230_000, void=100_000, to_cover=False) or ""
    assert "100,000 rounds, 1.2 % of those begun, lacked cards" in said
    assert "too many of those that were finished have four cards, about +0.088 % of all rounds" in said
    assert "too few have six, about −0.083 %" in said
    assert "most that of Six cards, by about +0.25 %" in said
