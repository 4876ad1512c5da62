"""Plans: an open Book prepared for the kernels, as classes of cards and small tables.

A kernel does not distinguish cards that make no difference: for the totals, ranks of equal value that burn as many
cards are one class; for pairs every rank is one; for Royal 9 nines and court cards are distinguished by suit as well. A
class is a run of neighbours in the order in which `stream` counts cards, so the same cards are dealt for every detail.

The tableau is a few small tables: whether a hand draws, by the Player's count or the class of its third card (the row
of a table) and by the Banker's count (the bit). Rows have ten bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, get_args

import msgspec

from baccarat.cards import Card, Rank, Suit
from baccarat.law.fact import COUNTS, FINISHES, finish_index
from baccarat.law.rulebook import Rulebook
from baccarat.odds.joint import banker_draws, player_draws
from baccarat.odds.royal9 import HANDS, OTHER
from baccarat.play.book import NO_CARD, Book, open_book
from baccarat.play.hand import Side
from baccarat.play.wager.royal9 import COURTS
from baccarat.sim.stream import CARDS_A_ROUND, MOST_IN_PILE, MOST_KERNEL_DECKS, SUITS, ShoeRecipe, source_of

Detail = Literal["totals", "pairs", "royal9"]
DETAILS: tuple[Detail, ...] = get_args(Detail)

PAIR_KINDS = 4
"""No pair, the Banker's, the Player's, both: as in `law.fact.OPENINGS`."""

OPENING_HANDS = len(HANDS)
"""Every Royal 9, then one for all other opening hands: as in `odds.royal9.HANDS`."""

COUNTERS: dict[Detail, int] = {
    "totals": FINISHES,
    "pairs": FINISHES * PAIR_KINDS,
    "royal9": FINISHES + OPENING_HANDS * OPENING_HANDS,
}
"""How many counters a tally has. Pairs: by finish · 4 + pair kind. Royal 9: by finish, and after these by Player's
opening hand · 49 + Banker's."""

IN_TURN = (Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER)
NO_ROUND = 255
"""The byte, in place of a finish, of a shoe that did not play."""


class NoFastPath(Exception):  # noqa: N818  a refusal, not a fault
    """A rulebook, or a number of rounds, that the kernels cannot take. The plain path can; the message says why."""


class KernelPlan(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Everything that a kernel needs to know about a rulebook."""

    book: Book
    detail: Detail
    source: ShoeRecipe
    classes: tuple[tuple[Card, ...], ...]
    """The cards of each class in one deck, in the order of the stream."""
    value: tuple[int, ...]
    burnt: tuple[int, ...]
    """By class: what a card is worth, how many more it burns."""
    player: tuple[int, ...]
    """By the Player's count: bit b is set if the Player draws against a Banker's b."""
    alone: tuple[int, ...]
    """By the Player's count: bit b is set if the Player stays and a Banker of b draws."""
    after: tuple[int, ...]
    """By the class of the Player's third card: bit b is set if a Banker of b then draws."""

    @property
    def ends(self) -> tuple[bool, ...]:
        """By card in the stream's order, rank by rank and suit by suit: whether a class ends with it."""
        sizes = [len(cards) for cards in self.classes]
        ends = {sum(sizes[: index + 1]) - 1 for index in range(len(sizes))}
        return tuple(card in ends for card in range(sum(sizes)))

    def admit_rounds(self, rounds: int | None) -> None:
        """Refuse a number of rounds per shoe for which some shoe might not have the cards."""
        most = self.source.most_rounds
        if rounds is not None and not 1 <= rounds <= most:
            raise NoFastPath(f"{rounds} rounds per shoe: the kernels deal 1 to {most} from this shoe")


def make_plan(rules: Rulebook, detail: Detail = "totals") -> KernelPlan:
    """The plan of a rulebook; `NoFastPath` if the kernels cannot take it."""
    return plan_for_book(open_book(rules), detail)


def plan_for_book(book: Book, detail: Detail = "totals") -> KernelPlan:
    """The plan of an open book."""
    source = source_of(book)
    _refuse(book, source)
    classes = _classes(book, source, detail)
    worth = [book.value[cards[0]] for cards in classes]
    burnt = [source.burnt[source.ranks.index(cards[0].rank)] for cards in classes]
    return KernelPlan(
        book=book,
        detail=detail,
        source=source,
        classes=classes,
        value=tuple(worth),
        burnt=tuple(burnt),
        player=tuple(_bits(player_draws(book, p, b) for b in COUNTS) for p in COUNTS),
        alone=tuple(
            _bits(not player_draws(book, p, b) and banker_draws(book, p, b, NO_CARD) for b in COUNTS) for p in COUNTS
        ),
        after=tuple(_bits(_draws_after(book, b, third) for b in COUNTS) for third in worth),
    )


def _refuse(book: Book, source: ShoeRecipe) -> None:
    """Refuse what the kernels cannot hold."""
    if book.hands != IN_TURN:
        order = ", ".join(map(str, book.hands))
        raise NoFastPath(f"the first cards go to {order}; the kernels deal them in turn, the Player's first")
    if not set(book.value.values()) <= set(COUNTS):
        raise NoFastPath("a card is worth ten or more; the kernels take values of 0 to 9")
    if source.decks > MOST_KERNEL_DECKS:
        raise NoFastPath(f"{source.decks} decks; the kernels take shoes of up to {MOST_KERNEL_DECKS}")
    if not source.is_parted:
        least, most = 2 * CARDS_A_ROUND, source.size - MOST_IN_PILE - max(source.burnt)
        room = f"of {least} to {most}" if most >= least else f"in shoes of more than {source.decks} decks"
        depth = f"a cover card depth of {source.depth} in {source.decks} decks"
        raise NoFastPath(f"{depth}; the kernels take depths {room}")


def _classes(book: Book, source: ShoeRecipe, detail: Detail) -> tuple[tuple[Card, ...], ...]:
    """The cards sorted into classes that the kernel must distinguish."""
    found: dict[tuple[object, ...], list[Card]] = {}
    for rank, burnt in zip(source.ranks, source.burnt, strict=True):
        for suit in SUITS:
            card = Card(rank, suit)
            found.setdefault((book.value[card], burnt, *_distinctions(card, detail)), []).append(card)
    return tuple(map(tuple, found.values()))


def _distinctions(card: Card, detail: Detail) -> tuple[Rank | Suit, ...]:
    """What a detail must know of a card besides its value."""
    if detail == "pairs":
        return (card.rank,)
    if detail == "royal9" and (card.rank is Rank.NINE or card.rank in COURTS):
        return (card.rank, card.suit)
    return ()


def _bits(flags: Iterator[bool]) -> int:
    return sum(flag << index for index, flag in enumerate(flags))


def _draws_after(book: Book, banker: int, third: int) -> bool:
    """Whether the Banker draws after a third card of the Player, whatever the Player's first two cards are."""
    answers = {banker_draws(book, p, banker, third) for p in COUNTS if player_draws(book, p, banker)}
    if len(answers) > 1:
        draw = f"the draw of a Banker of {banker} after a Player's third card worth {third}"
        raise NoFastPath(f"{draw} depends on the Player's first two cards")
    return True in answers


class FinishBytes(msgspec.Struct, frozen=True):
    """A byte for each finish that can occur: an offset, by the Player's count and who drew, plus the Banker's count."""

    offsets: dict[tuple[int, int], tuple[int, ...]]
    """By the cards of both hands: the offset by the Player's final count, modulo 256."""
    finish: tuple[int, ...]
    """By byte: the finish; -1 where there is none."""


def finish_bytes(book: Book) -> FinishBytes | None:
    """The bytes of a book's finishes; None if 255 are not enough, as for a tableau in which every hand may draw."""
    offsets = {(player, banker): [0] * 10 for player in (2, 3) for banker in (2, 3)}
    finish, used = [-1] * 256, 1 << NO_ROUND
    rows = _finish_rows(book)
    for (cards, others, count), counts in sorted(rows.items(), key=lambda row: (-len(row[1]), row[0])):
        offset = _free_offset(used, sorted(counts))
        if offset is None:
            return None
        used |= sum(1 << offset + banker for banker in counts)
        offsets[cards, others][count] = offset % 256
        for banker in counts:
            finish[offset + banker] = finish_index(count, banker, cards, others)
    return FinishBytes({key: tuple(row) for key, row in offsets.items()}, tuple(finish))


def _finish_rows(book: Book) -> dict[tuple[int, int, int], set[int]]:
    """The Banker's final counts, by the cards of both hands and the Player's final count."""
    rows: dict[tuple[int, int, int], set[int]] = {}
    for p in COUNTS:
        for b in COUNTS:
            for third in COUNTS if player_draws(book, p, b) else (NO_CARD,):
                count, cards = (p, 2) if third == NO_CARD else ((p + third) % 10, 3)
                draws = banker_draws(book, p, b, third)
                rows.setdefault((cards, 2 + draws, count), set()).update(COUNTS if draws else (b,))
    return rows


def _free_offset(used: int, counts: Sequence[int]) -> int | None:
    """The least offset at which bytes for these counts are free."""
    wanted = sum(1 << count - counts[0] for count in counts)
    free = (start for start in range(256 - counts[-1] + counts[0]) if not used & wanted << start)
    start = next(free, None)
    return None if start is None else start - counts[0]


NINE_MARK, COURT_STEP = 192, len(SUITS)
FIRST_ROYAL = NINE_MARK + COURT_STEP
"""The least sum of marks that is a Royal 9."""


def royal_marks(plan: KernelPlan) -> tuple[int, ...]:
    """A number for each class: two cards are a Royal 9 if their sum modulo 256 lies in 196 … 243, which tells which.

    A nine has 192 and its suit's number, a court card a multiple of four up to 48, all others zero.
    """
    royal = [card for rank in COURTS for suit in SUITS for card in [Card(rank, suit)]]

    def mark(card: Card) -> int:
        if card.rank is Rank.NINE:
            return NINE_MARK + SUITS.index(card.suit)
        return COURT_STEP * (1 + royal.index(card)) if card.rank in COURTS else 0

    return tuple(mark(cards[0]) for cards in plan.classes)


def royal_hand(code: int) -> int:
    """The number of an opening hand in `odds.royal9.HANDS`, by its sum of marks less 196; 48 represents all others."""
    if code == OTHER:
        return OTHER
    court, nine = divmod(code, COURT_STEP)
    rank, suit = divmod(court, len(SUITS))
    return HANDS.index(frozenset({Card(COURTS[rank], SUITS[suit]), Card(Rank.NINE, SUITS[nine])}))
