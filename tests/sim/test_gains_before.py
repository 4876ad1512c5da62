"""What a wager gains before each round: the odds know exactly what the table was shown, and results bear them out."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from baccarat import WagerKind, rulebook
from baccarat.cards import Card, Rank
from baccarat.law.rulebook import Rulebook
from baccarat.odds import ShoeCounts, odds
from baccarat.play.book import open_book
from baccarat.play.coup import deal_by
from baccarat.play.shoe import burn, shows_burned
from baccarat.sim.stream import SUITS, SimulatedShoe, simulate_shoe, source_of
from baccarat.sim.study.book_arrays import Floats, Integers, full_shoe, table_of
from baccarat.sim.study.counter_kernel import counter_view
from baccarat.sim.study.counts import balance_tags, linear_count, study_counts
from baccarat.sim.study.gains_before import gains_before
from baccarat.sim.study.moments import Moments
from baccarat.sim.study.round_columns import AT_ONCE, DEALT, RoundColumns, block_of, with_suits
from campaign import times

SEED = 5
RULES = {
    "first version, Royal 9": rulebook("ma-midi-1-royal9"),
    "fourth version, Royal 9": rulebook("ma-midi-4-royal9"),
    "fourth version, Royal 9, face up": rulebook("ma-midi-4-royal9", burn_exposure="face_up"),
    "fourth version, EZ": rulebook("ma-midi-4-ez"),
    "fourth version, EZ, face up": rulebook("ma-midi-4-ez", burn_exposure="face_up"),
    "New Jersey": rulebook("nj-punto-banco"),
}
"""Among them they offer every wager, with the burned cards shown and with the first alone shown."""
EVERY = [(name, kind) for name, rules in RULES.items() for kind in open_book(rules).kinds]


def block_with(
    rules: Rulebook, kind: WagerKind, first: int, shoes: int
) -> tuple[RoundColumns, Integers, Floats, Floats]:
    """Some shoes on record: by round the true count on a wager, and the gain, exact and as it came."""
    book = open_book(rules)
    block, tags = block_of(book, SEED, first, shoes, 0), balance_tags(best_tags(rules, kind))
    known = counter_view(block, tags=tags, sort=table_of(book).worth, whole=full_shoe(book))
    return block, known.true, *gains_before(rules, kind, SEED, block, known.unseen)


@cache
def best_tags(rules: Rulebook, kind: WagerKind) -> dict[Rank, int]:
    return linear_count(rules, kind).tags


@cache
def dealt(rules: Rulebook, number: int) -> SimulatedShoe:
    return simulate_shoe(open_book(rules), SEED, number)


@cache
def gain_from(rules: Rulebook, number: int, played: int) -> dict[WagerKind, float]:
    """What a unit on each wager gains after so many rounds of a shoe, from all cards that the table was not shown."""
    shoe = dealt(rules, number)
    burned = burn(rules, shoe.cards)
    shown = [*burned.cards[: burned.exposed], *(card for cards in shoe.rounds[:played] for card in cards)]
    left = ShoeCounts.full(source_of(open_book(rules)).decks).without(shown)
    prices = odds(rules, left)
    return {kind: -float(prices[kind].edge) for kind in open_book(rules).kinds}


def test_every_wager_is_rated_with_the_burned_cards_shown_and_with_them_hidden() -> None:
    by_exposure = {
        is_shown: {kind for name, kind in EVERY if shows_burned(RULES[name]) == is_shown} for is_shown in (True, False)
    }
    assert by_exposure[True] == set(WagerKind)
    in_the_fourth = {kind for name in RULES for kind in open_book(RULES[name]).kinds if name.startswith("fourth")}
    assert by_exposure[False] == in_the_fourth


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), EVERY)
def test_the_odds_know_every_card_that_was_shown_and_no_other(name: str, kind: WagerKind) -> None:
    rules, shoes = RULES[name], min(12, times(3))
    block, _, exact, _ = block_with(rules, kind, 0, shoes)
    for shoe in range(shoes):
        rounds = int(block.starts[shoe + 1] - block.starts[shoe])
        assert rounds == len(dealt(rules, shoe).rounds_to(source_of(open_book(rules)).depth))
        for played in (0, rounds // 2, rounds - 1):
            assert exact[block.starts[shoe] + played] == pytest.approx(gain_from(rules, shoe, played)[kind], abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("ma-midi-4-royal9", {}),
        ("ma-midi-4-royal9", {"burn_exposure": "face_up"}),
        ("ma-midi-4-royal9", {"decks": 6, "burn_exposure": "face_up"}),
        ("ma-midi-4-royal9", {"cover_card_depth": 1, "burn_exposure": "face_up"}),
        ("ma-midi-4", {"decks": 9, "discard_rack_decks": 9}),
    ],
)
def test_shoes_with_suits_are_those_of_the_stream_card_by_card(name: str, changes: dict[str, Any]) -> None:
    """Parted by coins and from one pile, the burned cards shown and hidden, beyond what the kernels take too."""
    rules = rulebook(name, **changes)
    book, first = open_book(rules), 6
    block, suits = with_suits(book, SEED, first, 60)
    numbers = {Card(rank, suit): 4 * k + s for k, rank in enumerate(Rank) for s, suit in enumerate(SUITS)}
    ranks = np.where(suits.cards == 255, 255, suits.cards // 4)
    assert (ranks == block.cards.T).all()
    for shoe in range(60):
        really = dealt(rules, first + shoe)
        burned = burn(rules, really.cards)
        shown = np.bincount([numbers[card] for card in burned.cards[: burned.exposed]], minlength=52)
        assert suits.shown[shoe].tolist() == shown.tolist()
        rows = suits.cards[block.starts[shoe] : block.starts[shoe + 1]].tolist()
        played = [cards for cards in really.rounds_to(source_of(book).depth) if not deal_by(book, cards).is_void]
        assert [[card for card in row if card != 255] for row in rows] == [
            [numbers[card] for card in cards] for cards in played
        ]


def test_a_shoe_that_is_dealt_again_for_its_suits_is_counted_once() -> None:
    rules, before = RULES["fourth version, Royal 9"], DEALT.shoes
    study_counts(rules, linear_count(rules, WagerKind.ROYAL9), seed=SEED, shoes=7)
    assert DEALT.shoes - before == 7


def expected_and_came(rules: Rulebook, kind: WagerKind, shoes: int) -> dict[str, float]:
    """By who wagers, how many standard errors what came lies above what the exact odds let expect, shoe by shoe.

    They wager where the count is highest and where it is lowest, and where the odds are best and worst: whoever is
    chosen by more than the odds know gains something else than they say.
    """
    sums = Moments(4)
    for first in range(0, shoes, AT_ONCE):
        number = min(AT_ONCE, shoes - first)
        block, true, exact, came = block_with(rules, kind, first, number)
        shoe = np.repeat(np.arange(number), np.diff(block.starts))
        low, high = np.quantile(true, (0.1, 0.9))
        bad, good = np.quantile(exact, (0.1, 0.9))
        chosen = (true >= high, true <= low, exact >= good, exact <= bad)
        sums.add(np.array([np.bincount(shoe, who * (came - exact), minlength=number) for who in chosen]))
    names = ("highest counts", "lowest counts", "best odds", "worst odds")
    return dict(zip(names, (sums.mean() / sums.error()).tolist(), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), EVERY)
def test_what_came_is_what_the_exact_odds_let_expect(name: str, kind: WagerKind) -> None:
    found = expected_and_came(RULES[name], kind, 300)
    assert all(abs(z) < 4.5 for z in found.values()), found


@pytest.mark.deep
@pytest.mark.parametrize(("name", "kind"), EVERY)
def test_what_came_in_many_shoes_is_what_the_exact_odds_let_expect(name: str, kind: WagerKind) -> None:
    found = expected_and_came(RULES[name], kind, 40_000)
    assert all(abs(z) < 4.5 for z in found.values()), found
