"""Journals in which one field of one record says something else, every later hash made anew.

Whoever holds a journal's file can do that, and nothing in the chain of hashes shows it. So an audit must: what a record
says is decided again, or compared with another record. What it cannot compare with anything stands in `FREE`, with the
reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from copy import copy
from typing import Any

import msgspec

from baccarat.audit.house_stream import HouseStreams
from baccarat.audit.journal import JournalAudit
from baccarat.audit.shuffle import Shuffles
from baccarat.audit.table_stream import TableStream
from baccarat.engine.idempotency_index import IdempotencyIndex
from baccarat.engine.redecide import RecordDifference, command_of, other_version
from baccarat.engine.redecide_house import HouseRedecider
from baccarat.house.cage import CAGE_BOOK
from baccarat.house.form_book import FORMS
from baccarat.house.gaming_day import DAY
from baccarat.house.house import House
from baccarat.house.house_book import HOUSE_BOOK
from baccarat.house.link import LINK
from baccarat.house.pit_book import PIT
from baccarat.house.stream import HOUSE_STREAM
from baccarat.law.rulebook import Rulebook
from baccarat.record.canonical import canonical, encode_unchecked
from baccarat.record.entry import ActRecord, StreamOpening
from baccarat.record.journal import BODY_START, JournalFault, JournalReader, NoteLine, StreamHead, rules_at
from baccarat.record.log import Frontier
from baccarat.table.actor import Actor
from baccarat.table.base import Accepted, Command
from baccarat.table.correctable_event import EventAt
from baccarat.table.machine import Table, decide
from baccarat.table.registry import HANDLERS
from baccarat.table.state import TableState
from kept import line_after, rehashed

Path = tuple[str | int, ...]
COMMANDS: dict[str, type[msgspec.Struct]] = {
    str(kind.__struct_config__.tag): kind
    for handlers in (HANDLERS, *(book.handlers for book in (CAGE_BOOK, DAY, FORMS, HOUSE_BOOK, LINK, PIT)))
    for kind in handlers
}
"""The commands of tables and books, by name."""


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every leaf of a value of JSON with its path; an empty list or object is one."""
    if isinstance(value, dict) and value:
        for key, each in value.items():
            yield from leaves(each, (*path, key))
    elif isinstance(value, list) and value:
        for index, each in enumerate(value):
            yield from leaves(each, (*path, index))
    else:
        yield path, value


def otherwise(value: Any) -> Iterator[Any]:
    """What a leaf could say instead: the same sort of value, and nearly the same."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value + 7, *((value - 1,) if value else ()))
        case str():
            yield _other_text(value)
        case None:
            yield 1
        case _:
            yield [*value, 1] if isinstance(value, list) else {**value, "table 9": 1}


def _other_text(text: str) -> str:
    """A text of the same length with another last character, of the same sort."""
    last = text[-1:] or "x"
    others = "0123456789" if last.isdigit() else "abcdef"
    return text[:-1] + others[(others.find(last) + 1) % len(others)]


def put(value: Any, path: Path, leaf: Any) -> Any:
    """A value of JSON with another leaf at a path."""
    first, *rest = path
    changed: Any = dict(value) if isinstance(value, dict) else list(value)
    changed[first] = put(value[first], tuple(rest), leaf) if rest else leaf
    return changed


def changed_bodies(body: bytes) -> Iterator[tuple[Path, bytes]]:
    """Every body that differs from this one in one leaf, or has one more field, with the path of what is other."""
    return _changed(msgspec.json.decode(body))


def _changed(entry: dict[str, Any]) -> Iterator[tuple[Path, bytes]]:
    for path, leaf in leaves(entry):
        for other in (*otherwise(leaf), *(ADDED.get(str(path[-1]), ()) if leaf is None or path == ("role",) else ())):
            yield path, canonical(put(entry, path, other))
    for path, field in _left_out(entry):
        for other in ADDED.get(field, SORTS):
            yield (*path, field), canonical(put(entry, (*path, field), other))


SORTS = (True, 1, "1", "x", "player", [1], {"x": 1})
"""What may be put into a field that was left out; whatever is not of its sort cannot be read."""
ADDED = {
    "approvals": ([{"role": "floorperson", "what": "sit", "who": "x"}],),
    "cause": ({"seq": 1, "stream": "table 1"},),
    "joined": ({"cage": 1},),
    "shown": ({"do": "show_meters", "meters": {}},),
    "events": ([{"cites": [], "event": "no_more_bets"}],),
    "refused": ({"code": "out_of_order", "what": "x"},),
    "role": ("floorperson", "participant"),
    "origin": ("link",),
    "command": ({"do": "call_no_more_bets"},),
    "proof": ({"path": ["0" * 64], "salt": "0"},),
    "card": ({"rank": "9", "suit": "S"},),
}


def _left_out(entry: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    """The fields that an entry could have and does not: its own, and those of its command."""
    kind = StreamOpening if "program" in entry else ActRecord
    yield from (((), name) for name in kind.__struct_fields__ if name not in entry)
    command = entry.get("command")
    if command is not None:
        fields = COMMANDS[command["do"]].__struct_fields__
        yield from ((("command",), name) for name in fields if name not in command)


class Follower:
    """What an audit knows after some lines of a journal; it can be copied, so that one line is tried in many ways."""

    def __init__(self) -> None:
        self.reader = JournalReader()
        self.tables: dict[str, TableStream] = {}
        self.house: HouseStreams | None = None

    def finds(self, number: int, line: bytes) -> bool:
        """Take one line more; whether anything is wrong with it."""
        try:
            found = self.reader.line(number, line)
            if isinstance(found, NoteLine):
                return False
            entry = found.entry
            if isinstance(entry, StreamOpening):
                rules = rules_at(number, entry)
                if other_version(entry) is not None:
                    return True
                if entry.stream == HOUSE_STREAM:
                    self.house = HouseStreams(rules, file="journal")
                elif entry.stream.startswith("table "):
                    self.tables[entry.stream] = TableStream(rules, found, file="journal", house=self.house)
            in_house = [*self.house.check_entry(found)] if self.house is not None else []
            is_at_table = isinstance(entry, ActRecord) and entry.stream in self.tables
            at_table = self.tables[entry.stream].check_record(found) if is_at_table else ()
            return bool(at_table or in_house or any(table.undecided for table in self.tables.values()))
        except JournalFault:
            return True


CHANGING = (
    Follower,
    JournalReader,
    TableStream,
    HouseStreams,
    HouseRedecider,
    House,
    IdempotencyIndex,
    Table,
    Shuffles,
    Frontier,
)
"""What changes while a journal is read."""


def twin(value: Any) -> Any:
    """A copy of what changes; what is frozen is the same in both."""
    match value:
        case Counter() | list() | StreamHead():
            return copy(value)
        case dict():
            return {key: twin(each) for key, each in value.items()}
        case _ if isinstance(value, CHANGING):
            copied = object.__new__(type(value))
            copied.__dict__.update({name: twin(each) for name, each in vars(value).items()})
            return copied
    return value


def is_clean(lines: list[bytes]) -> bool:
    """Whether an audit finds nothing."""
    audit = JournalAudit()
    audit.lines(enumerate(lines, start=1), file="journal")
    return audit.report().is_clean


def unnoticed(lines: list[bytes], which: Iterable[int] | None = None) -> Iterator[tuple[int, Path, bytes]]:
    """Every change of one field that no audit finds and that is not free: index of the line, path, changed body."""
    follower, wanted = Follower(), None if which is None else set(which)
    heads: dict[str, bytes] = {}
    for index, line in enumerate(lines):
        for path, body in changed_bodies(line[BODY_START:-2]) if wanted is None or index in wanted else ():
            if why_free(msgspec.json.decode(body), path, in_house=follower.house is not None):
                continue
            forged = line_after(dict(heads), body)
            if not twin(follower).finds(index + 1, forged) and is_clean(forged_at(lines, index, body)):
                yield index, path, body
        line_after(heads, line[BODY_START:-2])
        assert not follower.finds(index + 1, line), "the journal itself is clean"


def forged_at(lines: list[bytes], index: int, body: bytes) -> list[bytes]:
    """A journal with another body in one of its lines, every later hash made anew."""
    line = lines[index]
    return rehashed([*lines[:index], line[:BODY_START] + body + line[-2:], *lines[index + 1 :]])


OUTSIDE = "a fact from outside, which stands nowhere else; where a decision rests on it, a change is found"
FREE: dict[Path, str] = {
    ("at",): "time decides nothing, and a clock may step back",
    ("program",): "a label of the program that opened the stream; what decides is the version of its behaviour",
    ("who",): OUTSIDE,
    ("role",): OUTSIDE,
    ("device",): OUTSIDE,
    ("id",): OUTSIDE,
    ("approvals",): OUTSIDE,
}
"""The fields of an entry that an audit has nothing to compare with, and why."""
FREE_IN_COMMANDS: dict[tuple[str, str], str] = {
    ("burn_cards", "cards"): "where one card is due, “all of them” and “one” are the same",
    ("confirm_card", "proof"): "it is confirmed that a card is not proved: any proof that does not hold says so",
}
"""The fields of a command that may be written in two ways which mean the same."""
FREE_WITHOUT_A_HOUSE: dict[tuple[str, str], str] = {
    ("place_wager", "coupon_number"): "recorded unchecked: only a house has a coupon book to look the number up in",
}
"""The fields of a command that mean something only at a table of a house."""
REFUSED = "what was asked for in vain: a refusal need not depend on all of it"


def why_free(entry: dict[str, Any], path: Path, *, in_house: bool = True) -> str:
    """Why a field may say something else unnoticed; empty where it may not."""
    if path[0] == "command" and len(path) > 1:
        free = FREE_IN_COMMANDS if in_house else FREE_IN_COMMANDS | FREE_WITHOUT_A_HOUSE
        return REFUSED if "refused" in entry else free.get((entry["command"].get("do"), str(path[1])), "")
    if path == ("behaviour",) and "program" in entry:
        return "the version that opened the stream: an older one is decided again as what it was"
    return FREE.get(path[:1], "")


# --------------------------------------------------------------------------------- fields of a command


def ignored_fields(
    rules: Rulebook, state: TableState, command: Command, actor: Actor, event_at: EventAt
) -> Iterator[tuple[str, Command]]:
    """The fields of a command that is taken which could say something else and would lead to the very same events."""
    expected = _decided(rules, state, command, actor, event_at)
    assert expected is not None, "only asked of a command that is taken"
    entry = {"command": msgspec.json.decode(canonical(command))}
    for path, body in _changed(entry):
        if path[0] == "command":
            found = command_of(canonical(msgspec.json.decode(body)["command"]))
            if isinstance(found, RecordDifference) or found == command:
                continue
            if _decided(rules, state, found, actor, event_at) == expected:
                yield str(path[1]), found


def _decided(
    rules: Rulebook, state: TableState, command: Command, actor: Actor, event_at: EventAt
) -> list[bytes] | None:
    outcome = decide(rules, state, command, actor, event_at)
    return [encode_unchecked(event) for event in outcome.events] if isinstance(outcome, Accepted) else None
