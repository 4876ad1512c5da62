"""Coups: one round dealt by the tableau, finished and immutable, with the ruling behind each step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from baccarat.cards import Card, parse_cards, show_cards
from baccarat.law.clause import Citation
from baccarat.law.fact import finish_index
from baccarat.law.row import Draw
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import NO_CARD, Book, open_book
from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE, Side, is_pair
from baccarat.play.refusal import RefusalCode, RefusalNote, Refused, make_refusal
from baccarat.values import brief_repr, expect, short_repr

if TYPE_CHECKING:
    from baccarat.play.slip import WagerSlip
    from baccarat.play.wager import WagerKind


class Ruling(msgspec.Struct, frozen=True):
    """A decision with the clauses that made it; there is none without."""

    say: str
    cites: tuple[Citation, ...]
    restored: bool = False

    def __post_init__(self) -> None:
        assert self.cites, f"a ruling without a clause: {self.say}"

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def __str__(self) -> str:
        cites = ", ".join(map(str, self.cites)) + (", restored" if self.restored else "")
        return f"{self.say}  [{cites}]"


class Announcement(msgspec.Struct, frozen=True):
    """One call of the dealer: fixed words, or counts as data because the texts fix no wording."""

    say: str | None
    hand: Side | None
    count: int | None
    cites: tuple[Citation, ...]
    final: tuple[int, int] | None = None
    winner: Side | None = None
    total_cards: int | None = None
    name: str = ""

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def __str__(self) -> str:
        if self.say is not None:
            return f"“{self.say}”"
        if self.hand is not None:
            return f"“{self.hand} {self.count}”"
        if self.final is not None:
            won = f", {self.winner} wins" if self.winner else ""
            return f"“Player {self.final[0]}, Banker {self.final[1]}{won}”"
        return f"“{self.total_cards} cards”"


class Coup(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A finished round: the two hands as the tableau made them. A void one lacks cards it needed.

    `index` is the place of its finish in the tables of the book.
    """

    rules: Rulebook
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_count: int
    banker_count: int
    index: int
    is_void: bool = False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Coup):
            return NotImplemented
        mine = (self.rules.hash, self.player, self.banker, self.is_void)
        return mine == (other.rules.hash, other.player, other.banker, other.is_void)

    def __hash__(self) -> int:
        return hash((self.player, self.banker, self.is_void))

    def __str__(self) -> str:
        hands = f"P {show_cards(self.player)} = {self.player_count}   B {show_cards(self.banker)} = {self.banker_count}"
        return f"{hands}   {self.outcome}"

    def __repr__(self) -> str:
        return short_repr(self, f"{self} under {self.rules}")

    @property
    def outcome(self) -> str:
        """`player`, `banker`, `tie`, or `void`."""
        if self.is_void:
            return "void"
        return "tie" if self.winner is None else self.winner.word

    @property
    def winner(self) -> Side | None:
        """The hand that has won; None on a tie and in a void round."""
        if self.is_void or self.player_count == self.banker_count:
            return None
        return PLAYER_SIDE if self.player_count > self.banker_count else BANKER_SIDE

    @property
    def cards_dealt(self) -> int:
        """The number of cards in the two hands."""
        return len(self.player) + len(self.banker)

    @property
    def pairs(self) -> int:
        """How many of the two hands opened with a pair."""
        return is_pair(*self.player[:2]) + is_pair(*self.banker[:2])

    @property
    def opening_index(self) -> int:
        """The place of its first four cards in tables by the opening: no pair, Banker's, Player's, both."""
        return 2 * is_pair(*self.player[:2]) + is_pair(*self.banker[:2])

    def is_natural(self, side: Side) -> bool:
        """Whether a hand is a natural."""
        facts = self._facts
        return bool(facts and facts[f"{side.value}_natural"])

    def is_called(self, term: str) -> bool:
        """Whether a term that the document defines, such as `dragon_7`, fits this round."""
        facts = self._facts
        return bool(facts and facts.get(term, False))

    @cached_property
    def _facts(self) -> dict[str, object] | None:
        if self.is_void:
            return None
        facts = open_book(self.rules).facts[self.index]
        assert facts is not None, "the tableau leads to no such finish"
        return dict(facts)

    def two_card_count(self, side: Side) -> int:
        """The count of a hand's first two cards."""
        value = open_book(self.rules).value
        return sum(value[card] for card in self.hand(side)[:2]) % 10

    def hand(self, side: Side) -> tuple[Card, ...]:
        """The cards of a hand."""
        return self.player if side is PLAYER_SIDE else self.banker

    @cached_property
    def why(self) -> tuple[Ruling, ...]:
        """The rulings that made this round, in order."""
        return tuple(_rulings(self))

    @cached_property
    def calls(self) -> tuple[Announcement, ...]:
        """What the dealer announces, in order."""
        return tuple(_calls(self))

    def settle(self, on: WagerKind, stake: int) -> WagerSlip:
        """The end of one wager of `stake` cents on this round, alone on the table."""
        from baccarat.play.slip import slip  # noqa: PLC0415  a slip is made of a coup, not the reverse

        return slip(self, on, stake)


ORDINALS = ("one", "two", "three", "four")
_IN_TURN = (PLAYER_SIDE, BANKER_SIDE, PLAYER_SIDE, BANKER_SIDE)


def deal(rules: Rulebook, cards: str | Iterable[Card | str], *, rest_of_shoe: bool = False) -> Coup:
    """Deal one round from `cards`, first card first, by the tableau; too few make it void.

    More cards than the round takes are a `ValueError`, unless they are declared to be the rest of a shoe.
    """
    book, given = open_book(expect(rules, Rulebook, "a Rulebook, as rulebook() makes one")), cards_of(cards)
    coup = deal_by(book, given)
    refused = None if rest_of_shoe else surplus_objection(coup, given)
    if refused is not None:
        raise ValueError(f"{refused}; if the others are the rest of a shoe, pass rest_of_shoe=True")
    return coup


def cards_of(given: str | Iterable[Card | str]) -> tuple[Card, ...]:
    """The cards that a text names, or a series of cards and texts."""
    if isinstance(given, str):
        return parse_cards(given)
    if not isinstance(given, Iterable):
        raise TypeError(f"expected cards, such as '2s 3h Ad Jd Tc 5s' or a list of them, not {brief_repr(given)}")
    found = [Card.parse(card) if isinstance(card, str) else card for card in given]
    return tuple(expect(card, Card, "a Card, or a text such as '9s'") for card in found)


def surplus_objection(coup: Coup, cards: Sequence[Card], *, left: int = 0) -> Refused | None:
    """Why these cards are more than the round takes: the rows of the tableau by which each hand draws or stays.

    `left` is how many a record could declare to be left in the shoe.
    """
    taken = coup.cards_dealt
    if len(cards) <= taken:
        return None
    rows = _draw_rulings(coup)
    says = ", ".join(ruling.say for ruling in rows)
    cites = tuple(dict.fromkeys(cite for ruling in rows for cite in ruling.cites))
    what, more = ("surplus_cards_in_a_record", {"left": left}) if left else ("surplus_cards", {})
    return make_refusal(RefusalCode.SURPLUS_CARDS, what, cites, named=len(cards), taken=taken, rulings=says, **more)


def deal_by(book: Book, cards: tuple[Card, ...]) -> Coup:
    """Deal one round by an open book."""
    if len(cards) < len(book.hands):
        return _void(book, cards)
    value = book.value
    if book.hands == _IN_TURN:
        first, second, third, fourth = cards[:4]
        player, banker = (first, third), (second, fourth)
    else:
        opening = list(zip(book.hands, cards, strict=False))
        player = tuple(card for hand, card in opening if hand is PLAYER_SIDE)  # type: ignore[assignment]
        banker = tuple(card for hand, card in opening if hand is BANKER_SIDE)  # type: ignore[assignment]
    held = (value[player[0]] + value[player[1]]) % 10
    bank = (value[banker[0]] + value[banker[1]]) % 10
    natural = book.natural[held] or book.natural[bank]
    drawn, column, final = 4, NO_CARD, held
    if book.player_row[held][bank].act == "draw":
        if len(cards) < 5:
            return _void(book, cards)
        player = (*player, cards[4])  # type: ignore[assignment]
        column = value[cards[4]]
        final = (held + column) % 10
        drawn = 5
    row = book.banker_row[natural][bank][column]
    assert row is not None, "the tableau answers every case"
    if row.act == "draw":
        if len(cards) <= drawn:
            return _void(book, cards)
        banker = (*banker, cards[drawn])  # type: ignore[assignment]
        bank = (bank + value[cards[drawn]]) % 10
    return Coup(book.rules, player, banker, final, bank, finish_index(final, bank, len(player), len(banker)))


def _void(book: Book, cards: tuple[Card, ...]) -> Coup:
    """The round that the shoe could not finish, with the cards that it did give."""
    player = tuple(card for hand, card in zip(book.hands, cards, strict=False) if hand is PLAYER_SIDE)
    banker = tuple(card for hand, card in zip(book.hands, cards, strict=False) if hand is BANKER_SIDE)
    player = (*player, *cards[len(book.hands) :])  # one more at most: the Player drew, and the Banker's card is missing
    counts = [sum(book.value[card] for card in hand) % 10 for hand in (player, banker)]
    return Coup(book.rules, player, banker, counts[0], counts[1], -1, is_void=True)


def _rulings(coup: Coup) -> Iterable[Ruling]:
    book, void = open_book(coup.rules), coup.rules.edition.void
    opening = f"{show_cards(coup.player[:2])} against {show_cards(coup.banker[:2])}"
    yield Ruling(f"{_cards_by_hand(book.hands)}: {opening}", deal_cites(book))
    if coup.is_void:
        say = f"The shoe cannot finish the round: void, all wagers returned, then {void.next}"
        yield Ruling(say, coup.rules.cite(*void.cite))
        return
    yield from _draw_rulings(coup)
    winner = f"{coup.winner} wins" if coup.winner else "Tie"
    yield Ruling(f"Player {coup.player_count}, Banker {coup.banker_count}: {winner}", result_cites(book))


def draw_note(act: str, side: Side, count: int, *, natural: bool, against: Card | None) -> RefusalNote:
    """Whether a hand draws or stays on its two-card count, and what decides it: the Banker looks at a third card."""
    params: dict[str, int | str] = {"side": str(side), "act": act, "count": count}
    if natural:
        return RefusalNote("ruled_by_a_natural", params)
    if side is PLAYER_SIDE:
        return RefusalNote("ruled_by_its_count", params)
    if against is None:
        return RefusalNote("ruled_by_the_player_having_stayed", params)
    return RefusalNote("ruled_by_the_third_card", {**params, "rank": against.rank.value})


def draw_ruling(act: str, side: Side, count: int, *, natural: bool, against: Card | None) -> str:
    """The same in words."""
    return draw_note(act, side, count, natural=natural, against=against).say


def deal_cites(book: Book) -> tuple[Citation, ...]:
    """The clauses by which the first cards go to the hands."""
    law = book.rules.edition.deal
    return book.rules.cite(*law.cite, *(law.face_up_cite if book.face_up else law.face_down_cite))


def result_cites(book: Book) -> tuple[Citation, ...]:
    """The clauses by which the counts are made and the result is called."""
    edition = book.rules.edition
    final = [key for call in edition.calls if call.final and book.rules.meets(call.when) for key in call.cite]
    return edition.cite(*edition.point_count.cite, *final)


def tableau_rows(book: Book, *, player: int, banker: int, third: int) -> tuple[Draw, Draw]:
    """The rows by which Player and Banker draw or stay: by their two-card counts and the Player's third card."""
    row = book.banker_row[book.natural[player] or book.natural[banker]][banker][third]
    assert row is not None, "the tableau answers every case"
    return book.player_row[player][banker], row


def _draw_rulings(coup: Coup) -> tuple[Ruling, Ruling]:
    """Whether each hand drew or stayed."""
    book = open_book(coup.rules)
    held, bank = coup.two_card_count(PLAYER_SIDE), coup.two_card_count(BANKER_SIDE)
    drew = coup.player[2] if len(coup.player) == 3 else None
    rows = tableau_rows(book, player=held, banker=bank, third=NO_CARD if drew is None else book.value[drew])
    natural = book.natural[held] or book.natural[bank]
    made = []
    for side, count, row in zip(Side, (held, bank), rows, strict=True):
        say = draw_ruling(row.act, side, count, natural=natural, against=drew)
        made.append(Ruling(say, coup.rules.cite(*row.cite), restored=row.restored))
    return made[0], made[1]


def _cards_by_hand(hands: tuple[Side, ...]) -> str:
    """Which of the first four cards each hand has, in the order in which they come."""
    numbered = list(zip(ORDINALS, hands, strict=True))
    numbers = {side: " and ".join(word for word, hand in numbered if hand is side) for side in Side}
    first, second = dict.fromkeys(hands)
    return f"Cards {numbers[first]} to the {first}, {numbers[second]} to the {second}"


def _calls(coup: Coup) -> Iterable[Announcement]:
    cite = coup.rules.edition.cite
    book = open_book(coup.rules)
    for call in book.calls[coup.index]:
        cites = cite(*call.cite)
        if call.say is not None:
            yield Announcement(call.say, None, None, cites, name=call.name)
        elif call.count is not None:
            side = Side(call.count)
            yield Announcement(None, side, coup.two_card_count(side), cites, name=call.name)
        elif call.final:
            final = (coup.player_count, coup.banker_count)
            yield Announcement(None, None, None, cites, final=final, winner=coup.winner, name=call.name)
        else:
            yield Announcement(None, None, None, cites, total_cards=coup.cards_dealt, name=call.name)
