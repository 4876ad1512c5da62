"""The plain path deals what the ordinary engine deals, round for round, also where the kernels cannot go."""

from __future__ import annotations

import msgspec
import pytest

from baccarat import rulebook
from baccarat.law.edition import shipped_editions
from baccarat.law.fact import FINISHES, finish_index
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import NO_CARD, open_book
from baccarat.play.coup import deal_by
from baccarat.play.hand import Side
from baccarat.sim import plain
from baccarat.sim.plan import DETAILS, Detail, NoFastPath, plan_for_book
from baccarat.sim.stream import simulate_shoe, source_of, words
from baccarat.sim.tally import Range, RangeCounts
from dealt_again import counts

SHOES = Range(5, 24)
"""Neither end at a multiple of four, which share a generator."""


def plainly(
    rules: Rulebook, seed: int, shoes: Range, *, rounds: int | None = None, detail: Detail = "totals"
) -> RangeCounts:  # fmt: skip
    return plain.run(plain.plan(open_book(rules), detail), seed, shoes.first, shoes.shoes, rounds)


def is_refused(rules: Rulebook) -> bool:
    """Whether the kernels refuse a rulebook."""
    try:
        plan_for_book(open_book(rules))
    except NoFastPath:
        return True
    return False


@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.parametrize("rounds", [None, 40], ids=["to the cover card", "forty rounds"])
def test_every_detail_is_counted_as_the_engine_deals(detail: Detail, rounds: int | None) -> None:
    rules = rulebook("ma-midi-4-royal9")
    assert plainly(rules, 7, SHOES, rounds=rounds, detail=detail) == counts(
        rules, 7, SHOES, rounds=rounds, detail=detail
    )


@pytest.mark.parametrize("name", shipped_editions())
@pytest.mark.parametrize("decks", [6, 8])
def test_every_edition_is_dealt_as_the_engine_deals(name: str, decks: int) -> None:
    rules = rulebook(name, decks=decks)
    shoes = Range(1000, 6)
    assert plainly(rules, 2**64 - 1, shoes, detail="pairs") == counts(rules, 2**64 - 1, shoes, detail="pairs")


@pytest.mark.slow
@pytest.mark.parametrize(("decks", "depth"), [(9, 14), (20, 100), (8, 1), (8, 5), (8, 11), (8, 250), (8, 410), (6, 60)])
def test_what_the_kernels_refuse_is_dealt_as_the_engine_deals(decks: int, depth: int) -> None:
    """More than eight decks; a cover card so near the end that shoes run out, or so deep that it is met in the burn."""
    rules = rulebook("ma-midi-4", decks=decks, cover_card_depth=depth)
    assert is_refused(rules)
    shoes = Range(3, 40 if decks < 20 else 4)
    found = plainly(rules, 11, shoes)
    assert found == counts(rules, 11, shoes)
    assert bool(found.void) == (depth in (1, 5))


def test_more_rounds_than_a_shoe_has_end_with_a_void_round() -> None:
    rules = rulebook("ma-midi-4")
    found = plainly(rules, 3, SHOES, rounds=100)
    assert found == counts(rules, 3, SHOES, rounds=100)
    assert found.void == SHOES.shoes


def test_piles_that_do_not_fit_are_parted_again() -> None:
    """Bounds so narrow that nearly every shoe throws its coins again."""
    book = open_book(rulebook("ma-midi-4"))
    source = msgspec.structs.replace(source_of(book), least=207, most=209)
    assert sum(source.least <= _first_pile(number) <= source.most for number in range(40)) < 20
    found = plain.run(plain.plan(book, "totals", source=source), 5, 0, 40, 50)
    cells = [0] * len(found.cells)
    for number in range(40):
        for cards in simulate_shoe(book, 5, number, source=source).rounds[:50]:
            cells[deal_by(book, cards).index] += 1
    assert found.cells == tuple(cells)


def _first_pile(number: int) -> int:
    stream = words(5, number)
    return sum(next(stream).bit_count() for _ in range(26))


def test_a_banker_who_looks_at_the_players_first_cards_is_dealt() -> None:
    """A tableau that no edition can say: against a Player who began with nothing, the Banker stays."""
    book = open_book(rulebook("ma-midi-4"))
    plan = plain.plan(book, "totals")
    table = bytes(NO_CARD + 1) * 10 + plan.banker_draws[10 * (NO_CARD + 1) :]
    found = plain.run(msgspec.structs.replace(plan, banker_draws=table), 9, 0, 80, 1)
    cells, other = [0] * FINISHES, 0
    for number in range(80):
        coup = deal_by(book, simulate_shoe(book, 9, number).rounds[0])
        if coup.two_card_count(Side.PLAYER) == 0 and len(coup.banker) == 3:
            other += 1
            cells[finish_index(coup.player_count, coup.two_card_count(Side.BANKER), len(coup.player), 2)] += 1
        else:
            cells[coup.index] += 1
    assert other > 3
    assert found.cells == tuple(cells)


def test_ranges_that_meet_within_four_shoes_add_up() -> None:
    rules = rulebook("ma-midi-4")
    whole = plainly(rules, 1, Range(0, 9000), rounds=2)
    parts = [plainly(rules, 1, part, rounds=2) for part in (Range(0, 4097), Range(4097, 2), Range(4099, 4901))]
    assert parts[0] + parts[1] + parts[2] == whole
    assert sum(whole.cells) == 18_000
