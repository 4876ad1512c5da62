"""Plans of rulebooks: classes, tables, the bytes of finishes, and what is refused with its reason."""

from __future__ import annotations

from itertools import pairwise, product

import msgspec
import pytest

from baccarat.cards import DECK, Card
from baccarat.law.fact import COUNTS, finish_index
from baccarat.law.row import Draw
from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.odds.joint import banker_draws, player_draws
from baccarat.odds.royal9 import HANDS, OTHER
from baccarat.play.book import NO_CARD, Book, open_book
from baccarat.play.hand import Side, is_pair
from baccarat.play.wager.royal9 import is_royal
from baccarat.sim.plan import (
    COUNTERS,
    DETAILS,
    Detail,
    KernelPlan,
    NoFastPath,
    finish_bytes,
    make_plan,
    plan_for_book,
    royal_hand,
    royal_marks,
)  # fmt: skip

BOOK = open_book(rulebook("ma-midi-4"))


@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.parametrize("name", shipped_submissions())
def test_classes_are_runs_of_the_streams_order(name: str, detail: Detail) -> None:
    plan = make_plan(rulebook(name), detail)
    cards = [card for each in plan.classes for card in each]
    assert [card.rank for card in cards[::4]] == list(plan.source.ranks)
    assert sorted(map(str, cards)) == sorted(map(str, DECK))
    assert sum(plan.ends) == len(plan.classes) == {"totals": 10, "pairs": 13, "royal9": 25}[detail]
    for index, cards_of_one in enumerate(plan.classes):
        assert {plan.book.value[card] for card in cards_of_one} == {plan.value[index]}
        assert {plan.source.burnt[plan.source.ranks.index(card.rank)] for card in cards_of_one} == {plan.burnt[index]}


def test_pairs_are_told_by_class() -> None:
    plan = make_plan(rulebook("ma-midi-4"), "pairs")
    of = {card: index for index, cards in enumerate(plan.classes) for card in cards}
    assert all((of[one] == of[two]) == is_pair(one, two) for one, two in product(DECK, DECK))


def test_marks_tell_every_royal_9_from_every_other_hand() -> None:
    plan = make_plan(rulebook("ma-midi-4"), "royal9")
    marks = royal_marks(plan)
    of = {card: marks[index] for index, cards in enumerate(plan.classes) for card in cards}
    seen: dict[frozenset[Card], int] = {}
    for one, two in product(DECK, DECK):
        code = min((of[one] + of[two] - 196) % 256, OTHER)
        hand = frozenset({one, two})
        assert (code < OTHER) == is_royal(hand)
        if code < OTHER:
            assert seen.setdefault(hand, code) == code
            assert HANDS[royal_hand(code)] == hand
    assert sorted(seen.values()) == list(range(48))
    assert royal_hand(OTHER) == OTHER


def finish_by_bits(plan: KernelPlan, p: int, b: int, third: int, last: int) -> int:
    """A finish by the rows of bits of the plan."""
    if plan.player[p] >> b & 1:
        (after,) = {bits for bits, value in zip(plan.after, plan.value, strict=True) if value == third}
        draws = after >> b & 1
        return finish_index((p + third) % 10, (b + draws * last) % 10, 3, 2 + draws)
    draws = plan.alone[p] >> b & 1
    return finish_index(p, (b + draws * third) % 10, 2, 2 + draws)


@pytest.mark.parametrize("name", shipped_submissions())
def test_rows_of_bits_answer_as_the_book_does(name: str) -> None:
    book = open_book(rulebook(name))
    plan = plan_for_book(book)
    for p, b, third, last in product(COUNTS, COUNTS, COUNTS, (0, 3)):
        if player_draws(book, p, b):
            draws = banker_draws(book, p, b, third)
            expected = finish_index((p + third) % 10, (b + draws * last) % 10, 3, 2 + draws)
        else:
            draws = banker_draws(book, p, b, NO_CARD)
            expected = finish_index(p, (b + draws * third) % 10, 2, 2 + draws)
        assert finish_by_bits(plan, p, b, third, last) == expected


@pytest.mark.parametrize("name", shipped_submissions())
def test_every_finish_has_a_byte_of_its_own(name: str) -> None:
    book = open_book(rulebook(name))
    coded = finish_bytes(book)
    assert coded is not None
    found = [finish for finish in coded.finish if finish >= 0]
    assert sorted(found) == sorted(finish.place for finish in book.rules.edition.finishes)
    for finish in book.rules.edition.finishes:
        offset = coded.offsets[finish.player_cards, finish.banker_cards][finish.player_count]
        assert coded.finish[(offset + finish.banker_count) % 256] == finish.place
    assert coded.finish[255] == -1


def test_too_many_finishes_have_no_bytes() -> None:
    assert finish_bytes(msgspec.structs.replace(BOOK, player_row=mixed_player(BOOK))) is None


def mixed_player(book: Book) -> tuple[tuple[Draw, ...], ...]:
    """Rows by which the Player draws against an odd Banker, whatever it holds."""
    act = ("stay", "draw")
    return tuple(
        tuple(msgspec.structs.replace(row, act=act[b % 2]) for b, row in enumerate(rows)) for rows in book.player_row
    )


REFUSED = [
    ({"decks": 9}, "9 decks; the kernels take shoes of up to 8"),
    ({"decks": 6, "cover_card_depth": 48}, "depth of 48 in 6 decks; the kernels take depths of 12 to 47"),
]


@pytest.mark.parametrize(("change", "say"), REFUSED)
def test_what_has_no_fast_path_says_why(change: dict[str, int], say: str) -> None:
    with pytest.raises(NoFastPath, match=say):
        make_plan(rulebook("ma-midi-4", discard_rack_decks=10, **change))


def test_another_order_of_hands_is_refused() -> None:
    book = msgspec.structs.replace(BOOK, hands=(Side.PLAYER, Side.PLAYER, Side.BANKER, Side.BANKER))
    with pytest.raises(NoFastPath, match="the kernels deal them in turn"):
        plan_for_book(book)


def test_a_banker_who_looks_at_the_players_first_cards_is_refused() -> None:
    # naturals do not end the round for the Player, but they do for the Banker
    player = tuple(tuple(msgspec.structs.replace(row, act="draw") for row in rows) for rows in BOOK.player_row)
    with pytest.raises(NoFastPath, match="depends on the Player's first two cards"):
        plan_for_book(msgspec.structs.replace(BOOK, player_row=player))


def test_cards_of_ten_points_are_refused() -> None:
    with pytest.raises(NoFastPath, match="values of 0 to 9"):
        plan_for_book(msgspec.structs.replace(BOOK, value=dict.fromkeys(DECK, 10)))


@pytest.mark.parametrize("rounds", [0, -1, 68, 10**9])
def test_rounds_that_a_shoe_may_not_have_are_refused(rounds: int) -> None:
    plan = make_plan(rulebook("ma-midi-4"))
    for good in (None, 1, plan.source.most_rounds):
        plan.admit_rounds(good)
    with pytest.raises(NoFastPath, match="the kernels deal 1 to 67 from this shoe"):
        plan.admit_rounds(rounds)


def test_counters_are_as_many_as_their_parts() -> None:
    assert COUNTERS == {"totals": 400, "pairs": 1600, "royal9": 400 + 49 * 49}
    assert all(one < two for one, two in pairwise(COUNTERS.values()))
