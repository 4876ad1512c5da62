"""Streams: where an entry of a house belongs, such as `table 3`, `pit A`, `link 1`, `cage`, `forms`,
`coupons`, `players`, `day` or `house`.

A stream is a text of one or two parts: its kind, and a name where a house has several of the kind. Only this module
takes the text apart. Journals, stores and messages hold it as it is; text from outside becomes a `Stream` where it
comes in, with `Stream(text)`, which checks nothing: a stream of no known kind belongs to no book.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NewType

Stream = NewType("Stream", str)
"""A stream by its text. For the type checker only: msgspec neither encodes nor decodes subclasses of `str`."""

TABLE_KIND, PIT_KIND, LINK_KIND = "table", "pit", "link"
"""The kinds of which a house has several: the name stands behind the kind."""
FORM_STREAM, CAGE_STREAM, DAY_STREAM, HOUSE_STREAM = Stream("forms"), Stream("cage"), Stream("day"), Stream("house")
COUPON_STREAM, PLAYER_STREAM = Stream("coupons"), Stream("players")
"""The streams of which a house has one each: the kind is the whole text."""


def table_stream(table: str) -> Stream:
    """The stream of a table."""
    return Stream(f"table {table}")


def link_stream(name: str) -> Stream:
    """The stream of a link."""
    return Stream(f"link {name}")


def pit_stream(name: str) -> Stream:
    """The stream of a pit."""
    return Stream(f"pit {name}")


def stream_of(kind: str, name: str) -> Stream:
    """The stream of a kind of which a house has several."""
    return Stream(f"{kind} {name}")


def is_table_stream(stream: Stream) -> bool:
    """Whether a stream is a table's."""
    return stream.startswith("table ")


def is_pit_stream(stream: Stream) -> bool:
    """Whether a stream is a pit's."""
    return stream.startswith("pit ")


def kind_and_name(stream: Stream) -> tuple[str, str]:
    """The kind and the name of a stream; the name is empty where a house has one of the kind."""
    kind, _, name = stream.partition(" ")
    return kind, name


def stream_kind(stream: Stream) -> str:
    """The kind of a stream."""
    return stream.partition(" ")[0]


@lru_cache(maxsize=4096)  # asked several times for each act
def stream_name(stream: Stream) -> str:
    """The name of a stream, such as a table's; empty where a house has one of the kind."""
    return stream.partition(" ")[2]
