"""The name of a stream's log, which is the first line of its checkpoints: `example.org/house/table/1`.

A log is named after its house and its stream, so that one stream cannot have two histories under two names. A log that
lost entries which were already cosigned continues under a *successor* name, `example.org/house/table/1/2`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from baccarat.house.stream import (
    CAGE_STREAM,
    COUPON_STREAM,
    DAY_STREAM,
    FORM_STREAM,
    HOUSE_STREAM,
    LINK_KIND,
    PIT_KIND,
    PLAYER_STREAM,
    TABLE_KIND,
    Stream,
    kind_and_name,
    stream_of,
)
from baccarat.record.encoding import from_base64, from_decimal
from baccarat.shuffle import HASH_BYTES

SAFE = "-._~"
NAMED_KINDS = (TABLE_KIND, PIT_KIND, LINK_KIND)
SINGLE_STREAMS = (FORM_STREAM, CAGE_STREAM, COUPON_STREAM, PLAYER_STREAM, DAY_STREAM, HOUSE_STREAM)
MOST_SUCCESSORS = 9_999
MOST_SIZE = 2**53 - 1
SUCCESSOR_LINE = "baccarat/successor-of/v1"
"""How the line of a checkpoint begins that names the log which this one continues, its last size and its root."""


def origin_of(house: str, stream: Stream) -> str:
    """The name of a stream's log: the name of the house's key, and the stream, such as `example.org/house/table/1`."""
    return house + _ending(stream)


def log_name(key: str, stream: Stream) -> str:
    """The name under which a key signs a stream: its own if it says the stream, otherwise its own and the stream's."""
    return key if fits_stream(key, stream) else origin_of(key, stream)


def _ending(stream: Stream) -> str:
    kind, name = kind_and_name(stream)
    return f"/{quote(kind, safe=SAFE)}" + (f"/{quote(name, safe=SAFE)}" if name else "")


def split_successor(origin: str) -> tuple[str, int]:
    """The name without the number of a successor, and that number; 1 if the name has none."""
    base, _, last = origin.rpartition("/")
    number = from_decimal(last, MOST_SUCCESSORS)
    return (base, number) if base and number is not None and number > 1 else (origin, 1)


def is_successor(origin: str, stream: Stream) -> bool:
    """Whether a log of this name continues an earlier one of the stream."""
    return fits_stream(origin, stream) and not origin.endswith(_ending(stream))


class Predecessor(NamedTuple):
    """The log that a successor says it continues: how many of its entries were signed, and their root."""

    origin: str
    size: int
    root: bytes


def predecessor(origin: str, extensions: Sequence[str]) -> Predecessor | None:
    """The log that a successor continues, by the lines of its checkpoint, and where it was signed last."""
    base, number = split_successor(origin)
    for line in extensions:
        found = re.fullmatch(rf"{re.escape(SUCCESSOR_LINE)} (\S+) ([0-9]+) (\S+)", line)
        root = None if found is None else from_base64(found[3])
        if found is None or root is None or len(root) != HASH_BYTES:
            continue
        before, size, (earlier, last) = found[1], from_decimal(found[2], MOST_SIZE), split_successor(found[1])
        if size is not None and (before == base or (earlier == base and last < number)):
            return Predecessor(before, size, root)
    return None


def earlier_logs(origin: str) -> Iterator[str]:
    """The names of all logs that a successor may continue, the first of them first."""
    base, number = split_successor(origin)
    if number > 1:
        yield base
        yield from (f"{base}/{each}" for each in range(2, number))


def fits_stream(origin: str, stream: Stream) -> bool:
    """Whether a log of this name may hold this stream, as its first log or as a successor."""
    return any(
        house != name and stream_in(name, house=house) == stream
        for name in (origin, split_successor(origin)[0])
        if (house := name.removesuffix(_ending(stream)))
    )


def stream_in(origin: str, *, house: str) -> Stream | None:
    """The stream of a house that has a log of exactly this name; None if there is none. Successors have none."""
    parts = origin.removeprefix(f"{house}/").split("/")
    if not origin.startswith(f"{house}/") or len(parts) > 2:
        return None
    kind, name = unquote(parts[0]), unquote(parts[-1])
    if len(parts) == 2:
        stream = stream_of(kind, name) if kind in NAMED_KINDS else None
    else:
        stream = next((each for each in SINGLE_STREAMS if each == kind), None)
    return stream if stream is not None and origin_of(house, stream) == origin else None


def house_of(origin: str) -> str | None:
    """The house that a log's name begins with; None if the name does not end with a stream."""
    for parts in (2, 1):
        house = origin.rsplit("/", parts)[0]
        if house and stream_in(origin, house=house) is not None:
            return house
    return None


def names_another_stream(origin: str, stream: Stream) -> bool:
    """Whether a log's name says that it is the log of a table, pit or link, but not of this stream."""
    return names_named_stream(origin) and not fits_stream(origin, stream)


def names_named_stream(origin: str) -> bool:
    """Whether a name says that it is that of the log of a table, pit or link."""
    parts = [name.rsplit("/", 2) for name in (origin, split_successor(origin)[0])]
    return any(len(each) == 3 and each[0] != "" and each[1] in NAMED_KINDS for each in parts)


def is_same_log(origin: str, checkpoint: str) -> bool:
    """Whether a log is that of a checkpoint, or one that it continues."""
    (base, number), (now, newest) = split_successor(origin), split_successor(checkpoint)
    return origin == checkpoint or checkpoint.startswith(f"{origin}/") or (base == now and 1 < number < newest)


def is_name_under(origin: str, key: str) -> bool:
    """Whether a log has a name that only the key of that name may give."""
    return origin.startswith(f"{key}/")


def may_sign(key: str, origin: str, stream: Stream | None) -> bool:
    """Whether a key of that name signs this stream under this name: the one that it has for it, or its successors'."""
    if stream is None:
        return origin == key or is_name_under(origin, key)
    return key == origin or name_by(key, stream) in (origin, split_successor(origin)[0])


def name_by(key: str, stream: Stream) -> str:
    """The name under which a key signs a stream; `example.org/house` is a house, not the log `house` of example.org."""
    return log_name(key, stream) if kind_and_name(stream)[1] else origin_of(key, stream)
