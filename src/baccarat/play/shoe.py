"""Shoes: a whole shoe dealt round by round, from the burn to the hand after the cover card."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from baccarat.cards import Card
from baccarat.law.clause import Citation
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import open_book
from baccarat.play.coup import Coup, deal_by
from baccarat.play.hand import values
from baccarat.play.refusal import RefusalCode, Refused, make_refusal


class BurnedCards(msgspec.Struct, frozen=True, kw_only=True):
    """The cards burned before play: the first, and as many more as it says."""

    cards: tuple[Card, ...]
    exposed: int
    cites: tuple[Citation, ...]


class DealtRound(msgspec.Struct, frozen=True, kw_only=True):
    """One round of a shoe: its number, its place in the shoe, and whether the cover card came out in it."""

    number: int
    coup: Coup
    position: int
    cover_card_out: bool
    is_last: bool


def admit_cut(rules: Rulebook, *, cards: int, in_front: int) -> Refused | None:
    """None if a stack may be cut with `in_front` cards in front, else the refusal: each side needs enough."""
    law = rules.edition.cut
    if law.at_least <= in_front <= cards - law.at_least:
        return None
    allowed = {"least": law.at_least, "most": cards - law.at_least}
    what, cites = "cut_too_shallow", rules.cite(*law.cite)
    return make_refusal(RefusalCode.CUT_DEPTH, what, cites, in_front=in_front, cards=cards, **allowed)


def shows_burned(rules: Rulebook) -> bool:
    """Whether all burned cards are shown to the table, or only the first."""
    exposed = rules.edition.burn.exposed
    return exposed == "all" or rules.elects(exposed["option"]) == "face_up"


def burn(rules: Rulebook, shoe: tuple[Card, ...]) -> BurnedCards:
    """Burn the first card of a shoe and as many more as it says."""
    law = rules.edition.burn
    count = 1 + values(law.value)[shoe[0].rank]
    keys = [*law.cite, *(key for row in law.value if shoe[0].rank.value in row.ranks for key in row.cite)]
    return BurnedCards(cards=shoe[:count], exposed=count if shows_burned(rules) else 1, cites=rules.cite(*keys))


def rounds(rules: Rulebook, shoe: tuple[Card, ...], *, position: int) -> Iterator[DealtRound]:
    """Deal the shoe from `position`; when the cover card is met, finish that round and deal one more."""
    book = open_book(rules)
    cover = len(shoe) - (rules.elections.cover_card_depth or 0)
    number, last = 1, position > cover  # met during the burn: one hand is left (reading A-44)
    while True:
        coup = deal_by(book, shoe[position : position + 6])
        end = position + coup.cards_dealt
        met = position <= cover < end
        yield DealtRound(number=number, coup=coup, position=position, cover_card_out=met, is_last=last)
        if last or coup.is_void:
            return
        last, position, number = met, end, number + 1


def first_rounds(rules: Rulebook, shoe: tuple[Card, ...], number: int, *, position: int) -> Iterator[DealtRound]:
    """Deal `number` rounds from `position` as if there were no cover card; if the cards run out, the last is void."""
    book = open_book(rules)
    for each in range(1, number + 1):
        coup = deal_by(book, shoe[position : position + 6])
        yield DealtRound(number=each, coup=coup, position=position, cover_card_out=False, is_last=False)
        if coup.is_void:
            return
        position += coup.cards_dealt


def last_hand_cites(rules: Rulebook) -> tuple[Citation, ...]:
    """The clauses by which the cover card ends a shoe."""
    rows = [row for row in rules.edition.steps if row.name in ("cover_card_out", "last_hand")]
    return rules.cite(*(key for row in rows for key in row.cite))
