"""The streams that a decision reads but does not write: if several nodes write, none of them may have grown.

A table's act reads the house, the day, its pit and its link, the coupon book where it names a coupon, and the other
tables of the link where it raises their meter. An act in the
books of the house reads all the books, and the tables whose chips it counts, because a table of another node may be
paying out of its tray, and because nobody who sits there counts them, or changes the options of the table.
"""

from __future__ import annotations

from collections.abc import Iterator

from baccarat.engine.entries import AnyCommand
from baccarat.house.book import HouseCommand
from baccarat.house.house import tables_concerned, tables_of_link
from baccarat.house.protected_play import PROTECTED_ACTS, person_of, tables_of_player
from baccarat.house.state import HouseState
from baccarat.house.stream import (
    COUPON_STREAM,
    DAY_STREAM,
    HOUSE_STREAM,
    PLAYER_STREAM,
    Stream,
    is_table_stream,
    link_stream,
    pit_stream,
    stream_name,
    table_stream,
)
from baccarat.table.actor import Actor
from baccarat.table.base import Command


def read_set(
    state: HouseState, stream: Stream, command: AnyCommand, actor: Actor, *, is_refused: bool
) -> Iterator[Stream]:
    """The streams that a decision looks at: those of a table, or all books and some tables where it is the house's."""
    if not is_table_stream(stream):
        yield from state.book_streams()
        yield from map(table_stream, _tables(state, stream, command, is_refused=is_refused))
        return
    yield from (HOUSE_STREAM, DAY_STREAM)
    if isinstance(command, Command) and command.named_coupon:
        yield COUPON_STREAM
    if isinstance(command, PROTECTED_ACTS):
        yield PLAYER_STREAM
        who = person_of(state, stream_name(stream), command, actor)
        yield from (table_stream(each) for each in tables_of_player(state, who) if each != stream_name(stream))
    name = stream_name(stream)
    if name in state.shares:
        yield link_stream(state.shares[name])
        if isinstance(command, Command) and command.READS_LINK:
            yield from (table_stream(each) for each in tables_of_link(state, name) if each != name)
    yield from (pit_stream(pit) for pit, held in state.pits.items() if name in held.tables)


def _tables(state: HouseState, stream: Stream, command: AnyCommand, *, is_refused: bool) -> Iterator[str]:
    """The tables whose chips, rounds or seats an act in a book reads."""
    if not isinstance(command, HouseCommand):
        return
    if stream in (DAY_STREAM, PLAYER_STREAM) or (command.REFUSAL_READS_TABLES and is_refused):
        yield from state.tables
    else:
        yield from tables_concerned(state, stream, command)


def sealed_trigger_run(state: HouseState, stream: Stream, command: AnyCommand) -> int:
    """The run of a shared Must Hit whose trigger a command seals; 0 if it seals none."""
    seals = isinstance(command, Command) and command.SEALS_TRIGGER
    linked = state.link_of_table(stream_name(stream)) if seals else None
    return linked.must_hit.jackpot if linked is not None and linked.must_hit is not None else 0
