"""The registry: the one list of the house's books, with the streams that they are written to and where a house holds
them. Whatever goes through the books of a house reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from baccarat.house.book import Aggregate, TableFollows
from baccarat.house.cage import CAGE_BOOK
from baccarat.house.coupon_book import COUPON_BOOK
from baccarat.house.form_book import FORMS
from baccarat.house.gaming_day import DAY
from baccarat.house.house_book import HOUSE_BOOK
from baccarat.house.link import LINK
from baccarat.house.pit_book import PIT
from baccarat.house.player_book import PLAYERS
from baccarat.house.stream import (
    CAGE_STREAM,
    COUPON_STREAM,
    DAY_STREAM,
    FORM_STREAM,
    HOUSE_STREAM,
    LINK_KIND,
    PIT_KIND,
    PLAYER_STREAM,
    Stream,
    stream_kind,
)


class HeldBook(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of book, and where a house holds those of the kind."""

    title: str
    book: Aggregate[Any]
    field: str
    """The field of `HouseState` that holds it, or all of them by name."""
    is_named: bool = False
    """Whether a house has several, each with a name."""


BOOKS: Mapping[str, HeldBook] = {
    PIT_KIND: HeldBook(title="Pit", book=PIT, field="pits", is_named=True),
    LINK_KIND: HeldBook(title="Link", book=LINK, field="links", is_named=True),
    CAGE_STREAM: HeldBook(title="Cage", book=CAGE_BOOK, field="cage"),
    FORM_STREAM: HeldBook(title="Forms", book=FORMS, field="forms"),
    COUPON_STREAM: HeldBook(title="Coupons", book=COUPON_BOOK, field="coupons"),
    PLAYER_STREAM: HeldBook(title="Player protection", book=PLAYERS, field="protection"),
    DAY_STREAM: HeldBook(title="Gaming day", book=DAY, field="day"),
    HOUSE_STREAM: HeldBook(title="The house", book=HOUSE_BOOK, field="opened"),
}
"""Every kind of book, by the kind of its stream, in the order in which streams are listed."""


def _followed(book: Aggregate[Any]) -> Iterator[TableFollows]:
    return (kind.FOLLOWED_BY for kind in book.handlers if kind.FOLLOWED_BY is not None)


TABLE_FOLLOWS: Mapping[str, tuple[TableFollows, ...]] = {
    kind: tuple(_followed(held.book)) for kind, held in BOOKS.items()
}
"""What tables do in the same act as a command of a book, by the kind of its stream."""
FOLLOWING_COMMANDS = {each.command: each for follows in TABLE_FOLLOWS.values() for each in follows}
"""The commands of tables that only follow an act in a book: nobody gives them at a table of a house."""


def held_book(stream: Stream) -> HeldBook | None:
    """The kind of book that a stream is; none where it is a table's, or nobody's."""
    found = BOOKS.get(stream_kind(stream))
    return found if found is not None and (found.is_named or stream in BOOKS) else None


def book_of(stream: Stream) -> Aggregate[Any] | None:
    """How acts in a stream are decided and told; none where it is a table's, or nobody's."""
    found = held_book(stream)
    return found.book if found is not None else None
